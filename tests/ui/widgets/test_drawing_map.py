"""The map: every pixel in the colour of the node it lies in, at any zoom and scaling."""

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from ximstudio.maps.cells import Tiles, node_at, tiles
from ximstudio.model.grid import Grid, Lattice
from ximstudio.model.problem import UserError
from ximstudio.pictures.colouring import colours_of
from ximstudio.pictures.colours import DARK, LIGHT
from ximstudio.pictures.raster.cell_raster import CellRaster, cell_raster, colour_table
from ximstudio.pictures.raster.frame import RasterFrame, packed
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.mesh import MapItem
from ximstudio.ui.widgets.look.theme import Scheme, the_theme

HEXAGONS = Grid(rows=4, columns=5, lattice=Lattice.HEXAGONAL)
SQUARES = Grid(rows=4, columns=5)
TORUS = Grid(rows=4, columns=5, lattice=Lattice.HEXAGONAL, toroidal=True)
SIZE = 300, 260
both = pytest.mark.parametrize("grid", [HEXAGONS, SQUARES], ids=["hexagons", "squares"])
pytestmark = pytest.mark.usefixtures("light")


def distinct(n_nodes: int) -> NDArray[np.uint8]:
    """A colour per node, all different."""
    number = np.arange(n_nodes)
    return np.column_stack([40 + number * 7 % 200, 20 + number * 11 % 230, number]).astype(np.uint8)


def canvas_with(qtbot: QtBot, item: MapItem) -> Canvas:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.add(item)
    with qtbot.waitExposed(canvas):
        canvas.show()
    canvas.fit()
    canvas.grab()
    return canvas


def colour_at(canvas: Canvas, x: float, y: float) -> QColor:
    image: QImage = canvas.grab().toImage()
    spot = canvas.position_of(QPointF(x, y)) * image.devicePixelRatio()
    return image.pixelColor(spot.toPoint())


def darkest_beside(canvas: Canvas, x: float, y: float) -> int:
    """Least lightness at a place and two pixels to its sides: lines fall between pixels."""
    image: QImage = canvas.grab().toImage()
    spot = canvas.position_of(QPointF(x, y)) * image.devicePixelRatio()
    return min(image.pixelColor(spot.toPoint() + QPoint(k, 0)).lightness() for k in range(-2, 3))


def entries_by_twin(drawn: Tiles, frame: RasterFrame) -> NDArray[np.int64]:
    """Which node every pixel shows, by asking for each pixel's middle; −1 outside."""
    x, y = frame.pixel_places()
    return drawn.node_at(x[None, :], y[:, None])


def nodes_of(raster: CellRaster, drawn: Tiles) -> NDArray[np.int64]:
    n_nodes = drawn.grid.n_nodes
    outside = n_nodes * (3 if drawn.beyond else 1)
    return np.where(raster.entries == outside, -1, raster.entries % n_nodes)


layouts = st.sampled_from(
    [
        tiles(HEXAGONS),
        tiles(SQUARES),
        tiles(Grid(rows=1, columns=1, lattice=Lattice.HEXAGONAL)),
        tiles(TORUS, rows=2, columns=3, beyond=2),
        tiles(TORUS, rows=-3, columns=1, beyond=2),
        tiles(Grid(rows=3, columns=4, toroidal=True), rows=1, columns=-1, beyond=1),
    ]
)


@given(
    drawn=layouts,
    scale=st.floats(2.0, 60.0),
    stretch=st.floats(0.7, 1.4),
    flipped=st.booleans(),
    left=st.floats(-3.0, 6.0),
    top=st.floats(-3.0, 6.0),
)
def test_that_every_pixel_shows_the_node_it_lies_in(
    drawn: Tiles, scale: float, stretch: float, flipped: bool, left: float, top: float
) -> None:
    scale_y = scale * stretch * (-1.0 if flipped else 1.0)
    frame = RasterFrame(
        width=90,
        height=70,
        scale_x=scale,
        scale_y=scale_y,
        offset_x=-left * scale,
        offset_y=-top * scale_y,
    )

    raster = cell_raster(drawn, frame)

    # On a border two answers are right; hexagons say where their borders are.
    different = nodes_of(raster, drawn) != entries_by_twin(drawn, frame.finer(raster.fineness))
    if drawn.grid.lattice is Lattice.HEXAGONAL and raster.fineness == 1:
        different.reshape(-1)[raster.borders] = False
    assert different.mean() < 0.002


