"""The reach γ of one item from its distances to others, by neighbours or by perplexity.

g = exp(−d/2γ²) as in the report, d squared distance; β = 1/2γ².
"""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.elementary import exp_bounded
from ximstudio.kernels.jit import kernel, summing
from ximstudio.model.arrays import Floats, Floats32

f4 = np.float32

NEIGHBOURS, PERPLEXITY = 0, 1
"""Codes of the ways to determine a reach."""

FULLEST = 0.9
"""Greatest perplexity over the number of neighbours: with all of them the reach is infinite."""
PRECISE = 1e-5
"""Precision of entropies, in nats."""
NEGLIGIBLE = 25.0
"""Exponent beyond which a neighbour adds nothing to an entropy."""
FLATTEST, STEEPEST = -60.0, 60.0
"""Bounds of ln β; distances are about 1."""
ROUNDS = 100


@kernel
def neighbour_reach(squares: Floats32, counts: Floats, reaches: Floats32) -> None:
    """γ: distance to the k-th neighbour for every count k, between two of them where k is broken.

    `squares` are the squared distances in rising order; counts lie from 1 to their number.
    """
    for c in range(counts.size):
        below = int(counts[c]) - 1
        above = min(below + 1, squares.size - 1)
        share = counts[c] - int(counts[c])
        near, far = np.sqrt(squares[below]), np.sqrt(squares[above])
        reaches[c] = f4(near + share * (far - near))


@summing
def moments(squares: Floats32, n: int, beta: np.float32) -> tuple[float, float, float]:
    """Σ e^(−βd), Σ d e^(−βd) and Σ d² e^(−βd) over the first n, d counted from the smallest."""
    total, first, second = f4(0.0), f4(0.0), f4(0.0)
    for j in range(n):
        d = squares[j] - squares[0]
        weight = exp_bounded(-beta * d)
        total += weight
        first += weight * d
        second += weight * d * d
    return float(total), float(first), float(second)


@kernel
def perplexity_reach(squares: Floats32, counts: Floats, reaches: Floats32) -> None:
    """γ: where e^entropy of the shares e^(−βd)/Σ e^(−βd) is the count, for every count.

    Newton's steps in ln β, replaced by bisection where they leave the interval of the solution.
    `squares` as above.
    """
    s = 0.0
    for c in range(counts.size):
        wanted = np.log(counts[c])
        low, high = FLATTEST, STEEPEST
        for _ in range(ROUNDS):
            beta = np.exp(s)
            n = int(np.searchsorted(squares, f4(squares[0] + NEGLIGIBLE / beta)))
            total, first, second = moments(squares, max(n, 1), f4(beta))
            mean = first / total
            entropy = np.log(total) + beta * mean
            slope = -beta * beta * max(second / total - mean * mean, 0.0)
            if abs(entropy - wanted) < PRECISE:
                break
            if entropy > wanted:
                low = s
            else:
                high = s
            step = (wanted - entropy) / slope if slope < -1e-12 else np.inf
            s = s + step if low < s + step < high else 0.5 * (low + high)
        reaches[c] = f4(np.sqrt(0.5 / np.exp(s)))


@kernel
def reaches_of(code: int, squares: Floats32, counts: Floats, reaches: Floats32) -> None:
    """γ of several items, one per row of `squares`; unknown distances are infinite and come last.

    Counts beyond the neighbours there are mean all of them; an item that has none gets 1.
    """
    within = np.empty_like(counts)
    for i in range(squares.shape[0]):
        known = np.searchsorted(squares[i], f4(np.inf))
        if known == 0:
            reaches[i] = f4(1.0)
            continue
        most = known if code == NEIGHBOURS else max(1.0, FULLEST * known)
        for c in range(counts.size):
            within[c] = min(max(counts[c], 1.0), most)
        if code == NEIGHBOURS:
            neighbour_reach(squares[i, :known], within, reaches[i])
        else:
            perplexity_reach(squares[i, :known], within, reaches[i])
