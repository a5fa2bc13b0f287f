"""Positions on a map that repeats: shifted across its seams, repeated beyond its borders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.maps.cells import repeated, shift_way
from ximstudio.maps.orientation import UNTURNED, Orientation
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid
from ximstudio.pictures.raster.frame import RasterFrame

REPEATED = 0.25
"""Share of a map, relative to its longer side, that is repeated beyond its borders."""


def cells_beyond(grid: Grid, *, repeated: bool) -> int:
    """Return how many cells are repeated beyond every border, if wanted and the map has seams."""
    return max(1, round(REPEATED * grid.longer_side)) if repeated and grid.repeats else 0


@dataclass(frozen=True, kw_only=True)
class Torus:
    """Origin, periods and layout of a torus or cylinder."""

    origin: tuple[float, float]
    sides: tuple[float, float]
    joined: tuple[bool, bool]
    """Repetition to the right, and downwards."""
    shift: tuple[float, float]
    margin: tuple[float, float]
    """Distance by which it is repeated beyond its borders."""

    @classmethod
    def of(
        cls, grid: Grid, *, rows: int, columns: int, beyond: int, turn: Orientation = UNTURNED
    ) -> Torus:
        """Return the torus of a grid, laid out as by `maps.layout.lay_out`.

        Positions on it are those that `turn` has moved.
        """
        sides = np.array(grid.structure.sides(grid))
        corners = turn.turned(np.array([grid.origin, grid.origin + sides]), grid)
        right, down = (shift_way(grid, rows, columns) @ turn.matrix).tolist()
        more_columns, more_rows = repeated(grid, beyond)
        margin = (float(more_columns), more_rows * grid.row_height)
        order = (1, 0) if turn.swapped else (0, 1)
        (left, top), (wide, high) = corners.min(axis=0).tolist(), sides[[*order]].tolist()
        return cls(
            origin=(left, top),
            sides=(wide, high),
            joined=(grid.joined[order[0]], grid.joined[order[1]]),
            shift=(right, down),
            margin=(margin[order[0]], margin[order[1]]),
        )

    @property
    def repeated(self) -> bool:
        return self.margin != (0.0, 0.0)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Return smallest x, smallest y, largest x and largest y of what is shown."""
        left, top = np.subtract(self.origin, self.margin).tolist()
        right, bottom = (np.add(self.origin, self.sides) + self.margin).tolist()
        return left, top, right, bottom

    def wrapped(self, positions: Floats) -> Floats:
        """Return positions shifted and wrapped into one period, where it repeats."""
        moved = positions + self.shift - self.origin
        return np.asarray(self.origin + np.where(self.joined, np.mod(moved, self.sides), moved))

    @property
    def steps(self) -> list[tuple[float, float]]:
        """Return the vectors to its copies beyond the borders; none if it is not repeated."""
        if not self.repeated:
            return []
        sideways, upright = ((-1, 0, 1) if joined else (0,) for joined in self.joined)
        steps = [(right, down) for right in sideways for down in upright if right or down]
        return [(right * self.sides[0], down * self.sides[1]) for right, down in steps]

    def copies(self, frame: RasterFrame) -> list[RasterFrame]:
        """Return frames that place the same positions on the torus's copies."""
        return [frame.moved(right, down) for right, down in self.steps]

    def clip(self, frame: RasterFrame) -> Floats:
        """Return left, top, right and bottom, in pixels, of what is shown."""
        left, top, right, bottom = self.bounds
        across = sorted(frame.scale_x * edge + frame.offset_x for edge in (left, right))
        down = sorted(frame.scale_y * edge + frame.offset_y for edge in (top, bottom))
        return np.array([across[0], down[0], across[1], down[1]])
