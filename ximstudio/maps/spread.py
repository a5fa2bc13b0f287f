"""Items inside the cells of their nodes, where their own positions may lie beside them."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.cells import tiles
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid

REACH = 0.36
"""Largest distance of items from the middle of a cell, relative to the space around it."""
TURN = np.pi * (3.0 - np.sqrt(5.0))
"""The golden angle: from item to item it fills a disc evenly, whatever their number."""


def spread_in_nodes(winners: Ints, grid: Grid) -> Floats:
    """A place for every item in the cell of its winner, shape (N, 2); the same ones every time."""
    n_items = len(winners)
    counts = np.bincount(winners, minlength=grid.n_nodes)
    order = np.argsort(winners, kind="stable")
    begins = np.cumsum(counts) - counts
    rank = np.empty(n_items)
    rank[order] = np.arange(n_items) - begins[winners[order]]
    members = counts[winners]
    # One item lies in the middle, several around it.
    distance = np.where(members > 1, REACH * np.sqrt((rank + 0.5) / np.maximum(members, 1)), 0.0)
    around = np.column_stack([np.cos(rank * TURN), np.sin(rank * TURN)])
    room = tiles(grid)
    steps = (distance * room.sizes[winners])[:, None] * around
    return np.asarray(room.places[winners] + steps)
