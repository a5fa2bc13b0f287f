"""Choice of a metric, and the data as that metric sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ximstudio.model.arrays import Floats, frozen
from ximstudio.model.condition import NoneOf, OneOf
from ximstudio.model.directions import directions, without_direction
from ximstudio.model.dissimilarities import REFUSE, Dissimilarities
from ximstudio.model.matrix import Matrix, some_of
from ximstudio.model.method_params import MethodParams
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.model.spec import Choice, param
from ximstudio.model.words import counted

EUCLIDEAN, PRECOMPUTED = "euclidean", "precomputed"
CENTRED: Mapping[str, bool] = MappingProxyType({"correlation": True, "cosine": False})
"""Metrics of directions, and whether items are centred first."""

OF_FEATURES = {
    EUCLIDEAN: "differences of the values themselves, level and strength included",
    "correlation": "the shape of a profile alone: neither its level nor its strength counts",
    "cosine": "the direction of a profile: its level counts, its strength does not",
}

OF_TABLE, OF_ITEMS = OneOf("metric", PRECOMPUTED), NoneOf("metric", PRECOMPUTED)
"""Conditions for training on a table of distances, or on the features of items."""


@dataclass(frozen=True, kw_only=True)
class MetricParams(MethodParams):
    """The metric in which items are compared."""

    metric: str = param(
        EUCLIDEAN,
        Choice(
            label="Distance",
            symbol="d_E",
            help="Measure of similarity between two items.",
            equation="TR 13",
            options=OF_FEATURES,
        ),
    )


@dataclass(frozen=True, kw_only=True)
class TableParams(MetricParams):
    """The metric, for methods that can also work on dissimilarities between items alone."""

    metric: str = param(
        EUCLIDEAN,
        Choice(
            label="Distance",
            symbol="d_E",
            help="Measure of similarity between two items.",
            equation="TR 13, TR section 6",
            options={
                **OF_FEATURES,
                PRECOMPUTED: "the table itself: a square one of distances between the items, which"
                " are squared for d_E; trains in epochs",
            },
        ),
    )
    symmetrise: str = param(
        REFUSE,
        Choice(
            label="Unequal distances",
            help="Handling of a table of distances whose two directions differ.",
            advanced=True,
            when=OF_TABLE,
            options={
                REFUSE: "report it and do not train",
                "mean": "take the mean of both",
                "smaller": "take the smaller one",
                "larger": "take the larger one",
            },
        ),
    )
    relational: str = param(
        "relational",
        Choice(
            label="Prototypes of a table",
            symbol="w_j",
            help="Representation of a node when only distances between items are known.",
            equation="TR section 6",
            advanced=True,
            when=OF_TABLE,
            options={
                "relational": "a mixture of all items, as exact as with their features",
                "median": "one of the items, by the best match of TR 10 where prototypes repel;"
                " needs a small map, a narrow width and little repulsion",
            },
        ),
    )


def metric_of(params: Params) -> str:
    """Return the metric that the parameters choose; Euclidean where there is no choice."""
    return params.metric if isinstance(params, MetricParams) else EUCLIDEAN


def joining_of(params: Params) -> str:
    """Return how the two directions of a table of distances are joined."""
    return params.symmetrise if isinstance(params, TableParams) else REFUSE


def compared(params: Params) -> tuple[str, ...]:
    """Return all parameters that determine distances: equal parameters, equal distances."""
    metric = metric_of(params)
    return (metric, joining_of(params)) if metric == PRECOMPUTED else (metric,)


def in_metric(matrix: Matrix, params: Params) -> Matrix:
    """Return the matrix as the chosen metric sees it: the basis of training and measures.

    Squared Euclidean distances of its values are those of the metric; of a table of dissimilarities
    they are in `Dissimilarities`. Items that have no distance in the metric are refused.
    """
    metric = metric_of(params)
    if metric == EUCLIDEAN:
        return matrix
    if metric == PRECOMPUTED:
        return Dissimilarities.of(matrix, symmetrise=joining_of(params))
    values = directions(matrix.values, centred=CENTRED[metric])
    nowhere = np.flatnonzero(without_direction(values))
    if len(nowhere):
        names = [f"'{matrix.item_ids[row]}'" for row in nowhere]
        raise _no_direction(metric, len(nowhere), f"{matrix.source}: items {some_of(names)}")
    return matrix.with_values(frozen(values))


def values_in_metric(values: Floats, params: Params) -> Floats:
    """Return the features of possibly new items as the chosen metric sees them."""
    metric = metric_of(params)
    if metric not in CENTRED:
        return values
    found = directions(values, centred=CENTRED[metric])
    nowhere = np.flatnonzero(without_direction(found))
    if len(nowhere):
        numbers = [str(row + 1) for row in nowhere]
        raise _no_direction(metric, len(nowhere), f"item number {some_of(numbers)}")
    return found


def _no_direction(metric: str, count: int, where: str) -> UserError:
    flat = "the same value throughout" if CENTRED[metric] else "nothing but zeros"
    return UserError(
        key="metric.no_direction",
        what=f"{counted(count, 'item has', 'items have')} {flat}, and so no {metric} with others.",
        where=where,
        way_out="Remove the items that do not vary, or compare by metric=euclidean.",
    )
