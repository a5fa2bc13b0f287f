"""Euclidean distances between items, missing values allowed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ximstudio.model.arrays import Floats, Ints

MOST_PAIRS, FEWEST_PAIRS = 100_000, 5_000
"""Number of pairs up to which distances between all of them are taken; else a sample of about this
size.
"""
DIFFERENCES = 2**25
"""Bounds on the number of differences of single values that such a sample may cost."""
PAIRS_AT_ONCE = 2**18
"""Number of pairs drawn at once."""
AT_ONCE = 2**16
"""Number of values whose differences are taken at once: few enough to stay in the cache."""


def pair_distances(values: Floats) -> Floats:
    """Return distances between all pairs of items, or between many random pairs; undefined ones are
    left out.
    """
    n_items, n_features = values.shape
    most = min(max(DIFFERENCES // n_features, FEWEST_PAIRS), MOST_PAIRS)
    distances = distances_between(values, *choose_pairs(n_items, most=most))
    return distances[~np.isnan(distances)]


def count_pairs(n_items: int) -> int:
    """Return the number of pairs that so many items form."""
    return n_items * (n_items - 1) // 2


def choose_pairs(
    n_items: int, *, most: int, seed: int = 0, halt: Callable[[], None] = lambda: None
) -> tuple[Ints, Ints]:
    """Return the items of all pairs if there are at most so many, else of so many random pairs.

    All pairs are equally likely, and one may be drawn more than once. `halt` is called now and then
    and may raise to stop the drawing.
    """
    if count_pairs(n_items) <= most:
        left, right = np.triu_indices(n_items, 1)
        return left, right
    rng = np.random.default_rng(seed)
    left, right = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    for low, drawn in ((0, left), (1, right)):
        for begin in range(0, most, PAIRS_AT_ONCE):
            halt()
            part = drawn[begin : begin + PAIRS_AT_ONCE]
            part[:] = rng.integers(low, n_items, size=len(part))
    right += left
    right %= n_items
    return left, right


def distances_between(values: Floats, left: Ints, right: Ints) -> Floats:
    """Return distances of the items `left` from the items `right`; NaN where no feature is known of
    both.

    By differences: sums of squares would lose all digits on data far from zero. Distances over n
    features known of both are scaled by √(D/n), as if the blanks were like the rest.
    """
    n_features = values.shape[1]
    blanks = bool(np.isnan(values).any())
    squares = np.empty(len(left))
    at_once = max(1, AT_ONCE // n_features)
    for begin in range(0, len(left), at_once):
        pairs = slice(begin, begin + at_once)
        apart = values[left[pairs]] - values[right[pairs]]
        if not blanks:
            squares[pairs] = np.einsum("pf,pf->p", apart, apart)
            continue
        blank = np.isnan(apart)
        apart[blank] = 0.0
        known = n_features - blank.sum(axis=1)
        total = (apart * apart).sum(axis=1)
        squares[pairs] = np.where(known > 0, total * n_features / np.maximum(known, 1), np.nan)
    return np.sqrt(squares)