def test_that_borders_of_hexagons_are_smooth() -> None:
    grid = Grid(rows=1, columns=1, lattice=Lattice.HEXAGONAL)
    frame = RasterFrame(
        width=60, height=60, scale_x=40.3, scale_y=40.3, offset_x=30.2, offset_y=29.7
    )
    raster = cell_raster(tiles(grid), frame)
    white = colour_table(np.full((1, 3), 255, dtype=np.uint8), tiles(grid))

    opacity = (raster.painted(white) >> 24) / 255.0

    # A hexagon of width 1 has an area of √3/2: coverage adds up to that many pixels.
    assert opacity.sum() == pytest.approx(np.sqrt(3.0) / 2.0 * 40.3**2, rel=0.003)
    assert ((opacity > 0.1) & (opacity < 0.9)).sum() > 60


def test_that_squares_end_with_pixels() -> None:
    frame = RasterFrame(width=40, height=40, scale_x=9.3, scale_y=9.3, offset_x=4.0, offset_y=4.0)
    colours = distinct(SQUARES.n_nodes)

    picture = cell_raster(tiles(SQUARES), frame).painted(colour_table(colours, tiles(SQUARES)))

    assert set(np.unique(picture)) <= {0, *packed(colours).tolist()}


def test_that_cells_smaller_than_pixels_are_averaged() -> None:
    grid = Grid(rows=64, columns=64)
    row, column = np.divmod(np.arange(grid.n_nodes), 64)
    checkered = (
        np.where((row + column) % 2 == 0, 255, 0).astype(np.uint8)[:, None].repeat(3, axis=1)
    )
    frame = RasterFrame(width=32, height=32, scale_x=0.5, scale_y=0.5, offset_x=0.25, offset_y=0.25)

    picture = cell_raster(tiles(grid), frame).painted(colour_table(checkered, tiles(grid)))

    assert picture.shape == (32, 32)
    greys = picture & 0xFF
    assert np.abs(greys[2:-2, 2:-2].astype(int) - 127).max() <= 2


def test_that_memory_is_used_again() -> None:
    frame = RasterFrame(width=40, height=40, scale_x=9.0, scale_y=9.0, offset_x=4.0, offset_y=4.0)
    raster = cell_raster(tiles(HEXAGONS), frame)
    table = colour_table(distinct(HEXAGONS.n_nodes), tiles(HEXAGONS))
    room = np.zeros((40, 40), dtype=np.uint32)

    assert raster.painted(table, room=room) is room
    assert np.array_equal(room, raster.painted(table))


@both
def test_that_nodes_have_their_colours(qtbot: QtBot, grid: Grid) -> None:
    item = MapItem(grid)
    colours = distinct(grid.n_nodes)
    item.show_colours(colours)
    canvas = canvas_with(qtbot, item)

    for node, (x, y) in enumerate(grid.nodes.tolist()):
        assert colour_at(canvas, x, y) == QColor(*colours[node].tolist())
    assert colour_at(canvas, -0.9, -0.9) == QColor(LIGHT.surface)


@both
def test_that_the_picture_is_as_fine_as_the_screen(qtbot: QtBot, grid: Grid) -> None:
    item = MapItem(grid)
    item.show_colours(distinct(grid.n_nodes))
    canvas = canvas_with(qtbot, item)
    picture = QImage(2 * SIZE[0], 2 * SIZE[1], QImage.Format.Format_RGB32)
    picture.setDevicePixelRatio(2.0)
    painter = QPainter(picture)

    canvas.render(painter, QRectF(0, 0, *SIZE), canvas.viewport().rect())
    painter.end()

    pixels = np.array([picture.pixel(x, 260) for x in range(2 * SIZE[0])])
    runs = np.diff(np.flatnonzero(np.diff(pixels, prepend=0)))
    # Doubled pixels would come in twos; here borders fall on odd pixels too.
    assert (runs % 2).any()
    x, y = grid.nodes[7]
    spot = canvas.position_of(QPointF(x, y)) * 2.0
    assert picture.pixelColor(spot.toPoint()) == QColor(*distinct(grid.n_nodes)[7].tolist())


