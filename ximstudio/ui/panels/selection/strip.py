"""What is left of the panel when it is folded away: how many are chosen, and the way back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ximstudio.model.words import grouped, plural
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Size, label, tool_button

WIDTH = 40
THOUSANDS = 10_000
"""From here on there is room for thousands only."""


class Strip(QWidget):
    """A narrow column with a button on top and a number below it."""

    open_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(WIDTH)
        self.open = tool_button("chevron-left", tip="Show what is chosen", size=Size.SMALL)
        self.count = label(kind="badge", tone="accent")
        self.count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, spacing.HAIR, 0, 0)
        column.setSpacing(spacing.SMALL)
        middle = Qt.AlignmentFlag.AlignHCenter
        column.addWidget(self.open, alignment=middle)
        column.addWidget(self.count, alignment=middle)
        column.addStretch(1)
        self.open.clicked.connect(self.open_wanted)
        self.show_count(0, "")

    def show_count(self, n_chosen: int, word: str) -> None:
        """Say how many are chosen; nothing if none is."""
        few = n_chosen < THOUSANDS
        self.count.setText(f"{n_chosen}" if few else f"{n_chosen // 1000}k")
        told = f"{grouped(n_chosen)} {plural(n_chosen, word)} chosen"
        self.count.setToolTip(told)
        self.count.setVisible(n_chosen > 0)
        tip = f"Show what is chosen: {told}" if n_chosen else "Show selection and sets"
        self.open.setToolTip(tip)
        self.open.setAccessibleName(tip)
