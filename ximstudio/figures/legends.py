"""Height of a legend before it is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.figures.parts import LegendLine, draw_legend
from ximstudio.figures.sheet import PaperSheet


def legend_height(
    sheet: PaperSheet, entries: Sequence[LegendLine], width: float, *, title: str = ""
) -> float:
    """Return the height that `draw_legend` needs for these entries at this width."""
    # Draw on a scratch sheet to count the lines of names.
    return draw_legend(PaperSheet(sheet.look), entries, 0.0, 0.0, width, title=title)
