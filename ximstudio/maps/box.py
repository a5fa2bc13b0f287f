"""A rectangle of a map, and the places inside a line on it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ximstudio.model.arrays import Bools, Floats


class Box(NamedTuple):
    """A rectangle of the map."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, places: Floats) -> Box:
        """The least one that holds these places, (n, 2)."""
        return cls(*places.min(axis=0).tolist(), *places.max(axis=0).tolist())

    @property
    def longer_side(self) -> float:
        return float(max(np.subtract(self[2:], self[:2])))


def enclosed(places: Floats, polygon: Floats) -> Bools:
    """Return whether places (N, 2) lie inside a closed line through corners (P, 2).

    A ray from a place to the right crosses the line an odd number of times if the place is inside.
    Each side is asked only of the places that are as high as it: they are sorted by height once.
    """
    inside = np.zeros(len(places), dtype=np.bool_)
    if len(polygon) < 3:
        return inside
    (left, low), (right, high) = polygon.min(axis=0), polygon.max(axis=0)
    x, y = places.T
    # False for NaN as well: what has no place is nowhere.
    near = np.flatnonzero((x >= left) & (x <= right) & (y >= low) & (y <= high))
    near = near[np.argsort(y[near], kind="stable")]
    x, y = x[near], y[near]
    odd = np.zeros(len(near), dtype=np.bool_)
    for (x1, y1), (x2, y2) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        # Half open: a corner belongs to one of its two sides, a level side to none.
        first, last = np.searchsorted(y, (min(y1, y2), max(y1, y2)))
        if first < last:
            crossing = x1 + (y[first:last] - y1) * ((x2 - x1) / (y2 - y1))
            odd[first:last] ^= x[first:last] < crossing
    inside[near] = odd
    return inside
