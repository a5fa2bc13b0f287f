"""Portraits: one map per sample that shows where it is high and low.

Samples have portraits if they are the features and genes the items: the sample's value in every
node, minus the mean of the node over all samples. So 0 is where genes are in this sample as in the
mean of all, and what stands out in one portrait is high there and not everywhere. If samples are
the items, each has a position on the map instead, and genes have planes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import known
from ximstudio.model.problem import UserError
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap, Result


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
