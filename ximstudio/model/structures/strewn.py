"""Nodes without a lattice: a disc, at random, or from a table; neighbours by Gabriel's rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.structures.gabriel import gabriel
from ximstudio.model.structures.structure import Cell, Lattice, Structure

if TYPE_CHECKING:
    from ximstudio.model.grid import Grid

TURN = np.pi * (3.0 - np.sqrt(5.0))
"""The golden angle, by which a sunflower turns from seed to seed (Vogel 1979)."""


class Strewn(Structure):
    """Nodes at arbitrary positions."""

    def edges(self, grid: Grid) -> Ints:
        return gabriel(grid.nodes)


class Disc(Strewn):
    """The seeds of a sunflower, one on every unit of area."""

    lattice = Lattice.DISC
    about = "a round map without corners, its nodes placed like the seeds of a sunflower"
    cell = Cell.IN_CIRCLE

    def nodes(self, grid: Grid) -> Floats:
        seeds = np.arange(grid.n_nodes)
        distance = np.sqrt((seeds + 0.5) / np.pi)
        around = np.column_stack([np.cos(seeds * TURN), np.sin(seeds * TURN)])
        return np.asarray(around * distance[:, None])

    def extent(self, grid: Grid) -> float:
        return float(2.0 * np.sqrt(grid.n_nodes / np.pi))


class Random(Strewn):
    """Uniform at random in a rectangle of one unit of area per node."""

    lattice = Lattice.RANDOM
    about = "nodes at random in a rectangle, always the same ones for a map size"
    cell = Cell.IN_BOX

    def shape(self, rows: int, columns: int) -> tuple[int, int]:
        return (rows, columns)

    def nodes(self, grid: Grid) -> Floats:
        # By the size of the map alone: the same nodes whatever the seed of the training.
        rng = np.random.default_rng([grid.rows, grid.columns])
        return rng.uniform(-0.5, 0.5, (grid.n_nodes, 2)) * self.sides(grid)

    def sides(self, grid: Grid) -> tuple[float, ...]:
        return (float(grid.columns), float(grid.rows))


class GivenNodes(Strewn):
    """Positions given by the user."""

    lattice = Lattice.TABLE
    about = "the places in a table of your own, given by 'node_file'"

    def nodes(self, grid: Grid) -> Floats:
        return np.array(grid.places, dtype=np.float64)
