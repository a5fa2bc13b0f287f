"""Positions and winners of items, and rules that give them between the nodes of a map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap

if TYPE_CHECKING:
    # The parameters list the rules.
    from ximstudio.place.params import PlacingParams


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


@dataclass(frozen=True, kw_only=True)
class PlacingRule:
    """A way to place items, and all that the program says about it.

    Parameters
    ----------
    key
        Value of the parameter `mapping`.
    about
        What the rule does, as forms and `ximstudio methods` list it.
    place
        Positions and winners of items given by their features.
    in_text
        The sentence of the methods text, for a map with this number of nodes.
    from_distances
        Positions of items given by their squared distances to all prototypes, for maps of tables of
        distances. None takes the distances of an item for its features.
    tells
        Names of other parameters that the sentence mentions.
    works
        Works that the sentence cites.
    reads_blanks
        Whether values of items may be missing.
    """

    key: str
    about: str
    place: Callable[[PrototypeMap, Floats, PlacingParams], PlacedItems]
    in_text: Callable[[PlacingParams, int], str]
    from_distances: Callable[[RelationalMap, Floats, PlacingParams], Floats] | None = None
    tells: tuple[str, ...] = ()
    works: tuple[str, ...] = ()
    reads_blanks: bool = True
