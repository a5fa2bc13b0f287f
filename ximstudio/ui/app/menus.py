"""Explore and Export buttons of the toolbar, and the dialogs that they open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QWidget

from ximstudio.jobs import Task
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.settings import Settings
from ximstudio.ui.widgets import shortcuts as keys
from ximstudio.ui.widgets.look.controls import tool_button
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.slices import EventLoopSlices

if TYPE_CHECKING:
    from ximstudio.session.projection import ProjectedFile
    from ximstudio.ui.app.window import MainWindow
    from ximstudio.ui.dialogs.exploring.clusters_dialog import ClustersDialog
    from ximstudio.ui.dialogs.exploring.projected_dialog import ProjectedDialog
    from ximstudio.ui.dialogs.exploring.similar_dialog import SimilarDialog
    from ximstudio.ui.dialogs.exporting.dialog import ExportDialog
    from ximstudio.ui.dialogs.exporting.exporter import Exporter


class ExploreMenu(QObject):
    """Explore menu that builds each dialog when it is first opened."""

    def __init__(self, window: QWidget, actions: Actions, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._actions = actions
        self._settings = settings
        self._clusters: ClustersDialog | None = None
        self._similar: SimilarDialog | None = None
        self._newcomers: ProjectedDialog | None = None
        self.button = self._made_button()
        for key, slot in (
            (keys.CLUSTERS, self.show_clusters),
            (keys.SIMILAR, self.show_similar),
            (keys.PLACE, self.choose_file),
        ):
            QShortcut(QKeySequence(key.keys), window, slot)
        actions.projection.arrived.connect(self._welcome)
        actions.store.changed.connect(self._show_session)
        self._show_session()

    def _made_button(self) -> QToolButton:
        made = tool_button("explore", tip="Explore this map", text="Explore")
        menu = QMenu(made)
        self.entries = {
            key.key: self._action(menu, name, key, slot)
            for name, key, slot in (
                ("clusters", keys.CLUSTERS, self.show_clusters),
                ("similar", keys.SIMILAR, self.show_similar),
                ("import", keys.PLACE, self.choose_file),
            )
        }
        self.listed = menu.addAction("List new items")
        self.listed.triggered.connect(self.show_newcomers)
        made.setMenu(menu)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return made

    def _action(
        self, menu: QMenu, name: str, key: keys.KeyBinding, slot: Callable[[], None]
    ) -> QAction:
        # The key is written, not set: the window has the shortcut already.
        action = menu.addAction(icon(name), f"{key.does}\t{key.keys}")
        action.triggered.connect(slot)
        return action

    # What is opened

    @property
    def clusters(self) -> ClustersDialog:
        """The clusters dialog."""
        if self._clusters is None:
            from ximstudio.ui.dialogs.exploring.clusters_dialog import ClustersDialog

            self._clusters = ClustersDialog(self._actions, self._window)
        return self._clusters

    @property
    def similar(self) -> SimilarDialog:
        """The dialog that finds similar profiles."""
        if self._similar is None:
            from ximstudio.ui.dialogs.exploring.similar_dialog import SimilarDialog

            self._similar = SimilarDialog(self._actions, self._window)
        return self._similar

    @property
    def newcomers(self) -> ProjectedDialog:
        """The dialog that lists projected items."""
        if self._newcomers is None:
            from ximstudio.ui.dialogs.exploring.projected_dialog import ProjectedDialog

            self._newcomers = ProjectedDialog(self._actions, self._window)
        return self._newcomers

    def show_clusters(self) -> None:
        """Open the clusters of the map."""
        if self.able:
            self.clusters.bring()

    def show_similar(self) -> None:
        """Open the dialog that finds similar profiles."""
        if self.able:
            self.similar.bring()

    def show_newcomers(self) -> None:
        """Open the list of projected items."""
        if self.able:
            self.newcomers.bring()

    def choose_file(self) -> None:
        """Ask for a file whose items are placed on the map."""
        if not self.able:
            return
        from ximstudio.ui.files.opening import name_filters

        dialog = QFileDialog(self._window, "Place a file on this map", self._settings.now.folder)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(name_filters())
        dialog.fileSelected.connect(lambda name: self._actions.projection.place(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @property
    def able(self) -> bool:
        """True if there is a map to explore."""
        return self._actions.session.run is not None

    def _welcome(self, _: ProjectedFile) -> None:
        """List the items that have just been placed."""
        self.show_newcomers()

    def _show_session(self) -> None:
        """Enable the available actions, in the words of the table."""
        session = self._actions.session
        self.button.setEnabled(self.able)
        self.listed.setVisible(bool(session.run is not None and session.run.brought))
        self.listed.setText(f"New {self._actions.inspector.words.items} on this map")
        tip = (
            "Find clusters and similar profiles, place new data on the map"
            if self.able
            else "Train a map first"
        )
        self.button.setToolTip(tip)


FIGURE, TABLES = "figure", "tables"
"""Keys of the dialog's pages that other parts of the window open."""
AHEAD_MILLISECONDS = 2000
"""Milliseconds after the first map at which the dialog is built, before it is needed."""


