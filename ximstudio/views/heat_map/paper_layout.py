"""Layout of a heat map on paper: sizes in millimetres, and names that become smaller to fit."""

from __future__ import annotations

from ximstudio.figures.sheet import MM_PER_POINT, PaperSheet, text_width
from ximstudio.pictures.heat_frame import HeatMedium, HeatSizes, NamedSide

GAP = 0.7
"""Gaps between parts, in millimetres."""
SIZES = HeatSizes(tree=11.0, strip=2.2, marks=1.0, gap=GAP, highest=6.0, widest=9.0)
SMALLEST_NAME = 4.0
"""Smallest size of names, in points: with less space there are none."""
NAME_LINE = 1.12
"""Distance between names, in sizes of their type."""
MOST_NAME = 30.0
"""Space for names; longer ones are cut."""
TALL = 1.35
"""Ratio of height to width of the colours, where rows are too many to be named."""


class HeatPaper(HeatMedium[NamedSide]):
    """A sheet of paper for a heat map."""

    def __init__(self, sheet: PaperSheet) -> None:
        super().__init__(SIZES, unnamed=sheet.small_line + GAP)
        self._sheet = sheet

    def name_size(self, line: float) -> float:
        """Return the size of names in points."""
        fitting = line / (NAME_LINE * MM_PER_POINT)
        return min(self._sheet.small, fitting) if fitting >= SMALLEST_NAME else 0.0

    def beyond(self, side: NamedSide, size: float, whole: float) -> float:
        """Return the space for the longest name, or for their number."""
        del whole
        if not size:
            return max(self.unnamed, side.titles)
        widest = max((text_width(name, size=size) for name in side.names), default=0.0)
        return max(min(widest, MOST_NAME) + GAP + 0.4, side.titles)

    def tallest(
        self, rows: NamedSide, columns: NamedSide, size: float, wide: tuple[float, float]
    ) -> float:
        """Return the largest height: rows are as high as their names, or grow with the columns."""
        if not size:
            return TALL * wide[1]
        line, highest = NAME_LINE * size * MM_PER_POINT, self.sizes.highest
        return min(rows.n * max(line, min(highest, 0.6 * wide[0] / columns.n)), rows.n * highest)
