"""Annealed values over a training, for all points together (TR 25)."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats, frozen


def annealed(annealing: str, pair: tuple[float, float], fractions: Floats) -> Floats:
    """Value at each fraction of training, like the kernel, for all of them together."""
    start, end = pair
    if annealing == "constant":
        return frozen(np.full(len(fractions), start))
    if annealing == "linear":
        return frozen(start + (end - start) * fractions)
    return frozen(start * (end / start) ** fractions)
