"""True distances of the torch, transferred to other tables and converted to colours."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Ints
from ximstudio.pictures.colouring import colour_rows, colours_of
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.views.compare.true_distances import Light


def carried(light: Light, rows: Ints, n_items: int) -> Light:
    """Transfer the torch to the items of another table; items it lacks have no distance."""
    known = rows >= 0
    distances = np.full(n_items, np.nan)
    distances[rows[known]] = light.distances[known]
    near = rows[light.neighbours]
    return Light(
        item=int(rows[light.item]),
        distances=distances,
        neighbours=near[near >= 0],
        low=light.low,
        high=light.high,
    )


def torch_colours(light: Light, table: Bytes) -> Bytes:
    """Colour of every true distance, (N, 4); grey where there is none."""
    colours = colours_of(light.distances, table, low=light.low, high=light.high)
    unknown = np.isnan(light.distances)
    if unknown.any():
        grey = colour_rows((the_theme().colours.border_strong,))[0]
        colours[unknown] = (*grey.tolist(), 255)
    return colours
