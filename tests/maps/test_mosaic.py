"""Cells that are no lattice of squares or hexagons: what is where, outlines, and walks."""

from __future__ import annotations

import numpy as np
import pytest

from tests.structures import GRIDS, NAMES
from ximstudio.maps.box import Box
from ximstudio.maps.cells import bounds, in_tiles, node_at, tiles, walked
from ximstudio.maps.drawn import around_panels, drawn, panel_names, panels
from ximstudio.maps.layout import spread_in_nodes
from ximstudio.maps.mosaic import REACH, Mosaic, mosaic
from ximstudio.model import Grid, Lattice, UserError
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.structures.hyperbolic import SCALE, tessellation

MOSAICS = {name: grid for name, grid in zip(NAMES, GRIDS, strict=True) if not in_tiles(grid)} | {
    "nodes on a line": Grid.of_places(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])),
    "nodes on a line but for rounding": Grid.of_places(
        np.array([[0.0, 0.0], [1.0, 1e-13], [2.0, 0.0], [3.0, 1e-13], [4.0, -1e-13]])
    ),
}

every_mosaic = pytest.mark.parametrize("grid", MOSAICS.values(), ids=MOSAICS.keys())


def points_over(grid: Grid, n: int = 61) -> tuple[Floats, Floats]:
    """A lattice of points over the map and a little beyond, none of them on a border."""
    box = bounds(grid)
    x = np.linspace(box.left - 0.3137, box.right + 0.2718, n)
    y = np.linspace(box.top - 0.3137, box.bottom + 0.2718, n)
    across, down = np.meshgrid(x, y)
    return across.ravel(), down.ravel()


def nearest_of_all(grid: Grid, x: Floats, y: Floats) -> Ints:
    """The node nearest to each point, by looking at all; in the hyperbolic plane by its metric."""
    if grid.lattice is Lattice.HYPERBOLIC:
        vertices = tessellation(grid.n_nodes).vertices
        z = (x + 1j * y)[:, None] / SCALE
        squares = np.abs(z - vertices) ** 2 / (1.0 - np.abs(vertices) ** 2)
        return np.asarray(squares.argmin(axis=1))
    places = drawn(grid, grid.nodes)
    return np.asarray(((np.column_stack([x, y])[:, None] - places) ** 2).sum(axis=2).argmin(axis=1))


