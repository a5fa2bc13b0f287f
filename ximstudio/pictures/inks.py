"""Legible ink on a background colour. No Qt."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Bools, Floats
from ximstudio.pictures.raster.frame import Bytes

INKS = ("#FFFFFF", "#12151B")
"""On dark cells, and on light ones."""
EVEN = 0.179
"""Luminance on which both inks have the same contrast."""


def are_light(colours: Bytes) -> Bools:
    """Return whether the second ink is more legible on each of these colours, (n, 3 or more)."""
    return np.asarray(luminances(colours) > EVEN)


def luminances(colours: Bytes) -> Floats:
    """Return the relative luminance of colours (n, 3 or more), by WCAG: 0 black, 1 white."""
    shares = colours[:, :3] / 255.0
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))
