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
from ximstudio.ui.studio import Studio
from ximstudio.ui.training import Phase
from ximstudio.ui.window import MainWindow

pytestmark = pytest.mark.usefixtures("dressed")

Action = Callable[[Studio, np.random.Generator], object]


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = with_sample(qtbot, shown_window(qtbot))
    take_ready(qtbot, window)
    window.studio.set_seed(1)
    take_ready(qtbot, window)
    yield window
    window.close()


def _some(studio: Studio, rng: np.random.Generator) -> Selection:
    ids = studio.choosing.item_ids
    return Selection.where(rng.random(len(ids)) < rng.random(), ids)


def _delete(studio: Studio, rng: np.random.Generator) -> None:
    if studio.session.runs:
        studio.delete_run(rng.choice([run.key for run in studio.session.runs]))


def _star(studio: Studio, _: np.random.Generator) -> None:
    for run in studio.session.runs[:1]:
        studio.change_run(replace(run, starred=not run.starred, name=f"{run.name}!"), "Star")


def _show(studio: Studio, _: np.random.Generator) -> None:
    for run in studio.session.runs[:1]:
        studio.show_run(run.key)


ACTIONS: tuple[Action, ...] = (
    lambda studio, rng: studio.choosing.select(_some(studio, rng), rng.choice(list(Combine))),
    lambda studio, _: studio.choosing.invert(),
    lambda studio, _: studio.choosing.select_before(),
    lambda studio, _: studio.choosing.save_set("Some"),
    lambda studio, _: studio.choosing.remove_set("Some"),
    lambda studio, _: studio.choosing.rename_set("Some (2)", "Others"),
    lambda studio, rng: studio.choose_method(rng.choice(["som", "c-xim", "pca"])),
    lambda studio, rng: studio.set_seed(int(rng.integers(9))),
    lambda studio, _: studio.set_recipe(Recipe(), "Leave all steps out"),
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
    studio, rng = window.studio, np.random.default_rng(seed)
    first, n_before = studio.session, len(window.desk.history.past)
    states: list[Session] = [first]
    for number in rng.integers(len(ACTIONS), size=14):
        ACTIONS[number](studio, rng)
        wait_idle(qtbot, window)
        if studio.session is not states[-1]:
            states.append(studio.session)
    while len(window.desk.history.past) > n_before:
        studio.undo()
        wait_idle(qtbot, window)
    assert facts(studio.session) == facts(first)
    while studio.redoes:
        studio.redo()
        wait_idle(qtbot, window)
    assert facts(studio.session) == facts(states[-1])


def test_that_the_button_says_what_it_takes_back(window: MainWindow) -> None:
    name = window.studio.session.runs[-1].name
    window.studio.delete_run(window.studio.session.runs[-1].key)
    assert f"Delete {name}" in window.bar.undo.toolTip()
    window.bar.undo.click()
    assert f"Delete {name}" in window.bar.redo.toolTip()
    assert [run.name for run in window.studio.session.runs][-1] == name


def test_that_the_evidence_of_a_deleted_run_is_let_go_and_taken_again(
    qtbot: QtBot, window: MainWindow
) -> None:
    studio = window.studio
    deleted, kept = studio.session.runs
    assert deleted.evidence is not None
    studio.delete_run(deleted.key)
    wait_idle(qtbot, window)
    past = [run for step in window.desk.history.past for run in step.session.runs]
    assert all(run.evidence is None for run in past if run.result is deleted.result)
    assert any(run.evidence is kept.evidence for run in past)
    studio.undo()
    back = studio.session.present(deleted)
    assert back is not None
    assert back.measures == deleted.measures
    wait_idle(qtbot, window)
    back = studio.session.present(deleted)
    assert back is not None
    assert back.evidence is not None


def test_that_a_map_in_training_does_not_lose_its_table(qtbot: QtBot, window: MainWindow) -> None:
    studio = window.studio
    begin_long_training(qtbot, window)
    table = studio.session.data
    # Back to before the table was opened, if it were let.
    while studio.undoes:
        studio.undo()
    assert studio.session.data is table
    assert studio.phase is Phase.RUNNING
    assert not window.bar.undo.isEnabled()
    studio.stop()
    wait_idle(qtbot, window)
    assert studio.session.runs
