"""Nearest neighbours on the map, measuring only blocks of items that come near enough.

Items are in an order that puts near ones side by side, so the smallest box around a block of them
is small, and most boxes are too far away to matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ximstudio.kernels.jit import comparing, strict
from ximstudio.kernels.nearest import BLOCK
from ximstudio.kernels.points import SpacePoints, measure, sort_by_distance, squared_distance
from ximstudio.kernels.rank_bins import ROUNDING, Row
from ximstudio.model.arrays import Floats, Floats32, Ints, Ints32


class Boxes(NamedTuple):
    """Blocks of items on the map."""

    low: Floats
    high: Floats
    """Corners of the smallest box around every block, shape (blocks, d)."""
    places: Floats
    """Places by axis, shape (d, padded N); padding is far away."""


@comparing
def boxes_within(points: SpacePoints, boxes: Boxes, i: int, reach: float, blocks: Ints32) -> int:
    """Find the blocks whose box comes within `reach` (squared) of item i; return their number."""
    place, periods = points.places[i], points.periods
    # Boxes are judged by separately rounded sums.
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
    points: SpacePoints, boxes: Boxes, i: int, reach: float, near: Floats32, blocks: Ints32
) -> int:
    """Compute distances to all items in blocks that come within `reach` (squared); return their
    number.

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
def reach_of(points: SpacePoints, i: int, others: Ints) -> float:
    """Return the distance of the farthest of some other items: so many lie as near."""
    reach = 0.0
    for j in others:
        # If i is among them, the one that they are neighbours of takes its place.
        reach = max(reach, squared_distance(points, i, j if j != i else i - 1))
    return reach


@strict
def find_on_map(
    points: SpacePoints, boxes: Boxes, begin: int, end: int, row: Row, neighbours: Ints
) -> None:
    """Find the nearest neighbours on the map of items begin … end − 1."""
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
