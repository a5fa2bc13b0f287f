"""Exact neighbours and their ranks without any N×N table.

The rank of j around i is the number of items nearer to i than j, plus one (`points` decides which
of two is nearer). So to rank some candidates around i it is enough to find every item's place among
them: the number of candidates that precede it. Approximate distances settle most places
(`rank_bins`); items that are too close to call are measured again by differences. On the map only
blocks of items that are near enough are examined (`map_neighbours`).
"""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.jit import strict
from ximstudio.kernels.map_neighbours import Boxes, gather_on_map
from ximstudio.kernels.nearest import BLOCK, block_minima
from ximstudio.kernels.points import SpacePoints, measure, precedes, sort_by_distance
from ximstudio.kernels.rank_bins import (
    DOUBT,
    FEWEST_BINS,
    MOST_BINS,
    NEAR,
    PER_BIN,
    Bins,
    Candidates,
    Error,
    Row,
    fill_bins,
    last_near_bin,
    scale_of,
    settle_bins,
    take_candidates,
)
from ximstudio.model.arrays import Floats32, Ints, Ints32


@strict
def place_among(
    points: SpacePoints, j: int, d: float, first: int, last: int, candidates: Candidates
) -> int:
    """Number of candidates that precede item j at distance d: between `first` and `last`."""
    while first < last:
        middle = (first + last) // 2
        other = candidates.items[middle]
        if precedes(points, d, j, candidates.distances[middle], other):
            last = middle
        else:
            first = middle + 1
    return first


@strict
def rank_row(
    points: SpacePoints,
    i: int,
    near: Floats32,
    n_blocks: int,
    row: Row,
    bins: Bins,
    candidates: Candidates,
    ranks: Ints,
    neighbours: Ints,
) -> None:
    """Rank the candidates around item i, and find its nearest neighbours if asked for.

    `near` holds rough squared distances by item. The first n_blocks blocks of the row hold all
    items that may be as near as the candidates are; i itself is infinitely far away.
    """
    n_entries = n_blocks * BLOCK
    n_bins = min(max(n_entries // PER_BIN, FEWEST_BINS), MOST_BINS)
    low, scale = scale_of(candidates, n_bins)
    fill_bins(near, row, n_blocks, low, scale, n_bins)
    bins.counts[:n_bins] = 0
    for q in range(n_entries):
        bins.counts[row.bins[q]] += 1
    settle_bins(candidates, low, scale, n_bins, bins)
    if neighbours.size:
        for b in range(last_near_bin(candidates, neighbours.size, scale, n_bins, bins) + 1):
            bins.marks[b] |= NEAR
    n_chosen = 0
    for q in range(n_entries):
        if bins.marks[row.bins[q]]:
            row.chosen[n_chosen] = q
            n_chosen += 1
    # Neighbours are measured from the beginning of the list, doubtful ones from its end.
    n_near = 0
    end = row.measured.size
    begin = end
    for c in range(n_chosen):
        q = row.chosen[c]
        b = row.bins[q]
        j = row.blocks[q // BLOCK] * BLOCK + q % BLOCK
        if bins.marks[b] & NEAR:
            row.measured[n_near] = j
            n_near += 1
        if bins.marks[b] & DOUBT:
            first, last = bins.first[b], bins.last[b]
            while first < last and near[j] > candidates.high[first]:
                first += 1
            while first < last and near[j] < candidates.low[last - 1]:
                last -= 1
            if first + 1 == last and candidates.items[first] == j:
                first = last
            if first == last:
                candidates.before[first] += 1
            else:
                begin -= 1
                row.measured[begin] = j
                row.first[begin] = first
                row.last[begin] = last
    measure(points, i, row.measured[begin:end], row.distances[begin:end])
    for c in range(begin, end):
        place = place_among(
            points, row.measured[c], row.distances[c], row.first[c], row.last[c], candidates
        )
        candidates.before[place] += 1
    total = 0
    for c in range(candidates.items.size):
        total += candidates.before[c]
        ranks[candidates.order[c]] = total + 1
    if neighbours.size:
        measure(points, i, row.measured[:n_near], row.distances[:n_near])
        sort_by_distance(points, row.distances, row.measured, row.order[:n_near])
        neighbours[:] = row.measured[: neighbours.size]


@strict
def choose_blocks(minima: Floats32, cut: np.float32, blocks: Ints32) -> int:
    """Choose the blocks with an item up to `cut`; return their number."""
    n_blocks = 0
    for b in range(minima.size):
        blocks[n_blocks] = b
        n_blocks += int(minima[b] <= cut)
    return n_blocks


@strict
def rank_in_data(
    points: SpacePoints,
    begin: int,
    rough: Floats32,
    error: Error,
    asked: Ints,
    row: Row,
    bins: Bins,
    candidates: Candidates,
    ranks: Ints,
    neighbours: Ints,
) -> None:
    """Ranks of asked[i] around items begin, begin + 1, …, and their nearest neighbours.

    `rough` holds their squared distances to all items, padded to whole blocks.
    """
    minima = np.empty(rough.shape[1] // BLOCK, dtype=np.float32)
    for r in range(rough.shape[0]):
        i = begin + r
        near = rough[r]
        near[i] = np.inf
        block_minima(near, minima)
        take_candidates(points, i, asked[i], error, candidates)
        n_blocks = choose_blocks(minima, candidates.high[candidates.high.size - 1], row.blocks)
        rank_row(points, i, near, n_blocks, row, bins, candidates, ranks[i], neighbours[i])


@strict
def rank_on_map(
    points: SpacePoints,
    boxes: Boxes,
    begin: int,
    end: int,
    error: Error,
    asked: Ints,
    row: Row,
    bins: Bins,
    candidates: Candidates,
    ranks: Ints,
) -> None:
    """Ranks on the map of asked[i] around items begin … end − 1."""
    near = np.empty(boxes.places.shape[1], dtype=np.float32)
    none = np.empty(0, dtype=np.int64)
    for i in range(begin, end):
        take_candidates(points, i, asked[i], error, candidates)
        reach = np.float64(candidates.high[candidates.high.size - 1])
        n_blocks = gather_on_map(points, boxes, i, reach, near, row.blocks)
        rank_row(points, i, near, n_blocks, row, bins, candidates, ranks[i], none)


@strict
def put_back(
    order: Ints, neighbours: Ints, ranks: Ints, back_neighbours: Ints, back_ranks: Ints
) -> None:
    """Restore rows and numbers to the order of the table; order[i] is item i there."""
    for i in range(order.size):
        for c in range(ranks.shape[1]):
            back_neighbours[order[i], c] = order[neighbours[i, c]]
            back_ranks[order[i], c] = ranks[i, c]
