"""Heights over the nodes of a map: distances between prototypes, densities, numbers of items."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.layer import Layer, LayerEvidence, LayerNeed
from ximstudio.model.arrays import Floats, Ints
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


def _u_matrix(evidence: LayerEvidence, _: str) -> Floats:
    return u_matrix(evidence.model)


def _p_matrix(evidence: LayerEvidence, _: str) -> Floats:
    return evidence.density


def _u_star_matrix(evidence: LayerEvidence, _: str) -> Floats:
    return u_star_matrix(u_matrix(evidence.model), evidence.density)


def _hits(evidence: LayerEvidence, _: str) -> Floats:
    return hits(evidence.result).astype(np.float64)


U_MATRIX = Layer(
    key="u_matrix",
    name="U-matrix",
    about="How far every node is from its neighbours. On a SOM, ridges are borders and valleys are"
    " groups; where nodes repel, groups are hills and the plain around them is empty.",
    legend="mean distance to neighbouring nodes",
    of=_u_matrix,
    reference="Ultsch and Siemon 1990",
)
P_MATRIX = Layer(
    key="p_matrix",
    name="P-matrix",
    about="How densely the items lie around every node: hills are the middle of groups.",
    legend="items within the Pareto radius",
    of=_p_matrix,
    needs=frozenset({LayerNeed.MATRIX}),
    reference="Ultsch 2003, Maps for the visualization of high-dimensional data spaces",
)
U_STAR_MATRIX = Layer(
    key="u_star_matrix",
    name="U*-matrix",
    about="The U-matrix, lowered where items lie densely: borders stand out from spread in groups.",
    legend="distance to neighbouring nodes, by density",
    of=_u_star_matrix,
    needs=frozenset({LayerNeed.MATRIX}),
    reference="Ultsch 2003, U*-matrix: a tool to visualize clusters in high dimensional data",
)
HITS = Layer(
    key="hits",
    name="Hits",
    about="How many items every node has.",
    legend="number of items",
    of=_hits,
)
