"""Pairs of items with their distances in the data and on the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ximstudio.kernels.parallel import check_here, over_blocks
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.distances import choose_pairs, count_pairs, distances_between

MOST_PAIRS = 4_000_000
"""Number of pairs above which they are sampled: all pairs of up to 2828 items are used."""
AT_ONCE = 2**17
"""Number of pairs that one core takes at once."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DataPairs:
    """Pairs of items with their distance in the data.

    Parameters
    ----------
    left, right
        Numbers of the two items.
    data
        Their distance in the data.
    all_pairs
        True if these are all pairs, False for a random sample.
    n_without
        Pairs left out because they have no distance: no feature is known of both items.
    """

    left: Ints
    right: Ints
    data: Floats
    all_pairs: bool
    n_without: int = 0

    def on_map(self, positions: Floats, periods: Sequence[float]) -> DistancePairs:
        """Return the pairs with their distances on a map as well, the short way round."""
        assert np.isfinite(positions).all()
        left, right = self.left, self.right
        drawn = np.empty(len(left))
        power = power_of_two(positions)
        positions = np.ldexp(positions, -power)
        period = np.ldexp(np.asarray(periods, dtype=np.float64), -power)

        def measure(begin: int, end: int) -> None:
            steps = np.abs(positions[left[begin:end]] - positions[right[begin:end]])
            steps = np.minimum(steps, period - steps)
            drawn[begin:end] = np.ldexp(np.sqrt((steps * steps).sum(axis=1)), power)

        over_blocks(len(left), AT_ONCE, measure)
        return DistancePairs(map=drawn, **vars(self))


@dataclass(frozen=True, kw_only=True, eq=False)
class DistancePairs(DataPairs):
    """Pairs with their distance on a map as well, in its own unit: 32 bytes each."""

    map: Floats

    def __post_init__(self) -> None:
        for array in (self.left, self.right, self.data, self.map):
            frozen(array)

    @property
    def n_pairs(self) -> int:
        return len(self.data)

    @property
    def n_same(self) -> int:
        """Number of pairs of items that do not differ in the data."""
        return int(np.count_nonzero(self.data == 0.0))

    def sample(self, most: int, *, seed: int = 0) -> DistancePairs:
        """Return so many random pairs, each at most once; all if there are no more."""
        if self.n_pairs <= most:
            return self
        chosen = np.random.default_rng(seed).choice(self.n_pairs, most, replace=False)
        check_here()
        arrays = {name: vars(self)[name][chosen] for name in ("left", "right", "data", "map")}
        return replace(self, all_pairs=False, **arrays)


def data_pairs(
    values: Floats, *, most: int = MOST_PAIRS, seed: int = 0, table: Floats | None = None
) -> DataPairs:
    """Return all pairs of items if there are at most so many, else so many random ones.

    Random pairs are drawn with replacement, all equally likely. Distances are taken by
    `distances_between`, or from a `table` of them (N, N). Besides the pairs themselves this needs
    one more copy of the values.
    """
    left, right = choose_pairs(len(values), most=most, seed=seed, halt=check_here)
    check_here()
    data = np.empty(len(left))
    # Squares of very large or very small values would overflow or underflow.
    power = power_of_two(values)
    scaled = np.ldexp(values, -power)

    def measure(begin: int, end: int) -> None:
        here, there = left[begin:end], right[begin:end]
        if table is None:
            data[begin:end] = np.ldexp(distances_between(scaled, here, there), power)
        else:
            data[begin:end] = table[here, there]

    over_blocks(len(left), AT_ONCE, measure)
    known = ~np.isnan(data)
    n_without = len(data) - int(np.count_nonzero(known))
    if n_without:
        left, right, data = left[known], right[known], data[known]
    return DataPairs(
        left=left,
        right=right,
        data=data,
        all_pairs=count_pairs(len(values)) <= most,
        n_without=n_without,
    )


def pairs_of(
    values: Floats,
    positions: Floats,
    periods: Sequence[float],
    *,
    most: int = MOST_PAIRS,
    seed: int = 0,
    table: Floats | None = None,
) -> DistancePairs:
    """Return the pairs of `data_pairs` on a map."""
    return data_pairs(values, most=most, seed=seed, table=table).on_map(positions, periods)


def power_of_two(values: Floats) -> int:
    """Return the least p with all values within ±2^p, 0 if all are 0: scaling by 2^p is exact."""
    low = np.fmin.reduce(values, axis=None, initial=0.0)
    return int(np.frexp(np.fmax.reduce(values, axis=None, initial=-low))[1])
