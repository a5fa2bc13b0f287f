"""Exact neighbours and their ranks without any N×N table.

The rank of j around i is how many items lie nearer to i than j does, plus one; of equally near
items the one with the smaller original number comes first. So to rank some candidates around i it
is enough to find every item's place among them: how many of the candidates precede it.

Distances of one item to all others come rough, from a float32 product, with a bound on their
error. They are binned; a bin that no candidate's distance may lie in settles all of its items at
once. Items of the other bins are compared one by one, and those that are too close to call by
their rough distance are measured again by differences.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ximstudio.kernels.jit import strict
from ximstudio.kernels.nearest import BLOCK, block_minima
from ximstudio.model.arrays import Bools, Floats, Ints, Ints32

FEWEST_BINS, MOST_BINS = 64, 4096
PER_BIN = 2
UNRELATED = 1e200
"""Squared distance of items that share no feature: beyond all others."""
TINY = 1e-300
FLOOR = 1e-35
"""Error of rough distances so small that float32 no longer holds them."""


class Points(NamedTuple):
    """Items in one of the two spaces, in an order that puts near ones side by side on the map."""

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

    counts: Any
    first: Ints32
    """How many candidates surely precede every item of the bin."""
    last: Ints32
    """How many candidates may precede some item of it."""
    chosen: Bools
    """Whether its items are looked at one by one."""


class Candidates(NamedTuple):
    """Items whose ranks are asked for, nearest first."""

    items: Ints
    distances: Floats
    low: Any
    high: Any
    """Between these a rough distance cannot tell who is nearer."""
    order: Ints
    """Where each stood before they were sorted."""
    before: Ints
    """How many items are preceded by exactly this many candidates."""


class Error(NamedTuple):
    """How far off rough squared distances are: relative · (2·size + √d)² + floor at most.

    `rounding` widens limits that are rounded to float32 themselves. All zero for exact ones.
    """

    relative: float
    floor: float
    rounding: float


EXACT = Error(0.0, 0.0, 0.0)


def padded(n_items: int) -> int:
    """How many places whole blocks of items take."""
    return -(-n_items // BLOCK) * BLOCK


def room(n_items: int, k: int, dtype: Any) -> tuple[Row, Bins, Candidates]:
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
        counts=np.empty((2, MOST_BINS), dtype=np.int32),
        first=ints(MOST_BINS),
        last=ints(MOST_BINS),
        chosen=np.empty(MOST_BINS, dtype=np.bool_),
    )
    candidates = Candidates(
        items=np.empty(k, dtype=np.int64),
        distances=np.empty(k),
        low=np.empty(k, dtype=dtype),
        high=np.empty(k, dtype=dtype),
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
def sort_by_distance(points: Points, d: Floats, items: Ints, order: Ints) -> None:
    """order: the numbers 0 … order.size − 1 such that items[order] come nearest first.

    Shell's sort: it is mostly about a hundred items, and numba takes long to compile numpy's.
    """
    n = order.size
    for q in range(n):
        order[q] = q
    gap = n
    while gap > 1:
        gap = max(int(gap / 2.25), 1)
        for q in range(gap, n):
            moved = order[q]
            d_moved = d[moved]
            place = q
            while place >= gap:
                other = order[place - gap]
                if d[other] < d_moved:
                    break
                if d[other] == d_moved and not (
                    points.original[items[moved]] < points.original[items[other]]
                ):
                    break
                order[place] = other
                place -= gap
            order[place] = moved


@strict
def take_candidates(
    points: Points, i: int, items: Ints, size: float, error: Error, candidates: Candidates
) -> None:
    """Sort the candidates of item i by their distance, each with the range of doubt around it."""
    k = items.size
    d = np.empty(k)
    measure(points, i, items, d)
    sort_by_distance(points, d, items, candidates.order)
    for c in range(k):
        candidates.items[c] = items[candidates.order[c]]
        t = d[candidates.order[c]]
        candidates.distances[c] = t
        doubt = error.relative * (2.0 * size + np.sqrt(t)) ** 2 + error.floor
        candidates.low[c] = (t - doubt) - error.rounding * abs(t - doubt)
        candidates.high[c] = (t + doubt) + error.rounding * (t + doubt)


@strict
def fill_bins(
    near: Any, row: Row, n_blocks: int, low: Any, scale: Any, top: Any, bins: Bins
) -> None:
    """Put the distances of the active blocks into bins, and count them."""
    n_bins = np.int64(top) + 1
    bottom = top - top
    for b in range(n_blocks):
        here = near[row.blocks[b] * BLOCK : (row.blocks[b] + 1) * BLOCK]
        number = row.bins[b * BLOCK : (b + 1) * BLOCK]
        for q in range(BLOCK):
            number[q] = np.uint16(np.int32(min(max((here[q] - low) * scale, bottom), top)))
    even, odd = bins.counts[0, :n_bins], bins.counts[1, :n_bins]
    even[:] = 0
    odd[:] = 0
    for q in range(0, n_blocks * BLOCK, 2):
        # In turn, as counting twice running in the same bin would wait for itself.
        even[row.bins[q]] += 1
        odd[row.bins[q + 1]] += 1
    for b in range(n_bins):
        even[b] += odd[b]


@strict
def settle_bins(candidates: Candidates, low: Any, scale: Any, n_bins: int, bins: Bins) -> None:
    """How many candidates precede the items of every bin, and which bins leave doubt."""
    k = candidates.items.size
    first = 0
    last = 0
    bins.chosen[:n_bins] = False
    for c in range(k):
        begin = max(int((candidates.low[c] - low) * scale), 0)
        end = max(int((candidates.high[c] - low) * scale), 0)
        bins.chosen[begin : end + 1] = True
        # An item may come before this candidate up to its last bin, and after from its first on.
        bins.first[first : end + 1] = c
        bins.last[last:begin] = c
        first = max(first, end + 1)
        last = max(last, begin)
    bins.first[first:n_bins] = k
    bins.last[last:n_bins] = k


@strict
def count_settled(n_bins: int, bins: Bins, before: Ints) -> None:
    """before[c]: how many items of settled bins are preceded by exactly c candidates."""
    before[:] = 0
    total = 0
    current = bins.first[0]
    for b in range(n_bins):
        if bins.first[b] != current:
            before[current] += total
            total = 0
            current = bins.first[b]
        total += 0 if bins.chosen[b] else bins.counts[0, b]
    before[current] += total


@strict
def last_near_bin(candidates: Candidates, k: int, scale: Any, n_bins: int, bins: Bins) -> int:
    """The last bin that may hold one of the k nearest items."""
    total = 0
    b = -1
    while total < k:
        b += 1
        total += bins.counts[0, b]
    # The k-th nearest lies in or before bin b by rough distance; the true order may differ by the
    # doubt of both, and doubt grows with distance.
    last = candidates.items.size - 1
    doubt = np.float64(candidates.high[last]) - np.float64(candidates.low[last])
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
    near: Any,
    n_blocks: int,
    row: Row,
    bins: Bins,
    candidates: Candidates,
    ranks: Ints,
    neighbours: Ints,
) -> None:
    """Ranks of the candidates around item i, and its nearest neighbours if any are asked for.

    `near` holds squared distances by item. The first n_blocks blocks of the row hold all items that
    are as near as the candidates are; i itself is infinitely far away.
    """
    k = candidates.items.size
    n_bins = min(max(n_blocks * BLOCK // PER_BIN, FEWEST_BINS), MOST_BINS)
    cut = np.float64(candidates.high[k - 1])
    unit = np.empty(3, dtype=near.dtype)
    unit[0] = 0.5 * candidates.distances[0]
    unit[1] = (n_bins - 2) / (cut - unit[0]) if cut > unit[0] + TINY else 1.0
    unit[2] = n_bins - 1
    low, scale, top = unit[0], unit[1], unit[2]
    fill_bins(near, row, n_blocks, low, scale, top, bins)
    settle_bins(candidates, low, scale, n_bins, bins)
    count_settled(n_bins, bins, candidates.before)
    near_bin = -1
    if neighbours.size:
        near_bin = last_near_bin(candidates, neighbours.size, scale, n_bins, bins)
        bins.chosen[: near_bin + 1] = True
    bins.chosen[n_bins - 1] = False
    n_chosen = 0
    for q in range(n_blocks * BLOCK):
        if bins.chosen[row.bins[q]]:
            row.chosen[n_chosen] = q
            n_chosen += 1
    n_measured = 0
    if neighbours.size:
        for c in range(n_chosen):
            q = row.chosen[c]
            if row.bins[q] <= near_bin:
                row.measured[n_measured] = row.blocks[q // BLOCK] * BLOCK + q % BLOCK
                n_measured += 1
    n_near = n_measured
    for c in range(n_chosen):
        q = row.chosen[c]
        b = row.bins[q]
        j = row.blocks[q // BLOCK] * BLOCK + q % BLOCK
        first, last = bins.first[b], bins.last[b]
        if first == last:
            continue
        while first < last and near[j] > candidates.high[first]:
            first += 1
        while first < last and near[j] < candidates.low[last - 1]:
            last -= 1
        if first == last:
            candidates.before[first] += 1
        elif first + 1 == last and candidates.items[first] == j:
            candidates.before[last] += 1
        else:
            row.measured[n_measured] = j
            row.first[n_measured] = first
            row.last[n_measured] = last
            n_measured += 1
    measure(points, i, row.measured[:n_measured], row.distances)
    for c in range(n_near, n_measured):
        j = row.measured[c]
        place = place_among(points, j, row.distances[c], row.first[c], row.last[c], candidates)
        candidates.before[place] += 1
    total = 0
    for c in range(k):
        total += candidates.before[c]
        ranks[candidates.order[c]] = total + 1
    if neighbours.size:
        order = row.order[:n_near]
        sort_by_distance(points, row.distances, row.measured, order)
        for c in range(neighbours.size):
            neighbours[c] = row.measured[order[c]]


@strict
def choose_blocks(minima: Any, cut: Any, blocks: Ints32) -> int:
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
    rough: Any,
    sizes: Floats,
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
    minima = np.empty(rough.shape[1] // BLOCK, dtype=rough.dtype)
    for r in range(rough.shape[0]):
        i = begin + r
        near = rough[r]
        near[i] = np.inf
        block_minima(near, minima)
        take_candidates(points, i, asked[i], sizes[i], error, candidates)
        cut = candidates.high[candidates.high.size - 1]
        n_blocks = choose_blocks(minima, cut, row.blocks)
        rank_row(points, i, near, n_blocks, row, bins, candidates, ranks[i], neighbours[i])


@strict
def all_distances(points: Points, begin: int, distances: Floats) -> None:
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


@strict
def block_distances(points: Points, boxes: Boxes, i: int, b: int, near: Floats) -> None:
    """Squared distances of item i to all items of block b."""
    n_axes = points.places.shape[1]
    begin = b * BLOCK
    if n_axes > 3:
        for j in range(begin, min(begin + BLOCK, points.places.shape[0])):
            near[j] = squared_distance(points, i, j)
        near[points.places.shape[0] :] = np.inf
        return
    here = near[begin : begin + BLOCK]
    for c in range(n_axes):
        x, period = points.places[i, c], points.periods[c]
        there = boxes.places[c, begin : begin + BLOCK]
        for q in range(BLOCK):
            step = abs(x - there[q])
            step = min(step, period - step)
            here[q] = step * step if c == 0 else here[q] + step * step


@strict
def gather_on_map(
    points: Points, boxes: Boxes, i: int, reach: float, near: Floats, blocks: Ints32
) -> int:
    """Distances to all items in blocks that come within `reach` (squared); returns how many do."""
    place = points.places[i]
    # Boxes are judged by rounded sums of their own.
    outside = reach * (1.0 + 1e-12)
    n_blocks = 0
    for b in range(boxes.low.shape[0]):
        apart = 0.0
        for c in range(place.size):
            x, period = place[c], points.periods[c]
            low, high = boxes.low[b, c] - x, x - boxes.high[b, c]
            gap = max(low, high)
            if period < np.inf:
                # The short way round may come from the other side.
                gap = min(gap, max(low + period, high - period), max(low - period, high + period))
            gap = max(gap, 0.0)
            apart += gap * gap
        if apart <= outside:
            block_distances(points, boxes, i, b, near)
            blocks[n_blocks] = b
            n_blocks += 1
    near[i] = np.inf
    return n_blocks


@strict
def find_on_map(
    points: Points, boxes: Boxes, begin: int, end: int, row: Row, neighbours: Ints
) -> None:
    """The nearest neighbours on the map of items begin … end − 1."""
    n_items, k = neighbours.shape
    near = np.empty(boxes.places.shape[1])
    n_beside = min(n_items, 2 * k + 1)
    for i in range(begin, end):
        # Those beside it in memory bound how far the k-th nearest can be.
        first = max(0, min(i - k, n_items - n_beside))
        for q in range(n_beside):
            row.measured[q] = first + q
        measure(points, i, row.measured[:n_beside], row.distances)
        row.distances[i - first] = np.inf
        order = row.order[:n_beside]
        sort_by_distance(points, row.distances, row.measured, order)
        reach = row.distances[order[k - 1]]
        n_found = 0
        for b in row.blocks[: gather_on_map(points, boxes, i, reach, near, row.blocks)]:
            for j in range(b * BLOCK, (b + 1) * BLOCK):
                row.distances[n_found] = near[j]
                row.measured[n_found] = j
                n_found += int(near[j] <= reach)
        order = row.order[:n_found]
        sort_by_distance(points, row.distances, row.measured, order)
        for c in range(k):
            neighbours[i, c] = row.measured[order[c]]


@strict
def rank_on_map(
    points: Points,
    boxes: Boxes,
    begin: int,
    end: int,
    asked: Ints,
    row: Row,
    bins: Bins,
    candidates: Candidates,
    ranks: Ints,
) -> None:
    """Ranks on the map of asked[i] around items begin … end − 1."""
    near = np.empty(boxes.places.shape[1])
    none = np.empty(0, dtype=np.int64)
    for i in range(begin, end):
        take_candidates(points, i, asked[i], 0.0, EXACT, candidates)
        reach = candidates.distances[candidates.distances.size - 1]
        n_blocks = gather_on_map(points, boxes, i, reach, near, row.blocks)
        rank_row(points, i, near, n_blocks, row, bins, candidates, ranks[i], none)
