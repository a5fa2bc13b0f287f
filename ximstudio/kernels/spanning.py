"""Minimum spanning tree of items on a map, by mutual reachability (Campello, Moulavi, Sander 2013).

y_i position, c_i squared distance to the k-th nearest item, l period of an axis. The squared
reachability of two items is max(c_i, c_j, |y_i − y_j|²).
"""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.jit import kernel
from ximstudio.model.arrays import Floats, Ints


@kernel
def grow(
    positions: Floats,
    periods: Floats,
    core: Floats,
    lengths: Floats,
    sources: Ints,
    outside: Ints,
    last: int,
    left: Ints,
    right: Ints,
    squares: Floats,
    begin: int,
    end: int,
) -> int:
    """Edges `begin` to `end` of the tree, by Prim's rule; returns the item that joined last.

    lengths_j is the shortest edge from the tree to item j, and sources_j its other end; outside
    holds the items that have not joined, as many as edges are missing.
    """
    n_axes = positions.shape[1]
    for e in range(begin, end):
        n_outside = outside.size - e
        best, place = np.inf, 0
        for s in range(n_outside):
            j = outside[s]
            square = max(core[last], core[j])
            total = 0.0
            for c in range(n_axes):
                apart = abs(positions[j, c] - positions[last, c])
                apart = min(apart, periods[c] - apart)
                total += apart * apart
            square = max(square, total)
            if square < lengths[j]:
                lengths[j] = square
                sources[j] = last
            if lengths[j] < best:
                best, place = lengths[j], s
        joined = outside[place]
        outside[place] = outside[n_outside - 1]
        left[e], right[e], squares[e] = sources[joined], joined, lengths[joined]
        last = joined
    return last
