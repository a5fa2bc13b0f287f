"""Line segments on a map, with constant width and a halo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem

from ximstudio.model.arrays import Floats
from ximstudio.ui.widgets.drawing.guard import guarded
from ximstudio.ui.widgets.look.theme import the_theme

HALO = 2.4
"""Additional width of the halo in pixels."""
HALO_OPACITY = 170


class LinesItem(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph is untyped
    """Groups of segments, each with its width in pixels."""

    def __init__(self) -> None:
        super().__init__()
        self._groups: list[tuple[float, list[QLineF]]] = []
        self._bounds = QRectF()
        # Hovering repaints the item: a thousand antialiased lines would be too slow.
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.setVisible(False)

    @property
    def widths(self) -> dict[float, int]:
        """Number of lines of every width."""
        return {width: len(lines) for width, lines in self._groups}

    @property
    def lines(self) -> list[QLineF]:
        """All lines, whatever their width."""
        return [line for _, lines in self._groups for line in lines]

    def show_groups(self, groups: Sequence[tuple[float, Floats]]) -> None:
        """Draw these widths and their segments, (S, 2, 2), in place of those before."""
        self.prepareGeometryChange()
        self._groups = [
            (width, [QLineF(*ends) for ends in lines.reshape(-1, 4).tolist()])
            for width, lines in groups
        ]
        ends = np.concatenate([lines.reshape(-1, 2) for _, lines in groups])
        self._bounds = QRectF()
        if len(ends):
            (left, top), (right, bottom) = ends.min(axis=0), ends.max(axis=0)
            self._bounds = QRectF(float(left), float(top), float(right - left), float(bottom - top))
        self.setVisible(bool(len(ends)))
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802  (Qt's name)
        # A little larger than the lines, which have a width.
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
            for width, lines in self._groups:
                pen = QPen(tint, width + wider)
                pen.setCosmetic(True)
                pen.setCapStyle(Qt.PenCapStyle.RoundCap)
                painter.setPen(pen)
                painter.drawLines(lines)
