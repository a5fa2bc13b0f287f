"""Neighbours of items in the data and on the map, and their ranks on the other side."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.map_neighbours import Boxes, find_on_map
from ximstudio.kernels.nearest import BLOCK
from ximstudio.kernels.parallel import n_cores, over_blocks
from ximstudio.kernels.points import SpacePoints, all_distances
from ximstudio.kernels.rank_bins import Error, padded, room
from ximstudio.kernels.ranks import put_back, rank_in_data, rank_on_map
from ximstudio.model.arrays import Floats, Floats32, Ints, frozen

SHARE = 256
"""Number of items that one core takes at a time."""
MOST_ROWS, ROWS_BYTES = 128, 2**28
"""Rows of distances to all items per core, and the memory for all cores together."""
CURVE_BITS = 12
SAMPLE = 64
"""Number of items whose median is the centre: any centre will do."""
FAR = 1e150
"""Position of padding in the last block."""
AT_ONCE = 16


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranks:
    """The k nearest neighbours of every item and their ranks on the other side, shape (N, k).

    Ranks count from 1. Of equally near items the first in the table counts as nearer.
    """

    data_neighbours: Ints
    map_neighbours: Ints
    map_ranks: Ints
    """Rank on the map of every neighbour in the data: large where a neighbour was lost."""
    data_ranks: Ints
    """Rank in the data of every neighbour on the map: large where an intruder came in."""

    def __post_init__(self) -> None:
        for array in vars(self).values():
            frozen(array)

    @property
    def n_items(self) -> int:
        return int(self.map_ranks.shape[0])

    @property
    def k(self) -> int:
        return int(self.map_ranks.shape[1])

    @property
    def exchanged(self) -> Ranks:
        """The same with data and map exchanged."""
        return Ranks(
            data_neighbours=self.map_neighbours,
            map_neighbours=self.data_neighbours,
            map_ranks=self.data_ranks,
            data_ranks=self.map_ranks,
        )


def neighbour_ranks(values: Floats, positions: Floats, periods: Sequence[float], k: int) -> Ranks:
    """Return exact neighbours and ranks of all items, 0 < k < N; takes memory of order N·k."""
    n_items = len(values)
    order = np.ascontiguousarray(_along_the_map(positions))
    data = points_of(values, (np.inf,) * values.shape[1], order)
    map_ = points_of(positions, periods, order)
    boxes = boxes_of(map_.places)
    map_neighbours, data_neighbours, map_ranks, data_ranks = (
        np.empty((n_items, k), dtype=np.int64) for _ in range(4)
    )
    rounded = Error(2.0**-24, np.zeros(n_items), np.inf)

    rooms = _Rooms(n_items, k)

    def find(begin: int, end: int) -> None:
        row, _, _ = rooms.own
        find_on_map(map_, boxes, begin, end, row, map_neighbours)

    def rank(begin: int, end: int) -> None:
        rank_on_map(map_, boxes, begin, end, rounded, data_neighbours, *rooms.own, map_ranks)

    over_blocks(n_items, SHARE, find)
    _rank_in_data(data, map_neighbours, data_ranks, data_neighbours, rooms)
    over_blocks(n_items, SHARE, rank)
    in_data, lost = np.empty_like(data_neighbours), np.empty_like(map_ranks)
    put_back(order, data_neighbours, map_ranks, in_data, lost)
    on_map, came = np.empty_like(map_neighbours), np.empty_like(data_ranks)
    put_back(order, map_neighbours, data_ranks, on_map, came)
    return Ranks(data_neighbours=in_data, map_neighbours=on_map, map_ranks=lost, data_ranks=came)


class _Rooms(threading.local):
    """Working arrays, one set per thread: fresh pages cost as much as the work in them."""

    def __init__(self, n_items: int, k: int) -> None:
        self.own = room(n_items, k)
        self.rough: Floats32 = np.empty((0, 0), dtype=np.float32)


def points_of(places: Floats, periods: Sequence[float], order: Ints) -> SpacePoints:
    """Prepare items in the order given for distances.

    Scaled by a power of two, which keeps the order, to the range of float32.
    """
    largest = float(np.nanmax(np.abs(places), initial=0.0))
    unit = 2.0 ** np.floor(np.log2(largest)) if largest > 0.0 else 1.0
    repeats = np.asarray(periods, dtype=np.float64) / unit
    return SpacePoints(
        np.ascontiguousarray(places[order], dtype=np.float64) / unit,
        repeats,
        not np.isnan(places).any() and bool(np.isinf(repeats).all()),
        order,
    )


def boxes_of(places: Floats) -> Boxes:
    """Return bounds of every block of items, and the positions axis by axis."""
    n_items, n_axes = places.shape
    by_axis = np.full((n_axes, padded(n_items)), FAR)
    by_axis[:, :n_items] = places.T
    starts = np.arange(0, n_items, BLOCK)
    return Boxes(np.minimum.reduceat(places, starts), np.maximum.reduceat(places, starts), by_axis)


def _rank_in_data(
    data: SpacePoints, asked: Ints, ranks: Ints, neighbours: Ints, rooms: _Rooms
) -> None:
    n_items, n_features = data.places.shape
    size = padded(n_items)
    if data.plain:
        left, right, sizes = _factors(data.places, size)
        # Rounding of a float32 sum of D + 2 products, of its terms, and of moving the items.
        error = Error((n_features + 16) * 2.0**-24, sizes, float(sizes.max()))
    else:
        error = Error(2.0**-24, np.zeros(n_items), np.inf)

    at_once = max(1, min(MOST_ROWS, ROWS_BYTES // (4 * size * n_cores())))

    def rank(begin: int, end: int) -> None:
        if not rooms.rough.size:
            rooms.rough = np.full((at_once, size), np.inf, dtype=np.float32)
        for start in range(begin, end, at_once):
            stop = min(start + at_once, end)
            rows = rooms.rough[: stop - start]
            if data.plain:
                np.matmul(left[start:stop], right, out=rows)
            else:
                all_distances(data, start, rows)
            rank_in_data(data, start, rows, error, asked, *rooms.own, ranks, neighbours)

    over_blocks(n_items, SHARE, rank)


def _factors(values: Floats, size: int) -> tuple[Floats32, Floats32, Floats]:
    """Return rows and columns whose product is |a − b|² = |a|² + |b|² − 2 a·b, and sizes |a|.

    Around the centre, where float32 has most digits. Padded columns are far away.
    """
    n_items, n_features = values.shape
    centre = np.median(values[:: max(1, n_items // SAMPLE)], axis=0)
    rough = (values - centre).astype(np.float32)
    squares = np.einsum("if,if->i", rough, rough, dtype=np.float64)
    left = np.empty((n_items, n_features + 2), dtype=np.float32)
    right = np.zeros((n_features + 2, size), dtype=np.float32)
    left[:, :n_features] = -2.0 * rough
    left[:, n_features] = 1.0
    left[:, n_features + 1] = squares
    right[:n_features, :n_items] = rough.T
    right[n_features, :n_items] = squares
    right[n_features, n_items:] = np.float32(np.inf)
    right[n_features + 1, :n_items] = 1.0
    # Values far from the centre lose digits when they are moved; 2⁻²⁴ of a size stands for them.
    sizes = np.sqrt(squares) + 2.0**-31 * np.abs(values).max() * np.sqrt(n_features)
    return left, right, sizes


def _along_the_map(positions: Floats) -> Ints:
    """Order the items along a Hilbert curve: adjacent ones are near on the map.

    By ranks along the axes, so that outliers do not push all others into one corner.
    """
    side = 2**CURVE_BITS
    ranks = np.argsort(np.argsort(positions[:, [0, -1]], axis=0, kind="stable"), axis=0)
    x, y = (ranks * side // len(positions)).T
    along = np.zeros(len(positions), dtype=np.int64)
    half = side // 2
    while half:
        right, upper = (x & half) > 0, (y & half) > 0
        along += half * half * ((3 * right) ^ upper)
        # The curve inside a quarter is the whole one, turned and possibly mirrored.
        mirrored = right & ~upper
        x, y = np.where(mirrored, side - 1 - x, x), np.where(mirrored, side - 1 - y, y)
        x, y = np.where(upper, x, y), np.where(upper, y, x)
        half //= 2
    return np.argsort(along, kind="stable")


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
