"""The order of rows and columns of a heat map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist

from tests.maps.results import matrix_of, result_of
from tests.place.maps import items_near, smooth_map
from tests.structures import every_structure
from ximstudio.explore import row_order
from ximstudio.explore.row_order import (
    MOST_ROWS,
    along_curve,
    apart,
    by_clustering,
    by_label,
    by_map,
    linked,
    tree_of,
)
from ximstudio.kernels.parallel import checking
from ximstudio.model import Grid, PrototypeMap, UserError
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.directions import directions
from ximstudio.model.distances import distances_between
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


class TooLongError(Exception):
    """A person wants no more."""


def some_values(n_rows: int = 40, *, blanks: bool = False, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    values = 50.0 + rng.normal(size=(n_rows, 7))
    if blanks:
        values[rng.random(values.shape) < 0.2] = np.nan
    return np.asarray(values)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_distances_are_those_of_the_model(blanks: bool) -> None:
    values = some_values(blanks=blanks)
    pairs = np.triu_indices(len(values), 1)
    shapes = directions(values, centred=True)
    np.testing.assert_allclose(
        apart(values),
        np.minimum(distances_between(shapes, *pairs), 2.0),
        atol=1e-7,
    )


def test_that_correlation_is_that_of_numpy_and_constant_rows_have_none() -> None:
    values = some_values(6)
    alike = np.asarray(np.corrcoef(values))[np.triu_indices(6, 1)]
    expected = np.sqrt(np.maximum(2.0 - 2.0 * alike, 0.0))
    np.testing.assert_allclose(apart(values), expected, atol=1e-7)
    values[0] = 3.0
    np.testing.assert_allclose(apart(values)[:5], np.sqrt(2.0))


def test_that_rows_without_a_common_column_do_not_correlate() -> None:
    blank = np.nan
    values = np.array([[0.0, 1.0, blank, blank], [blank, blank, 0.0, 1.0], [4.0, 1.0, 2.0, 3.0]])
    table = apart(np.vstack([values, np.full(4, blank)]))
    assert np.isfinite(table).all()
    np.testing.assert_allclose(table[[0, 2, 4, 5]], np.sqrt(2.0))


@pytest.mark.parametrize("n_rows", [2, 3, 50, 400])
def test_that_merges_are_those_of_scipy(n_rows: int) -> None:
    table = pdist(some_values(n_rows))
    expected: Floats = np.asarray(hierarchy.linkage(table, "average"), dtype=np.float64)
    np.testing.assert_allclose(linked(table), expected)


def length(order: Ints, values: Floats) -> float:
    """Sum of the distances between neighbours."""
    return float(np.linalg.norm(np.diff(values[order], axis=0), axis=1).sum())


@pytest.mark.parametrize("n_rows", [40, 400])
def test_that_neighbours_in_the_order_are_nearer_than_in_scipy_s_plain_one(n_rows: int) -> None:
    # Of directions, whose distances are those of the correlation.
    values = directions(some_values(n_rows), centred=True)
    tree = tree_of(values)
    assert sorted(tree.order.tolist()) == list(range(n_rows))
    plain = hierarchy.leaves_list(tree.merges).astype(np.int64)
    assert length(tree.order, values) < length(plain, values)


@given(st.integers(0, 12), st.booleans())
def test_that_no_branches_cross(n_rows: int, optimal: bool) -> None:
    values = some_values(n_rows, seed=n_rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_order, "MOST_OPTIMAL", 300 if optimal else 0)
        tree = tree_of(values)
    places = {row: place for place, row in enumerate(tree.order.tolist())}
    members = {row: [row] for row in range(n_rows)}
    for merge, (j, k) in enumerate(tree.merges[:, :2].astype(int).tolist()):
        members[n_rows + merge] = members[j] + members[k]
        inside = sorted(places[row] for row in members[n_rows + merge])
        assert inside == list(range(inside[0], inside[-1] + 1))
    assert tree.lines.shape == (3 * max(n_rows - 1, 0), 2, 2)


def test_that_the_lines_of_a_tree_of_three_are_drawn_by_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(row_order, "apart", pdist)
    tree = tree_of(np.array([[0.0], [10.0], [1.0]]))
    order = tree.order.tolist()
    assert order in ([1, 0, 2], [1, 2, 0], [0, 2, 1], [2, 0, 1])
    low, high = sorted((order.index(0), order.index(2)))
    other = float(order.index(1))
    first, second = tree.lines.reshape(2, 3, 2, 2)
    assert first[1].tolist() == [[low, 1.0], [high, 1.0]]
    assert (first[[0, 2]].reshape(-1, 2).min(axis=0) == [low, 0.0]).all()
    middle, top = 0.5 * (low + high), 9.5
    assert sorted(map(tuple, second[1].tolist())) == sorted([(middle, top), (other, top)])
    ends = {tuple(end) for line in second[[0, 2]].tolist() for end in line}
    assert ends == {(middle, 1.0), (middle, top), (other, 0.0), (other, top)}


def test_that_too_many_rows_are_refused_with_a_way_out() -> None:
    with pytest.raises(UserError) as refused:
        tree_of(np.zeros((MOST_ROWS + 1, 1)))
    assert refused.value.keys == ("order.too_many",)


def test_that_a_person_may_end_it() -> None:
    def check() -> None:
        raise TooLongError

    with checking(check), pytest.raises(TooLongError):
        tree_of(some_values())
