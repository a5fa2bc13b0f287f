"""Exact neighbours and their ranks without any N×N table.

The rank of j around i is how many items lie nearer to i than j does, plus one; of equally near
items the one with the smaller original number comes first. So to rank some candidates around i it
is enough to find every item's place among them: how many of the candidates precede it.

Distances of one item to all others come rough, in float32, with a bound on their error. They are
binned; a bin that no candidate's distance may lie in settles all of its items at once. Items of the
other bins are compared one by one, and those that are too close to call by their rough distance are
measured again by differences.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ximstudio.kernels.jit import comparing, strict
from ximstudio.kernels.nearest import BLOCK, block_minima
from ximstudio.model.arrays import Floats, Floats32, Ints, Ints32

FEWEST_BINS, MOST_BINS = 64, 4096
PER_BIN = 2
COUNTED = 160
"""Up to so many items are sorted by counting."""
DOUBT, NEAR = 1, 2
UNRELATED = 1e36
"""Squared distance of items that share no feature: beyond all others, which are of size 1."""
FLOOR = 1e-33
"""Error of rough distances so small that float32 no longer holds them."""
ROUNDING = 2.0**-23
"""Relative error of a number rounded to float32, doubled."""


class Points(NamedTuple):
    """Items in one of the two spaces, of size 1, in an order that puts near ones side by side."""

    places: Floats
    """Shape (N, D); a blank is NaN."""
    periods: Floats
    """Shape (D,): lengths after which space repeats, or infinity."""
    plain: bool
    """Whether nothing is blank and nothing repeats."""
    original: Ints
    """Number of every item in the table: it decides between equally near ones."""


class Row(NamedTuple):
    """Room for what is found out about the distances of one item to all others."""

    blocks: Ints32
    """Blocks of items that may matter; entry q of what follows is item q % BLOCK of one."""
    bins: Any
    chosen: Ints32
    measured: Ints
    """Items that are measured again, those that may be neighbours first."""
    distances: Floats
    order: Ints
    first: Ints32
    last: Ints32
    """How many candidates precede a measured item: at least, and at most."""


class Bins(NamedTuple):
    """What is known of a whole bin of distances; the last one holds all that do not matter."""

    counts: Ints32
    marks: Any
    """Whether its items are looked at one by one: in DOUBT, or NEAR, or both."""
    first: Ints32
    last: Ints32
    """Where in doubt: how many candidates precede an item of the bin, at least and at most."""


class Candidates(NamedTuple):
    """Items whose ranks are asked for, nearest first."""

    items: Ints
    distances: Floats
    low: Floats32
    high: Floats32
    """Between these a rough distance cannot tell who is nearer."""
    order: Ints
    """Where each stood before they were sorted."""
    before: Ints
    """How many items are preceded by exactly this many candidates."""


class Error(NamedTuple):
    """How far off rough squared distances are: relative · (|a| + |b|)² + FLOOR at most."""

    relative: float
    sizes: Floats
    """|a| of every item."""
    largest: float


def padded(n_items: int) -> int:
    """How many places whole blocks of items take."""
    return -(-n_items // BLOCK) * BLOCK


def room(n_items: int, k: int) -> tuple[Row, Bins, Candidates]:
    """Working arrays for rows of distances and k candidates."""
    size = padded(n_items)

    def ints(n: int) -> Ints32:
        return np.empty(n, dtype=np.int32)

    row = Row(
        blocks=ints(size // BLOCK),
        bins=np.empty(size, dtype=np.uint16),
        chosen=ints(size),
        measured=np.empty(2 * size, dtype=np.int64),
        distances=np.empty(2 * size),
        order=np.empty(size, dtype=np.int64),
        first=ints(2 * size),
        last=ints(2 * size),
    )
    bins = Bins(
        counts=ints(MOST_BINS),
        marks=np.empty(MOST_BINS, dtype=np.uint8),
        first=ints(MOST_BINS),
        last=ints(MOST_BINS),
    )
    candidates = Candidates(
        items=np.empty(k, dtype=np.int64),
        distances=np.empty(k),
        low=np.empty(k, dtype=np.float32),
        high=np.empty(k, dtype=np.float32),
        order=np.empty(k, dtype=np.int64),
        before=np.empty(k + 1, dtype=np.int64),
    )
    return row, bins, candidates


@strict
def squared_distance(points: Points, i: int, j: int) -> float:
    """|x_i − x_j|² over the D' features that both have, times D/D', the short way round.

    Summed in the order of the features, no product fused with a sum, on both sides alike: items
    that are equally far by construction stay so.
    """
    a = points.places[i]
    b = points.places[j]
    total = 0.0
    known = 0
    for c in range(a.size):
        step = abs(a[c] - b[c])
        if step == step:
            step = min(step, points.periods[c] - step)
            total += step * step
            known += 1
    if known == a.size:
        return total
    return total * (a.size / known) if known else UNRELATED


@strict
def measure(points: Points, i: int, items: Ints, d: Floats) -> None:
    """d[q]: the squared distance of item i to items[q]."""
    n = items.size
    done = 0
    if points.plain:
        # Four at a time, as memory answers four questions as fast as one.
        done = n - n % 4
        x = points.places[i]
        for q in range(0, done, 4):
            x0, x1 = points.places[items[q]], points.places[items[q + 1]]
            x2, x3 = points.places[items[q + 2]], points.places[items[q + 3]]
            d0, d1, d2, d3 = 0.0, 0.0, 0.0, 0.0
            for c in range(x.size):
                v0, v1, v2, v3 = x[c] - x0[c], x[c] - x1[c], x[c] - x2[c], x[c] - x3[c]
                d0 += v0 * v0
                d1 += v1 * v1
                d2 += v2 * v2
                d3 += v3 * v3
            d[q], d[q + 1], d[q + 2], d[q + 3] = d0, d1, d2, d3
    for q in range(done, n):
        d[q] = squared_distance(points, i, items[q])


@strict
def precedes(points: Points, d: float, i: int, other_d: float, other: int) -> bool:
    """Whether item i at distance d comes before another one."""
    return d < other_d or (d == other_d and points.original[i] < points.original[other])


@strict
def shell_sort(points: Points, d: Floats, items: Ints, order: Ints) -> None:
    """Sort distances and their items in place, and `order` along with them."""
    gap = order.size
    while gap > 1:
        gap = max(int(gap / 2.25), 1)
        for q in range(gap, order.size):
            d_moved, moved, stood = d[q], items[q], order[q]
            place = q
            while place >= gap and d[place - gap] >= d_moved:
                other = items[place - gap]
                if d[place - gap] == d_moved and points.original[other] < points.original[moved]:
                    break
                d[place], items[place], order[place] = d[place - gap], other, order[place - gap]
                place -= gap
            d[place], items[place], order[place] = d_moved, moved, stood


@strict
def sort_by_distance(points: Points, d: Floats, items: Ints, order: Ints) -> None:
    """Sort distances and their items, nearest first; order tells where each stood before.

    Not numpy's sort, which numba takes long to compile. A hundred items find their places sooner
    by counting how many are nearer: that is n² comparisons, but many at a time.
    """
    n = order.size
    for q in range(n):
        order[q] = q
    if n > COUNTED:
        shell_sort(points, d, items, order)
        return
    places = np.empty(COUNTED, dtype=np.int64)
    total = 0
    for q in range(n):
        d_q = d[q]
        nearer = 0
        for r in range(n):
            nearer += int(d[r] < d_q)
        places[q] = nearer
        total += nearer
    if total != n * (n - 1) // 2:
        # Some are equally near.
        shell_sort(points, d, items, order)
        return
    kept, kept_items = d[:n].copy(), items[:n].copy()
    for q in range(n):
        d[places[q]], items[places[q]], order[places[q]] = kept[q], kept_items[q], q


@strict
def take_candidates(
    points: Points, i: int, asked: Ints, error: Error, candidates: Candidates
) -> None:
    """Sort the candidates of item i by their distance, each with the range of doubt around it."""
    candidates.items[:] = asked
    measure(points, i, candidates.items, candidates.distances)
    sort_by_distance(points, candidates.distances, candidates.items, candidates.order)
    size = error.sizes[i]
    for c in range(asked.size):
        d = candidates.distances[c]
        # Whoever is so far away is not larger than that.
        other = min(size + np.sqrt(d), error.largest)
        doubt = error.relative * (size + other) ** 2 + FLOOR
        low, high = d - doubt, d + doubt
        # Rounded to float32, and away from d.
        candidates.low[c] = low - ROUNDING * abs(low)
        candidates.high[c] = high + ROUNDING * high


@strict
def scale_of(candidates: Candidates, n_bins: int) -> tuple[np.float32, np.float32]:
    """Bin numbers are (d − low)·scale: that of the farthest candidate is the last but one."""
    low = np.float32(0.5 * candidates.distances[0])
    high = candidates.high[candidates.high.size - 1]
    return low, np.float32((n_bins - 2) / (high - low))


@strict
def fill_bins(
    near: Floats32, row: Row, n_blocks: int, low: np.float32, scale: np.float32, n_bins: int
) -> None:
    """The bin of every item in the active blocks."""
    bottom, top = np.float32(0.0), np.float32(n_bins - 1)
    for b in range(n_blocks):
        here = near[row.blocks[b] * BLOCK : (row.blocks[b] + 1) * BLOCK]
        number = row.bins[b * BLOCK : (b + 1) * BLOCK]
        for q in range(BLOCK):
            number[q] = np.uint16(np.int32(min(max((here[q] - low) * scale, bottom), top)))


@strict
def settle_bins(
    candidates: Candidates, low: np.float32, scale: np.float32, n_bins: int, bins: Bins
) -> None:
    """Count the items of all bins that leave no doubt, and mark the others.

    Limits of doubt rise from candidate to candidate: the first to claim a bin is the first that an
    item of it may precede, the last is the last that may precede it.
    """
    bins.marks[:n_bins] = 0
    candidates.before[:] = 0
    settled = 0
    for c in range(candidates.items.size):
        begin = max(int((candidates.low[c] - low) * scale), 0)
        end = max(int((candidates.high[c] - low) * scale), 0)
        if begin > settled:
            candidates.before[c] += bins.counts[settled:begin].sum()
        settled = max(settled, end + 1)
        for b in range(begin, end + 1):
            if not bins.marks[b]:
                bins.marks[b] = DOUBT
                bins.first[b] = c
            bins.last[b] = c + 1


@strict
def last_near_bin(
    candidates: Candidates, k: int, scale: np.float32, n_bins: int, bins: Bins
) -> int:
    """The last bin that may hold one of the k nearest items."""
    total = 0
    b = -1
    while total < k:
        b += 1
        total += bins.counts[b]
    # The k-th nearest lies in or before bin b by rough distance; the true order may differ by the
    # doubt of both, and doubt grows with distance.
    last = candidates.items.size - 1
    doubt = candidates.high[last] - candidates.low[last]
    return min(b + 2 + int(doubt * scale), n_bins - 2)


@strict
def place_among(
    points: Points, j: int, d: float, first: int, last: int, candidates: Candidates
) -> int:
    """How many candidates precede item j at distance d: at least `first` and at most `last`."""
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
    points: Points,
    i: int,
    near: Floats32,
    n_blocks: int,
    row: Row,
    bins: Bins,
    candidates: Candidates,
    ranks: Ints,
    neighbours: Ints,
) -> None:
    """Ranks of the candidates around item i, and its nearest neighbours if any are asked for.

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
    """The blocks with an item up to `cut`; returns how many."""
    n_blocks = 0
    for b in range(minima.size):
        blocks[n_blocks] = b
        n_blocks += int(minima[b] <= cut)
    return n_blocks


