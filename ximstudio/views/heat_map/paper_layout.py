"""Layout of a heat map on paper: trees, strips, marks, colours and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ximstudio.figures.sheet import MM_PER_POINT, PaperSheet, text_width
from ximstudio.maps.box import Box
from ximstudio.pictures.heat_frame import Beside, HeatFrame, HeatSizes

GAP = 0.7
"""Gaps between parts, in millimetres."""
SIZES = HeatSizes(tree=11.0, strip=2.2, marks=1.0, gap=GAP)
SMALLEST_NAME = 4.0
"""Smallest size of names, in points: with less space there are none."""
NAME_LINE = 1.12
"""Distance between names, in sizes of their type."""
MOST_NAME = 30.0
"""Space for names; longer ones are cut."""
HIGHEST, WIDEST = 6.0, 9.0
"""Largest size of a row or column, where they are few."""
TALL = 1.35
"""Ratio of height to width of the colours, where rows are too many to be named."""


@dataclass(frozen=True, kw_only=True)
class NamedSide(Beside):
    """The rows or columns: their number, their names, and the strips beside them."""

    n: int
    names: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class HeatSheet(HeatFrame):
    """Boxes on the page. Sizes of names are 0 where there are none."""

    rows: NamedSide
    columns: NamedSide
    row_size: float
    column_size: float
    row_room: float
    column_room: float

    @property
    def right(self) -> float:
        """Return where the names of rows end."""
        return self.body.right + self.row_room

    @property
    def bottom(self) -> float:
        """Return where the names of columns end."""
        return self.body.bottom + self.column_room


def laid_out(
    sheet: PaperSheet, rows: NamedSide, columns: NamedSide, *, room: Box, strip_names: float = 0.0
) -> HeatSheet:
    """Lay out the largest heat map that fits; names appear where each of them has room.

    `strip_names` is the least space for the names of strips on the right.
    """
    left, top = room.left + rows.room(SIZES), room.top + columns.room(SIZES)
    width, height = room.right - left, room.bottom - top
    said = sheet.small_line + GAP
    row_size = _name_size(sheet, height - said, rows.n)
    row_room = _names_room(rows, row_size) if row_size else said
    row_room = max(row_room, strip_names)
    wide = min(width - row_room, columns.n * WIDEST)
    column_size = _name_size(sheet, wide, columns.n)
    column_room = _names_room(columns, column_size) if column_size else said
    # The names of columns may have taken space that those of rows need.
    row_size = _name_size(sheet, height - column_room, rows.n)
    if row_size:
        high = min(
            rows.n * max(_line(row_size), min(HIGHEST, 0.6 * wide / columns.n)), rows.n * HIGHEST
        )
        high = min(high, height - column_room)
    else:
        row_room = max(said, strip_names)
        wide = min(width - row_room, columns.n * WIDEST)
        high = min(height - column_room, TALL * width)
    return HeatSheet(
        body=Box(left, top, left + wide, top + high),
        rows=rows,
        columns=columns,
        sizes=SIZES,
        row_size=row_size,
        column_size=column_size,
        row_room=row_room,
        column_room=column_room,
    )


def _line(size: float) -> float:
    return NAME_LINE * size * MM_PER_POINT


def _name_size(sheet: PaperSheet, length: float, n: int) -> float:
    """Return the size of so many names along a length, in points; 0 if they would be illegible."""
    fitting = length / max(n, 1) / (NAME_LINE * MM_PER_POINT)
    return min(sheet.small, fitting) if fitting >= SMALLEST_NAME else 0.0


def _names_room(side: NamedSide, size: float) -> float:
    widest = max((text_width(name, size=size) for name in side.names), default=0.0)
    return min(widest, MOST_NAME) + GAP + 0.4
