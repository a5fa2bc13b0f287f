"""The kernels of the map as logarithms, for many distances at once (TR 14–16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from ximstudio.model.arrays import Floats

LOG_KERNELS: Mapping[str, Callable[[Floats, float], Floats]] = MappingProxyType(
    {
        "gaussian": lambda d, width: d / (-2.0 * width**2),
        "t": lambda d, width: -0.5 * (width + 1.0) * np.log1p(d / width),
        "cauchy": lambda d, width: -np.log1p(d / width**2),
    }
)
"""ln h of squared map distances; it is finite even where h underflows."""
