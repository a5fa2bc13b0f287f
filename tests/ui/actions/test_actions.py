"""What a person can do, in whatever order: no map is lost, none is taken for another table's."""

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
from ximstudio.ui.desk import Desk, Job
from ximstudio.ui.form_numbers import NumberField
from ximstudio.ui.panels.method_panel import MethodPanel
from ximstudio.ui.panels.prepare_panel import PreparePanel
from ximstudio.ui.panels.train_panel import TrainPanel
from ximstudio.ui.studio import Studio
from ximstudio.ui.training import Phase
from ximstudio.ui.window import MainWindow

TURNED = Recipe(steps=(planned("orientation"),))
LOGGED = Recipe(steps=(planned("log2"),))
EMPTYING = Recipe(steps=(planned("keep", names=("no such gene",)),))
"""A step that refuses."""


@pytest.fixture
def studio(qtbot: QtBot, tmp_path: Path) -> Iterator[Studio]:
    """A studio without a window, with a small table and a small map planned."""
    desk = Desk()
    made = Studio(desk)
    made.open(Input(name=str(table_file(tmp_path))))
    settled(qtbot, made)
    quick(made, n_steps=LONG)
    yield made
    assert desk.close()


def settled(qtbot: QtBot, studio: Studio) -> None:
    eventually(qtbot, lambda: studio.desk.idle)


