"""Whole epochs at once: kernels between all nodes, winners of a block of items, sums per node.

Letters as in the report: x item, w_j prototype, d_E squared data distance, g data kernel, h map
kernel. Scores are nodes × items: a row is a node's, so that every inner loop runs over many items
at once. Up to |x|², which is the same for all nodes, they are d_E. Two or four nodes are taken at a
time: winners so far are read and written less often.
"""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.elementary import LOG2_E, log_positive, power_of_two
from ximstudio.kernels.jit import kernel, summing
from ximstudio.kernels.lattice import TINY, map_kernel
from ximstudio.kernels.search import HUGE
from ximstudio.model.arrays import Floats, Floats32, Ints32

f4 = np.float32
i4 = np.int32


@kernel
def map_kernels(code: int, sigma: float, scale: float, d_O: Floats32, h: Floats32) -> None:
    """h between nodes (TR 14–16), row by row."""
    for k in range(d_O.shape[0]):
        map_kernel(code, sigma, scale, d_O[k], h[k])


@summing
def own_term(h: Floats32) -> float:
    """Σ_j (h_j ln h_j − h_j)."""
    total = 0.0
    for j in range(h.size):
        total += float(h[j] * log_positive(max(h[j], TINY)) - h[j])
    return total


@kernel
def own_terms(h: Floats32, own: Floats) -> None:
    """own_k = Σ_j (h_kj ln h_kj − h_kj): the part of TR 9 and TR 10 that no item changes."""
    for k in range(h.shape[0]):
        own[k] = own_term(h[k])


@kernel
def column_winners(scores: Floats32, least: Floats32, winners: Ints32) -> None:
    """Row of the first smallest score in every column (TR 2)."""
    n_nodes, n_items = scores.shape
    for b in range(n_items):
        least[b] = HUGE
        winners[b] = i4(0)
    for j in range(0, n_nodes - 1, 2):
        first, second = scores[j], scores[j + 1]
        node, next_node = i4(j), i4(j + 1)
        for b in range(n_items):
            smallest, winner = least[b], winners[b]
            better = first[b] < smallest
            smallest = first[b] if better else smallest
            winner = node if better else winner
            better = second[b] < smallest
            least[b] = second[b] if better else smallest
            winners[b] = next_node if better else winner
    if n_nodes % 2:
        last_winners(scores[n_nodes - 1], i4(n_nodes - 1), least, winners)


@kernel
def last_winners(row: Floats32, node: np.int32, least: Floats32, winners: Ints32) -> None:
    """Let the node win where its scores are smaller than the least of all before it."""
    for b in range(row.size):
        better = row[b] < least[b]
        least[b] = row[b] if better else least[b]
        winners[b] = node if better else winners[b]


@kernel
def smoothed_winners(
    scores: Floats32,
    totals: Floats32,
    own: Floats32,
    squares: Floats32,
    steepness: Floats32,
    least: Floats32,
    winners: Ints32,
) -> None:
    """Node k of the least own_k + c Σ_j h_kj d_E(x, w_j) for every item (TR 6, TR 10).

    `scores` hold the sum up to |x|² Σ_j h_kj; `totals` are those sums of h.
    """
    n_nodes, n_items = scores.shape
    for b in range(n_items):
        least[b] = HUGE
        winners[b] = i4(0)
    for k in range(n_nodes):
        row, node = scores[k], i4(k)
        for b in range(n_items):
            score = own[k] + steepness[b] * (row[b] + totals[k] * squares[b])
            better = score < least[b]
            least[b] = score if better else least[b]
            winners[b] = node if better else winners[b]


@kernel
def data_kernels(
    scores: Floats32, squares: Floats32, steepness: Floats32, least: Floats32, winners: Ints32
) -> None:
    """g = exp(−c d_E) in place of the scores, and the winners (TR 2) on the way.

    c is 1/2γ², for every item its own.
    """
    n_nodes, n_items = scores.shape
    for b in range(n_items):
        least[b] = HUGE
        winners[b] = i4(0)
    for j in range(0, n_nodes - 3, 4):
        first, second, third, fourth = scores[j], scores[j + 1], scores[j + 2], scores[j + 3]
        node = i4(j)
        for b in range(n_items):
            one, two, three, four = first[b], second[b], third[b], fourth[b]
            smallest, winner = least[b], winners[b]
            better = one < smallest
            smallest = one if better else smallest
            winner = node if better else winner
            better = two < smallest
            smallest = two if better else smallest
            winner = node + i4(1) if better else winner
            better = three < smallest
            smallest = three if better else smallest
            winner = node + i4(2) if better else winner
            better = four < smallest
            least[b] = four if better else smallest
            winners[b] = node + i4(3) if better else winner
            square, fall = squares[b], -LOG2_E * steepness[b]
            first[b] = power_of_two(min((one + square) * fall, f4(0.0)))
            second[b] = power_of_two(min((two + square) * fall, f4(0.0)))
            third[b] = power_of_two(min((three + square) * fall, f4(0.0)))
            fourth[b] = power_of_two(min((four + square) * fall, f4(0.0)))
    for j in range(n_nodes - n_nodes % 4, n_nodes):
        row = scores[j]
        last_winners(row, i4(j), least, winners)
        for b in range(n_items):
            fall = -LOG2_E * steepness[b]
            row[b] = power_of_two(min((row[b] + squares[b]) * fall, f4(0.0)))


@kernel
def add_to_nodes(rows: Floats32, winners: Ints32, sums: Floats) -> None:
    """Add rows to nodes: sums[winner of item] += row of item, item after item."""
    for b in range(winners.size):
        target = sums[winners[b]]
        for c in range(rows.shape[1]):
            target[c] += rows[b, c]


@kernel
def add_errors(
    least: Floats32,
    squares: Floats32,
    weights: Floats32,
    factors: Floats32,
    winners: Ints32,
    sums: Floats,
) -> float:
    """Σ √d_E of the winners, and sums[winner of item] += factor · |x|² of item.

    `least` are the winners' d_E − |x|².
    """
    total = 0.0
    for b in range(winners.size):
        total += np.sqrt(max(least[b] + squares[b], f4(0.0)) * weights[b])
        sums[winners[b]] += factors[b] * squares[b]
    return total
