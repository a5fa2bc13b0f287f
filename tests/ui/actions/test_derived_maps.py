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
from ximstudio.session.descent import Descent, training_of
from ximstudio.train.part import part_of
from ximstudio.ui.descending import Further
from ximstudio.ui.desk import Desk
from ximstudio.ui.studio import Studio
from ximstudio.ui.training import Phase


@pytest.fixture
def studio(qtbot: QtBot, tmp_path: Path) -> Iterator[Studio]:
    """A studio without a window, with a small table and a small map of it."""
    desk = Desk()
    made = Studio(desk)
    made.take_data(open_data(Input(name=str(table_file(tmp_path)))))
    made.set_params(made.session.plan.params.replace(shape=(4, 6), n_steps=1000))
    train(qtbot, made)
    yield made
    assert desk.close()


def train(qtbot: QtBot, studio: Studio) -> Run:
    studio.train()
    return finished(qtbot, studio)


def finished(qtbot: QtBot, studio: Studio) -> Run:
    eventually(qtbot, lambda: studio.desk.idle and studio.phase is Phase.IDLE)
    run = studio.session.run
    assert run is not None
    return run


def choose(studio: Studio, n_items: int) -> tuple[str, ...]:
    run = studio.session.run
    assert run is not None
    studio.choosing.select(Selection.of(run.matrix.item_ids[:n_items]))
    return run.matrix.item_ids[:n_items]


def zoomed(qtbot: QtBot, studio: Studio, n_items: int) -> Run:
    choose(studio, n_items)
    studio.descending.zoom_in(shape=(4, 4))
    return finished(qtbot, studio)


# Zooming in


def test_that_zooming_in_gives_a_map_of_what_is_chosen_with_the_values_of_its_parent(
    qtbot: QtBot, studio: Studio
) -> None:
    parent = studio.session.runs[0]
    run = zoomed(qtbot, studio, 12)
    assert run.matrix.item_ids == parent.matrix.item_ids[:12]
    np.testing.assert_array_equal(run.matrix.values, parent.matrix.values[:12])
    assert run.parent == parent.key
    assert run.input is parent.input
    assert run.result.parent is not None
    assert (run.result.parent.kind, run.result.parent.result_hash) == (PART, parent.result.hash)
    assert run.result.method == parent.result.method
    assert len(studio.session.selection) == 12


def test_that_a_finer_map_has_the_size_that_was_suggested(qtbot: QtBot, studio: Studio) -> None:
    parent = studio.session.runs[0]
    # Two rows of the map, as wide as it is: the finer one is no square.
    places = parent.result.positions
    low = [parent.matrix.item_ids[row] for row in np.argsort(places[:, 1], kind="stable")[:12]]
    studio.choosing.select(Selection.of(low))
    rows, columns = studio.descending.suggested_shape()
    assert rows < columns
    studio.descending.zoom_in()
    run = finished(qtbot, studio)
    assert isinstance(run.result.model, PrototypeMap)
    assert (run.result.model.grid.rows, run.result.model.grid.columns) == (rows, columns)


def test_that_zooming_in_is_taken_back_and_done_again_as_one_step(
    qtbot: QtBot, studio: Studio
) -> None:
    run = zoomed(qtbot, studio, 12)
    assert studio.undoes == "Zoom in on 12 genes"
    studio.undo()
    assert [each.name for each in studio.session.runs] == ["c-XIM 1"]
    studio.redo()
    assert studio.session.run is not None
    assert studio.session.run.result is run.result


def test_that_a_map_outlives_the_one_it_is_a_part_of(qtbot: QtBot, studio: Studio) -> None:
    child = zoomed(qtbot, studio, 12)
    studio.delete_run("run-1")
    assert studio.session.parent_of(child) is None
    grandchild = zoomed(qtbot, studio, 6)
    assert grandchild.parent == child.key
    studio.descending.go_up()
    assert studio.session.shown == child.key
    studio.descending.go_up()
    assert studio.session.shown == child.key


@pytest.mark.parametrize("n_chosen", [0, 1, 2, 40])
def test_that_there_is_a_reason_where_nothing_can_be_zoomed_into(
    qtbot: QtBot, studio: Studio, n_chosen: int
) -> None:
    choose(studio, n_chosen)
    assert studio.descending.why_not_zoom
    studio.descending.zoom_in()
    finished(qtbot, studio)
    assert len(studio.session.runs) == 1


def test_that_items_that_are_all_the_same_make_no_map(studio: Studio) -> None:
    run = studio.session.runs[0]
    values = run.matrix.values.copy()
    values[:5] = values[0]
    values[1, 2] = np.nan
    alike = replace(run, matrix=run.matrix.with_values(values))
    studio.change_run(alike, "Make some the same")
    choose(studio, 5)
    assert "same" in studio.descending.why_not_zoom
    choose(studio, 6)
    assert studio.descending.why_not_zoom == ""


def test_that_a_map_without_nodes_can_be_zoomed_into(qtbot: QtBot, studio: Studio) -> None:
    studio.choose_method("t-sne")
    studio.set_params(studio.session.plan.params.replace(n_steps=60, perplexity=4.0))
    train(qtbot, studio)
    choose(studio, 20)
    studio.descending.zoom_in()
    run = finished(qtbot, studio)
    assert (run.result.method, run.matrix.n_items) == ("t-sne", 20)


