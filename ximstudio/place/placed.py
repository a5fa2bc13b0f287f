"""Positions and winners of some items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid


@dataclass(frozen=True, kw_only=True, eq=False)
class Placed:
    """Where items lie: positions (N, d) and, on maps with nodes, their winners (N,)."""

    positions: Floats
    winners: Ints | None


def wrapped(grid: Grid, positions: Floats) -> Floats:
    """Positions brought back between the map's origin and one period on, where it repeats."""
    if not grid.repeats:
        return positions
    back = positions.copy()
    for axis, (period, origin) in enumerate(zip(grid.periods, grid.origin, strict=True)):
        if np.isfinite(period):
            back[:, axis] = (positions[:, axis] - origin) % period + origin
    return back
