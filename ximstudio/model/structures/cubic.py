"""Layers of squares above each other: a lattice in space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.structures.structure import Cell, Lattice, Structure

if TYPE_CHECKING:
    from ximstudio.model.grid import Grid


class Cubic(Structure):
    """Node j lies in layer j // (rows · columns), in there row by row."""

    lattice = Lattice.CUBIC
    about = "a block of 'depth' layers of rows and columns, drawn layer by layer"
    cell = Cell.SQUARE
    in_rows = True

    def nodes(self, grid: Grid) -> Floats:
        layer, row, column = np.indices((grid.depth, grid.rows, grid.columns)).reshape(3, -1)
        return np.column_stack([column, row, layer]).astype(np.float64)

    def edges(self, grid: Grid) -> Ints:
        numbers = np.arange(grid.n_nodes).reshape(grid.depth, grid.rows, grid.columns)
        pairs = [
            np.column_stack([along[:-1].ravel(), along[1:].ravel()])
            for along in (np.moveaxis(numbers, axis, 0) for axis in range(3))
        ]
        return np.unique(np.concatenate(pairs), axis=0)
