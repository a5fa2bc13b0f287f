"""One-dimensional structures: a chain of nodes, and a ring."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.structures.flat import RowLattice
from ximstudio.model.structures.structure import Cell, Lattice, Structure

if TYPE_CHECKING:
    from ximstudio.model.grid import Grid


class Chain(RowLattice):
    """All nodes in one row."""

    lattice = Lattice.LINE
    about = "one row of all nodes: for a gradient, such as a development"
    cell = Cell.BAR
    in_rows = False


class Ring(Structure):
    """All nodes on a circle, from its top on with the clock; distances go along it."""

    lattice = Lattice.RING
    about = "one circle of all nodes: for what comes back, such as the cell cycle"
    cell = Cell.SECTOR
    by_offset = True

    def nodes(self, grid: Grid) -> Floats:
        angles = 2.0 * np.pi * np.arange(grid.n_nodes) / grid.n_nodes
        return np.column_stack([np.sin(angles), -np.cos(angles)]) * radius(grid.n_nodes)

    def edges(self, grid: Grid) -> Ints:
        n_nodes = grid.n_nodes
        here = np.arange(n_nodes)
        pairs = np.sort(np.column_stack([here, (here + 1) % n_nodes]), axis=1)
        return np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0).reshape(-1, 2)

    def measured(self, grid: Grid) -> tuple[Floats, tuple[float, ...]]:
        along = np.arange(grid.n_nodes, dtype=np.float64)
        return np.column_stack([along, np.zeros(grid.n_nodes)]), (float(grid.n_nodes), np.inf)

    def extent(self, grid: Grid) -> float:
        return max(0.5 * grid.n_nodes, 1.0)


def radius(n_nodes: int) -> float:
    """Return the radius of the circle on which so many nodes lie 1 apart, along the circle."""
    return n_nodes / (2.0 * np.pi)
