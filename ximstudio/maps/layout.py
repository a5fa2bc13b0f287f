"""Layout of the cells of a map for drawing, as they are, moved or turned, and of items in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, TypedDict

import numpy as np

from ximstudio.maps.box import Box
from ximstudio.maps.cells import Tiles, columns_on, tiles
from ximstudio.maps.mosaic import Mosaic
from ximstudio.maps.orientation import UNTURNED, Orientation
from ximstudio.model.arrays import Bools, Floats, Ints, frozen
from ximstudio.model.grid import Grid

REACH = 0.36
"""Largest distance of items from the middle of a cell, relative to the space around it."""
TURN = np.pi * (3.0 - np.sqrt(5.0))
"""The golden angle: from item to item it fills a disc evenly, whatever their number."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OrientedCells:
    """The cells of a map whose picture is turned; to be drawn like the `straight` ones.

    The map is already moved across its seams in there, and by how much the turn says.
    """

    straight: Tiles | Mosaic
    turn: Orientation

    @property
    def grid(self) -> Grid:
        return self.straight.grid

    @property
    def beyond(self) -> int:
        """Return how many rows and columns are repeated on every side."""
        return self.straight.beyond

    @property
    def nodes(self) -> Ints:
        """Return the node of every drawn cell, shape (T,)."""
        return self.straight.nodes

    @property
    def repeated(self) -> Bools:
        """Return which of them are repetitions, shape (T,)."""
        return self.straight.repeated

    @property
    def sizes(self) -> Floats:
        """Return the space around every node, in grid units, shape (M,)."""
        return self.straight.sizes

    @cached_property
    def offset(self) -> Floats:
        """Return what is added to swapped and flipped places."""
        return frozen(self.turn.offset(self.grid))

    @cached_property
    def places(self) -> Floats:
        """Return where the centres of the cells are drawn, shape (T, 2)."""
        return frozen(self.turned(self.straight.places))

    @property
    def bounds(self) -> Box:
        """The least rectangle around all that is drawn."""
        return Box.around(self.turned(np.array(self.straight.bounds).reshape(2, 2)))

    def corners(self, node: int) -> tuple[Floats, ...]:
        """The corners of a node's cell, wherever it is drawn."""
        return tuple(self.turned(corners) for corners in self.straight.corners(node))

    def node_at(self, x: Any, y: Any) -> Ints:
        """The node drawn at each point, −1 where none is; x and y are broadcast."""
        (sign_x, sign_y), (offset_x, offset_y) = self.turn.signs, self.offset.tolist()
        x, y = sign_x * (np.asarray(x) - offset_x), sign_y * (np.asarray(y) - offset_y)
        return self.straight.node_at(y, x) if self.turn.swapped else self.straight.node_at(x, y)

    def outline(self, chosen: Bools) -> Floats:
        """Lines around a set of nodes, given by a truth value for each of M: shape (S, 2, 2)."""
        return self.turned(self.straight.outline(chosen))

    def turned(self, places: Floats) -> Floats:
        """Places (…, 2) of the straight picture on the turned one."""
        return self.turn.turned(places, self.grid)


Layout: TypeAlias = Tiles | Mosaic | OrientedCells
"""The cells of any map as they are drawn."""


class LayoutShift(TypedDict, total=False):
    """Shift and repetition of a torus or cylinder, as arguments of `lay_out`."""

    rows: int
    columns: int
    beyond: int


def lay_out(
    grid: Grid, *, rows: int = 0, columns: int = 0, beyond: int = 0, turn: Orientation = UNTURNED
) -> Layout:
    """The cells to be drawn: moved across seams and repeated as by `tiles`, and then turned."""
    # Two half columns of a honeycomb are one.
    once_more = columns_on(grid, rows, 1 - turn.rows % 2)
    straight = tiles(
        grid,
        rows=rows + turn.rows,
        columns=columns + turn.columns + once_more,
        beyond=beyond,
    )
    return OrientedCells(straight=straight, turn=turn) if turn.turns else straight


def spread_in_nodes(winners: Ints, grid: Grid) -> Floats:
    """A place for every item in the cell of its winner, shape (N, 2); the same ones every time."""
    n_items = len(winners)
    counts = np.bincount(winners, minlength=grid.n_nodes)
    order = np.argsort(winners, kind="stable")
    begins = np.cumsum(counts) - counts
    rank = np.empty(n_items)
    rank[order] = np.arange(n_items) - begins[winners[order]]
    members = counts[winners]
    # One item lies in the middle, several around it.
    distance = np.where(members > 1, REACH * np.sqrt((rank + 0.5) / np.maximum(members, 1)), 0.0)
    around = np.column_stack([np.cos(rank * TURN), np.sin(rank * TURN)])
    room = tiles(grid)
    steps = (distance * room.sizes[winners])[:, None] * around
    return np.asarray(room.places[winners] + steps)
