"""Means over the items of every node: how far they are from it, and how far to be believed."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.evidence import MapEvidence
from ximstudio.maps.layer import Layer, Need
from ximstudio.model.arrays import Floats
from ximstudio.model.distances import distances_between


def item_errors(evidence: MapEvidence) -> Floats:
    """Distance of every item to the prototype of its node, its quantisation error, shape (N,)."""
    values = evidence.items.values
    # One table, so that all distances follow one rule, blanks included.
    everything = np.vstack([values, evidence.model.prototypes])
    n_items = len(values)
    return distances_between(everything, np.arange(n_items), n_items + evidence.winners)


def _means(values: Floats, evidence: MapEvidence) -> Floats:
    from ximstudio.measure.nodes import per_node  # brings numba and scipy

    return per_node(values, evidence.winners, evidence.grid.n_nodes)


def _quantisation_error(evidence: MapEvidence, _: str) -> Floats:
    return _means(item_errors(evidence), evidence)


def _trust(evidence: MapEvidence, _: str) -> Floats:
    from ximstudio.measure.neighbourhoods import item_trust

    return _means(item_trust(evidence.measured.ranks), evidence)


def _continuity(evidence: MapEvidence, _: str) -> Floats:
    from ximstudio.measure.neighbourhoods import item_continuity

    return _means(item_continuity(evidence.measured.ranks), evidence)


QUANTISATION_ERROR = Layer(
    key="quantisation_error",
    name="Quantisation error",
    about="How far the items of every node are from its prototype: large where a node stands for"
    " items that it does not resemble.",
    legend="mean distance of items to their prototype",
    of=_quantisation_error,
    needs=frozenset({Need.MATRIX}),
)
TRUST = Layer(
    key="trust",
    name="Trust",
    about="Whether the neighbours of a node's items on the map are neighbours in the data, too:"
    " low where the map brings strangers together.",
    legend="mean trustworthiness of items",
    of=_trust,
    needs=frozenset({Need.MATRIX, Need.RANKS}),
    reference="Venna and Kaski 2001",
)
CONTINUITY = Layer(
    key="continuity",
    name="Continuity",
    about="Whether the neighbours of a node's items in the data are neighbours on the map, too:"
    " low where the map tears groups apart.",
    legend="mean continuity of items",
    of=_continuity,
    needs=frozenset({Need.MATRIX, Need.RANKS}),
    reference="Venna and Kaski 2001",
)
