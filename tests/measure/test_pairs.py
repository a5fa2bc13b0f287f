"""Pairs of items with their distances in the data and on the map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import twins
from ximstudio.measure import pairs as module
from ximstudio.measure.pairs import DistancePairs, pairs_of, power_of_two
from ximstudio.model.arrays import Floats
from ximstudio.model.distances import count_pairs

FLAT = (np.inf, np.inf)


def cloud(n_items: int, n_features: int = 5, *, blanks: float = 0.0, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_items, n_features))
    values[rng.random(values.shape) < blanks] = np.nan
    return values


def places(n_items: int) -> Floats:
    return np.random.default_rng(99).uniform(0.0, 6.0, size=(n_items, 2))


@pytest.mark.parametrize("blanks", [0.0, 0.2, 0.8])
def test_that_all_pairs_have_the_distances_of_the_twin(blanks: float) -> None:
    values, positions = cloud(40, blanks=blanks), places(40)
    truth = twins.pair_distances(values)[np.triu_indices(40, 1)]
    pairs = pairs_of(values, positions, FLAT)
    known = ~np.isnan(truth)
    assert pairs.all_pairs
    assert pairs.n_without == (~known).sum()
    assert pairs.n_without > 0 or blanks < 0.8
    assert pairs.n_pairs == known.sum()
    assert np.array_equal([pairs.left, pairs.right], np.array(np.triu_indices(40, 1))[:, known])
    np.testing.assert_allclose(pairs.data, truth[known], rtol=1e-12)
    expected = np.linalg.norm(positions[pairs.left] - positions[pairs.right], axis=1)
    np.testing.assert_allclose(pairs.map, expected, rtol=1e-12)


@pytest.mark.parametrize("periods", [(7.0, 6.5), (7.0, np.inf), (np.inf, 6.5)])
def test_that_a_torus_is_crossed_the_short_way_round(periods: tuple[float, float]) -> None:
    positions = places(30)
    pairs = pairs_of(cloud(30), positions, periods)
    images = [
        (x, y)
        for x in ((0.0,) if np.isinf(periods[0]) else (-periods[0], 0.0, periods[0]))
        for y in ((0.0,) if np.isinf(periods[1]) else (-periods[1], 0.0, periods[1]))
    ]
    expected = np.min(
        [
            np.linalg.norm(positions[pairs.left] - positions[pairs.right] + image, axis=1)
            for image in images
        ],
        axis=0,
    )
    np.testing.assert_allclose(pairs.map, expected, rtol=1e-12)
    assert (pairs.map < pairs_of(cloud(30), positions, FLAT).map - 0.1).any()


@given(n_items=st.integers(0, 12), most=st.integers(1, 80))
def test_that_pairs_are_sampled_only_if_there_are_too_many(n_items: int, most: int) -> None:
    pairs = pairs_of(cloud(n_items), places(n_items), FLAT, most=most)
    assert pairs.all_pairs == (count_pairs(n_items) <= most)
    assert pairs.n_pairs == min(count_pairs(n_items), most)
    assert (pairs.left != pairs.right).all()


def test_that_a_sample_has_the_distances_of_its_pairs() -> None:
    values, positions = cloud(300, blanks=0.7), places(300)
    pairs = pairs_of(values, positions, FLAT, most=2000)
    truth = twins.pair_distances(values)
    assert not pairs.all_pairs
    assert pairs.n_without > 0
    assert pairs.n_pairs + pairs.n_without == 2000
    np.testing.assert_allclose(pairs.data, truth[pairs.left, pairs.right], rtol=1e-12)
    expected = np.linalg.norm(positions[pairs.left] - positions[pairs.right], axis=1)
    np.testing.assert_allclose(pairs.map, expected, rtol=1e-12)


def test_that_a_seed_draws_the_same_sample_again() -> None:
    one, again, other = (
        pairs_of(cloud(100), places(100), FLAT, most=50, seed=seed) for seed in (1, 1, 2)
    )
    assert np.array_equal(one.left, again.left)
    assert one.data.tobytes() == again.data.tobytes()
    assert not np.array_equal(one.left, other.left)


def test_that_blocks_do_not_change_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pairs_of(cloud(90, blanks=0.1), places(90), (7.0, 7.0))
    monkeypatch.setattr(module, "AT_ONCE", 101)
    blocks = pairs_of(cloud(90, blanks=0.1), places(90), (7.0, 7.0))
    assert whole.data.tobytes() == blocks.data.tobytes()
    assert whole.map.tobytes() == blocks.map.tobytes()


@pytest.mark.parametrize("power", [-900, -500, 500, 900])
def test_that_distances_follow_any_unit_exactly(power: int) -> None:
    values, positions = cloud(30, blanks=0.2), places(30)
    usual = pairs_of(values, positions, (7.0, np.inf))
    period = float(np.ldexp(7.0, power))
    scaled = pairs_of(np.ldexp(values, power), np.ldexp(positions, power), (period, np.inf))
    assert np.array_equal(scaled.data, np.ldexp(usual.data, power))
    assert np.array_equal(scaled.map, np.ldexp(usual.map, power))


def test_that_the_power_of_two_bounds_all_values() -> None:
    assert power_of_two(np.array([0.5, -3.0, np.nan])) == 2
    assert power_of_two(np.array([[-1e-200]])) == np.ceil(np.log2(1e-200))
    assert power_of_two(np.zeros(3)) == power_of_two(np.empty(0)) == 0
    assert power_of_two(np.array([np.nan])) == 0


def test_that_items_which_do_not_differ_are_counted() -> None:
    values = np.array([[1.0, 2.0], [1.0, 2.0], [1.0, np.nan], [0.0, 2.0]])
    assert pairs_of(values, places(4), FLAT).n_same == 3


def test_that_some_of_the_pairs_are_drawn_once_each() -> None:
    pairs = pairs_of(cloud(60, blanks=0.7), places(60), FLAT)
    some = pairs.sample(200, seed=4)
    assert pairs.sample(pairs.n_pairs) is pairs
    assert (some.n_pairs, some.all_pairs, some.n_without) == (200, False, pairs.n_without)
    numbers = 60 * some.left + some.right
    assert len(set(numbers.tolist())) == 200
    number_of = {int(number): row for row, number in enumerate(60 * pairs.left + pairs.right)}
    rows = [number_of[int(number)] for number in numbers]
    assert np.array_equal(some.data, pairs.data[rows])
    assert np.array_equal(some.map, pairs.map[rows])
    # In random order, so that any part of a sample is a sample.
    assert not np.array_equal(rows, np.sort(rows))
    assert np.array_equal(some.left, pairs.sample(200, seed=4).left)
    assert not np.array_equal(some.left, pairs.sample(200, seed=5).left)


def test_that_pairs_are_read_only() -> None:
    pairs: DistancePairs = pairs_of(cloud(5), places(5), FLAT)
    for array in (pairs.left, pairs.right, pairs.data, pairs.map):
        assert not array.flags.writeable
