"""Means over the items of every node: how far they are from it, and how far to be believed."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.label_kinds import numbers_of
from ximstudio.maps.layer import Layer, LayerEvidence, LayerNeed
from ximstudio.model.arrays import Floats
from ximstudio.model.distances import distances_between
from ximstudio.model.relational import RelationalMap


def item_errors(evidence: LayerEvidence) -> Floats:
    """Distance of every item to the prototype of its node, its quantisation error, shape (N,)."""
    values, model = evidence.seen.values, evidence.model
    if isinstance(model, RelationalMap):
        squares = model.squared_distances(values)[np.arange(len(values)), evidence.winners]
        return np.sqrt(np.maximum(squares, 0.0))
    # One table, so that all distances follow one rule, blanks included.
    everything = np.vstack([values, model.prototypes])
    n_items = len(values)
    return distances_between(everything, np.arange(n_items), n_items + evidence.winners)


def _means(values: Floats, evidence: LayerEvidence) -> Floats:
    from ximstudio.measure.nodes import per_node  # brings numba and scipy

    return per_node(values, evidence.winners, evidence.grid.n_nodes)


def _quantisation_error(evidence: LayerEvidence, _: str) -> Floats:
    return _means(item_errors(evidence), evidence)


def _trust(evidence: LayerEvidence, _: str) -> Floats:
    from ximstudio.measure.neighbourhoods import item_trust

    return _means(item_trust(evidence.measured.ranks), evidence)


def _continuity(evidence: LayerEvidence, _: str) -> Floats:
    from ximstudio.measure.neighbourhoods import item_continuity

    return _means(item_continuity(evidence.measured.ranks), evidence)


def _label_mean(evidence: LayerEvidence, label: str) -> Floats:
    numbers = numbers_of(evidence.labels(label))
    known = ~np.isnan(numbers)
    winners, n_nodes = evidence.winners[known], evidence.grid.n_nodes
    counts = np.bincount(winners, minlength=n_nodes)
    sums = np.bincount(winners, numbers[known], minlength=n_nodes)
    return np.asarray(np.divide(sums, counts, out=np.full(n_nodes, np.nan), where=counts > 0))


LABEL_MEAN = Layer(
    key="label_mean",
    name="Label mean",
    about="The mean of a label with numbers, such as an age or a dose, over the items of a node.",
    legend="mean of the node's items",
    of=_label_mean,
    needs=frozenset({LayerNeed.MATRIX, LayerNeed.SCALE}),
)
QUANTISATION_ERROR = Layer(
    key="quantisation_error",
    name="Quantisation error",
    about="Distance of items to their node: high where items do not resemble their node.",
    legend="mean distance of items to their node",
    of=_quantisation_error,
    needs=frozenset({LayerNeed.MATRIX}),
)
TRUST = Layer(
    key="trust",
    name="Trust",
    about="Whether neighbours on the map are neighbours in the data: low for false neighbours.",
    legend="mean trustworthiness of items",
    of=_trust,
    needs=frozenset({LayerNeed.MATRIX, LayerNeed.RANKS}),
    reference="Venna and Kaski 2001",
)
CONTINUITY = Layer(
    key="continuity",
    name="Continuity",
    about="Whether neighbours in the data are neighbours on the map: low where groups split.",
    legend="mean continuity of items",
    of=_continuity,
    needs=frozenset({LayerNeed.MATRIX, LayerNeed.RANKS}),
    reference="Venna and Kaski 2001",
)
