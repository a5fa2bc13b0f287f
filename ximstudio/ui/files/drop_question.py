"""What is to be done with a file that is dropped on a map: three answers, the likeliest first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ximstudio.ui.help import give_help
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, button, label

WIDTH = 460
HELP = (
    "A file that comes to a map may hold new data to be placed on it, labels of what is on it"
    " already, or another table to begin with."
)


class DropQuestion(QDialog):
    """One button per answer, each with a sentence of what it does; Escape does nothing."""

    def __init__(self, parent: QWidget, path: Path, *, items: str, run: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("XIM Studio")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
        give_help(self, HELP)
        self.place = button("Place on this map", kind=Kind.PRIMARY)
        self.open_table = button("Open as a new table")
        self.join = button("Join as annotation")
        self.cancel = button("Cancel", kind=Kind.GHOST)
        heading = label(f"What is {path.name}?", kind="title")
        heading.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(*([spacing.WIDE] * 4))
        column.setSpacing(spacing.SMALL)
        column.addWidget(heading)
        column.addSpacing(spacing.SMALL)
        for made, text in (
            (
                self.place,
                f"More {items}, measured alike: each is put where it fits on {run}, and what does"
                " not belong there is pointed out. Nothing is trained again.",
            ),
            (self.join, f"Labels of the {items} or of what was measured, found by their names."),
            (self.open_table, "Begin anew with it, with maps of its own."),
        ):
            self._add(column, made, text)
        last = QHBoxLayout()
        last.addStretch(1)
        last.addWidget(self.cancel)
        column.addLayout(last)
        self.place.setDefault(True)
        for made in (self.open_table, self.join, self.cancel):
            made.setAutoDefault(False)
        self.cancel.clicked.connect(self.reject)
        self.place.setFocus()

    @staticmethod
    def _add(column: QVBoxLayout, made: QPushButton, text: str) -> None:
        words = label(text, kind="muted")
        words.setWordWrap(True)
        made.setAccessibleDescription(text)
        column.addWidget(made)
        column.addWidget(words)
        column.addSpacing(spacing.SMALL)

    def answer(
        self,
        *,
        place: Callable[[], None],
        join: Callable[[], None],
        open_table: Callable[[], None],
    ) -> None:
        """Do what is answered, once the question is gone."""
        for made, then in (
            (self.place, place),
            (self.join, join),
            (self.open_table, open_table),
        ):
            made.clicked.connect(self.accept)
            made.clicked.connect(then)