def test_that_settings_of_a_part_are_used_again_without_its_start(
    qtbot: QtBot, studio: Studio
) -> None:
    run = zoomed(qtbot, studio, 12)
    studio.reuse(run)
    params = studio.session.plan.params.as_values()
    assert (params["init"], params["n_steps"], params["shape"]) == ("pca", None, (4, 4))


# Training further


def test_that_a_run_is_trained_further_with_its_own_items(qtbot: QtBot, studio: Studio) -> None:
    parent = studio.session.runs[0]
    studio.descending.train_further(parent, Further.STEPS, n_steps=700)
    run = finished(qtbot, studio)
    assert run.matrix is parent.matrix
    assert (run.parent, run.result.n_steps) == (parent.key, 700)
    assert run.result.parent is not None
    assert run.result.parent.kind == CONTINUED_AGAIN
    assert studio.undoes == "Train c-XIM 1 further"


def test_that_a_run_takes_in_the_items_that_came_to_the_table(
    qtbot: QtBot, studio: Studio, tmp_path: Path
) -> None:
    parent = studio.session.runs[0]
    assert studio.descending.why_not(parent, Further.ITEMS)
    path = table_file(tmp_path)
    path.write_text(path.read_text() + "\nYBR001W,1,2,3,4\nYBR002W,9,8,1,0", encoding="utf-8")
    data = studio.session.data
    assert data is not None
    studio.reread(data.input)
    finished(qtbot, studio)
    assert (studio.descending.n_new(parent), studio.descending.why_not(parent, Further.ITEMS)) == (
        2,
        "",
    )
    studio.descending.train_further(parent, Further.ITEMS)
    run = finished(qtbot, studio)
    assert run.matrix.item_ids == (*parent.matrix.item_ids, "YBR001W", "YBR002W")
    assert run.result.parent is not None
    assert run.result.parent.kind == CONTINUED


def test_that_new_items_are_prepared_by_what_was_learnt_from_the_first(
    qtbot: QtBot, studio: Studio, tmp_path: Path
) -> None:
    studio.set_recipe(Recipe.of(planned("scale", axis="features")), "Scale")
    finished(qtbot, studio)
    parent = train(qtbot, studio)
    path = table_file(tmp_path)
    path.write_text(path.read_text() + "\nYBR001W,100,200,300,400", encoding="utf-8")
    data = studio.session.data
    assert data is not None
    studio.reread(data.input)
    finished(qtbot, studio)
    studio.descending.train_further(parent, Further.ITEMS)
    run = finished(qtbot, studio)
    np.testing.assert_array_equal(run.matrix.values[:-1], parent.matrix.values)
    assert run.matrix.values[-1, 0] > 10.0 * np.abs(parent.matrix.values).max()


def test_that_a_part_that_was_trained_further_takes_no_other_items_and_no_pins(
    qtbot: QtBot, studio: Studio
) -> None:
    part = zoomed(qtbot, studio, 12)
    studio.descending.train_further(part, Further.STEPS, n_steps=200)
    again = finished(qtbot, studio)
    assert studio.descending.n_new(again) == 28
    assert studio.descending.why_not(again, Further.ITEMS)
    assert studio.descending.why_not(again, Further.NEW)
    studio.reuse(again)
    choose(studio, 1)
    assert studio.pinning.why_not
    studio.show_run("run-1")
    studio.reuse(studio.session.runs[0])
    assert studio.pinning.why_not == ""


def test_that_a_stopped_run_goes_on_to_its_end_as_if_it_never_had_been(
    qtbot: QtBot, studio: Studio
) -> None:
    whole = studio.session.runs[0]
    params = whole.result.params
    studio.set_params(params.replace(n_steps=LONG))
    studio.train()
    eventually(qtbot, lambda: studio.live is not None)
    studio.stop()
    stopped = finished(qtbot, studio)
    assert studio.descending.why_not(stopped, Further.RESUME) == ""
    assert studio.descending.why_not(whole, Further.RESUME)
    studio.descending.train_further(stopped, Further.RESUME)
    eventually(qtbot, lambda: studio.live is not None and studio.live.step > stopped.result.step)
    studio.stop()
    run = finished(qtbot, studio)
    assert run.parent == stopped.key
    assert stopped.result.step < run.result.step < LONG


def test_that_a_part_that_was_stopped_goes_on_from_the_prototypes_it_began_with(
    qtbot: QtBot, studio: Studio
) -> None:
    whole = studio.session.runs[0]
    some = part_of(whole.result, whole.matrix, items=whole.matrix.item_ids[:12])
    training = replace(training_of(some, seed=0), stop_after=20)
    studio.train_as(training, Descent.of(whole, "Zoom in"))
    stopped = finished(qtbot, studio)
    assert (stopped.result.step, stopped.result.finished) == (20, False)
    studio.descending.train_further(stopped, Further.RESUME)
    run = finished(qtbot, studio)
    assert run.result.hash == some.train(seed=0).hash
    studio.delete_run(whole.key)
    assert studio.descending.why_not(stopped, Further.RESUME)


def test_that_methods_without_nodes_say_why_they_cannot_go_on(qtbot: QtBot, studio: Studio) -> None:
    studio.choose_method("pca")
    run = train(qtbot, studio)
    assert all(studio.descending.why_not(run, how) for how in Further)
    assert "PCA" in studio.descending.why_not_further(run)
    before = len(studio.session.runs)
    studio.descending.train_further(run, Further.STEPS)
    finished(qtbot, studio)
    assert len(studio.session.runs) == before
