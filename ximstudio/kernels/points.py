"""Items in a space: distances between them, and the order of equally near ones.

Distances are exact, one difference after the other; of equally near items the one with the smaller
original number comes first. So the items around another one have a strict order that does not
depend on how they are stored.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ximstudio.kernels.jit import strict
from ximstudio.model.arrays import Floats, Ints

COUNTED = 160
"""Number of items up to which they are sorted by counting."""
UNRELATED = 1e36
"""Squared distance of items that share no feature: beyond all others, which are of size 1."""


class SpacePoints(NamedTuple):
    """Items in one of the two spaces, of size 1, in an order that puts near ones side by side."""

    places: Floats
    """Shape (N, D); a blank is NaN."""
    periods: Floats
    """Shape (D,): lengths after which space repeats, or infinity."""
    plain: bool
    """True if nothing is blank and nothing repeats."""
    original: Ints
    """Number of every item in the table: it decides between equally near ones."""


@strict
def squared_distance(points: SpacePoints, i: int, j: int) -> float:
    """|x_i − x_j|² over the D' features that both have, times D/D', the short way round.

    Summed in the order of the features, without fused multiply-add, for data and map alike: items
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
def measure(points: SpacePoints, i: int, items: Ints, d: Floats) -> None:
    """d[q]: the squared distance of item i to items[q]."""
    n = items.size
    done = 0
    if points.plain:
        # Four at a time: memory serves four requests as fast as one.
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
def all_distances(points: SpacePoints, begin: int, distances: Any) -> None:
    """Squared distances of items begin, begin + 1, … to all items, where products will not do."""
    for r in range(distances.shape[0]):
        for j in range(points.places.shape[0]):
            distances[r, j] = squared_distance(points, begin + r, j)


@strict
def precedes(points: SpacePoints, d: float, i: int, other_d: float, other: int) -> bool:
    """Return whether item i at distance d comes before another one."""
    return d < other_d or (d == other_d and points.original[i] < points.original[other])


@strict
def shell_sort(points: SpacePoints, d: Floats, items: Ints, order: Ints) -> None:
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
def sort_by_distance(points: SpacePoints, d: Floats, items: Ints, order: Ints) -> None:
    """Sort distances and their items, nearest first; `order` gets their former places.

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
        # Ties: some are equally near.
        shell_sort(points, d, items, order)
        return
    kept, kept_items = d[:n].copy(), items[:n].copy()
    for q in range(n):
        d[places[q]], items[places[q]], order[places[q]] = kept[q], kept_items[q], q
