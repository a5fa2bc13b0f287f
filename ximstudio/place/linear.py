"""Projection of items onto the components of a linear map."""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.parallel import one_thread
from ximstudio.model.arrays import Floats
from ximstudio.model.result import LinearMap
from ximstudio.place.placed import PlacedItems


def project(model: LinearMap, values: Floats) -> PlacedItems:
    """Return positions by projection; an item with blanks goes where its known values fit best."""
    moved = values - model.centre
    blanks = np.isnan(moved)
    with one_thread():
        positions = np.where(blanks, 0.0, moved) @ model.components.T
    for row in np.flatnonzero(blanks.any(axis=1)):
        known = ~blanks[row]
        positions[row] = np.linalg.lstsq(
            model.components[:, known].T, moved[row, known], rcond=None
        )[0]
    return PlacedItems(positions=positions, winners=None)
