"""The sides that neighbouring cells share, and borders between clusters, as they are drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.maps.cells import Tiles, neighbours, tiles
from ximstudio.maps.layout import Layout, OrientedCells
from ximstudio.maps.mosaic import Mosaic
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid


@dataclass(frozen=True, kw_only=True, eq=False)
class CellSides:
    """Lines between neighbouring cells.

    Parameters
    ----------
    lines
        Both ends of every line, shape (S, 2, 2).
    pairs
        The nodes on both sides, the smaller number first, shape (S, 2).
    """

    lines: Floats
    pairs: Ints


def sides(layout: Layout) -> CellSides:
    """All lines between neighbouring cells of a map as it is drawn; none along its rim.

    Where a torus is cut to be drawn, cells across the seam are neighbours: their line is drawn on
    both sides of the map.
    """
    if isinstance(layout, OrientedCells):
        straight = sides(layout.straight)
        return CellSides(lines=layout.turned(straight.lines), pairs=straight.pairs)
    return _of_tiles(layout) if isinstance(layout, Tiles) else _of_mosaic(layout)


def _of_tiles(layout: Tiles) -> CellSides:
    across = neighbours(layout.grid)[layout.nodes]
    own = layout.nodes[:, None]
    tile, edge = np.nonzero((across >= 0) & (across != own))
    corners = layout.cells
    ends = np.stack([corners[tile, edge], corners[tile, (edge + 1) % corners.shape[1]]], axis=1)
    # Both cells have it: the same middle, up to rounding.
    middles = np.rint(ends.mean(axis=1) * 1e6).astype(np.int64)
    _, once = np.unique(middles, axis=0, return_index=True)
    once = np.sort(once)
    pairs = np.column_stack([layout.nodes[tile], across[tile, edge]])[once]
    return CellSides(lines=ends[once], pairs=np.sort(pairs, axis=1))


def _of_mosaic(layout: Mosaic) -> CellSides:
    lines, pairs = [np.empty((0, 2, 2))], [np.empty((0, 2), dtype=np.int64)]
    for node in range(layout.grid.n_nodes):
        corners, across = layout.patch(node)
        # Once for both cells: their corners are the same.
        shared = np.flatnonzero(across > node)
        lines.append(corners[np.column_stack([shared, (shared + 1) % len(corners)])])
        pairs.append(np.column_stack([np.full(len(shared), node), across[shared]]))
    return CellSides(lines=np.concatenate(lines), pairs=np.concatenate(pairs))


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
