"""Search for the items most similar to an item, a node or a drawn profile. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from ximstudio.explore.similar import (
    SimilarItems,
    similar_to_item,
    similar_to_node,
    similar_to_profile,
)
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import EUCLIDEAN, PRECOMPUTED, metric_of
from ximstudio.session import Run

MOST_LOOKED_AT = 2000
"""Items that the range of every feature is estimated from, evenly spread over the table."""
EDGE = 5.0
"""Percentage of values beyond either end of that range."""


UNITS = {
    EUCLIDEAN: "Distance: Euclidean, of the prepared values.",
    "correlation": "r: Pearson's correlation of the prepared values, 1 for the same shape, −1 for"
    " the opposite.",
    "cosine": "Cosine of the angle between the prepared profiles, 1 for the same direction, −1 for"
    " the opposite.",
    PRECOMPUTED: "Distance: as the table gives it.",
}


class QueryTarget(StrEnum):
    """Kind of thing that items are compared with."""

    ITEM = "item"
    NODE = "node"
    DRAWN = "drawn"


@dataclass(frozen=True, kw_only=True, eq=False)
class Query:
    """An item or node by its number, or a profile with NaN where nothing is drawn."""

    to: QueryTarget
    number: int = -1
    profile: Floats = field(default_factory=lambda: np.empty(0))


def is_of_distances(run: Run) -> bool:
    """Return whether the map was trained on a table of distances, where items have no profile."""
    return metric_of(run.result.params) == PRECOMPUTED


def profile_of(run: Run, query: Query) -> Floats:
    """Return the profile to compare with; for a node, the mean of its members.

    A prototype is not a profile of the table where only directions count. A node without members
    gives NaN.
    """
    if query.to is QueryTarget.DRAWN:
        return query.profile
    if query.to is QueryTarget.ITEM:
        return np.asarray(run.matrix.values[query.number])
    winners = run.result.winners
    assert winners is not None
    return mean_profile(run.matrix.values[winners == query.number])


def mean_profile(values: Floats) -> Floats:
    """Mean of items for every feature without missing values; NaN where all are missing."""
    known = np.isfinite(values)
    sums, counts = np.where(known, values, 0.0).sum(axis=0), known.sum(axis=0)
    return np.asarray(np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0))


def ranges_of(matrix: Matrix) -> tuple[Floats, Floats]:
    """Range of most items for every feature; NaN where all values are missing."""
    step = max(1, matrix.n_items // MOST_LOOKED_AT)
    values = matrix.values[::step]
    low, high = np.full(matrix.n_features, np.nan), np.full(matrix.n_features, np.nan)
    known = np.isfinite(values).any(axis=0)
    if known.any():
        low[known], high[known] = np.nanpercentile(values[:, known], (EDGE, 100.0 - EDGE), axis=0)
    return low, high


def ranked(run: Run, query: Query, *, most: int) -> SimilarItems:
    """Find the most similar items in the metric of the map, nearest first."""
    result, matrix = run.result, run.matrix
    if query.to is QueryTarget.DRAWN:
        return similar_to_profile(matrix, result.params, query.profile, most=most)
    if query.to is QueryTarget.NODE:
        return similar_to_node(result, matrix, query.number, most=most)
    return similar_to_item(matrix, result.params, matrix.item_ids[query.number], most=most)


def likeness_name(run: Run) -> str:
    """Name of the similarity column: correlation or cosine."""
    return {"correlation": "r"}.get(metric_of(run.result.params), "Cosine")


def distance_words(run: Run) -> str:
    """Explanation of the distances in the list."""
    metric = metric_of(run.result.params)
    return UNITS.get(metric, f"Distance: {metric}.")
