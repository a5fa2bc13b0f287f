"""The lattice: places, distances and neighbours, at borders and across seams."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import twins
from ximstudio.model import Grid, Lattice


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    kind, toroidal = draw(st.sampled_from(twins.FLAT)), draw(st.booleans())
    rows, columns = draw(st.integers(1, 10)), draw(st.integers(1, 10))
    if toroidal and kind is Lattice.HEXAGONAL:
        rows = 2 * ((rows + 1) // 2)
    return Grid(rows, columns, kind, toroidal)


def degrees(grid: Grid) -> list[int]:
    """How many neighbours every node has."""
    counted = np.bincount(grid.edges.ravel(), minlength=grid.n_nodes)
    return [int(count) for count in counted]


@given(grids())
def test_that_nodes_lie_row_by_row(grid: Grid) -> None:
    np.testing.assert_allclose(grid.nodes, twins.node_places(grid), atol=1e-12)
    assert grid.n_nodes == grid.rows * grid.columns == len(grid.nodes)
    assert grid.longer_side == max(grid.rows, grid.columns)


@given(grids())
def test_that_distances_are_the_least_over_all_images(grid: Grid) -> None:
    nodes = np.arange(grid.n_nodes)
    np.testing.assert_allclose(
        grid.squared_distances(nodes, nodes), twins.map_distances(grid), atol=1e-9
    )


@given(grids(), st.data())
def test_that_distances_between_some_nodes_are_a_piece_of_all(
    grid: Grid, data: st.DataObject
) -> None:
    some = st.lists(st.integers(0, grid.n_nodes - 1), min_size=1, max_size=5)
    origins, targets = np.array(data.draw(some)), np.array(data.draw(some))
    expected = twins.map_distances(grid)[np.ix_(origins, targets)]
    np.testing.assert_allclose(grid.squared_distances(origins, targets), expected, atol=1e-9)


@given(grids())
def test_that_edges_join_exactly_the_nodes_one_unit_apart(grid: Grid) -> None:
    assert {tuple(edge) for edge in grid.edges.tolist()} == {
        tuple(pair) for pair in twins.neighbour_pairs(grid).tolist()
    }
    lengths = twins.map_distances(grid)[grid.edges[:, 0], grid.edges[:, 1]]
    np.testing.assert_allclose(lengths, 1.0, atol=1e-12)


def test_that_every_node_of_a_torus_has_all_its_neighbours() -> None:
    assert set(degrees(Grid(5, 7, toroidal=True))) == {4}
    assert set(degrees(Grid(6, 7, Lattice.HEXAGONAL, toroidal=True))) == {6}
    assert set(degrees(Grid(4, 3, Lattice.HEXAGONAL, toroidal=True))) == {6}


def test_that_borders_of_a_rectangle_have_fewer_neighbours() -> None:
    rows, columns = 4, 5
    counted = degrees(Grid(rows, columns))
    for j, (row, column) in enumerate(product(range(rows), range(columns))):
        assert counted[j] == 4 - (row in {0, rows - 1}) - (column in {0, columns - 1})


def test_that_inner_nodes_of_a_honeycomb_have_six_neighbours_and_corners_two_or_three() -> None:
    rows, columns = 5, 6
    counted = np.array(degrees(Grid(rows, columns, Lattice.HEXAGONAL))).reshape(rows, columns)
    assert (counted[1:-1, 1:-1] == 6).all()
    assert (counted[0, 1:-1] == 4).all()
    assert (counted[-1, 1:-1] == 4).all()
    # An even row begins further left: its first node has no neighbour before it, above or below.
    assert counted[1:-1, 0].tolist() == [5, 3, 5]
    assert counted[1:-1, -1].tolist() == [3, 5, 3]
    assert [counted[0, 0], counted[0, -1], counted[-1, 0], counted[-1, -1]] == [2, 3, 2, 3]


def test_that_the_neighbours_of_one_hexagonal_node_are_the_right_ones() -> None:
    grid = Grid(4, 4, Lattice.HEXAGONAL)
    edges = grid.edges

    def around(row: int, column: int) -> set[tuple[int, int]]:
        j = row * 4 + column
        near = [*edges[edges[:, 0] == j, 1].tolist(), *edges[edges[:, 1] == j, 0].tolist()]
        return {divmod(k, 4) for k in near}

    assert around(1, 1) == {(1, 0), (1, 2), (0, 1), (0, 2), (2, 1), (2, 2)}
    assert around(2, 1) == {(2, 0), (2, 2), (1, 0), (1, 1), (3, 0), (3, 1)}


def test_that_a_torus_joins_first_and_last_columns_and_rows() -> None:
    edges = {tuple(edge) for edge in Grid(3, 4, toroidal=True).edges.tolist()}
    assert (0, 3) in edges
    assert (0, 8) in edges
    assert (3, 11) in edges
    flat = {tuple(edge) for edge in Grid(3, 4).edges.tolist()}
    assert not flat & {(0, 3), (0, 8), (3, 11)}


@given(grids())
def test_that_edges_are_sorted_and_listed_once(grid: Grid) -> None:
    pairs = [tuple(edge) for edge in grid.edges.tolist()]
    assert pairs == sorted(set(pairs))
    assert all(j < k for j, k in pairs)
    assert grid.edges.shape == (len(pairs), 2)


@given(grids())
def test_that_only_a_torus_repeats(grid: Grid) -> None:
    if grid.toroidal:
        assert grid.periods == pytest.approx(tuple(twins.periods(grid)))
    else:
        assert grid.periods == (np.inf, np.inf)


def test_that_a_grid_cannot_be_written_to() -> None:
    grid = Grid(3, 3)
    for array in (grid.nodes, grid.edges):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        grid.rows = 4  # type: ignore[misc]


def test_that_equal_grids_are_equal() -> None:
    assert Grid(3, 4) == Grid(3, 4)
    assert Grid(3, 4) != Grid(4, 3)
    assert len({Grid(3, 4), Grid(3, 4), Grid(3, 4, toroidal=True)}) == 2
