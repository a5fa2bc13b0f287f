"""What a structure hypothesis is: where nodes lie, how far apart they are, who neighbours whom."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ximstudio.model.arrays import Floats, Ints

if TYPE_CHECKING:
    from ximstudio.model.grid import Grid


class Lattice(StrEnum):
    """How the nodes of a map are arranged."""

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
    """What is drawn around a node."""

    TILE = auto()
    """A square or hexagon of a lattice of rows and columns."""
    SQUARE = auto()
    """A unit square of its own."""
    BAR = auto()
    """A piece of a line, higher than wide."""
    SECTOR = auto()
    """A piece of an annulus."""
    AROUND = auto()
    """All that is nearer to it than to other nodes, but not far from it."""
    IN_CIRCLE = auto()
    """All of a round map that is nearer to it than to other nodes."""
    IN_BOX = auto()
    """All of a rectangular map that is nearer to it than to other nodes."""
    HEPTAGON = auto()
    """A regular heptagon of the hyperbolic plane."""


class Structure(ABC):
    """One structure hypothesis; what it does not say is that of nodes strewn over a plane."""

    lattice: ClassVar[Lattice]
    about: ClassVar[str]
    """What a person reads who chooses it."""
    cell: ClassVar[Cell] = Cell.AROUND
    in_rows: ClassVar[bool] = False
    """Whether node j lies in row j // columns and column j % columns."""
    by_offset: ClassVar[bool] = False
    """Whether distances depend on how many rows and columns nodes are apart, and no more."""
    tabled: ClassVar[bool] = False
    """Whether distances are those of no coordinates, so that training holds a table of them."""
    joinable: ClassVar[bool] = False
    """Whether a person may join its edges."""
    row_height: ClassVar[float] = 1.0
    """Distance between two rows, in grid units."""
    row_shift: ClassVar[float] = 0.0
    """How far odd rows are moved to the right."""

    def shape(self, rows: int, columns: int) -> tuple[int, int]:
        """Rows and columns that as many nodes are counted by."""
        return (rows, columns) if self.in_rows else (1, rows * columns)

    def joined(self, grid: Grid) -> tuple[bool, bool]:  # noqa: ARG002
        """Whether the map is joined left to right, and top to bottom."""
        return (False, False)

    @abstractmethod
    def nodes(self, grid: Grid) -> Floats:
        """Places r_j of the nodes, shape (M, d)."""

    @abstractmethod
    def edges(self, grid: Grid) -> Ints:
        """Pairs (j, k), j < k, of neighbours, in order, shape (E, 2)."""

    def measured(self, grid: Grid) -> tuple[Floats, tuple[float, ...]]:
        """Coordinates in which distances are straight, (M, d), and after what length they repeat.

        The nodes' places, but for maps that are drawn bent.
        """
        return grid.nodes, grid.periods

    def squared_distances(self, grid: Grid, origins: Ints, targets: Ints) -> Floats:
        """Map distances d_O between nodes, shape (len(origins), len(targets))."""
        total = np.zeros((len(origins), len(targets)))
        for places, period in zip(*_axes(self.measured(grid)), strict=True):
            apart = np.abs(np.subtract.outer(places[origins], places[targets]))
            total += np.minimum(apart, period - apart) ** 2
        return total

    def sides(self, grid: Grid) -> tuple[float, ...]:
        """How long the map is along every axis of its places, one grid unit per node."""
        return tuple((np.ptp(grid.nodes, axis=0) + 1.0).tolist())

    def extent(self, grid: Grid) -> float:
        """How far it is from one end of the map to the other, in grid units."""
        return max(self.sides(grid))


def _axes(measured: tuple[Floats, tuple[float, ...]]) -> tuple[Floats, tuple[float, ...]]:
    places, periods = measured
    return places.T, periods
