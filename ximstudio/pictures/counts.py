"""Counts on a logarithmic scale, for the colours of densities. No Qt."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.pictures.raster.frame import Bytes


def count_levels(counts: Floats) -> Bytes:
    """Return the index of every count in 256 colours: 0 for none, from 1 on logarithmic."""
    levels = np.zeros(counts.shape)
    some = counts > 0.0
    if some.any():
        logs = np.log(counts[some])
        span = float(np.ptp(logs)) or 1.0
        levels[some] = 1.0 + 254.0 * (logs - logs.min()) / span
    return levels.astype(np.uint8)
