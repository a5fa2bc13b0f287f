"""How high a legend becomes, before it is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.figures.parts import Entry, draw_legend
from ximstudio.figures.sheet import Sheet


def legend_height(
    sheet: Sheet, entries: Sequence[Entry], width: float, *, title: str = ""
) -> float:
    """The height that `draw_legend` needs for these entries at this width."""
    # On a sheet that nobody sees: names take as many lines as they take.
    return draw_legend(Sheet(sheet.look), entries, 0.0, 0.0, width, title=title)
