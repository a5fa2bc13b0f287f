"""Measures of nodes about their items."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import twins
from tests.place.maps import FLAT_GRIDS, TORI, items_near, rough_map, smooth_map
from ximstudio.measure import nodes
from ximstudio.measure.nodes import (
    BestNodes,
    best_nodes,
    empty_nodes,
    hit_entropy,
    kaski_lagus,
    per_node,
    topographic_errors,
)
from ximstudio.model import Grid, Lattice, PrototypeMap
from ximstudio.model.arrays import Floats

GRIDS = [*FLAT_GRIDS, *TORI]


def distances(model: PrototypeMap, values: Floats) -> Floats:
    """Of all items to all prototypes, one by one."""
    return np.sqrt([twins.data_distances(x, model.prototypes) for x in values])


def best_of(model: PrototypeMap, values: Floats) -> BestNodes:
    return best_nodes(model, values, distances(model, values).argmin(axis=1))


def line(*places: float) -> PrototypeMap:
    """A row of nodes with prototypes on a line."""
    return PrototypeMap(grid=Grid(1, len(places)), prototypes=np.array(places)[:, None])


def shortest_paths(model: PrototypeMap) -> Floats:
    """Lengths of the shortest ways between all nodes, by Floyd's rule."""
    n_nodes = model.grid.n_nodes
    lengths = np.full((n_nodes, n_nodes), np.inf)
    np.fill_diagonal(lengths, 0.0)
    for j, k in twins.neighbour_pairs(model.grid):
        lengths[j, k] = lengths[k, j] = np.linalg.norm(model.prototypes[j] - model.prototypes[k])
    for over in range(n_nodes):
        lengths = np.minimum(lengths, lengths[:, over, None] + lengths[over])
    return lengths


# The best two nodes -------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_that_the_best_two_nodes_are_those_of_the_nearest_prototypes(
    grid: Grid, blanks: bool, offset: float
) -> None:
    model = rough_map(grid, offset=offset)
    values = items_near(model, blanks=blanks)
    every = distances(model, values)
    order = np.argsort(every, axis=1)
    found = best_nodes(model, values, order[:, 0])
    np.testing.assert_array_equal(found.seconds, order[:, 1])
    np.testing.assert_allclose(found.distances, np.sort(every, axis=1)[:, 0], rtol=1e-12)
    np.testing.assert_allclose(found.second_distances, np.sort(every, axis=1)[:, 1], rtol=1e-12)


def test_that_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    model = rough_map(Grid(6, 9))
    values = items_near(model, blanks=True)
    whole = best_of(model, values)
    long_ways = kaski_lagus(model, whole)
    monkeypatch.setattr(nodes, "DISTANCES", 7 * 54)
    monkeypatch.setattr(nodes, "PATHS", 5 * 54)
    parts = best_of(model, values)
    for name, array in vars(whole).items():
        np.testing.assert_array_equal(getattr(parts, name), array)
    np.testing.assert_array_equal(kaski_lagus(model, parts), long_ways)


def test_that_the_given_winner_stays_the_winner() -> None:
    found = best_nodes(line(0.0, 1.0, 5.0), np.array([[0.5]]), np.array([1]))
    assert (found.winners[0], found.seconds[0]) == (1, 0)


def test_that_of_prototypes_in_one_place_one_is_the_second() -> None:
    found = best_nodes(line(2.0, 0.0, 0.0), np.array([[0.0]]), np.array([1]))
    assert (found.winners[0], found.seconds[0]) == (1, 2)
    assert (found.distances[0], found.second_distances[0]) == (0.0, 0.0)


def test_that_a_single_node_is_best_and_second_and_never_astray() -> None:
    model = line(3.0)
    found = best_of(model, np.array([[1.0], [3.5]]))
    assert found.seconds.tolist() == [0, 0]
    assert found.distances.tolist() == found.second_distances.tolist() == [2.0, 0.5]
    assert topographic_errors(model.grid, found).tolist() == [0.0, 0.0]
    assert kaski_lagus(model, found).tolist() == [2.0, 0.5]


# Topographic error --------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_that_items_are_astray_whose_best_two_nodes_are_more_than_one_step_apart(
    grid: Grid,
) -> None:
    model = rough_map(grid)
    found = best_of(model, items_near(model, 200))
    apart = twins.map_distances(grid)[found.winners, found.seconds]
    errors = topographic_errors(grid, found)
    np.testing.assert_array_equal(errors, ~np.isclose(apart, 1.0))
    assert 0.0 < errors.mean() < 1.0


@pytest.mark.parametrize(("toroidal", "error"), [(False, 1.0), (True, 0.0)])
def test_that_neighbours_across_a_seam_are_neighbours(toroidal: bool, error: float) -> None:
    angles = 2.0 * np.pi * np.arange(8) / 8.0
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    model = PrototypeMap(grid=Grid(1, 8, toroidal=toroidal), prototypes=ring)
    between = ring[[0]] + 0.9 * (ring[[7]] - ring[[0]])
    assert topographic_errors(model.grid, best_of(model, between)).tolist() == [error]


