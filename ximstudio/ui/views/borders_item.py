"""Borders between clusters, the same width at any zoom, and seen on any colour."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem

from ximstudio.model.arrays import Floats
from ximstudio.ui.drawing.guard import guarded
from ximstudio.ui.look.theme import the_theme

LINE, HALO = 2.2, 4.6
"""Widths of the line and of what parts it from the cells, in pixels."""
HALO_OPACITY = 170


class BordersItem(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph is untyped
    """Line segments over the cells of a map."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[QLineF] = []
        self._bounds = QRectF()
        # Hovering repaints what lies below: a thousand smooth lines would take longer than that.
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.setVisible(False)

    @property
    def n_lines(self) -> int:
        return len(self._lines)

    def show_lines(self, segments: Floats) -> None:
        """Draw these, (S, 2, 2), in place of those before."""
        self.prepareGeometryChange()
        self._lines = [QLineF(*ends) for ends in segments.reshape(-1, 4).tolist()]
        self._bounds = QRectF()
        if len(segments):
            (left, top), (right, bottom) = segments.min(axis=(0, 1)), segments.max(axis=(0, 1))
            self._bounds = QRectF(float(left), float(top), float(right - left), float(bottom - top))
        self.setVisible(bool(self._lines))
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
        for tint, width in ((halo, HALO), (QColor(colours.text), LINE)):
            pen = QPen(tint, width)
            pen.setCosmetic(True)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawLines(self._lines)