@strict
def rank_in_data(
    points: Points,
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
def all_distances(points: Points, begin: int, distances: Any) -> None:
    """Squared distances of items begin, begin + 1, … to all items, where products will not do."""
    for r in range(distances.shape[0]):
        for j in range(points.places.shape[0]):
            distances[r, j] = squared_distance(points, begin + r, j)


class Boxes(NamedTuple):
    """Blocks of items on the map."""

    low: Floats
    high: Floats
    """Corners of the smallest box around every block, shape (blocks, d)."""
    places: Floats
    """Places by axis, shape (d, padded N); padding is far away."""


@comparing
def boxes_within(points: Points, boxes: Boxes, i: int, reach: float, blocks: Ints32) -> int:
    """The blocks whose box comes within `reach` (squared) of item i; returns how many."""
    place, periods = points.places[i], points.periods
    # Boxes are judged by rounded sums of their own.
    outside = reach * (1.0 + 1e-12)
    n_blocks = 0
    for b in range(boxes.low.shape[0]):
        apart = 0.0
        for c in range(place.size):
            low, high = boxes.low[b, c] - place[c], place[c] - boxes.high[b, c]
            gap = max(low, high)
            if not points.plain:
                # The short way round may come from the other side.
                period = periods[c]
                gap = min(gap, max(low + period, high - period), max(low - period, high + period))
            gap = max(gap, 0.0)
            apart += gap * gap
        blocks[n_blocks] = b
        n_blocks += int(apart <= outside)
    return n_blocks


@comparing
def gather_on_map(
    points: Points, boxes: Boxes, i: int, reach: float, near: Floats32, blocks: Ints32
) -> int:
    """Distances to all items in blocks that come within `reach` (squared); returns how many do.

    In the same order of operations as `squared_distance`, then rounded to float32.
    """
    n_blocks = boxes_within(points, boxes, i, reach, blocks)
    place, periods = points.places[i], points.periods
    d = np.zeros(BLOCK)
    last = place.size - 1
    for b in blocks[:n_blocks]:
        begin = b * BLOCK
        here = near[begin : begin + BLOCK]
        for c in range(last):
            there = boxes.places[c, begin : begin + BLOCK]
            for q in range(BLOCK):
                v = abs(place[c] - there[q])
                v = min(v, periods[c] - v)
                d[q] = v * v if c == 0 else d[q] + v * v
        there = boxes.places[last, begin : begin + BLOCK]
        for q in range(BLOCK):
            v = abs(place[last] - there[q])
            v = min(v, periods[last] - v)
            here[q] = np.float32(d[q] + v * v)
    near[i] = np.inf
    return n_blocks


@strict
def reach_of(points: Points, i: int, others: Ints) -> float:
    """How far the farthest of some other items is: so many lie as near."""
    reach = 0.0
    for j in others:
        # If i is among them, the one that they are neighbours of takes its place.
        reach = max(reach, squared_distance(points, i, j if j != i else i - 1))
    return reach


@strict
def find_on_map(
    points: Points, boxes: Boxes, begin: int, end: int, row: Row, neighbours: Ints
) -> None:
    """The nearest neighbours on the map of items begin … end − 1."""
    n_items, k = neighbours.shape
    near = np.empty(boxes.places.shape[1], dtype=np.float32)
    first = max(0, min(begin - k // 2, n_items - k - 1))
    others = np.arange(first, first + k + 1)
    others = others[others != begin]
    for i in range(begin, end):
        reach = reach_of(points, i, others)
        limit = np.float32(reach * (1.0 + ROUNDING))
        n_found = 0
        for b in row.blocks[: gather_on_map(points, boxes, i, reach, near, row.blocks)]:
            for j in range(b * BLOCK, (b + 1) * BLOCK):
                row.measured[n_found] = j
                n_found += int(near[j] <= limit)
        measure(points, i, row.measured[:n_found], row.distances[:n_found])
        sort_by_distance(points, row.distances, row.measured, row.order[:n_found])
        others = neighbours[i]
        others[:] = row.measured[:k]


@strict
def rank_on_map(
    points: Points,
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
    """Rows and numbers of items as in the table; order[i] is the number of item i there."""
    for i in range(order.size):
        for c in range(ranks.shape[1]):
            back_neighbours[order[i], c] = order[neighbours[i, c]]
            back_ranks[order[i], c] = ranks[i, c]
