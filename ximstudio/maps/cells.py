"""Drawing of nodes: the outline of every cell, the node under a point, and tori without seams.

Lengths are grid units, as those of `Grid.nodes`; y grows with the row number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ximstudio.maps.box import Box
from ximstudio.maps.mosaic import Mosaic, mosaic
from ximstudio.model.arrays import AnyArray, Bools, Floats, Ints, frozen
from ximstudio.model.grid import Grid, Lattice
from ximstudio.model.problem import UserError
from ximstudio.model.structures import Cell

FAR = 1e9
"""Coordinates beyond this, and those that are no numbers, lie on no map."""

SQUARES = (((-1, 0), (0, 1), (1, 0), (0, -1)),) * 2
HEXAGONS = (
    ((1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (0, 1)),
    ((1, 1), (1, 0), (0, -1), (-1, 0), (-1, 1), (0, 1)),
)
"""Rows and columns to the neighbour across each edge of a cell, in even and in odd rows."""


def in_tiles(grid: Grid) -> bool:
    """Return whether all cells are alike: squares or hexagons of a lattice of rows and columns."""
    return grid.structure.cell is Cell.TILE


def cell_corners(grid: Grid) -> Floats:
    """Corners of every tile around its node: a unit square, or a hexagon with its tip up."""
    if grid.lattice is not Lattice.HEXAGONAL:
        return np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    angles = np.pi / 6.0 + np.arange(6) * np.pi / 3.0
    return np.asarray(np.column_stack([np.cos(angles), np.sin(angles)]) / np.sqrt(3.0))


def cells(grid: Grid) -> Floats:
    """Corners of the tiles of all nodes, shape (M, corners, 2)."""
    return np.asarray(grid.nodes[:, None, :] + cell_corners(grid))


def bounds(grid: Grid) -> Box:
    """The least rectangle around all cells."""
    return _box_around(grid, grid.nodes) if in_tiles(grid) else mosaic(grid).bounds


def neighbours(grid: Grid) -> Ints:
    """The node across every edge of every tile, shape (M, edges); −1 where the map ends.

    Edge e joins the corners e and e + 1 of `cell_corners`. On a torus no cell lacks a neighbour;
    one that is a single row or column wide is its own.
    """
    row, column = np.divmod(np.arange(grid.n_nodes), grid.columns)
    around = HEXAGONS if grid.lattice is Lattice.HEXAGONAL else SQUARES
    steps = np.array(around)[row % 2]
    return _nodes(grid, row[:, None] + steps[:, :, 0], column[:, None] + steps[:, :, 1])


def walked(grid: Grid, node: int, *, rows: int = 0, columns: int = 0) -> int:
    """The node so many rows down and columns to the right; the last one before the map ends."""
    if not in_tiles(grid):
        return mosaic(grid).walked(node, rows=rows, columns=columns)
    row, column = divmod(node, grid.columns)
    row, column = row + rows, column + columns
    sideways, upright = grid.joined
    row = row % grid.rows if upright else min(max(row, 0), grid.rows - 1)
    column = column % grid.columns if sideways else min(max(column, 0), grid.columns - 1)
    return row * grid.columns + column


def node_at(grid: Grid, x: Any, y: Any) -> Ints:
    """The node whose cell holds each point, −1 outside of the map; where joined it never ends.

    x and y are broadcast: a row of x and a column of y give the nodes under all pixels of an
    image. Of a border every point belongs to exactly one cell.
    """
    if not in_tiles(grid):
        return mosaic(grid).node_at(x, y)
    row, column, somewhere = _lattice_cells(grid, x, y)
    nodes = _nodes(grid, row, column)
    return nodes if somewhere.all() else np.where(somewhere, nodes, -1)


def shifted(grid: Grid, values: AnyArray, rows: int, columns: int) -> AnyArray:
    """Values of the nodes of a torus as it is drawn when it is moved down and to the right.

    values[j] is moved by whole rows and columns and comes in again on the other side; how far that
    is, `shift_way` says.
    """
    return values[tiles(grid, rows=rows, columns=columns).nodes]  # type: ignore[return-value]


def shift_way(grid: Grid, rows: int, columns: int) -> Floats:
    """Return how far right and down a map moves that is shifted by so many rows and columns.

    Every second row of a honeycomb is shifted by half: moved by an odd number of rows, it goes half
    a column to the right as well, so that every node comes to lie where one was.
    """
    return np.array([columns + grid.row_shift * (rows % 2), rows * grid.row_height])


def shifted_positions(grid: Grid, positions: Floats, rows: int, columns: int) -> Floats:
    """Positions of items on a torus that is drawn moved as by `shifted`."""
    from ximstudio.place.placed import wrapped  # brings numba

    _refuse_shift(grid, rows, columns)
    return wrapped(grid, positions + shift_way(grid, rows, columns))


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiles:
    """The cells to be drawn of a lattice, where joined moved and repeated beyond its borders.

    Parameters
    ----------
    grid, rows, columns, beyond
        The map, how far it is moved down and to the right, and how many rows and columns of it are
        drawn again on every side.
    nodes
        Which node every drawn cell belongs to, shape (T,): colours are `colours[nodes]`.
    places
        Where their middles are drawn, shape (T, 2).
    repeated
        Which of them lie beyond the border and are drawn elsewhere, too, shape (T,).
    """

    grid: Grid
    rows: int
    columns: int
    beyond: int
    nodes: Ints
    places: Floats
    repeated: Bools

    @property
    def sizes(self) -> Floats:
        """Return the space around every node, in grid units, shape (M,)."""
        return np.ones(self.grid.n_nodes)

    @property
    def cells(self) -> Floats:
        """Corners of all drawn cells, shape (T, corners, 2)."""
        return np.asarray(self.places[:, None, :] + cell_corners(self.grid))

    @property
    def bounds(self) -> Box:
        """The least rectangle around all that is drawn."""
        return _box_around(self.grid, self.places)

    def corners(self, node: int) -> tuple[Floats, ...]:
        """The corners of a node's cell, wherever it is drawn."""
        return tuple(self.places[self.nodes == node][:, None] + cell_corners(self.grid))

    def node_at(self, x: Any, y: Any) -> Ints:
        """The node drawn at each point, −1 where none is; x and y are broadcast."""
        row, column, somewhere = _lattice_cells(self.grid, x, y)
        right, down = repeated(self.grid, self.beyond)
        somewhere &= (row >= -down) & (row < self.grid.rows + down)
        somewhere &= (column >= -right) & (column < self.grid.columns + right)
        column = column - columns_on(self.grid, self.rows, row % 2) - self.columns
        return np.where(somewhere, _nodes(self.grid, row - self.rows, column), -1)

    def outline(self, chosen: Bools) -> Floats:
        """Lines around a set of nodes, given by a truth value for each of M: shape (S, 2, 2).

        Every line joins two corners. There are none between two chosen nodes, nor where a torus is
        cut to be drawn and goes on with a chosen node.
        """
        around = neighbours(self.grid)[self.nodes]
        inside = np.append(chosen, np.False_)[around]
        tile, edge = np.nonzero(chosen[self.nodes][:, None] & ~inside)
        corners = self.cells
        after = (edge + 1) % corners.shape[1]
        return np.stack([corners[tile, edge], corners[tile, after]], axis=1)