def inside(corners: Floats, x: Floats, y: Floats) -> Bools:
    """Whether points lie in a polygon: a ray to the right crosses it an odd number of times."""
    crossings = np.zeros(len(x), dtype=np.int64)
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if y0 != y1:
            crossings += ((y0 <= y) != (y1 <= y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return np.asarray(crossings % 2 == 1)


@every_mosaic
def test_that_points_belong_to_the_nearest_node_or_to_none(grid: Grid) -> None:
    x, y = points_over(grid)
    found = node_at(grid, x, y)
    some = found >= 0
    np.testing.assert_array_equal(found[some], nearest_of_all(grid, x[some], y[some]))
    assert set(found[some].tolist()) <= set(range(grid.n_nodes))
    assert some.any()
    assert not some.all()


@every_mosaic
def test_that_pixels_show_what_points_do(grid: Grid) -> None:
    box, cells = bounds(grid), mosaic(grid)
    x, y = np.linspace(box.left, box.right, 70), np.linspace(box.top, box.bottom, 50)
    pixels = cells.under_pixels(x, y).astype(np.int64)
    pixels[pixels == grid.n_nodes] = -1
    # Bent sides of the hyperbolic plane, over eight pixels as large as these.
    most = 0.005 if grid.lattice is Lattice.HYPERBOLIC else 0.0
    assert (pixels != cells.node_at(x[None, :], y[:, None])).mean() <= most


@every_mosaic
def test_that_cells_are_what_belongs_to_their_nodes(grid: Grid) -> None:
    x, y = points_over(grid)
    found = node_at(grid, x, y)
    wrong = 0
    for node, corners in enumerate(mosaic(grid).cells):
        wrong += int((inside(corners, x, y) != (found == node)).sum())
        assert node_at(grid, *mosaic(grid).places[node]) == node
    # Points on a border, and those between an arc and its chord.
    assert wrong <= 0.01 * len(x)


@every_mosaic
def test_that_all_cells_lie_within_the_bounds(grid: Grid) -> None:
    corners = np.concatenate(mosaic(grid).cells)
    box = bounds(grid)
    assert (corners >= np.array(box[:2]) - 1e-9).all()
    assert (corners <= np.array(box[2:]) + 1e-9).all()


@every_mosaic
def test_that_lines_are_drawn_around_nodes_and_not_between_them(grid: Grid) -> None:
    cells = mosaic(grid)
    everywhere = cells.outline(np.ones(grid.n_nodes, dtype=np.bool_))
    alone = np.zeros(grid.n_nodes, dtype=np.bool_)
    alone[0] = True
    np.testing.assert_allclose(cells.outline(alone)[:, 0], cells.cells[0])
    total = sum(len(corners) for corners in cells.cells)
    assert 0 < len(everywhere) < total
    assert cells.outline(~alone & alone).shape == (0, 2, 2)


@every_mosaic
def test_that_points_that_are_nowhere_have_no_node(grid: Grid) -> None:
    nowhere = [np.nan, np.inf, -np.inf, 1e300]
    np.testing.assert_array_equal(node_at(grid, nowhere, 0.0), [-1] * 4)
    np.testing.assert_array_equal(node_at(grid, 0.0, nowhere), [-1] * 4)


@every_mosaic
@pytest.mark.parametrize("n_items", [1, 2, 300])
def test_that_items_are_spread_inside_of_their_cells(grid: Grid, n_items: int) -> None:
    winners = np.random.default_rng(0).integers(0, grid.n_nodes, n_items)
    places = spread_in_nodes(winners, grid)
    np.testing.assert_array_equal(node_at(grid, places[:, 0], places[:, 1]), winners)


@every_mosaic
def test_that_arrow_keys_lead_that_way_or_nowhere(grid: Grid) -> None:
    places = mosaic(grid).places
    moved = 0
    for node in range(grid.n_nodes):
        for rows, columns in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            step = places[walked(grid, node, rows=rows, columns=columns)] - places[node]
            along = step @ [columns, rows]
            moved += bool(along)
            assert along > 0.0 or not step.any()
            assert abs(step @ [rows, columns]) <= along + 1e-12
    assert moved >= grid.n_nodes


@every_mosaic
def test_that_only_joined_maps_are_moved(grid: Grid) -> None:
    assert isinstance(tiles(grid), Mosaic)
    for change in ({"rows": 2}, {"columns": 1}, {"beyond": 1}):
        with pytest.raises(UserError) as error:
            tiles(grid, **change)
        assert error.value.keys == ("map.flat",)


def test_that_a_cylinder_is_moved_and_repeated_to_the_sides_only() -> None:
    grid = Grid(4, 6, Lattice.CYLINDER)
    moved = tiles(grid, columns=2, beyond=1)
    assert moved.node_at(2.0, 0.0) == 0
    assert moved.node_at(-1.0, 0.0) == moved.node_at(5.0, 0.0) == 3
    assert moved.node_at(0.0, -1.0) == -1
    assert len(moved.nodes) == 4 * 8
    with pytest.raises(UserError) as error:
        tiles(grid, rows=1)
    assert error.value.keys == ("map.flat",)


def test_that_a_cell_of_a_table_ends_one_unit_from_its_node() -> None:
    grid = Grid.of_places(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 5.0]]))
    assert node_at(grid, 0.0, 5.0 + REACH - 1e-6) == 2
    assert node_at(grid, 0.0, 5.0 + REACH + 1e-6) == -1


