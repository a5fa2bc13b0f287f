"""Silhouette of labels on the map: cohesion and separation of their items."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ximstudio.kernels.parallel import over_blocks
from ximstudio.measure.estimate import Estimate
from ximstudio.model.arrays import Floats, Ints

MOST_DISTANCES = 2**27
"""Number of distances for the mean; above, a sample of the items is used."""
AT_ONCE = 2**18
"""Number of distances taken at once: few enough to stay in the cache."""


def silhouettes(positions: Floats, periods: Sequence[float], labels: Sequence[str]) -> Floats:
    """Return (b − a)/max(a, b) of every item, from −1 to 1 (Rousseeuw 1987).

    a is the mean map distance to the other items of the same label, b that to the items of the
    nearest other label; distances go the short way round a torus. The only item of a label has 0.
    Items without a label (an empty text) are ignored and have NaN; so have all where there is only
    one label.
    """
    classes = _classes(labels)
    values = np.full(len(classes), np.nan)
    if classes.max(initial=-1) > 0:
        labelled = np.flatnonzero(classes >= 0)
        values[labelled] = _scores(positions, periods, classes, labelled)
    return values


def silhouette(
    positions: Floats, periods: Sequence[float], labels: Sequence[str], seed: int = 0
) -> Estimate | None:
    """Return the mean silhouette of labelled items; for many items, of a random sample.

    Sampled items are still compared with all others. None with fewer than two labels, or if no two
    items share one.
    """
    classes = _classes(labels)
    labelled = np.flatnonzero(classes >= 0)
    n_items, n_classes = len(labelled), int(classes.max(initial=-1)) + 1
    if not 2 <= n_classes < n_items:
        return None
    n_sampled = max(2, MOST_DISTANCES // n_items)
    if n_sampled >= n_items:
        return Estimate(float(_scores(positions, periods, classes, labelled).mean()))
    sample = np.random.default_rng(seed).choice(labelled, n_sampled, replace=False)
    scores = _scores(positions, periods, classes, sample)
    # Drawn without replacement: the finite population correction applies.
    unseen = 1.0 - n_sampled / n_items
    return Estimate(float(scores.mean()), float(scores.std(ddof=1) * np.sqrt(unseen / n_sampled)))


def _classes(labels: Sequence[str]) -> Ints:
    """Return the number of every item's label, from 0; −1 without one."""
    # The empty text sorts first, and is added to be among them.
    return np.unique(["", *labels], return_inverse=True)[1][1:] - 1


def _scores(positions: Floats, periods: Sequence[float], classes: Ints, chosen: Ints) -> Floats:
    """Return silhouettes of chosen labelled items among all labelled items."""
    sizes = np.bincount(classes[classes >= 0])
    # By label, so that the distances of each label lie side by side.
    others = np.argsort(classes, kind="stable")[(classes < 0).sum() :]
    begins = np.cumsum(sizes) - sizes
    scores = np.zeros(len(chosen))

    def score(begin: int, end: int) -> None:
        items, rows = chosen[begin:end], np.arange(end - begin)
        own = classes[items]
        apart = map_distances(positions[items], positions[others], periods)
        totals = np.add.reduceat(apart, begins, axis=1)
        a = totals[rows, own] / np.maximum(sizes[own] - 1, 1)
        means = totals / sizes
        means[rows, own] = np.inf
        b = means.min(axis=1)
        larger = np.maximum(a, b)
        scored = (sizes[own] > 1) & (larger > 0.0)
        np.divide(b - a, larger, out=scores[begin:end], where=scored)

    over_blocks(len(chosen), max(1, AT_ONCE // len(others)), score)
    return scores


def map_distances(origins: Floats, targets: Floats, periods: Sequence[float]) -> Floats:
    """Return distances between positions, the short way round a torus, shape (origins, targets)."""
    squares = np.zeros((len(origins), len(targets)))
    for left, right, period in zip(origins.T, targets.T, periods, strict=True):
        apart = np.abs(np.subtract.outer(left, right))
        squares += np.minimum(apart, period - apart) ** 2
    return np.sqrt(squares, out=squares)