def repeated(grid: Grid, beyond: int) -> tuple[int, int]:
    """Return how many columns and rows are repeated: only where a map is joined."""
    sideways, upright = grid.joined
    return (beyond if sideways else 0, beyond if upright else 0)


def columns_on(grid: Grid, rows: int, parity: Any) -> Any:
    """By how many columns cells come to rows of this parity when a map is moved by so many rows.

    Half a column and an odd row's own half are one, where an odd number of rows moves a honeycomb.
    """
    return (1 - parity) * (rows % 2) if grid.row_shift else 0 * parity


def tiles(grid: Grid, *, rows: int = 0, columns: int = 0, beyond: int = 0) -> Tiles | Mosaic:
    """The cells to be drawn when a torus is moved by whole rows and columns and goes on beyond.

    Without arguments all cells of any map, each once and in order. Only a torus can be moved or
    repeated, and a cylinder to the right and left. `shift_way` says how far it goes.
    """
    _refuse_shift(grid, rows, columns)
    if beyond:
        _refuse_flat(grid, grid.repeats)
    if not in_tiles(grid):
        return mosaic(grid)
    right, down = repeated(grid, beyond)
    drawn_rows = np.arange(-down, grid.rows + down)
    drawn_columns = np.arange(-right, grid.columns + right)
    row, column = (part.ravel() for part in np.meshgrid(drawn_rows, drawn_columns, indexing="ij"))
    outside = (row < 0) | (row >= grid.rows) | (column < 0) | (column >= grid.columns)
    x = column + grid.row_shift * (row % 2)
    before = column - columns - columns_on(grid, rows, row % 2)
    return Tiles(
        grid=grid,
        rows=rows,
        columns=columns,
        beyond=beyond,
        nodes=frozen(_nodes(grid, row - rows, before)),
        places=frozen(np.column_stack([x, row * grid.row_height]).astype(np.float64)),
        repeated=frozen(outside),
    )


