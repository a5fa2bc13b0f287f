"""Views without a picture: nothing there, being made, or failed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import run_of, shown_of
from ximstudio.jobs import Task
from ximstudio.kernels.parallel import check_here
from ximstudio.session import Session
from ximstudio.ui.desk import Desk, Job
from ximstudio.ui.studio import Studio
from ximstudio.ui.training import Phase
from ximstudio.ui.views import VIEWS, View
from ximstudio.ui.views.area import ViewArea
from ximstudio.ui.views.empty import Empty

pytestmark = pytest.mark.usefixtures("dressed")
every_view = pytest.mark.parametrize("kind", VIEWS, ids=lambda kind: kind.key)


@pytest.fixture
def area(qtbot: QtBot) -> Iterator[ViewArea]:
    desk = Desk()
    made = ViewArea(Studio(desk))
    qtbot.addWidget(made)
    yield made
    desk.close()


def said(empty: Empty) -> str:
    """What is said once a person has waited."""
    if empty.patience.isActive():
        assert empty.title == ""
        empty.patience.stop()
        empty.patience.timeout.emit()
    return empty.title


@every_view
def test_that_a_view_says_nothing_wait_or_failed(qtbot: QtBot, kind: type[View]) -> None:
    view = kind()
    qtbot.addWidget(view)
    nothing = view.empty.title
    assert nothing
    view.draw_wait("Drawing…")
    assert said(view.empty) == "Drawing…"
    view.draw_failed()
    assert not view.empty.waiting
    assert view.empty.title not in ("", nothing, "Drawing…")
    view.draw_nothing()
    assert view.empty.title == nothing


@every_view
def test_that_a_picture_stays_while_the_next_is_made(qtbot: QtBot, kind: type[View]) -> None:
    view = kind()
    qtbot.addWidget(view)
    view.draw(view.wish()(shown_of("som")))
    assert not view.is_blank
    view.draw_wait("Drawing…")
    view.draw_failed()
    assert not view.empty.waiting
    assert not view.empty.isVisibleTo(view)


def test_that_waiting_goes_on_without_flicker(qtbot: QtBot) -> None:
    empty = Empty("map")
    qtbot.addWidget(empty)
    empty.show_wait("Training begins…")
    assert empty.title == ""
    assert said(empty) == "Training begins…"
    empty.show_wait("Drawing…")
    assert empty.title == "Drawing…"
    assert not empty.patience.isActive()


def test_that_a_new_pane_waits_for_its_picture(area: ViewArea, qtbot: QtBot) -> None:
    run, desk = run_of("som"), area._studio.desk
    held: list[Task[Any, Any]] = []

    def work(task: Task[Any, Any]) -> None:
        held.append(task)
        while True:
            task.check()

    desk.start(Job(doing="Measuring som", work=work))
    desk.commit(Session(runs=(run,), shown=run.key), "Train")
    area.show_panes("4")
    for pane in area.panes:
        assert said(pane.view.empty) == "Drawing…"
    desk.stop()
    qtbot.waitUntil(lambda: desk.idle and area.is_drawn, timeout=60_000)
    assert not any(pane.view.is_blank for pane in area.panes)


def test_that_views_say_that_training_begins_and_that_it_did_not(area: ViewArea) -> None:
    view = area.panes[0].view
    nothing = view.empty.title
    studio = area._studio
    studio.trainer._enter(Phase.RUNNING)
    assert said(view.empty) == "Training begins…"
    studio.trainer._enter(Phase.IDLE)
    assert view.empty.title == nothing


def test_that_a_picture_that_cannot_be_made_is_owned_up_to(
    area: ViewArea, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, view = run_of("som"), area.panes[0].view

    def broken(_: object) -> None:
        raise ValueError("no picture")

    monkeypatch.setattr(view, "wish", lambda: broken)
    area._studio.desk.commit(Session(runs=(run,), shown=run.key), "Train")
    with qtbot.captureExceptions() as raised:
        view.wanted.emit()
        qtbot.waitUntil(lambda: area._studio.desk.idle, timeout=60_000)
    assert [kind for kind, *_ in raised] == [ValueError]
    assert view.is_blank
    assert not view.empty.waiting
    assert view.empty.title == "This could not be drawn"


def test_that_a_picture_that_takes_long_gives_way_to_the_next(area: ViewArea, qtbot: QtBot) -> None:
    run, studio = run_of("som"), area._studio
    begun: list[bool] = []
    made: list[Any] = []
    failed: list[bool] = []

    def endless(_: object) -> None:
        begun.append(True)
        while True:
            check_here()

    studio.undrawn.connect(lambda: failed.append(True))
    studio.desk.commit(Session(runs=(run,), shown=run.key), "Train")
    qtbot.waitUntil(lambda: studio.desk.idle, timeout=60_000)
    studio.drawn.connect(made.append)
    studio.wish({"one": endless})
    qtbot.waitUntil(lambda: bool(begun), timeout=60_000)
    studio.wish({"one": lambda _: "another"})
    qtbot.waitUntil(lambda: bool(made), timeout=60_000)

    assert made == [{"one": "another"}]
    assert failed == []