def test_that_nodes_without_a_value_are_drawn_in_the_themes_colour(qtbot: QtBot) -> None:
    item = MapItem(SQUARES)
    values = np.linspace(0.0, 1.0, SQUARES.n_nodes)
    values[7] = np.nan
    table = np.array([[10, 20, 30], [200, 100, 50]], dtype=np.uint8)
    item.show_colours(colours_of(values, table, low=0.0, high=1.0))
    canvas = canvas_with(qtbot, item)
    x, y = SQUARES.nodes[7]

    assert colour_at(canvas, x, y) == QColor(LIGHT.empty)
    assert colour_at(canvas, 0.0, 0.0) == QColor(10, 20, 30)
    the_theme().choose(Scheme.DARK)
    assert colour_at(canvas, x, y) == QColor(DARK.empty)
    assert colour_at(canvas, -0.9, -0.9) == QColor(DARK.surface)


def test_that_colours_can_change_at_any_time(qtbot: QtBot) -> None:
    item = MapItem(HEXAGONS)
    canvas = canvas_with(qtbot, item)
    assert colour_at(canvas, 0.0, 0.0) == QColor(LIGHT.empty)

    for level in (10, 200):
        item.show_colours(np.full((HEXAGONS.n_nodes, 3), level, dtype=np.uint8))
        assert colour_at(canvas, 0.0, 0.0) == QColor(level, level, level)


def test_that_the_map_follows_the_view(qtbot: QtBot) -> None:
    item = MapItem(HEXAGONS)
    colours = distinct(HEXAGONS.n_nodes)
    item.show_colours(colours)
    canvas = canvas_with(qtbot, item)
    x, y = HEXAGONS.nodes[12]

    canvas.view.setRange(QRectF(x - 0.3, y - 0.3, 0.6, 0.6))

    image = canvas.grab().toImage()
    shown = {image.pixel(QPoint(i, j)) for i in range(20, 280, 20) for j in range(20, 240, 20)}
    assert QColor(*colours[12].tolist()).rgb() in shown
    assert len(shown) < 12


@both
def test_that_one_node_is_outlined_under_the_mouse(qtbot: QtBot, grid: Grid) -> None:
    item = MapItem(grid)
    item.show_colours(np.full((grid.n_nodes, 3), 128, dtype=np.uint8))
    canvas = canvas_with(qtbot, item)
    x, y = grid.nodes[7]

    item.hover(7)
    assert darkest_beside(canvas, x + 0.5, y) < 60
    assert colour_at(canvas, x, y) == QColor(128, 128, 128)
    item.hover(-1)
    assert colour_at(canvas, x + 0.5, y) == QColor(128, 128, 128)


@both
def test_that_selected_nodes_are_outlined_together(qtbot: QtBot, grid: Grid) -> None:
    item = MapItem(grid)
    item.show_colours(np.full((grid.n_nodes, 3), 128, dtype=np.uint8))
    canvas = canvas_with(qtbot, item)
    x, y = grid.nodes[6]

    item.select(np.array([6, 7]))

    assert colour_at(canvas, x + 0.5, y) == QColor(128, 128, 128)
    assert darkest_beside(canvas, x - 0.5, y) < 60
    assert darkest_beside(canvas, x + 1.5, y) < 60


@both
def test_that_places_belong_to_nodes(grid: Grid) -> None:
    item = MapItem(grid)

    assert [item.node_at(x, y) for x, y in grid.nodes.tolist()] == list(range(grid.n_nodes))
    assert item.node_at(-2.0, 0.0) == -1
    assert item.node_at(0.3, 0.2) == int(node_at(grid, 0.3, 0.2))


