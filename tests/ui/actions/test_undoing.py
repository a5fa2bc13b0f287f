"""Whatever is done, taking it back leads to the session that was there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.ui.windows import begin_long_training, shown_window, take_ready, wait_idle, with_sample
from ximstudio.model.selection import Combine, Selection
from ximstudio.prepare.recipe import Recipe
from ximstudio.session import Session
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.window import MainWindow

pytestmark = pytest.mark.usefixtures("dressed")

Action = Callable[[Actions, np.random.Generator], object]


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = with_sample(qtbot, shown_window(qtbot))
    take_ready(qtbot, window)
    window.user_actions.set_seed(1)
    take_ready(qtbot, window)
    yield window
    window.close()


def _some(actions: Actions, rng: np.random.Generator) -> Selection:
    ids = actions.selecting.item_ids
    return Selection.where(rng.random(len(ids)) < rng.random(), ids)


def _delete(actions: Actions, rng: np.random.Generator) -> None:
    if actions.session.runs:
        actions.delete_run(rng.choice([run.key for run in actions.session.runs]))


def _star(actions: Actions, _: np.random.Generator) -> None:
    for run in actions.session.runs[:1]:
        actions.change_run(replace(run, starred=not run.starred, name=f"{run.name}!"), "Star")


def _show(actions: Actions, _: np.random.Generator) -> None:
    for run in actions.session.runs[:1]:
        actions.show_run(run.key)


ACTIONS: tuple[Action, ...] = (
    lambda actions, rng: actions.selecting.select(_some(actions, rng), rng.choice(list(Combine))),
    lambda actions, _: actions.selecting.invert(),
    lambda actions, _: actions.selecting.select_before(),
    lambda actions, _: actions.selecting.save_set("Some"),
    lambda actions, _: actions.selecting.remove_set("Some"),
    lambda actions, _: actions.selecting.rename_set("Some (2)", "Others"),
    lambda actions, rng: actions.choose_method(rng.choice(["som", "c-xim", "pca"])),
    lambda actions, rng: actions.set_seed(int(rng.integers(9))),
    lambda actions, _: actions.set_recipe(Recipe(), "Leave all steps out"),
    _delete,
    _star,
    _show,
)


def facts(session: Session) -> tuple[object, ...]:
    """All that a session is, but for the evidence of runs: that of deleted ones is taken again."""
    runs = tuple(
        (run.key, run.name, run.starred, id(run.result), run.evidence is None)
        for run in session.runs
    )
    chosen = session.selection, session.selection_before, session.sets
    return id(session.data), session.plan, runs, session.shown, session.n_made, *chosen


@pytest.mark.parametrize("seed", range(6))
def test_that_undoing_everything_leads_back(qtbot: QtBot, window: MainWindow, seed: int) -> None:
    actions, rng = window.user_actions, np.random.default_rng(seed)
    first, n_before = actions.session, len(window.store.history.past)
    states: list[Session] = [first]
    for number in rng.integers(len(ACTIONS), size=14):
        ACTIONS[number](actions, rng)
        wait_idle(qtbot, window)
        if actions.session is not states[-1]:
            states.append(actions.session)
    while len(window.store.history.past) > n_before:
        actions.undo()
        wait_idle(qtbot, window)
    assert facts(actions.session) == facts(first)
    while actions.redoes:
        actions.redo()
        wait_idle(qtbot, window)
    assert facts(actions.session) == facts(states[-1])


def test_that_the_button_says_what_it_takes_back(window: MainWindow) -> None:
    name = window.user_actions.session.runs[-1].name
    window.user_actions.delete_run(window.user_actions.session.runs[-1].key)
    assert f"Delete {name}" in window.bar.undo.toolTip()
    window.bar.undo.click()
    assert f"Delete {name}" in window.bar.redo.toolTip()
    assert [run.name for run in window.user_actions.session.runs][-1] == name


def test_that_the_evidence_of_a_deleted_run_is_let_go_and_taken_again(
    qtbot: QtBot, window: MainWindow
) -> None:
    actions = window.user_actions
    deleted, kept = actions.session.runs
    assert deleted.evidence is not None
    actions.delete_run(deleted.key)
    wait_idle(qtbot, window)
    past = [run for step in window.store.history.past for run in step.session.runs]
    assert all(run.evidence is None for run in past if run.result is deleted.result)
    assert any(run.evidence is kept.evidence for run in past)
    actions.undo()
    back = actions.session.present(deleted)
    assert back is not None
    assert back.measures == deleted.measures
    wait_idle(qtbot, window)
    back = actions.session.present(deleted)
    assert back is not None
    assert back.evidence is not None


def test_that_a_map_in_training_does_not_lose_its_table(qtbot: QtBot, window: MainWindow) -> None:
    actions = window.user_actions
    begin_long_training(qtbot, window)
    table = actions.session.data
    # Back to before the table was opened, if it were let.
    while actions.undoes:
        actions.undo()
    assert actions.session.data is table
    assert actions.phase is Phase.RUNNING
    assert not window.bar.undo.isEnabled()
    actions.stop()
    wait_idle(qtbot, window)
    assert actions.session.runs
