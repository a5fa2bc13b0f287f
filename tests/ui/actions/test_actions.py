"""Actions in any order: no map is lost, and none is assigned to another table."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.hands import bring_into_sight, click, eventually
from tests.ui.windows import (
    LONG,
    begin_long_training,
    is_running,
    plan_quick,
    shown_window,
    table_file,
    wait_idle,
    with_sample,
)
from ximstudio.jobs import Task
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session import Data, open_data
from ximstudio.session.shown import Shown
from ximstudio.train import METHODS
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.panels.method.panel import MethodPanel
from ximstudio.ui.panels.prepare.panel import PreparePanel
from ximstudio.ui.panels.train.panel import TrainPanel
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.widgets.forms.numbers import NumberField

TURNED = Recipe(steps=(planned("orientation"),))
LOGGED = Recipe(steps=(planned("log2"),))
EMPTYING = Recipe(steps=(planned("keep", names=("no such gene",)),))
"""A step that refuses."""


@pytest.fixture
def actions(qtbot: QtBot, tmp_path: Path) -> Iterator[Actions]:
    """Actions without a window, with a small table and a small map planned."""
    made = Actions()
    made.open(Input(name=str(table_file(tmp_path))))
    settled(qtbot, made)
    quick(made, n_steps=LONG)
    yield made
    assert made.jobs.close()


def settled(qtbot: QtBot, actions: Actions) -> None:
    eventually(qtbot, lambda: actions.jobs.idle)


def quick(actions: Actions, *, n_steps: int) -> None:
    params = actions.session.plan.params
    wanted = {"shape": (4, 6), "n_steps": n_steps, "n_epochs": max(1, n_steps // 1000)}
    known = params.specs()
    actions.set_params(params.replace(**{k: v for k, v in wanted.items() if k in known}))


def data_of(actions: Actions) -> Data:
    data = actions.session.data
    assert data is not None
    return data


def paused(qtbot: QtBot, actions: Actions) -> None:
    """Train until there is a map, and pause."""
    actions.train()
    eventually(qtbot, lambda: actions.live is not None)
    actions.pause()
    eventually(qtbot, lambda: actions.phase is Phase.PAUSED)


class Gate:
    """A job that keeps the lane busy until it is opened."""

    def __init__(self, jobs: JobQueue) -> None:
        self._open = threading.Event()
        self.job = Job(label="Waiting", work=self._wait)
        jobs.start(self.job)

    def _wait(self, task: Task[float, None]) -> None:
        while not self._open.wait(0.001):
            task.check()

    def open(self) -> None:
        self._open.set()


# Other data while a map is trained


def test_that_a_paused_training_is_kept_with_its_own_data_when_the_table_is_read_again(
    qtbot: QtBot, actions: Actions
) -> None:
    paused(qtbot, actions)
    before = data_of(actions)

    actions.reread(replace(before.input, choices=before.input.choices.replace(items="columns")))
    settled(qtbot, actions)

    assert actions.phase is Phase.IDLE
    (run,) = actions.session.runs
    assert run.input is before.input
    assert run.matrix is before.matrix
    assert data_of(actions).matrix is not before.matrix


def test_that_a_paused_training_survives_another_recipe_and_stays_one_of_its_own(
    qtbot: QtBot, actions: Actions
) -> None:
    paused(qtbot, actions)
    before = data_of(actions)

    actions.set_recipe(LOGGED, "Take logarithms")
    settled(qtbot, actions)
    assert actions.phase is Phase.PAUSED
    actions.train()
    eventually(qtbot, lambda: actions.jobs.current is not None)
    actions.stop()
    settled(qtbot, actions)

    (run,) = actions.session.runs
    assert run.input is before.input
    assert run.result.data_fingerprint == run.matrix.fingerprint


def test_that_a_paused_training_ends_with_its_table(
    qtbot: QtBot, actions: Actions, tmp_path: Path
) -> None:
    paused(qtbot, actions)
    drawn: list[Any] = []
    actions.drawn.connect(drawn.append)

    actions.open(Input(name=str(table_file(tmp_path, "other.csv"))))
    settled(qtbot, actions)

    assert data_of(actions).name == "other.csv"
    assert actions.phase is Phase.IDLE
    assert actions.session.runs == ()
    assert actions.shown is None
    assert drawn[-1] == {}
    assert not actions.measuring


def test_that_a_training_that_waits_takes_the_table_as_it_becomes(
    qtbot: QtBot, actions: Actions
) -> None:
    gate = Gate(actions.jobs)
    quick(actions, n_steps=500)

    actions.set_recipe(LOGGED, "Take logarithms")
    actions.train()
    assert actions.waits
    gate.open()
    settled(qtbot, actions)

    (run,) = actions.session.runs
    assert run.input.recipe is LOGGED
    assert run.matrix is data_of(actions).matrix
    assert run.result.data_fingerprint == run.matrix.fingerprint


def test_that_a_training_that_waits_is_not_begun_if_the_table_cannot_be_prepared(
    qtbot: QtBot, actions: Actions
) -> None:
    gate = Gate(actions.jobs)
    refused: list[Any] = []
    actions.jobs.refused.connect(refused.extend)

    actions.set_recipe(EMPTYING, "Keep nothing")
    actions.train()
    gate.open()
    settled(qtbot, actions)

    assert actions.phase is Phase.IDLE
    assert actions.session.runs == ()
    assert refused == list(data_of(actions).problems)
    assert refused


def test_that_what_waits_for_one_table_is_not_done_to_another(
    qtbot: QtBot, actions: Actions, tmp_path: Path
) -> None:
    gate = Gate(actions.jobs)
    begun: list[str] = []
    # Quiet jobs look at the new table: they are not what waited.
    actions.jobs.began.connect(lambda job: None if job.quiet else begun.append(job.label))

    actions.open(Input(name=str(table_file(tmp_path, "other.csv"))))
    actions.set_recipe(TURNED, "Turn")
    actions.train()
    eventually(qtbot, lambda: data_of(actions).name == "other.csv")
    gate.open()
    settled(qtbot, actions)

    assert data_of(actions).name == "other.csv"
    assert actions.recipe == Recipe()
    assert actions.phase is Phase.IDLE
    assert begun == ["Reading other.csv"]


def test_that_a_recipe_that_waits_is_for_the_table_as_it_is_read_by_then(
    qtbot: QtBot, actions: Actions
) -> None:
    gate = Gate(actions.jobs)
    wanted = data_of(actions).input

    actions.reread(replace(wanted, choices=wanted.choices.replace(items="columns")))
    actions.set_recipe(LOGGED, "Take logarithms")
    gate.open()
    settled(qtbot, actions)

    data = data_of(actions)
    assert data.input.recipe is LOGGED
    assert data.input.choices.items == "columns"
    assert len(data.stages) == 1


def test_that_the_lane_takes_the_fingerprint(qtbot: QtBot, actions: Actions) -> None:
    actions.set_recipe(LOGGED, "Take logarithms")
    settled(qtbot, actions)

    # Where a cached property keeps its value.
    assert "fingerprint" in vars(data_of(actions).matrix)


# Stopping and going on


@pytest.mark.parametrize("end", ["pause", "stop"])
def test_that_training_that_has_not_begun_ends_without_a_map(
    qtbot: QtBot, actions: Actions, end: str
) -> None:
    gate = Gate(actions.jobs)
    actions.train()
    getattr(actions, end)()
    getattr(actions, end)()
    assert actions.phase is Phase.IDLE
    assert actions.jobs.current is gate.job
    gate.open()
    settled(qtbot, actions)

    assert actions.session.runs == ()


@pytest.mark.parametrize("end", ["pause", "stop"])
def test_that_training_ends_well_before_its_first_report(
    qtbot: QtBot, actions: Actions, end: str
) -> None:
    actions.train()
    getattr(actions, end)()
    settled(qtbot, actions)

    assert actions.phase is (Phase.IDLE if actions.live is None or end == "stop" else Phase.PAUSED)
    assert len(actions.session.runs) == (end == "stop" and actions.live is not None)


def test_that_going_on_keeps_the_settings_of_the_beginning(qtbot: QtBot, actions: Actions) -> None:
    paused(qtbot, actions)
    began_with = actions.session.plan.params
    assert actions.live is not None
    step = actions.live.step

    actions.choose_method("som")
    quick(actions, n_steps=500)
    actions.train()
    eventually(qtbot, lambda: actions.live is not None and actions.live.step > step)
    actions.stop()
    settled(qtbot, actions)

    (run,) = actions.session.runs
    assert run.result.params == began_with
    assert run.result.method == METHODS[0].key


def test_that_a_training_that_goes_wrong_keeps_its_last_map(qtbot: QtBot, actions: Actions) -> None:
    seen: list[int] = []

    def request(shown: Shown) -> int:
        seen.append(shown.result.step)
        if len(seen) == 4:
            raise ZeroDivisionError
        return shown.result.step

    actions.render({"pane": request})
    with qtbot.captureExceptions() as exceptions:
        actions.train()
        settled(qtbot, actions)

    assert [kind for kind, _, _ in exceptions] == [ZeroDivisionError]
    (run,) = actions.session.runs
    assert run.result.step in seen[:3]
    assert actions.phase is Phase.IDLE


# Measuring


def measured_later(qtbot: QtBot, actions: Actions) -> Gate:
    """A run whose measuring waits until the gate is opened."""
    quick(actions, n_steps=200)
    actions.train()
    eventually(qtbot, lambda: actions.jobs.current is actions.trainer.job)
    gate = Gate(actions.jobs)
    eventually(qtbot, lambda: actions.jobs.current is gate.job)
    return gate


def test_that_a_deleted_run_is_not_measured(qtbot: QtBot, actions: Actions) -> None:
    gate = measured_later(qtbot, actions)
    begun: list[str] = []
    actions.jobs.began.connect(lambda job: begun.append(job.label))
    (run,) = actions.session.runs
    assert run.key in actions.measuring

    actions.delete_run(run.key)
    gate.open()
    settled(qtbot, actions)

    assert actions.session.runs == ()
    assert not actions.measuring
    assert not any(doing.startswith("Measuring") for doing in begun)
    assert actions.shown is None


def test_that_a_run_can_be_deleted_while_it_is_measured(qtbot: QtBot, actions: Actions) -> None:
    quick(actions, n_steps=200)
    actions.train()
    eventually(
        qtbot,
        lambda: any(slot.job is actions.jobs.current for slot in actions.measuring.values()),
    )
    (run,) = actions.session.runs

    actions.delete_run(run.key)
    settled(qtbot, actions)

    assert actions.session.runs == ()
    assert not actions.measuring


def test_that_a_run_is_measured_once_at_a_time(qtbot: QtBot, actions: Actions) -> None:
    gate = measured_later(qtbot, actions)
    (run,) = actions.session.runs
    slot = actions.measuring[run.key]

    actions.measure(run)
    actions.measure(run)

    assert actions.measuring == {run.key: slot}
    gate.open()
    settled(qtbot, actions)
    assert actions.session.runs[0].measures


def test_that_another_table_opens_while_a_map_is_measured(
    qtbot: QtBot, actions: Actions, tmp_path: Path
) -> None:
    gate = measured_later(qtbot, actions)
    (run,) = actions.session.runs
    assert actions.measuring[run.key].waits_for == gate.job.label
    actions.open(Input(name=str(table_file(tmp_path, "other.csv"))))
    # The lane of what is computed is busy all the time.
    eventually(qtbot, lambda: data_of(actions).name.endswith("other.csv"))
    assert actions.jobs.current is gate.job
    assert not actions.measuring
    gate.open()
    settled(qtbot, actions)


def test_that_training_waits_for_measuring_and_views_follow_meanwhile(
    qtbot: QtBot, actions: Actions
) -> None:
    gate = measured_later(qtbot, actions)
    drawn: list[Any] = []
    actions.drawn.connect(drawn.append)

    actions.train()
    assert actions.waits
    actions.render({"pane": lambda shown: shown.result})
    eventually(qtbot, lambda: bool(drawn))
    gate.open()
    settled(qtbot, actions)

    first, second = actions.session.runs
    assert drawn[0] == {"pane": first.result}
    assert drawn[-1] == {"pane": second.result}
    assert first.measures
    assert second.measures


def test_that_a_training_of_which_nothing_was_drawn_yet_blanks_no_view(
    qtbot: QtBot, actions: Actions
) -> None:
    actions.render({"pane": lambda shown: shown.result})
    quick(actions, n_steps=2000)
    actions.train()
    settled(qtbot, actions)
    (run,), live = actions.session.runs, actions.live
    assert live is not None
    drawn: list[Any] = []
    actions.drawn.connect(drawn.append)

    # So begins, and may end, one that goes on from an earlier map.
    actions.trainer.trained.emit(replace(live, pictures={}))
    settled(qtbot, actions)
    assert drawn == [{"pane": run.result}]


def test_that_one_pane_changes_alone_and_none_is_forgotten(qtbot: QtBot, actions: Actions) -> None:
    quick(actions, n_steps=2000)
    actions.train()
    settled(qtbot, actions)
    drawn: list[dict[str, str]] = []
    actions.drawn.connect(drawn.append)

    def request(pane: str, text: str) -> Callable[[Shown], str]:
        return lambda _: f"{pane} {text}"

    def requests(text: str) -> dict[str, Callable[[Shown], str]]:
        return {pane: request(pane, text) for pane in ("left", "right")}

    actions.render(requests("first"))
    # Before they are there, one of them changes: the other is still waited for.
    actions.render(requests("second"), "left")
    settled(qtbot, actions)
    assert drawn[-1] == {"left": "left second", "right": "right second"}
    actions.render(requests("third"), "right")
    settled(qtbot, actions)
    assert drawn[-1] == {"right": "right third"}


# By mouse and keyboard


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    shown = with_sample(qtbot, shown_window(qtbot))
    shown.activateWindow()
    qtbot.waitUntil(shown.isActiveWindow)
    yield shown
    shown.close()


def panel_of(window: MainWindow) -> TrainPanel:
    return next(panel for panel in window.steps.panels if isinstance(panel, TrainPanel))


@contextmanager
def clicks_counted_as_double() -> Iterator[None]:
    """Take two clicks in the same place for a double click, whatever the clock says."""
    before = QApplication.doubleClickInterval()
    QApplication.setDoubleClickInterval(10**6)
    yield
    QApplication.setDoubleClickInterval(before)


def test_that_a_double_click_on_train_trains(qtbot: QtBot, window: MainWindow) -> None:
    plan_quick(window, n_steps=LONG)
    window.steps.open(3)
    wait_idle(qtbot, window)
    panel = panel_of(window)
    bring_into_sight(panel.go)
    # Where the button to pause will be.
    place = panel.go.mapTo(window, QPoint(panel.go.width() // 4, panel.go.height() // 2))

    with clicks_counted_as_double():
        click(panel.go, at=QRect(panel.go.width() // 4, 0, 1, panel.go.height()))
        qtbot.waitUntil(lambda: window.childAt(place) is panel.pause)
        # The window has changed by then, and another button may be in that place.
        QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=place)
    eventually(qtbot, lambda: is_running(window))

    assert not window.user_actions.trainer._pausing


def test_that_escape_twice_stops_and_then_cancels_measuring(
    qtbot: QtBot, window: MainWindow
) -> None:
    begin_long_training(qtbot, window)
    actions = window.user_actions

    QTest.keyClick(window, Qt.Key.Key_Escape)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    eventually(
        qtbot, lambda: any(slot.job is window.jobs.current for slot in actions.measuring.values())
    )
    QTest.keyClick(window, Qt.Key.Key_Escape)
    wait_idle(qtbot, window)

    (run,) = actions.session.runs
    assert not run.measures
    assert not actions.measuring
    assert window.runs.cards[run.key].measure.isVisible()


def test_that_escape_ends_a_pause(qtbot: QtBot, window: MainWindow) -> None:
    begin_long_training(qtbot, window)
    window.user_actions.pause()
    eventually(qtbot, lambda: window.user_actions.phase is Phase.PAUSED)
    wait_idle(qtbot, window)

    QTest.keyClick(window, Qt.Key.Key_Escape)

    assert window.user_actions.phase is Phase.IDLE
    assert len(window.user_actions.session.runs) == 1
    wait_idle(qtbot, window)


def test_that_escape_leaves_quiet_work_alone(qtbot: QtBot, window: MainWindow) -> None:
    opened = threading.Event()
    outcomes: list[bool] = []

    def work(task: Task[float, bool]) -> bool:
        opened.wait(60)
        task.check()
        return True

    window.jobs.start(Job(label="Drawing", work=work, done=outcomes.append, quiet=True))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    opened.set()
    wait_idle(qtbot, window)

    assert outcomes == [True]


def test_that_a_pause_says_that_changed_settings_have_to_wait(
    qtbot: QtBot, window: MainWindow
) -> None:
    begin_long_training(qtbot, window)
    window.user_actions.pause()
    eventually(qtbot, lambda: window.user_actions.phase is Phase.PAUSED)
    panel = panel_of(window)
    assert panel._cards.count() == 0

    plan_quick(window, n_steps=100)
    assert panel._cards.count() == 1
    plan_quick(window, n_steps=LONG)
    assert panel._cards.count() == 0
    window.user_actions.stop()
    wait_idle(qtbot, window)


# Who does the work

HEAVY = (
    "ximstudio.doctor",
    "ximstudio.kernels.batch",
    "ximstudio.kernels.rank_bins",
    "ximstudio.kernels.map_neighbours",
    "ximstudio.kernels.nearest",
    "ximstudio.kernels.online",
    "ximstudio.kernels.points",
    "ximstudio.kernels.ranks",
    "ximstudio.kernels.search",
    "ximstudio.load.text",
    "ximstudio.maps.density",
    "ximstudio.maps.layer",
    "ximstudio.maps.heights",
    "ximstudio.maps.label_kinds.is_scale",
    "ximstudio.measure.distances",
    "ximstudio.measure.evidence",
    "ximstudio.measure.neighbourhoods",
    "ximstudio.measure.nodes",
    "ximstudio.measure.pairs",
    "ximstudio.measure.ranks",
    "ximstudio.model.distances",
    "ximstudio.model.matrix.fingerprint",
    "ximstudio.place",
    "ximstudio.prepare.recipe.prepare",
    "ximstudio.prepare.statistics",
    "ximstudio.session.data.change_of",
    "ximstudio.session.descent.part_shape",
    "ximstudio.session.measuring",
    "ximstudio.load.sides.guessed",
    "ximstudio.session.words.overview_of",
    "ximstudio.session.training._data_distances",
    "ximstudio.session.training._ranked",
    "ximstudio.session.training.trust_and_continuity",
    "ximstudio.train.components",
    "ximstudio.train.online",
    "ximstudio.train.space",
    "ximstudio.train.start",
)
"""Where the work on tables and maps is done: in the lane."""

LOOKUPS = (
    "ximstudio.doctor.check_named",
    "ximstudio.maps.layer.first_option",
    "ximstudio.maps.layer.live",
    "ximstudio.maps.layer.options",
    "ximstudio.maps.layer.title",
)
"""Functions there that only find a record or read its fields."""


def functions_called(action: Callable[[], object]) -> list[str]:
    """Module and name of every function that this thread runs meanwhile."""
    called: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.append(f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_name}")

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return called


def heavy(called: list[str]) -> list[str]:
    return [name for name in called if name.startswith(HEAVY) and name not in LOOKUPS]


def test_that_typing_a_parameter_computes_nothing_in_the_windows_thread(
    qtbot: QtBot, window: MainWindow
) -> None:
    plan_quick(window, n_steps=500)
    window.train()
    wait_idle(qtbot, window)
    assert window.user_actions.session.run is not None
    panel = next(panel for panel in window.steps.panels if isinstance(panel, MethodPanel))
    field = panel.form.fields["n_steps"]
    assert isinstance(field, NumberField)

    called = functions_called(lambda: QTest.keyClicks(field.edit, "123"))

    assert window.user_actions.session.plan.params.as_values()["n_steps"] == 500123
    assert "ximstudio.ui.actions.actions.set_params" in called
    assert heavy(called) == []
    wait_idle(qtbot, window)


def test_that_typing_a_number_of_a_step_computes_nothing_in_the_windows_thread(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.user_actions.set_recipe(LOGGED, "Take logarithms")
    wait_idle(qtbot, window)
    panel = next(panel for panel in window.steps.panels if isinstance(panel, PreparePanel))
    panel.cards[0].set_open(True)
    form = panel.cards[0].form
    assert form is not None
    field = form.fields["offset"]
    assert isinstance(field, NumberField)

    called = functions_called(lambda: QTest.keyClicks(field.edit, "12"))

    assert "ximstudio.ui.actions.actions.set_recipe" in called
    assert heavy(called) == []
    wait_idle(qtbot, window)
    (step,) = data_of(window.user_actions).input.recipe.steps
    assert step.params.as_values()["offset"] == 112


def test_that_all_that_takes_long_is_done_in_the_lane(qtbot: QtBot, window: MainWindow) -> None:
    def a_day() -> None:
        window.user_actions.set_recipe(LOGGED, "Take logarithms")
        wait_idle(qtbot, window)
        window.views.split.button("4").click()
        for method in ("som", METHODS[0].key):
            window.user_actions.choose_method(method)
            plan_quick(window, n_steps=3000)
            window.train()
            wait_idle(qtbot, window)

    called = functions_called(a_day)

    assert len(window.user_actions.session.runs) == 2
    assert "ximstudio.ui.views.area.draw" in called
    assert sorted(set(heavy(called))) == []
    # The same functions are seen where they are at work.
    data = data_of(window.user_actions)
    assert heavy(functions_called(lambda: open_data(data.input))) != []


# All of it in any order


class Hands:
    """Does one thing after another, by chance but the same every time, and looks whether all is
    as it should be.
    """

    def __init__(self, qtbot: QtBot, actions: Actions, folder: Path, seed: int) -> None:
        self._qtbot = qtbot
        self._actions = actions
        self._random = random.Random(seed)
        self._files = [table_file(folder, name) for name in ("one.csv", "two.csv")]
        self._drawn: Any = {}
        self._reported = 0
        actions.drawn.connect(self._keep)
        actions.trained.connect(self._count)
        actions.render({"pane": _result_of})

    def _keep(self, pictures: Any) -> None:
        self._drawn = dict(pictures)

    def _count(self) -> None:
        self._reported += 1

    def act(self) -> None:
        """Do something."""
        often = (self._train, self._watch, self._watch, self._rest)
        sometimes = (
            self._actions.pause,
            self._actions.stop,
            self._steps,
            self._show,
            self._request,
        )
        seldom = (
            self._actions.jobs.stop,
            self._finish,
            self._method,
            self._recipe,
            self._reread,
            self._measure,
            self._delete,
            self._rename,
            self._reuse,
        )
        choices = (*often * 8, *sometimes * 4, *seldom * 2, self._open)
        self._random.choice(choices)()

    def _train(self) -> None:
        self._actions.train()

    def _watch(self) -> None:
        """Look on until a training reports, or nothing is left to be done."""
        actions, before = self._actions, self._reported
        eventually(self._qtbot, lambda: self._reported > before or actions.jobs.idle)

    def _rest(self) -> None:
        """Wait until what is done is done, unless it would take for ever."""
        actions = self._actions
        job, training = actions.jobs.current, actions.trainer.training
        endless = training is not None and getattr(training.plan.params, "n_steps", 0) == LONG
        if job is not None and not (job is actions.trainer.job and endless):
            eventually(self._qtbot, lambda: actions.jobs.current is not job)

    def _finish(self) -> None:
        """Wait until nothing is done any more; a training ends by being stopped."""
        self._actions.stop()
        settled(self._qtbot, self._actions)
        self.check_rest()

    def _steps(self) -> None:
        quick(self._actions, n_steps=self._random.choice((300, 3000, LONG)))

    def _method(self) -> None:
        self._actions.choose_method(self._random.choice(METHODS).key)
        self._steps()

    def _recipe(self) -> None:
        self._actions.set_recipe(
            self._random.choice((Recipe(), LOGGED, TURNED, EMPTYING)), "Change"
        )

    def _reread(self) -> None:
        data = data_of(self._actions)
        side = self._random.choice(("rows", "columns"))
        self._actions.reread(replace(data.input, choices=data.input.choices.replace(items=side)))

    def _open(self) -> None:
        self._actions.open(Input(name=str(self._random.choice(self._files))))

    def _run(self, do: Callable[[Any], object]) -> None:
        if self._actions.session.runs:
            do(self._random.choice(self._actions.session.runs))

    def _measure(self) -> None:
        self._run(self._actions.measure)

    def _delete(self) -> None:
        self._run(lambda run: self._actions.delete_run(run.key))

    def _show(self) -> None:
        self._run(lambda run: self._actions.show_run(run.key))

    def _rename(self) -> None:
        self._run(lambda run: self._actions.change_run(replace(run, name="Other"), "Rename"))

    def _reuse(self) -> None:
        self._run(self._actions.reuse)

    def _request(self) -> None:
        self._actions.render({"pane": _result_of})

    def check(self) -> None:
        """Assert what holds at any time."""
        actions, session = self._actions, self._actions.session
        jobs = {job for job in (actions.jobs.current, *actions.jobs.waiting) if job is not None}
        assert (actions.trainer.job in jobs) is (actions.phase is Phase.RUNNING)
        assert actions.phase is not Phase.PAUSED or actions.live is not None
        assert not (actions.live is not None and actions.live.finished) or (
            actions.phase is not Phase.PAUSED
        )
        keys = [run.key for run in session.runs]
        assert len(set(keys)) == len(keys) <= session.n_made
        assert (session.shown in keys) if keys else session.shown is None
        assert set(actions.measuring) <= set(keys)
        assert {slot.job for slot in actions.measuring.values()} <= jobs
        for run in session.runs:
            assert run.result.positions.shape == (run.matrix.n_items, 2)
            assert np.isfinite(run.result.positions).all()
            assert run.result.data_fingerprint == run.matrix.fingerprint

    def check_rest(self) -> None:
        """Assert what holds when nothing is done: what is drawn is what is shown."""
        actions = self._actions
        self.check()
        assert actions.phase is not Phase.RUNNING
        assert not actions.measuring
        assert actions.recipe is data_of(actions).input.recipe
        shown = actions.shown
        assert self._drawn == ({} if shown is None else {"pane": shown.result})

    def check_inputs(self) -> None:
        """Assert that every map can be had again from what is said about its data."""
        for run in self._actions.session.runs:
            matrix = open_data(run.input).matrix
            assert matrix is not None
            assert matrix.fingerprint == run.matrix.fingerprint


def _result_of(shown: Shown) -> object:
    return shown.result


@pytest.mark.parametrize("seed", range(4))
def test_that_anything_can_be_done_at_any_time(
    qtbot: QtBot, actions: Actions, tmp_path: Path, seed: int
) -> None:
    hands = Hands(qtbot, actions, tmp_path, seed)
    for _ in range(200):
        hands.act()
        hands.check()
    hands._finish()
    hands.check_inputs()


def test_that_the_window_follows_whatever_is_done(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    # The views ask for their own pictures; requests by hand come on top and do no harm.
    hands = Hands(qtbot, window.user_actions, tmp_path, seed=9)
    for _ in range(60):
        hands.act()
        hands.check()
        # What nobody sees may follow later, and another table opens at its data.
        window.steps.open_step("train")
        phase = window.user_actions.phase
        assert window.bar.pause.isEnabled() is (phase is Phase.RUNNING)
        assert window.bar.stop.isEnabled() is (phase is not Phase.IDLE)
        assert list(window.runs.cards) == [run.key for run in window.user_actions.session.runs]
        assert panel_of(window).pause.isHidden() is (phase is not Phase.RUNNING)
    window.user_actions.stop()
    wait_idle(qtbot, window)
    hands.check()
