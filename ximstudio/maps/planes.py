"""A feature over the map: the component of every prototype."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.layer import Layer, LayerEvidence, LayerNeed
from ximstudio.maps.palettes import PaletteScheme
from ximstudio.model.arrays import Floats


def _plane(evidence: LayerEvidence, feature: str) -> Floats:
    return np.ascontiguousarray(evidence.model.prototypes[:, evidence.feature(feature)])


PLANE = Layer(
    key="plane",
    name="Feature",
    about="The value of one feature in every node: where on the map it is high, and where low.",
    legend="value as prepared",
    of=_plane,
    needs=frozenset({LayerNeed.FEATURE}),
    scheme=PaletteScheme.DIVERGING,
)