class ExportMenu(QObject):
    """Export button that builds its dialog early and opens it with the focused view."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._exporting: Exporter | None = None
        self._dialog: ExportDialog | None = None
        self._slices = EventLoopSlices(self)
        self.button: QToolButton = tool_button("export", tip="", text="Export…")
        self.button.clicked.connect(self.show_figure)
        QShortcut(QKeySequence(keys.EXPORT.keys), window, self.show_figure)
        self.ahead = QTimer(self)
        """The job that imports everything the dialog needs; it runs once."""
        self.ahead.setSingleShot(True)
        self.ahead.setInterval(AHEAD_MILLISECONDS)
        self.ahead.timeout.connect(self._import_ahead)
        self._imported = False
        window.store.changed.connect(self._show_session)
        self._show_session()

    @property
    def exporting(self) -> Exporter:
        """The exporter, which writes files."""
        if self._exporting is None:
            from ximstudio.ui.dialogs.exporting.exporter import Exporter

            self._exporting = Exporter(self._window.user_actions, self._window.settings)
            self._exporting.exported.connect(self._window.first_map.take_leave)
        return self._exporting

    @property
    def dialog(self) -> ExportDialog:
        """The export dialog."""
        if self._dialog is None:
            from ximstudio.ui.dialogs.exporting.dialog import ExportDialog

            self._dialog = ExportDialog(self.exporting, self._window)
        return self._dialog

    @property
    def able(self) -> bool:
        """True if there is a map to export."""
        return self._window.user_actions.session.run is not None

    def show_figure(self) -> None:
        """Open the dialog with the focused view."""
        self.show()

    def show(self, page: str = FIGURE) -> None:
        """Open the dialog at one of its pages, with the focused view."""
        if self.able:
            # Before the dialog takes the focus: the focused view is needed.
            offers = self.exporting.offers(self._window.views)
            self.dialog.begin(offers, page=page)

    def show_selected(self) -> None:
        """Open the dialog at the table of the selection."""
        if self.able:
            self.dialog.tables.choose_selected()
            self.show(TABLES)

    def show_run(self, key: str) -> None:
        """Show a run, and open the dialog with it."""
        actions = self._window.user_actions
        if actions.session.shown != key:
            actions.show_run(key)
        self.show()

    def _import_ahead(self) -> None:
        self._imported = True
        job = Job(label="Preparing to export", work=import_dialog, done=self._build, quiet=True)
        self._window.jobs.start(job)

    def _build(self, _: None) -> None:
        """Build the dialog in slices; if the user asks for it, it is completed at once."""
        self._slices.schedule(lambda: self.dialog, lambda: self.dialog.figure)

    def _show_session(self) -> None:
        if self.able and not self._imported and not self.ahead.isActive():
            self.ahead.start()
        self.button.setEnabled(self.able)
        does = f"{keys.EXPORT.does} ({keys.EXPORT.keys})" if self.able else "Train a map first"
        self.button.setToolTip(does)
        self.button.setAccessibleName(does if self.able else "Export")


def import_dialog(_: Task[Any, Any]) -> None:
    """Import what the dialog needs, in the background."""
    import ximstudio.export.planned_figure
    import ximstudio.ui.dialogs.exporting.dialog  # noqa: F401
