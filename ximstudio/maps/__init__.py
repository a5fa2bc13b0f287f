"""Result → layers to draw. `LAYERS` lists every layer there is."""

from __future__ import annotations

from ximstudio.maps import classes, heights
from ximstudio.maps.heights import hits, u_matrix
from ximstudio.maps.label_kinds import label_kinds
from ximstudio.maps.layer import Layer, LayerEvidence, LayerKind, LayerNeed
from ximstudio.model.matrix import Matrix
from ximstudio.model.registry import named
from ximstudio.model.result import PrototypeMap, Result

LAYERS: tuple[Layer, ...] = (
    heights.U_MATRIX,
    heights.P_MATRIX,
    heights.U_STAR_MATRIX,
    heights.HITS,
    classes.CLASSES,
    heights.LABEL_MEAN,
    heights.PLANE,
    heights.QUANTISATION_ERROR,
    heights.TRUST,
    heights.CONTINUITY,
)


def layer_named(key: str) -> Layer:
    """The layer with this key; unknown ones are refused with a proposal."""
    return named("layer", key, LAYERS)


def layers_of(result: Result, matrix: Matrix | None = None) -> tuple[Layer, ...]:
    """The layers that can be drawn: none without nodes, few without the data or labels."""
    if not isinstance(result.model, PrototypeMap):
        return ()
    missing: set[LayerNeed] = set()
    if matrix is None:
        missing |= {LayerNeed.MATRIX, LayerNeed.RANKS, LayerNeed.LABEL, LayerNeed.SCALE}
    else:
        kinds = label_kinds(matrix)
        missing |= {
            need
            for need, there in ((LayerNeed.LABEL, kinds.classes), (LayerNeed.SCALE, kinds.scales))
            if not there
        }
    return tuple(layer for layer in LAYERS if not layer.needs & missing)


__all__ = [
    "LAYERS",
    "Layer",
    "LayerEvidence",
    "LayerKind",
    "LayerNeed",
    "hits",
    "layer_named",
    "layers_of",
    "u_matrix",
]
