"""The picture of a map turned: flipped, turned by quarters, and moved across its seams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.maps.cells import bounds, shifted_positions
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid, Lattice


@dataclass(frozen=True, kw_only=True)
class Orientation:
    """One of the eight symmetries of a rectangle's picture, and of a torus how far it is moved.

    First the map is moved down and to the right by whole rows and columns, as `maps.cells.tiles`
    does: a cylinder only to the right, a map with borders not at all. Then x and y are swapped, and
    then the picture is flipped left to right, and top to bottom: a quarter turn is a swap and a
    flip. Cells are turned along with it, whatever their shape. The upper left corner of the picture
    stays where it is.
    """

    flipped_x: bool = False
    flipped_y: bool = False
    swapped: bool = False
    rows: int = 0
    columns: int = 0

    @property
    def turns(self) -> bool:
        """Return whether it does more than move the map across its seams."""
        return self.flipped_x or self.flipped_y or self.swapped

    @property
    def signs(self) -> tuple[float, float]:
        """Return the directions of x and y of the turned picture."""
        return (-1.0 if self.flipped_x else 1.0, -1.0 if self.flipped_y else 1.0)

    @property
    def matrix(self) -> Floats:
        """Return the matrix for vectors (n, 2), as `vectors @ matrix`; its transpose undoes it."""
        axes = np.eye(2)[::-1] if self.swapped else np.eye(2)
        return np.asarray(axes * self.signs)

    def offset(self, grid: Grid) -> Floats:
        """Return what is added to places times `matrix` for those of the turned picture."""
        left, top, right, bottom = bounds(grid)
        low, high = np.array([left, top]), np.array([right, bottom])
        begins, ends = (low[::-1], high[::-1]) if self.swapped else (low, high)
        offset = np.where(np.array(self.signs) < 0.0, low + ends, low - begins)
        if _between_nodes(self, grid):
            offset[0] -= grid.row_shift
        return np.asarray(offset)

    def turned(self, places: Floats, grid: Grid) -> Floats:
        """Places (…, 2) of the moved map as they lie on the turned picture."""
        if not self.turns:
            return places
        swapped = places[..., ::-1] if self.swapped else places
        return np.asarray(swapped * self.signs + self.offset(grid))

    def moved(self, positions: Floats, grid: Grid) -> Floats:
        """Return drawn positions (n, 2) of nodes or items on the turned picture."""
        if self.rows or self.columns or (self.turns and grid.repeats):
            positions = shifted_positions(grid, positions, self.rows, self.columns)
        return self.turned(positions, grid)


UNTURNED = Orientation()
"""The picture as it is."""


def _between_nodes(turn: Orientation, grid: Grid) -> bool:
    """Return whether the turned nodes of a torus would lie half a column beside its own.

    One flip of an even number of rows of hexagons brings shifted rows where there were none; half a
    column on, every node lies where one was.
    """
    once = turn.flipped_x != turn.flipped_y
    return once and not turn.swapped and grid.repeats and grid.lattice is Lattice.HEXAGONAL
