"""Forces of any divergence between all nodes and a block of items.

Letters as in the report: h map kernel, g data kernel, a attraction, b repulsion. Unlike in
`kernels.batch`, a row is an item's: divisors and best matches are sums over the nodes.
"""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.divergence import (
    FARTHEST,
    GAMMA,
    Force,
    divergence_value,
    set_parts,
    total,
)
from ximstudio.kernels.elementary import exp_bounded, log_positive
from ximstudio.kernels.jit import kernel
from ximstudio.kernels.lattice import TINY
from ximstudio.kernels.matching import cross_terms, jensen_shannon, own_terms
from ximstudio.kernels.search import argmin
from ximstudio.model.arrays import Floats, Floats32, Ints

f4 = np.float32


@kernel
def row_winners(scores: Floats32, winners: Ints) -> None:
    """Column of the first smallest score in every row."""
    for b in range(scores.shape[0]):
        winners[b] = argmin(scores[b])


@kernel
def log_data_kernels(scores: Floats32, squares: Floats32, steepness: Floats32) -> None:
    """ln g = −c d_E in place of the scores, which are d_E − |x|²."""
    for b in range(scores.shape[0]):
        row, c = scores[b], -steepness[b]
        for j in range(row.size):
            row[j] = max(min((row[j] + squares[b]) * c, f4(0.0)), FARTHEST)


@kernel
def force_parts(
    force: Force,
    log_h: Floats32,
    winners: Ints,
    scale: Floats32,
    log_g: Floats32,
    a: Floats32,
    b: Floats32,
) -> None:
    """a and b of all nodes for every item, times `scale` of its winner."""
    for i in range(winners.size):
        winner = winners[i]
        set_parts(force, log_h[winner], log_g[i], a[i], b[i])
        for j in range(a.shape[1]):
            a[i, j] *= scale[winner]
            b[i, j] *= scale[winner]


@kernel
def own_sums(force: Force, log_h: Floats32, row: Floats32, own: Floats32) -> None:
    """Part of every node's divergence that depends on h alone, up to an increasing function."""
    for k in range(own.size):
        row[:] = log_h[k]
        own_terms(force, row)
        own[k] = f4(total(row))


@kernel
def powers(p: float, log_h: Floats32, out: Floats32) -> None:
    """h^p."""
    for k in range(log_h.shape[0]):
        for j in range(log_h.shape[1]):
            out[k, j] = exp_bounded(f4(p) * log_h[k, j])


@kernel
def cross_rows(force: Force, log_g: Floats32, u: Floats32, of_data: Floats32) -> None:
    """u_j of every item, and the factor of own_k, as in `kernels.matching`."""
    for i in range(of_data.size):
        of_data[i] = cross_terms(force, log_g[i], u[i])


@kernel
def divergence_winners(
    force: Force, own: Floats32, of_data: Floats32, cross: Floats32, winners: Ints
) -> None:
    """Node of the least divergence (TR 10) for every item; `cross` is Σ_j h_kj^p u_j."""
    share = f4(1.0 / (force.order + 1.0))
    for i in range(winners.size):
        row = cross[i]
        for k in range(row.size):
            if force.family == GAMMA:
                row[k] = share * log_positive(max(own[k], TINY)) - log_positive(max(row[k], TINY))
            else:
                row[k] += of_data[i] * own[k]
        winners[i] = argmin(row)


@kernel
def jensen_shannon_winners(log_h: Floats32, log_g: Floats32, row: Floats32, winners: Ints) -> None:
    """Node of the least Jensen–Shannon divergence for every item, from all M² terms."""
    for i in range(winners.size):
        for k in range(row.size):
            row[k] = f4(jensen_shannon(log_h[k], log_g[i]))
        winners[i] = argmin(row)


@kernel
def divergence_values(
    force: Force, log_h: Floats32, winners: Ints, log_g: Floats32, every: int, values: Floats
) -> None:
    """Div(h‖g) of every so many items, the first among them."""
    for i in range(0, winners.size, every):
        values[i // every] = divergence_value(force, log_h[winners[i]], log_g[i])
