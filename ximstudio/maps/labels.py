"""Texts on a map that do not cover each other: which are shown, and where beside their point.

Lengths are those of the screen or the paper; x to the right, y downwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor

import numpy as np

from ximstudio.maps.box import Box
from ximstudio.model.arrays import Floats, Ints

CENTRED = ((0, 0),)
"""On its point, or not at all: for the names of nodes and groups."""
BESIDE = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
"""To the right of its point, to the left, above, below, or at a corner: for the names of items."""
ABOVE = ((0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1))
"""Preferred places for the name of a group, from its upper edge: beside it rather than on it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelPlacement:
    """The texts that are shown, the most important first, and their places.

    Parameters
    ----------
    kept
        Their numbers, shape (K,).
    offsets
        From the anchor to the middle of the text, shape (K, 2).
    sizes
        Width and height of the texts, shape (K, 2).
    """

    kept: Ints
    offsets: Floats
    sizes: Floats


def placed(
    texts: Sequence[str],
    anchors: Floats,
    size_of: Callable[[str], tuple[float, float]],
    *,
    bounds: Box,
    priority: Sequence[float] | Floats | None = None,
    sides: Sequence[tuple[int, int]] = CENTRED,
    gap: float = 0.0,
    spacing: float = 2.0,
    most: int | None = None,
) -> LabelPlacement:
    """The texts that find room, one after the other, without covering any before them.

    Parameters
    ----------
    texts, anchors
        What to write, and the points it belongs to, shape (N, 2).
    size_of
        Width and height of a text; asked only for texts that may be shown.
    bounds
        Where texts must stay.
    priority
        Higher ones are placed first, equal ones in their order; in their order if it is left out.
    sides
        Where a text may be put, the best first: −1, 0 or 1 to the left, on or to the right of its
        point, and above, on or below it.
    gap
        From the point to the text beside it.
    spacing
        Between two texts, at the least.
    most
        How many are shown at the most.
    """
    anchors = np.asarray(anchors, dtype=np.float64).reshape(-1, 2)
    places = anchors.tolist()
    taken = _Taken(spacing)
    kept: list[int] = []
    offsets: list[tuple[float, float]] = []
    sizes: list[tuple[float, float]] = []
    for number in _in_order(texts, anchors, bounds, priority):
        if most is not None and len(kept) >= most:
            break
        width, height = size_of(texts[number])
        x, y = places[number]
        for right, down in sides:
            moved = (right * (width / 2.0 + gap), down * (height / 2.0 + gap))
            box = _box(x + moved[0], y + moved[1], width, height)
            if _within(box, bounds) and taken.leaves_room_for(box):
                taken.add(box)
                kept.append(number)
                offsets.append(moved)
                sizes.append((width, height))
                break
    return LabelPlacement(
        kept=np.array(kept, dtype=np.int64),
        offsets=np.array(offsets, dtype=np.float64).reshape(-1, 2),
        sizes=np.array(sizes, dtype=np.float64).reshape(-1, 2),
    )


class _Taken:
    """The boxes that are taken, found again by the squares of a coarse lattice they lie in.

    Plain numbers in plain lists: a box meets few others, and arrays are slow for few.
    """

    def __init__(self, spacing: float) -> None:
        self._spacing = spacing
        self._step = (1.0, 1.0)
        self._squares: dict[tuple[int, int], list[Box]] = {}

    def add(self, box: Box) -> None:
        if not self._squares:
            # As large as the first text; the unit of lengths may be anything.
            self._step = (box.right - box.left or 1.0, box.bottom - box.top or 1.0)
        columns, rows = self._under(*box)
        for column in columns:
            for row in rows:
                self._squares.setdefault((column, row), []).append(box)

    def leaves_room_for(self, box: Box) -> bool:
        gap = self._spacing
        left, top, right, bottom = box.left - gap, box.top - gap, box.right + gap, box.bottom + gap
        columns, rows = self._under(left, top, right, bottom)
        for column in columns:
            for row in rows:
                for x0, y0, x1, y1 in self._squares.get((column, row), ()):
                    if left < x1 and right > x0 and top < y1 and bottom > y0:
                        return False
        return True

    def _under(self, left: float, top: float, right: float, bottom: float) -> tuple[range, range]:
        """Columns and rows of the squares under a box."""
        wide, high = self._step
        columns = range(floor(left / wide), floor(right / wide) + 1)
        return columns, range(floor(top / high), floor(bottom / high) + 1)


def _in_order(
    texts: Sequence[str],
    anchors: Floats,
    bounds: Box,
    priority: Sequence[float] | Floats | None,
) -> list[int]:
    """Texts whose point is in sight, the most important first."""
    x, y = anchors.T
    seen = (x >= bounds.left) & (x <= bounds.right) & (y >= bounds.top) & (y <= bounds.bottom)
    seen &= np.array([bool(text) for text in texts], dtype=np.bool_)
    order = np.arange(len(texts))
    if priority is not None:
        order = np.argsort(-np.asarray(priority, dtype=np.float64), kind="stable")
    return [int(number) for number in order[seen[order]]]


def _box(x: float, y: float, width: float, height: float) -> Box:
    """A text around its middle."""
    return Box(x - width / 2.0, y - height / 2.0, x + width / 2.0, y + height / 2.0)


def _within(box: Box, bounds: Box) -> bool:
    inside = box.left >= bounds.left and box.right <= bounds.right
    return inside and box.top >= bounds.top and box.bottom <= bounds.bottom
