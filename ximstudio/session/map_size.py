"""A map size that suits the data."""

from __future__ import annotations

import math

from ximstudio.model.matrix import Matrix

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


def spread_of(matrix: Matrix) -> float:
    """How much longer the data are along their first principal direction than the second."""
    # Late, and in the lane: it brings scipy.
    from ximstudio.train.components import principal_components

    first, second = principal_components(matrix, 2, rounds=ROUNDS).deviations
    return float(first / second) if second > 0.0 else LONGEST


def _even(side: float) -> int:
    # Even, so that a hexagonal map can be joined top to bottom.
    return max(2, 2 * round(side / 2.0))
