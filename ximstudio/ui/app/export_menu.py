"""The way to export: a button of the toolbar, a key, and the dialog that they open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QToolButton

from ximstudio.jobs import Task
from ximstudio.ui import keys
from ximstudio.ui.desk import Job
from ximstudio.ui.look.controls import tool_button
from ximstudio.ui.turns import Turns

if TYPE_CHECKING:
    from ximstudio.ui.dialogs.export_dialog import ExportDialog
    from ximstudio.ui.exporting import Exporting
    from ximstudio.ui.window import MainWindow

FIGURE, TABLES = "figure", "tables"
"""Pages of the dialog that other parts of the window lead to."""
AHEAD_MILLISECONDS = 2000
"""How long after the first map: by then it is drawn, and nobody wants it exported yet."""


class Exporter(QObject):
    """Builds the dialog before it is first wanted, and opens it at what is in focus."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._exporting: Exporting | None = None
        self._dialog: ExportDialog | None = None
        self._turns = Turns(self)
        self.button: QToolButton = tool_button("export", tip="", text="Export…")
        self.button.clicked.connect(self.show_figure)
        QShortcut(QKeySequence(keys.EXPORT.keys), window, self.show_figure)
        self.ahead = QTimer(self)
        """Until all that the dialog needs is imported; it runs once."""
        self.ahead.setSingleShot(True)
        self.ahead.setInterval(AHEAD_MILLISECONDS)
        self.ahead.timeout.connect(self._import_ahead)
        self._imported = False
        window.desk.changed.connect(self._show_session)
        self._show_session()

    @property
    def exporting(self) -> Exporting:
        """What makes files."""
        if self._exporting is None:
            from ximstudio.ui.exporting import Exporting

            self._exporting = Exporting(self._window.studio, self._window.settings)
            self._exporting.exported.connect(self._window.first_map.take_leave)
        return self._exporting

    @property
    def dialog(self) -> ExportDialog:
        """What asks which."""
        if self._dialog is None:
            from ximstudio.ui.dialogs.export_dialog import ExportDialog

            self._dialog = ExportDialog(self.exporting, self._window)
        return self._dialog

    @property
    def able(self) -> bool:
        """Whether there is a map to take along."""
        return self._window.studio.session.run is not None

    def show_figure(self) -> None:
        """Open the dialog with the view that is in focus."""
        self.show()

    def show(self, page: str = FIGURE) -> None:
        """Open the dialog at one of its pages, with the view that is in focus."""
        if self.able:
            # Before the dialog takes the keyboard, by which the view in focus is known.
            offers = self.exporting.offers(self._window.views)
            self.dialog.begin(offers, page=page)

    def show_selected(self) -> None:
        """Open the dialog at the table of what is chosen."""
        if self.able:
            self.dialog.tables.choose_selected()
            self.show(TABLES)

    def show_run(self, key: str) -> None:
        """Show a run, and open the dialog with it."""
        studio = self._window.studio
        if studio.session.shown != key:
            studio.show_run(key)
        self.show()

    def _import_ahead(self) -> None:
        self._imported = True
        job = Job(doing="Preparing to export", work=import_dialog, done=self._build, quiet=True)
        self._window.desk.start(job)

    def _build(self, _: None) -> None:
        """Build the dialog, piece by piece: a person who wants it sees it at once."""
        self._turns.take(lambda: self.dialog, lambda: self.dialog.figure)

    def _show_session(self) -> None:
        if self.able and not self._imported and not self.ahead.isActive():
            self.ahead.start()
        self.button.setEnabled(self.able)
        does = f"{keys.EXPORT.does} ({keys.EXPORT.keys})" if self.able else "Train a map first"
        self.button.setToolTip(does)
        self.button.setAccessibleName(does if self.able else "Export")


def import_dialog(_: Task[Any, Any]) -> None:
    """Import what the dialog needs, in the lane: the window would stand still for it."""
    import ximstudio.export.planned_figure
    import ximstudio.ui.dialogs.export_dialog  # noqa: F401
