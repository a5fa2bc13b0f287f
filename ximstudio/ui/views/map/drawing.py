"""The items of the map view's canvas: cells, marks above them, and names on top."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from ximstudio.maps import LayerKind
from ximstudio.maps.classes import Classes
from ximstudio.maps.drawn import drawn
from ximstudio.maps.layout import spread_in_nodes
from ximstudio.model.arrays import Bools, Floats
from ximstudio.pictures.colouring import colour_rows
from ximstudio.pictures.point_looks import pie_sizes, tinted
from ximstudio.pictures.torus import Torus
from ximstudio.ui.views.common.class_colours import class_table
from ximstudio.ui.views.common.names import CountsItem, NamesItem, WindowItem
from ximstudio.ui.views.common.sight import TorusShift
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.guard import guarded
from ximstudio.ui.widgets.drawing.mesh import MapItem
from ximstudio.ui.widgets.drawing.points import PointsItem
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.views.map.picture import (
    HITS,
    MOST_DOTS,
    NODES,
    POINTS,
    MapPicture,
    point_colours,
    point_size,
)

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
        self.held: Mapping[int, str] = {}
        """Items by the nodes that the map was trained with."""
        self.planned: Mapping[int, str] = {}
        """Items by the nodes that the next map is trained with."""

    def show_pins(self, held: Mapping[int, str], planned: Mapping[int, str]) -> None:
        """Pin these nodes."""
        if (held, planned) != (self.held, self.planned):
            self.held, self.planned = dict(held), dict(planned)
            self.update()

    @guarded
    def paint(self, painter: QPainter, *_: Any) -> None:
        nodes = self.held.keys() | self.planned.keys()
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
            same = self.held.get(node) == self.planned.get(node, self.held.get(node))
            _draw_pin(painter, QPointF(*spot), full=node in self.held and same)


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


RING = 4.0
"""Distance from the edge of an item to its name, in pixels, to clear its ring."""
FIGURES = 9.0
"""Distance from the middle of a number to a name beside it."""


class MapDrawing:
    """Cells, marks and names of one map."""

    def __init__(self, canvas: Canvas) -> None:
        self.map, self.points = MapItem(), PointsItem()
        self.counts, self.names = CountsItem(), NamesItem()
        self.chosen: Bools = np.empty(0, dtype=np.bool_)
        """Mask of the items displayed as selected, (N,)."""
        self._spread = (np.empty(0, dtype=np.int64), np.empty((0, 2)))
        for item in (self.map, self.points, self.counts, self.names):
            canvas.add(item)

    def lay_out(self, picture: MapPicture, marks: str, shift: TorusShift) -> None:
        """Place cells and items."""
        assert picture.grid is not None
        self.map.show_grid(picture.grid, **shift.place)
        positions = self._in_nodes(picture) if marks == NODES else picture.positions
        self.points.show_positions(positions, grid=picture.grid, **shift.place)

    def fill(self, picture: MapPicture, marks: str, shown: Bools, *, scale: float) -> None:
        """Colour cells and marks; `shown` masks the classes, `scale` is the size of marks."""
        layer, values = picture.layer, picture.values
        assert layer is not None
        self.map.show_pies(None)
        if picture.colours is not None:
            self.map.show_colours(picture.colours)
        elif layer.kind is LayerKind.SHARES and values is not None and picture.classes is not None:
            self._fill_shares(picture, picture.classes, np.nan_to_num(values) * shown)
        else:
            self.map.show_colours(np.zeros((len(picture.hits), 4), dtype=np.uint8))
        # Pies are already sized by their numbers.
        counted = marks == HITS and layer.kind is LayerKind.NUMBERS
        self.counts.setVisible(counted)
        if counted:
            self._fill_counts(picture)
        self.points.setVisible(marks in (POINTS, NODES))
        if marks in (POINTS, NODES):
            self._fill_points(picture, shown, scale)

    def write(self, picture: MapPicture, marks: str, shift: TorusShift) -> None:
        """Write the names beside the marks."""
        grid, texts = picture.grid, picture.texts
        assert grid is not None
        # Items are named in their nodes: only points at their own positions lie elsewhere.
        at_nodes = texts.nodes is not None and marks != POINTS
        anchors = drawn(grid, grid.nodes)[texts.nodes] if at_nodes else texts.anchors
        gaps = {POINTS: self.points.size / 2.0 + RING, HITS: FIGURES}
        gap = gaps.get(POINTS if marks == NODES else marks, 0.0)
        if grid.repeats:
            torus = Torus.of(grid, rows=shift.rows, columns=shift.columns, beyond=0)
            anchors = torus.wrapped(anchors)
        self.names.show_texts(texts, anchors, gap=gap, edges=self.map.tiles.bounds)

    def select(self, picture: MapPicture, chosen: Bools) -> None:
        """Outline the nodes of selected items, and bring their points to the front."""
        self.chosen = chosen
        self.map.select(np.unique(picture.winners[chosen]))
        if chosen.any():
            self.points.select(chosen)
        else:
            # Selected points have rings, which separate them from the cells below.
            few = len(chosen) <= MOST_DOTS
            self.points.select(np.ones_like(chosen) if few else None)

    def place_of(self, node: int) -> QPointF:
        """Position of the middle of a node."""
        tiles = self.map.tiles
        (found, *_) = np.flatnonzero((tiles.nodes == node) & ~tiles.repeated)
        return QPointF(*tiles.places[found].tolist())

    def _fill_shares(self, picture: MapPicture, classes: Classes, shares: Floats) -> None:
        table = class_table(classes)
        self.map.show_colours(tinted(shares, table, colour_rows((the_theme().colours.surface,))[0]))
        self.map.show_pies(shares, table, sizes=pie_sizes(picture.hits))

    def _fill_counts(self, picture: MapPicture) -> None:
        tiles = self.map.tiles
        own = ~tiles.repeated
        nodes = tiles.nodes[own]
        empty = colour_rows((the_theme().colours.empty,))
        colours = np.tile(empty, (len(picture.hits), 1))
        if picture.colours is not None:
            known = picture.colours[:, 3] > 0
            colours[known] = picture.colours[known, :3]
        self.counts.show_counts(picture.hits[nodes], tiles.places[own], colours[nodes])

    def _in_nodes(self, picture: MapPicture) -> Floats:
        """Places inside cells; cached while the winners are the same."""
        assert picture.grid is not None
        winners, places = self._spread
        if winners is not picture.winners:
            places = spread_in_nodes(picture.winners, picture.grid)
            self._spread = picture.winners, places
        return places

    def _fill_points(self, picture: MapPicture, shown: Bools, scale: float) -> None:
        classes, colours = picture.classes, the_theme().colours
        self.points.show_colours(
            point_colours(
                picture,
                None if classes is None else class_table(classes),
                colour_rows((colours.text,)),
                colour_rows((colours.empty,)),
            )
        )
        all_shown = classes is None or shown.all()
        self.points.show_only(None if all_shown or classes is None else shown[classes.codes])
        self.points.show_size(point_size(picture.matrix.n_items, scale))
