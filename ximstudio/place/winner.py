"""Items on the node of their nearest prototype."""

from __future__ import annotations

from ximstudio.model.arrays import Floats
from ximstudio.model.result import PrototypeMap
from ximstudio.place.params import PlacingParams
from ximstudio.place.placed import Placed
from ximstudio.place.shepard import shepard

CANDIDATES = 8
"""Prototypes measured exactly after the rough order: enough for any rounding of a product."""


def place(model: PrototypeMap, values: Floats, params: PlacingParams) -> Placed:  # noqa: ARG001
    """Items placed on their winner's node."""
    winners = shepard(model, values, power=1.0, neighbours=CANDIDATES).winners
    assert winners is not None
    return Placed(positions=model.grid.nodes[winners], winners=winners)
