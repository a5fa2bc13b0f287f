"""Map size that suits the number of items."""

from __future__ import annotations

import math

NODES_PER_ROOT = 60.0
"""Nodes grow with the root of the number of items, as is usual for such maps; some hundred items
get the 30 × 30 that the defaults were tuned on."""
SMALLEST, LARGEST = 10, 60
LONGEST = 1.5
"""Sides differ by at most this factor: a narrower map has more border than inside."""


def suggested_shape(n_items: int, *, spread: float = 1.0) -> tuple[int, int]:
    """Rows and columns, both even; `spread` is how much longer the data are than wide."""
    ratio = min(max(spread, 1.0), LONGEST)
    side = math.sqrt(NODES_PER_ROOT * math.sqrt(max(n_items, 1)))
    side = min(max(side, SMALLEST), LARGEST)
    return (_even(side / math.sqrt(ratio)), _even(side * math.sqrt(ratio)))


def _even(side: float) -> int:
    # Even, so that a hexagonal map can be joined top to bottom.
    return max(2, 2 * round(side / 2.0))
