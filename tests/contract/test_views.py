"""Contract of every entry of VIEWS, with the map of every method, live and finished."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

# The window tests say what is missing; without them this module has nothing to say.
pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.conftest import WARDROBE, delete_closed
from tests.ui.maps_to_show import STATES, shown_of
from tests.ui.opened_views import opened
from ximstudio.train import METHODS
from ximstudio.ui.views import VIEWS, AnyView
from ximstudio.ui.widgets.look.svg import icon_names
from ximstudio.ui.widgets.look.theme import Scheme, the_theme

SIZES = ((940, 560), (420, 280), (1600, 900))
every_view = pytest.mark.parametrize("kind", VIEWS, ids=lambda kind: kind.kind.key)
every_state = pytest.mark.parametrize("state", STATES)
every_method = pytest.mark.parametrize("method", [method.key for method in METHODS])


@pytest.fixture(autouse=True)
def painted_well(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Light colours, and no exception in any painting: those go to the hook."""
    the_theme().choose(Scheme.LIGHT)
    WARDROBE.dress(qapp)
    failed: list[BaseException] = []
    monkeypatch.setattr(sys, "excepthook", lambda _, error, __: failed.append(error))
    yield
    the_theme().choose(Scheme.LIGHT)
    delete_closed()
    assert not failed


def picture_of(view: AnyView, method: str, state: str) -> Any:
    """What the view requested, made in another thread."""
    request, shown = view.request(), shown_of(method, state)
    with ThreadPoolExecutor(1) as lane:
        return lane.submit(request, shown).result()


def grabbed(view: AnyView) -> QImage:
    # Layouts, those inside of plots too, follow in the event loop.
    QApplication.processEvents()
    while not view.is_drawn:
        QApplication.processEvents()
    focused = QApplication.focusWidget()
    if focused is not None:
        # Which of two windows the keyboard is in is not theirs to draw.
        focused.clearFocus()
    return view.grab().toImage()


def test_that_keys_and_names_are_unique() -> None:
    assert len({kind.kind.key for kind in VIEWS}) == len(VIEWS)
    assert len({kind.kind.name for kind in VIEWS}) == len(VIEWS)


@every_view
def test_that_every_view_says_all_about_itself(kind: type[AnyView]) -> None:
    assert kind.kind.key.isidentifier()
    assert kind.kind.name
    assert kind.kind.about.endswith(".")
    assert kind.kind.icon in icon_names()


@pytest.mark.thorough
@every_view
@every_method
@every_state
def test_that_every_map_is_drawn(
    qtbot: QtBot, kind: type[AnyView], method: str, state: str
) -> None:
    view = opened(qtbot, kind)
    nothing = grabbed(view)
    view.draw(picture_of(view, method, state))
    assert grabbed(view) != nothing


@pytest.mark.thorough
@every_view
def test_that_every_map_is_drawn_as_if_no_other_had_been(qtbot: QtBot, kind: type[AnyView]) -> None:
    # All kinds of maps after one another, as when a person clicks through the runs.
    view = opened(qtbot, kind)
    others = [
        (each.key, state) for each, state in zip(METHODS, STATES * len(METHODS), strict=False)
    ]
    for method in METHODS:
        for key, state in others:
            view.draw(picture_of(view, key, state))
            grabbed(view)
        # All of them once, then the last of them before every other.
        others = others[-1:]
        fresh = opened(qtbot, kind)
        view.draw(picture_of(view, method.key, "measured"))
        fresh.draw(picture_of(fresh, method.key, "measured"))
        assert grabbed(view) == grabbed(fresh), method.key
        fresh.close()


@pytest.mark.thorough
@every_view
@every_method
def test_that_nothing_is_shown_once_there_is_nothing(
    qtbot: QtBot, kind: type[AnyView], method: str
) -> None:
    view = opened(qtbot, kind)
    nothing = grabbed(view)
    view.draw(picture_of(view, method, "measured"))
    grabbed(view)
    view.draw_nothing()
    assert grabbed(view) == nothing


@pytest.mark.thorough
@every_view
@pytest.mark.parametrize("state", [*STATES, "nothing"])
def test_that_views_follow_the_theme(qtbot: QtBot, kind: type[AnyView], state: str) -> None:
    view, dark = opened(qtbot, kind), opened(qtbot, kind)
    if state != "nothing":
        view.draw(picture_of(view, "som", state))
    light = grabbed(view)
    the_theme().choose(Scheme.DARK)
    if state != "nothing":
        dark.draw(picture_of(dark, "som", state))
    assert grabbed(view) != light
    assert grabbed(view) == grabbed(dark)
    the_theme().choose(Scheme.LIGHT)
    assert grabbed(view) == light


@every_view
@pytest.mark.parametrize("size", SIZES)
def test_that_views_fit_into_any_pane(
    qtbot: QtBot, kind: type[AnyView], size: tuple[int, int]
) -> None:
    view = opened(qtbot, kind, size)
    view.draw(picture_of(view, "som", "measured"))
    grabbed(view)
    assert (view.width(), view.height()) == size
    assert view.minimumSizeHint().width() <= 420
