"""Float32 exponential and logarithm that the compiler can run on many nodes at once.

The library's own exp and log are calls, and a call in a loop keeps it from being vectorised.
Coefficients: Taylor series of 2^f with the last two terms adjusted to the interval, and the
odd series of 2·atanh for the logarithm.
"""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.jit import inlined

f4 = np.float32
i4 = np.int32

LOG2_E = f4(1.4426950408889634)
LN_2 = f4(0.6931471805599453)
SMALLEST = f4(-126.0)
"""2^−126 is the smallest normal float32; smaller powers are rounded up to it."""
ROUNDER = f4(1.5 * 2**23)
"""Added to a float32 of moderate size, it leaves no bit for a fraction: the sum is rounded."""
LARGEST = f4(100.0)
"""2^100 leaves room for sums of millions of such numbers."""


@inlined
def exp_negative(v: np.float32) -> np.float32:
    """e^v for v ≤ 0, relative error below 6e-6; never less than 2^−126, about 1e-38."""
    return power_of_two(v * LOG2_E)


@inlined
def power_of_two(v: np.float32) -> np.float32:
    """2^v for v ≤ 0, relative error below 6e-6; never less than 2^−126.

    Not in `summing` kernels, which would take the rounding for a sum that can be left out.
    """
    y = max(v, SMALLEST)
    rounded = y + ROUNDER
    f = y - (rounded - ROUNDER)
    p = f4(0.00961813) + f * f4(0.00133336)
    p = f4(0.05550411) + f * p
    p = f4(0.24022651) + f * p
    p = f4(0.6931472) + f * p
    p = f4(1.0) + f * p
    # The last bits of the rounded number are its whole part, which goes to the exponent.
    return i4(f4(p).view(i4) + (f4(rounded).view(i4) << i4(23))).view(f4)


@inlined
def exp_bounded(v: np.float32) -> np.float32:
    """e^v for any v, relative error below 1e-5; from 2^−126 to 2^100, about 1e30."""
    y = min(max(v * LOG2_E, SMALLEST), LARGEST)
    biased = i4(y + f4(127.5))
    f = y - f4(biased - i4(127))
    p = f4(0.00961813) + f * f4(0.00133336)
    p = f4(0.05550411) + f * p
    p = f4(0.24022651) + f * p
    p = f4(0.6931472) + f * p
    p = f4(1.0) + f * p
    return i4(biased << i4(23)).view(f4) * p


@inlined
def log_positive(v: np.float32) -> np.float32:
    """ln v for a normal v > 0, absolute error below 1e-6 times max(1, |ln v|)."""
    bits = f4(v).view(i4)
    # Halve the interval around √½..√2, where the series converges fastest.
    bits_from_sqrt_half = bits - i4(0x3F3504F3)
    exponent = bits_from_sqrt_half >> i4(23)
    m = i4(bits - (exponent << i4(23))).view(f4)
    s = (m - f4(1.0)) / (m + f4(1.0))
    s2 = s * s
    p = f4(0.22222222) + s2 * f4(0.18181818)
    p = f4(0.28571429) + s2 * p
    p = f4(0.4) + s2 * p
    p = f4(0.66666667) + s2 * p
    return f4(exponent) * LN_2 + s * (f4(2.0) + s2 * p)
