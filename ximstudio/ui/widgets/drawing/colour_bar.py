"""Colour bar with numbers."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ximstudio.pictures.raster.frame import Bytes
from ximstudio.pictures.ticks import number_text, tick_texts, ticks
from ximstudio.ui.widgets.drawing.guard import CENTRE, LEFT, guarded, painting, saved, write
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

BAR = 12
LEAST_HEIGHT = 80
TICK = 4
SPARE = 10
"""Margin above and below the bar, for half a line of text."""
TICK_GAP = 34.0
"""Minimum distance of two ticks in pixels."""


class ColourBar(QWidget):
    """Vertical colour bar with ticks, a title, and a mark at one value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = np.zeros((1, 3), dtype=np.uint8)
        self._low, self._high = 0.0, 1.0
        self._name = ""
        self._blank = ""
        self._marked: float | None = None
        self._hint = QSize()
        self._painted: tuple[tuple[object, ...], QPixmap] | None = None
        """The painted bar, which is the same in most frames of a live map, and its arguments."""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    @property
    def limits(self) -> tuple[float, float]:
        return self._low, self._high

    def show_scale(
        self, table: Bytes, *, low: float, high: float, name: str = "", blank: str = ""
    ) -> None:
        """Show a colour table (k, 3), its title, and the meaning of no colour."""
        self._table, self._low, self._high = table, low, high
        self._name, self._blank = name, blank
        self.setAccessibleName(f"{name}: {number_text(low)} to {number_text(high)}")
        self.setToolTip(name)
        hint = self.sizeHint()
        if hint != self._hint:
            # Not at every frame of a live map: it would cause a new layout.
            self._hint = hint
            self.updateGeometry()
        self.update()

    def mark(self, value: float | None) -> None:
        """Mark a value, such as that of the node under the mouse; None or NaN for none."""
        if value != self._marked:
            self._marked = value
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        numbers = QFontMetricsF(font(Text.CAPTION, tabular=True))
        # The numbers of a low bar may be longer.
        texts = [text for height in (300.0, 0.0) for _, text in self._ticks(height)]
        widest = max((numbers.horizontalAdvance(text) for text in texts), default=0)
        if self._blank:
            widest = max(widest, numbers.horizontalAdvance(self._blank))
        name = numbers.height() + spacing.HAIR if self._name else 0.0
        return QSize(math.ceil(BAR + TICK + spacing.HAIR + widest + name) + 4, LEAST_HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(self.sizeHint().width(), LEAST_HEIGHT)

    @guarded
    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        bar = self._bar()
        with painting(self) as painter:
            self._paint_bar(painter, bar)
            self._paint_ticks(painter, bar)
            if self._blank:
                self._paint_blank(painter, bar)
            if self._name:
                self._paint_name(painter, bar)
            if self._marked is not None and not math.isnan(self._marked):
                self._paint_mark(painter, bar, self._marked)

    def _bar(self) -> QRectF:
        below = SPARE + (spacing.WIDE if self._blank else 0)
        return QRectF(3.0, SPARE, BAR, max(self.height() - SPARE - below, 1))

    def _ticks(self, height: float) -> list[tuple[float, str]]:
        most = max(2, min(7, int(height / TICK_GAP)))
        values = ticks(self._low, self._high, most=most)
        if len(values) < 2:
            # One number is no scale.
            ends = (self._low, self._high)
            return [(end, number_text(end, digits=2)) for end in ends]
        return list(zip(values, tick_texts(values), strict=True))

    def _height_of(self, value: float, bar: QRectF) -> float:
        share = (value - self._low) / ((self._high - self._low) or 1.0)
        return bar.bottom() - min(max(share, 0.0), 1.0) * bar.height()

    def _paint_bar(self, painter: QPainter, bar: QRectF) -> None:
        ratio = self.devicePixelRatioF()
        shown = (self._table.tobytes(), bar.height(), ratio, the_theme().colours)
        if self._painted is None or self._painted[0] != shown:
            size = QSizeF(bar.right() + 2.0, bar.bottom() + 2.0) * ratio
            picture = QPixmap(size.toSize())
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            with painting(picture) as onto:
                self._paint_colours(onto, bar)
            self._painted = (shown, picture)
        painter.drawPixmap(0, 0, self._painted[1])

    def _paint_colours(self, painter: QPainter, bar: QRectF) -> None:
        colours = np.ascontiguousarray(self._table[::-1])
        image = QImage(colours.data, 1, len(colours), 3, QImage.Format.Format_RGB888)
        shape = QPainterPath()
        shape.addRoundedRect(bar, 3.0, 3.0)
        with saved(painter):
            painter.setClipPath(shape)
            painter.drawImage(bar, image)
        painter.setPen(QPen(QColor(the_theme().colours.border_strong), 1.0))
        painter.drawPath(shape)

    def _paint_ticks(self, painter: QPainter, bar: QRectF) -> None:
        colours = the_theme().colours
        painter.setFont(font(Text.CAPTION, tabular=True))
        left = bar.right() + TICK + spacing.HAIR
        for value, text in self._ticks(bar.height()):
            y = self._height_of(value, bar)
            painter.setPen(QPen(QColor(colours.axis), 1.0))
            painter.drawLine(QPointF(bar.right() + 2.0, y), QPointF(bar.right() + TICK + 1.0, y))
            painter.setPen(QColor(colours.muted))
            box = QRectF(left, y - 10.0, self.width() - left, 20.0)
            painter.drawText(box, LEFT, text)

    def _paint_blank(self, painter: QPainter, bar: QRectF) -> None:
        colours = the_theme().colours
        box = QRectF(bar.left(), bar.bottom() + spacing.MEDIUM, BAR, BAR)
        painter.setPen(QPen(QColor(colours.border_strong), 1.0))
        painter.setBrush(QColor(colours.empty))
        painter.drawRoundedRect(box, 3.0, 3.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QColor(colours.muted))
        left = bar.right() + TICK + spacing.HAIR
        text = QRectF(left, box.center().y() - 10.0, self.width() - left, 20.0)
        painter.drawText(text, LEFT, self._blank)

    def _paint_name(self, painter: QPainter, bar: QRectF) -> None:
        """Paint the title along the right edge."""
        face, muted = font(Text.CAPTION), the_theme().colours.muted
        box = QRectF(-bar.height() / 2.0, -10.0, bar.height(), 20.0)
        with saved(painter):
            right = self.width() - QFontMetricsF(face).height() / 2.0 - 1.0
            painter.translate(right, bar.center().y())
            painter.rotate(-90.0)
            write(painter, box, self._name, face, muted, CENTRE)

    def _paint_mark(self, painter: QPainter, bar: QRectF, value: float) -> None:
        colours = the_theme().colours
        y = self._height_of(value, bar)
        for colour, width in ((colours.surface, 4.0), (colours.text, 2.0)):
            pen = QPen(QColor(colour), width)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            painter.drawLine(QPointF(bar.left() - 2.0, y), QPointF(bar.right() + 2.0, y))
