"""The planes of all features: which look alike, which go with a chosen one, which is called so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ximstudio.explore.tree import tree_of
from ximstudio.kernels.parallel import check_here, one_thread
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.directions import directions
from ximstudio.model.distances import distances_between

MOST_IN_TREE = 3000
"""Planes that a tree orders; more are ordered by projection."""
MOST_ACROSS = 1000
"""Nodes or items that tell how very many planes lie: between all of them products are taken."""
AT_ONCE = 2**21
"""Values that are looked at at once."""


def similarity_order(planes: Floats) -> Ints:
    """Features so that alike planes are neighbours, shape (D,).

    Planes (D, M) are numbers of nodes, or of items on a map without nodes. Up to `MOST_IN_TREE`
    features by a tree of the correlations between planes (average linkage). Above, by the angle at
    which planes lie in the two directions of largest variance of all planes, which takes no table
    of all pairs. Planes that do not vary come last.
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
    """Correlation of every feature's plane with that of a chosen one, shape (D,).

    Over all nodes, or items where there are no nodes; NaN for planes that do not vary.
    """
    lines = directions(planes, centred=True)
    every = np.arange(len(lines))
    # Between directions d² = 2 (1 − r).
    squares = distances_between(lines, every, np.full(len(lines), feature)) ** 2
    return np.asarray(np.clip(1.0 - 0.5 * squares, -1.0, 1.0))


def names_with(names: Sequence[str], text: str) -> tuple[int, ...]:
    """Numbers of the names that hold a text, in small letters or large.

    Those that are it come first, then those that begin with it, else in their order. An empty text
    is in all of them.
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
    """Planes (D, M) all around their middle, from the widest gap on."""
    step = max(1, AT_ONCE // planes.shape[1])
    products = np.zeros((planes.shape[1], planes.shape[1]))
    with one_thread():
        for begin in range(0, len(planes), step):
            check_here()
            part = planes[begin : begin + step]
            products += part.T @ part
        _, axes = np.linalg.eigh(products)
        # Up to its sign a direction is what it is; let the largest part be above 0.
        axes = axes[:, :-3:-1]
        axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
        places = planes @ axes
    if places.shape[1] < 2:
        return np.argsort(places[:, 0], kind="stable")
    angles = np.arctan2(places[:, 1], places[:, 0])
    order = np.argsort(angles, kind="stable")
    gaps = np.diff(angles[order], append=angles[order[0]] + 2.0 * np.pi)
    return np.roll(order, -1 - int(gaps.argmax()))
