"""How far apart items are."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats

MOST_PAIRS, FEWEST_PAIRS = 100_000, 5_000
"""Distances are taken between all pairs of items, or between a sample of about this many."""
DIFFERENCES = 2**25
"""Differences of single values that such a sample may cost, within these bounds."""
AT_ONCE = 2**16
"""Values whose differences are taken at once: few enough to stay in the cache."""


def pair_distances(values: Floats) -> Floats:
    """Distances between all pairs of items, or between many random ones.

    By differences: sums of squares would lose all digits on data far from zero. Distances over n
    features known of both are scaled by √(D/n), as if the blanks were like the rest.
    """
    n_items, n_features = values.shape
    most = min(max(DIFFERENCES // n_features, FEWEST_PAIRS), MOST_PAIRS)
    if n_items * (n_items - 1) // 2 <= most:
        left, right = np.triu_indices(n_items, 1)
    else:
        rng = np.random.default_rng(0)
        left = rng.integers(n_items, size=most)
        right = (left + rng.integers(1, n_items, size=most)) % n_items
    blanks = bool(np.isnan(values).any())
    squares = np.empty(len(left))
    at_once = max(1, AT_ONCE // n_features)
    for begin in range(0, len(left), at_once):
        pairs = slice(begin, begin + at_once)
        apart = values[left[pairs]] - values[right[pairs]]
        if not blanks:
            squares[pairs] = np.einsum("pf,pf->p", apart, apart)
            continue
        known = n_features - np.isnan(apart).sum(axis=1)
        total = np.nansum(apart * apart, axis=1)
        squares[pairs] = np.where(known > 0, total * n_features / np.maximum(known, 1), np.nan)
    return np.sqrt(squares[~np.isnan(squares)])
