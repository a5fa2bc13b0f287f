"""Merges along chains of nearest neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.kernels import linking
from ximstudio.model.arrays import Floats, Ints


def merged(table: Floats, n: int, chunk: int) -> tuple[Ints, Ints, Floats]:
    left, right = np.empty(n - 1, np.int64), np.empty(n - 1, np.int64)
    heights, sizes = np.empty(n - 1), np.ones(n, dtype=np.int64)
    chain, n_chain, working = np.empty(n, dtype=np.int64), 0, table.copy()
    for begin in range(0, n - 1, chunk):
        end = min(begin + chunk, n - 1)
        n_chain = linking.link(working, sizes, chain, n_chain, left, right, heights, begin, end)
    return left, right, heights


def slow(square: Floats) -> list[float]:
    """Heights of all merges, by looking at all pairs each time."""
    sizes = dict.fromkeys(range(len(square)), 1)
    apart = {(i, j): square[i, j] for i in sizes for j in sizes if i != j}
    heights = []
    while len(sizes) > 1:
        x, y = min(((i, j) for i in sizes for j in sizes if i < j), key=lambda pair: apart[pair])
        n_x, n_y = sizes.pop(x), sizes[y]
        heights.append(apart[x, y])
        for j in sizes:
            if j != y:
                new = (n_x * apart[j, x] + n_y * apart[j, y]) / (n_x + n_y)
                apart[j, y] = apart[y, j] = new
        sizes[y] = n_x + n_y
    return heights


@pytest.mark.parametrize("chunk", [100, 3])
def test_that_merges_are_those_of_the_nearest_pair_each_time(chunk: int) -> None:
    values = np.random.default_rng(0).normal(size=(20, 3))
    square = np.sqrt(((values[:, None] - values[None]) ** 2).sum(axis=2))
    _, _, heights = merged(square[np.triu_indices(20, 1)], 20, chunk)
    np.testing.assert_allclose(np.sort(heights), slow(square))
