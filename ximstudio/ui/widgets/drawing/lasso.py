"""Lasso and rectangle that the user draws on a canvas."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsPathItem, QStyleOptionGraphicsItem, QWidget

from ximstudio.ui.widgets.drawing.guard import saved
from ximstudio.ui.widgets.look.theme import the_theme

NEAR = 3.0
"""Minimum distance of two corners in pixels."""
ABOVE = 1000.0
HALO = 4.0
FILL = 28
"""Opacity of what is inside, of 255."""


class Tool(StrEnum):
    """Mouse tool: what dragging does."""

    MOVE = "move"
    RECTANGLE = "rectangle"
    LASSO = "lasso"


class LassoItem(QGraphicsPathItem):
    """Lasso in scene coordinates (pixels), above everything else."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(ABOVE)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._corners: list[QPointF] = []
        self._tool = Tool.LASSO
        self.hide()

    @property
    def is_open(self) -> bool:
        """True if it is being drawn."""
        return self.isVisible()

    @property
    def is_large(self) -> bool:
        """True if the mouse has moved too far for a click."""
        if len(self._corners) < 2:
            return False
        x, y = np.array([corner.toTuple() for corner in self._corners]).T
        return bool(max(np.ptp(x), np.ptp(y)) > NEAR)

    def begin(self, place: QPointF, tool: Tool) -> None:
        """Start at a point of the scene."""
        colours = the_theme().colours
        pen = QPen(QColor(colours.accent), 1.8, Qt.PenStyle.DashLine)
        pen.setCosmetic(True)
        inside = QColor(colours.accent)
        inside.setAlpha(FILL)
        self.setPen(pen)
        self.setBrush(inside)
        self._tool, self._corners = tool, [place]
        self.setPath(QPainterPath())
        self.show()

    def extend(self, place: QPointF) -> None:
        """Extend to a point of the scene."""
        last = self._corners[-1]
        if self._tool is Tool.RECTANGLE:
            self._corners = [self._corners[0], place]
        elif (place - last).manhattanLength() >= NEAR:
            self._corners.append(place)
        path = QPainterPath()
        path.addPolygon(QPolygonF(self.corners))
        path.closeSubpath()
        self.setPath(path)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Draw the line with a halo, so that it is visible on any colour."""
        with saved(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            halo = QPen(QColor(the_theme().colours.surface), HALO)
            halo.setCosmetic(True)
            painter.setPen(halo)
            painter.drawPath(self.path())
        super().paint(painter, option, widget)

    def end(self) -> None:
        """Remove the lasso."""
        self._corners = []
        self.hide()

    @property
    def corners(self) -> list[QPointF]:
        """Return the corners in scene coordinates."""
        if self._tool is Tool.RECTANGLE and len(self._corners) == 2:
            (x1, y1), (x2, y2) = (corner.toTuple() for corner in self._corners)
            return [QPointF(x1, y1), QPointF(x2, y1), QPointF(x2, y2), QPointF(x1, y2)]
        return list(self._corners)
