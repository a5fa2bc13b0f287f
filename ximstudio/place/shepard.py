"""Shepard's interpolation between the nodes of the nearest prototypes."""

from __future__ import annotations

import numpy as np

from ximstudio.kernels import nearest
from ximstudio.model.arrays import Floats
from ximstudio.model.result import PrototypeMap
from ximstudio.place.params import PlacingParams
from ximstudio.place.placed import PlacedItems
from ximstudio.place.prototypes import ScaledPrototypes, ScoredBlock


def shepard(model: PrototypeMap, values: Floats, *, power: float, neighbours: int) -> PlacedItems:
    """Place items at the mean of their nearest nodes, weighted by distance to the power −p."""
    grid = model.grid
    measured = ScaledPrototypes.of(model)
    positions = np.empty((len(values), grid.n_axes))
    winners = np.empty(len(values), dtype=np.int64)
    k = min(neighbours, grid.n_nodes)
    periods, origin = np.asarray(grid.periods), np.asarray(grid.origin)

    def place(block: ScoredBlock) -> None:
        nearest.shepard(
            block.scores,
            block.items,
            block.observed,
            measured.prototypes,
            grid.nodes,
            periods,
            origin,
            power,
            winners[block.begin : block.end],
            positions[block.begin : block.end],
            k,
        )

    measured.over(values, place)
    return PlacedItems(positions=positions, winners=winners)


def place(model: PrototypeMap, values: Floats, params: PlacingParams) -> PlacedItems:
    """Place items by Shepard's rule."""
    return shepard(model, values, power=params.power, neighbours=params.neighbours)
