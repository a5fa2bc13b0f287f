"""A feature over the map: the component of every prototype."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.evidence import MapEvidence
from ximstudio.maps.layer import Layer, Need
from ximstudio.maps.palettes import Scheme
from ximstudio.model.arrays import Floats


def _plane(evidence: MapEvidence, feature: str) -> Floats:
    return np.ascontiguousarray(evidence.model.prototypes[:, evidence.feature(feature)])


PLANE = Layer(
    key="plane",
    name="Feature",
    about="The value of one feature in every node: where on the map it is high, and where low.",
    legend="value as prepared",
    of=_plane,
    needs=frozenset({Need.FEATURE}),
    scheme=Scheme.DIVERGING,
)
