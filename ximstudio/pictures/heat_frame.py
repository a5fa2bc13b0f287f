"""Layout of a heat map on screen and paper: colours, and around them trees, strips and names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ximstudio.maps.box import Box


@dataclass(frozen=True, kw_only=True)
class HeatSizes:
    """Sizes of the parts, the gap between them, and the largest row and column.

    In pixels or millimetres.
    """

    tree: float
    strip: float
    marks: float
    gap: float
    highest: float
    widest: float


@dataclass(frozen=True, kw_only=True)
class NamedSide:
    """Rows or columns: how many, their names, and the parts left of the rows or above the columns.

    Parameters
    ----------
    n
        A fraction if the first and the last are visible in part.
    titles
        The least space beside the names, for the titles of strips that end there.
    """

    n: float
    names: Sequence[str] = ()
    strips: int = 0
    tree: bool = False
    marks: bool = False
    titles: float = 0.0

    def room(self, sizes: HeatSizes) -> float:
        """Return the space that the parts take."""
        tree = sizes.tree + sizes.gap if self.tree else 0.0
        marks = sizes.marks + sizes.gap if self.marks else 0.0
        return tree + self.strips * (sizes.strip + sizes.gap) + marks


Side = TypeVar("Side", bound=NamedSide)


@dataclass(frozen=True, kw_only=True)
class HeatSheet:
    """Boxes of the parts: from the colours in `body` outwards marks, strips and tree.

    Sizes of names are 0 where there are none; rooms are beyond the colours, for names and titles.
    """

    body: Box
    rows: NamedSide
    columns: NamedSide
    sizes: HeatSizes
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

    @property
    def row_tree(self) -> Box:
        left = self.body.left - self.rows.room(self.sizes)
        return Box(left, self.body.top, left + self.sizes.tree, self.body.bottom)

    @property
    def column_tree(self) -> Box:
        top = self.body.top - self.columns.room(self.sizes)
        return Box(self.body.left, top, self.body.right, top + self.sizes.tree)

    @property
    def row_strips(self) -> tuple[Box, ...]:
        """Return the strips of the rows, the first beside the colours."""
        sizes = self.sizes
        marks = sizes.marks + sizes.gap if self.rows.marks else 0.0
        first = self.body.left - sizes.gap - marks
        rights = (first - number * (sizes.strip + sizes.gap) for number in range(self.rows.strips))
        return tuple(
            Box(right - sizes.strip, self.body.top, right, self.body.bottom) for right in rights
        )

    @property
    def column_strips(self) -> tuple[Box, ...]:
        """Return the strips of the columns, the first above the colours."""
        sizes = self.sizes
        first = self.body.top - sizes.gap
        bottoms = (
            first - number * (sizes.strip + sizes.gap) for number in range(self.columns.strips)
        )
        return tuple(
            Box(self.body.left, bottom - sizes.strip, self.body.right, bottom) for bottom in bottoms
        )

    @property
    def marks(self) -> Box:
        right = self.body.left - self.sizes.gap
        return Box(right - self.sizes.marks, self.body.top, right, self.body.bottom)


class HeatMedium(ABC, Generic[Side]):
    """A widget or a sheet of paper, on which a heat map is laid out.

    Parameters
    ----------
    sizes
        Sizes of the parts.
    unnamed
        Space below the colours for what replaces names.
    keeps_row_names
        Whether rows keep their names whatever space the names of columns take.
    """

    def __init__(
        self, sizes: HeatSizes, *, unnamed: float = 0.0, keeps_row_names: bool = False
    ) -> None:
        self.sizes, self.unnamed, self.keeps_row_names = sizes, unnamed, keeps_row_names

    @abstractmethod
    def name_size(self, line: float) -> float:
        """Return the size of names in rows or columns as large as this; 0 if they do not fit."""

    @abstractmethod
    def beyond(self, side: Side, size: float, whole: float) -> float:
        """Return the space for names of that size, if any, and for titles, of all there is."""

    def tallest(self, rows: Side, columns: Side, size: float, wide: tuple[float, float]) -> float:
        """Return the largest height, for names of rows of that size.

        `wide` is the width of the colours, and all that there was for them and the names.
        """
        del columns, size, wide
        return rows.n * self.sizes.highest

    def laid_out(self, rows: Side, columns: Side, *, room: Box) -> HeatSheet:
        """Lay out the largest heat map that fits; names appear where each of them has room."""
        left, top = room.left + rows.room(self.sizes), room.top + columns.room(self.sizes)
        width, height = room.right - left, room.bottom - top

        def across(size: float) -> tuple[float, float]:
            names = self.beyond(rows, size, width)
            return names, max(min(width - names, columns.n * self.sizes.widest), 1.0)

        row_size = self.name_size((height - self.unnamed) / rows.n)
        right, wide = across(row_size)
        column_size = self.name_size(wide / columns.n)
        below = self.beyond(columns, column_size, height)
        if not self.keeps_row_names:
            # The names of columns may have taken space that those of rows need.
            row_size = self.name_size((height - below) / rows.n)
            right, wide = (right, wide) if row_size else across(0.0)
        high = min(height - below, self.tallest(rows, columns, row_size, (wide, width)))
        return HeatSheet(
            body=Box(left, top, left + wide, top + max(high, 1.0)),
            rows=rows,
            columns=columns,
            sizes=self.sizes,
            row_size=row_size,
            column_size=column_size,
            row_room=right,
            column_room=below,
        )
