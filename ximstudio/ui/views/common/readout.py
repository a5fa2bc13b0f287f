"""Values of curves at the mouse: a vertical line and a card."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPen

from ximstudio.pictures.ticks import number_text
from ximstudio.ui.widgets.drawing.curves import Curves
from ximstudio.ui.widgets.drawing.hover_card import HoverCard, Line
from ximstudio.ui.widgets.look.theme import the_theme


class Readout(QObject):
    """Follows the mouse over a plot; `title` converts x to a text."""

    def __init__(self, curves: Curves, title: Callable[[float], str]) -> None:
        super().__init__(curves)
        self._curves, self._title = curves, title
        self.card = HoverCard(curves)
        self._line: pg.InfiniteLine | None = None
        curves.viewport().setMouseTracking(True)
        curves.viewport().installEventFilter(self)

    def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Follow the mouse; the plot gets every event, too."""
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self.show_at(event.position())
        elif event.type() in (QEvent.Type.Leave, QEvent.Type.Hide):
            self.hide()
        return False

    def show_at(self, spot: QPointF) -> None:
        """Show the values of the curves at a position of the plot."""
        view = self._curves.view
        if self._curves.closed:
            return
        scene = self._curves.mapToScene(spot.toPoint())
        places = self._curves.places
        if not places.size or not view.sceneBoundingRect().contains(scene):
            self.hide()
            return
        x = float(places[np.abs(places - view.mapSceneToView(scene).x()).argmin()])
        lines = [
            Line(name=name, value=number_text(value), colour=colour)
            for name, colour, value in self._curves.values_at(x)
        ]
        self._draw_line(x)
        self.card.show_at(spot, self._title(x), lines)

    def hide(self) -> None:
        """Hide line and card."""
        self.card.hide()
        if self._line is not None and not self._curves.closed:
            self._curves.removeItem(self._line)
        self._line = None

    def _draw_line(self, x: float) -> None:
        if self._line is None:
            self._line = pg.InfiniteLine()
            self._curves.view.addItem(self._line, ignoreBounds=True)
        pen = QPen(QColor(the_theme().colours.axis), 1.0)
        pen.setCosmetic(True)
        pen.setStyle(Qt.PenStyle.DashLine)
        self._line.setPen(pen)
        self._line.setValue(x)
