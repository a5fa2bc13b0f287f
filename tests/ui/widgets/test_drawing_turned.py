"""A map that is drawn turned: pixels, outlines, points and the mouse agree on where nodes are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from tests.maps.turns import FLIPS, turned_grids
from tests.structures import every_structure
from tests.ui.widgets.test_drawing_map import canvas_with, distinct
from ximstudio.maps.box import enclosed
from ximstudio.maps.cells import shift_way
from ximstudio.maps.drawn import drawn
from ximstudio.maps.layout import lay_out
from ximstudio.maps.orientation import Orientation
from ximstudio.model import Grid, Lattice
from ximstudio.pictures.raster.cell_raster import cell_raster, colour_table
from ximstudio.pictures.raster.frame import RasterFrame, fitted, packed
from ximstudio.pictures.torus import Torus
from ximstudio.ui.widgets.drawing.mesh import MapItem
from ximstudio.ui.widgets.drawing.points import PointsItem

HONEYCOMB = Grid(rows=4, columns=7, lattice=Lattice.HEXAGONAL)
TORUS = Grid(rows=4, columns=7, lattice=Lattice.HEXAGONAL, toroidal=True)
pytestmark = pytest.mark.usefixtures("light")


def pixel_of(frame: RasterFrame, places: NDArray[np.float64]) -> tuple[NDArray[np.int64], ...]:
    """Row and column of the pixels on which places fall."""
    x = np.floor(frame.scale_x * places[:, 0] + frame.offset_x).astype(np.int64)
    y = np.floor(frame.scale_y * places[:, 1] + frame.offset_y).astype(np.int64)
    return y, x


@given(turned_grids(), st.integers(0, 2), st.floats(0.4, 1.6), st.booleans())
def test_that_the_pixel_at_a_turned_node_has_its_colour(
    case: tuple[Grid, Orientation], beyond: int, stretch: float, upwards: bool
) -> None:
    grid, turn = case
    layout = lay_out(grid, turn=turn, beyond=beyond if grid.repeats else 0)
    frame = fitted(layout.bounds, 170, round(170 * stretch))
    if upwards:
        frame = RasterFrame(
            width=frame.width,
            height=frame.height,
            scale_x=frame.scale_x,
            scale_y=-frame.scale_y,
            offset_x=frame.offset_x,
            offset_y=frame.height - frame.offset_y,
        )
    colours = distinct(grid.n_nodes)
    picture = cell_raster(layout, frame).painted(colour_table(colours, layout))
    assert picture.shape == (frame.height, frame.width)
    at_nodes = picture[pixel_of(frame, turn.moved(grid.nodes, grid))]
    np.testing.assert_array_equal(at_nodes, packed(colours))


@given(turned_grids(), st.integers(0, 2), st.floats(2.5, 30.0))
def test_that_every_pixel_shows_the_turned_node_it_lies_in(
    case: tuple[Grid, Orientation], beyond: int, scale: float
) -> None:
    grid, turn = case
    layout = lay_out(grid, turn=turn, beyond=beyond if grid.repeats else 0)
    frame = RasterFrame(
        width=90, height=70, scale_x=scale, scale_y=scale, offset_x=21.3, offset_y=17.1
    )
    raster = cell_raster(layout, frame)
    x, y = frame.pixel_places()
    outside = grid.n_nodes * (3 if layout.beyond else 1)
    shown = np.where(raster.entries == outside, -1, raster.entries % grid.n_nodes)
    different = shown != layout.node_at(x[None, :], y[:, None])
    different.reshape(-1)[raster.borders] = False
    assert different.mean() < 0.002


@pytest.mark.parametrize("turn", FLIPS, ids=str)
@every_structure
def test_that_every_structure_is_drawn_turned(grid: Grid, turn: Orientation) -> None:
    layout = lay_out(grid, turn=turn)
    frame = fitted(layout.bounds, 240, 260)
    colours = distinct(grid.n_nodes)
    raster = cell_raster(layout, frame)
    places = turn.moved(drawn(grid, grid.nodes), grid)
    under = raster.entries[pixel_of(frame, places)]
    # Of nodes that are drawn above each other one is seen.
    np.testing.assert_array_equal(under, layout.node_at(*places.T))
    assert raster.painted(colour_table(colours, layout)).shape == (260, 240)


@pytest.mark.parametrize("grid", [HONEYCOMB, TORUS], ids=["flat", "torus"])
@pytest.mark.parametrize("turn", FLIPS, ids=str)
def test_that_nodes_on_the_screen_are_where_they_are_turned_to(
    qtbot: QtBot, grid: Grid, turn: Orientation
) -> None:
    item = MapItem()
    item.show_grid(grid, turn=turn)
    colours = distinct(grid.n_nodes)
    item.show_colours(colours)
    item.hover(9)
    canvas = canvas_with(qtbot, item)
    image: QImage = canvas.grab().toImage()
    for node, (x, y) in enumerate(turn.moved(grid.nodes, grid).tolist()):
        spot = canvas.position_of(QPointF(x, y)) * image.devicePixelRatio()
        assert image.pixelColor(spot.toPoint()) == QColor(*colours[node].tolist())
        assert item.node_at(x, y) == node
    bounds = item.tiles.bounds
    assert item.dataBounds(0) == pytest.approx((bounds.left, bounds.right))
    assert item.dataBounds(1) == pytest.approx((bounds.top, bounds.bottom))


def test_that_the_same_grid_can_be_turned_again_and_keeps_its_colours(qtbot: QtBot) -> None:
    item = MapItem(HONEYCOMB)
    colours = distinct(HONEYCOMB.n_nodes)
    item.show_colours(colours)
    item.select(np.array([3]))
    canvas = canvas_with(qtbot, item)
    for turn in (Orientation(flipped_x=True), Orientation(swapped=True), Orientation()):
        item.show_grid(HONEYCOMB, turn=turn)
        canvas.fit()
        image: QImage = canvas.grab().toImage()
        x, y = turn.moved(HONEYCOMB.nodes[3:4], HONEYCOMB)[0].tolist()
        spot = canvas.position_of(QPointF(x, y)) * image.devicePixelRatio()
        assert image.pixelColor(spot.toPoint()) == QColor(*colours[3].tolist())
        assert item.selected.tolist() == [3]


@given(turned_grids(), st.integers(-5, 5), st.integers(-5, 5), st.integers(0, 2))
def test_that_points_lie_in_the_cells_of_their_nodes_however_a_torus_is_turned(
    case: tuple[Grid, Orientation], rows: int, columns: int, beyond: int
) -> None:
    grid, turn = case
    sideways, upright = grid.joined
    if not sideways:
        return
    rows *= upright
    layout = lay_out(grid, rows=rows, columns=columns, beyond=beyond, turn=turn)
    torus = Torus.of(grid, rows=rows, columns=columns, beyond=beyond, turn=turn)
    placed = torus.wrapped(turn.moved(grid.nodes, grid))
    own = ~layout.repeated
    np.testing.assert_allclose(layout.places[own], placed[layout.nodes[own]], atol=1e-9)
    # Copies of nodes fall on copies of cells, wherever such are drawn.
    for step in torus.steps:
        copies = placed + step
        left, top, right, bottom = torus.bounds
        seen = (copies > [left, top]).all(axis=1) & (copies < [right, bottom]).all(axis=1)
        np.testing.assert_array_equal(layout.node_at(*copies[seen].T), np.flatnonzero(seen))


@pytest.mark.parametrize("turn", FLIPS, ids=str)
def test_that_points_and_cells_of_a_torus_are_turned_alike(qtbot: QtBot, turn: Orientation) -> None:
    cells, points = MapItem(), PointsItem()
    place = {"rows": 1, "columns": 2, "beyond": 1}
    turn = Orientation(
        flipped_x=turn.flipped_x,
        flipped_y=turn.flipped_y,
        swapped=turn.swapped,
        rows=1,
        columns=3,
    )
    cells.show_grid(TORUS, **place, turn=turn)
    points.show_positions(turn.moved(TORUS.nodes, TORUS), grid=TORUS, **place, turn=turn)
    canvas = canvas_with(qtbot, cells)
    canvas.add(points)
    for node in (0, 8, 27):
        moved = TORUS.nodes[node : node + 1] + shift_way(TORUS, 1, 2)
        ((x, y),) = turn.moved(moved, TORUS).tolist()
        assert cells.node_at(x, y) == node
        assert points.point_at(x, y) == node
        around = np.array([x, y]) + 0.4 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        assert np.flatnonzero(points.points_in(around)).tolist() == [node]
        assert any(enclosed(np.array([[x, y]]), copy).all() for copy in cells.tiles.corners(node))
