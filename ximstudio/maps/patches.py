"""Outlines of cells that are no squares or hexagons of a lattice, and what lies across them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ximstudio.model.arrays import Complexes, Floats, Ints, frozen
from ximstudio.model.grid import Grid
from ximstudio.model.structures.curves import radius
from ximstudio.model.structures.hyperbolic import AROUND, SCALE, tessellation

ROUND = 96
"""Corners of what is drawn for a circle."""
STRAIGHT = 4
"""Straight pieces that a side of a heptagon is drawn with: it is bent."""
SHORTEST = 1e-9
"""Sides shorter than this are made by rounding, where more than three cells meet in one point."""
UNIT_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


Corners = list[tuple[float, float, int]]
"""The corners of a cell, each with the node across the edge to the next, or −1."""


class Patch(NamedTuple):
    """The corners of a cell, (K, 2), and the node across the edge from each to the next, or −1."""

    corners: Floats
    across: Ints


@lru_cache(maxsize=4)
def circle(reach: float) -> Floats:
    """Corners all around 0."""
    angles = np.arange(ROUND) * (2.0 * np.pi / ROUND)
    return frozen(reach * np.column_stack([np.cos(angles), np.sin(angles)]))


def around(places: Floats, node: int, neighbours: Ints, outline: Floats) -> Patch:
    """All within a convex outline, (corners, 2), that is nearer to a node than its neighbours."""
    # Corner by corner: cells have so few that arrays would cost ten times as much.
    corners: Corners = [
        (x, y, -1) for x, y in zip(*(outline - places[node]).T.tolist(), strict=True)
    ]
    steps = (places[neighbours] - places[node]).tolist()
    for other, (right, down) in zip(neighbours.tolist(), steps, strict=True):
        corners = _cut(corners, right, down, other)
    corners = [
        here
        for here, after in zip(corners, [*corners[1:], corners[0]], strict=True)
        if abs(here[0] - after[0]) + abs(here[1] - after[1]) > SHORTEST
    ] or corners
    return Patch(
        np.array([corner[:2] for corner in corners]) + places[node],
        np.array([corner[2] for corner in corners], dtype=np.int64),
    )


def _cut(corners: Corners, right: float, down: float, other: int) -> Corners:
    """Return the part of a convex cell around 0 that is nearer to 0 than to a step from it."""
    half = 0.5 * (right * right + down * down)
    beyond = [x * right + y * down - half for x, y, _ in corners]
    if max(beyond) <= 0.0 or min(beyond) > 0.0:
        return corners
    kept: Corners = []
    for corner, here, after, there in zip(
        corners, beyond, [*corners[1:], corners[0]], [*beyond[1:], beyond[0]], strict=True
    ):
        if here <= 0.0:
            kept.append(corner)
        if (here <= 0.0) != (there <= 0.0):
            share = here / (here - there)
            x, y, across = corner
            # Where the border leaves the cell it ends at an edge that goes on.
            kept.append(
                (
                    x + share * (after[0] - x),
                    y + share * (after[1] - y),
                    other if here <= 0.0 else across,
                )
            )
    return kept


def square(grid: Grid, place: Floats, node: int) -> Patch:
    """A unit square in a layer of a map in space."""
    row, column = divmod(node % (grid.rows * grid.columns), grid.columns)
    there = (row > 0, column < grid.columns - 1, row < grid.rows - 1, column > 0)
    steps = (-grid.columns, 1, grid.columns, -1)
    across = [node + step if inside else -1 for step, inside in zip(steps, there, strict=True)]
    return Patch(UNIT_SQUARE + place, np.array(across))


def bar_height(grid: Grid) -> float:
    """Return the height of the nodes of a line, because a long line would be too thin to see."""
    return max(1.0, grid.n_nodes / 12.0)


def bar(grid: Grid, place: Floats, node: int) -> Patch:
    """A piece of a line."""
    after = node + 1 if node + 1 < grid.n_nodes else -1
    corners = UNIT_SQUARE * [1.0, bar_height(grid)] + place
    return Patch(corners, np.array([-1, after, -1, node - 1]))


def ring_sides(grid: Grid) -> tuple[float, float]:
    """Inner and outer radius of a ring as it is drawn: a thin one would be hard to see."""
    middle = radius(grid.n_nodes)
    half = max(0.5, 0.2 * middle)
    return (max(middle - half, 0.0), middle + half)


def sector(grid: Grid, node: int) -> Patch:
    """A piece of a ring, its two arcs with as many corners as they need."""
    n_nodes = grid.n_nodes
    inner, outer = ring_sides(grid)
    pieces = max(1, -(-ROUND // n_nodes))
    angles = (node - 0.5 + np.linspace(0.0, 1.0, pieces + 1)) * (2.0 * np.pi / n_nodes)
    arc = np.column_stack([np.sin(angles), -np.cos(angles)])
    before, after = (node - 1) % n_nodes, (node + 1) % n_nodes
    across = [*[-1] * pieces, after, *[-1] * pieces, before]
    return Patch(np.concatenate([outer * arc, inner * arc[::-1]]), np.array(across))


def heptagon(grid: Grid, node: int) -> Patch:
    """The cell of a node in the hyperbolic plane: its corners are the middles of triangles."""
    found = tessellation(grid.n_nodes)
    ring = found.around[node]
    own, others = _lifted(found.vertices[[node]]), _lifted(found.vertices[ring])
    corners = _normal(own + others + np.roll(others, -1, axis=0))
    # The side across neighbour k + 1 goes from corner k to the next.
    shares = np.arange(STRAIGHT)[:, None, None] / STRAIGHT
    along = _normal((1.0 - shares) * corners + shares * np.roll(corners, -1, axis=0))
    points = np.swapaxes(along, 0, 1).reshape(-1, 3)
    across = np.repeat(np.roll(ring, -1), STRAIGHT)
    places = SCALE * points[:, :2] / (1.0 + points[:, 2:])
    assert len(places) == AROUND * STRAIGHT
    return Patch(places, np.where(across < grid.n_nodes, across, -1))


def _lifted(vertices: Complexes) -> Floats:
    """Points of the unit disc on the hyperboloid, (n, 3)."""
    room = 1.0 - np.abs(vertices) ** 2
    return np.column_stack([2.0 * vertices.real, 2.0 * vertices.imag, 2.0 - room]) / room[:, None]


def _normal(points: Floats) -> Floats:
    """Points (…, 3) moved along rays from 0 to the hyperboloid."""
    squares = points[..., 2] ** 2 - points[..., 0] ** 2 - points[..., 1] ** 2
    return np.asarray(points / np.sqrt(squares)[..., None])
