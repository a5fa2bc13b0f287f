"""Layout of a heat map on the screen, and what is drawn beside its rows or columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFontMetrics

from ximstudio.maps.box import Box
from ximstudio.model.arrays import Floats, Ints
from ximstudio.pictures.heat_frame import HeatMedium, HeatSheet, HeatSizes, NamedSide
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.pictures.raster.heat_raster import PixelSpan
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font

GAP = 3
"""Between parts, in pixels."""
HIGHEST = 44.0
"""Maximum size of a row or column, in pixels."""
SIZES = HeatSizes(tree=56, strip=10, marks=4, gap=GAP, highest=HIGHEST, widest=HIGHEST)
LEAST_LINE = 12.0
"""Minimum size of a row or column with a name, in pixels."""
MOST_NAME = 130
"""Room for names, in pixels."""
MOST_TITLE = 90
"""Room for the titles of strips beyond their ends, in pixels."""
MEASURED = 400
"""Maximum number of names that are measured."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassStrip:
    """Classes of rows or columns: class numbers, and the colours of classes."""

    name: str
    codes: Ints
    colours: Bytes


@dataclass(frozen=True, kw_only=True, eq=False)
class HeatSide:
    """Rows or columns: names, class strips, and a tree.

    The lines of the tree, shape (S, 2, 2), lead from a height of 0 at the leaves to 1 at the root
    (first coordinate), at places among the rows or columns, whose middles are 0.5, 1.5, … (second).
    """

    names: Sequence[str] = ()
    strips: tuple[ClassStrip, ...] = ()
    tree: Floats = field(default_factory=lambda: np.empty((0, 2, 2)))

    @cached_property
    def names_width(self) -> int:
        """Width of the widest name in pixels, measured once: hovering asks for it all the time."""
        # Of all, not of the visible ones, so that panning does not change the layout.
        return _widest(self.names[:MEASURED]) + 2 * spacing.HAIR if self.names else 0

    @cached_property
    def titles_width(self) -> int:
        """Width of the widest title of a strip in pixels; 0 without strips."""
        titles = [strip.name for strip in self.strips]
        return min(_widest(titles) + GAP + spacing.HAIR, MOST_TITLE) if titles else 0

    def seen(self, n: float, other: HeatSide, *, marks: bool = False) -> _Seen:
        """Return the visible part, beside whose names the titles of the `other` side end."""
        return _Seen(
            n=max(n, 1e-9),
            names=self.names,
            strips=len(self.strips),
            tree=bool(len(self.tree)),
            marks=marks,
            titles=other.titles_width,
            names_width=min(self.names_width, MOST_NAME),
        )


NO_SIDE = HeatSide()


def _widest(texts: Sequence[str]) -> int:
    metrics = QFontMetrics(font(Text.CAPTION))
    return max(map(metrics.horizontalAdvance, texts), default=0)


@dataclass(frozen=True, kw_only=True)
class _Seen(NamedSide):
    """The visible rows or columns."""

    names_width: int


class _HeatWidget(HeatMedium[_Seen]):
    """A widget: names have one size, and take a third of the room at most."""

    def name_size(self, line: float) -> float:
        return float(Text.CAPTION) if line >= LEAST_LINE else 0.0

    def beyond(self, side: _Seen, size: float, whole: float) -> float:
        return max(min(max(side.names_width if size else 0, side.titles), whole // 3), 0)


@dataclass(frozen=True, kw_only=True)
class HeatLayout:
    """Boxes of the parts, whole numbers of pixels, and the visible rows and columns."""

    sheet: HeatSheet
    rows: PixelSpan
    columns: PixelSpan

    @property
    def body(self) -> QRect:
        """The rectangle of the colours."""
        return rect(self.sheet.body)

    @property
    def row_titles(self) -> tuple[QRect, ...]:
        """Rectangles below the strips of rows, for their titles."""
        top, bottom = self.sheet.body.bottom + GAP, self.sheet.bottom
        strips = self.sheet.row_strips
        return tuple(rect(Box(each.left - 1, top, each.right + 1, bottom)) for each in strips)

    @property
    def column_titles(self) -> tuple[QRect, ...]:
        """Rectangles at the right of the strips of columns, for their titles."""
        left, right = self.sheet.body.right + GAP, self.sheet.right
        strips = self.sheet.column_strips
        return tuple(rect(Box(left, each.top - 2, right, each.bottom + 2)) for each in strips)


def rect(box: Box) -> QRect:
    """Return a box of whole pixels."""
    left, top, right, bottom = box
    return QRect(round(left), round(top), round(right - left), round(bottom - top))


def laid_out(
    size: QSize,
    rows: HeatSide,
    columns: HeatSide,
    *,
    sight: tuple[float, float, float, float],
    marks: bool,
) -> HeatLayout:
    """Lay out the rows and columns in sight: from top to bottom, and from left to right."""
    margin, (top, bottom, left, right) = spacing.MEDIUM, sight
    sheet = _HeatWidget(SIZES, keeps_row_names=True).laid_out(
        rows.seen(bottom - top, columns, marks=marks),
        columns.seen(right - left, rows),
        room=Box(margin, margin, size.width() - margin, size.height() - margin),
    )
    body = rect(sheet.body)
    return HeatLayout(
        sheet=replace(sheet, body=Box(*map(round, sheet.body))),
        rows=PixelSpan(top, bottom, body.height()),
        columns=PixelSpan(left, right, body.width()),
    )
