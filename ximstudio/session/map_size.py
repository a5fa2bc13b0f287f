"""A map size that suits the data."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from ximstudio.model.matrix import Matrix
from ximstudio.model.result import Result
from ximstudio.train.warm import part_of_map

NODES_PER_ROOT = 60.0
"""Nodes grow with the root of the number of items, as is usual for such maps; some hundred items
get the 30 × 30 that the defaults were tuned on."""
SMALLEST, LARGEST = 10, 60
LONGEST = 1.5
"""Sides differ by at most this factor: a narrower map has more border than inside."""
ROUNDS = 3


def suggested_shape(n_items: int, *, spread: float = 1.0) -> tuple[int, int]:
    """Rows and columns, both even; `spread` is how much longer the data are than wide."""
    ratio = min(max(spread, 1.0), LONGEST)
    side = math.sqrt(NODES_PER_ROOT * math.sqrt(max(n_items, 1)))
    side = min(max(side, SMALLEST), LARGEST)
    return (_even(side / math.sqrt(ratio)), _even(side * math.sqrt(ratio)))


def part_shape(result: Result, items: Collection[str]) -> tuple[int, int]:
    """Rows and columns for some items of a map, which is laid over the part in which they lie.

    Told from where they are on the map, and so at once: the window asks for it.
    """
    wanted = set(items)
    rows = [row for row, name in enumerate(result.item_ids) if name in wanted]
    region = part_of_map(result, result.positions[rows])
    width, height = np.maximum(region.high - region.low, np.finfo(float).tiny)[:2]
    short, long = suggested_shape(len(rows), spread=max(width, height) / min(width, height))
    return (long, short) if height > width else (short, long)


def spread_of(matrix: Matrix) -> float:
    """How much longer the data are along their first principal direction than the second."""
    # Late, and in the lane: it brings scipy.
    from ximstudio.train.components import principal_components

    first, second = principal_components(matrix, 2, rounds=ROUNDS).deviations
    return float(first / second) if second > 0.0 else LONGEST


def _even(side: float) -> int:
    # Even, so that a hexagonal map can be joined top to bottom.
    return max(2, 2 * round(side / 2.0))
