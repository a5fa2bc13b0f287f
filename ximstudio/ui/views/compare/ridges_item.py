"""Ridges over the cells of a map: the more runs have one, the wider its line."""

from __future__ import annotations

from ximstudio.model.arrays import Floats
from ximstudio.ui.widgets.drawing.lines_item import LinesItem
from ximstudio.views.compare.stability_picture import by_width


class RidgesItem(LinesItem):
    """Line segments, each as wide as its share of the runs."""

    def show_ridges(self, lines: Floats, shares: Floats) -> None:
        """Draw these segments, (S, 2, 2), by their shares (S,), in place of the previous ones."""
        self.show_groups(by_width(lines, shares))
