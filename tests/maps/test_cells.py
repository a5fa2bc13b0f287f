"""Positions of drawn nodes, and the node at a point."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import twins
from tests.model.test_grid import grids
from tests.place.maps import FLAT_GRIDS, TORI
from ximstudio.maps.box import Box
from ximstudio.maps.cells import (
    bounds,
    cell_corners,
    cells,
    neighbours,
    node_at,
    shifted,
    shifted_positions,
    tiles,
    walked,
)
from ximstudio.model import Grid, Lattice, UserError

every_grid = pytest.mark.parametrize("grid", [*FLAT_GRIDS, *TORI], ids=str)


@st.composite
def moves(draw: st.DrawFn) -> tuple[Grid, int, int]:
    """A torus, and how far it is moved down and to the right."""
    grid = draw(grids().filter(lambda grid: grid.toroidal))
    rows, columns = draw(st.integers(-8, 8)), draw(st.integers(-8, 8))
    return grid, rows, columns


def nearest_node(grid: Grid, x: float, y: float) -> int:
    """The node nearest to a point, by looking at all; −1 if one that is not there were nearer."""
    ring = 3
    distances: list[tuple[float, int]] = []
    height = np.sqrt(3.0) / 2.0 if grid.lattice is Lattice.HEXAGONAL else 1.0
    for row in range(-ring, grid.rows + ring):
        for column in range(-ring, grid.columns + ring):
            shift = 0.5 if grid.lattice is Lattice.HEXAGONAL and row % 2 else 0.0
            inside = 0 <= row < grid.rows and 0 <= column < grid.columns
            node = row % grid.rows * grid.columns + column % grid.columns
            if not grid.toroidal and not inside:
                node = -1
            distances.append(((x - column - shift) ** 2 + (y - row * height) ** 2, node))
    distances.sort()
    assume(distances[1][0] - distances[0][0] > 1e-9)
    return distances[0][1]


# Cells --------------------------------------------------------------------------------------------


@every_grid
def test_that_a_cell_lies_around_its_node_and_all_touch_the_bounds(grid: Grid) -> None:
    corners = cells(grid)
    np.testing.assert_allclose(corners.mean(axis=1), grid.nodes, atol=1e-12)
    box = bounds(grid)
    assert box == pytest.approx(
        Box(
            left=corners[..., 0].min(),
            top=corners[..., 1].min(),
            right=corners[..., 0].max(),
            bottom=corners[..., 1].max(),
        )
    )


@given(grids())
def test_that_neighbours_share_the_edge_they_are_listed_for(grid: Grid) -> None:
    table, corners = neighbours(grid), cell_corners(grid)
    pairs = {
        (min(node, other), max(node, other))
        for node, others in enumerate(table.tolist())
        for other in others
        if other not in (-1, node)
    }
    assert pairs == {tuple(edge) for edge in grid.edges.tolist()}
    middles = (corners + np.roll(corners, -1, axis=0)) / 2.0
    beyond = grid.nodes[:, None, :] + 1.1 * middles
    np.testing.assert_array_equal(node_at(grid, beyond[..., 0], beyond[..., 1]), table)


@given(grids(), st.data())
def test_that_walking_one_step_and_back_leads_home(grid: Grid, data: st.DataObject) -> None:
    node = data.draw(st.integers(0, grid.n_nodes - 1))
    rows, columns = data.draw(st.sampled_from([(0, 1), (0, -1), (1, 0), (-1, 0)]))
    there = walked(grid, node, rows=rows, columns=columns)
    assert there == node or there in neighbours(grid)[node]
    if there != node:
        assert walked(grid, there, rows=-rows, columns=-columns) == node
    if grid.toroidal and min(grid.rows, grid.columns) > 1:
        assert there != node


# What lies under a point --------------------------------------------------------------------------


@given(grids(), st.floats(-3.0, 13.0), st.floats(-3.0, 13.0))
def test_that_the_cell_around_a_point_is_that_of_the_nearest_node(
    grid: Grid, x: float, y: float
) -> None:
    box = bounds(grid)
    x, y = min(x, box.right + 1.0), min(y, box.bottom + 1.0)
    x, y = max(x, box.left - 1.0), max(y, box.top - 1.0)
    assert node_at(grid, x, y) == nearest_node(grid, x, y)


@every_grid
def test_that_a_whole_image_of_points_is_right(grid: Grid) -> None:
    box = bounds(grid)
    x = np.linspace(box.left - 1.0, box.right + 1.0, 67)
    y = np.linspace(box.top - 1.0, box.bottom + 1.0, 53)[:, None]
    found = node_at(grid, x, y)
    assert found.shape == (53, 67)
    if grid.toroidal:
        places, periods = twins.node_places(grid), twins.periods(grid)
        wrapped = []
        for points, nodes, period in zip((x, y[:, 0]), places.T, periods, strict=True):
            apart = np.subtract.outer(points, nodes)
            wrapped.append((apart - period * np.round(apart / period)) ** 2)
        squares = wrapped[0][None, :, :] + wrapped[1][:, None, :]
        chosen = np.take_along_axis(squares, found[..., None], axis=2)[..., 0]
        np.testing.assert_allclose(chosen, squares.min(axis=2), atol=1e-9)
    else:
        assert set(np.unique(found)) == {-1, *range(grid.n_nodes)}
        assert (found[[0, -1]] == -1).all()
        assert (found[:, [0, -1]] == -1).all()


@given(grids())
def test_that_every_cell_is_its_nodes_up_to_its_corners(grid: Grid) -> None:
    np.testing.assert_array_equal(node_at(grid, *grid.nodes.T), np.arange(grid.n_nodes))
    inner = grid.nodes[:, None, :] + 0.999 * cell_corners(grid)
    found = node_at(grid, inner[..., 0], inner[..., 1])
    np.testing.assert_array_equal(found, np.arange(grid.n_nodes)[:, None] + 0 * found)


@every_grid
def test_that_points_that_are_nowhere_have_no_node(grid: Grid) -> None:
    nowhere = np.array([np.nan, np.inf, -np.inf, 1e300])
    assert node_at(grid, nowhere, 0.0).tolist() == [-1] * 4
    assert node_at(grid, 0.0, nowhere).tolist() == [-1] * 4


# Tori, moved and repeated -------------------------------------------------------------------------


@given(moves())
def test_that_moving_a_torus_moves_every_value_by_rows_and_columns(
    move: tuple[Grid, int, int],
) -> None:
    grid, rows, columns = move
    assume(grid.lattice is not Lattice.HEXAGONAL or rows % 2 == 0)
    values = np.random.default_rng(0).normal(size=(grid.n_nodes, 2))
    found = shifted(grid, values, rows, columns)
    for node in range(grid.n_nodes):
        target = walked(grid, node, rows=rows, columns=columns)
        np.testing.assert_array_equal(found[target], values[node])
    np.testing.assert_array_equal(shifted(grid, found, -rows, -columns), values)


@given(moves())
def test_that_items_move_with_the_nodes_they_lie_on(move: tuple[Grid, int, int]) -> None:
    grid, rows, columns = move
    moved = shifted_positions(grid, grid.nodes, rows, columns)
    expected = shifted(grid, np.arange(grid.n_nodes), rows, columns)
    np.testing.assert_array_equal(expected[node_at(grid, *moved.T)], np.arange(grid.n_nodes))
    origin, periods = np.array(grid.origin), np.array(grid.periods)
    assert (moved >= origin - 1e-9).all()
    assert (moved <= origin + periods + 1e-9).all()


@given(moves(), st.integers(0, 4))
def test_that_tiles_side_by_side_are_neighbours_on_the_torus(
    move: tuple[Grid, int, int], beyond: int
) -> None:
    grid, rows, columns = move
    drawn = tiles(grid, rows=rows, columns=columns, beyond=beyond)
    assert len(drawn.nodes) == (grid.rows + 2 * beyond) * (grid.columns + 2 * beyond)
    apart = ((drawn.places[:, None] - drawn.places[None]) ** 2).sum(axis=2)
    left, right = np.nonzero(np.isclose(apart, 1.0))
    true = twins.map_distances(grid)[drawn.nodes[left], drawn.nodes[right]]
    same = drawn.nodes[left] == drawn.nodes[right]
    np.testing.assert_allclose(true[~same], 1.0, atol=1e-9)
    assert not same.any() or min(grid.rows, grid.columns) == 1
    np.testing.assert_array_equal(drawn.node_at(*drawn.places.T), drawn.nodes)


@given(moves())
def test_that_tiles_show_shifted_values_and_repeat_them_beyond(
    move: tuple[Grid, int, int],
) -> None:
    grid, rows, columns = move
    values = np.random.default_rng(0).normal(size=grid.n_nodes)
    drawn = tiles(grid, rows=rows, columns=columns, beyond=2)
    inside = ~drawn.repeated
    expected = shifted(grid, values, rows, columns)
    np.testing.assert_array_equal(values[drawn.nodes[inside]], expected)
    np.testing.assert_allclose(drawn.places[inside], grid.nodes)
    once_more = node_at(grid, *drawn.places.T)
    np.testing.assert_array_equal(values[drawn.nodes], expected[once_more])


@every_grid
def test_that_every_map_is_drawn_once_as_it_is(grid: Grid) -> None:
    drawn = tiles(grid)
    np.testing.assert_array_equal(drawn.nodes, np.arange(grid.n_nodes))
    np.testing.assert_allclose(drawn.places, grid.nodes)
    np.testing.assert_allclose(drawn.cells, cells(grid))
    assert not drawn.repeated.any()
    assert drawn.bounds == bounds(grid)
    box = drawn.bounds
    assert drawn.node_at([box.left - 0.1, box.right + 0.1], 0.0).tolist() == [-1, -1]
    assert drawn.node_at(0.0, [box.top - 0.1, box.bottom + 0.1]).tolist() == [-1, -1]


@pytest.mark.parametrize("grid", FLAT_GRIDS, ids=str)
def test_that_a_map_with_borders_is_neither_moved_nor_repeated(grid: Grid) -> None:
    for rows, columns, beyond in ((2, 0, 0), (0, 1, 0), (0, 0, 1)):
        with pytest.raises(UserError) as refused:
            tiles(grid, rows=rows, columns=columns, beyond=beyond)
        assert refused.value.keys == ("map.flat",)
    np.testing.assert_array_equal(shifted(grid, np.arange(grid.n_nodes), 0, 0), tiles(grid).nodes)


def test_that_a_honeycomb_moved_by_an_odd_number_of_rows_goes_half_a_column_on() -> None:
    grid = Grid(4, 5, Lattice.HEXAGONAL, toroidal=True)
    moved = shifted(grid, np.arange(20), 1, 0).reshape(4, 5)
    # From even rows straight down, from odd ones down and one to the right.
    np.testing.assert_array_equal(moved[1], [0, 1, 2, 3, 4])
    np.testing.assert_array_equal(moved[2], [9, 5, 6, 7, 8])
    np.testing.assert_array_equal(moved[0], [19, 15, 16, 17, 18])
    np.testing.assert_array_equal(
        shifted(grid, moved.ravel(), -1, -1), shifted(grid, np.arange(20), 0, 0)
    )
    assert tiles(Grid(4, 5, toroidal=True), rows=1).nodes[5] == 0


# Outlines -----------------------------------------------------------------------------------------


@given(grids(), st.data())
def test_that_lines_are_drawn_where_a_set_of_nodes_ends(grid: Grid, data: st.DataObject) -> None:
    chosen = np.array(
        data.draw(st.lists(st.booleans(), min_size=grid.n_nodes, max_size=grid.n_nodes))
    )
    lines = tiles(grid).outline(chosen)
    found = Counter(tuple(line) for line in np.round(lines.mean(axis=1), 6).tolist())
    expected: Counter[tuple[float, ...]] = Counter()
    corners = cells(grid)
    for node, others in enumerate(neighbours(grid).tolist()):
        for edge, other in enumerate(others):
            if chosen[node] and (other == -1 or not chosen[other]):
                ends = corners[node, [edge, (edge + 1) % len(others)]]
                expected[tuple(np.round(ends.mean(axis=0), 6).tolist())] += 1
    assert found == expected


def test_that_a_block_of_squares_has_its_perimeter_as_outline() -> None:
    chosen = np.zeros((5, 6), dtype=np.bool_)
    chosen[1:3, 2:5] = True
    lines = tiles(Grid(5, 6)).outline(chosen.ravel())
    lengths = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
    assert lengths.sum() == pytest.approx(10.0)
    assert lines.reshape(-1, 2).min(axis=0).tolist() == [1.5, 0.5]
    assert lines.reshape(-1, 2).max(axis=0).tolist() == [4.5, 2.5]


@pytest.mark.parametrize("grid", TORI, ids=str)
def test_that_the_outline_is_open_where_a_torus_goes_on(grid: Grid) -> None:
    every = np.ones(grid.n_nodes, dtype=np.bool_)
    assert len(tiles(grid).outline(every)) == 0
    row = np.arange(grid.n_nodes) // grid.columns == 2
    lines = tiles(grid).outline(row)
    sides = 1 if grid.lattice is Lattice.RECTANGULAR else 2
    assert len(lines) == 2 * sides * grid.columns
