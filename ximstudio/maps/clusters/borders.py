"""Lines between the cells of different clusters, as they are drawn."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.cells import tiles
from ximstudio.maps.layout import Layout
from ximstudio.maps.sides import sides
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid


def borders(grid: Grid, clusters: Ints) -> Floats:
    """Lines between neighbouring cells of different clusters, in drawn coordinates, (S, 2, 2).

    There are none along the rim of a map. Where a torus is cut to be drawn, cells across the seam
    are neighbours: a border there is drawn on both sides.
    """
    return drawn_borders(tiles(grid), clusters)


def drawn_borders(layout: Layout, clusters: Ints) -> Floats:
    """The same of a map that may be moved, repeated and turned when it is drawn."""
    every = sides(layout)
    apart = clusters[every.pairs[:, 0]] != clusters[every.pairs[:, 1]]
    return np.asarray(every.lines[apart])
