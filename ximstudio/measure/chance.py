"""Neighbourhoods that T and C look at, and their values on a map drawn at random.

Arithmetic alone: the window asks for it while it paints.
"""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats

NEIGHBOURS = 50
"""Neighbourhoods of 1 up to so many items are looked at, or of half of all items (TR table 1)."""
LIVE_NEIGHBOURS = 15
"""The same while a map is trained, when it has to be quick."""
GRADES = ((0.9, "very good"), (0.8, "good"), (0.6, "fair"), (0.1, "poor"))
"""Least share of the way from chance to perfect, and the word for it.

For large tables these are values of 0.95, 0.9, 0.8 and 0.55.
"""
CHANCE = "no better than chance"


def neighbours_of(n_items: int) -> int:
    """Size of the largest neighbourhood that measures look at in a table of so many items."""
    return min(NEIGHBOURS, max(1, (n_items - 1) // 2))


def live_neighbours_of(n_sampled: int) -> int:
    """Size of the largest neighbourhood that live curves look at among so many items."""
    return min(LIVE_NEIGHBOURS, max(1, (n_sampled - 1) // 2))


def worst_case(n_items: int, k: int) -> Floats:
    """Σ (r − k) of one item for 1 … k neighbours with the highest ranks there are."""
    number = np.arange(1, k + 1, dtype=np.float64)
    few = number * (2 * n_items - 3 * number - 1) / 2
    many = (n_items - number) * (n_items - number - 1) / 2
    # Where all others are neighbours nothing can be wrong.
    return np.maximum(np.where(number < n_items / 2, few, many), 1.0)


def chance_curve(n_items: int, k: int) -> Floats:
    """Expected T(k), and as well C(k), of a random map, for 1 … k neighbours, shape (k,).

    A neighbour on a random map has any rank r of 1 … N − 1 in the data, so that an item's expected
    Σ (r − k) over intruders is k (N − k)(N − k − 1) / (2 (N − 1)).
    """
    number = np.arange(1, k + 1, dtype=np.float64)
    expected = number * (n_items - number) * (n_items - number - 1) / (2 * max(n_items - 1, 1))
    return np.asarray(1.0 - expected / worst_case(n_items, k))


def chance_level(n_items: int, k: int | None = None) -> float:
    """Mean of `chance_curve` over the neighbourhoods that measures look at."""
    return float(chance_curve(n_items, neighbours_of(n_items) if k is None else k).mean())


def grade(value: float, n_items: int, k: int | None = None) -> str:
    """Word for a value of T or C: how far it is on the way from a random map to a perfect one."""
    chance = chance_level(n_items, k)
    share = (value - chance) / (1.0 - chance) if chance < 1.0 else 1.0
    return next((word for least, word in GRADES if share >= least), CHANCE)
