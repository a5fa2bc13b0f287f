"""Projected items on a map: diamonds, hollow for those that do not belong."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QObject, QPointF
from PySide6.QtGui import QColor

from ximstudio.model.arrays import Bools, Floats
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.look.theme import the_theme

SIZE, STRANGE_SIZE = 14.0, 14.0
"""Size in pixels, from corner to corner; those that do not belong are hollow."""
ABOVE = 40.0
"""Above everything that the views draw themselves."""
REACH = 8.0
"""Distance in pixels at which the mouse hits a mark."""


class NewcomersItem(QObject):
    """Two kinds of marks above a canvas."""

    def __init__(self, canvas: Canvas) -> None:
        # Child of the canvas: the theme outlives both.
        super().__init__(canvas)
        self._canvas = canvas
        self._places: Floats = np.empty((0, 2))
        self._strange: Bools = np.empty(0, dtype=np.bool_)
        self.near = pg.ScatterPlotItem(symbol="d", size=SIZE, pxMode=True)
        self.strange = pg.ScatterPlotItem(symbol="d", size=STRANGE_SIZE, pxMode=True)
        for item in (self.near, self.strange):
            item.setZValue(ABOVE)
            canvas.view.addItem(item, ignoreBounds=True)
        the_theme().follow(self.recolour)
        self.recolour()

    @property
    def n_marks(self) -> int:
        return len(self._places)

    def show_marks(self, places: Floats, strange: Bools) -> None:
        """Put marks at these places, (n, 2); `strange` ones are hollow."""
        self._places, self._strange = places, strange
        self.near.setData(pos=places[~strange])
        self.strange.setData(pos=places[strange])

    def mark_at(self, place: QPointF) -> int:
        """Mark at a point of the canvas; −1 for none."""
        if not len(self._places):
            return -1
        across, down = self._canvas.view.viewPixelSize()
        away = (self._places - (place.x(), place.y())) / (across, down)
        squares = np.einsum("ij,ij->i", away, away)
        if not np.isfinite(squares).any():
            return -1
        nearest = int(np.nanargmin(squares))
        return nearest if squares[nearest] <= REACH**2 else -1

    def place_of(self, mark: int) -> QPointF:
        """Position of a mark."""
        return QPointF(*self._places[mark].tolist())

    def recolour(self) -> None:
        """Apply the theme's colours."""
        if self._canvas.closed:
            return
        colours = the_theme().colours
        self.near.setBrush(QColor(colours.accent))
        # Pens that keep their width: symbols are drawn in a unit square and scaled.
        self.near.setPen(pg.mkPen(colours.surface, width=1.5))
        self.strange.setBrush(QColor(colours.surface))
        self.strange.setPen(pg.mkPen(colours.warning, width=2.5))
