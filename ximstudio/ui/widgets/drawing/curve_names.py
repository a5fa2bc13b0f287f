"""Names of curves beside their ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath
from PySide6.QtWidgets import QSizePolicy

from ximstudio.pictures.curves import spread
from ximstudio.ui.widgets.drawing.guard import guarded
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font

if TYPE_CHECKING:
    from ximstudio.ui.widgets.drawing.curves import Curves

NAME_HEIGHT = 16.0
NAMES_SHARE, LEAST_NAMES = 0.3, 48.0
"""Names take at most this share of a plot's width, but never fewer pixels; longer ones are cut."""


class CurveNames(pg.GraphicsWidget):  # type: ignore[misc]  # pyqtgraph is untyped
    """Names of curves in a column at the right of the plot.

    While all curves end earlier, as during a training, names are placed beside their ends instead.
    """

    def __init__(self, curves: Curves) -> None:
        super().__init__()
        self._curves = curves
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.measure()

    def measure(self, *_: object) -> None:
        """Reserve width for the longest name, up to a share of the plot."""
        metrics = QFontMetricsF(_name_font())
        names = self._curves.names
        widest = max((metrics.horizontalAdvance(name) for name in names), default=0.0)
        most = max(NAMES_SHARE * self._curves.width(), LEAST_NAMES)
        width = min(widest + spacing.SMALL + 2.0, most) if widest else 0.0
        self.setToolTip("\n".join(names) if widest > self._room(width) else "")
        self.setMinimumWidth(width)
        self.setMaximumWidth(width)
        self.updateGeometry()
        self.update()

    @staticmethod
    def _room(width: float) -> float:
        """Width available for a name."""
        return max(width - spacing.SMALL, 0.0)

    def follow(self, *_: object) -> None:
        """Repaint when the curves change; update() would take the signal's argument for a
        rectangle.
        """
        self.prepareGeometryChange()
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802  (Qt's name)
        """Return the column and the plot."""
        column: QRectF = self.rect()
        return column.adjusted(-self._curves.view.width(), 0.0, 0.0, 0.0)

    def shape(self) -> QPainterPath:
        """Return the column, where the mouse can be."""
        path = QPainterPath()
        path.addRect(self.rect())
        return path

    @property
    def begin(self) -> float:
        """Return where names start, in pixels from the left of the column: after the ends of all
        curves.
        """
        ends = [self.mapFromItem(self._curves.view, end).x() for *_, end in self._curves.ends()]
        return min(max(ends, default=0.0), 0.0) + spacing.SMALL

    @guarded
    def paint(self, painter: QPainter, *_: object) -> None:
        painter.setFont(_name_font())
        metrics, room_across = QFontMetricsF(_name_font()), self._room(self.size().width())
        ends = self._curves.ends()
        room = self.size().height()
        heights = spread(np.array([end.y() for *_, end in ends]), NAME_HEIGHT, room)
        begin = self.begin
        for (name, colour, _end), height in zip(ends, heights, strict=True):
            painter.setPen(QColor(colour))
            box = QRectF(begin, height - NAME_HEIGHT / 2.0, self.size().width(), NAME_HEIGHT)
            cut = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room_across)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, cut)


def _name_font() -> QFont:
    return font(Text.SMALL, weight=QFont.Weight.Medium)
