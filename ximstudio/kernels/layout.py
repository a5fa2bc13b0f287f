"""Arrays laid out for the kernels: aligned to cache lines and padded to full vectors."""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.lattice import Nodes
from ximstudio.kernels.online import FEATURES_AT_ONCE, OnlineItems, OnlineScratch
from ximstudio.model.arrays import Floats, Floats32
from ximstudio.model.grid import Grid

LANES = 16
"""Multiple of float32 values that nodes are padded to: one cache line."""
PAGE = 4096
ROWS_AT_ONCE = 64
"""Number of nodes whose distances to all others are taken at once."""
FAR_AWAY = np.float32(1e15)
"""Position of padded prototypes: far from all items, with a finite square."""


def aligned(*shape: int) -> Floats32:
    """Return zeros that begin at a cache line."""
    size = int(np.prod(shape))
    room = np.zeros(size + LANES, dtype=np.float32)
    skip = (-room.ctypes.data % 64) // 4
    return room[skip : skip + size].reshape(shape)


def rounded_up(number: int, multiple: int) -> int:
    """Return the next multiple that is not smaller."""
    return -(-number // multiple) * multiple


def padded_nodes(n_nodes: int) -> int:
    """Return the number of nodes with padding; whole pages would compete for cache lines."""
    padded = rounded_up(n_nodes, LANES)
    return padded + LANES if (padded * 4) % PAGE == 0 else padded


def lay_out_items(values: Floats, observed: Floats | None) -> OnlineItems:
    """Lay out items for the online kernels; `values` has 0 where `observed` is 0."""
    n_items, n_features = values.shape
    padded = rounded_up(n_features, FEATURES_AT_ONCE)
    room = aligned(n_items, padded)
    room[:, :n_features] = values
    weights = np.ones(n_items, dtype=np.float32)
    if observed is None:
        return OnlineItems(room, np.empty((0, 0), dtype=np.float32), weights)
    seen = aligned(n_items, padded)
    seen[:, :n_features] = observed
    weights[:] = n_features / observed.sum(axis=1)
    return OnlineItems(room, seen, weights)


def lay_out_prototypes(prototypes: Floats | Floats32) -> Floats32:
    """Lay out prototypes (D, M) for the online kernels; padded nodes lie too far away to win."""
    n_features, n_nodes = prototypes.shape
    room = aligned(rounded_up(n_features, FEATURES_AT_ONCE), padded_nodes(n_nodes))
    room[:n_features, :n_nodes] = prototypes
    room[:, n_nodes:] = FAR_AWAY
    return room


def lay_out_nodes(grid: Grid) -> Nodes:
    """Lay out the grid for kernels."""
    places, periods = grid.structure.measured(grid)
    x, y = aligned(grid.n_nodes), aligned(grid.n_nodes)
    x[:], y[:] = places.T[:2]
    z = aligned(grid.n_nodes if places.shape[1] > 2 else 0)
    z[:] = places.T[-1] if z.size else 0.0
    return Nodes(
        x=x,
        y=y,
        z=z,
        apart=_distances(grid),
        by_offset=grid.structure.by_offset,
        period_x=np.float32(periods[0]),
        period_y=np.float32(periods[1]),
        rows=grid.rows,
        columns=grid.columns,
        row_height=np.float32(grid.row_height),
        row_shift=np.float32(grid.row_shift),
    )


def _distances(grid: Grid) -> Floats32:
    """d_O between all nodes, (M, M), where it is not the distance of coordinates; else empty."""
    n_nodes = grid.n_nodes if grid.structure.tabled else 0
    apart = aligned(n_nodes, n_nodes)
    every = np.arange(n_nodes)
    for begin in range(0, n_nodes, ROWS_AT_ONCE):
        rows = every[begin : begin + ROWS_AT_ONCE]
        apart[rows] = grid.squared_distances(rows, every)
    return apart


def work_space(grid: Grid) -> OnlineScratch:
    """Allocate scratch arrays for training on `grid`."""
    n_nodes, padded = grid.n_nodes, padded_nodes(grid.n_nodes)
    rows, columns = (grid.rows, grid.columns) if grid.structure.by_offset else (1, 1)
    offsets = 2 * columns - 1
    return OnlineScratch(
        d_E=aligned(padded),
        d_O=aligned(n_nodes),
        h=aligned(n_nodes),
        gain=aligned(padded),
        score=aligned(n_nodes),
        own=aligned(n_nodes),
        table=aligned(2, 2 * rows - 1, offsets),
        row=aligned(offsets),
        running=np.empty((2, 2 * rows - 1, offsets + 1)),
    )
