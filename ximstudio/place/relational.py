"""Placement of items by their distances from prototypes that have no features."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import UserError
from ximstudio.model.relational import RelationalMap
from ximstudio.model.words import counted
from ximstudio.place import mapping_named
from ximstudio.place.params import PlacingParams
from ximstudio.place.placed import PlacedItems

ITEMS_AT_ONCE = 256


def place(model: RelationalMap, rows: Floats, params: PlacingParams) -> PlacedItems:
    """Place items given by their dissimilarities to the features' items, by the rule of `params`.

    `rows` has the shape (n, K).
    """
    needed = rows[:, model.used]
    wrong = np.flatnonzero((np.isnan(needed) | (needed < 0.0)).any(axis=1))
    if len(wrong):
        raise UserError(
            key="place.dissimilarities",
            what=f"{counted(len(wrong), 'item lacks', 'items lack')} dissimilarities, or has some"
            " below 0.",
            where=f"item number {', '.join(str(row + 1) for row in wrong[:5])}",
            way_out="Give the distance of every item from each item that the map was trained on.",
        )
    return place_measured(model, rows, params, lambda some: model.squared_distances(rows[some]))


def place_measured(
    model: RelationalMap,
    rows: Floats,
    params: PlacingParams,
    measure: Callable[[slice], Floats],
) -> PlacedItems:
    """Place items whose squared distances to all prototypes are known."""
    from_distances = mapping_named(params.mapping).from_distances
    positions = np.empty((len(rows), model.grid.nodes.shape[1]))
    winners = np.empty(len(rows), dtype=np.int64)

    def place_some(begin: int, end: int) -> None:
        squares = measure(slice(begin, end))
        winners[begin:end] = squares.argmin(axis=1)
        if from_distances is not None:
            positions[begin:end] = from_distances(model, squares, params)

    over_blocks(len(rows), ITEMS_AT_ONCE, place_some)
    if from_distances is None:
        # An item's distances describe it like a prototype's distances describe the prototype.
        values = np.where(model.used, rows, 0.0)
        positions = mapping_named(params.mapping).place(model, values, params).positions
    return PlacedItems(positions=positions, winners=winners)