def quick(studio: Studio, *, n_steps: int) -> None:
    params = studio.session.plan.params
    wanted = {"shape": (4, 6), "n_steps": n_steps, "n_epochs": max(1, n_steps // 1000)}
    known = params.specs()
    studio.set_params(params.replace(**{k: v for k, v in wanted.items() if k in known}))


def data_of(studio: Studio) -> Data:
    data = studio.session.data
    assert data is not None
    return data


def paused(qtbot: QtBot, studio: Studio) -> None:
    """Train until there is a map, and pause."""
    studio.train()
    eventually(qtbot, lambda: studio.live is not None)
    studio.pause()
    eventually(qtbot, lambda: studio.phase is Phase.PAUSED)


class Gate:
    """A job that keeps the lane busy until it is opened."""

    def __init__(self, desk: Desk) -> None:
        self._open = threading.Event()
        self.job = Job(doing="Waiting", work=self._wait)
        desk.start(self.job)

    def _wait(self, task: Task[float, None]) -> None:
        while not self._open.wait(0.001):
            task.check()

    def open(self) -> None:
        self._open.set()


# Other data while a map is trained


def test_that_a_paused_training_is_kept_with_its_own_data_when_the_table_is_read_again(
    qtbot: QtBot, studio: Studio
) -> None:
    paused(qtbot, studio)
    before = data_of(studio)

    studio.reread(replace(before.input, choices=before.input.choices.replace(items="columns")))
    settled(qtbot, studio)

    assert studio.phase is Phase.IDLE
    (run,) = studio.session.runs
    assert run.input is before.input
    assert run.matrix is before.matrix
    assert data_of(studio).matrix is not before.matrix


def test_that_a_paused_training_survives_another_recipe_and_stays_one_of_its_own(
    qtbot: QtBot, studio: Studio
) -> None:
    paused(qtbot, studio)
    before = data_of(studio)

    studio.set_recipe(LOGGED, "Take logarithms")
    settled(qtbot, studio)
    assert studio.phase is Phase.PAUSED
    studio.train()
    eventually(qtbot, lambda: studio.desk.job is not None)
    studio.stop()
    settled(qtbot, studio)

    (run,) = studio.session.runs
    assert run.input is before.input
    assert run.result.data_fingerprint == run.matrix.fingerprint


def test_that_a_paused_training_ends_with_its_table(
    qtbot: QtBot, studio: Studio, tmp_path: Path
) -> None:
    paused(qtbot, studio)
    drawn: list[Any] = []
    studio.drawn.connect(drawn.append)

    studio.open(Input(name=str(table_file(tmp_path, "other.csv"))))
    settled(qtbot, studio)

    assert data_of(studio).name == "other.csv"
    assert studio.phase is Phase.IDLE
    assert studio.session.runs == ()
    assert studio.shown is None
    assert drawn[-1] == {}
    assert not studio.measuring


def test_that_a_training_that_waits_takes_the_table_as_it_becomes(
    qtbot: QtBot, studio: Studio
) -> None:
    gate = Gate(studio.desk)
    quick(studio, n_steps=500)

    studio.set_recipe(LOGGED, "Take logarithms")
    studio.train()
    assert studio.waits
    gate.open()
    settled(qtbot, studio)

    (run,) = studio.session.runs
    assert run.input.recipe is LOGGED
    assert run.matrix is data_of(studio).matrix
    assert run.result.data_fingerprint == run.matrix.fingerprint


def test_that_a_training_that_waits_is_not_begun_if_the_table_cannot_be_prepared(
    qtbot: QtBot, studio: Studio
) -> None:
    gate = Gate(studio.desk)
    refused: list[Any] = []
    studio.desk.refused.connect(refused.extend)

    studio.set_recipe(EMPTYING, "Keep nothing")
    studio.train()
    gate.open()
    settled(qtbot, studio)

    assert studio.phase is Phase.IDLE
    assert studio.session.runs == ()
    assert refused == list(data_of(studio).problems)
    assert refused


def test_that_what_waits_for_one_table_is_not_done_to_another(
    qtbot: QtBot, studio: Studio, tmp_path: Path
) -> None:
    gate = Gate(studio.desk)
    begun: list[str] = []
    # Quiet jobs look at the new table: they are not what waited.
    studio.desk.began.connect(lambda job: None if job.quiet else begun.append(job.doing))

    studio.open(Input(name=str(table_file(tmp_path, "other.csv"))))
    studio.set_recipe(TURNED, "Turn")
    studio.train()
    eventually(qtbot, lambda: data_of(studio).name == "other.csv")
    gate.open()
    settled(qtbot, studio)

    assert data_of(studio).name == "other.csv"
    assert studio.recipe == Recipe()
    assert studio.phase is Phase.IDLE
    assert begun == ["Reading other.csv"]


def test_that_a_recipe_that_waits_is_for_the_table_as_it_is_read_by_then(
    qtbot: QtBot, studio: Studio
) -> None:
    gate = Gate(studio.desk)
    wanted = data_of(studio).input

    studio.reread(replace(wanted, choices=wanted.choices.replace(items="columns")))
    studio.set_recipe(LOGGED, "Take logarithms")
    gate.open()
    settled(qtbot, studio)

    data = data_of(studio)
    assert data.input.recipe is LOGGED
    assert data.input.choices.items == "columns"
    assert len(data.stages) == 1


def test_that_the_lane_takes_the_fingerprint(qtbot: QtBot, studio: Studio) -> None:
    studio.set_recipe(LOGGED, "Take logarithms")
    settled(qtbot, studio)

    # Where a cached property keeps its value.
    assert "fingerprint" in vars(data_of(studio).matrix)


# Stopping and going on


@pytest.mark.parametrize("end", ["pause", "stop"])
def test_that_training_that_has_not_begun_ends_without_a_map(
    qtbot: QtBot, studio: Studio, end: str
) -> None:
    gate = Gate(studio.desk)
    studio.train()
    getattr(studio, end)()
    getattr(studio, end)()
    assert studio.phase is Phase.IDLE
    assert studio.desk.job is gate.job
    gate.open()
    settled(qtbot, studio)

    assert studio.session.runs == ()


@pytest.mark.parametrize("end", ["pause", "stop"])
def test_that_training_ends_well_before_its_first_report(
    qtbot: QtBot, studio: Studio, end: str
) -> None:
    studio.train()
    getattr(studio, end)()
    settled(qtbot, studio)

    assert studio.phase is (Phase.IDLE if studio.live is None or end == "stop" else Phase.PAUSED)
    assert len(studio.session.runs) == (end == "stop" and studio.live is not None)


def test_that_going_on_keeps_the_settings_of_the_beginning(qtbot: QtBot, studio: Studio) -> None:
    paused(qtbot, studio)
    began_with = studio.session.plan.params
    assert studio.live is not None
    step = studio.live.step

    studio.choose_method("som")
    quick(studio, n_steps=500)
    studio.train()
    eventually(qtbot, lambda: studio.live is not None and studio.live.step > step)
    studio.stop()
    settled(qtbot, studio)

    (run,) = studio.session.runs
    assert run.result.params == began_with
    assert run.result.method == METHODS[0].key


def test_that_a_training_that_goes_wrong_keeps_its_last_map(qtbot: QtBot, studio: Studio) -> None:
    seen: list[int] = []

    def wish(shown: Shown) -> int:
        seen.append(shown.result.step)
        if len(seen) == 4:
            raise ZeroDivisionError
        return shown.result.step

    studio.wish({"pane": wish})
    with qtbot.captureExceptions() as exceptions:
        studio.train()
        settled(qtbot, studio)

    assert [kind for kind, _, _ in exceptions] == [ZeroDivisionError]
    (run,) = studio.session.runs
    assert run.result.step in seen[:3]
    assert studio.phase is Phase.IDLE


# Measuring


def measured_later(qtbot: QtBot, studio: Studio) -> Gate:
    """A run whose measuring waits until the gate is opened."""
    quick(studio, n_steps=200)
    studio.train()
    eventually(qtbot, lambda: studio.desk.job is studio.trainer.job)
    gate = Gate(studio.desk)
    eventually(qtbot, lambda: studio.desk.job is gate.job)
    return gate


def test_that_a_deleted_run_is_not_measured(qtbot: QtBot, studio: Studio) -> None:
    gate = measured_later(qtbot, studio)
    begun: list[str] = []
    studio.desk.began.connect(lambda job: begun.append(job.doing))
    (run,) = studio.session.runs
    assert run.key in studio.measuring

    studio.delete_run(run.key)
    gate.open()
    settled(qtbot, studio)

    assert studio.session.runs == ()
    assert not studio.measuring
    assert not any(doing.startswith("Measuring") for doing in begun)
    assert studio.shown is None


def test_that_a_run_can_be_deleted_while_it_is_measured(qtbot: QtBot, studio: Studio) -> None:
    quick(studio, n_steps=200)
    studio.train()
    eventually(qtbot, lambda: any(job is studio.desk.job for job in studio.measuring.values()))
    (run,) = studio.session.runs

    studio.delete_run(run.key)
    settled(qtbot, studio)

    assert studio.session.runs == ()
    assert not studio.measuring


def test_that_a_run_is_measured_once_at_a_time(qtbot: QtBot, studio: Studio) -> None:
    gate = measured_later(qtbot, studio)
    (run,) = studio.session.runs
    job = studio.measuring[run.key]

    studio.measure(run)
    studio.measure(run)

    assert studio.measuring == {run.key: job}
    gate.open()
    settled(qtbot, studio)
    assert studio.session.runs[0].measures


def test_that_another_table_opens_while_a_map_is_measured(
    qtbot: QtBot, studio: Studio, tmp_path: Path
) -> None:
    gate = measured_later(qtbot, studio)
    (run,) = studio.session.runs
    job = studio.measuring[run.key]
    assert studio.desk.before(job) == gate.job.doing
    studio.open(Input(name=str(table_file(tmp_path, "other.csv"))))
    # The lane of what is computed is busy all the time.
    eventually(qtbot, lambda: data_of(studio).name.endswith("other.csv"))
    assert studio.desk.job is gate.job
    assert not studio.measuring
    gate.open()
    settled(qtbot, studio)


def test_that_training_waits_for_measuring_and_views_follow_meanwhile(
    qtbot: QtBot, studio: Studio
) -> None:
    gate = measured_later(qtbot, studio)
    drawn: list[Any] = []
    studio.drawn.connect(drawn.append)

    studio.train()
    assert studio.waits
    studio.wish({"pane": lambda shown: shown.result})
    eventually(qtbot, lambda: bool(drawn))
    gate.open()
    settled(qtbot, studio)

    first, second = studio.session.runs
    assert drawn[0] == {"pane": first.result}
    assert drawn[-1] == {"pane": second.result}
    assert first.measures
    assert second.measures


def test_that_a_training_of_which_nothing_was_drawn_yet_blanks_no_view(
    qtbot: QtBot, studio: Studio
) -> None:
    studio.wish({"pane": lambda shown: shown.result})
    quick(studio, n_steps=2000)
    studio.train()
    settled(qtbot, studio)
    (run,), live = studio.session.runs, studio.live
    assert live is not None
    drawn: list[Any] = []
    studio.drawn.connect(drawn.append)

    # So begins, and may end, one that goes on from an earlier map.
    studio.trainer.trained.emit(replace(live, pictures={}))
    settled(qtbot, studio)
    assert drawn == [{"pane": run.result}]


def test_that_one_pane_changes_alone_and_none_is_forgotten(qtbot: QtBot, studio: Studio) -> None:
    quick(studio, n_steps=2000)
    studio.train()
    settled(qtbot, studio)
    drawn: list[dict[str, str]] = []
    studio.drawn.connect(drawn.append)

    def wish(pane: str, text: str) -> Callable[[Shown], str]:
        return lambda _: f"{pane} {text}"

    def wishes(text: str) -> dict[str, Callable[[Shown], str]]:
        return {pane: wish(pane, text) for pane in ("left", "right")}

    studio.wish(wishes("first"))
    # Before they are there, one of them changes: the other is still waited for.
    studio.wish(wishes("second"), "left")
    settled(qtbot, studio)
    assert drawn[-1] == {"left": "left second", "right": "right second"}
    studio.wish(wishes("third"), "right")
    settled(qtbot, studio)
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

    assert not window.studio.trainer._pausing


def test_that_escape_twice_stops_and_then_cancels_measuring(
    qtbot: QtBot, window: MainWindow
) -> None:
    begin_long_training(qtbot, window)
    studio = window.studio

    QTest.keyClick(window, Qt.Key.Key_Escape)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    eventually(qtbot, lambda: any(job is window.desk.job for job in studio.measuring.values()))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    wait_idle(qtbot, window)

    (run,) = studio.session.runs
    assert not run.measures
    assert not studio.measuring
    assert window.runs.cards[run.key].measure.isVisible()


def test_that_escape_ends_a_pause(qtbot: QtBot, window: MainWindow) -> None:
    begin_long_training(qtbot, window)
    window.studio.pause()
    eventually(qtbot, lambda: window.studio.phase is Phase.PAUSED)
    wait_idle(qtbot, window)

    QTest.keyClick(window, Qt.Key.Key_Escape)

    assert window.studio.phase is Phase.IDLE
    assert len(window.studio.session.runs) == 1
    wait_idle(qtbot, window)


def test_that_escape_leaves_quiet_work_alone(qtbot: QtBot, window: MainWindow) -> None:
    opened = threading.Event()
    outcomes: list[bool] = []

    def work(task: Task[float, bool]) -> bool:
        opened.wait(60)
        task.check()
        return True

    window.desk.start(Job(doing="Drawing", work=work, done=outcomes.append, quiet=True))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    opened.set()
    wait_idle(qtbot, window)

    assert outcomes == [True]


def test_that_a_pause_says_that_changed_settings_have_to_wait(
    qtbot: QtBot, window: MainWindow
) -> None:
    begin_long_training(qtbot, window)
    window.studio.pause()
    eventually(qtbot, lambda: window.studio.phase is Phase.PAUSED)
    panel = panel_of(window)
    assert panel._cards.count() == 0

    plan_quick(window, n_steps=100)
    assert panel._cards.count() == 1
    plan_quick(window, n_steps=LONG)
    assert panel._cards.count() == 0
    window.studio.stop()
    wait_idle(qtbot, window)


# Who does the work

HEAVY = (
    "ximstudio.doctor",
    "ximstudio.kernels.batch",
    "ximstudio.kernels.bins",
    "ximstudio.kernels.boxes",
    "ximstudio.kernels.nearest",
    "ximstudio.kernels.online",
    "ximstudio.kernels.points",
    "ximstudio.kernels.ranks",
    "ximstudio.kernels.search",
    "ximstudio.load.text",
    "ximstudio.maps.density",
    "ximstudio.maps.evidence",
    "ximstudio.maps.heights",
    "ximstudio.maps.label_kinds.is_scale",
    "ximstudio.maps.planes",
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
    "ximstudio.session.histograms",
    "ximstudio.session.map_size",
    "ximstudio.session.measuring",
    "ximstudio.load.sides.guessed",
    "ximstudio.session.overview.overview_of",
    "ximstudio.session.training_sample",
    "ximstudio.train.components",
    "ximstudio.train.online",
    "ximstudio.train.space",
    "ximstudio.train.start",
)
"""Where the work on tables and maps is done: in the lane."""


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
    return [name for name in called if name.startswith(HEAVY)]


def test_that_typing_a_parameter_computes_nothing_in_the_windows_thread(
    qtbot: QtBot, window: MainWindow
) -> None:
    plan_quick(window, n_steps=500)
    window.train()
    wait_idle(qtbot, window)
    assert window.studio.session.run is not None
    panel = next(panel for panel in window.steps.panels if isinstance(panel, MethodPanel))
    field = panel.form.fields["n_steps"]
    assert isinstance(field, NumberField)

    called = functions_called(lambda: QTest.keyClicks(field.edit, "123"))

    assert window.studio.session.plan.params.as_values()["n_steps"] == 500123
    assert "ximstudio.ui.studio.set_params" in called
    assert heavy(called) == []
    wait_idle(qtbot, window)


def test_that_typing_a_number_of_a_step_computes_nothing_in_the_windows_thread(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.studio.set_recipe(LOGGED, "Take logarithms")
    wait_idle(qtbot, window)
    panel = next(panel for panel in window.steps.panels if isinstance(panel, PreparePanel))
    panel.cards[0].set_open(True)
    form = panel.cards[0].form
    assert form is not None
    field = form.fields["offset"]
    assert isinstance(field, NumberField)

    called = functions_called(lambda: QTest.keyClicks(field.edit, "12"))

    assert "ximstudio.ui.studio.set_recipe" in called
    assert heavy(called) == []
    wait_idle(qtbot, window)
    (step,) = data_of(window.studio).input.recipe.steps
    assert step.params.as_values()["offset"] == 112


def test_that_all_that_takes_long_is_done_in_the_lane(qtbot: QtBot, window: MainWindow) -> None:
    def a_day() -> None:
        window.studio.set_recipe(LOGGED, "Take logarithms")
        wait_idle(qtbot, window)
        window.views.split.button("4").click()
        for method in ("som", METHODS[0].key):
            window.studio.choose_method(method)
            plan_quick(window, n_steps=3000)
            window.train()
            wait_idle(qtbot, window)

    called = functions_called(a_day)

    assert len(window.studio.session.runs) == 2
    assert "ximstudio.ui.views.area.draw" in called
    assert heavy(called) == []
    # The same functions are seen where they are at work.
    data = data_of(window.studio)
    assert heavy(functions_called(lambda: open_data(data.input))) != []


# All of it in any order


class Hands:
    """Does one thing after another, by chance but the same every time, and looks whether all is
    as it should be.
    """

    def __init__(self, qtbot: QtBot, studio: Studio, folder: Path, seed: int) -> None:
        self._qtbot = qtbot
        self._studio = studio
        self._random = random.Random(seed)
        self._files = [table_file(folder, name) for name in ("one.csv", "two.csv")]
        self._drawn: Any = {}
        self._reported = 0
        studio.drawn.connect(self._keep)
        studio.trained.connect(self._count)
        studio.wish({"pane": _result_of})

    def _keep(self, pictures: Any) -> None:
        self._drawn = dict(pictures)

    def _count(self) -> None:
        self._reported += 1

    def act(self) -> None:
        """Do something."""
        often = (self._train, self._watch, self._watch, self._rest)
        sometimes = (self._studio.pause, self._studio.stop, self._steps, self._show, self._wish)
        seldom = (
            self._studio.desk.stop,
            self._finish,
            self._method,
            self._recipe,
            self._reread,
            self._measure,
            self._delete,
            self._rename,
            self._reuse,
        )
        actions = (*often * 8, *sometimes * 4, *seldom * 2, self._open)
        self._random.choice(actions)()

    def _train(self) -> None:
        self._studio.train()

    def _watch(self) -> None:
        """Look on until a training reports, or nothing is left to be done."""
        studio, before = self._studio, self._reported
        eventually(self._qtbot, lambda: self._reported > before or studio.desk.idle)

    def _rest(self) -> None:
        """Wait until what is done is done, unless it would take for ever."""
        studio = self._studio
        job, training = studio.desk.job, studio.trainer.training
        endless = training is not None and getattr(training.plan.params, "n_steps", 0) == LONG
        if job is not None and not (job is studio.trainer.job and endless):
            eventually(self._qtbot, lambda: studio.desk.job is not job)

    def _finish(self) -> None:
        """Wait until nothing is done any more; a training ends by being stopped."""
        self._studio.stop()
        settled(self._qtbot, self._studio)
        self.check_rest()

    def _steps(self) -> None:
        quick(self._studio, n_steps=self._random.choice((300, 3000, LONG)))

    def _method(self) -> None:
        self._studio.choose_method(self._random.choice(METHODS).key)
        self._steps()

    def _recipe(self) -> None:
        self._studio.set_recipe(self._random.choice((Recipe(), LOGGED, TURNED, EMPTYING)), "Change")

    def _reread(self) -> None:
        data = data_of(self._studio)
        side = self._random.choice(("rows", "columns"))
        self._studio.reread(replace(data.input, choices=data.input.choices.replace(items=side)))

    def _open(self) -> None:
        self._studio.open(Input(name=str(self._random.choice(self._files))))

    def _run(self, do: Callable[[Any], object]) -> None:
        if self._studio.session.runs:
            do(self._random.choice(self._studio.session.runs))

    def _measure(self) -> None:
        self._run(self._studio.measure)

    def _delete(self) -> None:
        self._run(lambda run: self._studio.delete_run(run.key))

    def _show(self) -> None:
        self._run(lambda run: self._studio.show_run(run.key))

    def _rename(self) -> None:
        self._run(lambda run: self._studio.change_run(replace(run, name="Other"), "Rename"))

    def _reuse(self) -> None:
        self._run(self._studio.reuse)

    def _wish(self) -> None:
        self._studio.wish({"pane": _result_of})

    def check(self) -> None:
        """Assert what holds at any time."""
        studio, session = self._studio, self._studio.session
        jobs = {job for job in (studio.desk.job, *studio.desk.waiting) if job is not None}
        assert (studio.trainer.job in jobs) is (studio.phase is Phase.RUNNING)
        assert studio.phase is not Phase.PAUSED or studio.live is not None
        assert not (studio.live is not None and studio.live.finished) or (
            studio.phase is not Phase.PAUSED
        )
        keys = [run.key for run in session.runs]
        assert len(set(keys)) == len(keys) <= session.n_made
        assert (session.shown in keys) if keys else session.shown is None
        assert set(studio.measuring) <= set(keys)
        assert set(studio.measuring.values()) <= jobs
        for run in session.runs:
            assert run.result.positions.shape == (run.matrix.n_items, 2)
            assert np.isfinite(run.result.positions).all()
            assert run.result.data_fingerprint == run.matrix.fingerprint

    def check_rest(self) -> None:
        """Assert what holds when nothing is done: what is drawn is what is shown."""
        studio = self._studio
        self.check()
        assert studio.phase is not Phase.RUNNING
        assert not studio.measuring
        assert studio.recipe is data_of(studio).input.recipe
        shown = studio.shown
        assert self._drawn == ({} if shown is None else {"pane": shown.result})

    def check_inputs(self) -> None:
        """Assert that every map can be had again from what is said about its data."""
        for run in self._studio.session.runs:
            matrix = open_data(run.input).matrix
            assert matrix is not None
            assert matrix.fingerprint == run.matrix.fingerprint


def _result_of(shown: Shown) -> object:
    return shown.result


@pytest.mark.parametrize("seed", range(4))
def test_that_anything_can_be_done_at_any_time(
    qtbot: QtBot, studio: Studio, tmp_path: Path, seed: int
) -> None:
    hands = Hands(qtbot, studio, tmp_path, seed)
    for _ in range(200):
        hands.act()
        hands.check()
    hands._finish()
    hands.check_inputs()


def test_that_the_window_follows_whatever_is_done(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    # The views ask for their own pictures; wishes by hand come on top and do no harm.
    hands = Hands(qtbot, window.studio, tmp_path, seed=9)
    for _ in range(60):
        hands.act()
        hands.check()
        # What nobody sees may follow later, and another table opens at its data.
        window.steps.open_step("train")
        phase = window.studio.phase
        assert window.bar.pause.isEnabled() is (phase is Phase.RUNNING)
        assert window.bar.stop.isEnabled() is (phase is not Phase.IDLE)
        assert list(window.runs.cards) == [run.key for run in window.studio.session.runs]
        assert panel_of(window).pause.isHidden() is (phase is not Phase.RUNNING)
    window.studio.stop()
    wait_idle(qtbot, window)
    hands.check()
