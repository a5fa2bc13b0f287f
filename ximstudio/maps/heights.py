"""Layers of numbers: distances between prototypes, densities, features, and means over items."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.label_kinds import numbers_of
from ximstudio.maps.layer import Layer, LayerEvidence, LayerNeed
from ximstudio.maps.palettes import PaletteScheme
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.distances import distances_between
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap, Result


def u_matrix(model: PrototypeMap) -> Floats:
    """Mean distance of every prototype to those of its neighbours on the map, shape (M,).

    Ridges are borders between groups, valleys are groups; neighbours across the seam of a torus
    count like all others.
    """
    return model.spacing


def u_star_matrix(heights: Floats, density: Floats) -> Floats:
    """U-matrix times (max P − P)/(max P − mean P), shape (M,) (Ultsch 2003).

    The scale factor of the report, (P − mean P)/(mean P − max P) + 1, in one fraction: 0 where the
    data are densest, 1 at mean density and above 1 where they are sparse. Even density says
    nothing, and the heights stay.
    """
    densest, mean = float(density.max()), float(density.mean())
    if densest <= mean:
        return heights
    return np.asarray(heights * ((densest - density) / (densest - mean)))


def hits(result: Result) -> Ints:
    """Return the number of items that every node wins, shape (M,)."""
    assert isinstance(result.model, PrototypeMap)
    assert result.winners is not None
    return np.bincount(result.winners, minlength=result.model.grid.n_nodes)


U_MATRIX = Layer(
    key="u_matrix",
    name="U-matrix",
    about="How far every node is from its neighbours. On a SOM, ridges are borders and valleys are"
    " groups; where nodes repel, groups are hills and the plain around them is empty.",
    legend="mean distance to neighbouring nodes",
    of=lambda evidence, _: u_matrix(evidence.model),
    reference="Ultsch and Siemon 1990",
)
P_MATRIX = Layer(
    key="p_matrix",
    name="P-matrix",
    about="How densely the items lie around every node: hills are the middle of groups.",
    legend="items within the Pareto radius",
    of=lambda evidence, _: evidence.density,
    needs=frozenset({LayerNeed.MATRIX}),
    reference="Ultsch 2003, Maps for the visualization of high-dimensional data spaces",
)
U_STAR_MATRIX = Layer(
    key="u_star_matrix",
    name="U*-matrix",
    about="The U-matrix, lowered where items lie densely: borders stand out from spread in groups.",
    legend="distance to neighbouring nodes, by density",
    of=lambda evidence, _: u_star_matrix(u_matrix(evidence.model), evidence.density),
    needs=frozenset({LayerNeed.MATRIX}),
    reference="Ultsch 2003, U*-matrix: a tool to visualize clusters in high dimensional data",
)
HITS = Layer(
    key="hits",
    name="Hits",
    about="How many items every node has.",
    legend="number of items",
    of=lambda evidence, _: hits(evidence.result).astype(np.float64),
)


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


def _trust(evidence: LayerEvidence, _: str) -> Floats:
    from ximstudio.measure.neighbourhoods import item_trust

    return _means(item_trust(evidence.measured.ranks), evidence)


def _continuity(evidence: LayerEvidence, _: str) -> Floats:
    from ximstudio.measure.neighbourhoods import item_continuity

    return _means(item_continuity(evidence.measured.ranks), evidence)


LABEL_MEAN = Layer(
    key="label_mean",
    name="Label mean",
    about="The mean of a label with numbers, such as an age or a dose, over the items of a node.",
    legend="mean of the node's items",
    of=lambda evidence, label: _means(numbers_of(evidence.labels(label)), evidence),
    needs=frozenset({LayerNeed.MATRIX, LayerNeed.SCALE}),
)
QUANTISATION_ERROR = Layer(
    key="quantisation_error",
    name="Quantisation error",
    about="Distance of items to their node: high where items do not resemble their node.",
    legend="mean distance of items to their node",
    of=lambda evidence, _: _means(item_errors(evidence), evidence),
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


PLANE = Layer(
    key="plane",
    name="Feature",
    about="The value of one feature in every node: where on the map it is high, and where low.",
    legend="value as prepared",
    of=lambda evidence, feature: np.ascontiguousarray(
        evidence.model.prototypes[:, evidence.feature(feature)]
    ),
    needs=frozenset({LayerNeed.FEATURE}),
    scheme=PaletteScheme.DIVERGING,
)
