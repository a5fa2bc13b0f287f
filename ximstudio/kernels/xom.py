"""XOM: one position in the map per item, drawn to points of the map by likeness in the data.

Letters as in the report, with its two spaces exchanged: v the point drawn from the structure
hypothesis (TR section 2), w_i the position of item i, * the winner, d_O = |v − w_i|² in the map,
d_E = |x_* − x_i|² in the data, h = exp(−d_E/2σ²) attraction, g repulsion in the map, f force, ε
step size, γ reach (annealed by TR 25), η repulsion (TR 24). Where XIM moves prototypes through the
data, XOM moves items through the map. Lengths of the map are in sides of its square.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ximstudio.kernels.elementary import exp_bounded, exp_negative, log_positive
from ximstudio.kernels.jit import kernel, summing
from ximstudio.kernels.online import annealed
from ximstudio.kernels.search import argmin
from ximstudio.model.arrays import Floats, Floats32

f4 = np.float32

NONE, GAUSSIAN, STUDENT, CAUCHY = 0, 1, 2, 3
"""Codes of the map kernel g."""

COST_EVERY = 16
"""The cost is taken at every 16th step of a long training: it needs a logarithm per item."""
STEEPEST = 1e30
CACHED = 2**16
"""Values of items that the cache of a core holds while they are read again and again."""
APART = f4(1e30)
"""Squared distance of items without a common known feature: they do not attract."""


class XomItems(NamedTuple):
    """Items feature by feature, so that the loops run over items: shape (D, N).

    A blank is 0 in `values` and 0 in `observed`, which is empty if nothing is blank. `table` holds
    all squared distances, or nothing if they are too many: then rows are computed when asked for.
    """

    values: Floats32
    observed: Floats32
    table: Floats32


class XomRule(NamedTuple):
    """Rules of a training step: codes, and annealed (start, end) values.

    `width` is in training units of the data, `reach` in sides of the map.
    """

    map_kernel: int
    annealing: int
    step: tuple[float, float]
    width: tuple[float, float]
    reach: tuple[float, float]
    repulsion: float


class XomScratch(NamedTuple):
    """Scratch arrays, one entry per item, allocated once."""

    d_O: Floats32
    d_E: Floats32
    h: Floats32
    log_g: Floats32


@kernel
def add_features(
    items: XomItems, first: int, last: int, item: int, d_E: Floats32, known: Floats32
) -> None:
    """Add the features first … last − 1 to the squared distances of all items from one.

    Where there are blanks, only features known of both count; `known` is their number.
    """
    values, observed = items.values, items.observed
    if observed.size:
        for k in range(first, last):
            if observed[k, item] != f4(0.0):
                row, seen, x = values[k], observed[k], values[k, item]
                for i in range(d_E.size):
                    v = seen[i] * (row[i] - x)
                    d_E[i] += v * v
                    known[i] += seen[i]
        return
    k = first
    # Four features per pass: sums are read and written a quarter as often, in the same order.
    while k + 4 <= last:
        a, b, c, e = values[k], values[k + 1], values[k + 2], values[k + 3]
        x, y, z, u = a[item], b[item], c[item], e[item]
        for i in range(d_E.size):
            d = d_E[i]
            v = a[i] - x
            d += v * v
            v = b[i] - y
            d += v * v
            v = c[i] - z
            d += v * v
            v = e[i] - u
            d_E[i] = d + v * v
        k += 4
    while k < last:
        row, x = values[k], values[k, item]
        for i in range(d_E.size):
            v = row[i] - x
            d_E[i] += v * v
        k += 1


@kernel
def scale_up(n_features: int, d_E: Floats32, known: Floats32) -> None:
    """d_E · D/n, as if the blanks were like the n features that are known of both."""
    for i in range(known.size):
        d_E[i] = d_E[i] * (f4(n_features) / known[i]) if known[i] > f4(0.0) else APART


@kernel
def data_distances(items: XomItems, item: int, d_E: Floats32) -> None:
    """Squared distances of all items from one, on the features known of both and scaled by D/n."""
    n_features = items.values.shape[0]
    d_E[:] = f4(0.0)
    known = np.zeros(items.observed.shape[1], dtype=np.float32)
    add_features(items, 0, n_features, item, d_E, known)
    scale_up(n_features, d_E, known)


@kernel
def distance_rows(items: XomItems, begin: int, table: Floats32) -> None:
    """Fill the rows of a table of distances that belong to the items begin, begin + 1, …

    A few features at a time for all these rows, so that they are read from the cache. The order in
    which features are added is that of `data_distances`: the same bits.
    """
    n_features, n_items = items.values.shape
    at_once = max(1, CACHED // n_items)
    table[:] = f4(0.0)
    known = np.zeros((table.shape[0], items.observed.shape[1]), dtype=np.float32)
    for first in range(0, n_features, at_once):
        last = min(first + at_once, n_features)
        for row in range(table.shape[0]):
            add_features(items, first, last, begin + row, table[row], known[row])
    for row in range(table.shape[0]):
        scale_up(n_features, table[row], known[row])


@kernel
def map_distances(positions: Floats32, v: Floats32, d_O: Floats32) -> None:
    """d_O[i] = |v − w_i|²."""
    x, y = positions[0], positions[1]
    for i in range(d_O.size):
        a = v[0] - x[i]
        b = v[1] - y[i]
        d_O[i] = a * a + b * b


@kernel
def log_map_kernel(code: int, gamma: float, d_O: Floats32, log_g: Floats32) -> None:
    """ln g: −d/2γ² (Gaussian), −(γ+1)/2 · ln(1 + d/γ) (Student) or −ln(1 + d/γ²) (Cauchy)."""
    if code == GAUSSIAN:
        c = f4(-min(0.5 / (gamma * gamma), STEEPEST))
        for i in range(d_O.size):
            log_g[i] = d_O[i] * c
        return
    c = f4(min(tail_slope(code, gamma), STEEPEST))
    power = f4(-0.5 * (gamma + 1.0) if code == STUDENT else -1.0)
    for i in range(d_O.size):
        log_g[i] = power * log_positive(f4(1.0) + d_O[i] * c)


@kernel
def tail_slope(code: int, gamma: float) -> float:
    """Factor of the map distance in a heavy tail: 1/γ (Student) or 1/γ² (Cauchy)."""
    return 1.0 / gamma if code == STUDENT else 1.0 / (gamma * gamma)


@kernel
def attraction(width: float, d_E: Floats32, h: Floats32) -> None:
    """h[i] = exp(−d_E/2σ²)."""
    c = f4(-min(0.5 / (width * width), STEEPEST))
    for i in range(d_E.size):
        h[i] = exp_negative(d_E[i] * c)


@kernel
def move(
    rule: XomRule, epsilon: float, gamma: float, positions: Floats32, v: Floats32, work: XomScratch
) -> None:
    """w_i += ε f_i (v − w_i) with f = (1−η) h − η g.

    The slope of a heavy tail adds a factor: 1/(1 + d/γ) (Student), 1/(1 + d/γ²) (Cauchy).
    """
    x, y = positions[0], positions[1]
    a = f4(epsilon * (1.0 - rule.repulsion))
    b = f4(epsilon * rule.repulsion)
    if rule.map_kernel == NONE:
        a = f4(epsilon)
        for i in range(work.h.size):
            gain = a * work.h[i]
            x[i] += gain * (v[0] - x[i])
            y[i] += gain * (v[1] - y[i])
        return
    c = f4(0.0)
    if rule.map_kernel != GAUSSIAN:
        c = f4(min(tail_slope(rule.map_kernel, gamma), STEEPEST))
    for i in range(work.h.size):
        force = a * work.h[i] - b * exp_negative(work.log_g[i])
        gain = force / (f4(1.0) + c * work.d_O[i])
        x[i] += gain * (v[0] - x[i])
        y[i] += gain * (v[1] - y[i])


@summing
def divergence(sigma_slope: float, work: XomScratch) -> float:
    """Generalised Kullback–Leibler divergence Σ_i h ln(h/g) − h + g of one drawn point (TR 9)."""
    c = f4(sigma_slope)
    total = 0.0
    for i in range(work.h.size):
        log_h = max(-c * work.d_E[i], f4(-80.0))
        total += work.h[i] * (log_h - work.log_g[i] - f4(1.0)) + exp_bounded(work.log_g[i])
    return total


@summing
def energy(work: XomScratch) -> float:
    """½ Σ_i h_i |v − w_i|² of one drawn point: the cost where nothing repels."""
    total = 0.0
    for i in range(work.h.size):
        total += work.h[i] * work.d_O[i]
    return 0.5 * total


@kernel
def train_steps(
    items: XomItems,
    positions: Floats32,
    points: Floats32,
    rule: XomRule,
    first: int,
    n_steps: int,
    tallies: Floats,
    work: XomScratch,
) -> None:
    """Present the drawn points as steps first, first + 1, … of n_steps; moves `positions` (2, N).

    `tallies` gathers, per stretch of training, the sum of the points' distances from their winners,
    the sum of costs and the number of costs.
    """
    stretches = tallies.shape[1]
    cost_every = max(1, min(COST_EVERY, n_steps // stretches))
    for t in range(points.shape[0]):
        v = points[t]
        fraction = (first + t) / n_steps
        epsilon = annealed(rule.annealing, rule.step, fraction)
        sigma = annealed(rule.annealing, rule.width, fraction)
        gamma = annealed(rule.annealing, rule.reach, fraction)

        map_distances(positions, v, work.d_O)
        winner = argmin(work.d_O)
        if items.table.size:
            work.d_E[:] = items.table[winner]
        else:
            data_distances(items, winner, work.d_E)
        attraction(sigma, work.d_E, work.h)
        if rule.map_kernel != NONE:
            log_map_kernel(rule.map_kernel, gamma, work.d_O, work.log_g)

        stretch = min((first + t) * stretches // n_steps, stretches - 1)
        tallies[0, stretch] += np.sqrt(work.d_O[winner])
        if (first + t) % cost_every == 0:
            if rule.map_kernel != NONE:
                tallies[1, stretch] += divergence(0.5 / (sigma * sigma), work)
            else:
                tallies[1, stretch] += energy(work)
            tallies[2, stretch] += 1.0

        move(rule, epsilon, gamma, positions, v, work)
