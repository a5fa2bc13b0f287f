"""Ridges over the cells of a map: the more runs have one, the broader its line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem

from ximstudio.model.arrays import Floats
from ximstudio.ui.drawing.guard import guarded
from ximstudio.ui.look.theme import the_theme

STEPS = ((0.05, 0.8), (0.5, 1.6), (0.8, 2.6), (0.95, 3.6))
"""Shares of runs from which on a line is so broad, in pixels."""
HALO = 2.2
"""By how much what parts it from the cells is broader."""
HALO_OPACITY = 170


class RidgesItem(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph is untyped
    """Line segments, each as broad as its share of the runs."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[tuple[float, list[QLineF]]] = []
        self._bounds = QRectF()
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    @property
    def widths(self) -> dict[float, int]:
        """How many lines there are of every width."""
        return {width: len(lines) for width, lines in self._lines}

    def show_ridges(self, lines: Floats, shares: Floats) -> None:
        """Draw these, (S, 2, 2), by their shares (S,), in place of those before."""
        self.prepareGeometryChange()
        step = np.searchsorted([least for least, _ in STEPS], shares, side="right") - 1
        self._lines = [
            (width, [QLineF(*ends) for ends in lines[step == number].reshape(-1, 4).tolist()])
            for number, (_, width) in enumerate(STEPS)
        ]
        self._bounds = QRectF()
        if len(lines):
            (left, top), (right, bottom) = lines.min(axis=(0, 1)), lines.max(axis=(0, 1))
            self._bounds = QRectF(float(left), float(top), float(right - left), float(bottom - top))
        self.setVisible(bool(len(lines)))
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802  (Qt's name)
        # A little more than the lines: they have a width.
        return self._bounds.adjusted(-1.0, -1.0, 1.0, 1.0)

    def dataBounds(self, *_: Any, **__: Any) -> tuple[None, None]:  # noqa: N802  (pyqtgraph's name)
        return None, None

    @guarded
    def paint(self, painter: QPainter, *_: Any) -> None:
        colours = the_theme().colours
        halo = QColor(colours.surface)
        halo.setAlpha(HALO_OPACITY)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for wider, tint in ((HALO, halo), (0.0, QColor(colours.text))):
            for width, lines in self._lines:
                pen = QPen(tint, width + wider)
                pen.setCosmetic(True)
                pen.setCapStyle(Qt.PenCapStyle.RoundCap)
                painter.setPen(pen)
                painter.drawLines(lines)
