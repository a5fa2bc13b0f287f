"""Question asked before something is lost."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

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
        words = label(text, kind="muted")
        words.setWordWrap(True)
        self.answers = answers = QHBoxLayout()
        answers.setSpacing(spacing.SMALL)
        answers.addStretch(1)
        answers.addWidget(self.yes)
        answers.addWidget(self.no)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*([spacing.WIDE] * 4))
        layout.setSpacing(spacing.SMALL)
        heading = label(title, kind="title")
        heading.setWordWrap(True)
        layout.addWidget(heading)
        layout.addWidget(words)
        layout.addSpacing(spacing.MEDIUM)
        layout.addLayout(answers)
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
