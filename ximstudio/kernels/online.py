"""Online training: one item at a time, prototypes read and written once per step.

Letters as in the report: x item, w_j prototype, d_E squared data distance, g data kernel,
h map kernel, ε step size, σ width, γ reach, η repulsion, f force. Prototypes are stored feature
by feature (D × M), so that every inner loop runs over the nodes and vectorises; while a prototype
is moved for the present item, its distance to the next one is taken in the same pass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ximstudio.kernels.divergence import KL, Force
from ximstudio.kernels.elementary import exp_bounded, exp_negative, log_positive
from ximstudio.kernels.jit import kernel, summing
from ximstudio.kernels.lattice import (
    TINY,
    Nodes,
    map_distances,
    map_kernel,
    offset_kernel,
    self_terms,
    smooth,
    smooth_anywhere,
)
from ximstudio.kernels.search import argmin
from ximstudio.model.arrays import Floats, Floats32, Ints, frozen

f4 = np.float32

EXPONENTIAL, LINEAR, CONSTANT = 0, 1, 2
"""Codes of the annealings."""
DISTANCE, HESKES, DIVERGENCE = 0, 1, 2
"""Codes of the best-match rules."""
WEIGHTED, GRADIENT = 0, 1
"""Codes of the learning rules."""

COST_EVERY = 16
"""The cost is taken at every 16th step of a long training: it needs a logarithm per node."""

FEATURES_AT_ONCE = 4
STEEPEST = 1e30


ONE_FOR_ALL: Floats32 = np.empty((0, 0), dtype=np.float32)


class OnlineItems(NamedTuple):
    """Items as kernels see them, features padded to a multiple of FEATURES_AT_ONCE.

    A blank is 0 in `values` and 0 in `observed`; `weights` is the number of features over the
    number observed, so that distances of items with and without blanks compare. Without any
    blank `observed` is empty. `reaches` is the reach of every item at equally spaced points of
    training, (N, points) in training units, or empty if one is for all.
    """

    values: Floats32
    observed: Floats32
    weights: Floats32
    reaches: Floats32 = ONE_FOR_ALL


NONE: Ints = frozen(np.empty(0, dtype=np.int64))


class OnlineRule(NamedTuple):
    """Rules of a training step: codes, and annealed (start, end) values.

    `reach` is in training units and `unit` is the length of one of them in data units: the
    literal rule (TR 17) divides by γ² in data units. Prototypes of `pinned` nodes do not move.
    """

    map_kernel: int
    best_match: int
    learning: int
    annealing: int
    step: tuple[float, float]
    width: tuple[float, float]
    reach: tuple[float, float]
    repulsion: float
    length_scale: float
    unit: float
    force: Force = KL
    pinned: Ints = NONE


class OnlineScratch(NamedTuple):
    """Scratch arrays, allocated once: one entry per node, or per offset between nodes."""

    d_E: Floats32
    d_O: Floats32
    h: Floats32
    gain: Floats32
    score: Floats32
    own: Floats32
    table: Floats32
    row: Floats32
    running: Floats


@kernel
def annealed(code: int, values: tuple[float, float], fraction: float) -> float:
    """κ(t) = κ(t₁) (κ(t_max)/κ(t₁))^(t/t_max) (TR 25), or a straight line, or the start value."""
    start, end = values
    if code == EXPONENTIAL:
        return float(start * (end / start) ** fraction)
    if code == LINEAR:
        return start + (end - start) * fraction
    return start


@kernel
def reach_of(items: OnlineItems, rule: OnlineRule, item: int, fraction: float) -> float:
    """γ at some fraction of training: annealed for all (TR 25), or the item's own."""
    points = items.reaches.shape[1]
    if points == 0:
        return annealed(rule.annealing, rule.reach, fraction)
    before = min(int(fraction * (points - 1)), points - 2)
    share = fraction * (points - 1) - before
    near, far = items.reaches[item, before], items.reaches[item, before + 1]
    return float(near * (1.0 - share) + far * share)


@kernel
def move_and_measure(
    prototypes: Floats32, gain: Floats32, x: Floats32, following: Floats32, d_E: Floats32
) -> None:
    """w_j += gain_j (x − w_j) for all nodes, and d_E += |following − w_j|² in the same pass."""
    for k in range(0, prototypes.shape[0], 4):
        x0, x1, x2, x3 = x[k], x[k + 1], x[k + 2], x[k + 3]
        y0, y1, y2, y3 = following[k], following[k + 1], following[k + 2], following[k + 3]
        w = prototypes[k : k + 4]
        for j in range(prototypes.shape[1]):
            a = gain[j]
            w0, w1, w2, w3 = w[0, j], w[1, j], w[2, j], w[3, j]
            w0 += a * (x0 - w0)
            w1 += a * (x1 - w1)
            w2 += a * (x2 - w2)
            w3 += a * (x3 - w3)
            w[0, j], w[1, j], w[2, j], w[3, j] = w0, w1, w2, w3
            v0, v1, v2, v3 = y0 - w0, y1 - w1, y2 - w2, y3 - w3
            d_E[j] += (v0 * v0 + v1 * v1) + (v2 * v2 + v3 * v3)


