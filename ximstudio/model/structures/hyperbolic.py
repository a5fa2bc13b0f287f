"""The hyperbolic plane, seven triangles around every node: much room far from the centre."""

from __future__ import annotations

import cmath
import heapq
from dataclasses import dataclass
from functools import lru_cache
from math import acosh, atan2, cos, pi, tanh
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.model.arrays import Complexes, Floats, Ints, frozen
from ximstudio.model.structures.structure import Cell, Lattice, Structure

if TYPE_CHECKING:
    from ximstudio.model.grid import Grid

AROUND = 7
"""Triangles that meet in a node: the tessellation {3, 7}."""
EDGE = acosh(cos(2.0 * pi / AROUND) / (1.0 - cos(2.0 * pi / AROUND)))
"""Length of their sides where the curvature is −1 (Coxeter): the unit of the map."""
SCALE = 2.0 / EDGE
"""Radius of the Poincaré disc in grid units: lengths near its centre are undistorted."""
FINE = 1000.0
"""Resolution, in parts of a unit, by which vertices are distinguished; they are at least one unit
apart.
"""


class Hyperbolic(Structure):
    """The vertices of {3, 7} nearest to one of them, in the Poincaré disc."""

    lattice = Lattice.HYPERBOLIC
    about = "triangles of the hyperbolic plane: room for trees that branch again and again"
    cell = Cell.HEPTAGON
    tabled = True

    def nodes(self, grid: Grid) -> Floats:
        found = tessellation(grid.n_nodes).vertices[: grid.n_nodes]
        return SCALE * np.column_stack([found.real, found.imag])

    def edges(self, grid: Grid) -> Ints:
        around = tessellation(grid.n_nodes).around
        here = np.repeat(np.arange(grid.n_nodes), AROUND)
        pairs = np.column_stack([here, around.ravel()])
        inside = (pairs[:, 0] < pairs[:, 1]) & (pairs[:, 1] < grid.n_nodes)
        return np.unique(pairs[inside], axis=0).reshape(-1, 2)

    def squared_distances(self, grid: Grid, origins: Ints, targets: Ints) -> Floats:
        places = grid.nodes / SCALE
        here, there = places[origins], places[targets]
        apart = ((here[:, None] - there[None]) ** 2).sum(axis=2)
        room = np.outer(1.0 - (here**2).sum(axis=1), 1.0 - (there**2).sum(axis=1))
        return np.asarray((2.0 * np.arcsinh(np.sqrt(apart / room)) / EDGE) ** 2)

    def sides(self, grid: Grid) -> tuple[float, ...]:
        return tuple(np.ptp(grid.nodes, axis=0).tolist())

    def extent(self, grid: Grid) -> float:
        middle, last = np.array([0]), np.array([grid.n_nodes - 1])
        return float(2.0 * np.sqrt(self.squared_distances(grid, middle, last)[0, 0]) + 1.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Tessellation:
    """Vertices of {3, 7} in the unit disc, the nearest to its centre first, with their neighbours.

    `around` (n, 7) holds the neighbours of the first n vertices, counter-clockwise.
    """

    vertices: Complexes
    around: Ints


@lru_cache(maxsize=8)
def tessellation(n: int) -> Tessellation:
    """Return the n vertices nearest to the centre, and all of their neighbours.

    Every vertex but the first has a neighbour nearer to the centre. So the nearest among the
    neighbours of those found is the next one.
    """
    vertices: list[complex] = [0j]
    toward: list[complex] = [complex(tanh(0.5 * EDGE))]
    numbers = {_key(0j): 0}
    waiting: list[tuple[float, float, int]] = [(0.0, 0.0, 0)]
    order: list[int] = []
    around: list[list[int]] = []
    while len(order) < n:
        *_, vertex = heapq.heappop(waiting)
        order.append(vertex)
        around.append([])
        for place in _neighbours(vertices[vertex], toward[vertex]):
            number = numbers.setdefault(_key(place), len(vertices))
            if number == len(vertices):
                vertices.append(place)
                toward.append(vertices[vertex])
                # Rounded, so that equally distant ones are ordered by their angle.
                angle = atan2(place.imag, place.real) % (2.0 * pi)
                heapq.heappush(waiting, (round(abs(place), 9), round(angle, 9), number))
            around[-1].append(number)
    rest = sorted(set(range(len(vertices))) - set(order))
    rank = np.empty(len(vertices), dtype=np.int64)
    rank[[*order, *rest]] = np.arange(len(vertices))
    return Tessellation(
        vertices=frozen(np.array(vertices)[[*order, *rest]]),
        around=frozen(rank[np.array(around)]),
    )


def _neighbours(place: complex, toward: complex) -> list[complex]:
    """Return the seven neighbours of a vertex, by turning a known one around it."""
    direction = (toward - place) / (1.0 - place.conjugate() * toward)
    turned = [direction * cmath.exp(2j * pi * k / AROUND) for k in range(AROUND)]
    return [(place + step) / (1.0 + place.conjugate() * step) for step in turned]


def _key(place: complex) -> tuple[int, int]:
    """Return the vertex on the hyperboloid, in thousandths: no two of them come close there."""
    moved = 2.0 * FINE * place / (1.0 - abs(place) ** 2)
    return (round(moved.real), round(moved.imag))
