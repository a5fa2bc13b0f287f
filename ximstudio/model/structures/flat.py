"""Rows and columns of nodes: squares, hexagons, and squares rolled into a cylinder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.structures.structure import Cell, Lattice, Structure

if TYPE_CHECKING:
    from ximstudio.model.grid import Grid


class RowLattice(Structure):
    """Common base of all lattices of rows and columns."""

    cell = Cell.TILE
    in_rows = True
    by_offset = True

    def nodes(self, grid: Grid) -> Floats:
        row, column = np.divmod(np.arange(grid.n_nodes), grid.columns)
        x = column + self.row_shift * (row % 2)
        return np.column_stack([x, row * self.row_height]).astype(np.float64)

    def edges(self, grid: Grid) -> Ints:
        row, column = np.divmod(np.arange(grid.n_nodes), grid.columns)
        pairs: set[tuple[int, int]] = set()
        for j, (r, c) in enumerate(zip(row.tolist(), column.tolist(), strict=True)):
            for down, right in self.ahead(r):
                k = self._node_at(grid, r + down, c + right)
                if k is not None and k != j:
                    pairs.add((min(j, k), max(j, k)))
        return frozen(np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2))

    def ahead(self, row: int) -> list[tuple[int, int]]:  # noqa: ARG002
        """Return the offsets to the neighbours to the right of and below a node of this row."""
        return [(0, 1), (1, 0)]

    def sides(self, grid: Grid) -> tuple[float, ...]:
        return (float(grid.columns), grid.rows * self.row_height)

    def extent(self, grid: Grid) -> float:
        return float(max(grid.rows, grid.columns))

    def _node_at(self, grid: Grid, row: int, column: int) -> int | None:
        sideways, upright = self.joined(grid)
        if sideways:
            column %= grid.columns
        if upright:
            row %= grid.rows
        inside = 0 <= row < grid.rows and 0 <= column < grid.columns
        return row * grid.columns + column if inside else None


class Rectangular(RowLattice):
    """Squares; joined, a torus."""

    lattice = Lattice.RECTANGULAR
    about = "squares, four neighbours"
    joinable = True

    def joined(self, grid: Grid) -> tuple[bool, bool]:
        return (grid.toroidal, grid.toroidal)


class Hexagonal(Rectangular):
    """A honeycomb: every second row is shifted by half."""

    lattice = Lattice.HEXAGONAL
    about = "honeycomb, six neighbours, all equally far"
    row_height = float(np.sqrt(3.0) / 2.0)
    row_shift = 0.5

    def ahead(self, row: int) -> list[tuple[int, int]]:
        # In the next row it touches columns c-1 and c, or c and c+1 from a shifted row.
        return [(0, 1), (1, row % 2 - 1), (1, row % 2)]


class Cylinder(RowLattice):
    """Squares, joined left to right."""

    lattice = Lattice.CYLINDER
    about = "squares, joined left to right: for one direction that comes back, such as a cycle"

    def joined(self, grid: Grid) -> tuple[bool, bool]:  # noqa: ARG002
        return (True, False)
