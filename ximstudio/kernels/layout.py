"""Arrays laid out for the kernels: aligned to cache lines and padded to full vectors."""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.lattice import Nodes
from ximstudio.kernels.online import FEATURES_AT_ONCE, Items, Work
from ximstudio.model.arrays import Floats, Floats32
from ximstudio.model.grid import Grid

LANES = 16
"""Nodes are padded to a multiple of this many float32 values: one cache line."""
PAGE = 4096
FAR_AWAY = np.float32(1e15)
"""Where padded prototypes lie: far from all items, and its square is still finite."""


def aligned(*shape: int) -> Floats32:
    """Zeros that begin at a cache line."""
    size = int(np.prod(shape))
    room = np.zeros(size + LANES, dtype=np.float32)
    skip = (-room.ctypes.data % 64) // 4
    return room[skip : skip + size].reshape(shape)


def rounded_up(number: int, multiple: int) -> int:
    """The next multiple that is not smaller."""
    return -(-number // multiple) * multiple


def padded_nodes(n_nodes: int) -> int:
    """Nodes with padding; rows of whole memory pages would compete for the same cache lines."""
    padded = rounded_up(n_nodes, LANES)
    return padded + LANES if (padded * 4) % PAGE == 0 else padded


def lay_out_items(values: Floats, observed: Floats | None) -> Items:
    """Items for the online kernels; `values` has 0 where `observed` is 0."""
    n_items, n_features = values.shape
    padded = rounded_up(n_features, FEATURES_AT_ONCE)
    room = aligned(n_items, padded)
    room[:, :n_features] = values
    weights = np.ones(n_items, dtype=np.float32)
    if observed is None:
        return Items(room, np.empty((0, 0), dtype=np.float32), weights)
    seen = aligned(n_items, padded)
    seen[:, :n_features] = observed
    weights[:] = n_features / observed.sum(axis=1)
    return Items(room, seen, weights)


def lay_out_prototypes(prototypes: Floats | Floats32) -> Floats32:
    """Prototypes (D, M) for the online kernels; padded nodes lie too far away to win."""
    n_features, n_nodes = prototypes.shape
    room = aligned(rounded_up(n_features, FEATURES_AT_ONCE), padded_nodes(n_nodes))
    room[:n_features, :n_nodes] = prototypes
    room[:, n_nodes:] = FAR_AWAY
    return room


def lay_out_nodes(grid: Grid) -> Nodes:
    """The grid as kernels see it."""
    period_x, period_y = grid.periods
    x, y = aligned(grid.n_nodes), aligned(grid.n_nodes)
    x[:], y[:] = grid.nodes.T
    return Nodes(
        x=x,
        y=y,
        period_x=np.float32(period_x),
        period_y=np.float32(period_y),
        rows=grid.rows,
        columns=grid.columns,
        row_height=np.float32(grid.row_height),
        row_shift=np.float32(grid.row_shift),
    )


def work_space(grid: Grid) -> Work:
    """Scratch arrays for training on `grid`."""
    n_nodes, padded = grid.n_nodes, padded_nodes(grid.n_nodes)
    offsets = 2 * grid.columns - 1
    return Work(
        d_E=aligned(padded),
        d_O=aligned(n_nodes),
        h=aligned(n_nodes),
        gain=aligned(padded),
        score=aligned(n_nodes),
        own=aligned(n_nodes),
        table=aligned(2, 2 * grid.rows - 1, offsets),
        row=aligned(offsets),
        running=np.empty((2, 2 * grid.rows - 1, offsets + 1)),
    )
