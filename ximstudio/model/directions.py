"""Items as directions: centred or not, scaled to unit length, so that angles become distances.

Between items of length 1 the squared Euclidean distance is 2 (1 − cosine), and 2 (1 − correlation)
if they were centred first. Everything that is computed from squared distances then holds for these.
"""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Bools, Floats

ROUNDING = 1e-13
"""Remainder of a constant item after centring, as a share of its size."""


def directions(values: Floats, *, centred: bool) -> Floats:
    """Scale every item to length 1, after subtracting its own mean if `centred`.

    Mean and length are those of the known values; an item of which n of D are known becomes
    √(n/D) long, which is 1 by the rule that blanks count as if they were like the rest. Items
    without a direction, which are constant or 0, are blank throughout.
    """
    known = ~np.isnan(values)
    count = np.maximum(known.sum(axis=1, keepdims=True), 1)
    # Divided first: squares of very large or very small values would overflow or underflow.
    size = np.fmax.reduce(np.abs(values), axis=1, initial=0.0, keepdims=True)
    moved = np.where(known, values, 0.0) / np.where(size > 0.0, size, 1.0)
    if centred:
        moved -= moved.sum(axis=1, keepdims=True) / count
        moved[~known] = 0.0
    length = np.sqrt(np.einsum("if,if->i", moved, moved))[:, None]
    nowhere = length <= ROUNDING * np.sqrt(count)
    moved *= np.sqrt(count / values.shape[1]) / np.where(nowhere, 1.0, length)
    return np.where(known & ~nowhere, moved, np.nan)


def without_direction(found: Floats) -> Bools:
    """Mask of the items that `directions` found no direction for, shape (N,)."""
    return np.asarray(np.isnan(found).all(axis=1))
