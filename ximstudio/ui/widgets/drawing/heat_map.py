"""Heat map with trees, class strips and names."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from ximstudio.model.arrays import Bools
from ximstudio.pictures.colours import channels
from ximstudio.pictures.raster.frame import Bytes, Pixels, packed
from ximstudio.pictures.raster.heat_raster import HeatTable, PixelSpan
from ximstudio.ui.widgets.drawing.guard import guarded, painting
from ximstudio.ui.widgets.drawing.heat_layout import (
    HIGHEST,
    NO_SIDE,
    ClassStrip,
    HeatLayout,
    HeatSide,
    laid_out,
    paint_band,
    paint_cell,
    paint_marked,
    paint_names,
    paint_strips,
    paint_titles,
    paint_trees,
    tree_path,
)
from ximstudio.ui.widgets.drawing.raster_item import image_of
from ximstudio.ui.widgets.look.theme import the_theme

CLOSER = 1.25
"""Zoom factor of one wheel step."""
LEAST_SEEN = 3.0
"""Minimum number of visible rows or columns."""
WALKING = (
    "Arrow keys move from value to value, Enter selects the row, plus and minus zoom, Escape "
    "leaves."
)
"""Accessible description."""
STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class HeatMap(QAbstractScrollArea):
    """Heat map: the wheel zooms, the middle or right button pans, dragging selects rows."""

    hovered = Signal(int, int)
    """Row and column under the mouse or the keyboard; −1 for none."""
    taken = Signal(int, int, Qt.KeyboardModifier)
    """The user selects the rows from the first up to, not including, the second."""
    zoomed_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._values = HeatTable.of(np.zeros((0, 0), dtype=np.uint16))
        self._table: Bytes = np.zeros((1, 3), dtype=np.uint8)
        self.rows, self.columns = NO_SIDE, NO_SIDE
        self._trees = QPainterPath(), QPainterPath()
        self._marked: Bools | None = None
        self._sight: tuple[float, float, float, float] | None = None
        self.cell = (-1, -1)
        """Row and column of the current value; −1 for none."""
        self._press: QPointF | None = None
        self._drag: tuple[float, float] | None = None
        self._pan: QPointF | None = None
        self._painted: tuple[tuple[object, ...], Pixels] | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        for policy in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleDescription(WALKING)
        self.viewport().setMouseTracking(True)
        the_theme().follow(self._repaint)

    # Display

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._values.shape

    @property
    def zoomed(self) -> bool:
        """True if only a part is visible."""
        return self._sight is not None

    def show_table(
        self, values: HeatTable, table: Bytes, *, rows: HeatSide, columns: HeatSide
    ) -> None:
        """Show a table; the zoom stays if the shape does."""
        if values.shape != self.shape:
            self.reset()
        self._values, self._table = values, table
        self.rows, self.columns = rows, columns
        self._trees = tree_path(rows.tree), tree_path(columns.tree)
        self._marked, self._drag, self._painted = None, None, None
        self._look_at(-1, -1)
        self._repaint()

    def show_strips(self, strips: tuple[ClassStrip, ...]) -> None:
        """Show the classes of rows in other colours."""
        self.rows = HeatSide(names=self.rows.names, strips=strips, tree=self.rows.tree)
        self.viewport().update()

    def mark_rows(self, marked: Bools | None) -> None:
        """Mark rows beside the colours; None for none."""
        self._marked = marked if marked is not None and bool(marked.any()) else None
        self.viewport().update()

    def reset(self) -> None:
        """Show everything."""
        self._see(None)

    def layout_now(self) -> HeatLayout:
        """Return the layout for the current size."""
        n_rows, n_columns = self.shape
        return laid_out(
            self.viewport().size(),
            self.rows,
            self.columns,
            sight=self._sight or (0.0, float(n_rows), 0.0, float(n_columns)),
            marks=self._marked is not None,
        )

    def cell_at(self, place: QPointF) -> tuple[int, int]:
        """Return row and column at a position of the viewport; −1 outside the colours."""
        where = self.layout_now()
        if not QRectF(where.body).contains(place):
            return -1, -1
        row = int(where.rows.at(place.y() - where.body.top()))
        column = int(where.columns.at(place.x() - where.body.left()))
        return min(row, self.shape[0] - 1), min(column, self.shape[1] - 1)

    def place_of(self, row: int, column: int) -> QPointF:
        """Return the centre of a value on the viewport."""
        where = self.layout_now()
        return QPointF(
            where.body.left() + where.columns.pixel_of(column + 0.5),
            where.body.top() + where.rows.pixel_of(row + 0.5),
        )

    def zoom(self, factor: float, place: QPointF | None = None) -> None:
        """Zoom around a position of the viewport, or its centre; out if below 1."""
        n_rows, n_columns = self.shape
        if not n_rows or not n_columns:
            return
        where = self.layout_now()
        at = QPointF(where.body.center()) if place is None else place
        seen = []
        for span, offset, total in (
            (where.rows, at.y() - where.body.top(), n_rows),
            (where.columns, at.x() - where.body.left(), n_columns),
        ):
            middle = min(max(span.at(offset), span.low), span.high)
            seen += _stretch(span, middle, factor, total)
        self._see((seen[0], seen[1], seen[2], seen[3]))

    def pan(self, right: float, down: float) -> None:
        """Pan by pixels."""
        if self._sight is None:
            return
        where = self.layout_now()
        top, bottom, left, edge = self._sight
        n_rows, n_columns = self.shape
        rows = min(max(-down / where.rows.size, -top), n_rows - bottom)
        columns = min(max(-right / where.columns.size, -left), n_columns - edge)
        self._see((top + rows, bottom + rows, left + columns, edge + columns))

    # Events

    @guarded
    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        with painting(self.viewport()) as painter:
            painter.fillRect(self.viewport().rect(), QColor(the_theme().colours.surface))
            if 0 in self.shape:
                return
            where = self.layout_now()
            self._paint_body(painter, where)
            paint_strips(painter, where, self.rows, self.columns)
            paint_titles(painter, where, self.rows, self.columns)
            paint_trees(painter, where, *self._trees)
            paint_names(painter, where, self.rows, self.columns, self.cell)
            self._paint_marks(painter, where)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802  (Qt's name)
        turned = event.angleDelta().y() / 120.0
        if turned:
            self._look_at(-1, -1)
            self.zoom(CLOSER**turned, event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        if event.button() == Qt.MouseButton.LeftButton:
            self._press = event.position() if self.cell_at(event.position())[0] >= 0 else None
        else:
            self._pan = event.position()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        place = event.position()
        if self._pan is not None:
            moved, self._pan = place - self._pan, place
            self._look_at(-1, -1)
            self.pan(moved.x(), moved.y())
        elif self._press is not None:
            self._drag = self._press.y(), place.y()
            self._look_at(-1, -1)
            self.viewport().update()
        else:
            self._look_at(*self.cell_at(place))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        if event.button() != Qt.MouseButton.LeftButton:
            self._pan = None
        elif self._press is not None:
            first, last = self._rows_between(self._press.y(), event.position().y())
            self._press = self._drag = None
            self.viewport().update()
            self.taken.emit(first, last, event.modifiers())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802  (Qt's name)
        super().leaveEvent(event)
        self._look_at(-1, -1)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802  (Qt's name)
        super().focusOutEvent(event)
        self._look_at(-1, -1)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self._look_at(-1, -1)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  (Qt's name)
        key, (row, column) = Qt.Key(event.key()), self.cell
        if key in STEPS and 0 not in self.shape:
            down, right = STEPS[key]
            self.walk_to(max(row, 0) + down * (row >= 0), max(column, 0) + right * (column >= 0))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            self.taken.emit(row, row + 1, event.modifiers())
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.zoom(1.0 / CLOSER if key is Qt.Key.Key_Minus else CLOSER)
        elif key is Qt.Key.Key_Escape and (row >= 0 or self._drag is not None):
            self._press = self._drag = None
            self._look_at(-1, -1)
            self.viewport().update()
        else:
            super().keyPressEvent(event)

    def walk_to(self, row: int, column: int) -> None:
        """Make a value the current one and scroll to it."""
        n_rows, n_columns = self.shape
        row, column = min(max(row, 0), n_rows - 1), min(max(column, 0), n_columns - 1)
        if self._sight is not None:
            top, bottom, left, right = self._sight
            down = min(row - top, 0.0) + max(row + 1 - bottom, 0.0)
            aside = min(column - left, 0.0) + max(column + 1 - right, 0.0)
            if down or aside:
                self._see((top + down, bottom + down, left + aside, right + aside))
        self._look_at(row, column)

    # Inside

    def _rows_between(self, one: float, other: float) -> tuple[int, int]:
        """Return the rows that a vertical range of the viewport touches."""
        where = self.layout_now()
        places = sorted(where.rows.at(y - where.body.top()) for y in (one, other))
        first, last = (min(max(int(np.floor(place)), 0), self.shape[0] - 1) for place in places)
        return first, last + 1

    def _see(self, sight: tuple[float, float, float, float] | None) -> None:
        n_rows, n_columns = self.shape
        if sight == (0.0, float(n_rows), 0.0, float(n_columns)):
            sight = None
        if sight != self._sight:
            self._sight = sight
            self.viewport().update()
            self.zoomed_changed.emit()

    def _look_at(self, row: int, column: int) -> None:
        if (row, column) != self.cell:
            self.cell = (row, column)
            self.viewport().update()
            self.hovered.emit(row, column)

    def _repaint(self) -> None:
        self._painted = None
        self.viewport().update()

    def _paint_body(self, painter: QPainter, where: HeatLayout) -> None:
        ratio = self.devicePixelRatioF()
        rows, columns = (
            PixelSpan(span.low, span.high, max(round(span.pixels * ratio), 1))
            for span in (where.rows, where.columns)
        )
        key = (rows, columns)
        if self._painted is None or self._painted[0] != key:
            blank = np.array([channels(the_theme().colours.empty)], dtype=np.uint8)
            table = packed(np.concatenate([blank, self._table]))
            self._painted = key, self._values.pixels(table, rows, columns)
        painter.drawImage(QRectF(where.body), image_of(self._painted[1]))

    def _paint_marks(self, painter: QPainter, where: HeatLayout) -> None:
        if self._marked is not None:
            paint_marked(painter, where, self._marked)
        if self._drag is not None:
            paint_band(painter, where, *self._rows_between(*self._drag))
        row, column = self.cell
        if row >= 0:
            paint_cell(painter, where, self.place_of(row, column))


def _stretch(span: PixelSpan, middle: float, factor: float, total: int) -> list[float]:
    """Return the visible range after zooming around a position, within the table."""
    # Rows and columns have a maximum size; fewer would leave empty space.
    least = min(max(LEAST_SEEN, span.pixels / HIGHEST), total)
    length = min(max((span.high - span.low) / factor, least), float(total))
    share = (middle - span.low) / max(span.high - span.low, 1e-9)
    low = min(max(middle - share * length, 0.0), total - length)
    return [low, low + length]
