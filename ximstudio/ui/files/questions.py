"""Questions about files: whether to save unsaved work, where a table is, and what was dropped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from ximstudio.ui.dialogs.help import give_help
from ximstudio.ui.widgets.boxes import STRETCH, Part, hbox, vbox
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Banner, ButtonKind, Tone, button, label
from ximstudio.ui.widgets.question import Question
from ximstudio.ui.widgets.text_dialog import FittedDialog


class SaveQuestion(Question):
    """Question with the answers save (Enter), don't save, and cancel.

    Button texts can be changed: `yes` loses work, `save` does not.
    """

    save_wanted = Signal()

    def __init__(
        self,
        parent: QWidget,
        *,
        title: str,
        text: str,
        yes: str = "Don't save",
        no: str = "Cancel",
        save: str = "Save",
    ) -> None:
        super().__init__(parent, title=title, text=text, yes=yes, no=no)
        self.save = button(save, kind=ButtonKind.PRIMARY)
        self.save.setDefault(True)
        self.no.setDefault(False)
        self.no.setAutoDefault(False)
        self.no.setProperty("kind", ButtonKind.PLAIN.value)
        # Separate from the others: the only answer that loses work.
        self.answers.insertWidget(0, self.yes)
        self.answers.addWidget(self.save)
        self.save.clicked.connect(self._save)
        self.save.setFocus()

    def _save(self) -> None:
        """Close before saving: the save dialog must not be below this one."""
        self.reject()
        self.save_wanted.emit()


MISSING_WIDTH = 500
MISSING_HELP = (
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
        super().__init__(parent, MISSING_WIDTH)
        self.setWindowTitle("XIM Studio")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        give_help(self, MISSING_HELP)
        self._place = place
        self.find_file = button("Find file…", kind=ButtonKind.PRIMARY, icon_name="open")
        self.go_without = button(without)
        self.cancel = button("Cancel", kind=ButtonKind.GHOST)
        self.find_file.setDefault(True)
        for made in (self.go_without, self.cancel):
            made.setAutoDefault(False)
        where = (Elided(place, kind="caption", mode=Qt.TextElideMode.ElideMiddle),) if place else ()
        self.wrong = Banner(closable=False)
        if wrong is None:
            self.wrong.hide()
        else:
            self.wrong.show_message(*wrong, tone=Tone.WARNING)
        vbox(
            label(title, kind="title", wrap=True),
            label(text, kind="muted", wrap=True),
            *where,
            self.wrong,
            spacing.MEDIUM,
            hbox(self.cancel, STRETCH, self.go_without, self.find_file, gap=spacing.SMALL),
            into=self,
            gap=spacing.SMALL,
            margins=spacing.WIDE,
        )
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


DROP_WIDTH = 460
DROP_HELP = (
    "A file that you drop on a map may contain new data to place on it, labels for what is "
    "on it, or a new table."
)


class DropQuestion(QDialog):
    """Dialog with one button per answer, the likeliest first; Escape cancels."""

    def __init__(self, parent: QWidget, path: Path, *, items: str, run: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("XIM Studio")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(DROP_WIDTH)
        give_help(self, DROP_HELP)
        self.place = button("Place on this map", kind=ButtonKind.PRIMARY)
        self.open_table = button("Open as a new table")
        self.join = button("Join as annotation")
        self.cancel = button("Cancel", kind=ButtonKind.GHOST)
        parts: list[Part] = [label(f"What is {path.name}?", kind="title", wrap=True), spacing.SMALL]
        for made, text in (
            (
                self.place,
                f"More {items}, measured in the same way: each is placed where it fits best "
                f"on {run}, and those that do not fit are marked. Nothing is retrained.",
            ),
            (self.join, "Labels for the rows or columns of the table, matched by name."),
            (self.open_table, "Start over with this table."),
        ):
            made.setAccessibleDescription(text)
            parts += [made, label(text, kind="muted", wrap=True), spacing.SMALL]
        last = hbox(STRETCH, self.cancel)
        vbox(*parts, last, into=self, gap=spacing.SMALL, margins=spacing.WIDE)
        self.place.setDefault(True)
        for made in (self.open_table, self.join, self.cancel):
            made.setAutoDefault(False)
        self.cancel.clicked.connect(self.reject)
        self.place.setFocus()

    def answer(
        self, *, place: Callable[[], None], join: Callable[[], None], open_table: Callable[[], None]
    ) -> None:
        """Act on the answer after the dialog has closed."""
        for made, then in ((self.place, place), (self.join, join), (self.open_table, open_table)):
            made.clicked.connect(self.accept)
            made.clicked.connect(then)
