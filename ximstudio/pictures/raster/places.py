"""Places sorted into coarse cells: fast to draw in that order, and fast to look up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ximstudio.model.arrays import Bools, Floats, Ints

CELLS = 128
"""Cells along each axis; so many that their numbers fit 16 bits, which numpy sorts fastest."""


class PlaceIndex:
    """Places (N, 2) in the order of the cells that they lie in, NaN anywhere.

    Neighbours on the screen are neighbours in memory, and the nearest one is found by looking at
    a few cells. A tree would take a second for a million places, and anew for every frame of a
    training; this takes a hundredth of that.
    """

    def __init__(self, places: Floats) -> None:
        x, y = np.ascontiguousarray(places.T, dtype=np.float64)
        known = np.isfinite(x) & np.isfinite(y)
        self._low, self._high = _limits(x, y, known)
        span = self._high - self._low
        self._scale = np.divide(CELLS, span, out=np.zeros(2), where=span > 0.0)
        cells = self._cells_along(y, known, axis=1) * np.uint16(CELLS)
        cells += self._cells_along(x, known, axis=0)
        self.items: Ints = np.argsort(cells, kind="stable")
        """Original index of each place."""
        self.x, self.y = x[self.items], y[self.items]
        self._cells = cells[self.items]

    def __len__(self) -> int:
        return len(self.items)

    @property
    def bounds(self) -> tuple[float, float, float, float] | None:
        """Return smallest x, smallest y, largest x and largest y; None without any place."""
        if not np.isfinite(self.x).any():
            return None
        return (*self._low.tolist(), *self._high.tolist())

    def within(self, x: float, y: float, reach_x: float, reach_y: float) -> Ints:
        """Return indices into `x` and `y` of all places in cells that a box touches."""
        reach = np.array([reach_x, reach_y])
        place = np.array([x, y])
        if (place + reach < self._low).any() or (place - reach > self._high).any():
            return np.empty(0, dtype=np.int64)
        first, last = self._cell_at(place - reach), self._cell_at(place + reach)
        rows = np.arange(first[1], last[1] + 1) * CELLS
        begins = np.searchsorted(self._cells, (rows + first[0]).astype(np.uint16))
        ends = np.searchsorted(self._cells, (rows + last[0]).astype(np.uint16), side="right")
        runs = [np.arange(begin, end) for begin, end in zip(begins, ends, strict=True)]
        return np.concatenate(runs)

    def _cell_at(self, place: Floats) -> Ints:
        cell: Floats = np.clip((place - self._low) * self._scale, 0, CELLS - 1)
        return cell.astype(np.int64)

    def _cells_along(self, values: Floats, known: Bools, *, axis: int) -> NDArray[np.uint16]:
        if not known.all():
            values = np.where(known, values, self._low[axis])
        cells: Floats = (values - self._low[axis]) * self._scale[axis]
        np.minimum(cells, CELLS - 1, out=cells)
        return cells.astype(np.uint16)


def _limits(x: Floats, y: Floats, known: Bools) -> tuple[Floats, Floats]:
    """Return smallest and largest x and y of the known places, 0 without any."""
    if not known.any():
        return np.zeros(2), np.zeros(2)
    if not known.all():
        x, y = x[known], y[known]
    return np.array([x.min(), y.min()]), np.array([x.max(), y.max()])
