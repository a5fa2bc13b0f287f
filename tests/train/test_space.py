"""The training space: moved, scaled and turned, and the same map back in the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from tests import twins
from ximstudio.kernels import layout
from ximstudio.model import Matrix, PrototypeMap, Result
from ximstudio.model.arrays import Floats
from ximstudio.train import method_named, problems, space, train
from ximstudio.train.method import Method
from ximstudio.train.params import OnlineParams
from ximstudio.train.space import training_space, turned, worth_turning
from ximstudio.train.start import STARTS
from ximstudio.train.xim_family import XimParams

WIDE = (72, 7129)
"""Items and features of the leukaemia data that everyone uses."""


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Products of small tables are quicker on one core of a busy machine."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="module")
def wide() -> Matrix:
    rng = np.random.default_rng(0)
    n_items, n_features = WIDE
    values = rng.normal(size=(n_items, 4)) @ rng.normal(size=(4, n_features))
    values += rng.normal(size=WIDE) + 5.0 * rng.normal(size=n_features)
    return Matrix.from_array(values)


def both_ways(
    monkeypatch: pytest.MonkeyPatch,
    matrix: Matrix,
    method: Method,
    params: OnlineParams,
    start: Floats | None = None,
) -> tuple[Result, Result]:
    """The training turned, and not."""
    results = []
    for turn in (True, False):

        def decided(*_: Any, turn: bool = turn) -> bool:
            return turn

        monkeypatch.setattr(space, "worth_turning", decided)
        results.append(train(matrix, method, params, start=start, seed=1))
    resumes = [result.resume for result in results]
    assert resumes[0] is not None
    assert resumes[1] is not None
    assert resumes[0].prototypes.shape[0] <= matrix.n_items + 1
    assert resumes[1].prototypes.shape[0] == matrix.n_features
    return results[0], results[1]


def prototypes(result: Result) -> Floats:
    assert isinstance(result.model, PrototypeMap)
    return result.model.prototypes


def assert_same_map(matrix: Matrix, one: Result, other: Result) -> None:
    size = float(matrix.values.std(axis=0).mean())
    np.testing.assert_allclose(prototypes(one), prototypes(other), rtol=0.0, atol=1e-4 * size)
    assert twins.winners_of(one) == twins.winners_of(other)
    np.testing.assert_allclose(one.positions, other.positions, rtol=0.0, atol=1e-4)


def outside_of_span(matrix: Matrix, points: Floats) -> Floats:
    """The part of points that no combination of items reaches."""
    moved = matrix.values - matrix.values.mean(axis=0)
    axes = np.linalg.svd(moved, full_matrices=False)[2][: matrix.n_items - 1]
    points = points - matrix.values.mean(axis=0)
    return np.asarray(points - (points @ axes.T) @ axes)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("key", ["c-xim", "som"])
def test_that_wide_data_give_the_same_map_turned_or_not(
    monkeypatch: pytest.MonkeyPatch, wide: Matrix, key: str, start: str
) -> None:
    method = method_named(key)
    # Small steps, so that what lies outside the span of the items is not forgotten.
    params = method.params.from_values(
        {"shape": (6, 7), "n_steps": 150, "init": start, "step": (0.02, 0.02)}
    )
    assert isinstance(params, OnlineParams)
    given = None
    if start == "given":
        noise = 2.0 * np.random.default_rng(1).normal(size=(42, wide.n_features))
        given = wide.values.mean(axis=0) + noise
    one, other = both_ways(monkeypatch, wide, method, params, given)
    assert_same_map(wide, one, other)
    if start in {"given", "random"}:
        left = np.linalg.norm(outside_of_span(wide, prototypes(other)), axis=1)
        assert (left > 1.0).all()


@pytest.mark.parametrize(
    "changes",
    [
        {"best_match": "heskes"},
        {"best_match": "divergence"},
        {"rule": "gradient", "step": (1.0, 0.5)},
        {"lattice": "hexagonal", "toroidal": True},
    ],
)
def test_that_every_rule_trains_the_same_in_the_turned_space(
    monkeypatch: pytest.MonkeyPatch, wide: Matrix, changes: dict[str, Any]
) -> None:
    params = XimParams(shape=(6, 7), n_steps=150, init="random").replace(**changes)
    one, other = both_ways(monkeypatch, wide, method_named("c-xim"), params)
    assert_same_map(wide, one, other)


@pytest.mark.parametrize("match", ["distance", "heskes"])
def test_that_a_batch_trains_the_same_in_the_turned_space(
    monkeypatch: pytest.MonkeyPatch, wide: Matrix, match: str
) -> None:
    som = method_named("som")
    params = som.params.from_values(
        {"shape": (6, 7), "algorithm": "batch", "n_epochs": 6, "init": "random"}
    ).replace(best_match=match)
    assert isinstance(params, OnlineParams)
    one, other = both_ways(monkeypatch, wide, som, params)
    assert_same_map(wide, one, other)


def test_that_a_long_training_of_wide_data_ends_on_the_same_map(
    monkeypatch: pytest.MonkeyPatch, wide: Matrix
) -> None:
    narrower = Matrix.from_array(wide.values[:, :600])
    params = XimParams(shape=(8, 8), n_steps=20_000)
    one, other = both_ways(monkeypatch, narrower, method_named("c-xim"), params)
    assert_same_map(narrower, one, other)


@pytest.mark.parametrize("turn", [True, False])
def test_that_differences_in_the_last_of_70_000_features_matter(
    monkeypatch: pytest.MonkeyPatch, turn: bool
) -> None:
    def decided(*_: Any) -> bool:
        return turn

    monkeypatch.setattr(space, "worth_turning", decided)
    values = np.ones((12, 70_000))
    groups = np.arange(12) % 2
    values[:, -3:] += groups[:, None]
    values[:, -5:] += 0.05 * np.random.default_rng(0).normal(size=(12, 5))
    params = XimParams(shape=(3, 4), n_steps=200)
    result = train(Matrix.from_array(values), method_named("c-xim"), params)
    truth = twins.pair_distances(values[:, -5:])
    drawn = twins.pair_distances(result.positions)
    same = groups[:, None] == groups
    np.fill_diagonal(truth, np.nan)
    np.fill_diagonal(drawn, np.nan)
    assert drawn[~same].min() > np.nanmax(drawn[same])
    learnt = prototypes(result)[:, -3:].mean(axis=1)
    assert learnt.max() - learnt.min() > 0.5
    np.testing.assert_allclose(prototypes(result)[:, :-5], 1.0, atol=1e-5)


# The space itself ---------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [True, False])
def test_that_distances_between_items_are_kept(turn: bool) -> None:
    values = np.random.default_rng(0).normal(size=(15, 40)) * 50.0 + 1e3
    there = training_space(Matrix.from_array(values), steps=1.0, turn=turn)
    np.testing.assert_allclose(
        twins.pair_distances(there.items) * there.unit, twins.pair_distances(values), rtol=1e-9
    )
    assert (there.items.shape[1] == 40) is not turn


@pytest.mark.parametrize("turn", [True, False])
def test_that_prototypes_come_back_where_they_entered(turn: bool) -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(15, 40)) * 50.0 + 1e3
    there = training_space(Matrix.from_array(values), steps=1.0, turn=turn)
    points = 1e3 + 100.0 * rng.normal(size=(9, 40))
    points[:3] = values[:3]
    entered = there.enter(points)
    np.testing.assert_allclose(entered.leave(entered.coordinates), points, rtol=1e-10)
    for x, row in zip(values, there.items, strict=True):
        here = twins.data_distances(row, entered.coordinates) * there.unit**2
        np.testing.assert_allclose(here, twins.data_distances(x, points), rtol=1e-8, atol=1e-6)


def test_that_what_lies_outside_the_items_is_one_coordinate_in_which_they_are_zero() -> None:
    rng = np.random.default_rng(2)
    matrix = Matrix.from_array(rng.normal(size=(10, 30)))
    there = training_space(matrix, steps=1.0, turn=True)
    assert np.abs(there.items[:, -1]).max() == 0.0
    assert there.axes is not None
    points = rng.normal(size=(5, 30))
    moved = points - there.centre
    outside = moved - (moved @ there.axes.T) @ there.axes
    entered = there.enter(points)
    lengths = np.linalg.norm(outside, axis=1) / there.unit
    np.testing.assert_allclose(entered.coordinates[:, -1], lengths, rtol=1e-9)
    halved = entered.coordinates.copy()
    halved[:, -1] *= 0.5
    np.testing.assert_allclose(entered.leave(halved), points - 0.5 * outside, atol=1e-9)
    inside = there.enter(matrix.values)
    assert inside.outside is None
    assert np.abs(inside.coordinates[:, -1]).max() == 0.0


@pytest.mark.parametrize("rank", [1, 2, 5])
def test_that_axes_are_orthonormal_and_span_the_items(rank: int) -> None:
    rng = np.random.default_rng(3)
    moved = rng.normal(size=(20, rank)) @ rng.normal(size=(rank, 90))
    moved -= moved.mean(axis=0)
    coordinates, axes = turned(moved)
    assert rank <= len(axes) <= len(moved)
    np.testing.assert_allclose(axes @ axes.T, np.eye(len(axes)), atol=1e-12)
    np.testing.assert_allclose(coordinates @ axes, moved, atol=1e-6)


def test_that_axes_stay_orthonormal_when_variances_differ_a_million_times() -> None:
    rng = np.random.default_rng(4)
    moved = rng.normal(size=(20, 19)) * np.geomspace(1.0, 1e-5, 19) @ rng.normal(size=(19, 90))
    moved -= moved.mean(axis=0)
    coordinates, axes = turned(moved)
    np.testing.assert_allclose(axes @ axes.T, np.eye(len(axes)), atol=1e-12)
    np.testing.assert_allclose(coordinates @ axes, moved, atol=1e-9)


def test_that_blanks_forbid_turning() -> None:
    values = np.random.default_rng(5).normal(size=(5, 60))
    values[2, 7] = np.nan
    there = training_space(Matrix.from_array(values), steps=1e12, turn=True)
    assert there.axes is None
    assert there.observed is not None
    assert there.observed[2, 7] == 0.0
    assert there.observed.sum() == values.size - 1
    assert there.items[2, 7] == 0.0


def test_that_turning_is_for_wide_tables_and_long_trainings_only() -> None:
    assert worth_turning(72, 7129, 20_000.0 * 900)
    assert not worth_turning(72, 7129, 10.0)
    assert not worth_turning(7129, 72, 1e12)
    assert not worth_turning(72, 73, 1e12)


@given(exponent=st.integers(-60, 60), seed=st.integers(0, 50))
@settings(max_examples=20)
def test_that_the_unit_is_the_power_of_two_nearest_to_the_median_distance(
    exponent: int, seed: int
) -> None:
    values = np.random.default_rng(seed).normal(size=(12, 4)) * 10.0**exponent
    there = training_space(Matrix.from_array(values), steps=1.0)
    assert 2.0**-0.5 <= there.median <= 2.0**0.5
    assert np.frexp(there.unit)[0] == 0.5
    assert there.median * there.unit == pytest.approx(
        Matrix.from_array(values).median_distance, rel=1e-6
    )


# The median distance ------------------------------------------------------------------------------


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_the_median_distance_is_that_of_all_pairs(blanks: bool) -> None:
    rng = np.random.default_rng(6)
    values = rng.normal(size=(41, 7))
    if blanks:
        values[rng.random(values.shape) < 0.4] = np.nan
    pairs = twins.pair_distances(values)[np.triu_indices(41, 1)]
    assert Matrix.from_array(values).median_distance == pytest.approx(
        np.nanmedian(pairs), rel=1e-10
    )


def test_that_the_median_distance_of_many_items_is_taken_from_a_sample() -> None:
    values = np.random.default_rng(7).normal(size=(3000, 3))
    pairs = twins.pair_distances(values)[np.triu_indices(3000, 1)]
    assert Matrix.from_array(values).median_distance == pytest.approx(np.median(pairs), rel=0.05)
    assert Matrix.from_array(values).median_distance == Matrix.from_array(values).median_distance


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e6, 1e8, 1e10])
def test_that_the_median_distance_does_not_depend_on_where_the_items_lie(offset: float) -> None:
    values = np.round(np.random.default_rng(8).normal(size=(30, 5)) * 64.0) / 64.0
    expected = np.median(twins.pair_distances(values)[np.triu_indices(30, 1)])
    assert Matrix.from_array(values + offset).median_distance == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("key", ["xim", "t-xim", "c-xim"])
def test_that_data_far_from_zero_are_not_refused(key: str) -> None:
    values = np.random.default_rng(9).normal(size=(30, 5)) + 1e9
    method = method_named(key)
    assert problems(Matrix.from_array(values), method, method.params()) == []


def test_that_items_of_which_most_are_the_same_have_median_distance_zero() -> None:
    rng = np.random.default_rng(10)
    for _ in range(50):
        n_items, n_features = int(rng.integers(8, 100)), int(rng.integers(1, 60))
        values = np.tile(rng.normal(size=n_features), (n_items, 1))
        values[: n_items // 10] += rng.normal(size=(n_items // 10, n_features))
        assert Matrix.from_array(values).median_distance == 0.0


def test_that_one_item_far_away_does_not_blur_the_median_distance() -> None:
    values = np.random.default_rng(11).normal(size=(100, 5))
    values[0, 0] = 1e13
    pairs = twins.pair_distances(values)[np.triu_indices(100, 1)]
    there = training_space(Matrix.from_array(values), steps=1.0)
    assert there.median * there.unit == pytest.approx(float(np.median(pairs)), rel=1e-3)


@pytest.mark.parametrize("turn", [True, False])
def test_that_one_item_far_away_does_not_blur_the_others_in_single_precision(turn: bool) -> None:
    """Some programs write −99999999 for a blank: the other items must keep their differences."""
    values = np.random.default_rng(12).normal(size=(60, 90))
    values[0, 0] = -99_999_999.0
    there = training_space(Matrix.from_array(values), steps=1.0, turn=turn)
    seen = layout.lay_out_items(there.items, there.observed).values.astype(np.float64)
    apart = np.sqrt(((seen[1:, None] - seen[None, 1:]) ** 2).sum(axis=2)) * there.unit
    np.testing.assert_allclose(apart, twins.pair_distances(values[1:]), rtol=1e-3, atol=1e-3)
