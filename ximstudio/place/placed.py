"""Positions and winners of some items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid


@dataclass(frozen=True, kw_only=True, eq=False)
class PlacedItems:
    """Positions (N, d) of items and, on maps with nodes, their winners (N,)."""

    positions: Floats
    winners: Ints | None


def wrapped(grid: Grid, positions: Floats) -> Floats:
    """Bring positions back into one period from the map's origin, where it repeats."""
    if not grid.repeats:
        return positions
    back = positions.copy()
    for axis, (period, origin) in enumerate(zip(grid.periods, grid.origin, strict=True)):
        if np.isfinite(period):
            back[:, axis] = (positions[:, axis] - origin) % period + origin
    return back
