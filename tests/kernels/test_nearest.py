"""The k nearest prototypes and Shepard's mean of their nodes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.kernels.nearest import (
    BLOCK,
    block_minima,
    insert,
    k_smallest,
    squared_distance,
    squared_distance_observed,
)
from ximstudio.model.arrays import Floats32, Ints


def smallest_of(scores: Floats32, k: int) -> tuple[Floats32, Ints]:
    n_blocks = scores.size // BLOCK
    minima, values = np.empty(n_blocks, dtype=np.float32), np.empty(k, dtype=np.float32)
    bound, spare = np.empty(k, dtype=np.float32), np.empty(k, dtype=np.int64)
    indices = np.full(k, -1)
    k_smallest(scores, minima, values, indices, bound, spare)
    return values, indices


@pytest.mark.parametrize("n_blocks", [1, 2, 29])
@pytest.mark.parametrize("k", [1, 2, 12, BLOCK, 2 * BLOCK])
def test_that_the_k_smallest_are_those_of_a_full_sort(n_blocks: int, k: int) -> None:
    rng = np.random.default_rng(k)
    k = min(k, n_blocks * BLOCK)
    for _ in range(20):
        scores = rng.normal(size=n_blocks * BLOCK).astype(np.float32)
        values, indices = smallest_of(scores, k)
        assert indices.tolist() == np.argsort(scores, kind="stable")[:k].tolist()
        assert values.tolist() == np.sort(scores)[:k].tolist()


@given(
    n_blocks=st.integers(1, 6),
    k=st.integers(1, 40),
    levels=st.integers(1, 5),
    seed=st.integers(0, 10_000),
)
def test_that_ties_leave_distinct_indices_with_the_smallest_values(
    n_blocks: int, k: int, levels: int, seed: int
) -> None:
    scores = np.random.default_rng(seed).integers(0, levels, n_blocks * BLOCK).astype(np.float32)
    k = min(k, scores.size)
    values, indices = smallest_of(scores, k)
    assert len(set(indices.tolist())) == k
    assert values.tolist() == np.sort(scores)[:k].tolist()
    assert scores[indices].tolist() == values.tolist()


def test_that_block_minima_are_the_minima_of_blocks() -> None:
    scores = np.random.default_rng(0).normal(size=5 * BLOCK).astype(np.float32)
    minima = np.empty(5, dtype=np.float32)
    block_minima(scores, minima)
    assert minima.tolist() == scores.reshape(5, BLOCK).min(axis=1).tolist()


def test_that_inserting_keeps_the_smallest_in_rising_order() -> None:
    values, indices = np.empty(3, dtype=np.float32), np.empty(3, dtype=np.int64)
    n = 0
    for index, value in enumerate([5.0, 1.0, 4.0, 9.0, 2.0, 1.0]):
        n = insert(values, indices, n, np.float32(value), index)
    assert n == 3
    assert values.tolist() == [1.0, 1.0, 2.0]
    assert indices.tolist() == [1, 5, 4]


@pytest.mark.parametrize("size", [1, 3, 4, 17, 79])
def test_that_distances_are_taken_by_differences(size: int) -> None:
    rng = np.random.default_rng(size)
    x, w = rng.normal(size=(2, size)).astype(np.float32)
    seen = (rng.random(size) < 0.6).astype(np.float32)
    assert squared_distance(x, w) == pytest.approx(((x - w) ** 2).sum(), rel=1e-5)
    assert squared_distance_observed(x, seen, w) == pytest.approx(
        ((x - w) ** 2 * seen).sum(), rel=1e-5
    )
    assert squared_distance(x, x) == 0.0


@pytest.mark.parametrize("score", [np.nan, np.inf, 3.3e38])
@pytest.mark.parametrize("n_blocks", [1, 20])
def test_that_scores_beyond_all_numbers_still_leave_indices_on_the_map(
    n_blocks: int, score: float
) -> None:
    """An index that was never written points anywhere, and reading there ends the program."""
    scores = np.full(n_blocks * BLOCK, score, dtype=np.float32)
    _, indices = smallest_of(scores, 12)
    assert indices.min() >= 0
    assert indices.max() < scores.size
