"""Pins on the map: nodes that are fixed to an item, in this map or in the next one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from ximstudio.ui.views.common.window_item import WindowItem
from ximstudio.ui.widgets.drawing.guard import guarded
from ximstudio.ui.widgets.drawing.mesh import MapItem
from ximstudio.ui.widgets.look.theme import the_theme

HEAD, STEM = 4.5, 7.0
"""Radius of a pin's head, and height of its middle above the point, in pixels."""
LINE, HALO = 1.6, 2.4


class PinsItem(WindowItem):
    """A pin in every pinned node: filled if the map was trained with it, hollow if planned.

    Positions of nodes are looked up when painting, as a torus may have been shifted since.
    """

    def __init__(self, map_item: MapItem) -> None:
        super().__init__()
        self._map = map_item
        self._held: Mapping[int, str] = {}
        self._planned: Mapping[int, str] = {}

    @property
    def held(self) -> Mapping[int, str]:
        """Items by the nodes that the map was trained with."""
        return self._held

    @property
    def planned(self) -> Mapping[int, str]:
        """Items by the nodes that the next map is trained with."""
        return self._planned

    def show_pins(self, held: Mapping[int, str], planned: Mapping[int, str]) -> None:
        """Pin these nodes."""
        if (held, planned) != (self._held, self._planned):
            self._held, self._planned = dict(held), dict(planned)
            self.update()

    @guarded
    def paint(self, painter: QPainter, *_: Any) -> None:
        nodes = self._held.keys() | self._planned.keys()
        if not nodes:
            return
        tiles = self._map.tiles
        seen = np.flatnonzero(np.isin(tiles.nodes, list(nodes)) & ~tiles.repeated)
        spots = self.spots(tiles.places[seen], painter.transform())
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for tile, spot in zip(seen.tolist(), spots.tolist(), strict=True):
            node = int(tiles.nodes[tile])
            # A node planned for another item is no longer drawn as this map's.
            same = self._held.get(node) == self._planned.get(node, self._held.get(node))
            _draw_pin(painter, QPointF(*spot), full=node in self._held and same)


def _draw_pin(painter: QPainter, point: QPointF, *, full: bool) -> None:
    colours = the_theme().colours
    middle = QPointF(point.x(), point.y() - STEM)
    path = QPainterPath()
    path.moveTo(point)
    path.lineTo(middle.x() - HEAD * 0.85, middle.y() + HEAD * 0.5)
    path.arcTo(middle.x() - HEAD, middle.y() - HEAD, 2 * HEAD, 2 * HEAD, 210.0, -240.0)
    path.closeSubpath()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colours.surface), LINE + HALO))
    painter.drawPath(path)
    painter.setBrush(QColor(colours.accent if full else colours.surface))
    pen = QPen(QColor(colours.accent), LINE)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.drawPath(path)
    if full:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.surface))
        painter.drawEllipse(middle, 1.5, 1.5)
