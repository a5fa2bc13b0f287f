"""Base of structure hypotheses: positions of nodes, distances and neighbourhood."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ximstudio.model.arrays import Floats, Ints

if TYPE_CHECKING:
    from ximstudio.model.grid import Grid


class Lattice(StrEnum):
    """Arrangements of the nodes of a map."""

    RECTANGULAR = "rectangular"
    HEXAGONAL = "hexagonal"
    CYLINDER = "cylinder"
    LINE = "line"
    RING = "ring"
    CUBIC = "cubic"
    DISC = "disc"
    RANDOM = "random"
    HYPERBOLIC = "hyperbolic"
    TABLE = "table"


class Cell(Enum):
    """Shapes drawn around nodes."""

    TILE = auto()
    """A square or hexagon of a lattice of rows and columns."""
    SQUARE = auto()
    """A unit square of its own."""
    BAR = auto()
    """A piece of a line, higher than wide."""
    SECTOR = auto()
    """A piece of an annulus."""
    AROUND = auto()
    """The region nearer to it than to other nodes, up to a limited distance."""
    IN_CIRCLE = auto()
    """The region of a round map that is nearer to it than to other nodes."""
    IN_BOX = auto()
    """The region of a rectangular map that is nearer to it than to other nodes."""
    HEPTAGON = auto()
    """A regular heptagon of the hyperbolic plane."""


class Structure(ABC):
    """A structure hypothesis; defaults are those of nodes strewn over a plane."""

    lattice: ClassVar[Lattice]
    about: ClassVar[str]
    """Description for users who choose it."""
    cell: ClassVar[Cell] = Cell.AROUND
    in_rows: ClassVar[bool] = False
    """True if node j lies in row j // columns and column j % columns."""
    by_offset: ClassVar[bool] = False
    """True if distances depend only on the offset between nodes in rows and columns."""
    tabled: ClassVar[bool] = False
    """True if distances follow from no coordinates, so that training holds a table of them."""
    joinable: ClassVar[bool] = False
    """True if the user may join its edges."""
    row_height: ClassVar[float] = 1.0
    """Distance between two rows, in grid units."""
    row_shift: ClassVar[float] = 0.0
    """Shift of odd rows to the right."""

    def shape(self, rows: int, columns: int) -> tuple[int, int]:
        """Return the rows and columns that so many nodes are counted by."""
        return (rows, columns) if self.in_rows else (1, rows * columns)

    def joined(self, grid: Grid) -> tuple[bool, bool]:  # noqa: ARG002
        """Return flags: joined left to right, and joined top to bottom."""
        return (False, False)

    @abstractmethod
    def nodes(self, grid: Grid) -> Floats:
        """Return positions r_j of the nodes, shape (M, d)."""

    @abstractmethod
    def edges(self, grid: Grid) -> Ints:
        """Return pairs (j, k), j < k, of neighbours, in order, shape (E, 2)."""

    def measured(self, grid: Grid) -> tuple[Floats, tuple[float, ...]]:
        """Return coordinates in which distances are Euclidean, (M, d), and their periods.

        The nodes' positions, except for maps that are drawn curved.
        """
        return grid.nodes, grid.periods

    def squared_distances(self, grid: Grid, origins: Ints, targets: Ints) -> Floats:
        """Return map distances d_O between nodes, shape (len(origins), len(targets))."""
        total = np.zeros((len(origins), len(targets)))
        for places, period in zip(*_axes(self.measured(grid)), strict=True):
            apart = np.abs(np.subtract.outer(places[origins], places[targets]))
            total += np.minimum(apart, period - apart) ** 2
        return total

    def sides(self, grid: Grid) -> tuple[float, ...]:
        """Return the length of the map along every axis, one grid unit per node."""
        return tuple((np.ptp(grid.nodes, axis=0) + 1.0).tolist())

    def extent(self, grid: Grid) -> float:
        """Return the distance from one end of the map to the other, in grid units."""
        return max(self.sides(grid))


def _axes(measured: tuple[Floats, tuple[float, ...]]) -> tuple[Floats, tuple[float, ...]]:
    places, periods = measured
    return places.T, periods
