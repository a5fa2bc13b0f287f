"""Online training by any divergence: the steps of `online`, with other forces and winners.

A separate module, because few need it and it takes as long to compile as all the rest. Letters as
there; a and b are the attractive and the repulsive part of the force (TR 11, TR 12).
"""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.divergence import (
    FARTHEST,
    ITS_SUM,
    Force,
    divergence_value,
    set_parts,
)
from ximstudio.kernels.elementary import exp_bounded
from ximstudio.kernels.jit import kernel, summing
from ximstudio.kernels.lattice import LOGARITHM, Nodes, map_distances, map_kernel
from ximstudio.kernels.matching import divergence_scores
from ximstudio.kernels.online import (
    COST_EVERY,
    DIVERGENCE,
    STEEPEST,
    WEIGHTED,
    OnlineItems,
    OnlineRule,
    OnlineScratch,
    begin,
    finish,
    moment,
)
from ximstudio.kernels.online import best_match as plain_best_match
from ximstudio.kernels.search import argmin
from ximstudio.model.arrays import Floats, Floats32, Ints

f4 = np.float32


@kernel
def set_log_g(d_E: Floats32, per_distance: float, log_g: Floats32) -> None:
    """ln g_j = −d_E/2γ²."""
    c = f4(-per_distance)
    for j in range(log_g.size):
        log_g[j] = max(d_E[j] * c, FARTHEST)


@kernel
def best_match(
    rule: OnlineRule, nodes: Nodes, sigma: float, gamma: float, weight: float, work: OnlineScratch
) -> int:
    """The winner: as in `online`, or the node that diverges least from the item (TR 10)."""
    if rule.best_match != DIVERGENCE:
        return plain_best_match(rule, nodes, sigma, gamma, weight, work)
    log_g = work.gain[: work.d_O.size]
    set_log_g(work.d_E, min(0.5 * weight / (gamma * gamma), STEEPEST), log_g)
    divergence_scores(
        rule.force,
        nodes,
        rule.map_kernel,
        sigma,
        rule.length_scale,
        log_g,
        work.table,
        work.row,
        work.d_O,
        work.h,
        work.own,
        work.score,
    )
    return argmin(work.score)


@summing
def total_h(log_h: Floats32) -> float:
    """Σ_j h_j."""
    found = 0.0
    for j in range(log_h.size):
        found += float(exp_bounded(log_h[j]))
    return found


@kernel
def set_bounded_gains(
    force: Force,
    attract: float,
    repel: float,
    log_h: Floats32,
    log_g: Floats32,
    work: OnlineScratch,
) -> None:
    """gain_j = attract·a_j − repel·b_j of any divergence, from −1 to 1; d_E is cleared.

    Bounded, for a = h/g has no bound: at 1 a prototype lies on the item, beyond it would jump past;
    at −1 it is twice as far away as before.
    """
    n_nodes = log_h.size
    a, b = work.gain[:n_nodes], work.own
    set_parts(force, log_h, log_g, a, b)
    p, q = f4(attract), f4(repel)
    for j in range(n_nodes):
        a[j] = min(max(p * a[j] - q * b[j], f4(-1.0)), f4(1.0))
        work.d_E[j] = f4(0.0)


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
    """`online.train_steps` with the force of `rule`; the cost is the value of its divergence."""
    stretches = tallies.shape[1]
    cost_every = max(1, min(COST_EVERY, n_steps // stretches))
    code = rule.map_kernel + LOGARITHM
    log_h, log_g = work.h, work.score
    begin(items, prototypes, order[0], work)
    for t in range(order.size):
        step = first + t
        now = moment(items, rule, order[t], step / n_steps)
        winner = best_match(rule, nodes, now.sigma, now.gamma, now.weight, work)
        map_distances(nodes, winner, work.d_O)
        # The scores are no longer needed and make room for ln g.
        map_kernel(code, now.sigma, rule.length_scale, work.d_O, log_h)
        set_log_g(work.d_E, now.per_distance, log_g)

        stretch = min(step * stretches // n_steps, stretches - 1)
        tallies[0, stretch] += np.sqrt(now.weight * work.d_E[winner])
        if step % cost_every == 0:
            tallies[1, stretch] += divergence_value(rule.force, log_h, log_g)
            tallies[2, stretch] += 1.0

        scale = 1.0
        if rule.learning == WEIGHTED and rule.force.divisor == ITS_SUM:
            # Shares of 1 among all nodes would hardly move any: scaled so that a sums up to Σ h, as
            # in KL.
            scale = total_h(log_h)
        set_bounded_gains(rule.force, scale * now.attract, scale * now.repel, log_h, log_g, work)
        finish(items, prototypes, rule, order[t], order[min(t + 1, order.size - 1)], work)
