"""Borders between clusters."""

from __future__ import annotations

from ximstudio.model.arrays import Floats
from ximstudio.ui.widgets.drawing.lines_item import LinesItem

LINE = 2.2
"""Width in pixels."""


class BordersItem(LinesItem):
    """Line segments over the cells of a map."""

    def show_lines(self, segments: Floats) -> None:
        """Draw these segments, (S, 2, 2), in place of the previous ones."""
        self.show_groups([(LINE, segments)])
