from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.measure.oracles import table_of_distances, table_of_ranks
from ximstudio.kernels import parallel
from ximstudio.measure import ranks as ranks_module
from ximstudio.measure.ranks import MOST_ROWS, Ranks, neighbour_ranks
from ximstudio.model.arrays import Floats

PLANE = (np.inf, np.inf)


def expected(
    values: Floats, positions: Floats, periods: tuple[float, ...], k: int
) -> dict[str, np.ndarray]:
    data = table_of_ranks(table_of_distances(values))
    drawn = table_of_ranks(table_of_distances(positions, periods))
    in_data = np.argsort(data, axis=1)[:, 1 : k + 1]
    on_map = np.argsort(drawn, axis=1)[:, 1 : k + 1]
    return {
        "data_neighbours": in_data,
        "map_neighbours": on_map,
        "map_ranks": np.take_along_axis(drawn, in_data, axis=1),
        "data_ranks": np.take_along_axis(data, on_map, axis=1),
    }


def assert_exact(
    values: Floats, positions: Floats, k: int = 50, periods: tuple[float, ...] = ()
) -> None:
    periods = periods or (np.inf,) * positions.shape[1]
    found = neighbour_ranks(values, positions, periods, k)
    for name, wanted in expected(values, positions, periods, k).items():
        np.testing.assert_array_equal(getattr(found, name), wanted, err_msg=name)


def normal(n: int, d: int, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).normal(size=(n, d))


HARD = {
    "a map like the data": (normal(700, 20), normal(700, 20)[:, :2] + 0.1 * normal(700, 2, 1)),
    "a random map": (normal(700, 20), normal(700, 2, 1)),
    "the map is the data": (normal(500, 2), normal(500, 2)),
    "far from zero": (normal(600, 20) + 1e6, normal(600, 20)[:, :2]),
    "so far that digits are lost": (normal(600, 20) + 1e9, normal(600, 20)[:, :2]),
    "small integers": (
        np.random.default_rng(0).integers(0, 3, size=(600, 6)).astype(float),
        np.random.default_rng(1).integers(0, 12, size=(600, 2)).astype(float),
    ),
    "copies": (np.repeat(normal(200, 20), 4, axis=0), np.repeat(normal(200, 2), 4, axis=0)),
    "items on nodes": (normal(700, 20), np.round(normal(700, 20)[:, :2] * 3)),
    "an outlier": (normal(500, 10) * np.r_[1e4, np.ones(499)][:, None], normal(500, 2)),
    "heavy tails": (
        np.random.default_rng(0).standard_cauchy((800, 10)),
        np.random.default_rng(1).standard_cauchy((800, 2)),
    ),
    "most items in one spot": (
        normal(400, 8) * np.r_[np.ones(20), np.full(380, 1e-40)][:, None],
        normal(400, 2),
    ),
    "wide": (normal(300, 2000), normal(300, 2)),
    "all on one spot of the map": (normal(300, 5), np.zeros((300, 2))),
    "all the same in the data": (np.ones((300, 5)), normal(300, 2)),
    "a line": (normal(300, 5), normal(300, 1)),
    "space": (normal(300, 5), normal(300, 5)[:, :3]),
    "five axes": (normal(300, 6), normal(300, 5)),
    "tiny numbers": (normal(300, 5) * 1e-120, normal(300, 2) * 1e-120),
    "huge numbers": (normal(300, 5) * 1e120, normal(300, 2) * 1e120),
}


@pytest.mark.parametrize("name", HARD)
def test_that_neighbours_and_ranks_are_exact(name: str) -> None:
    values, positions = HARD[name]
    assert_exact(values, positions)


@pytest.mark.parametrize("n_items", [2, 3, 31, 32, 33, 64, 65, 129])
def test_that_all_others_can_be_neighbours(n_items: int) -> None:
    assert_exact(normal(n_items, 4), normal(n_items, 2, 1), n_items - 1)


@pytest.mark.parametrize("share", [0.02, 0.3])
def test_that_blanks_are_measured_on_what_both_know(share: float) -> None:
    values = normal(300, 12)
    values[np.random.default_rng(3).random(values.shape) < share] = np.nan
    values[0] = np.nan
    values[0, 0] = 1.0
    values[1:40, 0] = np.nan  # share nothing with the first item: farther than all others
    assert_exact(values, normal(300, 2, 1))


