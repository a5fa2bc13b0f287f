"""One map brought to another as it is drawn: maps on a grid turned exactly, others by Procrustes.

Which turns a map with nodes may be given depends on how it is drawn:

- squares, honeycombs, lines, rings, discs, nodes at random, in a table or on the hyperbolic plane:
  the eight symmetries of a rectangle's picture, cells and all;
- tori, besides: moved by any number of rows and columns; cylinders: by any number of columns;
- maps in space, whose layers are drawn side by side: none, since their order would be lost.

Squared distances and products of places add up over the axes, and where an item comes to lie along
one does not depend on moves along the other. Sums per row and per column of cells therefore tell
the score of every move, however many items there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np

from ximstudio.maps.drawn import drawn
from ximstudio.maps.orientation import UNTURNED, Orientation
from ximstudio.measure.alignment import align, extent
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.model.result import PrototypeMap, Result

EQUAL = 1e-9
"""Scores, of which the best possible is 1 or 0, that differ by less are the same."""

Scores = dict[Orientation, Floats]
"""For every flip and swap its scores, (rows, columns) that the map is moved by; more is better."""


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


def best_of(grid: Grid, scores: Scores) -> Orientation:
    """The turn with the best score; of several, the one that changes least."""
    if not scores:
        return UNTURNED
    flips, every = list(scores), np.array(list(scores.values()))
    changes = [flip.flipped_x + flip.flipped_y + flip.swapped for flip in flips]
    rows, columns = (np.arange(size) for size in every.shape[1:])
    moves = np.add.outer(rows > 0, (columns > 0).astype(np.int64))
    way = np.add.outer(
        np.minimum(rows, grid.rows - rows), np.minimum(columns, grid.columns - columns)
    )
    # A move is less than a full turn of the map: changes come first.
    effort = np.add.outer(changes, moves) * (grid.rows + grid.columns) + way
    best = np.where(every >= every.max() - EQUAL, effort, np.inf).argmin()
    flip, row, column = np.unravel_index(best, every.shape)
    return replace(flips[flip], rows=int(row), columns=int(column))


def same_torus(grid: Grid, other: Grid) -> bool:
    """Return whether two maps repeat alike, possibly after a quarter turn."""
    return grid.repeats and other.periods in (grid.periods, grid.periods[::-1])


def correlations(grid: Grid, positions: Floats, onto: Floats) -> Scores:
    """The correlation of places around their centres, −1 to 1, of every turn; none of one point."""
    if extent(positions) == 0.0 or extent(onto) == 0.0:
        return {}
    around = onto - onto.mean(axis=0)
    around /= np.sqrt((around**2).sum())
    x, y = (
        _cut(axis, places, around) for axis, places in zip(_axes(grid), positions.T, strict=True)
    )
    steps = _steps(grid)
    spread = x.squares[steps] + y.squares[:, None]
    size = np.sqrt(np.where(spread > 0.0, spread, np.inf))
    scores = {}
    for flip in _flips():
        across, down = (1, 0) if flip.swapped else (0, 1)
        sign_x, sign_y = flip.signs[::-1] if flip.swapped else flip.signs
        along = sign_x * x.products[across][steps] + sign_y * y.products[down][:, None]
        scores[flip] = along / size
    return scores


def short_ways(grid: Grid, other: Grid, positions: Floats, onto: Floats) -> Scores:
    """Minus the mean square of how far items are apart the short way round, of the map's own."""
    axes, steps = _axes(grid), _steps(grid)
    sides = [axis.length * axis.unit for axis in axes]

    @cache
    def squares(axis: int, new: int, sign: float, offset: float) -> Floats:
        """Squares along an axis of the map that has become one of the picture, for every move."""
        return _apart(axes[axis], onto[:, new] - offset - sign * positions[:, axis], sign)

    scores = {}
    for flip in _flips():
        order = (1, 0) if flip.swapped else (0, 1)
        if other.periods != tuple(grid.periods[axis] for axis in order):
            continue
        offset, signs = flip.offset(grid).tolist(), flip.signs
        x, y = (squares(axis, new, signs[new], offset[new]) for axis, new in enumerate(order))
        scores[flip] = -(x[steps] + y[:, None]) / (len(onto) * np.dot(sides, sides))
    return scores


