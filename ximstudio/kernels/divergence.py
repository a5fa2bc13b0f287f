"""Forces of a divergence Div(h‖g): attraction and repulsion of every prototype by one item.

Letters as in the report: h map kernel, g data kernel, f_j = −g_j ∂Div/∂g_j the force on prototype
j (TR 11–12), here as f = a − b with an attractive part a ≥ 0 and a repulsive part b ≥ 0. All is
computed from ln h and ln g = −d_E/2γ²: g underflows for far prototypes, and h for a Gaussian.

Every divergence but one has a = c·h^p·g^q and b = c·g^r, up to one divisor per item. That of Jensen
and Shannon has a = ½ g ln(1 + h/g) and b = ½ g ln 2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ximstudio.kernels.elementary import LN_2, exp_bounded
from ximstudio.kernels.jit import inlined, kernel, summing
from ximstudio.model.arrays import Floats32

f4 = np.float32

KULLBACK_LEIBLER, BETA, ALPHA, GAMMA, JENSEN_SHANNON = 0, 1, 2, 3, 4
"""Codes of the families of values."""
NOTHING, ITS_SUM, ONE_PLUS_S = 0, 1, 2
"""Codes of divisors of the parts of an item.

ITS_SUM: a by Σ_j a_j and b by Σ_j b_j. ONE_PLUS_S: both by 1 + S with
S = Σ_j h^α g^(1−α) − α h + (α−1) g, which is not negative for α ≥ 1.
"""


FARTHEST = f4(-1e20)
"""Lower bound of ln g, so that differences of such numbers stay finite."""


class Force(NamedTuple):
    """A divergence as kernels see it: a = factor·h^p·g^q, b = factor·g^r, and its divisor."""

    family: int
    order: float
    p: float
    q: float
    r: float
    factor: float
    divisor: int


KL = Force(KULLBACK_LEIBLER, 1.0, 1.0, 0.0, 1.0, 1.0, NOTHING)
"""Generalised Kullback–Leibler, a = h and b = g: the report's own (TR 9, TR 13)."""


@inlined
def softplus(u: np.float32) -> np.float32:
    """ln(1 + e^u), relative error below 2e-5: neither large nor tiny exponentials are lost."""
    y = exp_bounded(-abs(u))
    # ln(1 + y) = 2·atanh(y/(2 + y)) by its series.
    s = y / (f4(2.0) + y)
    s2 = s * s
    t = f4(0.18181818) + s2 * f4(0.15384615)
    t = f4(0.22222222) + s2 * t
    t = f4(0.28571429) + s2 * t
    t = f4(0.4) + s2 * t
    t = f4(0.66666667) + s2 * t
    return max(u, f4(0.0)) + s * (f4(2.0) + s2 * t)


@inlined
def growth(log_h: np.float32, s: np.float32, u: np.float32) -> np.float32:
    """h·E(s, u) with E = (e^(su) − 1)/s, which is u at s = 0; relative error below 5e-5."""
    h, v = exp_bounded(log_h), s * u
    # e^v − 1 by its series where the difference would cancel.
    t = f4(1.0) + v * f4(1.0 / 6.0)
    t = f4(1.0) + v * f4(0.2) * t
    t = f4(1.0) + v * f4(0.25) * t
    t = f4(1.0) + v * f4(1.0 / 3.0) * t
    t = f4(1.0) + v * f4(0.5) * t
    if abs(v) < f4(0.5):
        return h * u * t
    return (exp_bounded(log_h + v) - h) / s


@inlined
def attraction(force: Force, log_h: np.float32, log_g: np.float32) -> np.float32:
    """a of one node, before it is divided."""
    if force.family == JENSEN_SHANNON:
        return f4(0.5) * exp_bounded(log_g) * softplus(log_h - log_g)
    return f4(force.factor) * exp_bounded(f4(force.p) * log_h + f4(force.q) * log_g)


@inlined
def repulsion(force: Force, log_g: np.float32) -> np.float32:
    """b of one node, before it is divided."""
    if force.family == JENSEN_SHANNON:
        return f4(0.5) * LN_2 * exp_bounded(log_g)
    return f4(force.factor) * exp_bounded(f4(force.r) * log_g)


@kernel
def set_parts(force: Force, log_h: Floats32, log_g: Floats32, a: Floats32, b: Floats32) -> None:
    """Set the parts a and b of all nodes for one item, divided as the divergence requires."""
    if force.divisor == ITS_SUM:
        shares(f4(force.p), log_h, f4(force.q), log_g, a)
        shares(f4(0.0), log_h, f4(force.r), log_g, b)
    elif force.divisor == ONE_PLUS_S:
        over_one_plus_s(f4(force.order), log_h, log_g, a, b)
    else:
        for j in range(a.size):
            a[j] = attraction(force, log_h[j], log_g[j])
            b[j] = repulsion(force, log_g[j])


