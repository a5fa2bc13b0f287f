"""Order, correlate and search the planes of all features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ximstudio.explore.tree import tree_of
from ximstudio.kernels.parallel import check_here, one_thread
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.directions import directions
from ximstudio.model.distances import distances_between

MOST_IN_TREE = 3000
"""Largest number of planes ordered by a tree; more are ordered by projection."""
MOST_ACROSS = 1000
"""Nodes or items used to order more planes than that."""
AT_ONCE = 2**21
"""Values processed in one step."""


def similarity_order(planes: Floats) -> Ints:
    """Order features so that similar planes are adjacent, shape (D,).

    Planes (D, M) hold values of nodes, or of items on a map without nodes. Up to `MOST_IN_TREE`
    features are ordered by a tree of the correlations between planes (average linkage); more by
    angle in the two directions of largest variance of all planes, which needs no table of all
    pairs. Planes that do not vary come last.
    """
    if len(planes) > MOST_IN_TREE:
        planes = planes[:, :: max(1, -(-planes.shape[1] // MOST_ACROSS))]
    flat = np.isnan(directions(planes, centred=True)).all(axis=1)
    varying = np.flatnonzero(~flat)
    if len(varying) > MOST_IN_TREE:
        order = _by_angle(np.nan_to_num(directions(planes[varying], centred=True)))
    else:
        order = tree_of(planes[varying]).order
    return np.concatenate([varying[order], np.flatnonzero(flat)])


def correlations_with(planes: Floats, feature: int) -> Floats:
    """Correlate every feature's plane with that of one feature, shape (D,).

    Over all nodes, or items where there are no nodes; NaN for planes that do not vary.
    """
    lines = directions(planes, centred=True)
    every = np.arange(len(lines))
    # Between directions d² = 2 (1 − r).
    squares = distances_between(lines, every, np.full(len(lines), feature)) ** 2
    return np.asarray(np.clip(1.0 - 0.5 * squares, -1.0, 1.0))


def names_with(names: Sequence[str], text: str) -> tuple[int, ...]:
    """Find the numbers of the names that contain a text, ignoring case.

    Equal names come first, then names that begin with it. An empty text matches all.
    """
    wanted = text.strip().casefold()
    found = []
    for number, name in enumerate(names):
        folded = name.casefold()
        if wanted in folded:
            found.append((folded != wanted, not folded.startswith(wanted), number))
    if not wanted:
        return tuple(range(len(names)))
    return tuple(number for *_, number in sorted(found))


def _by_angle(planes: Floats) -> Ints:
    """Order planes (D, M) by angle around their middle, starting after the widest gap."""
    step = max(1, AT_ONCE // planes.shape[1])
    products = np.zeros((planes.shape[1], planes.shape[1]))
    with one_thread():
        for begin in range(0, len(planes), step):
            check_here()
            part = planes[begin : begin + step]
            products += part.T @ part
        _, axes = np.linalg.eigh(products)
        # The sign of a direction is arbitrary: make its largest part positive.
        axes = axes[:, :-3:-1]
        axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
        places = planes @ axes
    if places.shape[1] < 2:
        return np.argsort(places[:, 0], kind="stable")
    angles = np.arctan2(places[:, 1], places[:, 0])
    order = np.argsort(angles, kind="stable")
    gaps = np.diff(angles[order], append=angles[order[0]] + 2.0 * np.pi)
    return np.roll(order, -1 - int(gaps.argmax()))
