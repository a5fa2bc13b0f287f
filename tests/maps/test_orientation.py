"""A map's picture turned: nodes, items and cells go where they would on paper."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.maps.turns import FLIPS, short, turned_grids, turned_table
from tests.structures import every_structure
from ximstudio.maps.box import enclosed
from ximstudio.maps.cells import bounds, shift_way, tiles
from ximstudio.maps.drawn import drawn
from ximstudio.maps.layout import lay_out
from ximstudio.maps.orientation import UNTURNED, Orientation
from ximstudio.maps.sides import borders, drawn_borders
from ximstudio.model import Grid, Lattice, UserError

QUARTERS = {
    90: Orientation(swapped=True, flipped_x=True),
    180: Orientation(flipped_x=True, flipped_y=True),
    270: Orientation(swapped=True, flipped_y=True),
}
"""With the clock, as y grows downwards."""
every_flip = pytest.mark.parametrize("turn", FLIPS, ids=str)


@pytest.mark.parametrize("grid", [Grid(3, 5), Grid(3, 5, toroidal=True)], ids=["flat", "torus"])
@every_flip
def test_that_squares_are_turned_as_their_table_is(grid: Grid, turn: Orientation) -> None:
    table = turned_table(np.arange(15).reshape(3, 5), turn)
    x, y = np.rint(turn.moved(grid.nodes, grid)).astype(np.int64).T
    np.testing.assert_array_equal(table[y, x], np.arange(15))


@pytest.mark.parametrize("angle", QUARTERS)
def test_that_a_quarter_turn_is_a_swap_and_a_flip(angle: int) -> None:
    grid = Grid(4, 6, Lattice.HEXAGONAL)
    places = QUARTERS[angle].moved(grid.nodes, grid)
    way = np.exp(1j * np.deg2rad(angle))
    expected = (grid.nodes @ [1.0, 1j] - grid.nodes.mean(axis=0) @ [1.0, 1j]) * way
    found = (places - places.mean(axis=0)) @ [1.0, 1j]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@given(turned_grids())
def test_that_ways_go_as_the_matrix_says_and_back_with_its_transpose(
    case: tuple[Grid, Orientation],
) -> None:
    grid, turn = case
    ways = np.array([[1.0, 0.0], [0.3, -2.0]])
    begin = turn.turned(np.zeros((1, 2)), grid)
    np.testing.assert_allclose(turn.turned(ways, grid) - begin, ways @ turn.matrix, atol=1e-12)
    np.testing.assert_allclose(ways @ turn.matrix @ turn.matrix.T, ways)


@every_flip
@every_structure
def test_that_the_corner_of_the_picture_stays_where_it_is(grid: Grid, turn: Orientation) -> None:
    before, after = bounds(grid), lay_out(grid, turn=turn).bounds
    assert after[:2] == pytest.approx(before[:2])
    width, height = np.subtract(before[2:], before[:2]).tolist()
    expected = (height, width) if turn.swapped else (width, height)
    assert np.subtract(after[2:], after[:2]).tolist() == pytest.approx(expected)


@given(turned_grids(), st.integers(0, 3))
def test_that_cells_lie_where_their_nodes_are_moved_to(
    case: tuple[Grid, Orientation], beyond: int
) -> None:
    grid, turn = case
    layout = lay_out(grid, turn=turn, beyond=beyond if grid.repeats else 0)
    own = ~layout.repeated
    places = turn.moved(grid.nodes, grid)
    np.testing.assert_allclose(layout.places[own], places[layout.nodes[own]], atol=1e-9)
    np.testing.assert_array_equal(layout.node_at(*layout.places.T), layout.nodes)
    np.testing.assert_array_equal(layout.node_at(*places.T), np.arange(grid.n_nodes))


@given(turned_grids(), st.data())
def test_that_outlines_enclose_turned_nodes(
    case: tuple[Grid, Orientation], data: st.DataObject
) -> None:
    grid, turn = case
    layout = lay_out(grid, turn=turn)
    node = data.draw(st.integers(0, grid.n_nodes - 1))
    (corners,) = layout.corners(node)
    place = turn.moved(grid.nodes[node : node + 1], grid)
    assert enclosed(place, corners).all()
    np.testing.assert_allclose(corners.mean(axis=0), place[0], atol=1e-9)
    alone = np.arange(grid.n_nodes) == node
    ends = layout.outline(alone).reshape(-1, 2)
    apart = np.abs(ends[:, None] - corners).sum(axis=2)
    assert (apart.min(axis=1) < 1e-9).all()


@every_flip
@every_structure
def test_that_every_structure_is_turned_with_its_cells(grid: Grid, turn: Orientation) -> None:
    layout = lay_out(grid, turn=turn)
    places = turn.moved(drawn(grid, grid.nodes), grid)
    np.testing.assert_allclose(layout.places, places, atol=1e-9)
    alone = tiles(grid).node_at(*drawn(grid, grid.nodes).T)
    np.testing.assert_array_equal(layout.node_at(*places.T), alone)
    chosen = np.arange(grid.n_nodes) % 3 == 0
    clusters = chosen.astype(np.int64)
    for lines, before in (
        (layout.outline(chosen), tiles(grid).outline(chosen)),
        (drawn_borders(layout, clusters), borders(grid, clusters)),
    ):
        np.testing.assert_allclose(lines, turn.turned(before, grid), atol=1e-9)


@given(turned_grids(), st.integers(-5, 5), st.integers(-5, 5))
def test_that_a_map_is_moved_by_a_person_and_by_the_turn_before_it_is_turned(
    case: tuple[Grid, Orientation], rows: int, columns: int
) -> None:
    grid, turn = case
    sideways, upright = grid.joined
    rows, columns = rows * upright, columns * sideways
    layout = lay_out(grid, rows=rows, columns=columns, turn=turn)
    expected = turn.moved(grid.nodes + shift_way(grid, rows, columns), grid)
    order = np.argsort(layout.nodes)
    np.testing.assert_allclose(layout.places[order], expected, atol=1e-9)


@pytest.mark.parametrize("turn", [flip for flip in FLIPS if not flip.swapped], ids=str)
@pytest.mark.parametrize("rows", range(4))
def test_that_flips_and_moves_carry_a_round_honeycomb_over_itself(
    turn: Orientation, rows: int
) -> None:
    grid = Grid(6, 5, Lattice.HEXAGONAL, toroidal=True)
    flip = Orientation(flipped_x=turn.flipped_x, flipped_y=turn.flipped_y, rows=rows, columns=2)
    places = flip.moved(grid.nodes, grid)
    apart = places[:, None] - grid.nodes
    nearest = [np.abs(short(grid, each)).sum(axis=1).min() for each in apart]
    assert max(nearest) < 1e-9


def test_that_the_picture_as_it_is_stays_so() -> None:
    for grid in (Grid(4, 5), Grid(4, 5, toroidal=True)):
        assert UNTURNED.moved(grid.nodes, grid) is grid.nodes
        assert type(lay_out(grid)) is type(tiles(grid))


def test_that_a_map_with_borders_is_not_moved_across_them() -> None:
    for grid in (Grid(4, 5), Grid(4, 5, Lattice.DISC), Grid(4, 5, Lattice.CYLINDER)):
        with pytest.raises(UserError) as refused:
            Orientation(rows=1).moved(grid.nodes, grid)
        assert refused.value.keys == ("map.flat",)
