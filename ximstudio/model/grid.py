"""The map's structure hypothesis: positions of nodes and distances between them (TR section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.structures import BY_LATTICE, Lattice, Structure


@dataclass(frozen=True)
class Grid:
    """The nodes of a map, arranged by `lattice`; d_O in grid units: neighbours are 1 apart.

    Node j lies in row j // columns and column j % columns, counted through all layers if there are
    several; nodes that lie in no rows count as one row. A toroidal grid is joined left to right and
    top to bottom, so a hexagonal torus needs an even number of rows. `depth` is the number of
    layers of a cubic grid, and `places` are the nodes of one from a table.
    """

    rows: int
    columns: int
    lattice: Lattice = Lattice.RECTANGULAR
    toroidal: bool = False
    depth: int = 1
    places: tuple[tuple[float, ...], ...] = ()

    def __post_init__(self) -> None:
        rows, columns = self.structure.shape(self.rows, self.columns)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "columns", columns)

    @classmethod
    def of_places(cls, places: Floats) -> Grid:
        """Return the grid of nodes at these distinct positions, (M, 2) or (M, 3)."""
        return cls(1, len(places), Lattice.TABLE, places=tuple(map(tuple, places.tolist())))

    @property
    def structure(self) -> Structure:
        """The structure hypothesis that computes positions and distances of the nodes."""
        return BY_LATTICE[self.lattice]

    @property
    def n_nodes(self) -> int:
        return self.rows * self.columns * self.depth

    @property
    def longer_side(self) -> float:
        """Distance from one end of the map to the other."""
        return self.structure.extent(self)

    @property
    def row_height(self) -> float:
        return self.structure.row_height

    @property
    def row_shift(self) -> float:
        """Shift of odd rows to the right."""
        return self.structure.row_shift

    @cached_property
    def nodes(self) -> Floats:
        """Places r_j of the nodes, shape (M, d): x to the right, y with the row number, z if d = 3.

        Positions of items lie between them. On a ring they lie on a circle, and on the hyperbolic
        plane in the Poincaré disc: d_O is not their straight distance there.
        """
        return frozen(self.structure.nodes(self))

    @property
    def n_axes(self) -> int:
        """Number of coordinates of a position: 2, or 3 in space."""
        return int(self.nodes.shape[1])

    @property
    def joined(self) -> tuple[bool, bool]:
        """Flags: joined left to right, and joined top to bottom."""
        return self.structure.joined(self)

    @property
    def repeats(self) -> bool:
        """True if the map is periodic along one axis or both."""
        return any(self.joined)

    @property
    def periods(self) -> tuple[float, ...]:
        """Period of the map along every axis; infinite where it does not repeat."""
        if not self.repeats:
            return (np.inf,) * self.n_axes
        return tuple(
            side if joined else np.inf
            for side, joined in zip(self.structure.sides(self), self.joined, strict=True)
        )

    @property
    def origin(self) -> tuple[float, ...]:
        """Lower bounds of positions along every axis; a periodic map ends one period further.

        Chosen so that every node lies well inside, and so do the cells drawn around them.
        """
        if not self.repeats:
            return (-np.inf,) * self.n_axes
        return (0.5 * self.row_shift - 0.5, -0.5 * self.row_height)

    def squared_distances(self, origins: Ints, targets: Ints) -> Floats:
        """Map distances d_O between nodes, shape (len(origins), len(targets))."""
        return self.structure.squared_distances(self, origins, targets)

    @cached_property
    def edges(self) -> Ints:
        """Pairs (j, k), j < k, of neighbouring nodes, seams included, shape (E, 2)."""
        return frozen(self.structure.edges(self))


def shortened(apart: Floats, periods: Sequence[float]) -> Floats:
    """Differences of positions, (…, d), the short way round where a map repeats."""
    turns = np.zeros_like(apart)
    lengths = np.asarray(periods)
    joined = np.isfinite(lengths)
    turns[..., joined] = lengths[joined] * np.rint(apart[..., joined] / lengths[joined])
    return np.asarray(apart - turns)


__all__ = ["Grid", "Lattice", "shortened"]