@pytest.mark.parametrize(("lattice", "error"), [(Lattice.RECTANGULAR, 1.0), (Lattice.HEXAGONAL, 0)])
def test_that_a_honeycomb_has_neighbours_where_squares_touch_at_a_corner(
    lattice: Lattice, error: float
) -> None:
    # Node 1 lies at the end of the first row, node 2 at the beginning of the next.
    model = PrototypeMap(grid=Grid(2, 2, lattice), prototypes=np.array([[9.0], [0], [1], [9]]))
    assert topographic_errors(model.grid, best_of(model, np.array([[0.4]]))).tolist() == [error]


def test_that_a_flat_sheet_has_no_topographic_error() -> None:
    grid = Grid(7, 8)
    model = PrototypeMap(grid=grid, prototypes=grid.nodes)
    items = np.random.default_rng(0).uniform(0.0, 6.0, (100, 2))
    assert topographic_errors(grid, best_of(model, items)).sum() == 0.0


# Kaski and Lagus ----------------------------------------------------------------------------------


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("make", [rough_map, smooth_map])
@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_that_the_way_to_the_second_node_is_the_shortest_along_the_map(
    grid: Grid, make: Callable[[Grid], PrototypeMap], blanks: bool
) -> None:
    model = make(grid)
    found = best_of(model, items_near(model, blanks=blanks))
    ways = shortest_paths(model)[found.winners, found.seconds]
    np.testing.assert_allclose(kaski_lagus(model, found), found.distances + ways, rtol=1e-12)


def test_that_the_way_round_a_fold_counts() -> None:
    # Up a street of length 10 and down the next, 1 apart: neighbours by sight, not by foot.
    street = np.array([[0, 0], [0, 5], [0, 10], [1, 10], [1, 5], [1, 0]], dtype=np.float64)
    model = PrototypeMap(grid=Grid(1, 6), prototypes=street)
    found = best_of(model, np.array([[0.25, 0.0], [0.25, 10.0]]))
    np.testing.assert_allclose(kaski_lagus(model, found), [0.25 + 21.0, 0.25 + 1.0])


def test_that_steps_between_equal_prototypes_are_free() -> None:
    model = line(0.0, 7.0, 7.0, 7.0, 1.0)
    found = best_of(model, np.array([[0.25]]))
    assert kaski_lagus(model, found).tolist() == [0.25 + 7.0 + 6.0]


# Hits ---------------------------------------------------------------------------------------------


def test_that_even_hits_have_entropy_1_and_hits_on_one_node_0() -> None:
    assert hit_entropy(np.repeat(np.arange(4), 5), 4) == pytest.approx(1.0, abs=1e-15)
    assert hit_entropy(np.array([3, 90, 7]), 100) == pytest.approx(1.0, abs=1e-15)
    assert str(hit_entropy(np.full(20, 3), 4)) == "0.0"
    assert hit_entropy(np.zeros(20, dtype=np.int64), 1) == 1.0


def test_that_hit_entropy_is_that_of_the_shares() -> None:
    expected = (0.5 * np.log(2.0) + 2 * 0.25 * np.log(4.0)) / np.log(4.0)
    assert hit_entropy(np.array([0, 0, 5, 2]), 9) == pytest.approx(expected, abs=1e-15)


@given(st.lists(st.integers(0, 11), min_size=2, max_size=40))
def test_that_hit_entropy_lies_between_0_and_1(winners: list[int]) -> None:
    entropy = hit_entropy(np.array(winners), 12)
    assert 0.0 <= entropy <= 1.0 + 1e-12
    assert (entropy == 0.0) == (len(set(winners)) == 1)


def test_that_nodes_without_items_are_counted() -> None:
    assert empty_nodes(np.array([0, 0, 5, 2]), 9) == 6
    assert empty_nodes(np.array([0]), 1) == 0


# Per node -----------------------------------------------------------------------------------------


def test_that_nodes_have_the_mean_of_their_items() -> None:
    means = per_node(np.array([1.0, 4.0, 7.0, 2.0]), np.array([3, 0, 3, 3]), 5)
    np.testing.assert_allclose(means, [4.0, np.nan, np.nan, 10.0 / 3.0, np.nan])


def test_that_items_without_a_value_are_passed_over() -> None:
    means = per_node(np.array([1.0, np.nan, np.nan]), np.array([0, 0, 1]), 2)
    np.testing.assert_array_equal(means, [1.0, np.nan])


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_that_node_means_weighted_by_hits_give_the_mean_over_items(grid: Grid) -> None:
    model = smooth_map(grid)
    found = best_of(model, items_near(model))
    counts = np.bincount(found.winners, minlength=grid.n_nodes)
    for values in (
        found.distances,
        topographic_errors(grid, found),
        kaski_lagus(model, found),
    ):
        means = per_node(values, found.winners, grid.n_nodes)
        np.testing.assert_array_equal(np.isnan(means), counts == 0)
        assert np.nansum(means * counts) / 60 == pytest.approx(values.mean(), rel=1e-12)
