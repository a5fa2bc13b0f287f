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
    """Positions brought back between the map's origin and one period on."""
    if not grid.toroidal:
        return positions
    periods = np.asarray(grid.periods)
    origin = np.asarray(grid.origin)
    return np.asarray((positions - origin) % periods + origin)
