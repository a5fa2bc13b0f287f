"""Where a place of the map is drawn: where it is, and of a map in space layer beside layer."""

from __future__ import annotations

from math import ceil, sqrt

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid

GAP = 1.0
"""Between the cells of two layers, in grid units."""


def drawn(grid: Grid | None, places: Floats) -> Floats:
    """Where places (n, d) of a map, those of nodes or of items, are drawn: shape (n, 2).

    Of a map in space, every layer one unit thick is a panel, from left to right and from top to
    bottom, all together about as wide as high. Without a grid the first two coordinates are drawn.
    """
    if places.shape[1] == 2:
        return places
    if grid is None:
        return places[:, :2]
    width, height, depth = np.ptp(grid.nodes, axis=0) + 1.0
    n_layers = round(depth)
    across = min(n_layers, ceil(sqrt(n_layers * (height + GAP) / (width + GAP))))
    layers = np.clip(np.rint(places[:, 2]), 0, n_layers - 1)
    down, right = np.divmod(layers, across)
    return np.column_stack([right * (width + GAP), down * (height + GAP)]) + places[:, :2]
