"""Appearance of points on screen and paper: sizes that suit their number, and fading. No Qt."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Ints
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


def panel_size(n_points: int, side: float) -> float:
    """Return the diameter on one of several maps of so many pixels, smaller the more there are."""
    usual = mark_scale(side) * default_size(n_points)
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
