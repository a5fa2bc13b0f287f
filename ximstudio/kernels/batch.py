"""Whole epochs at once: winners of a block of items, and sums of items per node.

Letters as in the report: x item, w_j prototype, d_E squared data distance.
"""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.jit import kernel
from ximstudio.kernels.search import HUGE
from ximstudio.model.arrays import Floats, Floats32, Ints

f4 = np.float32


@kernel
def column_winners(scores: Floats32, least: Floats32, winners: Ints) -> None:
    """Row of the first smallest score in every column; scores are nodes × items.

    Row by row, so that the comparison runs over many items at once.
    """
    n_nodes, n_items = scores.shape
    for b in range(n_items):
        least[b] = HUGE
        winners[b] = 0
    for j in range(n_nodes):
        row = scores[j]
        for b in range(n_items):
            better = row[b] < least[b]
            least[b] = row[b] if better else least[b]
            winners[b] = j if better else winners[b]


@kernel
def add_to_nodes(values: Floats32, winners: Ints, sums: Floats) -> None:
    """sums[winner of item] += values of item, item after item."""
    for b in range(winners.size):
        row = sums[winners[b]]
        for c in range(values.shape[1]):
            row[c] += values[b, c]