def test_that_a_torus_is_moved_across_its_seam(qtbot: QtBot) -> None:
    item = MapItem()
    item.show_grid(TORUS, rows=2, columns=1)
    colours = distinct(TORUS.n_nodes)
    item.show_colours(colours)
    canvas = canvas_with(qtbot, item)

    for row, column in ((0, 0), (3, 4), (2, 1)):
        node = row * 5 + column
        x, y = TORUS.nodes[(row + 2) % 4 * 5 + (column + 1) % 5]
        assert colour_at(canvas, x, y) == QColor(*colours[node].tolist())
        assert item.node_at(x, y) == node


def test_that_a_torus_goes_on_faded_beyond_its_borders(qtbot: QtBot) -> None:
    item = MapItem()
    item.show_grid(TORUS, beyond=2)
    item.show_colours(np.zeros((TORUS.n_nodes, 3), dtype=np.uint8))
    canvas = canvas_with(qtbot, item)

    assert colour_at(canvas, 0.0, 0.0) == QColor(0, 0, 0)
    for x, y in ((-1.0, 0.0), (-2.0, -2 * TORUS.row_height), (6.0, 0.0)):
        assert 120 < colour_at(canvas, x, y).lightness() < 220
    assert item.node_at(-1.0, 0.0) == 4


def test_that_only_what_fits_is_shown() -> None:
    item = MapItem(HEXAGONS)

    with pytest.raises(ValueError, match="colours"):
        item.show_colours(np.zeros((3, 3), dtype=np.uint8))
    with pytest.raises(ValueError, match="Pies"):
        item.show_pies(np.ones((3, 2)), np.zeros((2, 3), dtype=np.uint8))
    with pytest.raises(UserError) as refused:
        item.show_grid(SQUARES, rows=1)
    assert refused.value.keys == ("map.flat",)
    assert item.tiles.grid == HEXAGONS


def test_that_another_grid_starts_without_colours(qtbot: QtBot) -> None:
    item = MapItem(HEXAGONS)
    item.show_colours(distinct(HEXAGONS.n_nodes))
    item.select(np.array([19]))
    item.show_grid(Grid(rows=2, columns=2))
    canvas = canvas_with(qtbot, item)

    assert colour_at(canvas, 0.0, 0.0) == QColor(LIGHT.empty)
    assert item.selected.size == 0


@both
def test_that_pies_show_shares_where_cells_are_large(qtbot: QtBot, grid: Grid) -> None:
    item = MapItem(grid)
    item.show_colours(np.full((grid.n_nodes, 3), 240, dtype=np.uint8))
    shares = np.zeros((grid.n_nodes, 2))
    shares[6] = (0.5, 0.5)
    shares[7] = (0.0, 1.0)
    red, blue = QColor(200, 30, 30), QColor(30, 30, 200)
    item.show_pies(shares, np.array([[200, 30, 30], [30, 30, 200]], dtype=np.uint8))
    canvas = canvas_with(qtbot, item)
    x, y = grid.nodes[6]

    # From twelve o'clock with the clock: the first half is on the right.
    assert colour_at(canvas, x + 0.2, y) == red
    assert colour_at(canvas, x - 0.2, y) == blue
    assert colour_at(canvas, x + 1.0, y) == blue
    assert colour_at(canvas, x + 2.0, y) == QColor(240, 240, 240)
    canvas.view.setRange(QRectF(-100.0, -100.0, 200.0, 200.0))
    assert colour_at(canvas, x + 0.2, y) == QColor(240, 240, 240)
    item.show_pies(None)
    canvas.fit()
    assert colour_at(canvas, x + 0.2, y) == QColor(240, 240, 240)


def test_that_an_error_while_painting_is_reported_once_and_survived(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[type[BaseException]] = []

    def report(kind: type[BaseException], *_: object) -> None:
        reported.append(kind)

    class Broken(MapItem):
        broken = True

        def rasterised(self, frame: RasterFrame) -> Any:
            if self.broken:
                raise ZeroDivisionError
            return super().rasterised(frame)

    monkeypatch.setattr(sys, "excepthook", report)
    item = Broken(SQUARES)
    item.show_colours(np.full((SQUARES.n_nodes, 3), 77, dtype=np.uint8))
    canvas = canvas_with(qtbot, item)
    canvas.grab()

    assert reported == [ZeroDivisionError]
    item.broken = False
    item.redraw()
    assert colour_at(canvas, 0.0, 0.0) == QColor(77, 77, 77)
