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
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.views import VIEWS, AnyView
from ximstudio.ui.views.area import ViewArea
from ximstudio.ui.views.common.view import Empty

pytestmark = pytest.mark.usefixtures("dressed")
every_view = pytest.mark.parametrize("kind", VIEWS, ids=lambda kind: kind.kind.key)


@pytest.fixture
def actions() -> Iterator[Actions]:
    made = Actions()
    yield made
    made.jobs.close()


@pytest.fixture
def area(qtbot: QtBot, actions: Actions) -> ViewArea:
    made = ViewArea(actions)
    qtbot.addWidget(made)
    return made


def said(empty: Empty) -> str:
    """What is said once a person has waited."""
    if empty.patience.isActive():
        assert empty.title == ""
        empty.patience.stop()
        empty.patience.timeout.emit()
    return empty.title


@every_view
def test_that_a_view_says_nothing_wait_or_failed(
    qtbot: QtBot, actions: Actions, kind: type[AnyView]
) -> None:
    view = kind()
    qtbot.addWidget(view)
    view.meet(actions)
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
def test_that_a_picture_stays_while_the_next_is_made(
    qtbot: QtBot, actions: Actions, kind: type[AnyView]
) -> None:
    view = kind()
    qtbot.addWidget(view)
    view.meet(actions)
    view.draw(view.request()(shown_of("som")))
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
    run, jobs = run_of("som"), area._actions.jobs
    held: list[Task[Any, Any]] = []

    def work(task: Task[Any, Any]) -> None:
        held.append(task)
        while True:
            task.check()

    jobs.start(Job(label="Measuring som", work=work))
    area._actions.store.commit(Session(runs=(run,), shown=run.key), "Train")
    area.show_panes("4")
    for pane in area.panes:
        assert said(pane.view.empty) == "Drawing…"
    jobs.stop()
    qtbot.waitUntil(lambda: jobs.idle and area.is_drawn, timeout=60_000)
    assert not any(pane.view.is_blank for pane in area.panes)


def test_that_views_say_that_training_begins_and_that_it_did_not(area: ViewArea) -> None:
    view = area.panes[0].view
    nothing = view.empty.title
    actions = area._actions
    actions.trainer._enter(Phase.RUNNING)
    assert said(view.empty) == "Training begins…"
    actions.trainer._enter(Phase.IDLE)
    assert view.empty.title == nothing


def test_that_a_picture_that_cannot_be_made_is_owned_up_to(
    area: ViewArea, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, view = run_of("som"), area.panes[0].view

    def broken(_: object) -> None:
        raise ValueError("no picture")

    monkeypatch.setattr(view, "request", lambda: broken)
    area._actions.store.commit(Session(runs=(run,), shown=run.key), "Train")
    with qtbot.captureExceptions() as raised:
        view.wanted.emit()
        qtbot.waitUntil(lambda: area._actions.jobs.idle, timeout=60_000)
    assert [kind for kind, *_ in raised] == [ValueError]
    assert view.is_blank
    assert not view.empty.waiting
    assert view.empty.title == "This view could not be drawn"


def test_that_a_picture_that_takes_long_gives_way_to_the_next(area: ViewArea, qtbot: QtBot) -> None:
    run, actions = run_of("som"), area._actions
    begun: list[bool] = []
    made: list[Any] = []
    failed: list[bool] = []

    def endless(_: object) -> None:
        begun.append(True)
        while True:
            check_here()

    actions.drawing_failed.connect(lambda: failed.append(True))
    actions.store.commit(Session(runs=(run,), shown=run.key), "Train")
    qtbot.waitUntil(lambda: actions.jobs.idle, timeout=60_000)
    actions.drawn.connect(made.append)
    actions.render({"one": endless})
    qtbot.waitUntil(lambda: bool(begun), timeout=60_000)
    actions.render({"one": lambda _: "another"})
    qtbot.waitUntil(lambda: bool(made), timeout=60_000)

    assert made == [{"one": "another"}]
    assert failed == []
