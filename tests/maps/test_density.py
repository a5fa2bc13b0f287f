"""Number of items within the Pareto radius of every prototype."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import twins
from tests.maps.results import evidence_of
from tests.place.maps import FLAT_GRIDS, TORI, items_near, rough_map, smooth_map
from ximstudio.maps import density
from ximstudio.maps.density import PARETO_SHARE, _Rough, count_within, pareto_radius
from ximstudio.model import Grid
from ximstudio.model.arrays import Floats


def slow_counts(values: Floats, prototypes: Floats, radius: float) -> list[int]:
    apart = np.sqrt([twins.data_distances(x, prototypes) for x in values])
    return [int(count) for count in (apart <= radius).sum(axis=0)]


def shares_within(values: Floats, radius: float) -> Floats:
    """The share of all others within a radius of every item."""
    apart = twins.pair_distances(values)
    np.fill_diagonal(apart, np.nan)
    return np.asarray((apart <= radius).sum(axis=1) / (~np.isnan(apart)).sum(axis=1))


def clustered(n_items: int, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    middles = 4.0 * rng.normal(size=(3, 5))
    return np.asarray(rng.normal(size=(n_items, 5)) + middles[rng.integers(0, 3, n_items)])


# The radius ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("n_items", [9, 60, 301, density.SAMPLE])
def test_that_the_median_sphere_holds_the_pareto_share(n_items: int, blanks: bool) -> None:
    values = items_near(rough_map(Grid(6, 9)), n_items, blanks=blanks)
    radius = pareto_radius(values)
    for nudged, holds in ((radius * (1.0 - 1e-9), False), (radius * (1.0 + 1e-9), True)):
        median = float(np.median(shares_within(values, nudged)))
        # Between two distances a share makes a step.
        assert median == pytest.approx(PARETO_SHARE, abs=1.01 / (n_items - 1)), holds
    assert np.median(shares_within(values, 0.7 * radius)) < PARETO_SHARE
    assert np.median(shares_within(values, 1.4 * radius)) > PARETO_SHARE


def test_that_a_sample_of_many_items_tells_the_radius_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = clustered(2000)
    sampled = [pareto_radius(values, seed=seed) for seed in (0, 0, 1)]
    monkeypatch.setattr(density, "SAMPLE", 2000)
    exact = pareto_radius(values)
    assert sampled == pytest.approx([exact] * 3, rel=0.05)
    assert sampled[0] == sampled[1] != sampled[2]


def test_that_the_radius_follows_the_unit_but_not_the_place_of_the_data() -> None:
    values = clustered(80)
    radius = pareto_radius(values)
    assert pareto_radius(1e-6 * values) == pytest.approx(1e-6 * radius)
    assert pareto_radius(values + 1e6) == pytest.approx(radius)


def test_that_many_equal_items_leave_the_least_distance_as_radius() -> None:
    values = np.zeros((20, 2))
    values[:4, 0] = [3.0, 5.0, 9.0, 20.0]
    assert pareto_radius(values) == 2.0


@pytest.mark.parametrize("values", [np.ones((1, 3)), np.ones((5, 3)), np.full((4, 3), np.nan)])
def test_that_items_without_distances_have_no_radius(values: Floats) -> None:
    assert pareto_radius(values) == 0.0


def test_that_items_with_nothing_in_common_are_passed_over() -> None:
    values = np.array([[0.0, np.nan], [2.0, np.nan], [np.nan, 5.0], [np.nan, 8.0]])
    assert pareto_radius(values) == pytest.approx(np.sqrt(2.0) * 2.5)


# Counting -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("grid", [*FLAT_GRIDS, *TORI], ids=str)
def test_that_every_item_within_the_radius_is_counted(
    grid: Grid, blanks: bool, offset: float
) -> None:
    model = rough_map(grid, offset=offset)
    values = items_near(model, blanks=blanks)
    radius = pareto_radius(values)
    for reach in (0.5 * radius, radius, 2.0 * radius):
        expected = slow_counts(values, model.prototypes, reach)
        assert count_within(values, model.prototypes, reach).tolist() == expected
    assert 0 < sum(expected) < len(values) * grid.n_nodes


@given(st.data())
def test_that_items_right_on_the_sphere_are_within(data: st.DataObject) -> None:
    # Whole numbers: 3, 4 and 5 make a distance that no rounding changes; float32 has too few
    # digits for those far away.
    whole = st.builds(lambda far, near: far + near, st.sampled_from([0, 9_000]), st.integers(-6, 6))
    points = st.lists(st.tuples(whole, whole), min_size=1, max_size=12)
    values = np.array(data.draw(points), dtype=np.float64)
    prototypes = np.array(data.draw(points), dtype=np.float64)
    squares = ((values[:, None] - prototypes[None]) ** 2).sum(axis=2)
    found = count_within(values, prototypes, 5.0)
    assert found.tolist() == (squares <= 25.0).sum(axis=0).tolist()


def test_that_a_radius_of_zero_counts_what_is_the_same() -> None:
    values = np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 2.5]])
    assert count_within(values, values[1:], 0.0).tolist() == [2, 1]


@pytest.mark.parametrize("far", [1e4, 1e12, 1e30, 1e180])
def test_that_one_far_item_and_one_far_prototype_change_nothing_else(far: float) -> None:
    model = smooth_map(Grid(6, 9))
    values, prototypes = items_near(model), model.prototypes.copy()
    radius = pareto_radius(values)
    before = count_within(values, prototypes, radius)
    values = np.vstack([values, np.full((1, values.shape[1]), far)])
    prototypes[7] = -far
    prototypes[8] = far
    after = count_within(values, prototypes, radius)
    assert after[[7, 8]].tolist() == [0, 1]
    others = np.delete(np.arange(54), [7, 8])
    np.testing.assert_array_equal(after[others], before[others])


def test_that_hardly_any_pair_is_left_in_doubt_even_with_outliers() -> None:
    rng = np.random.default_rng(0)
    values, prototypes = rng.normal(size=(200, 20)), rng.normal(size=(300, 20))
    values[99], prototypes[5] = 1e5, -1e5
    rough = _Rough.of(values, prototypes, pareto_radius(values))
    excess = np.empty((100, 300), dtype=np.float32)
    within, doubtful = np.empty((2, 100, 300), dtype=np.bool_)
    rough.compare(0, excess, within, doubtful)
    assert 0.05 < within.mean() < 0.95
    assert doubtful.mean() < 1e-3


def test_that_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    model = rough_map(Grid(6, 9))
    values = items_near(model, 300, blanks=True)
    radius = pareto_radius(values)
    whole = count_within(values, model.prototypes, radius)
    assert whole.max() > 0
    for share, rough in ((7, 54 * 3), (300, 1), (64, 54 * 300)):
        monkeypatch.setattr(density, "SHARE", share)
        monkeypatch.setattr(density, "ROUGH", rough)
        parts = count_within(values, model.prototypes, radius)
        np.testing.assert_array_equal(parts, whole)


def test_that_more_items_than_a_byte_counts_are_counted() -> None:
    values = np.random.default_rng(0).normal(size=(3000, 2))
    assert count_within(values, np.zeros((1, 2)), 100.0).tolist() == [3000]


def test_that_the_density_is_higher_where_the_items_are() -> None:
    evidence = evidence_of(smooth_map(Grid(7, 7)), n_items=200)
    hits = np.bincount(evidence.winners, minlength=49)
    assert evidence.density[hits > 0].mean() > evidence.density[hits == 0].mean()
