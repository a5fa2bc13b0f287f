"""Plot without axes that pans and zooms, for maps and positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QMouseEvent, QWheelEvent

from ximstudio.ui.widgets.drawing.lasso import LassoItem, Tool
from ximstudio.ui.widgets.look.theme import the_theme


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
        self._tool = Tool.MOVE
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

    def show_bounds(self, bounds: QRectF) -> None:
        """Show this part."""
        self.view.setRange(bounds)

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

    @property
    def tool(self) -> Tool:
        """The mouse tool."""
        return self._tool

    def take(self, tool: Tool) -> None:
        """Choose the mouse tool."""
        self._tool = tool
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
        if self._tool is not Tool.MOVE and event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._draws = True
            self._lasso.begin(self.mapToScene(event.position().toPoint()), self._tool)
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
