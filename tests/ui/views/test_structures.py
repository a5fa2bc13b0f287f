"""The window draws maps of every structure: map, positions, small pictures, and what cards say."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.structures import NODE_FILE, every_lattice
from tests.ui.maps_to_show import shown_of, some_matrix
from tests.ui.opened_views import drawn, opened
from ximstudio.maps import LAYERS
from ximstudio.maps.mosaic import mosaic
from ximstudio.model import Grid, Lattice, PrototypeMap
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.map_texts import node_name
from ximstudio.pictures.raster.cell_raster import cell_raster, colour_table
from ximstudio.pictures.raster.frame import RasterFrame
from ximstudio.pictures.thumbnail import thumbnail
from ximstudio.session.shown import Shown
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.widgets.look.theme import Scheme, the_theme


def shown(lattice: Lattice, state: str = "measured") -> Shown:
    return shown_of("c-xim", state, lattice=lattice.value, node_file=NODE_FILE, depth=2)


def grabbed(view: MapView | PositionsView) -> QImage:
    QApplication.processEvents()
    return view.grab().toImage()


def grid_of(what: Shown) -> Grid:
    assert isinstance(what.result.model, PrototypeMap)
    return what.result.model.grid


@every_lattice
def test_that_every_layer_is_drawn_on_every_structure(qtbot: QtBot, lattice: Lattice) -> None:
    view = opened(qtbot, MapView)
    nothing, pictures = grabbed(view), []
    drawn(view, shown(lattice))
    for layer in LAYERS:
        view.layers.choose(layer.key)
        drawn(view, shown(lattice))
        pictures.append(grabbed(view))
    assert nothing not in pictures
    assert len({bytes(picture.constBits()) for picture in pictures}) == len(LAYERS)


@every_lattice
@pytest.mark.parametrize("state", ["live", "measured"])
def test_that_every_item_is_drawn_where_its_place_is(
    qtbot: QtBot, lattice: Lattice, state: str
) -> None:
    view, what = opened(qtbot, PositionsView), shown(lattice, state)
    picture = drawn(view, what)
    grabbed(view)
    assert picture.positions.shape == (60, 2)
    for item in (0, 30, 59):
        place = view.points.place_of(item)
        found = view.points.point_at(place.x(), place.y())
        np.testing.assert_allclose(picture.positions[found], [place.x(), place.y()], atol=1e-6)


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_that_every_layer_of_a_block_is_framed_and_named(qtbot: QtBot, scheme: Scheme) -> None:
    the_theme().choose(scheme)
    view, what = opened(qtbot, PositionsView), shown(Lattice.CUBIC)
    picture = drawn(view, what)
    image = grabbed(view)
    assert view.drawing.layers.written == ("layer 1 of 2", "layer 2 of 2")
    frame_colour = QColor(the_theme().colours.border_strong)
    corner = view.canvas.mapTo(view, QPoint(0, 0))
    seen = QRectF(view.canvas.rect())
    for panel in picture.panels:
        left, top, right, bottom = panel.frame
        for place in ((left, (top + bottom) / 2.0), ((left + right) / 2.0, bottom)):
            spot = view.canvas.position_of(QPointF(*place))
            assert seen.contains(spot)
            around = [
                image.pixelColor(corner + spot.toPoint() + QPoint(x, y))
                for x in (-2, -1, 0, 1, 2)
                for y in (-2, -1, 0, 1, 2)
            ]
            assert frame_colour in around
    drawn(view, shown(Lattice.DISC))
    grabbed(view)
    assert not view.drawing.layers.written


@every_lattice
def test_that_the_node_under_the_mouse_is_named(qtbot: QtBot, lattice: Lattice) -> None:
    view, what = opened(qtbot, MapView), shown(lattice)
    drawn(view, what)
    grid = grid_of(what)
    names = set()
    for node in range(grid.n_nodes):
        place = view.drawing.place_of(node)
        assert view.drawing.map.node_at(place.x(), place.y()) == node
        names.add(node_name(grid, node))
    assert len(names) == grid.n_nodes
    view.hover(3)
    assert view.drawing.map.hovered == 3
    assert view.card.isVisible()
    grabbed(view)


@every_lattice
def test_that_a_small_picture_shows_map_and_items(lattice: Lattice) -> None:
    what = shown(lattice)
    pixels = thumbnail(what.result, some_matrix(), LIGHT, width=96, height=80)
    opaque = (pixels >> 24 == 255).mean()
    assert pixels.shape == (80, 96)
    assert 0.05 < opaque <= 1.0
    assert len(np.unique(pixels)) > 3


def test_that_a_cylinder_is_moved_to_the_sides_only(qtbot: QtBot) -> None:
    view = opened(qtbot, MapView)
    drawn(view, shown(Lattice.CYLINDER))
    assert view.shift.button.isVisible()
    assert "Left and right" in view.shift.button.toolTip()
    before = view.drawing.place_of(0)
    view.shift.move(2, 3)
    assert (view.shift.rows, view.shift.columns) == (0, 3)
    assert view.drawing.place_of(0) - before == QPointF(3.0, 0.0)
    view.shift.show_repeated(repeated=True)
    box = view.drawing.map.tiles.bounds
    assert (box.top, box.bottom) == (-0.5, 5.5)
    assert box.left < -1.0
    grabbed(view)


def test_that_borders_of_cells_of_any_shape_are_smooth() -> None:
    grid = Grid(1, 2, Lattice.RING)
    frame = RasterFrame(
        width=60, height=60, scale_x=30.0, scale_y=30.0, offset_x=30.0, offset_y=30.0
    )
    cells = mosaic(grid)
    raster = cell_raster(cells, frame)
    colours = np.array([[0, 0, 0], [255, 255, 255]], dtype=np.uint8)
    channel = raster.painted(colour_table(colours, cells)) & np.uint32(0xFF)
    assert len(raster.borders) > 20
    assert set(raster.shares.tolist()) <= {64, 128, 192}
    assert len(np.unique(channel)) > 2


def test_that_arrow_keys_walk_over_nodes_without_rows(qtbot: QtBot) -> None:
    view = opened(qtbot, MapView)
    drawn(view, shown(Lattice.DISC))
    view.canvas.setFocus()
    qtbot.keyClick(view.canvas, Qt.Key.Key_Right)  # type: ignore[no-untyped-call]
    first = view.drawing.map.hovered
    qtbot.keyClick(view.canvas, Qt.Key.Key_Left)  # type: ignore[no-untyped-call]
    step = view.drawing.place_of(view.drawing.map.hovered) - view.drawing.place_of(first)
    assert first >= 0
    assert step.x() < 0.0 or step == QPointF(0.0, 0.0)
