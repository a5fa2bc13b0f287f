"""The Train step: buttons by phase, progress, curves, and what changed since."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from ximstudio.jobs.remaining_time import Pace, duration_text
from ximstudio.model import Matrix
from ximstudio.prepare.input import Input
from ximstudio.session import Data, Run, open_data
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.plan_changes import changes
from ximstudio.session.shown import Shown
from ximstudio.train import METHODS, method_named, train
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.panels.train.notes import RepeatNote
from ximstudio.ui.panels.train.panel import TrainPanel
from ximstudio.ui.runtime.job_queue import Job


@pytest.fixture(scope="module")
def sample() -> Data:
    return open_data(Input(name="sample:yeast"))


@pytest.fixture
def actions(qapp: QApplication) -> Iterator[Actions]:
    del qapp
    made = Actions()
    yield made
    assert made.jobs.close()


@pytest.fixture
def panel(qtbot: QtBot, actions: Actions, sample: Data) -> TrainPanel:
    """With the sample, and a map that is trained at once."""
    made = TrainPanel(actions)
    qtbot.addWidget(made)
    actions.store.changed.connect(made.show_session)
    actions.phase_changed.connect(made.show_session)
    made.resize(288, 800)
    made.show()
    made.show_session()
    assert not made.go.isEnabled()
    actions.use_table(sample)
    plan(actions, shape=(6, 8), n_steps=2000)
    return made


def plan(actions: Actions, **changes_: Any) -> None:
    actions.set_params(actions.session.plan.params.replace(**changes_))


def seen(panel: TrainPanel) -> tuple[str, ...]:
    """The buttons that are there."""
    named = (("go", panel.go), ("pause", panel.pause), ("stop", panel.stop))
    return tuple(name for name, each in named if each.isVisibleTo(panel))


def train_to_the_end(qtbot: QtBot, panel: TrainPanel) -> Run:
    actions = panel.user_actions
    before = len(actions.session.runs)
    panel.go.click()
    qtbot.waitUntil(lambda: len(actions.session.runs) > before, timeout=60_000)
    qtbot.waitUntil(lambda: actions.jobs.idle and panel.curves.slices.idle, timeout=60_000)
    return actions.session.runs[-1]


def has_changes(panel: TrainPanel) -> bool:
    return panel._cards.count() > 0


def test_that_a_training_goes_from_the_button_to_a_run(qtbot: QtBot, panel: TrainPanel) -> None:
    assert seen(panel) == ("go",)
    run = train_to_the_end(qtbot, panel)
    assert run.result.finished
    assert panel.done
    assert seen(panel) == ("go",)
    assert not panel.progress.isVisibleTo(panel)
    assert panel.status.text() == run.name
    assert panel.curves.cost.isVisibleTo(panel)
    x, y = panel.curves.error.curves._curves[""].item.getData()
    assert np.array_equal(x, run.result.history.step)
    assert np.array_equal(y, run.result.history.quantisation_error)


def test_that_it_pauses_continues_and_stops(qtbot: QtBot, panel: TrainPanel) -> None:
    actions = panel.user_actions
    plan(actions, n_steps=10_000_000)
    panel.go.click()
    assert seen(panel) == ("pause", "stop")
    assert panel.progress.maximum() == 0
    qtbot.waitUntil(lambda: actions.live is not None, timeout=60_000)
    assert panel.progress.maximum() > 0
    panel.pause.click()
    qtbot.waitUntil(lambda: actions.phase is Phase.PAUSED)
    assert seen(panel) == ("go", "stop")
    assert actions.live is not None
    paused_at = actions.live.step
    panel.go.click()
    qtbot.waitUntil(lambda: actions.live is not None and actions.live.step > paused_at)
    panel.stop.click()
    qtbot.waitUntil(lambda: actions.phase is Phase.IDLE)
    (run,) = actions.session.runs
    assert paused_at < run.result.step < run.result.n_steps


def test_that_live_measures_stay_with_the_run(qtbot: QtBot, panel: TrainPanel) -> None:
    run = train_to_the_end(qtbot, panel)
    assert run.curves.steps[-1] == run.result.step
    assert len(run.curves.steps) == len(run.curves.trust) == len(run.curves.continuity)


def test_that_pausing_right_after_continuing_loses_nothing(qtbot: QtBot, panel: TrainPanel) -> None:
    actions = panel.user_actions
    plan(actions, n_steps=10_000_000)
    panel.go.click()
    qtbot.waitUntil(lambda: actions.live is not None, timeout=60_000)
    panel.pause.click()
    qtbot.waitUntil(lambda: actions.phase is Phase.PAUSED)
    assert actions.live is not None
    step = actions.live.step
    panel.go.click()
    panel.stop.click()
    qtbot.waitUntil(lambda: actions.phase is Phase.IDLE and bool(actions.session.runs))
    assert actions.session.runs[0].result.step >= step


def test_that_a_training_that_waits_can_be_called_off(qtbot: QtBot, panel: TrainPanel) -> None:
    actions = panel.user_actions
    go_on: list[bool] = []

    def work(task: Any) -> str:
        while not go_on:
            task.wait(0.001)
        return "done"

    finished: list[str] = []
    actions.jobs.start(Job(label="Something else", work=work, done=finished.append))
    panel.go.click()
    assert actions.waits
    assert "Something else" in panel.count.text()
    panel.stop.click()
    assert actions.phase is Phase.IDLE
    go_on.append(True)
    qtbot.waitUntil(lambda: actions.jobs.idle)
    # The other job was not stopped in its place.
    assert finished == ["done"]
    assert actions.session.runs == ()


def test_that_changed_settings_are_told_and_can_be_taken_back(
    qtbot: QtBot, panel: TrainPanel
) -> None:
    actions = panel.user_actions
    run = train_to_the_end(qtbot, panel)
    assert not has_changes(panel)
    plan(actions, repulsion=0.4)
    assert has_changes(panel)
    panel.reuse.click()
    assert actions.session.plan.params == run.result.params
    assert not has_changes(panel)
    actions.set_seed(5)
    assert has_changes(panel)
    panel.again.click()
    qtbot.waitUntil(lambda: len(actions.session.runs) == 2, timeout=60_000)
    assert actions.session.runs[1].result.seed == 5
    assert not has_changes(panel)
    actions.show_run(run.key)
    assert has_changes(panel)


@pytest.mark.parametrize("key", [method.key for method in METHODS])
def test_that_every_method_can_be_trained_here(qtbot: QtBot, panel: TrainPanel, key: str) -> None:
    panel.user_actions.choose_method(key)
    if method_named(key).map_kernel:
        plan(panel.user_actions, shape=(6, 8), n_steps=2000)
    elif key != "pca":
        plan(panel.user_actions, n_steps=60)
    run = train_to_the_end(qtbot, panel)
    assert run.result.method == key
    assert panel.curves.cost.isVisibleTo(panel) == bool(np.isfinite(run.result.history.cost).any())


@pytest.mark.parametrize(("key", "unit"), [("umap", "epochs"), ("t-sne", "steps")])
def test_that_steps_are_called_as_in_the_methods_text(
    qtbot: QtBot, panel: TrainPanel, key: str, unit: str
) -> None:
    panel.user_actions.choose_method(key)
    plan(panel.user_actions, n_steps=60)
    assert f"60 {unit}." in panel.count.text()
    train_to_the_end(qtbot, panel)
    assert panel.count.text().startswith(f"60 {unit} in ")


def test_that_differences_are_those_that_matter(yeast: Matrix) -> None:
    method = method_named("som")
    params = method.params(shape=(4, 5), n_steps=100)  # type: ignore[call-arg]
    shown = Shown(result=train(yeast, method, params, seed=2), matrix=yeast)
    same = TrainingPlan(method_key="som", parameters={"som": params}, seed=2)
    assert changes(same, yeast, shown) == ()
    # What is left to the program and what it comes to are the same.
    resolved = same.with_params(params.resolved(yeast.n_items))
    assert changes(resolved, yeast, shown) == ()
    # The width follows from the shape, and is not told by itself.
    wider = same.with_params(params.replace(shape=(4, 9)))
    assert len(changes(wider, yeast, shown)) == 1
    assert len(changes(replace(same, seed=3), yeast, shown)) == 1
    assert len(changes(same.with_method("xim"), yeast, shown)) == 1
    assert len(changes(same, yeast.items(range(10)), shown)) == 1
    again = Matrix(
        values=yeast.values,
        item_ids=yeast.item_ids,
        feature_names=yeast.feature_names,
        item_labels=yeast.item_labels,
        source=yeast.source,
    )
    assert changes(same, again, shown) == ()


def test_that_the_time_left_is_that_of_the_latest_pace() -> None:
    pace = Pace()
    assert pace.left(100) is None
    pace.note(0.0, 0)
    assert pace.left(100) is None
    pace.note(1.0, 10)
    assert pace.left(100) == pytest.approx(9.0)
    for second in range(2, 12):
        pace.note(float(second), 10 + 20 * (second - 1))
    # The slow first second is forgotten.
    assert pace.left(310) == pytest.approx(5.0)
    pace.note(12.0, 5)
    assert pace.left(310) is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "1 s"), (59.4, "59 s"), (61, "1 min 1 s"), (1200, "20 min"), (4000, "1 h 6 min")],
)
def test_that_times_are_said_as_people_do(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


# The same once more


def test_that_a_map_that_exists_is_named_and_another_seed_offered(
    qtbot: QtBot, panel: TrainPanel
) -> None:
    actions = panel.user_actions
    assert not panel.repeat.isVisible()
    first = train_to_the_end(qtbot, panel)
    assert panel.repeat.isVisible()
    assert first.name in panel.repeat.text.text()
    assert first.name in panel.go.toolTip()
    assert panel.repeat.seed == actions.session.plan.seed + 1

    actions.set_seed(actions.session.plan.seed + 1)
    assert not panel.repeat.isVisible()
    actions.set_seed(first.result.seed)
    plan(actions, repulsion=0.5)
    assert not panel.repeat.isVisible()
    actions.reuse(first)
    panel.repeat.other.click()
    assert not panel.repeat.isVisible()
    qtbot.waitUntil(lambda: len(actions.session.runs) == 2, timeout=60_000)
    qtbot.waitUntil(lambda: actions.jobs.idle, timeout=60_000)

    seeds = [run.result.seed for run in actions.session.runs]
    assert seeds == [first.result.seed, first.result.seed + 1]
    assert panel.repeat.seed == first.result.seed + 2


@pytest.mark.usefixtures("dressed")
def test_that_the_offer_of_a_seed_begins_where_the_text_above_it_does(qtbot: QtBot) -> None:
    note = RepeatNote()
    qtbot.addWidget(note)
    for part in (note.text, note.other):
        part.setText("Train")

    def first_inked(part: QWidget) -> float:
        image = part.grab().toImage()
        background = image.pixel(image.width() - 1, 0)
        every = ((x, y) for x in range(image.width()) for y in range(image.height()))
        first = next(x for x, y in every if image.pixel(x, y) != background)
        return part.x() + first / image.devicePixelRatio()

    note.show()
    assert not note.other.hasFocus()
    assert first_inked(note.other) == pytest.approx(first_inked(note.text), abs=1.0)


def test_that_what_chance_has_no_part_in_offers_no_seed(qtbot: QtBot, panel: TrainPanel) -> None:
    panel.user_actions.choose_method("pca")
    run = train_to_the_end(qtbot, panel)

    assert run.name in panel.repeat.text.text()
    assert not panel.repeat.other.isVisible()


def test_that_a_map_that_was_stopped_can_be_trained_to_its_end(
    qtbot: QtBot, panel: TrainPanel
) -> None:
    plan(panel.user_actions, n_steps=50_000_000)
    panel.go.click()
    qtbot.waitUntil(lambda: panel.user_actions.live is not None, timeout=60_000)
    panel.user_actions.stop()
    qtbot.waitUntil(lambda: panel.user_actions.jobs.idle, timeout=60_000)

    assert len(panel.user_actions.session.runs) == 1
    assert not panel.repeat.isVisible()
