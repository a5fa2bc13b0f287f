"""Card beside the mouse that describes what is under it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from ximstudio.ui.widgets.drawing.guard import RIGHT, guarded, painting, write
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

SHADOW = 8
"""Room around the card for its shadow."""
AWAY = 14
"""Distance from the mouse."""
WIDEST = 340
TITLE_HEIGHT, LINE_HEIGHT = 20, 19
SWATCH = 8
MOST_VALUE = 0.75
"""Maximum share of a line for a value."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """Line of a card: a name, optionally with a value and a coloured dot."""

    name: str
    value: str = ""
    colour: str = ""


class HoverCard(QWidget):
    """Floating card with a title and lines; transparent for the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = parent
        self.title = ""
        self.lines: tuple[Line, ...] = ()
        self._more = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def show_at(
        self, position: QPoint | QPointF, title: str, lines: Sequence[Line] = (), *, more: str = ""
    ) -> None:
        """Show the card beside a position on the parent; `more` is a last, muted line."""
        content = (title, tuple(lines), more)
        if content != (self.title, self.lines, self._more):
            self.title, self.lines, self._more = content
            self.update()
        if self.size() != self.sizeHint():
            self.resize(self.sizeHint())
        spot = position.toPoint() if isinstance(position, QPointF) else position
        self.move(placed_beside(spot, self.size(), self._view.rect()))
        if not self.isVisible():
            self.raise_()
            self.show()

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        widths = [QFontMetricsF(_title_font()).horizontalAdvance(self.title)]
        words = QFontMetricsF(font(Text.SMALL))
        numbers = QFontMetricsF(font(Text.SMALL, tabular=True))
        for line in self.lines:
            dot = SWATCH + spacing.SMALL if line.colour else 0
            value = numbers.horizontalAdvance(line.value) + spacing.LARGE if line.value else 0.0
            widths.append(dot + words.horizontalAdvance(line.name) + value)
        widths.append(words.horizontalAdvance(self._more))
        # In a narrow view, shorten texts rather than clip the card.
        widest = min(WIDEST, self._view.width() - 2 * SHADOW - 1)
        width = min(math.ceil(max(widths)), widest - 2 * spacing.MEDIUM) + 2 * spacing.MEDIUM
        n_lines = len(self.lines) + bool(self._more)
        gap = spacing.HAIR if n_lines else 0
        height = TITLE_HEIGHT + gap + n_lines * LINE_HEIGHT + 2 * spacing.SMALL
        return QSize(width + 2 * SHADOW + 1, height + 2 * SHADOW)

    @guarded
    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        card = QRectF(self.rect()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)
        inner = card.adjusted(spacing.MEDIUM, spacing.SMALL, -spacing.MEDIUM, -spacing.SMALL)
        with painting(self) as painter:
            _paint_card(painter, card, dark=the_theme().dark)
            self._paint_text(painter, inner)

    def _paint_text(self, painter: QPainter, inner: QRectF) -> None:
        colours = the_theme().colours
        row = QRectF(inner.left(), inner.top(), inner.width(), TITLE_HEIGHT)
        _write(painter, row, self.title, _title_font(), colours.text)
        row = QRectF(inner.left(), row.bottom() + spacing.HAIR, inner.width(), LINE_HEIGHT)
        for line in self.lines:
            _paint_line(painter, row, line)
            row.translate(0.0, LINE_HEIGHT)
        if self._more:
            _write(painter, row, self._more, font(Text.SMALL), colours.muted)


def placed_beside(spot: QPoint, size: QSize, room: QRect) -> QPoint:
    """Return the position of a card: below right of the spot, or on another side, never outside."""
    right, below = spot.x() + AWAY - SHADOW, spot.y() + AWAY - SHADOW
    left, above = spot.x() - AWAY + SHADOW - size.width(), spot.y() - AWAY + SHADOW - size.height()
    x = right if right + size.width() <= room.right() else left
    y = below if below + size.height() <= room.bottom() else above
    x = max(room.left(), min(x, room.right() + 1 - size.width()))
    y = max(room.top(), min(y, room.bottom() + 1 - size.height()))
    return QPoint(x, y)


def _title_font() -> QFont:
    return font(weight=QFont.Weight.DemiBold)


def _paint_card(painter: QPainter, card: QRectF, *, dark: bool) -> None:
    colours = the_theme().colours
    painter.setPen(Qt.PenStyle.NoPen)
    # Shadow of a few faint layers; a graphics effect would redraw the view below.
    painter.setBrush(QColor(0, 0, 0, 16 if dark else 6))
    for reach in range(SHADOW - 1, 0, -1):
        around = card.adjusted(-reach, -reach + 2, reach, reach)
        painter.drawRoundedRect(around, spacing.RADIUS + reach, spacing.RADIUS + reach)
    painter.setPen(QPen(QColor(colours.border_strong), 1.0))
    painter.setBrush(QColor(colours.raised))
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), spacing.RADIUS, spacing.RADIUS)


def _paint_line(painter: QPainter, row: QRectF, line: Line) -> None:
    colours = the_theme().colours
    left, right = row.left(), row.right()
    if line.colour:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(line.colour))
        middle = QPointF(left + SWATCH / 2.0, row.center().y())
        painter.drawEllipse(middle, SWATCH / 2.0, SWATCH / 2.0)
        left += SWATCH + spacing.SMALL
    if line.value:
        # A long value leaves some room for the name.
        wide = (right - left) * MOST_VALUE
        room = QRectF(right - wide, row.top(), wide, row.height())
        numbers = font(Text.SMALL, tabular=True)
        value = write(painter, room, line.value, numbers, colours.text, RIGHT)
        right -= QFontMetricsF(numbers).horizontalAdvance(value) + spacing.LARGE
    tint = colours.muted if line.value else colours.text
    name = QRectF(left, row.top(), right - left + 1.0, row.height())
    _write(painter, name, line.name, font(Text.SMALL), tint)


def _write(painter: QPainter, box: QRectF, text: str, face: QFont, colour: str) -> None:
    box = box.adjusted(0.0, 0.0, 1.0, 0.0)
    write(painter, box, text, face, colour, cut=Qt.TextElideMode.ElideMiddle)
