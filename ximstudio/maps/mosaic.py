"""The cells of maps that are no lattice of squares or hexagons: what is where, and outlines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from ximstudio.kernels.nearest_node import CellLimits, NodeGraph, cells_at, cells_over
from ximstudio.maps import patches
from ximstudio.maps.box import Box
from ximstudio.maps.drawn import drawn
from ximstudio.maps.patches import Patch
from ximstudio.model.arrays import Bools, Floats, Ints, Ints32, frozen
from ximstudio.model.grid import Grid
from ximstudio.model.structures import Cell
from ximstudio.model.structures.hyperbolic import SCALE, tessellation

REACH = 1.0
"""Farthest reach of a cell from its node where the map has no outline, in grid units."""
RIM = 0.5
"""Distance by which a round map extends beyond its last node."""
FLAT = 1e-9
"""Places whose breadth is less than this share of their length lie on a line."""
FAR = 1e9
"""Coordinates beyond this, and those that are no numbers, lie on no map."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Mosaic:
    """The cells of a map, each of its own shape; to be drawn like `maps.cells.Tiles`.

    Parameters
    ----------
    grid
        The map, which is neither moved nor repeated.
    places
        Where the nodes are drawn, shape (M, 2).
    """

    grid: Grid
    places: Floats
    rows: ClassVar[int] = 0
    columns: ClassVar[int] = 0
    beyond: ClassVar[int] = 0

    @property
    def nodes(self) -> Ints:
        """Return the node of every cell: each has one, in order."""
        return np.arange(self.grid.n_nodes)

    @property
    def repeated(self) -> Bools:
        """Return which cells are repetitions: none."""
        return np.zeros(self.grid.n_nodes, dtype=np.bool_)

    @cached_property
    def sizes(self) -> Floats:
        """Return the space around every node, in grid units up to 1, shape (M,)."""
        graph, limits = self.graph, self.limits
        here = np.repeat(np.arange(len(graph.x)), np.diff(graph.begins))
        apart = np.hypot(
            graph.x[here] - graph.x[graph.around], graph.y[here] - graph.y[graph.around]
        )
        room = np.ones(len(graph.x))
        np.minimum.at(room, here, apart)
        # As far as to the map's border, and as much beyond it.
        to_border = np.array([limits.across, limits.down]) - np.abs(self.places)
        return frozen(np.minimum(room[: self.grid.n_nodes], 2.0 * to_border.min(axis=1)))

    @cached_property
    def bounds(self) -> Box:
        """The least rectangle around all cells; around the whole of the hyperbolic plane."""
        limits = self.limits
        across, down = min(limits.across, limits.outer), min(limits.down, limits.outer)
        if np.isfinite(across):
            return Box(-across, -down, across, down)
        width, height = min(limits.width, limits.reach), min(limits.height, limits.reach)
        left, top, right, bottom = Box.around(self.places)
        return Box(left - width, top - height, right + width, bottom + height)

    @cached_property
    def cells(self) -> tuple[Floats, ...]:
        """The corners of every cell."""
        return tuple(frozen(self.patch(node).corners) for node in range(self.grid.n_nodes))

    def corners(self, node: int) -> tuple[Floats, ...]:
        """The corners of a node's cell, wherever it is drawn: in one place, or nowhere for −1."""
        return (self.patch(node).corners,) if node >= 0 else ()

    def node_at(self, x: Any, y: Any) -> Ints:
        """The node drawn at each point, −1 where none is; x and y are broadcast."""
        x, y = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
        somewhere = (np.abs(x) < FAR) & (np.abs(y) < FAR)
        found = np.empty(x.size, dtype=np.int32)
        x, y = (np.where(somewhere, each, 0.0) for each in (x, y))
        cells_at(self.graph, self.limits, x.ravel(), y.ravel(), found)
        return np.where(somewhere, found.reshape(x.shape), -1).astype(np.int64)

    def under_pixels(self, x: Floats, y: Floats) -> Ints32:
        """The nodes drawn at the columns x and rows y of an image; n_nodes where none is."""
        found = np.empty((len(y), len(x)), dtype=np.int32)
        cells_over(self.graph, self.limits, x, y, found)
        return found

    def outline(self, chosen: Bools) -> Floats:
        """Lines around a set of nodes, given by a truth value for each of M: shape (S, 2, 2).

        Every line joins two corners; there are none between two chosen nodes.
        """
        lines = [np.empty((0, 2, 2))]
        for node in np.flatnonzero(chosen).tolist():
            corners, across = self.patch(node)
            ends = (across < 0) | ~chosen[across]
            lines.append(np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)[ends])
        return np.concatenate(lines)

    def walked(self, node: int, *, rows: int, columns: int) -> int:
        """The nearest node about that way, down and to the right; the same if there is none."""
        steps = self.places - self.places[node]
        along = steps @ [float(columns), float(rows)]
        aside = np.abs(steps @ [float(rows), float(columns)])
        ahead = np.flatnonzero((along > 0.0) & (aside <= along))
        if not len(ahead):
            return node
        return int(ahead[np.hypot(along, aside)[ahead].argmin()])

    def patch(self, node: int) -> Patch:
        """The cell of a node."""
        grid, place = self.grid, self.places[node]
        match grid.structure.cell:
            case Cell.SQUARE:
                return patches.square(grid, place, node)
            case Cell.BAR:
                return patches.bar(grid, place, node)
            case Cell.SECTOR:
                return patches.sector(grid, node)
            case Cell.HEPTAGON:
                return patches.heptagon(grid, node)
        begin, end = self.graph.begins[node : node + 2]
        return patches.around(self.places, node, self.graph.around[begin:end], self._outline(node))

    def _outline(self, node: int) -> Floats:
        """Return the cell that a node would have without any others."""
        limits = self.limits
        if np.isfinite(limits.across):
            return np.asarray(2.0 * patches.UNIT_SQUARE * [limits.across, limits.down])
        if np.isfinite(limits.outer):
            return patches.circle(limits.outer)
        return np.asarray(patches.circle(limits.reach) + self.places[node])

    @cached_property
    def limits(self) -> CellLimits:
        """Return where cells end, if not at others."""
        grid, free = self.grid, np.inf
        ends = CellLimits(free, free, free, 0.0, free, free, free, grid.n_nodes)
        match grid.structure.cell:
            case Cell.SQUARE:
                ends = ends._replace(width=0.5, height=0.5)
            case Cell.BAR:
                ends = ends._replace(width=0.5, height=0.5 * patches.bar_height(grid))
            case Cell.SECTOR:
                inner, outer = patches.ring_sides(grid)
                ends = ends._replace(inner=inner, outer=outer)
            case Cell.HEPTAGON:
                ends = ends._replace(outer=SCALE)
            case Cell.IN_CIRCLE:
                ends = ends._replace(outer=float(np.hypot(*self.places.T).max()) + RIM)
            case Cell.IN_BOX:
                width, height = grid.structure.sides(grid)
                ends = ends._replace(across=0.5 * width, down=0.5 * height)
            case _:
                ends = ends._replace(reach=REACH)
        return ends

    @cached_property
    def graph(self) -> NodeGraph:
        """Nodes, on the hyperbolic plane with those beside the map, and their neighbours."""
        if self.grid.structure.cell is not Cell.HEPTAGON:
            return _graph(self.places, np.ones(len(self.places)), _delaunay(self.places))
        found = tessellation(self.grid.n_nodes)
        ring, n_nodes = found.around, self.grid.n_nodes
        spokes = np.column_stack([np.repeat(np.arange(n_nodes), ring.shape[1]), ring.ravel()])
        rims = np.column_stack([ring.ravel(), np.roll(ring, -1, axis=1).ravel()])
        return _graph(
            SCALE * np.column_stack([found.vertices.real, found.vertices.imag]),
            1.0 / (1.0 - np.abs(found.vertices) ** 2),
            np.concatenate([spokes, rims]),
        )


