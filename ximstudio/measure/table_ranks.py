"""Neighbours and ranks where the distances in the data are given as a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ximstudio.kernels.parallel import over_blocks
from ximstudio.kernels.points import all_distances
from ximstudio.measure.ranks import Ranks, points_of
from ximstudio.model.arrays import Floats, Ints

AT_ONCE = 16


def table_ranks(table: Floats, positions: Floats, periods: Sequence[float], k: int) -> Ranks:
    """Return exact neighbours and ranks of all items by a table of their distances, 0 < k < N."""
    n_items = len(table)
    places = points_of(positions, periods, np.arange(n_items))
    data_neighbours, map_neighbours, map_ranks, data_ranks = (
        np.empty((n_items, k), dtype=np.int64) for _ in range(4)
    )

    def rank(begin: int, end: int) -> None:
        drawn = np.empty((1, n_items))
        for item in range(begin, end):
            all_distances(places, item, drawn)
            in_data, ranks_in_data = in_order(table[item], item)
            on_map, ranks_on_map = in_order(drawn[0], item)
            data_neighbours[item], map_neighbours[item] = in_data[1 : k + 1], on_map[1 : k + 1]
            map_ranks[item] = ranks_on_map[data_neighbours[item]]
            data_ranks[item] = ranks_in_data[map_neighbours[item]]

    over_blocks(n_items, AT_ONCE, rank)
    return Ranks(
        data_neighbours=data_neighbours,
        map_neighbours=map_neighbours,
        map_ranks=map_ranks,
        data_ranks=data_ranks,
    )


def in_order(distances: Floats, item: int) -> tuple[Ints, Ints]:
    """Return all items by their distance to this one, itself first; and ranks, its own 0."""
    distances = distances.copy()
    distances[item] = -1.0
    order = np.argsort(distances, kind="stable")
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return order, ranks
