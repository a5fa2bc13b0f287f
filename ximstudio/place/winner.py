"""Placement of items on the node of their nearest prototype."""

from __future__ import annotations

from ximstudio.model.arrays import Floats
from ximstudio.model.result import PrototypeMap
from ximstudio.place.params import PlacingParams
from ximstudio.place.placed import PlacedItems
from ximstudio.place.shepard import shepard


def place(model: PrototypeMap, values: Floats, params: PlacingParams) -> PlacedItems:  # noqa: ARG001
    """Place items on their winner's node."""
    winners = shepard(model, values, power=1.0, neighbours=1).winners
    assert winners is not None
    return PlacedItems(positions=model.grid.nodes[winners], winners=winners)