@lru_cache(maxsize=8)
def mosaic(grid: Grid) -> Mosaic:
    """The cells of a map, laid out once."""
    return Mosaic(grid=grid, places=frozen(np.ascontiguousarray(drawn(grid, grid.nodes))))


def _graph(places: Floats, weights: Floats, pairs: Ints) -> NodeGraph:
    """Both ways along every pair."""
    both = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
    begins = np.searchsorted(both[:, 0], np.arange(len(places) + 1))
    x, y = (np.ascontiguousarray(column) for column in places.T)
    return NodeGraph(x, y, weights, begins, np.ascontiguousarray(both[:, 1]))


def _delaunay(places: Floats) -> Ints:
    """Pairs of neighbours in the plane: those whose cells touch."""
    along = _along_a_line(places)
    if along is not None:
        order = np.argsort(along, kind="stable")
        return np.column_stack([order[:-1], order[1:]])
    from scipy.spatial import Delaunay  # 0.2 s

    found = Delaunay(places)
    corners = found.simplices
    pairs = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    # Of nodes drawn on one place, as nodes of a table above each other may be, it knows but one.
    for left_out, _, same in found.coplanar:
        around = pairs[(pairs == same).any(axis=1)]
        pairs = np.concatenate([pairs, np.where(around == same, left_out, around)])
    return pairs.astype(np.int64)


def _along_a_line(places: Floats) -> Floats | None:
    """Return positions of places along a line, if they lie on one."""
    moved = places - places.mean(axis=0)
    if len(places) < 3:
        return np.asarray(moved @ (moved[-1] - moved[0]))
    _, lengths, directions = np.linalg.svd(moved, full_matrices=False)
    return np.asarray(moved @ directions[0]) if lengths[1] <= FLAT * lengths[0] else None
