"""Pairs of items and their distances."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import twins
from ximstudio.model import distances
from ximstudio.model.arrays import Floats
from ximstudio.model.distances import (
    choose_pairs,
    count_pairs,
    distances_between,
    pair_distances,
)


def items(n_items: int, n_features: int, *, blanks: float, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_items, n_features)) * 10.0 ** rng.integers(-1, 2, size=n_features)
    values[rng.random(values.shape) < blanks] = np.nan
    return values


@pytest.mark.parametrize("blanks", [0.0, 0.1, 0.8])
@pytest.mark.parametrize("n_features", [1, 7, 2**16 + 1])
def test_that_distances_are_those_of_the_twin(n_features: int, blanks: float) -> None:
    values = items(12, n_features, blanks=blanks)
    left, right = np.divmod(np.arange(144), 12)
    found = distances_between(values, left, right).reshape(12, 12)
    np.testing.assert_allclose(found, twins.pair_distances(values), rtol=1e-12)


def test_that_items_without_a_common_feature_have_no_distance() -> None:
    values = np.array([[1.0, np.nan], [np.nan, 2.0], [4.0, 2.0]])
    found = distances_between(values, np.array([0, 0, 1]), np.array([1, 2, 2]))
    np.testing.assert_array_equal(found, [np.nan, np.sqrt(2.0 * 9.0), 0.0])


def test_that_no_pairs_have_no_distances() -> None:
    none = np.empty(0, dtype=np.int64)
    assert distances_between(np.zeros((3, 2)), none, none).shape == (0,)


@given(st.integers(0, 30))
def test_that_few_items_form_all_pairs_once(n_items: int) -> None:
    expected = list(combinations(range(n_items), 2))
    left, right = choose_pairs(n_items, most=count_pairs(n_items))
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == expected
    assert count_pairs(n_items) == len(expected)


def test_that_every_pair_is_drawn_equally_often() -> None:
    left, right = choose_pairs(20, most=189, seed=3)
    assert len(left) == len(right) == 189
    drawn = np.zeros((20, 20))
    for seed in range(1000):
        left, right = choose_pairs(20, most=189, seed=seed)
        np.add.at(drawn, (np.minimum(left, right), np.maximum(left, right)), 1.0)
    assert not np.tril(drawn).any()
    expected = 189_000 / 190
    chi_squared = ((drawn[np.triu_indices(20, 1)] - expected) ** 2).sum() / expected
    # 189 degrees of freedom: six standard deviations to either side.
    assert abs(chi_squared - 189.0) < 6.0 * np.sqrt(2.0 * 189.0)


def test_that_a_seed_draws_the_same_pairs_again() -> None:
    one, again, other = (choose_pairs(1000, most=50, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("blanks", [0.0, 0.3])
def test_that_distances_of_many_items_are_those_of_the_same_pairs_as_ever(blanks: float) -> None:
    """Recorded maps were trained in units of these distances: not one of them may change."""
    # Squares of small whole numbers and their sums are exact, whatever the order of summing.
    values = np.round(items(500, 4, blanks=blanks))
    rng = np.random.default_rng(0)
    left = rng.integers(500, size=100_000)
    right = (left + rng.integers(1, 500, size=100_000)) % 500
    both = ~np.isnan(values[left]) & ~np.isnan(values[right])
    common = both.sum(axis=1)
    squares = (np.where(both, values[left] - values[right], 0.0) ** 2).sum(axis=1)
    known = common > 0
    expected = np.sqrt(squares[known] * 4 / common[known])
    assert np.array_equal(pair_distances(values), expected)


def test_that_pairs_are_the_same_in_however_many_pieces_they_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_once = choose_pairs(1000, most=500, seed=1)
    monkeypatch.setattr(distances, "PAIRS_AT_ONCE", 7)
    np.testing.assert_array_equal(choose_pairs(1000, most=500, seed=1), at_once)


def test_that_drawing_pairs_can_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distances, "PAIRS_AT_ONCE", 100)
    calls = 0

    def end() -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        choose_pairs(1000, most=500, halt=end)
