"""Map size that suits the number of items."""

from __future__ import annotations

import math

NODES_PER_ROOT = 60.0
"""Nodes grow with the square root of the number of items, as usual for such maps; a few hundred
items get the 30 × 30 that the defaults were tuned on.
"""
SMALLEST, LARGEST = 10, 60
LONGEST = 1.5
"""Largest ratio of the sides: a narrower map has more border than inside."""


def suggested_shape(n_items: int, *, spread: float = 1.0) -> tuple[int, int]:
    """Suggest even numbers of rows and columns; `spread` is the data's length over its width."""
    ratio = min(max(spread, 1.0), LONGEST)
    side = math.sqrt(NODES_PER_ROOT * math.sqrt(max(n_items, 1)))
    side = min(max(side, SMALLEST), LARGEST)
    return (_even(side / math.sqrt(ratio)), _even(side * math.sqrt(ratio)))


def _even(side: float) -> int:
    # Even, so that a hexagonal map can be joined top to bottom.
    return max(2, 2 * round(side / 2.0))
