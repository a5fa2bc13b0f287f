"""Small pictures of one map in the colours of many features. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ximstudio.maps.box import Box
from ximstudio.maps.cells import bounds, tiles
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.pictures.colouring import colour_rows
from ximstudio.pictures.colours import Colours
from ximstudio.pictures.raster.cell_raster import CellRaster, cell_raster
from ximstudio.pictures.raster.dots import stamp_points
from ximstudio.pictures.raster.frame import Bytes, Pixels, RasterFrame, fitted, packed

MARGIN = 0.04
"""Margin around items without nodes, as a share of a picture."""
LOWEST, HIGHEST = 0.55, 1.4
"""Limits of height divided by width of a picture, otherwise that of the map."""
LEAST_DOT, MOST_DOT = 2.4, 7.0
FILLED = 0.8
"""Width of a point, relative to the side of the square that every item would have."""
DIMMED = 0.7
"""Share by which unselected items fade into the background."""
RING = 2.0
"""Width that the ring of a selected item adds to its point, in pixels."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Inks:
    """Mapping of numbers to colours, with a colour for blanks."""

    table: Bytes
    low: float
    high: float

    def dimmed(self, surface: str) -> Inks:
        """Return the same colours, faded into a background."""
        table = DIMMED * colour_rows((surface,)) + (1.0 - DIMMED) * self.table
        return replace(self, table=np.rint(table).astype(np.uint8))

    def pixels(self, values: Floats, blank: str) -> Pixels:
        """Return the colour of every value, shape (n,); that of `blank` where it is NaN."""
        table = np.append(packed(self.table), packed(colour_rows((blank,))))
        return np.asarray(table[colour_codes(values, len(self.table), self.low, self.high)])


def colour_codes(values: Floats, n_colours: int, low: float, high: float) -> Ints:
    """Return the index of every value in colours between two values; one more for NaN.

    The colours are of equal width, as those of `maps.palettes.coloured`.
    """
    span = high - low
    scale = n_colours / span if span > 0.0 else 0.0
    known = ~np.isnan(values)
    share = np.where(known, values - low, 0.0) * scale
    codes = np.clip(share, 0.0, n_colours - 1).astype(np.int64)
    return np.where(known, codes, n_colours)


class MapTiles:
    """A map to be drawn small: its nodes as cells, or its items as points if it has none.

    The node of every pixel is computed once for all pictures of one size.
    """

    def __init__(self, grid: Grid | None, positions: Floats) -> None:
        self.grid = grid
        self._layout = None if grid is None else tiles(grid)
        known = positions[np.isfinite(positions).all(axis=1)]
        self._positions = positions
        self._box = bounds(grid) if grid is not None else _roomy(known)
        self._raster: tuple[tuple[int, int], CellRaster] | None = None

    @property
    def n_points(self) -> int:
        """Return the number of points that have to be drawn one by one."""
        return len(self._positions) if self.grid is None else 0

    @property
    def aspect(self) -> float:
        """Return height divided by width of a picture."""
        across, down = self._box.right - self._box.left, self._box.bottom - self._box.top
        return float(np.clip(down / across, LOWEST, HIGHEST))

    def frame(self, width: int, height: int) -> RasterFrame:
        """Return the frame of a picture of that size."""
        return fitted(self._box, width, height)

    def outline(self, chosen: Bools) -> Floats:
        """Return lines around selected nodes, in map coordinates, (S, 2, 2); none without nodes."""
        if self._layout is None:
            return np.empty((0, 2, 2))
        return self._layout.outline(chosen)

    def painted(
        self,
        values: Floats,
        inks: Inks,
        colours: Colours,
        *,
        width: int,
        height: int,
        ratio: float = 1.0,
        chosen: Bools | None = None,
    ) -> Pixels:
        """Return the map in the colours of values, shape (height, width); transparent beside it.

        `chosen` items get a ring where items are drawn.
        """
        if self._layout is None:
            picture = np.zeros((height, width), dtype=np.uint32)
            self._draw_points(picture, values, inks, colours, ratio=ratio, chosen=chosen)
            return picture
        if self._raster is None or self._raster[0] != (width, height):
            self._raster = (width, height), cell_raster(self._layout, self.frame(width, height))
        table = np.append(inks.pixels(values, colours.empty), np.uint32(0))
        return np.ascontiguousarray(self._raster[1].painted(table))

    def _draw_points(
        self,
        picture: Pixels,
        values: Floats,
        inks: Inks,
        colours: Colours,
        *,
        ratio: float,
        chosen: Bools | None,
    ) -> None:
        """Draw all items; with chosen ones, the others fade, and these follow in rings."""
        height, width = picture.shape
        x, y = (np.ascontiguousarray(axis) for axis in self._positions.T)
        dot = FILLED * min(width, height) / np.sqrt(max(len(x), 1))
        dot = float(np.clip(dot, LEAST_DOT * ratio, MOST_DOT * ratio))
        everyone, ink = np.arange(len(x)), inks.pixels(values, colours.border_strong)
        layers = [(everyone, ink, dot)]
        if chosen is not None and chosen.any():
            front, faded = np.flatnonzero(chosen), inks.dimmed(colours.surface)
            ring = np.full(len(x), packed(colour_rows((colours.text,)))[0])
            layers = [(everyone, faded.pixels(values, colours.empty), dot)]
            layers += [(front, ring, dot + RING * ratio), (front, ink, dot)]
        frame = self.frame(width, height)
        for order, inked, diameter in layers:
            stamp_points(picture, x, y, order=order, colours=inked, diameter=diameter, frame=frame)


def _roomy(positions: Floats) -> Box:
    """Return the bounding box of positions with a margin, which single points need, too."""
    if not len(positions):
        return Box(0.0, 0.0, 1.0, 1.0)
    around = Box.around(positions)
    room = MARGIN * (around.longer_side or 1.0)
    left, top, right, bottom = (np.array(around) + room * np.array([-1, -1, 1, 1])).tolist()
    return Box(left, top, right, bottom)
