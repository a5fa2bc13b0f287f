"""Ask what to do with a file dropped on a map."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from ximstudio.ui.dialogs.help import give_help
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, label

WIDTH = 460
HELP = (
    "A file that you drop on a map may contain new data to place on it, labels for what is "
    "on it, or a new table."
)


class DropQuestion(QDialog):
    """Dialog with one button per answer, the likeliest first; Escape cancels."""

    def __init__(self, parent: QWidget, path: Path, *, items: str, run: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("XIM Studio")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
        give_help(self, HELP)
        self.place = button("Place on this map", kind=ButtonKind.PRIMARY)
        self.open_table = button("Open as a new table")
        self.join = button("Join as annotation")
        self.cancel = button("Cancel", kind=ButtonKind.GHOST)
        heading = label(f"What is {path.name}?", kind="title", wrap=True)
        column = vbox(heading, spacing.SMALL, into=self, gap=spacing.SMALL, margins=spacing.WIDE)
        for made, text in (
            (
                self.place,
                f"More {items}, measured in the same way: each is placed where it fits best "
                f"on {run}, and those that do not fit are marked. Nothing is retrained.",
            ),
            (self.join, "Labels for the rows or columns of the table, matched by name."),
            (self.open_table, "Start over with this table."),
        ):
            self._add(column, made, text)
        last = hbox(STRETCH, self.cancel)
        column.addLayout(last)
        self.place.setDefault(True)
        for made in (self.open_table, self.join, self.cancel):
            made.setAutoDefault(False)
        self.cancel.clicked.connect(self.reject)
        self.place.setFocus()

    @staticmethod
    def _add(column: QVBoxLayout, made: QPushButton, text: str) -> None:
        words = label(text, kind="muted", wrap=True)
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
        """Act on the answer after the dialog has closed."""
        for made, then in (
            (self.place, place),
            (self.join, join),
            (self.open_table, open_table),
        ):
            made.clicked.connect(self.accept)
            made.clicked.connect(then)
