"""The map's structure hypothesis: where the nodes lie and how far apart they are (TR section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from ximstudio.model.arrays import Floats, Ints, frozen

ROW_HEIGHT = {"rectangular": 1.0, "hexagonal": float(np.sqrt(3.0) / 2.0)}
"""Distance between rows of nodes, in grid units: neighbouring nodes are 1 apart."""


class Lattice(StrEnum):
    """How the nodes of a map are arranged."""

    RECTANGULAR = "rectangular"
    HEXAGONAL = "hexagonal"


@dataclass(frozen=True)
class Grid:
    """A lattice of rows × columns nodes; every second row of a hexagonal one is shifted by half.

    Node j lies in row j // columns and column j % columns. A toroidal grid is joined left to
    right and top to bottom, so a hexagonal torus needs an even number of rows.
    """

    rows: int
    columns: int
    lattice: Lattice = Lattice.RECTANGULAR
    toroidal: bool = False

    @property
    def n_nodes(self) -> int:
        return self.rows * self.columns

    @property
    def longer_side(self) -> int:
        return max(self.rows, self.columns)

    @property
    def row_height(self) -> float:
        return ROW_HEIGHT[self.lattice]

    @property
    def row_shift(self) -> float:
        """How far odd rows are moved to the right."""
        return 0.5 if self.lattice is Lattice.HEXAGONAL else 0.0

    @cached_property
    def nodes(self) -> Floats:
        """Places r_j of the nodes, shape (M, 2): x to the right, y with the row number."""
        row, column = np.divmod(np.arange(self.n_nodes), self.columns)
        x = column + self.row_shift * (row % 2)
        return frozen(np.column_stack([x, row * self.row_height]).astype(np.float64))

    @property
    def periods(self) -> tuple[float, float]:
        """Length of the map along x and y after which it repeats; infinite where it does not."""
        if not self.toroidal:
            return (np.inf, np.inf)
        return (float(self.columns), self.rows * self.row_height)

    @property
    def origin(self) -> tuple[float, float]:
        """Where positions on a torus begin: they lie between here and one period on.

        Chosen so that every node lies well inside, and so do the cells drawn around them.
        """
        return (0.5 * self.row_shift - 0.5, -0.5 * self.row_height)

    def squared_distances(self, origins: Ints, targets: Ints) -> Floats:
        """Map distances d_O between nodes, shape (len(origins), len(targets))."""
        total = np.zeros((len(origins), len(targets)))
        for places, period in zip(self.nodes.T, self.periods, strict=True):
            apart = np.abs(np.subtract.outer(places[origins], places[targets]))
            total += np.minimum(apart, period - apart) ** 2
        return total

    @cached_property
    def edges(self) -> Ints:
        """Pairs (j, k), j < k, of neighbouring nodes, seams included, shape (E, 2)."""
        row, column = np.divmod(np.arange(self.n_nodes), self.columns)
        steps = [(0, 1), (1, 0)]
        pairs: set[tuple[int, int]] = set()
        for j, (r, c) in enumerate(zip(row.tolist(), column.tolist(), strict=True)):
            if self.lattice is Lattice.HEXAGONAL:
                # In the next row it touches columns c-1 and c, or c and c+1 from a shifted row.
                steps = [(0, 1), (1, r % 2 - 1), (1, r % 2)]
            for down, right in steps:
                k = self._node_at(r + down, c + right)
                if k is not None and k != j:
                    pairs.add((min(j, k), max(j, k)))
        return frozen(np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2))

    def _node_at(self, row: int, column: int) -> int | None:
        if self.toroidal:
            row, column = row % self.rows, column % self.columns
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return row * self.columns + column if inside else None
