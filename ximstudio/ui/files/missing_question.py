"""Ask for the missing table of a session."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from ximstudio.ui.dialogs.help import give_help
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Banner, ButtonKind, Tone, button, label
from ximstudio.ui.widgets.text_dialog import FittedDialog

WIDTH = 500
HELP = (
    "The table may have been moved, or be on a drive that is not connected. It is recognised "
    "by its content, whatever its name is now."
)


class MissingQuestion(FittedDialog):
    """Dialog: find the file, continue without it, or cancel.

    Parameters
    ----------
    title, text
        What is missing, and the consequences.
    place
        Its last location; '' if unknown.
    without
        Text of the button that continues without the file.
    wrong
        Why the last chosen file was rejected, as title and text.
    """

    found = Signal(object)
    """The file that the user has chosen: a Path."""
    left_out = Signal()
    """The user continues without the file."""

    def __init__(
        self,
        parent: QWidget,
        *,
        title: str,
        text: str,
        place: str = "",
        without: str,
        wrong: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(parent, WIDTH)
        self.setWindowTitle("XIM Studio")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        give_help(self, HELP)
        self._place = place
        self.find_file = button("Find file…", kind=ButtonKind.PRIMARY, icon_name="open")
        self.go_without = button(without)
        self.cancel = button("Cancel", kind=ButtonKind.GHOST)
        self.find_file.setDefault(True)
        for made in (self.go_without, self.cancel):
            made.setAutoDefault(False)
        heading, words = label(title, kind="title"), label(text, kind="muted")
        column = vbox(into=self, gap=spacing.SMALL, margins=spacing.WIDE)
        for written in (heading, words):
            written.setWordWrap(True)
            column.addWidget(written)
        if place:
            where = Elided(place, kind="caption", mode=Qt.TextElideMode.ElideMiddle)
            column.addWidget(where)
        self.wrong = Banner(closable=False)
        if wrong is None:
            self.wrong.hide()
        else:
            self.wrong.show_message(*wrong, tone=Tone.WARNING)
        column.addWidget(self.wrong)
        answers = hbox(self.cancel, STRETCH, self.go_without, self.find_file, gap=spacing.SMALL)
        column.addSpacing(spacing.MEDIUM)
        column.addLayout(answers)
        self.cancel.clicked.connect(self.reject)
        self.go_without.clicked.connect(self._leave_out)
        self.find_file.clicked.connect(self._choose)
        self.find_file.setFocus()

    def _leave_out(self) -> None:
        self.accept()
        self.left_out.emit()

    def _choose(self) -> None:
        folder = Path(self._place).parent if self._place else Path()
        near = next((each for each in (folder, *folder.parents) if each.is_dir()), Path.home())
        dialog = QFileDialog(self, "Where is it now?", str(near))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._take)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _take(self, name: str) -> None:
        self.accept()
        self.found.emit(Path(name))