@kernel
def move_and_measure_observed(
    prototypes: Floats32,
    gain: Floats32,
    x: Floats32,
    seen: Floats32,
    following: Floats32,
    following_seen: Floats32,
    d_E: Floats32,
) -> None:
    """`move_and_measure` on the observed features only: blanks neither move nor measure."""
    for k in range(0, prototypes.shape[0], 4):
        x0, x1, x2, x3 = x[k], x[k + 1], x[k + 2], x[k + 3]
        s0, s1, s2, s3 = seen[k], seen[k + 1], seen[k + 2], seen[k + 3]
        y0, y1, y2, y3 = following[k], following[k + 1], following[k + 2], following[k + 3]
        z0, z1, z2, z3 = (
            following_seen[k],
            following_seen[k + 1],
            following_seen[k + 2],
            following_seen[k + 3],
        )
        w = prototypes[k : k + 4]
        if s0 * s1 * s2 * s3 * z0 * z1 * z2 * z3 == f4(1.0):
            # Blanks are rare: most groups of features take the short way, to the same bits.
            move_and_measure(w, gain, x[k : k + 4], following[k : k + 4], d_E)
            continue
        for j in range(prototypes.shape[1]):
            a = gain[j]
            w0, w1, w2, w3 = w[0, j], w[1, j], w[2, j], w[3, j]
            w0 += (a * s0) * (x0 - w0)
            w1 += (a * s1) * (x1 - w1)
            w2 += (a * s2) * (x2 - w2)
            w3 += (a * s3) * (x3 - w3)
            w[0, j], w[1, j], w[2, j], w[3, j] = w0, w1, w2, w3
            v0, v1, v2, v3 = z0 * (y0 - w0), z1 * (y1 - w1), z2 * (y2 - w2), z3 * (y3 - w3)
            d_E[j] += (v0 * v0 + v1 * v1) + (v2 * v2 + v3 * v3)


@kernel
def sweep(
    items: OnlineItems, prototypes: Floats32, item: int, following: int, work: OnlineScratch
) -> None:
    """Move all prototypes for `item` and measure their distances to `following`."""
    if items.observed.size:
        move_and_measure_observed(
            prototypes,
            work.gain,
            items.values[item],
            items.observed[item],
            items.values[following],
            items.observed[following],
            work.d_E,
        )
    else:
        move_and_measure(
            prototypes, work.gain, items.values[item], items.values[following], work.d_E
        )


@kernel
def best_match(
    rule: OnlineRule, nodes: Nodes, sigma: float, reach: float, weight: float, work: OnlineScratch
) -> int:
    """The winner: nearest prototype (TR 2), least local error (TR 6), least divergence (TR 10)."""
    n_nodes = work.d_O.size
    if rule.best_match == DISTANCE:
        return argmin(work.d_E[:n_nodes])
    kernel_code, scale = rule.map_kernel, rule.length_scale
    divergence = rule.best_match == DIVERGENCE
    if nodes.by_offset:
        offset_kernel(nodes, kernel_code, sigma, scale, work.table, work.row)
        smooth(nodes, work.table, work.d_E, work.score)
        if divergence:
            self_terms(nodes, work.table, work.running, work.own)
    else:
        own = work.own if divergence else work.own[:0]
        smooth_anywhere(
            nodes, kernel_code, sigma, scale, work.d_E, work.score, own, work.d_O, work.h
        )
    if divergence:
        # TR 10 with ln g_j = −d_E/2γ²: c_k + (1/2γ²) Σ_j h_kj d_E(x, w_j), up to a constant.
        c = f4(0.5 * weight / (reach * reach))
        for k in range(n_nodes):
            work.score[k] = work.own[k] + c * work.score[k]
    return argmin(work.score)


@summing
def divergence_cost(h: Floats32, d_E: Floats32, per_distance: np.float32) -> float:
    """Generalised Kullback–Leibler divergence Σ_j h ln(h/g) − h + g of one item (TR 9)."""
    total = 0.0
    for j in range(h.size):
        v = d_E[j] * per_distance
        log_h = log_positive(max(h[j], TINY))
        total += h[j] * (log_h + v - f4(1.0)) + exp_bounded(-v)
    return total


