"""Ranks from approximate distances, and the items for which these leave the order open.

Distances of one item to all others are approximate, in float32, with a bound on their error. Around
the exact distance of every candidate (an item whose rank is wanted) lies a range in which an
approximate distance does not decide which is nearer. Approximate distances are binned: a bin that
no such range reaches settles all of its items at once; the others are marked for individual
inspection.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ximstudio.kernels.jit import strict
from ximstudio.kernels.nearest import BLOCK
from ximstudio.kernels.points import SpacePoints, measure, sort_by_distance
from ximstudio.model.arrays import Floats, Floats32, Ints, Ints32

FEWEST_BINS, MOST_BINS = 64, 4096
PER_BIN = 2
DOUBT, NEAR = 1, 2
FLOOR = 1e-33
"""Error of rough distances so small that float32 no longer holds them."""
ROUNDING = 2.0**-23
"""Relative error of a number rounded to float32, doubled."""


class Row(NamedTuple):
    """Working arrays for the distances of one item to all others."""

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
    """Bounds on the number of candidates that precede a measured item: at least, and at most."""


class Bins(NamedTuple):
    """Counts and marks of bins of distances; the last bin holds all that do not matter."""

    counts: Ints32
    marks: Any
    """Marks of bins whose items are inspected one by one: DOUBT, NEAR, or both."""
    first: Ints32
    last: Ints32
    """In doubtful cases, bounds on the number of candidates that precede an item of the bin."""


class Candidates(NamedTuple):
    """Items whose ranks are wanted, nearest first."""

    items: Ints
    distances: Floats
    low: Floats32
    high: Floats32
    """Range in which an approximate distance does not decide which is nearer."""
    order: Ints
    """Former places, before sorting."""
    before: Ints
    """Number of items that are preceded by exactly this many candidates."""


class Error(NamedTuple):
    """Bound on the error of approximate squared distances: relative · (|a| + |b|)² + FLOOR."""

    relative: float
    sizes: Floats
    """|a| of every item."""
    largest: float


def padded(n_items: int) -> int:
    """Return the number of places that whole blocks of items take."""
    return -(-n_items // BLOCK) * BLOCK


def room(n_items: int, k: int) -> tuple[Row, Bins, Candidates]:
    """Allocate working arrays for rows of distances and k candidates."""
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
def take_candidates(
    points: SpacePoints, i: int, asked: Ints, error: Error, candidates: Candidates
) -> None:
    """Sort the candidates of item i by their distance, each with the range of doubt around it."""
    candidates.items[:] = asked
    measure(points, i, candidates.items, candidates.distances)
    sort_by_distance(points, candidates.distances, candidates.items, candidates.order)
    size = error.sizes[i]
    for c in range(asked.size):
        d = candidates.distances[c]
        # An item at this distance is not larger than that.
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
