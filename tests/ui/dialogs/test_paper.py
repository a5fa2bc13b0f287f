"""The screen and the paper show the same: colour by colour, where a node or an item lies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from tests.figures.drawn import axes_named
from tests.ui.maps_to_show import shown_of
from ximstudio.figures.look import Look
from ximstudio.maps.layout import lay_out
from ximstudio.model.arrays import Floats
from ximstudio.session.shown import Shown
from ximstudio.ui.views.common.canvas_view import CanvasView
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.widgets.look.theme import Scheme, the_theme
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import ViewState
from ximstudio.views.figure import figure_of
from ximstudio.views.map.picture import NOTHING
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.state import PositionsState

pytestmark = pytest.mark.usefixtures("dressed")


def on_screen(qtbot: QtBot, view: CanvasView[Any, Any], picture: Any, places: Floats) -> Floats:
    """The colours of the screen at these places."""
    qtbot.addWidget(view)
    view.resize(700, 560)
    with qtbot.waitExposed(view):
        view.show()
    view.draw(picture)
    seen = view.canvas.grab().toImage()
    ratio = seen.devicePixelRatio()
    spots = [view.canvas.position_of(QPointF(x, y)) for x, y in places.tolist()]
    found = [seen.pixelColor(int(one.x() * ratio), int(one.y() * ratio)) for one in spots]
    return np.array([(one.red(), one.green(), one.blue()) for one in found], dtype=np.float64)


def on_paper(shown: Shown, state: ViewState, places: Floats) -> Floats:
    """The colours of the figure at these places."""
    look = Look(width_mm=114.0, dpi=200.0)
    drawn = figure_of(shown, FigurePlan(state=state, look=look))
    drawn.set_dpi(look.dpi)
    canvas: Any = FigureCanvasAgg(drawn)
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())
    columns, rows = axes_named(drawn, state.view).transData.transform(places).T
    return pixels[(len(pixels) - rows).astype(int), columns.astype(int), :3].astype(np.float64)


@pytest.mark.parametrize(
    ("settings", "shift"),
    [({}, (0, 0)), ({"lattice": "hexagonal", "toroidal": True}, (2, 3))],
    ids=["flat", "torus"],
)
def test_that_nodes_have_the_same_colours(
    qtbot: QtBot, settings: dict[str, Any], shift: tuple[int, int]
) -> None:
    the_theme().choose(Scheme.LIGHT)
    rows, columns = shift
    shown = shown_of("c-xim", **settings)
    state = MapState(marks=NOTHING, names="", rows=rows, columns=columns)
    picture = state.picture(shown)
    assert picture.grid is not None
    view = MapView()
    view.draw(picture)
    view.shift.move(rows, columns)
    view.marks.choose(NOTHING)
    places = lay_out(picture.grid, rows=rows, columns=columns).places
    screen = on_screen(qtbot, view, picture, places)
    assert len(np.unique(screen, axis=0)) > 10
    np.testing.assert_allclose(on_paper(shown, state, places), screen, atol=2.0)


@pytest.mark.parametrize("key", ["pca", "som"])
def test_that_items_have_the_same_colours(qtbot: QtBot, key: str) -> None:
    the_theme().choose(Scheme.LIGHT)
    shown = shown_of(key)
    state = PositionsState(opacity=1.0, size=4.0)
    picture = state.picture(shown)
    view = PositionsView()
    view.look.opacity_slider.setValue(100)
    view.look.size_slider.setValue(8)
    apart = np.linalg.norm(picture.positions[:, None] - picture.positions[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    # Those that nothing lies above.
    alone = picture.positions[apart.min(axis=1) > 0.015 * np.ptp(picture.positions)]
    assert len(alone) > 8
    screen = on_screen(qtbot, view, picture, alone)
    np.testing.assert_allclose(on_paper(shown, state, alone), screen, atol=2.0)