def _box_around(grid: Grid, places: Floats) -> Box:
    corners = cell_corners(grid)
    left, top = (places.min(axis=0) + corners.min(axis=0)).tolist()
    right, bottom = (places.max(axis=0) + corners.max(axis=0)).tolist()
    return Box(left, top, right, bottom)


def _nodes(grid: Grid, row: Ints, column: Ints) -> Ints:
    """Nodes in these rows and columns, −1 outside; where joined it begins again."""
    sideways, upright = grid.joined
    row = row % grid.rows if upright else row
    column = column % grid.columns if sideways else column
    inside = (row >= 0) & (row < grid.rows) & (column >= 0) & (column < grid.columns)
    return np.where(inside, row * grid.columns + column, -1)


def _lattice_cells(grid: Grid, x: Any, y: Any) -> tuple[Ints, Ints, Bools]:
    """Row and column of the cell around each point, had the lattice no end; which are anywhere."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    in_x, in_y = np.abs(x) < FAR, np.abs(y) < FAR
    x, y = np.where(in_x, x, 0.0), np.where(in_y, y, 0.0)
    if grid.lattice is not Lattice.HEXAGONAL:
        row, column = np.floor(y + 0.5), np.floor(x + 0.5)
    else:
        row, column = _nearest_hexagon(grid, x, y)
    return row.astype(np.int64), column.astype(np.int64), np.asarray(in_x & in_y)


def _nearest_hexagon(grid: Grid, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Row and column of the nearest node, which a hexagon is all about.

    A hexagon reaches 1/√3 up and down, less than to the next row: only the rows right above and
    below a point come into question.
    """
    above = np.floor(y / grid.row_height)
    shift = grid.row_shift * (above % 2.0)
    # A row below a shifted one is not shifted, and the other way round.
    first, second = np.floor(x - shift + 0.5), np.floor(x + shift - grid.row_shift + 0.5)
    dx, dy = x - shift - first, y - above * grid.row_height
    dx_below, dy_below = x + shift - grid.row_shift - second, grid.row_height - dy
    below = dx_below**2 + dy_below**2 < dx**2 + dy**2
    return above + below, np.where(below, second, first)


def _refuse_shift(grid: Grid, rows: int, columns: int) -> None:
    sideways, upright = grid.joined
    if rows:
        _refuse_flat(grid, upright)
    if columns:
        _refuse_flat(grid, sideways)


def _refuse_flat(grid: Grid, joined: bool) -> None:
    if not joined:
        raise UserError(
            key="map.flat",
            what="A map can be neither moved nor repeated across a border.",
            where=f"map of {grid.rows} × {grid.columns} nodes",
            way_out="Draw it as it is, or train a toroidal one.",
        )
