"""Ask whether to save unsaved work."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ximstudio.ui.widgets.look.controls import ButtonKind, button
from ximstudio.ui.widgets.question import Question


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
