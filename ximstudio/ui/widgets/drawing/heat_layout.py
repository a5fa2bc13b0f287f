"""Where the parts of a heat map are: trees, strips, colours and names."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize

from ximstudio.pictures.raster.heat_raster import Span
from ximstudio.ui.drawing.heat_sides import Side
from ximstudio.ui.look import spacing

TREE = 56
STRIP = 10
GAP = 3
"""Between a strip, or marks, and what is beside it."""
MARKS = 4
LEAST_LINE = 12.0
"""Pixels that a row or column needs to be named."""
HIGHEST = 44.0
"""A row or column of few is no larger than this, in pixels."""
MOST_NAME = 130
"""Room for names, in pixels."""
MOST_TITLE = 90
"""Room for the titles of strips beyond their ends, in pixels."""


@dataclass(frozen=True, kw_only=True)
class HeatLayout:
    """Rectangles on the widget; None for what is not there."""

    body: QRect
    rows: Span
    columns: Span
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
    row_side: Side,
    column_side: Side,
    marks: bool,
) -> HeatLayout:
    """Where everything goes; names only where every row, or column, has room for its own."""
    margin = spacing.MEDIUM
    n_rows, n_columns = max(rows[1] - rows[0], 1e-9), max(columns[1] - columns[0], 1e-9)
    left = margin + _beside(row_side) + (MARKS + GAP if marks else 0)
    top = margin + _beside(column_side)
    width, height = size.width() - left - margin, size.height() - top - margin
    row_names = _names_room(row_side, min(height, n_rows * HIGHEST) / n_rows, width // 3)
    right = max(row_names, _titles_room(column_side, width // 3))
    column_names = _names_room(
        column_side, min(width - right, n_columns * HIGHEST) / n_columns, height // 3
    )
    below = max(column_names, _titles_room(row_side, height // 3))
    width = max(min(width - right, round(n_columns * HIGHEST)), 1)
    height = max(min(height - below, round(n_rows * HIGHEST)), 1)
    body = QRect(left, top, width, height)
    strips_left = left - (MARKS + GAP if marks else 0)
    row_strips = tuple(
        QRect(strips_left - (STRIP + GAP) * (place + 1), top, STRIP, height)
        for place in range(len(row_side.strips))
    )
    column_strips = tuple(
        QRect(left, top - (STRIP + GAP) * (place + 1), width, STRIP)
        for place in range(len(column_side.strips))
    )
    return HeatLayout(
        body=body,
        rows=Span(*rows, height),
        columns=Span(*columns, width),
        row_tree=QRect(margin, top, TREE, height) if len(row_side.tree) else None,
        column_tree=QRect(left, margin, width, TREE) if len(column_side.tree) else None,
        row_strips=row_strips,
        column_strips=column_strips,
        marks=QRect(left - MARKS - GAP, top, MARKS, height) if marks else None,
        row_names=QRect(left + width, top, right, height) if row_names else None,
        column_names=QRect(left, top + height, width, below) if column_names else None,
        row_titles=tuple(
            QRect(strip.left() - 1, top + height + GAP, STRIP + 2, below - GAP)
            for strip in row_strips
        ),
        column_titles=tuple(
            QRect(left + width + GAP, strip.top() - 2, right - GAP, STRIP + 4)
            for strip in column_strips
        ),
    )


def _beside(side: Side) -> int:
    """Room for the tree and the strips of a side."""
    return len(side.strips) * (STRIP + GAP) + (TREE + GAP if len(side.tree) else 0)


def _titles_room(side: Side, most: int) -> int:
    """Room for the titles of a side's strips, beyond their ends."""
    return min(side.titles_width + GAP + spacing.HAIR, MOST_TITLE, most) if side.strips else 0


def _names_room(side: Side, line: float, most: int) -> int:
    """Room for the names of a side; 0 where lines are too narrow for them."""
    if line < LEAST_LINE or not side.names:
        return 0
    return max(min(side.names_width + 2 * spacing.HAIR, MOST_NAME, most), 0)
