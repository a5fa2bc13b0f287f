"""Names of the rows and columns of a heat map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from ximstudio.pictures.raster.heat_raster import PixelSpan
from ximstudio.ui.widgets.drawing.guard import saved
from ximstudio.ui.widgets.drawing.heat_layout import HeatLayout
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

LINE = 14.0
"""Height of a line of text."""


def paint_names(
    painter: QPainter,
    where: HeatLayout,
    rows: Sequence[str],
    columns: Sequence[str],
    cell: tuple[int, int],
) -> None:
    """Paint the names that fit; those of the current value stand out."""
    face = font(Text.CAPTION)
    painter.setFont(face)
    metrics = QFontMetricsF(face)
    row, column = cell
    if where.row_names is not None:
        box = where.row_names
        for number, middle in _middles(where.rows, len(rows)):
            line = QRectF(box.left() + spacing.HAIR, box.top() + middle - LINE / 2.0, 0.0, LINE)
            line.setWidth(box.width() - spacing.HAIR)
            _write(painter, line, rows[number], metrics, marked=number == row)
    if where.column_names is not None:
        box = where.column_names
        for number, middle in _middles(where.columns, len(columns)):
            with saved(painter):
                painter.translate(box.left() + middle, box.top() + spacing.HAIR)
                painter.rotate(90.0)
                line = QRectF(0.0, -LINE / 2.0, box.height() - spacing.HAIR, LINE)
                _write(painter, line, columns[number], metrics, marked=number == column)


def _middles(span: PixelSpan, total: int) -> list[tuple[int, float]]:
    """Return the visible rows or columns, and the positions of their centres."""
    first, last = max(int(np.floor(span.low)), 0), min(int(np.ceil(span.high)), total)
    middles = ((number, span.pixel_of(number + 0.5)) for number in range(first, last))
    return [(number, middle) for number, middle in middles if 0.0 <= middle <= span.pixels]


def _write(
    painter: QPainter, line: QRectF, text: str, metrics: QFontMetricsF, *, marked: bool
) -> None:
    colours = the_theme().colours
    painter.setPen(QColor(colours.text if marked else colours.muted))
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
    painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
