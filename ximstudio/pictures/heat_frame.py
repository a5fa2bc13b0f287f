"""Places of the parts around the colours of a heat map: trees, strips of classes and marks."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.maps.box import Box


@dataclass(frozen=True, kw_only=True)
class HeatSizes:
    """Sizes of the parts, and the gap between them, in pixels or millimetres."""

    tree: float
    strip: float
    marks: float
    gap: float


@dataclass(frozen=True, kw_only=True)
class Beside:
    """The parts left of the rows, or above the columns."""

    strips: int = 0
    tree: bool = False
    marks: bool = False

    def room(self, sizes: HeatSizes) -> float:
        """Return the space that they take."""
        tree = sizes.tree + sizes.gap if self.tree else 0.0
        marks = sizes.marks + sizes.gap if self.marks else 0.0
        return tree + self.strips * (sizes.strip + sizes.gap) + marks


@dataclass(frozen=True, kw_only=True)
class HeatFrame:
    """Boxes around the colours in `body`: from there outwards marks, strips, tree."""

    body: Box
    rows: Beside
    columns: Beside
    sizes: HeatSizes

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
