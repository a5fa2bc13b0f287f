"""Lines between the cells of different clusters, as they are drawn."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.cells import Tiles, neighbours, tiles
from ximstudio.maps.layout import Layout, Turned
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
    if isinstance(layout, Turned):
        return layout.turned(drawn_borders(layout.straight, clusters))
    if isinstance(layout, Tiles):
        return _between_tiles(layout, clusters)
    lines = [np.empty((0, 2, 2))]
    for node in range(layout.grid.n_nodes):
        corners, across = layout.patch(node)
        # Once for both sides: their corners are the same.
        other = (across > node) & (clusters[across] != clusters[node])
        lines.append(np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)[other])
    return np.concatenate(lines)


def _between_tiles(layout: Tiles, clusters: Ints) -> Floats:
    across = neighbours(layout.grid)[layout.nodes]
    own = clusters[layout.nodes][:, None]
    tile, edge = np.nonzero((across >= 0) & (clusters[across] != own))
    corners = layout.cells
    ends = np.stack([corners[tile, edge], corners[tile, (edge + 1) % corners.shape[1]]], axis=1)
    # Both sides of a border have it: the same middle, up to rounding.
    middles = np.rint(ends.mean(axis=1) * 1e6).astype(np.int64)
    _, once = np.unique(middles, axis=0, return_index=True)
    return np.asarray(ends[np.sort(once)])
