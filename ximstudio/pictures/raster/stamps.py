"""Discs as small tables of coverage, one per position within a pixel."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ximstudio.model.arrays import frozen
from ximstudio.pictures.raster.frame import Pixels

PHASES = 4
"""Positions within a pixel, along each axis, for which a disc is computed."""
_SAMPLES = 8


@lru_cache(maxsize=64)
def disc_stamps(diameter: float) -> Pixels:
    """Coverage 0 to 256 of the pixels around a disc, (PHASES, PHASES, side, side): y before x.

    Phase p stands for a middle at (p + ½) / PHASES within the stamp's middle pixel.
    """
    phases = (np.arange(PHASES) + 0.5) / PHASES
    # As small as the last phase allows: few pixels are what makes many points fast.
    half = max(0, int(np.ceil(diameter / 2.0 + phases[-1] - 1.0)))
    side = 2 * half + 1
    middles = half + phases
    samples = (np.arange(side * _SAMPLES) + 0.5) / _SAMPLES
    squares = (samples - middles[:, None]) ** 2
    inside = squares[:, None, :, None] + squares[None, :, None, :] <= (diameter / 2.0) ** 2
    shape = (PHASES, PHASES, side, _SAMPLES, side, _SAMPLES)
    coverage = inside.reshape(shape).mean(axis=(3, 5))
    return frozen(np.rint(256.0 * coverage).astype(np.uint32))
