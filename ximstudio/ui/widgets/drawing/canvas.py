"""Plot without axes that pans and zooms, and on which the user draws lassos and rectangles."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHideEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QWheelEvent,
)
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


def rectangle(box: tuple[float, float, float, float]) -> QRectF:
    """Return the rectangle from left, top, right and bottom."""
    left, top, right, bottom = box
    return QRectF(QPointF(left, top), QPointF(right, bottom))


class Canvas(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph is untyped
    """A view with equal scales and y pointing down, in the theme's colours.

    Dragging pans, or draws a line around things (`tool`); the middle button always pans, and the
    wheel zooms. `hovered` tells where the mouse is, in the items'
    coordinates; `left` that it has gone, or that what is under it moves away: cards that stayed
    would speak of another place. `clicked` and `enclosed` come with the keys that were held.
    """

    hovered = Signal(QPointF)
    left = Signal()
    clicked = Signal(QPointF, Qt.KeyboardModifier)
    enclosed = Signal(object, Qt.KeyboardModifier)
    """Corners of the lasso, (P, 2), in item coordinates."""

    def __init__(self) -> None:
        super().__init__()
        self.view = pg.ViewBox(lockAspect=True, invertY=True, enableMenu=False)
        self.view.setDefaultPadding(0.03)
        self.setCentralItem(self.view)
        self.viewport().setMouseTracking(True)
        self.tool = Tool.MOVE
        """The mouse tool."""
        self._draws = False
        """True if the pressed button draws a lasso."""
        self._lasso = LassoItem()
        self.scene().addItem(self._lasso)
        self.scene().sigMouseClicked.connect(self._click)
        the_theme().follow(self.recolour)
        self.recolour()

    def add(self, item: Any) -> None:
        """Add an item above the others."""
        self.view.addItem(item)

    def fit(self) -> None:
        """Show everything."""
        self.view.autoRange()

    def recolour(self) -> None:
        """Apply the colours of the theme."""
        if not self.closed:
            self.setBackground(the_theme().colours.surface)

    def place_of(self, position: QPointF) -> QPointF:
        """Return the item coordinates of a position on this widget."""
        scene = self.mapToScene(position.toPoint())
        place: QPointF = self.view.mapSceneToView(scene)
        return place

    def position_of(self, place: QPointF) -> QPointF:
        """Return the position on this widget of a point in item coordinates."""
        return QPointF(self.mapFromScene(self.view.mapViewToScene(place)))

    def take(self, tool: Tool) -> None:
        """Choose the mouse tool."""
        self.tool = tool
        self.let_go()
        if tool is Tool.MOVE:
            self.viewport().unsetCursor()
        else:
            self.viewport().setCursor(Qt.CursorShape.CrossCursor)

    def let_go(self) -> bool:
        """Cancel the lasso; return whether there was one."""
        drawn = self._lasso.is_open
        self._lasso.end()
        return drawn

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        if self.tool is not Tool.MOVE and event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._draws = True
            self._lasso.begin(self.mapToScene(event.position().toPoint()), self.tool)
            self.left.emit()
        else:
            super().mousePressEvent(event)
        # Do not pass events on to the parent.
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        if self._draws and event.button() == Qt.MouseButton.LeftButton:
            self._draws = False
            if self._lasso.is_open:
                self._enclose(event)
        else:
            super().mouseReleaseEvent(event)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        if self._lasso.is_open:
            self._lasso.extend(self.mapToScene(event.position().toPoint()))
            event.accept()
            return
        super().mouseMoveEvent(event)
        if event.buttons() == Qt.MouseButton.NoButton:
            self.hovered.emit(self.place_of(event.position()))
        else:
            self.left.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802  (Qt's name)
        super().wheelEvent(event)
        self.left.emit()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802  (Qt's name)
        super().leaveEvent(event)
        self.left.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802  (Qt's name)
        super().focusOutEvent(event)
        if not self.closed:
            self.left.emit()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802  (Qt's name)
        super().hideEvent(event)
        if not self.closed:
            self.left.emit()

    def _click(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(self.view.mapSceneToView(event.scenePos()), event.modifiers())

    def _enclose(self, event: QMouseEvent) -> None:
        """End the lasso: emit what it encloses, or a click."""
        place = self.mapToScene(event.position().toPoint())
        self._lasso.extend(place)
        large = self._lasso.is_large
        corners = [self.view.mapSceneToView(corner).toTuple() for corner in self._lasso.corners]
        self._lasso.end()
        if large:
            self.enclosed.emit(np.array(corners, dtype=np.float64), event.modifiers())
        else:
            self.clicked.emit(self.view.mapSceneToView(place), event.modifiers())