def test_that_nodes_drawn_on_one_place_have_the_same_cell() -> None:
    flat = np.column_stack([Grid(3, 4).nodes, np.zeros(12)])
    stacked = Grid.of_places(np.concatenate([flat, flat[[5, 0]] + [0.0, 0.0, 0.4]]))
    cells, alone = mosaic(stacked), mosaic(Grid.of_places(flat))
    np.testing.assert_array_equal(cells.places[[12, 13]], cells.places[[5, 0]])
    for node, same in [*zip(range(12), range(12), strict=True), (12, 5), (13, 0)]:
        assert area(cells.cells[node]) == pytest.approx(area(alone.cells[same]))
    assert cells.sizes.min() == 1.0


def area(corners: Floats) -> float:
    x, y = corners.T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2.0


def test_that_layers_are_drawn_side_by_side() -> None:
    grid = Grid(3, 4, Lattice.CUBIC, depth=4)
    places = drawn(grid, grid.nodes).reshape(4, 12, 2)
    steps = places - places[0]
    np.testing.assert_allclose(steps, np.broadcast_to(steps[:, :1], steps.shape))
    assert steps[:, 0].tolist() == [[0, 0], [5, 0], [0, 4], [5, 4]]
    between = drawn(grid, np.array([[1.5, 0.5, 1.4], [1.5, 0.5, -9.0]]))
    assert between.tolist() == [[6.5, 0.5], [1.5, 0.5]]


@pytest.mark.parametrize("depth", [2, 5, 30])
def test_that_every_layer_has_a_frame_around_its_nodes_and_room_for_its_name(depth: int) -> None:
    grid = Grid(6, 9, Lattice.CUBIC, depth=depth)
    places = drawn(grid, grid.nodes).reshape(depth, 54, 2)
    every = panels(grid)
    assert [panel.number for panel in every] == list(range(1, depth + 1))
    assert every[1].names[0] == f"layer 2 of {depth}"
    for panel, nodes in zip(every, places, strict=True):
        assert panel.frame == Box(*(nodes.min(axis=0) - 0.5), *(nodes.max(axis=0) + 0.5))
        for other in every:
            with_name = other.frame._replace(top=other.frame.top - other.above)
            assert panel is other or not overlap(panel.frame, with_name)
    whole = around_panels(every)
    assert every[0].above >= 0.04 * (whole.right - whole.left)
    assert whole.top == every[0].frame.top - every[0].above
    assert whole.bottom == every[-1].frame.bottom


def overlap(one: Box, other: Box) -> bool:
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.bottom, other.bottom) - max(one.top, other.top)
    return wide > 1e-9 and high > 1e-9


def test_that_maps_of_one_layer_have_no_frames() -> None:
    assert panels(Grid(3, 4)) == panels(None) == panels(Grid(3, 4, Lattice.CUBIC)) == ()


def test_that_nodes_of_a_table_in_space_lie_in_the_frames_of_their_layers() -> None:
    in_space = Grid.of_places(np.random.default_rng(0).uniform(0.0, 5.0, (40, 3)))
    nodes = drawn(in_space, in_space.nodes)
    layers = np.rint(in_space.nodes[:, 2]).astype(np.int64)
    for layer, (x, y) in zip(layers.tolist(), nodes.tolist(), strict=True):
        left, top, right, bottom = panels(in_space)[min(layer, len(panels(in_space)) - 1)].frame
        assert left <= x <= right
        assert top <= y <= bottom


def test_that_all_layers_are_called_alike_by_the_longest_names_that_fit() -> None:
    every = panels(Grid(3, 4, Lattice.CUBIC, depth=12))

    def ninth(letters: int) -> str:
        return panel_names(every, lambda text: len(text) <= letters)[8]

    found = [ninth(letters) for letters in (14, 13, 7, 2, 1)]
    assert found == ["layer 9 of 12", "layer 9", "9", "9", ""]


def test_that_on_a_plane_everything_is_drawn_where_it_is() -> None:
    positions = np.random.default_rng(0).normal(size=(5, 2))
    assert drawn(Grid(3, 4), positions) is positions
    assert drawn(None, positions) is positions
