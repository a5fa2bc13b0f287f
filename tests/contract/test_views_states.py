"""Every view tells how it is set, and can be set so again: in a session, and on paper."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import pytest

# The window tests say what is missing; without them this module has nothing to say.
pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.conftest import WARDROBE, delete_closed
from tests.ui.maps_to_show import shown_of
from tests.ui.opened_views import opened
from ximstudio import views
from ximstudio.maps.palettes import PaletteScheme as Colouring
from ximstudio.ui.views import VIEWS, AnyView
from ximstudio.ui.widgets.look.theme import Scheme, the_theme
from ximstudio.views import state_named
from ximstudio.views.common.state import USUAL_PALETTES, ViewState
from ximstudio.views.compare.state import CompareState
from ximstudio.views.features.state import FeaturesState
from ximstudio.views.heat_map.state import HeatMapState
from ximstudio.views.map.picture import HITS, ITEMS
from ximstudio.views.map.state import MapState
from ximstudio.views.portraits.state import PortraitsState
from ximstudio.views.positions.state import PositionsState
from ximstudio.views.quality.state import QualityState

CONTROLS = 48
"""Pixels from the top."""
CIVIDIS = tuple((dict(USUAL_PALETTES) | {Colouring.SEQUENTIAL: "cividis"}).items())
CHOSEN: tuple[ViewState, ...] = (
    MapState(layer="hits", names=ITEMS, marks=HITS, palettes=CIVIDIS),
    MapState(layer="plane", option="salt", names="kind", sight=(0.5, 0.5, 4.0, 3.0)),
    MapState(layer="classes", option="kind", hidden=("ribosome",)),
    PositionsState(by="label", option="kind", hidden=("respiration",), size=9.0, opacity=0.5),
    PositionsState(by="feature", option="acid", mode="density", sight=(1.0, 1.0, 3.0, 3.0)),
    PositionsState(by="trust", palettes=CIVIDIS),
    QualityState(),
    FeaturesState(by="name", scaling="own", search="a"),
    FeaturesState(by="correlation", option="dark", enlarged="salt", palettes=CIVIDIS),
    HeatMapState(which="all", by="label", label="kind", hidden=("ribosome",)),
    HeatMapState(by="clustered", columns_by="clustered", palettes=CIVIDIS),
    PortraitsState(search="o"),
    CompareState(page="measures"),
)
every_choice = pytest.mark.parametrize(
    "state", CHOSEN, ids=[f"{state.view}-{number}" for number, state in enumerate(CHOSEN)]
)


def test_that_every_view_has_a_state_here() -> None:
    """If this fails: add a state to CHOSEN in which all that users can set differs from usual."""
    assert {state.view for state in CHOSEN} == {kind.kind.key for kind in VIEWS}


@pytest.fixture(autouse=True)
def painted_well(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    WARDROBE.dress(qapp)
    the_theme().choose(Scheme.LIGHT)
    failed: list[BaseException] = []
    monkeypatch.setattr(sys, "excepthook", lambda _, error, __: failed.append(error))
    yield
    delete_closed()
    assert not failed


def kind_of(state: ViewState) -> type[AnyView]:
    return next(kind for kind in VIEWS if kind.kind.key == state.view)


def seen(view: AnyView, *, times: int = 1) -> QImage:
    """The view with the measured map in it."""
    for _ in range(times):
        view.draw(view.request()(shown_of("c-xim", "measured")))
        QApplication.processEvents()
        while not view.is_drawn:
            QApplication.processEvents()
    focused = QApplication.focusWidget()
    if focused is not None:
        focused.clearFocus()
    # Below the controls: which of them the keyboard is at is not theirs to keep.
    return view.grab(view.rect().adjusted(0, CONTROLS, 0, 0)).toImage()


def test_that_there_is_a_state_for_every_view() -> None:
    assert [kind.key for kind in views.VIEWS] == [kind.kind.key for kind in VIEWS]
    assert [kind.state_class.view for kind in views.VIEWS] == [kind.key for kind in views.VIEWS]


@every_choice
def test_that_a_view_nobody_has_seen_takes_a_state_and_keeps_it(
    qtbot: QtBot, state: ViewState
) -> None:
    view = opened(qtbot, kind_of(state))
    view.restore(state)
    assert has_all_of(view.state, state)
    seen(view)
    assert has_all_of(view.state, state)


@every_choice
def test_that_a_view_in_use_is_brought_to_a_state_through_json(
    qtbot: QtBot, state: ViewState
) -> None:
    first, other = (opened(qtbot, kind_of(state)) for _ in range(2))
    first.restore(state)
    wanted = seen(first)
    told = json.loads(json.dumps(first.state.as_values()))
    untouched = seen(other)
    other.restore(state_named(state.view, told))
    assert seen(other) == wanted
    assert has_all_of(other.state, first.state)
    if not isinstance(state, QualityState):
        assert wanted != untouched


@every_choice
def test_that_a_view_goes_back_to_how_it_was_before(qtbot: QtBot, state: ViewState) -> None:
    view = opened(qtbot, kind_of(state))
    before, untouched = seen(view), view.state
    view.restore(state)
    seen(view)
    view.restore(untouched)
    assert seen(view) == before


@every_choice
def test_that_the_picture_of_a_state_is_that_of_the_view(qtbot: QtBot, state: ViewState) -> None:
    view, shown = opened(qtbot, kind_of(state)), shown_of("c-xim", "measured")
    view.restore(state)
    made, drawn = state.picture(shown), view.request()(shown)
    assert type(made) is type(drawn)
    for name in ("by", "option", "label", "names", "captions", "note", "scale", "waiting"):
        assert getattr(made, name, None) == getattr(drawn, name, None)


def has_all_of(state: ViewState, chosen: ViewState) -> bool:
    """Whether all that was chosen holds; the part that is seen follows the shape of the window."""
    told = {**chosen.as_values(), "sight": None}
    return told == {name: {**state.as_values(), "sight": None}.get(name) for name in told}