@dataclass(frozen=True, kw_only=True)
class _Axis:
    """Rows or columns of cells: where they begin, how many, how long, and in what steps to move."""

    origin: float
    length: int
    unit: float
    joined: bool
    parts: int
    """Steps that make up a cell."""

    @property
    def moves(self) -> Floats:
        """Return how far the map may be moved along it, in cells."""
        return np.arange(self.length * self.parts if self.joined else 1) / self.parts


@dataclass(frozen=True, kw_only=True, eq=False)
class _Cut:
    """Places along an axis for every move: products with x and y of others, and squares."""

    products: tuple[Floats, Floats]
    squares: Floats


def _flips() -> list[Orientation]:
    return [
        Orientation(flipped_x=x, flipped_y=y, swapped=swapped)
        for swapped, x, y in product((False, True), repeat=3)
    ]


def _axes(grid: Grid) -> tuple[_Axis, _Axis]:
    """Columns and rows. Honeycombs are moved to the right by half columns, in odd rows."""
    (left, top), (sideways, upright) = grid.origin, grid.joined
    parts = 2 if grid.row_shift else 1
    return (
        _Axis(origin=left, length=grid.columns, unit=1.0, joined=sideways, parts=parts),
        _Axis(origin=top, length=grid.rows, unit=grid.row_height, joined=upright, parts=1),
    )


def _steps(grid: Grid) -> Ints:
    """Return the move to the right for every number of rows and columns, (rows, columns)."""
    columns, rows = _axes(grid)
    whole = np.arange(columns.length if columns.joined else 1) * columns.parts
    half = np.arange(rows.length if rows.joined else 1) % 2 * (columns.parts - 1)
    return np.add.outer(half, whole)


def _cut(axis: _Axis, places: Floats, around: Floats) -> _Cut:
    """Places, cut and joined anew for every move, times what lies around a centre.

    As that adds up to 0, a move changes the sum only by those that go once around.
    """
    if not axis.joined:
        there = places - places.mean()
        sums = tuple(np.array([_sum(there, other)]) for other in around.T)
        return _Cut(products=(sums[0], sums[1]), squares=np.array([_sum(there, there)]))
    cells = (places - axis.origin) / axis.unit % axis.length
    n_bins = axis.length * axis.parts
    bins = np.minimum((cells * axis.parts).astype(np.int64), n_bins - 1)
    there = cells - cells.mean()

    def gone(weights: Floats | None) -> Floats:
        """Sum over those that go once around, for every move."""
        sums = np.bincount(bins, weights, n_bins)
        return np.concatenate([[0.0], np.cumsum(sums[::-1])[:-1]])

    count, length = gone(None), axis.length
    squares = (
        _sum(there, there)
        - 2.0 * length * gone(there)
        + length**2 * count * (1.0 - count / len(cells))
    )
    x, y = (axis.unit * (_sum(there, other) - length * gone(other)) for other in around.T)
    return _Cut(products=(x, y), squares=axis.unit**2 * squares)


def _apart(axis: _Axis, apart: Floats, sign: float) -> Floats:
    """Sum of squared distances the short way round along an axis, for every move.

    In every half step all go the same way round. Without seams only what differs from the mean
    counts: the picture may lie elsewhere.
    """
    if not axis.joined:
        return np.array([((apart - apart.mean()) ** 2).sum()])
    cells = sign * apart / axis.unit % axis.length
    fine = 2 * axis.parts
    bins = np.minimum((cells * fine).astype(np.int64), fine * axis.length - 1)
    middles = (np.arange(fine * axis.length) + 0.5) / fine
    rest = cells - middles[bins]
    count, sums, squares = (
        np.bincount(bins, weights, len(middles)) for weights in (None, rest, rest**2)
    )
    way = middles - axis.moves[:, None]
    way -= axis.length * np.rint(way / axis.length)
    return np.asarray(axis.unit**2 * (way**2 @ count + 2.0 * way @ sums + squares.sum()))


def _sum(one: Floats, other: Floats) -> float:
    """Sum of products, without the threads of a scalar product: they wait for each other."""
    return float((one * other).sum())
