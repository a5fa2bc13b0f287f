"""Hierarchical clustering from distances, along chains of nearest neighbours (Murtagh 1985).

D_ij lies at place n i − i (i + 1)/2 + j − i − 1 of the table, i < j.
"""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.jit import inlined, kernel
from ximstudio.model.arrays import Floats, Ints


@inlined
def place(n: int, i: int, j: int) -> int:
    """Return the index of D_ij in the table."""
    if i > j:
        i, j = j, i
    return n * i - i * (i + 1) // 2 + j - i - 1


@kernel
def link(
    table: Floats,
    sizes: Ints,
    chain: Ints,
    n_chain: int,
    left: Ints,
    right: Ints,
    heights: Floats,
    begin: int,
    end: int,
) -> int:
    """Merges `begin` to `end`, in no order of heights; returns how long the chain is then.

    Two that are each other's nearest are joined, under the larger number of both, and the table
    takes the distances of what they become: means of those of both (average linkage). A size is 0
    once it is joined to another.
    """
    n = sizes.size
    for merge in range(begin, end):
        if n_chain == 0:
            first = 0
            while sizes[first] == 0:
                first += 1
            chain[0] = first
            n_chain = 1
        while True:
            i = chain[n_chain - 1]
            nearest, least = -1, np.inf
            if n_chain > 1:
                nearest = chain[n_chain - 2]
                least = table[place(n, i, nearest)]
            for j in range(n):
                if sizes[j] > 0 and j != i:
                    d = table[place(n, i, j)]
                    if d < least:
                        least, nearest = d, j
            if n_chain > 1 and nearest == chain[n_chain - 2]:
                break
            chain[n_chain] = nearest
            n_chain += 1
        n_chain -= 2
        x, y = min(i, nearest), max(i, nearest)
        left[merge], right[merge], heights[merge] = x, y, least
        n_x, n_y = sizes[x], sizes[y]
        sizes[x], sizes[y] = 0, n_x + n_y
        for j in range(n):
            if sizes[j] > 0 and j != y:
                d_x, d_y = table[place(n, j, x)], table[place(n, j, y)]
                table[place(n, j, y)] = (n_x * d_x + n_y * d_y) / (n_x + n_y)
    return n_chain
