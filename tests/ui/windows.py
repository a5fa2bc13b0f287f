"""The real window with a quick map to train."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from pytestqt.qtbot import QtBot

from ximstudio.jobs import Task
from ximstudio.load import Choices
from ximstudio.prepare.input import Input
from ximstudio.session import Data, Run, TrainingPlan, open_data
from ximstudio.session.measuring import measured
from ximstudio.session.training import LiveTraining, Training
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.runtime.settings import Settings
from ximstudio.ui.widgets.slices import EventLoopSlices

PATIENCE = 180_000
"""Milliseconds; the first training on a machine compiles."""
LONG = 50_000_000
"""Steps that no test waits for."""


def shown_window(qtbot: QtBot, settings: Settings | None = None) -> MainWindow:
    """A window on the screen."""
    window = MainWindow(settings)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    return window


def wait_idle(qtbot: QtBot, window: MainWindow) -> None:
    """Until nothing is computed any more, and all that was is shown."""

    def is_over() -> bool:
        return window.jobs.idle and all(
            slices.idle for slices in window.findChildren(EventLoopSlices)
        )

    qtbot.waitUntil(is_over, timeout=PATIENCE)


@cache
def sample_data() -> Data:
    """The bundled sample, read once for all tests that are not about reading."""
    return open_data(Input(name="sample:yeast"))


@cache
def turned_data() -> Data:
    """The same sample with its sides exchanged: its items are samples."""
    return open_data(Input(name="sample:yeast", choices=Choices(items="columns")))


def with_sample(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """The window with the sample opened, and a small map planned."""
    window.user_actions.use_table(sample_data())
    wait_idle(qtbot, window)
    plan_quick(window, n_steps=2000)
    return window


def plan_quick(window: MainWindow, *, n_steps: int) -> None:
    """Plan a small map of that many steps."""
    params = window.user_actions.session.plan.params
    window.user_actions.set_params(replace(params, shape=(6, 8), n_steps=n_steps))  # type: ignore[call-arg]


def train_one(qtbot: QtBot, window: MainWindow) -> str:
    """Train a map to its end and measure it; its key."""
    before = len(window.user_actions.session.runs)
    window.train()
    qtbot.waitUntil(lambda: len(window.user_actions.session.runs) > before, timeout=PATIENCE)
    wait_idle(qtbot, window)
    return window.user_actions.session.runs[-1].key


READY: dict[int, Run] = {}
"""Small maps of the sample by seed, trained once for all tests that are not about training."""


def take_ready(qtbot: QtBot, window: MainWindow) -> str:
    """Have the planned map of the sample as if it had been trained and measured here; its key."""
    session = window.user_actions.session
    seed, number = session.plan.seed, window.store.history.n_made + 1
    if seed not in READY:
        assert session.data is not None
        READY[seed] = trained_run(session.data, session.plan)
    made = READY[seed]
    run = replace(made, key=f"run-{number}", name=f"{session.plan.method.name} {number}")
    window.store.commit(session.with_run(run, n_made=number), f"Train {run.name}")
    window.user_actions.draw()
    wait_idle(qtbot, window)
    return run.key


def trained_run(data: Data, plan: TrainingPlan, *, key: str = "", name: str = "") -> Run:
    """What a window makes of a plan."""
    assert data.matrix is not None
    assert data.opened is not None
    training = Training(matrix=data.matrix, plan=plan)
    live = training.work(Task[LiveTraining, LiveTraining](training.work))
    run = Run(
        key=key,
        name=name,
        result=live.result,
        matrix=data.matrix,
        input=data.input,
        seconds=live.seconds,
        curves=live.curves,
        frozen=data.opened.prepared.frozen,
    )
    return measured(run)


def begin_long_training(qtbot: QtBot, window: MainWindow) -> None:
    """Train a small map for longer than any test waits, and wait for the first of it."""
    plan_quick(window, n_steps=LONG)
    window.train()
    qtbot.waitUntil(lambda: is_running(window), timeout=PATIENCE)


def is_running(window: MainWindow) -> bool:
    """Whether training goes on and something was heard of it."""
    return window.user_actions.phase is Phase.RUNNING and window.user_actions.live is not None


def table_file(folder: Path, name: str = "counts.csv") -> Path:
    """A small table of genes and samples."""
    lines = ["gene,control_1,control_2,heat_1,heat_2"]
    for number in range(40):
        values = ((number * 7 + column * 3) % 11 + 0.25 * column for column in range(4))
        lines.append(f"YAL{number:03d}W," + ",".join(f"{value:.2f}" for value in values))
    path = folder / name
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def run_shown(window: MainWindow) -> Run:
    """The run that the views show."""
    run = window.user_actions.session.run
    assert run is not None
    return run
