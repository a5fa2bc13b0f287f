"""Shares of classes as pies: their sizes, and the tint of the cells below them. No Qt."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats, Ints
from ximstudio.pictures.raster.frame import Bytes

TINT = 0.65
"""Share by which cells below pies are tinted towards the surface."""
LEAST_MARK = 0.35
"""Area of the pie of a node with one item, relative to that with most."""
RADIUS = 0.40
"""Radius of a pie of full size, in grid units."""
LEAST_SHARE = 0.02
"""Smaller slices are left out, because they are thinner than their edge; the others grow."""
SMALLEST_CELL = 15.0
"""Narrowest cells with pies, in pixels."""


def pie_sizes(hits: Ints) -> Floats:
    """Return areas from 0 to 1 by the number of items; 0 without items."""
    most = max(int(hits.max(initial=0)), 1)
    areas = LEAST_MARK + (1.0 - LEAST_MARK) * hits / most
    return np.where(hits > 0, areas, 0.0)


def tinted(shares: Floats, table: Bytes, surface: Bytes) -> Bytes:
    """Return the mean colour of every node's classes, faint, (M, 4); transparent without any."""
    totals = shares.sum(axis=1, keepdims=True)
    mean = np.divide(shares @ table, totals, out=np.zeros((len(shares), 3)), where=totals > 0.0)
    faint = TINT * surface.astype(np.float64) + (1.0 - TINT) * mean
    opaque = np.where(totals > 0.0, 255, 0)
    return np.concatenate([np.rint(faint), opaque], axis=1).astype(np.uint8)
