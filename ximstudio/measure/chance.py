"""Trustworthiness and continuity of a map drawn at random: what a good value has to beat."""

from __future__ import annotations

import numpy as np

from ximstudio.measure.neighbourhoods import neighbours_of, worst_case
from ximstudio.model.arrays import Floats

GRADES = ((0.9, "very good"), (0.8, "good"), (0.6, "fair"), (0.1, "poor"))
"""Least share of the way from chance to perfect, and the word for it.

For large tables these are values of 0.95, 0.9, 0.8 and 0.55.
"""
CHANCE = "no better than chance"


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
