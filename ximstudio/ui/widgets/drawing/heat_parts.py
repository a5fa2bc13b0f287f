"""Paint strips, trees, names and marks of a heat map."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QTransform

from ximstudio.model.arrays import Bools, Floats
from ximstudio.pictures.colours import channels
from ximstudio.pictures.raster.frame import Pixels, packed
from ximstudio.pictures.raster.heat_raster import PixelSpan
from ximstudio.ui.widgets.drawing.guard import RIGHT, saved, write
from ximstudio.ui.widgets.drawing.heat_layout import ClassStrip, HeatLayout, HeatSide, rect
from ximstudio.ui.widgets.drawing.raster_item import image_of
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

LEAST_CELL = 4.0
"""Minimum size of the frame around a value, in pixels."""
LINE = 14.0
"""Height of a line of text."""


def tree_path(lines: Floats) -> QPainterPath:
    """Return the lines of a tree as a path."""
    if not len(lines):
        return QPainterPath()
    x, y = lines.reshape(-1, 2).T
    connected = (np.arange(len(x)) % 2 == 0).astype(np.int32)
    path: QPainterPath = pg.arrayToQPath(x, y, connect=connected, finiteCheck=False)
    return path


def paint_strips(painter: QPainter, where: HeatLayout, rows: HeatSide, columns: HeatSide) -> None:
    """Paint the classes of rows and columns."""
    for strip, box in zip(rows.strips, where.sheet.row_strips, strict=True):
        painter.drawImage(rect(box), image_of(_strip(strip, where.rows)[:, None]))
    for strip, box in zip(columns.strips, where.sheet.column_strips, strict=True):
        painter.drawImage(rect(box), image_of(_strip(strip, where.columns)[None]))


def _strip(strip: ClassStrip, span: PixelSpan) -> Pixels:
    """Return the colour of a strip in every pixel."""
    return packed(strip.colours)[strip.codes[span.middles(len(strip.codes))]]


def paint_titles(painter: QPainter, where: HeatLayout, rows: HeatSide, columns: HeatSide) -> None:
    """Paint the titles of strips: vertical below row strips, right of column strips."""
    face, colour = font(Text.CAPTION), the_theme().colours.muted
    for strip, box in zip(columns.strips, where.column_titles, strict=True):
        write(painter, QRectF(box), strip.name, face, colour)
    for strip, box in zip(rows.strips, where.row_titles, strict=True):
        with saved(painter):
            painter.translate(box.left(), box.bottom())
            painter.rotate(-90.0)
            turned = QRectF(0.0, 0.0, box.height(), box.width())
            write(painter, turned, strip.name, face, colour, RIGHT)


def paint_trees(
    painter: QPainter, where: HeatLayout, rows: QPainterPath, columns: QPainterPath
) -> None:
    """Paint the trees left of the rows and above the columns."""
    pen = QPen(QColor(the_theme().colours.axis), 1.0)
    pen.setCosmetic(True)
    beside, step = rect(where.sheet.row_tree), where.rows.size
    down = beside.top() - where.rows.low * step
    turn = QTransform(2.0 - beside.width(), 0.0, 0.0, step, beside.right(), down)
    above, step = rect(where.sheet.column_tree), where.columns.size
    across = above.left() - where.columns.low * step
    upright = QTransform(0.0, 2.0 - above.height(), step, 0.0, across, above.bottom())
    for path, box, way in ((rows, beside, turn), (columns, above, upright)):
        if not path.isEmpty():
            with saved(painter):
                painter.setClipRect(box)
                painter.setPen(pen)
                painter.setTransform(way, combine=True)
                painter.drawPath(path)


def paint_names(
    painter: QPainter, where: HeatLayout, rows: HeatSide, columns: HeatSide, cell: tuple[int, int]
) -> None:
    """Paint the names that fit; those of the current value stand out."""
    sheet, body, (row, column) = where.sheet, where.sheet.body, cell
    face, colours = font(Text.CAPTION), the_theme().colours
    for number, middle in _middles(where.rows, len(rows.names)) if sheet.row_size else ():
        left, top = body.right + spacing.HAIR, body.top + middle - LINE / 2.0
        line = QRectF(left, top, sheet.row_room - spacing.HAIR, LINE)
        colour = colours.text if number == row else colours.muted
        write(painter, line, rows.names[number], face, colour)
    for number, middle in _middles(where.columns, len(columns.names)) if sheet.column_size else ():
        with saved(painter):
            painter.translate(body.left + middle, body.bottom + spacing.HAIR)
            painter.rotate(90.0)
            line = QRectF(0.0, -LINE / 2.0, sheet.column_room - spacing.HAIR, LINE)
            colour = colours.text if number == column else colours.muted
            write(painter, line, columns.names[number], face, colour)


def _middles(span: PixelSpan, total: int) -> list[tuple[int, float]]:
    """Return the visible rows or columns, and the positions of their centres."""
    first, last = max(int(np.floor(span.low)), 0), min(int(np.ceil(span.high)), total)
    middles = ((number, span.pixel_of(number + 0.5)) for number in range(first, last))
    return [(number, middle) for number, middle in middles if 0.0 <= middle <= span.pixels]


def paint_marked(painter: QPainter, where: HeatLayout, marked: Bools) -> None:
    """Paint a line beside marked rows; one marked row per pixel is enough."""
    if where.rows.size >= 1.0:
        seen = marked[where.rows.middles(len(marked))]
    else:
        edges = where.rows.edges(len(marked))
        sums = np.append(0, np.cumsum(marked))
        seen = sums[edges[1:]] > sums[edges[:-1]]
    ink = packed(np.array([channels(the_theme().colours.accent)], dtype=np.uint8))[0]
    line = np.where(seen, ink, np.uint32(0)).astype(np.uint32)[:, None]
    painter.drawImage(rect(where.sheet.marks), image_of(np.ascontiguousarray(line)))


def paint_band(painter: QPainter, where: HeatLayout, first: int, last: int) -> None:
    """Paint the rows that the user is about to select."""
    top, bottom = (where.rows.pixel_of(place) for place in (first, last))
    body = QRectF(where.body)
    accent = QColor(the_theme().colours.accent)
    painter.setPen(QPen(accent, 1.5))
    accent.setAlpha(50)
    painter.setBrush(accent)
    painter.drawRect(QRectF(body.left(), body.top() + top, body.width(), bottom - top) & body)


def paint_cell(painter: QPainter, where: HeatLayout, middle: QPointF) -> None:
    """Paint a frame around the current value."""
    colours = the_theme().colours
    width, height = max(where.columns.size, LEAST_CELL), max(where.rows.size, LEAST_CELL)
    cell = QRectF(middle.x() - width / 2.0, middle.y() - height / 2.0, width, height)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, line in ((colours.surface, 3.6), (colours.text, 1.6)):
        painter.setPen(QPen(QColor(colour), line))
        painter.drawRect(cell)
