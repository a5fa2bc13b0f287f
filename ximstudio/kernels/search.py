"""Smallest entry of an array, fast."""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.jit import comparing, kernel
from ximstudio.model.arrays import Floats32

HUGE = np.float32(3e38)
STRIDE = 128


@comparing
def smallest(values: Floats32) -> np.float32:
    """The smallest of `values`."""
    least = HUGE
    for j in range(values.size):
        least = min(least, values[j])
    return least


@kernel
def argmin(values: Floats32) -> int:
    """Index of the first smallest entry: minima of stretches first, then a look into one."""
    least = HUGE
    start = 0
    for begin in range(0, values.size, STRIDE):
        candidate = smallest(values[begin : min(begin + STRIDE, values.size)])
        if candidate < least:
            least = candidate
            start = begin
    j = start
    while j < values.size - 1 and values[j] > least:
        j += 1
    return j
