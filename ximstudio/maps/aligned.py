"""One map brought to another as it is drawn: maps on a grid turned exactly, others by Procrustes.

Which turns a map with nodes may be given depends on how it is drawn:

- squares, honeycombs, lines, rings, discs, nodes at random, in a table or on the hyperbolic plane:
  the eight symmetries of a rectangle's picture, cells and all;
- tori, besides: moved by any number of rows and columns; cylinders: by any number of columns;
- maps in space, whose layers are drawn side by side: none, since their order would be lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.maps.drawn import drawn
from ximstudio.maps.orientation import UNTURNED, Orientation
from ximstudio.maps.orientation_scores import best_of, correlations, same_torus, short_ways
from ximstudio.measure.alignment import align
from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.grid import Grid
from ximstudio.model.result import PrototypeMap, Result


@dataclass(frozen=True, kw_only=True, eq=False)
class Aligned:
    """A map brought to another.

    Parameters
    ----------
    positions
        Where its items are drawn then, shape (N, 2).
    turn
        How the picture of its nodes is to be turned; None of a map without nodes.
    """

    positions: Floats
    turn: Orientation | None


def aligned(
    result: Result,
    onto_ids: Sequence[str],
    onto_places: Floats,
    *,
    onto_grid: Grid | None = None,
) -> Aligned:
    """The map brought to where another one draws its items, of which common ones decide.

    Parameters
    ----------
    onto_ids, onto_places
        The other map's items, and where they are drawn, shape (n, 2).
    onto_grid
        The other map's grid, if it has one.
    """
    grid = result.model.grid if isinstance(result.model, PrototypeMap) else None
    places = drawn(grid, result.positions)
    onto = _matched(result.item_ids, onto_ids, onto_places)
    if grid is None:
        return Aligned(positions=align(places, onto), turn=None)
    turn = best_orientation(result, onto, onto_grid=onto_grid)
    return Aligned(positions=turn.moved(places, grid), turn=turn)


def best_orientation(
    result: Result, onto: Floats, both: Bools | None = None, *, onto_grid: Grid | None = None
) -> Orientation:
    """The turn of a map with nodes whose picture of the items agrees best with these places.

    Agreement is the correlation of places around their centre, whatever the scale. On a torus that
    both maps are on, it is how near items are the short way round. Of turns that agree as well, the
    one that changes least is taken: the picture as it is, if it may be.

    Parameters
    ----------
    onto
        Where the other map draws the same items, shape (N, 2); NaN where it lacks one.
    both
        Which of them decide, shape (N,); all that are on both maps, if left out.
    onto_grid
        The other map's grid, if it has one.
    """
    model = result.model
    if not isinstance(model, PrototypeMap) or model.grid.n_axes != 2:
        return UNTURNED
    known = ~np.isnan(result.positions).any(axis=1) & ~np.isnan(onto).any(axis=1)
    if both is not None:
        known &= both
    if not known.any():
        return UNTURNED
    positions, there = result.positions[known], onto[known]
    if onto_grid is not None and same_torus(model.grid, onto_grid):
        return best_of(model.grid, short_ways(model.grid, onto_grid, positions, there))
    return best_of(model.grid, correlations(model.grid, positions, there))


def _matched(ids: Sequence[str], onto_ids: Sequence[str], onto_places: Floats) -> Floats:
    """Places of these items on the other map, NaN for those it lacks."""
    if ids == onto_ids:
        return onto_places
    numbers = {name: number for number, name in enumerate(onto_ids)}
    found = np.array([numbers.get(name, -1) for name in ids], dtype=np.int64)
    # The row of nobody is the last one, which −1 finds.
    return np.append(onto_places, [[np.nan, np.nan]], axis=0)[found]
