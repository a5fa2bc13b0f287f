"""Strip shown while the selection panel is collapsed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from ximstudio.model.words import grouped, plural
from ximstudio.ui.widgets.boxes import STRETCH, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, label, tool_button

WIDTH = 40
THOUSANDS = 10_000
"""From this number on, only thousands are shown."""


class CollapsedStrip(QWidget):
    """Narrow column with an expand button and the size of the selection."""

    open_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(WIDTH)
        self.open = tool_button("chevron-left", tip="Show the selection", size=Size.SMALL)
        self.count = label(kind="badge", tone="accent")
        self.count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        middle = Qt.AlignmentFlag.AlignHCenter
        vbox(
            (self.open, middle),
            (self.count, middle),
            STRETCH,
            into=self,
            gap=spacing.SMALL,
            margins=(0, spacing.HAIR, 0, 0),
        )
        self.open.clicked.connect(self.open_wanted)
        self.show_count(0, "")

    def show_count(self, n_chosen: int, word: str) -> None:
        """Show the size of the selection; nothing if it is empty."""
        few = n_chosen < THOUSANDS
        self.count.setText(f"{n_chosen}" if few else f"{n_chosen // 1000}k")
        text = f"{grouped(n_chosen)} {plural(n_chosen, word)} selected"
        self.count.setToolTip(text)
        self.count.setVisible(n_chosen > 0)
        tip = f"Show the selection: {text}" if n_chosen else "Show selection and sets"
        self.open.setToolTip(tip)
        self.open.setAccessibleName(tip)
