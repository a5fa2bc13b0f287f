"""Planes of features over the nodes of a map: their order and correlations, and portraits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.explore.row_order import tree_of
from ximstudio.kernels.parallel import check_here, one_thread
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.directions import directions
from ximstudio.model.distances import distances_between
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import known
from ximstudio.model.problem import UserError
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap, Result

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
    if not wanted:
        return tuple(range(len(names)))
    folded = enumerate(name.casefold() for name in names)
    found = [
        (each != wanted, not each.startswith(wanted), n) for n, each in folded if wanted in each
    ]
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


@dataclass(frozen=True, kw_only=True, eq=False)
class Portraits:
    """Several maps to draw side by side, on one scale from −reach to reach.

    Parameters
    ----------
    names
        The feature or group of features of each.
    values
        Values of the nodes, shape (P, M), minus the mean of every node over all features.
    counts
        Number of features that each is the mean of, shape (P,).
    reach
        Largest absolute value; 1 if all are 0.
    """

    names: tuple[str, ...]
    values: Floats
    counts: Ints
    reach: float


def portraits(result: Result, matrix: Matrix, groups: str | None = None) -> Portraits:
    """Compute the portrait of every feature, or of every group of features with the same label.

    `groups` names a label of the features, such as a condition. Groups come in the order in which
    they first appear; features without a text belong to none.
    """
    _refuse(result, matrix)
    model = result.model
    assert isinstance(model, PrototypeMap)
    planes = model.prototypes.T
    centred = planes - _mean(planes)
    if groups is None:
        names, counts = result.feature_names, np.ones(len(planes), dtype=np.int64)
    else:
        known("label", groups, matrix.feature_labels)
        members: dict[str, list[int]] = {}
        for number, text in enumerate(matrix.feature_labels[groups]):
            if text.strip():
                members.setdefault(text, []).append(number)
        names = tuple(members)
        counts = np.array([len(each) for each in members.values()], dtype=np.int64)
        means = [_mean(centred[each]) for each in members.values()]
        centred = np.array(means).reshape(len(members), planes.shape[1])
    sizes = np.abs(centred[np.isfinite(centred)])
    return Portraits(
        names=names,
        values=frozen(np.ascontiguousarray(centred)),
        counts=frozen(counts),
        reach=float(sizes.max(initial=0.0)) or 1.0,
    )


def _mean(planes: Floats) -> Floats:
    """Mean of the known values of every node, NaN where there are none."""
    there = ~np.isnan(planes)
    count = there.sum(axis=0)
    total = np.where(there, planes, 0.0).sum(axis=0)
    return np.asarray(np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0))


def _refuse(result: Result, matrix: Matrix) -> None:
    if not isinstance(result.model, PrototypeMap):
        raise UserError(
            key="portraits.no_nodes",
            what="Maps without nodes have no portraits.",
            where=f"result of the method '{result.method}'",
            way_out="Choose the map of another method.",
        )
    if isinstance(result.model, RelationalMap):
        raise UserError(
            key="portraits.no_features",
            what="Maps of a table of distances have no portraits, because it has no features.",
            where=f"result of the method '{result.method}'",
            way_out="Train a map on the values themselves.",
        )
    if matrix.feature_names != result.feature_names:
        raise UserError(
            key="portraits.other_data",
            what="The features are not those that the map was trained on.",
            where=matrix.source,
            way_out="Use the table that the map was trained on.",
        )
