"""Layout of items for whole epochs: rows for matrix products, split the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ximstudio.kernels.layout import aligned, rounded_up
from ximstudio.kernels.online import STEEPEST
from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Floats, Floats32, Ints

ITEMS_AT_ONCE = 512
MOST_PARTS = 16
"""Maximum number of parts in which items are summed, whatever the number of cores."""
BLOCKS_IN_PART = 8
"""Minimum blocks per part beyond two parts, because the sums of each have to enter the cache."""
SUMS = 2**25
"""Maximum numbers in the sums of all parts together, if there are more than two."""
COLUMNS = 4
"""Rows are padded to a multiple of this many columns."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BatchItems:
    """Items as rows (x | known | 1), whose products give distances as well as sums.

    Without missing values `known` is the 1 itself: times |w|² it completes −2 x·w to a distance.
    With missing values it holds a 1 for every known feature, beside the w² of every feature. In
    sums of rows the 1 counts the items.

    Parameters
    ----------
    rows
        Shape (N, columns), padded with zeros.
    squares
        |x|² of the known values, shape (N,).
    weights
        Number of features over the number known, shape (N,).
    n_features, masked
        D, and whether values are missing.
    reaches
        Reach of every item at equally spaced points of training, shape (N, points), in training
        units; empty if all share one.
    """

    rows: Floats32
    squares: Floats32
    weights: Floats32
    n_features: int
    masked: bool
    reaches: Floats32

    @classmethod
    def of(
        cls,
        values: Floats | Floats32,
        observed: Floats | Floats32 | None,
        reaches: Floats32 | None = None,
    ) -> BatchItems:
        """Lay out items in training coordinates, 0 where `observed` is 0."""
        n_items, n_features = values.shape
        known = 0 if observed is None else n_features
        rows = aligned(n_items, rounded_up(n_features + known + 1, COLUMNS))
        squares, weights = (np.ones(n_items, dtype=np.float32) for _ in range(2))

        def lay_out(begin: int, end: int) -> None:
            x = rows[begin:end, :n_features]
            x[:] = values[begin:end]
            np.einsum("if,if->i", x, x, out=squares[begin:end])
            rows[begin:end, n_features + known] = 1.0
            if observed is not None:
                rows[begin:end, n_features : 2 * n_features] = observed[begin:end]
                weights[begin:end] = n_features / observed[begin:end].sum(axis=1)

        over_blocks(n_items, 16 * ITEMS_AT_ONCE, lay_out)
        return cls(
            rows=rows,
            squares=squares,
            weights=weights,
            n_features=n_features,
            masked=observed is not None,
            reaches=np.empty((n_items, 0), dtype=np.float32) if reaches is None else reaches,
        )

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def known(self) -> slice:
        """Columns of `rows` that mark known values."""
        return slice(self.n_features, self.n_features + (self.n_features if self.masked else 1))

    @property
    def ones(self) -> int:
        """Column of `rows` that is 1."""
        return 2 * self.n_features if self.masked else self.n_features

    @property
    def uneven(self) -> bool:
        """True if the same distance means more for some items than for others."""
        return self.masked or self.reaches.size > 0

    def steepness(self, reach: float, fraction: float) -> Floats32:
        """1/2γ² of every item, times its weight, at a fraction of training."""
        if not self.reaches.size:
            return self.weights * np.float32(_steepness(reach))
        last = self.reaches.shape[1] - 1
        before = min(int(fraction * last), last - 1)
        share = np.float32(fraction * last - before)
        gamma = self.reaches[:, before] * (1 - share) + self.reaches[:, before + 1] * share
        return np.asarray(self.weights * _steepness(gamma), dtype=np.float32)

    def some(self, chosen: slice | Ints) -> BatchItems:
        """Return the chosen items; without a copy if they are a slice."""
        return BatchItems(
            rows=self.rows[chosen],
            squares=self.squares[chosen],
            weights=self.weights[chosen],
            n_features=self.n_features,
            masked=self.masked,
            reaches=self.reaches[chosen],
        )

    def measuring(self, prototypes: Floats32) -> Floats32:
        """Return the factor (M, columns) whose product with the rows is d_E − |x|²."""
        factor = np.zeros((len(prototypes), self.rows.shape[1]), dtype=np.float32)
        factor[:, : self.n_features] = np.float32(-2.0) * prototypes
        squares = prototypes * prototypes
        factor[:, self.known] = squares if self.masked else squares.sum(axis=1, keepdims=True)
        return factor


def _steepness(gamma: float | Floats32) -> Any:
    """1/2γ², bounded, so that a distance of 0 stays 0 in single precision however short γ is."""
    with np.errstate(over="ignore", divide="ignore"):
        return np.minimum(np.divide(0.5, np.square(gamma, dtype=np.float64)), STEEPEST)


def parts_of(n_items: int, room: int) -> int:
    """Number of parts that items are split into, if the sums of one take `room` numbers.

    It depends on nothing else, so that sums per part, added in order, repeat to the last bit.
    """
    whole = max(2, n_items // (BLOCKS_IN_PART * ITEMS_AT_ONCE))
    return max(1, min(MOST_PARTS, whole, n_items // ITEMS_AT_ONCE, max(2, SUMS // room)))


def blocks_of(items: BatchItems, part: int, n_parts: int) -> Iterator[tuple[int, BatchItems]]:
    """Yield the blocks of one part, each with its number among the blocks of all parts."""
    bounds = (number * len(items) // n_parts for number in range(part + 2))
    *before, (begin, end) = pairwise(bounds)
    first = sum(-((start - stop) // ITEMS_AT_ONCE) for start, stop in before)
    for number, start in enumerate(range(begin, end, ITEMS_AT_ONCE), first):
        yield number, items.some(slice(start, min(start + ITEMS_AT_ONCE, end)))
