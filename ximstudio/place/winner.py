"""Items on the node of their nearest prototype."""

from __future__ import annotations

from ximstudio.model.arrays import Floats
from ximstudio.model.result import PrototypeMap
from ximstudio.place.params import PlacingParams
from ximstudio.place.placed import Placed
from ximstudio.place.shepard import shepard


def place(model: PrototypeMap, values: Floats, params: PlacingParams) -> Placed:  # noqa: ARG001
    """Items placed on their winner's node."""
    winners = shepard(model, values, power=1.0, neighbours=1).winners
    assert winners is not None
    return Placed(positions=model.grid.nodes[winners], winners=winners)
