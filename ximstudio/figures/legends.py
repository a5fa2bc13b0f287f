"""How high a legend becomes, before it is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.figures.parts import LegendLine, draw_legend
from ximstudio.figures.sheet import PaperSheet


def legend_height(
    sheet: PaperSheet, entries: Sequence[LegendLine], width: float, *, title: str = ""
) -> float:
    """The height that `draw_legend` needs for these entries at this width."""
    # On a sheet that nobody sees: names take as many lines as they take.
    return draw_legend(PaperSheet(sheet.look), entries, 0.0, 0.0, width, title=title)
