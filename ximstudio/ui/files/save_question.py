"""What is to become of work that is saved nowhere: saved, left, or kept on with."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ximstudio.ui.look.controls import Kind, button
from ximstudio.ui.question import Question


class SaveQuestion(Question):
    """Save, which Enter does; do not save; and no answer, by which all stays as it is.

    The words of the buttons can be others: the answer `yes` loses something, and `save` nothing.
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
        self.save = button(save, kind=Kind.PRIMARY)
        self.save.setDefault(True)
        self.no.setDefault(False)
        self.no.setAutoDefault(False)
        self.no.setProperty("kind", Kind.PLAIN.value)
        # Apart from the others: the one answer that loses something.
        self.answers.insertWidget(0, self.yes)
        self.answers.addWidget(self.save)
        self.save.clicked.connect(self._save)
        self.save.setFocus()

    def _save(self) -> None:
        """Go, and then save: the dialog that asks where must not have this one above it."""
        self.reject()
        self.save_wanted.emit()
