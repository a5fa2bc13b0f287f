"""Kernels of whole epochs, each against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from tests import twins
from ximstudio.kernels import batch
from ximstudio.kernels.lattice import CAUCHY, GAUSSIAN, STUDENT
from ximstudio.model import Grid

SHAPES = [(1, 1), (1, 9), (7, 1), (36, 512), (100, 33)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_that_the_first_smallest_score_of_a_column_wins(shape: tuple[int, int]) -> None:
    scores = np.random.default_rng(0).integers(0, 20, shape).astype(np.float32)
    least, winners = np.empty(shape[1], dtype=np.float32), np.empty(shape[1], dtype=np.int32)
    batch.column_winners(scores, least, winners)
    assert winners.tolist() == scores.argmin(axis=0).tolist()
    assert least.tolist() == scores.min(axis=0).tolist()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_that_data_kernels_are_exponentials_of_distances(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    scores = rng.uniform(-2.0, 5.0, shape).astype(np.float32)
    squares = rng.uniform(0.0, 3.0, shape[1]).astype(np.float32)
    steepness = rng.uniform(0.1, 4.0, shape[1]).astype(np.float32)
    least, winners = np.empty(shape[1], dtype=np.float32), np.empty(shape[1], dtype=np.int32)
    g = scores.copy()
    batch.data_kernels(g, squares, steepness, least, winners)
    expected = np.exp(-np.maximum(scores.astype(np.float64) + squares, 0.0) * steepness)
    np.testing.assert_allclose(g, expected, rtol=3e-5)
    assert winners.tolist() == scores.argmin(axis=0).tolist()
    assert least.tolist() == scores.min(axis=0).tolist()


def test_that_smoothed_winners_have_the_least_sum_over_the_map() -> None:
    rng = np.random.default_rng(2)
    values, prototypes = rng.normal(size=(40, 3)), rng.normal(size=(12, 3))
    h = twins.map_kernel("cauchy", twins.map_distances(Grid(3, 4)), 1.5)
    d = np.array([twins.data_distances(x, prototypes) for x in values])
    own = (h * np.log(h) - h).sum(axis=1)
    scores = h @ (d.T - (values**2).sum(axis=1))
    least, winners = np.empty(40, dtype=np.float32), np.empty(40, dtype=np.int32)
    for match, fixed in (("heskes", np.zeros(12)), ("divergence", own)):
        given = (scores, h.sum(axis=1), fixed, (values**2).sum(axis=1), np.full(40, 0.5 / 0.7**2))
        a, b, c, d32, e = (array.astype(np.float32) for array in given)
        batch.smoothed_winners(a, b, c, d32, e, least, winners)
        assert winners.tolist() == [twins.best_match(match, h, row, 0.7) for row in d]


@pytest.mark.parametrize(
    ("code", "name"), [(GAUSSIAN, "gaussian"), (STUDENT, "t"), (CAUCHY, "cauchy")]
)
def test_that_map_kernels_and_their_own_terms_are_those_of_the_report(code: int, name: str) -> None:
    d_map = twins.map_distances(Grid(5, 7))
    h, own = np.empty((35, 35), dtype=np.float32), np.empty(35)
    batch.map_kernels(code, 0.8, 1.3, d_map.astype(np.float32), h)
    batch.own_terms(h, own)
    expected = twins.map_kernel(name, d_map, 0.8, 1.3)
    np.testing.assert_allclose(h, expected, rtol=2e-5, atol=1e-37)
    np.testing.assert_allclose(own, (expected * np.log(expected) - expected).sum(axis=1), rtol=1e-5)


def test_that_items_are_added_to_their_winners_and_to_what_is_there() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(50, 3)).astype(np.float32)
    winners = rng.integers(0, 7, 50).astype(np.int32)
    sums = np.ones((7, 3))
    batch.add_to_nodes(values, winners, sums)
    expected = np.ones((7, 3))
    np.add.at(expected, winners, values.astype(np.float64))
    np.testing.assert_allclose(sums, expected, rtol=1e-12)
