"""The torch: true distances of all items to one of them, wherever maps place them. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.explore.similar import distances_from
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import PRECOMPUTED, in_metric, metric_of
from ximstudio.model.params import Params

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FAR = 95.0
"""Percentile of the distances from which on the last colour is used, so that a few outliers do
not take nearly all colours."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Light:
    """True distances around an item.

    Parameters
    ----------
    item
        The row of the item.
    distances
        Distance of every item to it in the data, (N,); NaN where it is unknown.
    neighbours
        The items nearest to it, the nearest first.
    low, high
        The distances between which colours change: from the nearest neighbour on.
    """

    item: int
    distances: Floats
    neighbours: Ints
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Torch:
    """True distances in a table, by the metric of a map, quick enough for a moving mouse.

    |x − y|² = |x|² + |y|² − 2 x·y takes one pass over the table. Features that one of two items
    lacks are left out, and the sum over the rest is scaled up to all features, as everywhere.

    Parameters
    ----------
    matrix, params
        The table, and the parameters that choose the metric.
    filled, squares
        The items as the metric sees them, 0 where blank, and |x|² of each; None for a table of
        distances.
    blanks
        1 where an item lacks a feature; None if nothing is blank.
    """

    matrix: Matrix
    params: Params
    filled: Floats | None = None
    squares: Floats | None = None
    blanks: csr_array | None = None

    @classmethod
    def of(cls, matrix: Matrix, params: Params) -> Torch:
        """Return a torch for a table."""
        if metric_of(params) == PRECOMPUTED:
            return cls(matrix=matrix, params=params)
        # Imported late, in the background thread.
        from scipy.sparse import csr_array

        values = in_metric(matrix, params).values
        blank = np.isnan(values)
        # Centred, because sums of squares then lose the fewest digits.
        known = np.maximum(len(values) - blank.sum(axis=0), 1)
        apart = values - np.nansum(values, axis=0) / known
        filled = np.where(blank, 0.0, apart) if blank.any() else apart
        return cls(
            matrix=matrix,
            params=params,
            filled=filled,
            squares=np.einsum("if,if->i", filled, filled),
            blanks=csr_array(blank.astype(np.float64)) if blank.any() else None,
        )

    def distances(self, item: int) -> Floats:
        """Return the distances of all items to one, (N,); NaN without a feature in common."""
        if self.filled is None or self.squares is None:
            return distances_from(self.matrix, self.params, item)
        own = self.filled[item]
        squares = self.squares + self.squares[item] - 2.0 * (self.filled @ own)
        if self.blanks is not None:
            lacks = np.zeros(len(own))
            lacks[self.blanks[[item]].indices] = 1.0
            missing = np.flatnonzero(lacks)
            # A value that the other item lacks was counted as a difference from 0: subtract it.
            squares -= np.square(self.filled[:, missing]).sum(axis=1) + self.blanks @ own**2
            known = len(own) - lacks.sum() - self.blanks @ (1.0 - lacks)
            squares *= len(own) / np.maximum(known, 1.0)
            squares[known == 0] = np.nan
        squares[item] = 0.0
        # Rounding may leave tiny negative values.
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)))

    def light(self, item: int, k: int) -> Light:
        """Return the distances from an item, and its k nearest neighbours."""
        distances = self.distances(item)
        others = distances.copy()
        others[item] = np.nan
        known = np.flatnonzero(~np.isnan(others))
        k = min(k, len(known))
        near = known[np.argpartition(others[known], k - 1)[:k]] if k else known[:0]
        near = near[np.argsort(others[near], kind="stable")]
        low = float(others[near[0]]) if k else 0.0
        high = float(np.percentile(others[known], FAR)) if k else 1.0
        return Light(item=item, distances=distances, neighbours=near, low=low, high=max(high, low))
