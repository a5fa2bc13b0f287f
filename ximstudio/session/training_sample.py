"""Neighbourhood quality of a sample of the items, fast enough for use during training."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ximstudio.measure.chance import live_neighbours_of
from ximstudio.measure.neighbourhoods import continuity, trustworthiness
from ximstudio.measure.ranks import Ranks
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.matrix import Matrix

MOST = 300
FEWEST = 50
"""Largest sample, and the smallest one if profiles are long."""
DIFFERENCES = 2**25
"""Limit of single-value differences for the distances in the data, within these bounds."""


class TrainingSample:
    """A sample of items with their neighbours in the data, found once.

    Only numpy: the exact kernels pay off only for many items, and the first training on a machine
    must not wait for their compilation.
    """

    def __init__(self, matrix: Matrix) -> None:
        fits = int(np.sqrt(2.0 * DIFFERENCES / max(matrix.n_features, 1)))
        size = min(matrix.n_items, max(FEWEST, min(MOST, fits)))
        self._n_items = matrix.n_items
        self.items: Ints = np.arange(matrix.n_items)
        if size < matrix.n_items:
            rng = np.random.default_rng(0)
            self.items = np.sort(rng.choice(matrix.n_items, size, replace=False))
        self.k = live_neighbours_of(size)
        order, self._data_ranks = _ranked(_data_distances(matrix, self.items))
        self._data_neighbours = order[:, 1 : self.k + 1]

    @property
    def n_sampled(self) -> int:
        """Size of the sample; 0 if it has all items."""
        return 0 if len(self.items) == self._n_items else len(self.items)

    def ranks(self, positions: Floats, periods: Sequence[float]) -> Ranks:
        """Neighbours and ranks of the sampled items; `positions` are those of all items."""
        order, map_ranks = _ranked(_map_distances(positions[self.items], periods))
        neighbours = order[:, 1 : self.k + 1]
        return Ranks(
            data_neighbours=self._data_neighbours.copy(),
            map_neighbours=neighbours.copy(),
            map_ranks=np.take_along_axis(map_ranks, self._data_neighbours, axis=1),
            data_ranks=np.take_along_axis(self._data_ranks, neighbours, axis=1),
        )

    def trust_and_continuity(
        self, positions: Floats, periods: Sequence[float]
    ) -> tuple[float, float]:
        """T and C, each averaged over 1 to 15 neighbours."""
        ranks = self.ranks(positions, periods)
        return float(trustworthiness(ranks).mean()), float(continuity(ranks).mean())


def _data_distances(matrix: Matrix, items: Ints) -> Floats:
    n_items = len(items)
    left, right = np.triu_indices(n_items, 1)
    apart = np.zeros((n_items, n_items))
    apart[left, right] = matrix.distances(items[left], items[right])
    # Without a feature that is known of both, two items count as infinitely far apart.
    return np.nan_to_num(apart + apart.T, nan=np.inf)


def _map_distances(positions: Floats, periods: Sequence[float]) -> Floats:
    total = np.zeros((len(positions), len(positions)))
    for places, period in zip(positions.T, periods, strict=True):
        apart = np.abs(places[:, None] - places)
        if np.isfinite(period):
            apart = np.minimum(apart, period - apart)
        total += apart * apart
    return total


def _ranked(distances: Floats) -> tuple[Ints, Ints]:
    """All others by distance for each item, itself first; and the rank of each, itself 0."""
    np.fill_diagonal(distances, -1.0)
    order = np.argsort(distances, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(len(order))[None, :], axis=1)
    return order, ranks
