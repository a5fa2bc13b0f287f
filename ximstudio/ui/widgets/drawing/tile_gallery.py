"""Gallery of small pictures that are drawn when they become visible."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip

from ximstudio.pictures.raster.frame import Pixels
from ximstudio.ui.widgets.drawing.guard import CENTRE, guarded, painting, write
from ximstudio.ui.widgets.image import pixmap_of
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

NARROWEST, WIDEST = 112, 260
"""Widths of a picture in pixels of the window."""
NAME, CAPTION = 18, 15
"""Heights of the lines below a picture."""
AT_ONCE = 200_000
"""Maximum number of points per paint event; other pictures follow in the next."""
PICTURE = 15_000
"""Fixed cost of a picture, in points."""
MOST_KEPT = 600
"""Number of invisible pictures kept in the cache."""
WALKING = "Arrow keys move from picture to picture, Enter enlarges one."
"""Accessible description."""

Draw = Callable[[int, int, int, float], Pixels]
"""From the number of a tile, the width and height of its picture, both in pixels of the device, and
how many of those make one of the window's, to its pixels."""


@dataclass(frozen=True)
class Tile:
    """Texts below a picture: a name, and optionally a muted second line."""

    name: str
    caption: str = ""


class TileGallery(QAbstractScrollArea):
    """Gallery whose tiles are as large as fits, or small and scrollable."""

    opened = Signal(int)
    """The user wants to enlarge a tile."""

    def __init__(self) -> None:
        super().__init__()
        self.tiles: tuple[Tile, ...] = ()
        self._draw: Draw | None = None
        self._aspect = 1.0
        self._cost = 0
        self._overlay: Callable[[QPainter, QRectF], None] | None = None
        self._above: QPixmap | None = None
        self._pictures: dict[int, QPixmap] = {}
        self._old: dict[int, QPixmap] = {}
        """Pictures to be seen until there are new ones: nothing flickers while a map is trained."""
        self.current = -1
        """The focused tile; −1 for none."""
        self._hovered = -1
        self._complete = True
        self._columns, self._width = 1, NARROWEST
        self._more = QTimer(self)
        self._more.setInterval(0)
        self._more.setSingleShot(True)
        self._more.timeout.connect(self.viewport().update)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Otherwise widths and the scroll bar would depend on each other.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleDescription(WALKING)
        self.viewport().setMouseTracking(True)
        the_theme().follow(self.repaint_all)

    @property
    def is_drawn(self) -> bool:
        """True if all visible pictures are drawn."""
        return self._complete

    def show_tiles(
        self,
        tiles: Sequence[Tile],
        draw: Draw,
        *,
        aspect: float,
        cost: int = 0,
        overlay: Callable[[QPainter, QRectF], None] | None = None,
    ) -> None:
        """Show other tiles, or the same in other colours; names that stay keep the sight.

        `cost` is how many points a picture has, and `overlay` what is painted above every one.
        """
        names = [tile.name for tile in tiles]
        if names != [tile.name for tile in self.tiles]:
            self.current = self._hovered = -1
            self._pictures, self._old = {}, {}
            self.verticalScrollBar().setValue(0)
        self.tiles, self._draw = tuple(tiles), draw
        self._aspect, self._cost, self._overlay = aspect, cost, overlay
        self._arrange()
        self.repaint_all()

    def repaint_all(self) -> None:
        """Draw all pictures again."""
        self._old = self._old | self._pictures
        self._pictures, self._above = {}, None
        self._complete = not self.tiles
        self.viewport().update()

    def repaint_overlay(self) -> None:
        """Draw the overlay again."""
        self._above = None
        self.viewport().update()

    def picture_box(self, number: int) -> QRect:
        """Return the rectangle of a tile's picture on the viewport."""
        row, column = divmod(number, self._columns)
        step = self._width + spacing.MEDIUM
        left = spacing.MEDIUM + column * step
        top = spacing.SMALL + row * self._row_height - self.verticalScrollBar().value()
        return QRect(left, top, self._width, self._picture_height)

    def tile_at(self, place: QPoint) -> int:
        """Return the tile at a position of the viewport; −1 for none."""
        step = self._width + spacing.MEDIUM
        column, beside = divmod(place.x() - spacing.MEDIUM, step)
        down = place.y() - spacing.SMALL + self.verticalScrollBar().value()
        row = down // self._row_height
        if beside >= self._width or not 0 <= column < self._columns or row < 0:
            return -1
        number = row * self._columns + column
        return number if number < len(self.tiles) else -1

    def go_to(self, number: int) -> None:
        """Focus a tile and scroll to it."""
        if not 0 <= number < len(self.tiles):
            return
        self.current = number
        box, bar = self.picture_box(number), self.verticalScrollBar()
        below = box.top() + self._row_height - self.viewport().height()
        if box.top() < 0:
            bar.setValue(bar.value() + box.top() - spacing.SMALL)
        elif below > 0:
            bar.setValue(bar.value() + below)
        tile = self.tiles[number]
        self.setAccessibleDescription(f"{tile.name} {tile.caption}".strip() + f". {WALKING}")
        self.viewport().update()

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        before = self._width, self._picture_height
        self._arrange()
        if before != (self._width, self._picture_height):
            self._pictures, self._old = {}, {}
            self.repaint_all()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        left = AT_ONCE
        missing = False
        with painting(self.viewport()) as painter:
            painter.fillRect(event.rect(), QColor(the_theme().colours.surface))
            for number in self._in_sight:
                if number not in self._pictures:
                    if left > 0:
                        left -= self._cost + PICTURE
                        self._make(number)
                    else:
                        missing = True
                self._paint(painter, number)
        self._complete = not missing
        if missing:
            self._more.start()
        else:
            self._old = {}

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        self._hover(self.tile_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802  (Qt's name)
        super().leaveEvent(event)
        self._hover(-1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        number = self.tile_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and number >= 0:
            self.current = number
            self.opened.emit(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  (Qt's name)
        key, last = event.key(), len(self.tiles) - 1
        page = self._columns * max(self.viewport().height() // self._row_height, 1)
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self._columns,
            Qt.Key.Key_Down: self._columns,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Home: -len(self.tiles),
            Qt.Key.Key_End: len(self.tiles),
        }
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.current >= 0:
            self.opened.emit(self.current)
        elif key in steps and last >= 0:
            # The first key press only shows the focus.
            wanted = 0 if self.current < 0 else self.current + steps[Qt.Key(key)]
            self.go_to(min(max(wanted, 0), last))
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Show the full text of a shortened name."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self.tile_at(event.pos())
            QToolTip.showText(event.globalPos(), "" if number < 0 else self.tiles[number].name)
            return True
        return super().viewportEvent(event)

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:  # noqa: N802  (Qt's name)
        self._hovered = -1
        self.viewport().update()

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(NARROWEST * 3, NARROWEST * 2)

    def minimumSizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(NARROWEST + 2 * spacing.MEDIUM, NARROWEST)

    # Inside

    @property
    def _picture_height(self) -> int:
        return round(self._width * self._aspect)

    @property
    def _row_height(self) -> int:
        captions = CAPTION if any(tile.caption for tile in self.tiles[:1]) else 0
        return self._picture_height + NAME + captions + spacing.MEDIUM

    @property
    def _in_sight(self) -> range:
        """Return the tiles of the visible rows and of one more."""
        first = (self.verticalScrollBar().value() - spacing.SMALL) // self._row_height
        last = first + math.ceil(self.viewport().height() / self._row_height) + 1
        ends = (row * self._columns for row in (max(first, 0), last + 1))
        return range(*(min(end, len(self.tiles)) for end in ends))

    def _arrange(self) -> None:
        """Choose the largest pictures that all fit, or the smallest."""
        room, height = self.viewport().width() - spacing.MEDIUM, self.viewport().height()
        most = max(1, room // (NARROWEST + spacing.MEDIUM))
        for columns in range(1, most + 1):
            self._columns = columns
            self._width = min(room // columns - spacing.MEDIUM, WIDEST)
            rows = math.ceil(len(self.tiles) / columns)
            if rows * self._row_height + spacing.SMALL <= height:
                break
        self._width = max(self._width, 1)
        rows = math.ceil(len(self.tiles) / self._columns)
        bar = self.verticalScrollBar()
        bar.setRange(0, max(rows * self._row_height + spacing.SMALL - height, 0))
        bar.setPageStep(max(height, 1))
        bar.setSingleStep(max(self._row_height // 3, 1))

    def _make(self, number: int) -> None:
        assert self._draw is not None
        ratio = self.devicePixelRatioF()
        width, height = round(self._width * ratio), round(self._picture_height * ratio)
        picture = pixmap_of(self._draw(number, max(width, 1), max(height, 1), ratio))
        picture.setDevicePixelRatio(ratio)
        if len(self._pictures) >= MOST_KEPT:
            # Never fewer than are visible: otherwise pictures would be drawn again and again.
            seen = self._in_sight
            away = next((other for other in self._pictures if other not in seen), number)
            self._pictures.pop(away, None)
        self._pictures[number] = picture

    def _overlaid(self) -> QPixmap:
        """Return the overlay, painted once for all pictures."""
        if self._above is None:
            ratio = self.devicePixelRatioF()
            size = QSize(self._width, self._picture_height)
            self._above = QPixmap(size * ratio)
            self._above.setDevicePixelRatio(ratio)
            self._above.fill(Qt.GlobalColor.transparent)
            if self._overlay is not None:
                with painting(self._above) as painter:
                    self._overlay(painter, QRectF(QPointF(0.0, 0.0), size.toSizeF()))
        return self._above

    def _paint(self, painter: QPainter, number: int) -> None:
        colours, box, tile = the_theme().colours, self.picture_box(number), self.tiles[number]
        captions = CAPTION if tile.caption else 0
        whole = QRectF(box).adjusted(-spacing.HAIR, -spacing.HAIR, spacing.HAIR, NAME + captions)
        if number in (self._hovered, self.current):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(whole, spacing.RADIUS, spacing.RADIUS)
        if number == self.current and self.hasFocus():
            painter.setPen(QPen(QColor(colours.focus), 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(whole, spacing.RADIUS, spacing.RADIUS)
        picture = self._pictures.get(number) or self._old.get(number)
        if picture is not None:
            painter.drawPixmap(QPointF(box.topLeft()), picture)
            painter.drawPixmap(QPointF(box.topLeft()), self._overlaid())
        cut, face = Qt.TextElideMode.ElideMiddle, font(Text.CAPTION, tabular=True)
        line = QRectF(box.left(), box.bottom() + 1, box.width(), NAME)
        write(painter, line, tile.name, font(Text.SMALL), colours.text, CENTRE, cut=cut)
        line = QRectF(box.left(), box.bottom() + NAME, box.width(), CAPTION)
        write(painter, line, tile.caption, face, colours.muted, CENTRE, cut=cut)

    def _hover(self, number: int) -> None:
        if number != self._hovered:
            self._hovered = number
            self.viewport().setCursor(
                Qt.CursorShape.ArrowCursor if number < 0 else Qt.CursorShape.PointingHandCursor
            )
            self.viewport().update()
