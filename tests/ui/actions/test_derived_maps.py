"""Finer maps of what is chosen, and maps that are trained further."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.ui.hands import eventually
from tests.ui.windows import LONG, table_file
from ximstudio.model.parent import CONTINUED, CONTINUED_AGAIN, PART
from ximstudio.model.result import PrototypeMap
from ximstudio.model.selection import Selection
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session import Run, open_data
from ximstudio.session.descent import MapDescent, training_of
from ximstudio.train.part import part_of
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.derived_maps import Further
from ximstudio.ui.actions.trainer import Phase


@pytest.fixture
def actions(qtbot: QtBot, tmp_path: Path) -> Iterator[Actions]:
    """Actions without a window, with a small table and a small map of it."""
    made = Actions()
    made.use_table(open_data(Input(name=str(table_file(tmp_path)))))
    made.set_params(made.session.plan.params.replace(shape=(4, 6), n_steps=1000))
    train(qtbot, made)
    yield made
    assert made.jobs.close()


def train(qtbot: QtBot, actions: Actions) -> Run:
    actions.train()
    return finished(qtbot, actions)


def finished(qtbot: QtBot, actions: Actions) -> Run:
    eventually(qtbot, lambda: actions.jobs.idle and actions.phase is Phase.IDLE)
    run = actions.session.run
    assert run is not None
    return run


def choose(actions: Actions, n_items: int) -> tuple[str, ...]:
    run = actions.session.run
    assert run is not None
    actions.selecting.select(Selection.of(run.matrix.item_ids[:n_items]))
    return run.matrix.item_ids[:n_items]


def zoomed(qtbot: QtBot, actions: Actions, n_items: int) -> Run:
    choose(actions, n_items)
    actions.derived_maps.zoom_in(shape=(4, 4))
    return finished(qtbot, actions)


# Zooming in


def test_that_zooming_in_gives_a_map_of_what_is_chosen_with_the_values_of_its_parent(
    qtbot: QtBot, actions: Actions
) -> None:
    parent = actions.session.runs[0]
    run = zoomed(qtbot, actions, 12)
    assert run.matrix.item_ids == parent.matrix.item_ids[:12]
    np.testing.assert_array_equal(run.matrix.values, parent.matrix.values[:12])
    assert run.parent == parent.key
    assert run.input is parent.input
    assert run.result.parent is not None
    assert (run.result.parent.kind, run.result.parent.result_hash) == (PART, parent.result.hash)
    assert run.result.method == parent.result.method
    assert len(actions.session.selection) == 12


def test_that_a_finer_map_has_the_size_that_was_suggested(qtbot: QtBot, actions: Actions) -> None:
    parent = actions.session.runs[0]
    # Two rows of the map, as wide as it is: the finer one is no square.
    places = parent.result.positions
    low = [parent.matrix.item_ids[row] for row in np.argsort(places[:, 1], kind="stable")[:12]]
    actions.selecting.select(Selection.of(low))
    rows, columns = actions.derived_maps.suggested_shape()
    assert rows < columns
    actions.derived_maps.zoom_in()
    run = finished(qtbot, actions)
    assert isinstance(run.result.model, PrototypeMap)
    assert (run.result.model.grid.rows, run.result.model.grid.columns) == (rows, columns)


def test_that_zooming_in_is_taken_back_and_done_again_as_one_step(
    qtbot: QtBot, actions: Actions
) -> None:
    run = zoomed(qtbot, actions, 12)
    assert actions.undoes == "Zoom in on 12 genes"
    actions.undo()
    assert [each.name for each in actions.session.runs] == ["c-XIM 1"]
    actions.redo()
    assert actions.session.run is not None
    assert actions.session.run.result is run.result


def test_that_a_map_outlives_the_one_it_is_a_part_of(qtbot: QtBot, actions: Actions) -> None:
    child = zoomed(qtbot, actions, 12)
    actions.delete_run("run-1")
    assert actions.session.parent_of(child) is None
    grandchild = zoomed(qtbot, actions, 6)
    assert grandchild.parent == child.key
    actions.derived_maps.go_up()
    assert actions.session.shown == child.key
    actions.derived_maps.go_up()
    assert actions.session.shown == child.key


@pytest.mark.parametrize("n_chosen", [0, 1, 2, 40])
def test_that_there_is_a_reason_where_nothing_can_be_zoomed_into(
    qtbot: QtBot, actions: Actions, n_chosen: int
) -> None:
    choose(actions, n_chosen)
    assert actions.derived_maps.why_not_zoom
    actions.derived_maps.zoom_in()
    finished(qtbot, actions)
    assert len(actions.session.runs) == 1


def test_that_items_that_are_all_the_same_make_no_map(actions: Actions) -> None:
    run = actions.session.runs[0]
    values = run.matrix.values.copy()
    values[:5] = values[0]
    values[1, 2] = np.nan
    alike = replace(run, matrix=run.matrix.with_values(values))
    actions.change_run(alike, "Make some the same")
    choose(actions, 5)
    assert "identical" in actions.derived_maps.why_not_zoom
    choose(actions, 6)
    assert actions.derived_maps.why_not_zoom == ""


def test_that_a_map_without_nodes_can_be_zoomed_into(qtbot: QtBot, actions: Actions) -> None:
    actions.choose_method("t-sne")
    actions.set_params(actions.session.plan.params.replace(n_steps=60, perplexity=4.0))
    train(qtbot, actions)
    choose(actions, 20)
    actions.derived_maps.zoom_in()
    run = finished(qtbot, actions)
    assert (run.result.method, run.matrix.n_items) == ("t-sne", 20)


def test_that_settings_of_a_part_are_used_again_without_its_start(
    qtbot: QtBot, actions: Actions
) -> None:
    run = zoomed(qtbot, actions, 12)
    actions.reuse(run)
    params = actions.session.plan.params.as_values()
    assert (params["init"], params["n_steps"], params["shape"]) == ("pca", None, (4, 4))


# Training further


def test_that_a_run_is_trained_further_with_its_own_items(qtbot: QtBot, actions: Actions) -> None:
    parent = actions.session.runs[0]
    actions.derived_maps.train_further(parent, Further.STEPS, n_steps=700)
    run = finished(qtbot, actions)
    assert run.matrix is parent.matrix
    assert (run.parent, run.result.n_steps) == (parent.key, 700)
    assert run.result.parent is not None
    assert run.result.parent.kind == CONTINUED_AGAIN
    assert actions.undoes == "Train c-XIM 1 further"


def test_that_a_run_takes_in_the_items_that_came_to_the_table(
    qtbot: QtBot, actions: Actions, tmp_path: Path
) -> None:
    parent = actions.session.runs[0]
    assert actions.derived_maps.why_not(parent, Further.ITEMS)
    path = table_file(tmp_path)
    path.write_text(path.read_text() + "\nYBR001W,1,2,3,4\nYBR002W,9,8,1,0", encoding="utf-8")
    data = actions.session.data
    assert data is not None
    actions.reread(data.input)
    finished(qtbot, actions)
    assert (
        actions.derived_maps.n_new(parent),
        actions.derived_maps.why_not(parent, Further.ITEMS),
    ) == (
        2,
        "",
    )
    actions.derived_maps.train_further(parent, Further.ITEMS)
    run = finished(qtbot, actions)
    assert run.matrix.item_ids == (*parent.matrix.item_ids, "YBR001W", "YBR002W")
    assert run.result.parent is not None
    assert run.result.parent.kind == CONTINUED


def test_that_new_items_are_prepared_by_what_was_learnt_from_the_first(
    qtbot: QtBot, actions: Actions, tmp_path: Path
) -> None:
    actions.set_recipe(Recipe.of(planned("scale", axis="features")), "Scale")
    finished(qtbot, actions)
    parent = train(qtbot, actions)
    path = table_file(tmp_path)
    path.write_text(path.read_text() + "\nYBR001W,100,200,300,400", encoding="utf-8")
    data = actions.session.data
    assert data is not None
    actions.reread(data.input)
    finished(qtbot, actions)
    actions.derived_maps.train_further(parent, Further.ITEMS)
    run = finished(qtbot, actions)
    np.testing.assert_array_equal(run.matrix.values[:-1], parent.matrix.values)
    assert run.matrix.values[-1, 0] > 10.0 * np.abs(parent.matrix.values).max()


def test_that_a_part_that_was_trained_further_takes_no_other_items_and_no_pins(
    qtbot: QtBot, actions: Actions
) -> None:
    part = zoomed(qtbot, actions, 12)
    actions.derived_maps.train_further(part, Further.STEPS, n_steps=200)
    again = finished(qtbot, actions)
    assert actions.derived_maps.n_new(again) == 28
    assert actions.derived_maps.why_not(again, Further.ITEMS)
    assert actions.derived_maps.why_not(again, Further.NEW)
    actions.reuse(again)
    choose(actions, 1)
    assert actions.pinning.why_not
    actions.show_run("run-1")
    actions.reuse(actions.session.runs[0])
    assert actions.pinning.why_not == ""


def test_that_a_stopped_run_goes_on_to_its_end_as_if_it_never_had_been(
    qtbot: QtBot, actions: Actions
) -> None:
    whole = actions.session.runs[0]
    params = whole.result.params
    actions.set_params(params.replace(n_steps=LONG))
    actions.train()
    eventually(qtbot, lambda: actions.live is not None)
    actions.stop()
    stopped = finished(qtbot, actions)
    assert actions.derived_maps.why_not(stopped, Further.RESUME) == ""
    assert actions.derived_maps.why_not(whole, Further.RESUME)
    actions.derived_maps.train_further(stopped, Further.RESUME)
    eventually(qtbot, lambda: actions.live is not None and actions.live.step > stopped.result.step)
    actions.stop()
    run = finished(qtbot, actions)
    assert run.parent == stopped.key
    assert stopped.result.step < run.result.step < LONG


def test_that_a_part_that_was_stopped_goes_on_from_the_prototypes_it_began_with(
    qtbot: QtBot, actions: Actions
) -> None:
    whole = actions.session.runs[0]
    some = part_of(whole.result, whole.matrix, items=whole.matrix.item_ids[:12])
    training = replace(training_of(some, seed=0), stop_after=20)
    actions.train_as(training, MapDescent.of(whole, "Zoom in"))
    stopped = finished(qtbot, actions)
    assert (stopped.result.step, stopped.result.finished) == (20, False)
    actions.derived_maps.train_further(stopped, Further.RESUME)
    run = finished(qtbot, actions)
    assert run.result.hash == some.train(seed=0).hash
    actions.delete_run(whole.key)
    assert actions.derived_maps.why_not(stopped, Further.RESUME)


def test_that_methods_without_nodes_say_why_they_cannot_go_on(
    qtbot: QtBot, actions: Actions
) -> None:
    actions.choose_method("pca")
    run = train(qtbot, actions)
    assert all(actions.derived_maps.why_not(run, how) for how in Further)
    assert "PCA" in actions.derived_maps.why_not_further(run)
    before = len(actions.session.runs)
    actions.derived_maps.train_further(run, Further.STEPS)
    finished(qtbot, actions)
    assert len(actions.session.runs) == before
