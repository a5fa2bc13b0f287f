"""Layout of a heat map: trees, strips, colours and names."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize

from ximstudio.maps.box import Box
from ximstudio.pictures.heat_frame import Beside, HeatFrame, HeatSizes
from ximstudio.pictures.raster.heat_raster import PixelSpan
from ximstudio.ui.widgets.drawing.heat_sides import HeatSide
from ximstudio.ui.widgets.look import spacing

GAP = 3
"""Between parts, in pixels."""
SIZES = HeatSizes(tree=56, strip=10, marks=4, gap=GAP)
LEAST_LINE = 12.0
"""Minimum size of a row or column with a name, in pixels."""
HIGHEST = 44.0
"""Maximum size of a row or column, in pixels."""
MOST_NAME = 130
"""Room for names, in pixels."""
MOST_TITLE = 90
"""Room for the titles of strips beyond their ends, in pixels."""


@dataclass(frozen=True, kw_only=True)
class HeatLayout:
    """Rectangles of the parts; None for absent ones."""

    body: QRect
    rows: PixelSpan
    columns: PixelSpan
    row_tree: QRect | None
    column_tree: QRect | None
    row_strips: tuple[QRect, ...]
    column_strips: tuple[QRect, ...]
    marks: QRect | None
    row_names: QRect | None
    column_names: QRect | None
    row_titles: tuple[QRect, ...] = ()
    column_titles: tuple[QRect, ...] = ()


def laid_out(
    size: QSize,
    *,
    rows: tuple[float, float],
    columns: tuple[float, float],
    row_side: HeatSide,
    column_side: HeatSide,
    marks: bool,
) -> HeatLayout:
    """Return the layout; names are included only if every row or column has room."""
    margin = spacing.MEDIUM
    n_rows, n_columns = max(rows[1] - rows[0], 1e-9), max(columns[1] - columns[0], 1e-9)
    beside = _beside(row_side, marks=marks), _beside(column_side)
    left, top = (margin + round(side.room(SIZES)) for side in beside)
    width, height = size.width() - left - margin, size.height() - top - margin
    row_names = _names_room(row_side, min(height, n_rows * HIGHEST) / n_rows, width // 3)
    right = max(row_names, _titles_room(column_side, width // 3))
    column_names = _names_room(
        column_side, min(width - right, n_columns * HIGHEST) / n_columns, height // 3
    )
    below = max(column_names, _titles_room(row_side, height // 3))
    width = max(min(width - right, round(n_columns * HIGHEST)), 1)
    height = max(min(height - below, round(n_rows * HIGHEST)), 1)
    frame = HeatFrame(
        body=Box(left, top, left + width, top + height),
        rows=beside[0],
        columns=beside[1],
        sizes=SIZES,
    )
    row_strips = tuple(map(_rect, frame.row_strips))
    column_strips = tuple(map(_rect, frame.column_strips))
    return HeatLayout(
        body=_rect(frame.body),
        rows=PixelSpan(*rows, height),
        columns=PixelSpan(*columns, width),
        row_tree=_rect(frame.row_tree) if beside[0].tree else None,
        column_tree=_rect(frame.column_tree) if beside[1].tree else None,
        row_strips=row_strips,
        column_strips=column_strips,
        marks=_rect(frame.marks) if marks else None,
        row_names=QRect(left + width, top, right, height) if row_names else None,
        column_names=QRect(left, top + height, width, below) if column_names else None,
        row_titles=tuple(
            QRect(strip.left() - 1, top + height + GAP, strip.width() + 2, below - GAP)
            for strip in row_strips
        ),
        column_titles=tuple(
            QRect(left + width + GAP, strip.top() - 2, right - GAP, strip.height() + 4)
            for strip in column_strips
        ),
    )


def _beside(side: HeatSide, *, marks: bool = False) -> Beside:
    return Beside(strips=len(side.strips), tree=bool(len(side.tree)), marks=marks)


def _rect(box: Box) -> QRect:
    """Return a box of whole pixels."""
    left, top = round(box.left), round(box.top)
    return QRect(left, top, round(box.right) - left, round(box.bottom) - top)


def _titles_room(side: HeatSide, most: int) -> int:
    """Return the room for the titles of a side's strips."""
    return min(side.titles_width + GAP + spacing.HAIR, MOST_TITLE, most) if side.strips else 0


def _names_room(side: HeatSide, line: float, most: int) -> int:
    """Return the room for the names of a side; 0 if rows or columns are too narrow."""
    if line < LEAST_LINE or not side.names:
        return 0
    return max(min(side.names_width + 2 * spacing.HAIR, MOST_NAME, most), 0)
