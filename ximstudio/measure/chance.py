"""Sizes of neighbourhoods for T and C, and their expected values on a random map.

Plain arithmetic: the window uses it while it paints.
"""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats

NEIGHBOURS = 50
"""Largest neighbourhood in items, or half of all items (TR table 1)."""
LIVE_NEIGHBOURS = 15
"""Largest neighbourhood of live curves, which must be fast."""
GRADES = ((0.9, "very good"), (0.8, "good"), (0.6, "fair"), (0.1, "poor"))
"""Least share of the way from chance to perfect, and the word for it.

For large tables these are values of 0.95, 0.9, 0.8 and 0.55.
"""
CHANCE = "no better than chance"


def neighbours_of(n_items: int) -> int:
    """Return the size of the largest neighbourhood that measures use for so many items."""
    return min(NEIGHBOURS, max(1, (n_items - 1) // 2))


def live_neighbours_of(n_sampled: int) -> int:
    """Return the size of the largest neighbourhood that live curves use for so many items."""
    return min(LIVE_NEIGHBOURS, max(1, (n_sampled - 1) // 2))


def worst_case(n_items: int, k: int) -> Floats:
    """Return Σ (r − k) of one item for 1 … k neighbours with the highest possible ranks."""
    number = np.arange(1, k + 1, dtype=np.float64)
    few = number * (2 * n_items - 3 * number - 1) / 2
    many = (n_items - number) * (n_items - number - 1) / 2
    # Where all others are neighbours no error is possible.
    return np.maximum(np.where(number < n_items / 2, few, many), 1.0)


def chance_curve(n_items: int, k: int) -> Floats:
    """Return the expected T(k), which equals C(k), of a random map for 1 … k neighbours, shape
    (k,).

    A neighbour on a random map has any rank r of 1 … N − 1 in the data, so that an item's expected
    Σ (r − k) over intruders is k (N − k)(N − k − 1) / (2 (N − 1)).
    """
    number = np.arange(1, k + 1, dtype=np.float64)
    expected = number * (n_items - number) * (n_items - number - 1) / (2 * max(n_items - 1, 1))
    return np.asarray(1.0 - expected / worst_case(n_items, k))


def chance_level(n_items: int, k: int | None = None) -> float:
    """Return the mean of `chance_curve` over the neighbourhoods that measures use."""
    return float(chance_curve(n_items, neighbours_of(n_items) if k is None else k).mean())


def grade(value: float, n_items: int, k: int | None = None) -> str:
    """Return the word for a value of T or C, from a random map to a perfect one."""
    chance = chance_level(n_items, k)
    share = (value - chance) / (1.0 - chance) if chance < 1.0 else 1.0
    return next((word for least, word in GRADES if share >= least), CHANCE)
