"""Ridges over the cells of a map: the more runs have one, the broader its line."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.ui.drawing.lines_item import LinesItem

STEPS = ((0.05, 0.8), (0.5, 1.6), (0.8, 2.6), (0.95, 3.6))
"""Shares of runs from which on a line is so broad, in pixels."""


class RidgesItem(LinesItem):
    """Line segments, each as broad as its share of the runs."""

    def show_ridges(self, lines: Floats, shares: Floats) -> None:
        """Draw these, (S, 2, 2), by their shares (S,), in place of those before."""
        step = np.searchsorted([least for least, _ in STEPS], shares, side="right") - 1
        self.show_groups(
            [(width, lines[step == number]) for number, (_, width) in enumerate(STEPS)]
        )
