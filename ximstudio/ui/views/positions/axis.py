"""An axis beside a canvas: round numbers, and its name."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ximstudio.pictures.ticks import tick_texts, ticks
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.guard import guarded, painting, saved
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

TICK = 4.0
LINE = 18.0
APART = 80.0
"""Minimum distance of two ticks, in pixels."""


class PositionAxis(QWidget):
    """The x axis below, or the y axis to the left of a canvas; follows its zoom."""

    def __init__(self, canvas: Canvas, *, upright: bool) -> None:
        super().__init__()
        self._canvas = canvas
        self._upright = upright
        self._name = ""
        fixed, wide = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding
        self.setSizePolicy(*((fixed, wide) if upright else (wide, fixed)))
        canvas.view.sigRangeChanged.connect(self._follow)

    @property
    def name(self) -> str:
        return self._name

    def show_name(self, name: str) -> None:
        """Set the name of the axis."""
        self._name = name
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(60, 100) if self._upright else QSize(100, 44)

    def _follow(self, *_: object) -> None:
        self.update()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        del event
        with painting(self) as painter:
            painter.setFont(font(Text.CAPTION, tabular=True))
            self._paint_ticks(painter)
            self._paint_name(painter)

    def _paint_ticks(self, painter: QPainter) -> None:
        colours = the_theme().colours
        low, high = self._canvas.view.viewRange()[1 if self._upright else 0]
        length = self.height() if self._upright else self.width()
        values = ticks(low, high, most=max(2, int(length / APART)))
        for value, text in zip(values, tick_texts(values), strict=True):
            place = QPointF(0.0, value) if self._upright else QPointF(value, 0.0)
            spot = self._canvas.position_of(place)
            painter.setPen(QPen(QColor(colours.axis), 1.0))
            if self._upright:
                edge = float(self.width())
                painter.drawLine(QPointF(edge - TICK, spot.y()), QPointF(edge, spot.y()))
                box = QRectF(0.0, spot.y() - LINE / 2.0, edge - TICK - spacing.HAIR, LINE)
                side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            else:
                painter.drawLine(QPointF(spot.x(), 0.0), QPointF(spot.x(), TICK))
                box = QRectF(spot.x() - APART / 2.0, TICK, APART, LINE)
                side = Qt.AlignmentFlag.AlignCenter
            painter.setPen(QColor(colours.muted))
            painter.drawText(box, side, text)

    def _paint_name(self, painter: QPainter) -> None:
        painter.setFont(font(Text.CAPTION))
        painter.setPen(QColor(the_theme().colours.muted))
        length = float(self.height() if self._upright else self.width())
        name = QFontMetricsF(painter.font()).elidedText(
            self._name, Qt.TextElideMode.ElideRight, length
        )
        box = QRectF(-length / 2.0, -LINE / 2.0, length, LINE)
        with saved(painter):
            if self._upright:
                painter.translate(LINE / 2.0, length / 2.0)
                painter.rotate(-90.0)
            else:
                painter.translate(length / 2.0, self.height() - LINE / 2.0)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
