"""Layout of a heat map on the screen: its sides, and painting of all parts beside the colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPen, QTransform

from ximstudio.maps.box import Box
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.pictures.colours import channels
from ximstudio.pictures.heat_frame import HeatMedium, HeatSheet, HeatSizes, NamedSide
from ximstudio.pictures.raster.frame import Bytes, Pixels, packed
from ximstudio.pictures.raster.heat_raster import PixelSpan
from ximstudio.ui.widgets.drawing.guard import RIGHT, saved, write
from ximstudio.ui.widgets.drawing.raster_item import image_of
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

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
