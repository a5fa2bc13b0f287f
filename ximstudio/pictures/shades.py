"""Nodes in faint shades, below the items. No Qt."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.pictures.colours import Colours, channels, mixed
from ximstudio.pictures.raster.frame import Bytes

SHADES = 64
EXTREMES = (2.0, 98.0)
"""Percentiles of the heights between which nodes are shaded, so that one ridge hides no others."""


def node_shades(spacing: Floats, colours: Colours) -> Bytes:
    """Return a shade for every node, (M, 3), by the distance of its prototype to its neighbours."""
    low, high = np.percentile(spacing, EXTREMES)
    share = np.clip((spacing - low) / max(high - low, 1e-12), 0.0, 1.0)
    return np.asarray(_shades(colours)[np.rint(share * (SHADES - 1)).astype(np.int64)])


def _shades(colours: Colours) -> Bytes:
    """Return the shades: valleys fade into the window, ridges stand out slightly."""
    ends = colours.sunken, mixed(colours.border_strong, colours.axis, 0.35)
    shares = np.linspace(0.0, 1.0, SHADES).tolist()
    return np.array([channels(mixed(*ends, share)) for share in shares], dtype=np.uint8)
