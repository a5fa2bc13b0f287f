"""Question asked before something is lost."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, label

WIDTH = 420


class Question(QDialog):
    """Dialog with the consequence, a button that confirms it, and a default button that cancels."""

    def __init__(
        self, parent: QWidget, *, title: str, text: str, yes: str, no: str = "Cancel"
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("XIM Studio")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
        self.yes = button(yes, kind=ButtonKind.DANGER)
        self.no = button(no, kind=ButtonKind.PRIMARY)
        self.yes.setAutoDefault(False)
        self.no.setDefault(True)
        self.yes.clicked.connect(self.accept)
        self.no.clicked.connect(self.reject)
        words = label(text, kind="muted", wrap=True)
        self.answers = answers = hbox(STRETCH, self.yes, self.no, gap=spacing.SMALL)
        heading = label(title, kind="title", wrap=True)
        vbox(
            heading,
            words,
            spacing.MEDIUM,
            answers,
            into=self,
            gap=spacing.SMALL,
            margins=spacing.WIDE,
        )
        self.no.setFocus()


def ask(
    parent: QWidget,
    *,
    title: str,
    text: str,
    yes: str,
    no: str = "Cancel",
    then: Callable[[], None],
) -> Question:
    """Ask, and call back if the answer is yes, without blocking the window."""
    question = Question(parent, title=title, text=text, yes=yes, no=no)
    question.accepted.connect(then)
    question.open()
    return question
