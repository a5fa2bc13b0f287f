"""Appearance of points and pies on screen and paper: sizes, fading, and tinted cells. No Qt."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats, Ints
from ximstudio.pictures.raster.frame import Bytes

LARGEST, SMALLEST = 11.0, 2.0
HALO = 1.5
"""Width of the ring around selected points, in pixels."""
DIMMED = 0.78
"""Share by which unselected points fade into the background."""
ROOMY = 480.0
"""Size of a canvas, in pixels, with marks of full size."""
SMALLER = 0.7
"""Size of items on a map, relative to that on a canvas of their own."""
EDGE = 1.6
"""Width that an edge adds to a point, in pixels."""
MOST_EDGES = 20_000
"""More points than this are drawn without edges."""
PANEL_OPACITY = 0.9
"""Of points on maps side by side."""
SMALLEST_IN_PANEL = 1.6
"""Diameter of the smallest points there, in pixels."""


def mark_scale(room: float) -> float:
    """Return the scale of marks where the shorter side has so many pixels: 0.6 to 1."""
    return min(max(room / ROOMY, 0.6), 1.0)


def panel_size(n_points: int, side: float, scale: float | None = None) -> float:
    """Return the diameter on one of several maps of so many pixels, smaller the more there are."""
    usual = (mark_scale(side) if scale is None else scale) * default_size(n_points)
    apart: float = side / max(n_points, 1) ** 0.5
    return max(min(usual, apart), SMALLEST_IN_PANEL)


def default_size(n_points: int) -> float:
    """Return a diameter, in pixels of the window, that suits so many points."""
    wanted: float = LARGEST * (200.0 / max(n_points, 1)) ** 0.19
    return round(min(max(wanted, SMALLEST), LARGEST), 1)


def dimmed_colours(colours: Bytes, surface: Ints) -> Bytes:
    """Fade colours towards the background, by a table per channel, which is far faster."""
    table = np.rint(DIMMED * surface + (1.0 - DIMMED) * np.arange(256)[:, None]).astype(np.uint8)
    dimmed = colours.copy()
    for channel in range(3):
        dimmed[:, channel] = table[colours[:, channel], channel]
    return dimmed


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
