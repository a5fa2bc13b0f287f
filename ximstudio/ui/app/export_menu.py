"""Export button of the toolbar and its dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QToolButton

from ximstudio.jobs import Task
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.widgets import shortcuts as keys
from ximstudio.ui.widgets.look.controls import tool_button
from ximstudio.ui.widgets.slices import EventLoopSlices

if TYPE_CHECKING:
    from ximstudio.ui.app.window import MainWindow
    from ximstudio.ui.dialogs.exporting.dialog import ExportDialog
    from ximstudio.ui.dialogs.exporting.exporter import Exporter

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
