"""How a value goes from its start to its end over a training, for all points at once (TR 25)."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats, frozen


def annealed(annealing: str, pair: tuple[float, float], fractions: Floats) -> Floats:
    """The value at each fraction of training; what the kernel does, for all at once."""
    start, end = pair
    if annealing == "constant":
        return frozen(np.full(len(fractions), start))
    if annealing == "linear":
        return frozen(start + (end - start) * fractions)
    return frozen(start * (end / start) ** fractions)
