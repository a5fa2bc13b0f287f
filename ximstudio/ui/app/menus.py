"""Explore and Export buttons of the toolbar, and the dialogs that they open."""

from __future__ import annotations

from functools import cached_property
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
        self.button = tool_button("explore", tip="Explore this map", text="Explore")
        menu = QMenu(self.button)
        self.entries: dict[str, QAction] = {}
        for name, key, slot in (
            ("clusters", keys.CLUSTERS, self.show_clusters),
            ("similar", keys.SIMILAR, self.show_similar),
            ("import", keys.PLACE, self.choose_file),
        ):
            QShortcut(QKeySequence(key.keys), window, slot)
            # The key is written, not set: the window has the shortcut already.
            self.entries[key.key] = menu.addAction(icon(name), f"{key.does}\t{key.keys}")
            self.entries[key.key].triggered.connect(slot)
        self.listed = menu.addAction("List new items")
        self.listed.triggered.connect(self.show_projected)
        self.button.setMenu(menu)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        # The items that have just been placed are listed.
        actions.projection.arrived.connect(self.show_projected)
        actions.store.changed.connect(self._show_session)
        self._show_session()

    # What is opened

    @cached_property
    def clusters(self) -> ClustersDialog:
        """The clusters dialog."""
        from ximstudio.ui.dialogs.exploring.clusters_dialog import ClustersDialog

        return ClustersDialog(self._actions, self._window)

    @cached_property
    def similar(self) -> SimilarDialog:
        """The dialog that finds similar profiles."""
        from ximstudio.ui.dialogs.exploring.similar_dialog import SimilarDialog

        return SimilarDialog(self._actions, self._window)

    @cached_property
    def projected(self) -> ProjectedDialog:
        """The dialog that lists projected items."""
        from ximstudio.ui.dialogs.exploring.projected_dialog import ProjectedDialog

        return ProjectedDialog(self._actions, self._window)

    def show_clusters(self) -> None:
        """Open the clusters of the map."""
        if self.able:
            self.clusters.bring()

    def show_similar(self) -> None:
        """Open the dialog that finds similar profiles."""
        if self.able:
            self.similar.bring()

    def show_projected(self) -> None:
        """Open the list of projected items."""
        if self.able:
            self.projected.bring()

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

    def _show_session(self) -> None:
        """Enable the available actions, in the words of the table."""
        session = self._actions.session
        self.button.setEnabled(self.able)
        self.listed.setVisible(bool(session.run is not None and session.run.projected))
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

    @cached_property
    def exporting(self) -> Exporter:
        """The exporter, which writes files."""
        from ximstudio.ui.dialogs.exporting.exporter import Exporter

        made = Exporter(self._window.user_actions, self._window.settings)
        made.exported.connect(self._window.first_map.take_leave)
        return made

    @cached_property
    def dialog(self) -> ExportDialog:
        """The export dialog."""
        from ximstudio.ui.dialogs.exporting.dialog import ExportDialog

        return ExportDialog(self.exporting, self._window)

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
