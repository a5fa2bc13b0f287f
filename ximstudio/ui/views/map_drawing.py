"""The items of the map view's canvas: cells, marks above them, and names on top."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF

from ximstudio.maps import Kind
from ximstudio.maps.classes import Classes
from ximstudio.model.arrays import Bools, Floats
from ximstudio.ui.drawing.canvas import Canvas
from ximstudio.ui.drawing.frame import Bytes
from ximstudio.ui.drawing.mesh import MapItem
from ximstudio.ui.drawing.points import PointsItem, default_size
from ximstudio.ui.look.theme import the_theme
from ximstudio.ui.views.class_colours import class_table, colour_rows
from ximstudio.ui.views.map_names import NamesItem
from ximstudio.ui.views.map_picture import MapPicture
from ximstudio.ui.views.torus_shift import TorusShift

NOTHING, POINTS, HITS = "nothing", "points", "hits"
"""Marks on the map."""
MOST_DOTS = 5000
"""More items than this would hide the map, and are only drawn if a person wants them."""
SMALLER = 0.7
"""Size of items on the map, of that on a canvas of their own."""
TINT = 0.65
"""How far cells below pies are tinted towards the surface."""
LEAST_MARK = 0.35
"""Area of the mark of a node with one item, of that with most."""


class MapDrawing:
    """Cells, marks and names of one map."""

    def __init__(self, canvas: Canvas) -> None:
        self.map, self.points, self.names = MapItem(), PointsItem(), NamesItem()
        self.classes: Classes | None = None
        for item in (self.map, self.points, self.names):
            canvas.add(item)

    def lay_out(self, picture: MapPicture, shift: TorusShift) -> None:
        """Place cells and items."""
        assert picture.grid is not None
        place = {"rows": shift.rows, "columns": shift.columns, "beyond": shift.beyond}
        if not picture.grid.toroidal:
            place = {}
        self.map.show_grid(picture.grid, **place)
        self.points.show_positions(picture.shown.result.positions, grid=picture.grid, **place)

    def fill(self, picture: MapPicture, marks: str, shown: Bools, *, scale: float) -> None:
        """Colour cells and marks; `shown` says which classes are, `scale` how large marks."""
        layer, values = picture.layer, picture.values
        assert layer is not None
        self.map.show_pies(None)
        if picture.colours is not None:
            self.map.show_colours(picture.colours)
        elif layer.kind is Kind.SHARES and values is not None and picture.classes is not None:
            self._fill_shares(picture, picture.classes, np.nan_to_num(values) * shown)
        else:
            self.map.show_colours(np.zeros((len(picture.hits), 4), dtype=np.uint8))
        if marks == HITS and layer.kind is Kind.NUMBERS:
            ones = (picture.hits > 0).astype(np.float64)[:, None]
            colours = colour_rows((the_theme().colours.text,))
            self.map.show_pies(ones, colours, sizes=0.6 * _sizes(picture))
        self.points.setVisible(marks == POINTS)
        if marks == POINTS:
            self._fill_points(picture, shown, scale)

    def place_of(self, node: int) -> QPointF:
        """Where the middle of a node is drawn."""
        tiles = self.map.tiles
        (found, *_) = np.flatnonzero((tiles.nodes == node) & ~tiles.repeated)
        return QPointF(*tiles.places[found].tolist())

    def _fill_shares(self, picture: MapPicture, classes: Classes, shares: Floats) -> None:
        table = class_table(classes)
        self.map.show_colours(_tinted(shares, table))
        self.map.show_pies(shares, table, sizes=_sizes(picture))

    def _fill_points(self, picture: MapPicture, shown: Bools, scale: float) -> None:
        classes, n_items = picture.classes, picture.matrix.n_items
        if classes is None:
            text = colour_rows((the_theme().colours.text,))
            self.points.show_colours(np.tile(text, (n_items, 1)))
            self.points.show_only(None)
        else:
            self.points.show_colours(class_table(classes)[classes.codes])
            self.points.show_only(None if shown.all() else shown[classes.codes])
        few = n_items <= MOST_DOTS
        self.points.show_size(SMALLER * scale * default_size(n_items) if few else None)
        # Selected points have rings, which part them from the cells below.
        self.points.select(np.ones(n_items, dtype=np.bool_) if few else None)


def _sizes(picture: MapPicture) -> Floats:
    """Areas from 0 to 1 by the number of items; none without items."""
    most = max(int(picture.hits.max(initial=0)), 1)
    areas = LEAST_MARK + (1.0 - LEAST_MARK) * picture.hits / most
    return np.where(picture.hits > 0, areas, 0.0)


def _tinted(shares: Floats, table: Bytes) -> Bytes:
    """The mean colour of every node's classes, faint; no opacity without any."""
    totals = shares.sum(axis=1, keepdims=True)
    mean = np.divide(shares @ table, totals, out=np.zeros((len(shares), 3)), where=totals > 0.0)
    surface = colour_rows((the_theme().colours.surface,))[0].astype(np.float64)
    faint = TINT * surface + (1.0 - TINT) * mean
    opaque = np.where(totals > 0.0, 255, 0)
    return np.concatenate([np.rint(faint), opaque], axis=1).astype(np.uint8)
