"""Numbers as colours, transparent where there is no number."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.palettes import coloured
from ximstudio.model.arrays import Floats
from ximstudio.pictures.raster.frame import Bytes


def colours_of(values: Floats, table: Bytes, *, low: float, high: float) -> Bytes:
    """Colours (n, 4) from a table (k, 3) between `low` and `high`; no opacity where NaN.

    MapItem draws transparent nodes in the theme's colour for blanks, so that colours stay valid
    when the theme changes.
    """
    opaque = np.where(np.isnan(values), 0, 255).astype(np.uint8)
    return np.column_stack([coloured(values, table, low=low, high=high, blank=(0, 0, 0)), opaque])