@summing
def local_error(h: Floats32, d_E: Floats32) -> float:
    """Heskes' energy ½ Σ_j h_j d_E(x, w_j) of one item: the cost where nothing repels."""
    total = 0.0
    for j in range(h.size):
        total += h[j] * d_E[j]
    return 0.5 * total


@kernel
def set_gains(
    h: Floats32, attract: float, repel: float, per_distance: float, d_E: Floats32, gain: Floats32
) -> None:
    """gain_j = attract·h_j − repel·g_j with g_j = exp(−d_E/2γ²) (TR 17, TR 24); d_E is cleared."""
    a = f4(attract)
    b = f4(repel)
    if repel == 0.0:
        for j in range(h.size):
            gain[j] = a * h[j]
            d_E[j] = f4(0.0)
        return
    c = f4(-per_distance)
    for j in range(h.size):
        gain[j] = a * h[j] - b * exp_negative(d_E[j] * c)
        d_E[j] = f4(0.0)


class OnlineMoment(NamedTuple):
    """Values of one step: annealed values, factor of distances, and gains of h and g."""

    sigma: float
    gamma: float
    weight: float
    per_distance: float
    attract: float
    repel: float


@kernel
def moment(items: OnlineItems, rule: OnlineRule, item: int, fraction: float) -> OnlineMoment:
    """Return the values of a step for an item at this fraction of training."""
    epsilon = annealed(rule.annealing, rule.step, fraction)
    sigma = annealed(rule.annealing, rule.width, fraction)
    gamma = reach_of(items, rule, item, fraction)
    weight = float(items.weights[item])
    # Bounded, so that a distance of 0 stays 0 in single precision even with a very short reach.
    per_distance = min(0.5 * weight / (gamma * gamma), STEEPEST)
    if rule.learning == GRADIENT:
        attract = epsilon / (gamma * rule.unit) ** 2
        repel = attract
    else:
        attract = epsilon * (1.0 - rule.repulsion)
        repel = epsilon * rule.repulsion
    return OnlineMoment(sigma, gamma, weight, per_distance, attract, repel)


@kernel
def begin(items: OnlineItems, prototypes: Floats32, item: int, work: OnlineScratch) -> None:
    """Measure the distances to the first item, by a sweep that moves nothing.

    The same bits as carrying them over from the step before.
    """
    work.gain[:] = f4(0.0)
    work.d_E[:] = f4(0.0)
    sweep(items, prototypes, item, item, work)


@kernel
def finish(
    items: OnlineItems,
    prototypes: Floats32,
    rule: OnlineRule,
    item: int,
    following: int,
    work: OnlineScratch,
) -> None:
    """Move all prototypes by their gains, except the pinned ones, and measure the next item."""
    for i in range(rule.pinned.size):
        work.gain[rule.pinned[i]] = f4(0.0)
    work.d_E[work.d_O.size :] = f4(0.0)
    sweep(items, prototypes, item, following, work)


@kernel
def train_steps(
    items: OnlineItems,
    prototypes: Floats32,
    nodes: Nodes,
    rule: OnlineRule,
    order: Ints,
    first: int,
    n_steps: int,
    tallies: Floats,
    work: OnlineScratch,
) -> None:
    """Present the items in `order` as steps first, first + 1, … of n_steps; moves `prototypes`.

    `tallies` gathers, per stretch of training, the sum of quantisation errors, the sum of costs
    and the number of costs.
    """
    stretches = tallies.shape[1]
    cost_every = max(1, min(COST_EVERY, n_steps // stretches))
    begin(items, prototypes, order[0], work)
    for t in range(order.size):
        step = first + t
        now = moment(items, rule, order[t], step / n_steps)
        winner = best_match(rule, nodes, now.sigma, now.gamma, now.weight, work)
        map_distances(nodes, winner, work.d_O)
        map_kernel(rule.map_kernel, now.sigma, rule.length_scale, work.d_O, work.h)

        stretch = min(step * stretches // n_steps, stretches - 1)
        tallies[0, stretch] += np.sqrt(now.weight * work.d_E[winner])
        if step % cost_every == 0:
            if now.repel > 0.0:
                tallies[1, stretch] += divergence_cost(work.h, work.d_E, f4(now.per_distance))
            else:
                tallies[1, stretch] += now.weight * local_error(work.h, work.d_E)
            tallies[2, stretch] += 1.0

        set_gains(work.h, now.attract, now.repel, now.per_distance, work.d_E, work.gain)
        finish(items, prototypes, rule, order[t], order[min(t + 1, order.size - 1)], work)
