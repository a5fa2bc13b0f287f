"""Placement of items on the node of their nearest prototype."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap
from ximstudio.place.placed import PlacedItems, PlacingRule
from ximstudio.place.shepard import shepard

if TYPE_CHECKING:
    from ximstudio.place.params import PlacingParams


def place(model: PrototypeMap, values: Floats, params: PlacingParams) -> PlacedItems:  # noqa: ARG001
    """Place items on their winner's node."""
    winners = shepard(model, values, power=1.0, neighbours=1).winners
    assert winners is not None
    return PlacedItems(positions=model.grid.nodes[winners], winners=winners)


def from_distances(model: RelationalMap, squares: Floats, params: PlacingParams) -> Floats:  # noqa: ARG001
    """Return the node of the nearest prototype."""
    return np.asarray(model.grid.nodes[squares.argmin(axis=1)])


def _in_text(params: PlacingParams, n_nodes: int) -> str:  # noqa: ARG001
    return "Every item was placed on the node of its nearest prototype"


WINNER = PlacingRule(
    key="winner",
    about="the place of the nearest prototype's node",
    place=place,
    from_distances=from_distances,
    in_text=_in_text,
)
