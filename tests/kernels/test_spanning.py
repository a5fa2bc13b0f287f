"""The shortest tree over items."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree

from ximstudio.kernels import spanning
from ximstudio.model.arrays import Floats


def grown(positions: Floats, periods: Floats, core: Floats, chunk: int) -> tuple[Floats, Floats]:
    n_items = len(positions)
    lengths, sources = np.full(n_items, np.inf), np.zeros(n_items, dtype=np.int64)
    outside = np.arange(1, n_items)
    left, right = np.empty(n_items - 1, np.int64), np.empty(n_items - 1, np.int64)
    squares, last = np.empty(n_items - 1), 0
    for begin in range(0, n_items - 1, chunk):
        end = min(begin + chunk, n_items - 1)
        last = spanning.grow(
            positions, periods, core, lengths, sources, outside, last, left, right, squares,
            begin, end,
        )  # fmt: skip
    return np.column_stack([left, right]), squares


@pytest.mark.parametrize("period", [np.inf, 3.0], ids=["flat", "torus"])
@pytest.mark.parametrize("chunk", [1000, 7])
def test_that_the_tree_is_as_short_as_that_of_all_distances(period: float, chunk: int) -> None:
    rng = np.random.default_rng(0)
    positions, core = rng.uniform(0.0, 3.0, (60, 2)), rng.uniform(0.0, 0.05, 60)
    apart = np.abs(positions[:, None] - positions[None])
    squares = (np.minimum(apart, period - apart) ** 2).sum(axis=2)
    table = np.maximum(squares, np.maximum.outer(core, core))
    pairs, found = grown(positions, np.array([period, period]), core, chunk)
    assert found.sum() == pytest.approx(minimum_spanning_tree(np.triu(table, 1)).sum())
    np.testing.assert_allclose(found, table[tuple(pairs.astype(int).T)])
    assert set(pairs.astype(int).ravel().tolist()) == set(range(60))