def test_that_a_torus_goes_the_short_way_round() -> None:
    positions = np.random.default_rng(0).uniform(0.0, [10.0, 6.0], size=(400, 2))
    assert_exact(normal(400, 6), positions, 50, (10.0, 6.0))
    assert_exact(normal(400, 6), np.round(positions) % [10.0, 6.0], 50, (10.0, 6.0))


@settings(max_examples=60, deadline=None)
@given(
    n_items=st.integers(3, 90),
    n_features=st.integers(1, 7),
    step=st.sampled_from([0.0, 0.25, 1.0]),
    seed=st.integers(0, 10_000),
    data=st.data(),
)
def test_that_any_table_is_ranked_exactly(
    n_items: int, n_features: int, step: float, seed: int, data: st.DataObject
) -> None:
    values, positions = normal(n_items, n_features, seed), normal(n_items, 2, seed + 1)
    if step:  # ties
        values, positions = np.round(values / step) * step, np.round(positions / step) * step
    assert_exact(values, positions, data.draw(st.integers(1, n_items - 1)))


def test_that_ranks_do_not_depend_on_the_number_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    values, positions = normal(2500, 10), normal(2500, 10)[:, :2]
    many = neighbour_ranks(values, positions, PLANE, 20)
    monkeypatch.setattr(parallel, "n_cores", lambda: 1)
    one = neighbour_ranks(values, positions, PLANE, 20)
    for name in vars(many):
        np.testing.assert_array_equal(getattr(one, name), getattr(many, name))


def test_that_exchanged_ranks_are_those_of_map_and_data_in_each_others_place() -> None:
    values, positions = normal(300, 2), np.round(normal(300, 2, 1), 1)
    there = neighbour_ranks(values, positions, PLANE, 30).exchanged
    back = neighbour_ranks(positions, values, PLANE, 30)
    for name in vars(back):
        np.testing.assert_array_equal(getattr(there, name), getattr(back, name))


def test_that_ranks_cannot_be_written_to() -> None:
    found: Ranks = neighbour_ranks(normal(10, 3), normal(10, 2), PLANE, 3)
    with pytest.raises(ValueError, match="read-only"):
        found.map_ranks[0, 0] = 1


def test_that_no_table_of_all_pairs_is_made() -> None:
    n_items = 6000
    values, positions = normal(n_items, 10), normal(n_items, 2, 1)
    tracemalloc.start()
    neighbour_ranks(values, positions, PLANE, 10)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    rows = 2 * parallel.n_cores() * MOST_ROWS * n_items * 4
    assert peak < rows + 400 * n_items * 8
    assert peak < n_items**2 * 4


def test_that_many_cores_share_the_room_for_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    values, positions = normal(700, 5), normal(700, 2, 1)
    monkeypatch.setattr(ranks_module, "ROWS_BYTES", 2**20)
    few = neighbour_ranks(values, positions, PLANE, 20)
    monkeypatch.setattr(ranks_module, "n_cores", lambda: 10_000)
    single = neighbour_ranks(values, positions, PLANE, 20)
    for name, wanted in expected(values, positions, PLANE, 20).items():
        np.testing.assert_array_equal(getattr(few, name), wanted)
        np.testing.assert_array_equal(getattr(single, name), wanted)


@pytest.mark.parametrize("factor", [2.0**-1000, 2.0**1020])
def test_that_ranks_do_not_depend_on_the_unit(factor: float) -> None:
    values, positions = normal(200, 3), normal(200, 2, 1)
    found = neighbour_ranks(values * factor, positions * factor, PLANE, 20)
    for name, wanted in expected(values, positions, PLANE, 20).items():
        np.testing.assert_array_equal(getattr(found, name), wanted)


def test_that_many_items_may_all_be_the_same() -> None:
    n_items = 8500
    found = neighbour_ranks(np.zeros((n_items, 3)), normal(n_items, 2), PLANE, 3)
    first = np.tile(np.arange(3), (n_items, 1))
    first[:3] = [[1, 2, 3], [0, 2, 3], [0, 1, 3]]
    np.testing.assert_array_equal(found.data_neighbours, first)
    own = np.arange(n_items)[:, None]
    ranks = found.map_neighbours + (found.map_neighbours < own)
    np.testing.assert_array_equal(found.data_ranks, ranks)