@summing
def total(values: Floats32) -> float:
    """Return the sum of all values, in double precision."""
    found = 0.0
    for j in range(values.size):
        found += values[j]
    return found


@kernel
def shares(p: np.float32, log_h: Floats32, q: np.float32, log_g: Floats32, out: Floats32) -> None:
    """out_j = h^p g^q / Σ_j h^p g^q, relative to the largest so that not all of them underflow."""
    largest = f4(-3e38)
    for j in range(out.size):
        out[j] = p * log_h[j] + q * log_g[j]
        largest = max(largest, out[j])
    for j in range(out.size):
        out[j] = exp_bounded(out[j] - largest)
    scale = f4(1.0 / total(out))
    for j in range(out.size):
        out[j] *= scale


@kernel
def over_one_plus_s(
    alpha: np.float32, log_h: Floats32, log_g: Floats32, a: Floats32, b: Floats32
) -> None:
    """a = h^α g^(1−α)/(1 + S), b = g/(1 + S); both sides of the bar times e^(−largest exponent)."""
    largest = f4(0.0)
    for j in range(a.size):
        a[j] = alpha * log_h[j] + (f4(1.0) - alpha) * log_g[j]
        largest = max(largest, a[j])
    for j in range(a.size):
        a[j] = exp_bounded(a[j] - largest)
        b[j] = (alpha - f4(1.0)) * exp_bounded(log_g[j]) - alpha * exp_bounded(log_h[j])
    one = float(exp_bounded(-largest))
    # S ≥ 0 but for rounding.
    scale = f4(1.0 / max(one + total(a) + one * total(b), one))
    for j in range(a.size):
        a[j] *= scale
        b[j] = scale * f4(one) * exp_bounded(log_g[j])


# The value ----------------------------------------------------------------------------------------

STEEPEST = 230.0
"""Exponents of a value are bounded by this: its terms are at most 1e100."""


@kernel
def h_times_growth(log_h: float, s: float, u: float) -> float:
    """h·E(s, u) in double precision, also where h underflows and e^(su) overflows."""
    if s == 0.0:
        return float(np.exp(log_h) * u)
    if abs(s * u) < 1.0:
        return float(np.exp(log_h) * np.expm1(s * u) / s)
    return float((np.exp(min(log_h + s * u, STEEPEST)) - np.exp(log_h)) / s)


@kernel
def log_total(p: float, log_h: Floats32, q: float, log_g: Floats32) -> float:
    """ln Σ_j h^p g^q."""
    largest = p * log_h[0] + q * log_g[0]
    for j in range(log_h.size):
        largest = max(largest, p * log_h[j] + q * log_g[j])
    found = 0.0
    for j in range(log_h.size):
        found += np.exp(p * log_h[j] + q * log_g[j] - largest)
    return float(np.log(found) + largest)


@kernel
def divergence_value(force: Force, log_h: Floats32, log_g: Floats32) -> float:
    """Div(h‖g) of one item, in double precision: nearly equal neighbourhoods nearly cancel."""
    s = force.order
    if force.family == GAMMA:
        of_h = log_total(s + 1.0, log_h, 0.0, log_g) / (s * (s + 1.0))
        of_g = log_total(0.0, log_h, s + 1.0, log_g) / (s + 1.0)
        return of_h + of_g - log_total(1.0, log_h, s, log_g) / s
    found = 0.0
    for j in range(log_h.size):
        lh, lg = np.float64(log_h[j]), np.float64(log_g[j])
        h, g = np.exp(lh), np.exp(lg)
        if force.family == BETA:
            found += h_times_growth(lh, s - 1.0, lh) - h_times_growth(lh, s - 1.0, lg)
            found += h_times_growth(0.0, s, lg) - h_times_growth(0.0, s, lh)
        elif force.family == JENSEN_SHANNON:
            # h ln(2h/(h+g)) + g ln(2g/(h+g)), from the ratio of the smaller to the larger.
            near = np.log1p(np.exp(-abs(lh - lg)))
            more = abs(lh - lg)
            found += 0.5 * (h + g) * (np.log(2.0) - near) - 0.5 * min(h, g) * more
        else:
            found += h_times_growth(lh, s - 1.0, lh - lg) - h + g
    if force.divisor == ONE_PLUS_S:
        return float(np.log1p(max((s - 1.0) * found, 0.0)) / (s - 1.0))
    return found if force.family == JENSEN_SHANNON else force.factor * found
