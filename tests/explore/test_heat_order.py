"""The order of rows and columns of a heat map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.maps.results import matrix_of, result_of
from tests.place.maps import items_near, smooth_map
from tests.structures import every_structure
from ximstudio.explore.heat_order import along_curve, by_clustering, by_label, by_map
from ximstudio.model import Grid, PrototypeMap
from ximstudio.train import method_named, train


def test_that_labels_are_in_order_and_blanks_last() -> None:
    assert by_label(["b", "", "A", "a", "b"]).order.tolist() == [2, 3, 0, 4, 1]
    assert by_label(["10", "9", "", "-1"]).order.tolist() == [3, 1, 0, 2]
    assert by_label(["10 min", "9 min", "x", "9 h"]).order.tolist() == [3, 1, 0, 2]
    assert by_label([]).order.tolist() == []


def test_that_a_map_in_rows_is_walked_to_and_fro() -> None:
    grid = Grid(3, 4)
    model = smooth_map(grid)
    matrix = matrix_of(model.prototypes)
    result = result_of(model, matrix)
    assert result.winners is not None
    assert result.winners.tolist() == list(range(12))
    order = by_map(result, np.arange(12)).order
    assert order.tolist() == [0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11]
    some = np.array([7, 2, 9, 4])
    assert some[by_map(result, some).order].tolist() == [2, 7, 4, 9]


@every_structure
def test_that_items_of_a_node_stay_together_and_steps_are_short(grid: Grid) -> None:
    rng = np.random.default_rng(0)
    model = PrototypeMap(grid=grid, prototypes=rng.normal(size=(grid.n_nodes, 7)))
    result = result_of(model, matrix_of(items_near(model, 80)))
    assert result.winners is not None
    order = by_map(result, np.arange(80)).order
    assert sorted(order.tolist()) == list(range(80))
    walked = result.winners[order]
    visits = walked[np.flatnonzero(np.diff(walked, prepend=-1))]
    assert len(set(visits.tolist())) == len(visits)
    steps = np.sqrt(grid.squared_distances(visits[:-1], visits[1:]).diagonal())
    shuffled = rng.permutation(visits)
    by_chance = np.sqrt(grid.squared_distances(shuffled[:-1], shuffled[1:]).diagonal())
    assert steps.mean() < by_chance.mean()


def test_that_a_map_without_nodes_is_ordered_by_positions() -> None:
    rng = np.random.default_rng(0)
    matrix = matrix_of(rng.normal(size=(100, 5)))
    pca = method_named("pca")
    result = train(matrix, pca, pca.params())
    order = by_map(result, np.arange(100)).order
    assert sorted(order.tolist()) == list(range(100))
    steps = np.hypot(*np.diff(result.positions[order], axis=0).T)
    assert steps.mean() < 0.5 * np.hypot(*np.diff(result.positions, axis=0).T).mean()


@given(st.integers(1, 4))
def test_that_the_curve_goes_from_cell_to_neighbouring_cell(bits: int) -> None:
    side = 2**bits
    places = np.array([(x, y) for x in range(side) for y in range(side)], dtype=np.float64)
    walk = places[np.argsort(along_curve(places + 0.0), kind="stable")]
    assert len(np.unique(along_curve(places))) == side**2
    np.testing.assert_allclose(np.abs(np.diff(walk, axis=0)).sum(axis=1), 1.0)


def test_that_the_same_place_is_at_the_same_point_of_the_curve() -> None:
    assert along_curve(np.empty((0, 2))).tolist() == []
    assert along_curve(np.ones((3, 2))).tolist() == [0, 0, 0]


def test_that_rows_of_one_kind_are_together_by_clustering() -> None:
    rng = np.random.default_rng(1)
    shapes = rng.normal(size=(3, 12))
    kinds = rng.integers(0, 3, 60)
    values = shapes[kinds] * rng.uniform(1.0, 5.0, (60, 1)) + 0.05 * rng.normal(size=(60, 12))
    values[rng.random(values.shape) < 0.05] = np.nan
    order = by_clustering(values)
    assert order.tree is not None
    assert (np.diff(kinds[order.order]) != 0).sum() == 2


@pytest.mark.parametrize("n_rows", [0, 1, 2])
def test_that_few_rows_have_an_order(n_rows: int) -> None:
    order = by_clustering(np.ones((n_rows, 3)))
    assert sorted(order.order.tolist()) == list(range(n_rows))


def test_that_what_is_not_a_number_comes_last() -> None:
    assert by_label(["3", "nan", "1", "2"]).order.tolist() == [2, 3, 0, 1]
