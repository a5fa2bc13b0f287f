"""The k nearest prototypes of items, and Shepard's weighted mean of their nodes.

Letters as in the report: x item, w_j prototype, r_j node, y position, p power.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ximstudio.kernels.jit import comparing, kernel, summing
from ximstudio.kernels.search import HUGE
from ximstudio.model.arrays import Floats, Floats32, Ints

f4 = np.float32

BLOCK = 32
"""Multiple that nodes are padded to, and size of the blocks in which they are scanned."""

CLOSEST = 1e-24
"""Squared distance below which an item sits on a prototype."""
HALFWAY = 1e-9
"""Half a period, up to rounding: both ways round a torus are equally long."""


@comparing
def block_minima(scores: Floats32, minima: Floats32) -> None:
    """minima[q]: the smallest score of block q."""
    for q in range(minima.size):
        least = HUGE
        for j in range(q * BLOCK, q * BLOCK + BLOCK):
            least = min(least, scores[j])
        minima[q] = least


@kernel
def insert(values: Any, indices: Ints, n: int, value: Any, index: int) -> int:
    """Insert into the n smallest values, kept in rising order; return their new number."""
    room = values.size
    if n < room:
        place = n
        n += 1
    elif value < values[room - 1]:
        place = room - 1
    else:
        return n
    while place > 0 and values[place - 1] > value:
        values[place] = values[place - 1]
        indices[place] = indices[place - 1]
        place -= 1
    values[place] = value
    indices[place] = index
    return n


@kernel
def k_smallest(
    scores: Floats32,
    minima: Floats32,
    values: Floats32,
    indices: Ints,
    bound: Floats32,
    spare: Ints,
) -> None:
    """Indices of the k smallest scores, k = indices.size.

    The k-th smallest block minimum bounds the k-th smallest score from above, so only blocks that
    reach below it are read.
    """
    k = indices.size
    for s in range(k):
        # Scores that are NaN order nothing, but must not point outside the map either.
        indices[s] = s
    block_minima(scores, minima)
    limit = HUGE
    if minima.size >= k:
        n = 0
        for q in range(minima.size):
            n = insert(bound, spare, n, minima[q], q)
        limit = bound[k - 1]
    n = 0
    for q in range(minima.size):
        if minima[q] <= limit:
            for j in range(q * BLOCK, q * BLOCK + BLOCK):
                if scores[j] <= limit:
                    n = insert(values, indices, n, scores[j], j)
                    if n == k:
                        limit = values[k - 1]


@summing
def squared_distance(x: Floats32, w: Floats32) -> float:
    """|x − w|², in double precision: for an item far away all prototypes are nearly as far."""
    total = 0.0
    for c in range(x.size):
        v = np.float64(x[c]) - np.float64(w[c])
        total += v * v
    return total


@summing
def squared_distance_observed(x: Floats32, seen: Floats32, w: Floats32) -> float:
    """|x − w|² on the observed features."""
    total = 0.0
    for c in range(x.size):
        v = seen[c] * (np.float64(x[c]) - np.float64(w[c]))
        total += v * v
    return total


@summing
def size_of(x: Floats32) -> float:
    """|x|²."""
    total = f4(0.0)
    for c in range(x.size):
        total += x[c] * x[c]
    return float(total)


@kernel
def shepard(
    scores: Floats32,
    items: Floats32,
    observed: Floats32,
    prototypes: Floats32,
    nodes: Floats,
    periods: Floats,
    origin: Floats,
    power: float,
    winners: Ints,
    positions: Floats,
    k: int,
) -> None:
    """y = Σ_j |x − w_j|^(−p) r_j / Σ_j |x − w_j|^(−p) over the k nearest prototypes.

    `scores` (items × padded nodes) order the prototypes up to rounding; all that rounding may have
    put among the k best are measured again by differences. Nodes are taken relative to the
    winner's, the short way round a torus.
    """
    minima = np.empty(scores.shape[1] // BLOCK, dtype=np.float32)
    values = np.empty(k, dtype=np.float32)
    measured = np.empty(k)
    largest = 0.0
    for j in range(prototypes.shape[0]):
        largest = max(largest, np.sqrt(size_of(prototypes[j])))
    # Error of a float32 sum of D + 1 products, of its terms and its factors, both ways.
    precision = 2.0 * (prototypes.shape[1] + 16) * 2.0**-24
    bound = np.empty(k, dtype=np.float32)
    indices = np.empty(k, dtype=np.int64)
    spare = np.empty(k, dtype=np.int64)
    offset = np.empty(nodes.shape[1])
    for b in range(scores.shape[0]):
        k_smallest(scores[b], minima, values, indices, bound, spare)
        margin = precision * (np.sqrt(size_of(items[b])) + largest) ** 2
        limit = values[k - 1] + margin
        n = 0
        for q in range(minima.size):
            if not minima[q] <= limit:
                continue
            for j in range(q * BLOCK, min(q * BLOCK + BLOCK, prototypes.shape[0])):
                if scores[b, j] <= limit:
                    if observed.size:
                        d = squared_distance_observed(items[b], observed[b], prototypes[j])
                    else:
                        d = squared_distance(items[b], prototypes[j])
                    n = insert(measured, indices, n, d, j)
        winner = indices[0]
        winners[b] = winner
        nearest = max(measured[0], CLOSEST)
        total = 0.0
        offset[:] = 0.0
        for s in range(k):
            # Relative to the nearest, so that no power over- or underflows for all of them.
            ratio = nearest / max(measured[s], CLOSEST)
            weight = ratio * ratio if power == 4.0 else ratio ** (0.5 * power)
            total += weight
            for c in range(offset.size):
                step = nodes[indices[s], c] - nodes[winner, c]
                beyond = abs(step) - 0.5 * periods[c]
                if abs(beyond) < HALFWAY:
                    step = 0.0
                elif beyond > 0.0:
                    step -= periods[c] if step > 0.0 else -periods[c]
                offset[c] += weight * step
        for c in range(offset.size):
            y = nodes[winner, c] + offset[c] / total
            if y < origin[c]:
                y += periods[c]
            elif y >= origin[c] + periods[c]:
                y -= periods[c]
            positions[b, c] = y
