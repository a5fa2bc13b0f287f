"""Best match by any divergence: the node k whose neighbourhood h_k differs least from g (TR 10).

Letters as in the report: h map kernel, g data kernel. But for Jensen and Shannon's, every
divergence is own_k + cross_k and a rest without k, or an increasing function of that: own_k is a
sum over h_k alone, and cross_k = Σ_j h_kj^p u_j one smoothing of u_j, a function of g_j. With
E(s, u) = (e^(su) − 1)/s:

- β: own = Σ_j h E(β−1, ln h) − E(β, ln h), p = 1, u = −E(β−1, ln g).
- α, Tsallis, Rényi, Hellinger: own = Σ_j h E(α−1, ln h) − h, p = α, u = −E(1−α, ln g).
- γ, Cauchy–Schwarz: own = ln Σ_j h^(λ+1) / (λ+1), cross = −ln Σ_j h g^λ.
"""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.divergence import (
    ALPHA,
    BETA,
    GAMMA,
    JENSEN_SHANNON,
    Force,
    growth,
    softplus,
    total,
)
from ximstudio.kernels.elementary import LN_2, exp_bounded, log_positive
from ximstudio.kernels.jit import kernel, summing
from ximstudio.kernels.lattice import (
    LOGARITHM,
    TINY,
    Nodes,
    map_distances,
    map_kernel,
    offset_kernel,
    product,
    smooth,
)
from ximstudio.model.arrays import Floats32

f4 = np.float32


@kernel
def divergence_scores(
    force: Force,
    nodes: Nodes,
    map_code: int,
    sigma: float,
    scale: float,
    log_g: Floats32,
    table: Floats32,
    row: Floats32,
    d_O: Floats32,
    h: Floats32,
    own: Floats32,
    score: Floats32,
) -> None:
    """score_k: the divergence of node k from the item, up to what all nodes share.

    `table` and `row` are scratch for the offsets of a lattice, the others one entry per node; nodes
    anywhere take row by row of h instead. `log_g` may be overwritten.
    """
    if force.family == JENSEN_SHANNON:
        jensen_shannon_scores(nodes, map_code, sigma, scale, log_g, d_O, h, score)
        return
    code = map_code + LOGARITHM
    if nodes.by_offset:
        flat = table.reshape(table.size)
        offset_kernel(nodes, code, sigma, scale, table, row)
        own_terms(force, flat)
        h[:] = f4(1.0)
        smooth(nodes, table, h, own)

        offset_kernel(nodes, code, sigma, scale, table, row)
        raise_to(f4(force.p), flat)
        of_data = cross_terms(force, log_g, h)
        smooth(nodes, table, h, score)
    else:
        # In place: ln g itself is not needed again.
        of_data = cross_terms(force, log_g, log_g)
        for k in range(score.size):
            map_distances(nodes, k, d_O)
            map_kernel(code, sigma, scale, d_O, h)
            d_O[:] = h
            own_terms(force, d_O)
            own[k] = f4(total(d_O))
            raise_to(f4(force.p), h)
            score[k] = product(h, log_g)

    if force.family == GAMMA:
        share = f4(1.0 / (force.order + 1.0))
        for k in range(score.size):
            score[k] = share * log_positive(max(own[k], TINY)) - log_positive(max(score[k], TINY))
    else:
        for k in range(score.size):
            score[k] += of_data * own[k]


@kernel
def raise_to(power: np.float32, log_h: Floats32) -> None:
    """Replace ln h by h^power."""
    for i in range(log_h.size):
        log_h[i] = exp_bounded(power * log_h[i])


@kernel
def own_terms(force: Force, table: Floats32) -> None:
    """Replace ln h by its contribution to own_k."""
    s = f4(force.order)
    less, more = s - f4(1.0), s + f4(1.0)
    if force.family == BETA:
        for i in range(table.size):
            log_h = table[i]
            table[i] = growth(log_h, less, log_h) - growth(f4(0.0), s, log_h)
    elif force.family == ALPHA:
        for i in range(table.size):
            table[i] = growth(table[i], less, table[i]) - exp_bounded(table[i])
    else:
        for i in range(table.size):
            table[i] = exp_bounded(more * table[i])


@kernel
def cross_terms(force: Force, log_g: Floats32, u: Floats32) -> np.float32:
    """u of all nodes, over e^(its largest exponent) so that it is neither 0 nor infinite.

    Returns e^(−that exponent): the factor of own_k that makes them comparable.
    """
    if force.family == GAMMA:
        s, largest = f4(force.order), log_g[0]
        for j in range(u.size):
            largest = max(largest, log_g[j])
        for j in range(u.size):
            u[j] = exp_bounded(s * (log_g[j] - largest))
        return f4(1.0)
    s = f4(force.order - 1.0) if force.family == BETA else f4(1.0 - force.order)
    largest = f4(0.0)
    for j in range(u.size):
        largest = max(largest, s * log_g[j])
    for j in range(u.size):
        u[j] = -growth(-largest, s, log_g[j])
    return exp_bounded(-largest)


@kernel
def jensen_shannon_scores(
    nodes: Nodes,
    map_code: int,
    sigma: float,
    scale: float,
    log_g: Floats32,
    d_O: Floats32,
    log_h: Floats32,
    score: Floats32,
) -> None:
    """½ Σ_j h ln(2h/(h+g)) + g ln(2g/(h+g)) of every node k, from all M² terms."""
    for k in range(score.size):
        map_distances(nodes, k, d_O)
        map_kernel(map_code + LOGARITHM, sigma, scale, d_O, log_h)
        score[k] = f4(jensen_shannon(log_h, log_g))


@summing
def jensen_shannon(log_h: Floats32, log_g: Floats32) -> float:
    """The Jensen–Shannon divergence of one item and node."""
    found = f4(0.0)
    for j in range(log_h.size):
        h, g, more = exp_bounded(log_h[j]), exp_bounded(log_g[j]), abs(log_h[j] - log_g[j])
        found += (h + g) * (LN_2 - softplus(-more)) - min(h, g) * more
    return float(f4(0.5) * found)
