"""Shepard's interpolation between the positions of the nearest trained items."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.result import ItemMap
from ximstudio.place.neighbours import nearest_items
from ximstudio.place.params import ItemPlacingParams
from ximstudio.place.placed import PlacedItems


def place(model: ItemMap, values: Floats, params: ItemPlacingParams) -> PlacedItems:
    """Place items at the mean of their nearest items' positions, weighted by distance to the power
    −p.

    An item that was trained on has distance 0 from itself and keeps its own position.
    """
    near, apart = nearest_items(values, model.items.values, params.neighbours)
    closest = apart[:, :1]
    # Relative to the nearest, so that no power over- or underflows for all of them.
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = (closest / apart) ** params.power
    weights[np.isinf(apart)] = 0.0
    weights = np.where(closest == 0.0, (apart == 0.0).astype(np.float64), weights)
    weights /= weights.sum(axis=1, keepdims=True)
    positions = np.einsum("ik,ikc->ic", weights, model.positions[near])
    return PlacedItems(positions=positions, winners=None)
