"""Paint strips, trees and marks of a heat map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPen

from ximstudio.model.arrays import Bools, Floats
from ximstudio.pictures.colours import channels
from ximstudio.pictures.raster.frame import packed
from ximstudio.ui.widgets.drawing.guard import saved
from ximstudio.ui.widgets.drawing.heat_layout import HeatLayout
from ximstudio.ui.widgets.drawing.heat_sides import ClassStrip
from ximstudio.ui.widgets.drawing.raster_item import image_of
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

LEAST_CELL = 4.0
"""Minimum size of the frame around a value, in pixels."""


def tree_path(lines: Floats) -> QPainterPath:
    """Return the lines of a tree as a path."""
    if not len(lines):
        return QPainterPath()
    x, y = lines.reshape(-1, 2).T
    connected = (np.arange(len(x)) % 2 == 0).astype(np.int32)
    path: QPainterPath = pg.arrayToQPath(x, y, connect=connected, finiteCheck=False)
    return path


def paint_strips(
    painter: QPainter, where: HeatLayout, rows: Sequence[ClassStrip], columns: Sequence[ClassStrip]
) -> None:
    """Paint the classes of rows and columns."""
    for strip, box in zip(rows, where.row_strips, strict=True):
        codes = strip.codes[where.rows.middles(len(strip.codes))]
        painter.drawImage(
            box, image_of(np.ascontiguousarray(packed(strip.colours)[codes][:, None]))
        )
    for strip, box in zip(columns, where.column_strips, strict=True):
        codes = strip.codes[where.columns.middles(len(strip.codes))]
        painter.drawImage(box, image_of(np.ascontiguousarray(packed(strip.colours)[codes][None])))


def paint_titles(
    painter: QPainter, where: HeatLayout, rows: Sequence[ClassStrip], columns: Sequence[ClassStrip]
) -> None:
    """Paint the titles of strips: vertical below row strips, right of column strips."""
    metrics = QFontMetrics(font(Text.CAPTION))
    cut = Qt.TextElideMode.ElideRight
    with saved(painter):
        painter.setFont(font(Text.CAPTION))
        painter.setPen(QColor(the_theme().colours.muted))
        middle, right = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight
        for strip, box in zip(columns, where.column_titles, strict=True):
            painter.drawText(box, middle, metrics.elidedText(strip.name, cut, box.width()))
        for strip, box in zip(rows, where.row_titles, strict=True):
            with saved(painter):
                painter.translate(box.left(), box.bottom())
                painter.rotate(-90.0)
                turned = QRectF(0.0, 0.0, box.height(), box.width())
                text = metrics.elidedText(strip.name, cut, box.height())
                painter.drawText(turned, middle | right, text)


def paint_trees(
    painter: QPainter, where: HeatLayout, rows: QPainterPath, columns: QPainterPath
) -> None:
    """Paint the trees left of the rows and above the columns."""
    pen = QPen(QColor(the_theme().colours.axis), 1.0)
    pen.setCosmetic(True)
    if where.row_tree is not None:
        box, span = where.row_tree, where.rows
        with saved(painter):
            painter.setClipRect(box)
            painter.setPen(pen)
            painter.translate(box.right(), box.top() - span.low * span.size)
            painter.scale(-(box.width() - 2.0), span.size)
            painter.drawPath(rows)
    if where.column_tree is not None:
        box, span = where.column_tree, where.columns
        with saved(painter):
            painter.setClipRect(box)
            painter.setPen(pen)
            painter.translate(box.left() - span.low * span.size, box.bottom())
            painter.rotate(90.0)
            painter.scale(-(box.height() - 2.0), -span.size)
            painter.drawPath(columns)


def paint_marked(painter: QPainter, where: HeatLayout, marked: Bools) -> None:
    """Paint a line beside marked rows; one marked row per pixel is enough."""
    if where.marks is None:
        return
    if where.rows.size >= 1.0:
        seen = marked[where.rows.middles(len(marked))]
    else:
        edges = where.rows.edges(len(marked))
        sums = np.append(0, np.cumsum(marked))
        seen = sums[edges[1:]] > sums[edges[:-1]]
    ink = packed(np.array([channels(the_theme().colours.accent)], dtype=np.uint8))[0]
    line = np.where(seen, ink, np.uint32(0)).astype(np.uint32)[:, None]
    painter.drawImage(where.marks, image_of(np.ascontiguousarray(line)))


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
