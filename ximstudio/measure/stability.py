"""Stability of items over repeated maps: alignment of the maps, and wander of items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ximstudio.measure.alignment import align, circular_means, extent, repeats, short_way
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.place.placed import wrapped

ROUNDS = 10
"""Rounds of averaging and aligning; similar maps converge within them."""
SETTLED = 1e-4
"""Root mean square change in a round, relative to the size of the map, that counts as none."""
SAMPLE = 2000
"""Number of items that suffice to find the run nearest to all others."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Placement:
    """Positions of the items of one run: their numbers in the whole table, and positions (n, d)."""

    items: Ints
    positions: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Stability:
    """Several aligned runs of one method.

    Parameters
    ----------
    runs
        Every run aligned with all others, in the units of the most central run.
    positions
        Mean position of every item over its runs, shape (N, d); NaN where it was in none.
    wander
        Wander of every item, shape (N,): the root mean square distance between its positions in two
        runs, relative to that between two random items of a map or, on a torus, two random
        positions. 0 means always in the same place, 1 anywhere. NaN for items of fewer than two
        runs.
    """

    runs: tuple[Placement, ...]
    positions: Floats
    wander: Floats

    @property
    def mean_wander(self) -> float:
        """Mean over all items of two or more runs; NaN where there are none."""
        known = self.wander[~np.isnan(self.wander)]
        return float(known.mean()) if len(known) else np.nan

    def most_wandering(self, n: int) -> Ints:
        """Return the n items that wander farthest, farthest first."""
        known = np.flatnonzero(~np.isnan(self.wander))
        return known[np.argsort(-self.wander[known], kind="stable")[:n]]


def stability(runs: Sequence[Placement], n_items: int, grid: Grid | None = None) -> Stability:
    """Align the runs of a method on parts of n items, and compute the wander of every item.

    `grid` is that of the maps, None where they have no nodes.
    """
    places = np.full((len(runs), n_items, runs[0].positions.shape[1]), np.nan)
    for row, run in zip(places, runs, strict=True):
        row[run.items] = run.positions
    aligned, mean = consensus(places, grid)
    return Stability(
        runs=tuple(
            Placement(items=run.items, positions=row[run.items])
            for row, run in zip(aligned, runs, strict=True)
        ),
        positions=mean,
        wander=wander(aligned, grid),
    )


def consensus(places: Floats, grid: Grid | None = None) -> tuple[Floats, Floats]:
    """Align maps (runs, N, d), NaN for items not in a run, with each other; return also their mean.

    Generalised Procrustes analysis (Gower 1975): all maps are aligned with their mean, which gives
    a new mean, until it converges. It starts with the run that is nearest to all others, so that
    the order of the runs does not matter and one odd run does not mislead the rest.
    """
    mean = places[_most_central(places, grid)]
    size = _size(mean, grid)
    for _ in range(ROUNDS):
        before = mean
        aligned = np.stack([align(run, before, grid) for run in places])
        # Aligned with the one before, the mean does not drift and, for dissimilar maps, does not
        # shrink.
        mean = align(_mean(aligned, grid), before, grid)
        if _misfit(mean, before, grid) <= (SETTLED * size) ** 2:
            break
    return aligned, _mean(aligned, grid)


def wander(places: Floats, grid: Grid | None = None) -> Floats:
    """Return the wander of every item between aligned maps (runs, N, d); see Stability.

    On a map that does not repeat this equals the root mean square distance of an item's places from
    their mean (with runs − 1) over that of all items from theirs. On a torus, the mean of a few
    places lies too near to them; distances between runs do not depend on their number.
    """
    squares = np.zeros(places.shape[1])
    pairs = np.zeros(places.shape[1])
    for one, other in combinations(places, 2):
        apart = (short_way(one - other, grid) ** 2).sum(axis=1)
        both = ~np.isnan(apart)
        squares[both] += apart[both]
        pairs += both
    size = _size(places, grid)
    relative = np.full(len(squares), np.nan)
    # Where all items of a map share one position, none has moved.
    np.divide(squares, pairs * size**2 if size > 0 else np.inf, out=relative, where=pairs > 0)
    return np.asarray(np.sqrt(relative))


def _most_central(places: Floats, grid: Grid | None) -> int:
    """Return the run with the least sum of squared distances to all others, aligned with it."""
    some = places[:, :: max(1, places.shape[1] // SAMPLE)]
    total = np.zeros(len(places))
    for one, other in combinations(range(len(places)), 2):
        moved = align(some[one], some[other], grid)
        size = _size(some[other], grid)
        apart = _misfit(moved, some[other], grid) / size**2 if size > 0 else 0.0
        total[[one, other]] += apart
    return int(np.argmin(total))


def _misfit(one: Floats, other: Floats, grid: Grid | None) -> float:
    """Return the mean squared distance of common items on two maps; infinite without."""
    apart = (short_way(one - other, grid) ** 2).sum(axis=1)
    known = apart[~np.isnan(apart)]
    return float(known.mean()) if len(known) else np.inf


def _mean(places: Floats, grid: Grid | None) -> Floats:
    """Return the mean position of every item over the runs it is in."""
    count = (~np.isnan(places)).sum(axis=0)
    mean = np.full(count.shape, np.nan)
    np.divide(np.nansum(places, axis=0), count, out=mean, where=count > 0)
    if not repeats(grid):
        return mean
    for axis in np.flatnonzero(np.isfinite(grid.periods)).tolist():
        mean[:, axis] = circular_means(places[..., axis], grid.periods[axis])
    return wrapped(grid, mean)


def _size(places: Floats, grid: Grid | None) -> float:
    """Return the root mean square distance of random items or, if periodic, of positions."""
    periods = np.array(grid.periods if repeats(grid) else [np.inf] * places.shape[-1])
    joined = np.isfinite(periods)
    straight = extent(places[~np.isnan(places[..., 0])][:, ~joined]) if not joined.all() else 0.0
    return float(np.sqrt((periods[joined] ** 2).sum() / 12.0 + 2.0 * straight**2))
