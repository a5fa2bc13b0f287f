"""Figures that are dropped on the window: the settings, and the same map wherever the data are."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from tests.ui.hands import click, eventually
from tests.ui.windows import (
    plan_quick,
    shown_window,
    table_file,
    take_ready,
    wait_idle,
    with_sample,
)
from ximstudio.export.provenance import Provenance
from ximstudio.figures.files import save_figure
from ximstudio.figures.look import Look
from ximstudio.model.parent import CONTINUED, Parent
from ximstudio.model.selection import Selection
from ximstudio.prepare.input import Input
from ximstudio.prepare.planned import planned
from ximstudio.prepare.recipe import Recipe
from ximstudio.session import Run
from ximstudio.session.shown import Shown
from ximstudio.train.record import record_of_run
from ximstudio.ui.actions.series import MOST_PANELS
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.files.questions import DropQuestion, SaveQuestion
from ximstudio.ui.runtime.settings import Settings
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.compare.state import CompareState
from ximstudio.views.figure import figure_of
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.state import PositionsState

SMALL = Look(width_mm=60.0, dpi=100.0)


@pytest.fixture
def window(qtbot: QtBot, dressed: None, tmp_path: Path) -> Iterator[MainWindow]:
    assert dressed is None
    shown = shown_window(qtbot, Settings(tmp_path / "settings.json"))
    yield shown
    shown.close()


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    left, plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, data, left, plain))


def shown_of(window: MainWindow) -> Shown:
    shown = window.user_actions.shown
    assert shown is not None
    return shown


def plan_of(run: Run, **changes: object) -> FigurePlan:
    """A positions figure with some items marked."""
    state = PositionsState(by="feature", option=run.matrix.feature_names[2])
    chosen = Selection.of(run.matrix.item_ids[:5])
    return replace(FigurePlan(state=state, selection=chosen, look=SMALL), **changes)  # type: ignore[arg-type]


def export(window: MainWindow, path: Path) -> tuple[FigurePlan, bytes]:
    """A figure of what is shown; its plan, and its pixels."""
    shown = shown_of(window)
    assert shown.run is not None
    plan = plan_of(shown.run)
    write_figure(path, shown, plan)
    return plan, pixels(shown, plan)


def write_figure(path: Path, shown: Shown, plan: FigurePlan) -> None:
    """The figure of a plan in a file, with how it was made."""
    runs = shown.compared if isinstance(plan.state, CompareState) else (shown.run,)
    records = tuple(record_of_run(run) for run in runs if run is not None)
    provenance = Provenance(figure=plan.as_values(), runs=records)
    save_figure(figure_of(shown, plan), path, plan.look, provenance)


def pixels(shown: Shown, plan: FigurePlan) -> bytes:
    canvas: Any = FigureCanvasAgg(figure_of(shown, plan))
    canvas.draw()
    return np.asarray(canvas.buffer_rgba()).tobytes()


def trained(qtbot: QtBot, window: MainWindow, table: Path, recipe: Recipe | None = None) -> Run:
    """A small map of a table."""
    window.user_actions.open(Input(name=str(table), recipe=recipe or Recipe()))
    wait_idle(qtbot, window)
    plan_quick(window, n_steps=300)
    window.user_actions.set_seed(7)
    window.train()
    eventually(qtbot, lambda: len(window.user_actions.session.runs) == 1)
    wait_idle(qtbot, window)
    return window.user_actions.session.runs[0]


def refused_keys(window: MainWindow) -> list[str]:
    return [problem.key for problem in window.banner.problems]


def check_same(window: MainWindow, run: Run, plan: FigurePlan, drawn: bytes) -> None:
    """The map, the settings, the view and the figure are those of the figure."""
    session = window.user_actions.session
    assert session.run is not None
    assert session.run.result.hash == run.result.hash
    n_items = run.matrix.n_items
    assert session.plan.method_key == run.result.method
    assert session.plan.seed == run.result.seed
    assert session.plan.params.resolved(n_items) == run.result.params.resolved(n_items)
    assert session.selection == plan.selection
    view = window.views.panes[0].view
    assert view.kind.key == plan.state.view
    assert view.state == plan.state
    assert pixels(shown_of(window), plan) == drawn
    assert "figure.other_bits" not in refused_keys(window)


# The map is here, or can be made


@pytest.mark.parametrize("suffix", [".pdf", ".svg", ".png", ".tiff"])
def test_that_a_figure_leads_back_to_its_run(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, suffix: str
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    path = tmp_path / f"figure{suffix}"
    plan, drawn = export(window, path)
    (run,) = window.user_actions.session.runs
    window.user_actions.set_seed(3)
    take_ready(qtbot, window)
    assert window.user_actions.session.run is not run

    drop(window, path)
    eventually(qtbot, lambda: window.user_actions.session.shown == run.key)
    wait_idle(qtbot, window)

    assert window.findChildren(DropQuestion) == []
    assert len(window.user_actions.session.runs) == 2
    check_same(window, run, plan, drawn)


def test_that_a_map_that_is_not_here_is_trained_on_the_table_that_is(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    path = tmp_path / "figure.pdf"
    plan, drawn = export(window, path)
    (run,) = window.user_actions.session.runs
    window.user_actions.change_run(replace(run, name="mine"), "Rename")
    window.user_actions.delete_run(run.key)
    window.user_actions.choose_method("som")

    drop(window, path)
    eventually(qtbot, lambda: len(window.user_actions.session.runs) == 1)
    wait_idle(qtbot, window)

    check_same(window, run, plan, drawn)
    assert window.user_actions.session.plan.params == run.result.params


def test_that_a_table_beside_the_figure_is_read_and_prepared_as_it_was(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    table = table_file(tmp_path)
    recipe = Recipe(steps=(planned("log2"),))
    run = trained(qtbot, window, table, recipe)
    path = tmp_path / "figure.svg"
    plan, drawn = export(window, path)

    other = shown_window(qtbot)
    other.opening.open_named(str(path))
    eventually(qtbot, lambda: len(other.user_actions.session.runs) == 1)
    wait_idle(qtbot, other)
    data = other.user_actions.session.data
    assert data is not None
    assert data.input.recipe == recipe
    check_same(other, run, plan, drawn)
    other.close()


def test_that_a_table_prepared_otherwise_is_prepared_as_in_the_figure_and_keeps_its_maps(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    table = table_file(tmp_path)
    run = trained(qtbot, window, table, Recipe(steps=(planned("log2"),)))
    folder = tmp_path / "figures"
    folder.mkdir()
    plan, drawn = export(window, folder / "figure.png")
    window.user_actions.delete_run(run.key)
    window.user_actions.set_recipe(Recipe(), "No steps")
    wait_idle(qtbot, window)
    window.train()
    eventually(qtbot, lambda: len(window.user_actions.session.runs) == 1)
    wait_idle(qtbot, window)

    drop(window, folder / "figure.png")
    eventually(qtbot, lambda: len(window.user_actions.session.runs) == 2)
    wait_idle(qtbot, window)
    assert window.findChildren(SaveQuestion) == []
    check_same(window, run, plan, drawn)


def test_that_maps_side_by_side_all_come_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    window.user_actions.set_seed(4)
    take_ready(qtbot, window)
    runs = window.user_actions.session.runs
    window.user_actions.comparison.show([run.key for run in reversed(runs)], "Compare")
    wait_idle(qtbot, window)
    plan = FigurePlan(state=CompareState(), look=SMALL)
    path = tmp_path / "both.pdf"
    write_figure(path, shown_of(window), plan)

    other = with_sample(qtbot, shown_window(qtbot))
    drop(other, path)
    eventually(qtbot, lambda: len(other.user_actions.session.compared_runs) == 2)
    wait_idle(qtbot, other)
    session = other.user_actions.session
    wanted = [(run.name, run.result.hash) for run in reversed(runs)]
    assert [(run.name, run.result.hash) for run in session.compared_runs] == wanted
    assert other.views.panes[0].view.kind.key == "compare"
    assert pixels(shown_of(other), plan) == pixels(shown_of(window), plan)
    other.close()


def shows(window: MainWindow, view: str) -> bool:
    return window.views.panes[0].view.kind.key == view


def command(*words: str) -> None:
    # In a process of its own: its lane goes on, and no window may leave one.
    subprocess.run([sys.executable, "-m", "ximstudio", *words, "--quiet"], check=True)


def test_that_a_run_of_the_command_line_comes_back_in_its_view(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    table, folder = table_file(tmp_path), tmp_path / "run"
    small = ("--method", "som", "--set", "shape=4x5", "--set", "n_steps=200", "--seed", "3")
    figures = ("--figure", "a.pdf", "--figure", "b.png", "--view", "both", "--view", "quality")
    # The table has a line on how long training took, which no figure of a command tells.
    command("run", str(table), *small, *figures, "--table", "--out", str(folder))
    for name, view in (("a.pdf", "map"), ("b.png", "quality")):
        drop(window, folder / name)
        eventually(qtbot, partial(shows, window, view))
        wait_idle(qtbot, window)
        (run,) = window.user_actions.session.runs
        assert (run.name, run.result.method, run.result.seed) == ("SOM", "som", 3)
    assert refused_keys(window) == []


@pytest.mark.parametrize(("view", "page"), [("both", "maps"), ("measures", "measures")])
def test_that_maps_compared_by_the_command_line_come_back_as_many_as_there_are_panels(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, view: str, page: str
) -> None:
    table, folder = table_file(tmp_path), tmp_path / "compared"
    methods = ("c-xim", "t-xim", "xim", "som", "xom", "ne-xom", "pca")
    small = ("--set", "shape=4x5", "--set", "n_steps=50", "--set", "n_epochs=3", "--runs", "1")
    figure = ("--figure", "a.pdf", "--view", view, *(("--table",) if view == "both" else ()))
    names = ("--methods", ",".join(methods))
    command("compare", str(table), *names, *small, *figure, "--seed", "6", "--out", str(folder))

    drop(window, folder / "a.pdf")
    eventually(qtbot, lambda: len(window.user_actions.session.compared_runs) == MOST_PANELS)
    wait_idle(qtbot, window)
    session = window.user_actions.session
    assert tuple(run.result.method for run in session.runs) == methods
    assert {run.result.seed for run in session.runs} == {6}
    state = window.views.panes[0].view.state
    assert isinstance(state, CompareState)
    assert state.page == page
    assert refused_keys(window) == []


def test_that_maps_of_a_table_prepared_in_several_ways_all_come_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    table = table_file(tmp_path)
    trained(qtbot, window, table)
    window.user_actions.set_recipe(Recipe(steps=(planned("log2"),)), "Scale")
    wait_idle(qtbot, window)
    window.train()
    eventually(qtbot, lambda: len(window.user_actions.session.runs) == 2)
    wait_idle(qtbot, window)
    runs = window.user_actions.session.runs
    window.user_actions.comparison.show([run.key for run in runs], "Compare")
    wait_idle(qtbot, window)
    path = tmp_path / "both.pdf"
    write_figure(path, shown_of(window), FigurePlan(state=CompareState(), look=SMALL))

    other = shown_window(qtbot)
    drop(other, path)
    eventually(qtbot, lambda: len(other.user_actions.session.compared_runs) == 2)
    wait_idle(qtbot, other)
    found = [run.result.hash for run in other.user_actions.session.compared_runs]
    assert found == [run.result.hash for run in runs]
    assert refused_keys(other) == []
    other.close()


def test_that_the_settings_of_a_map_that_descends_from_another_open(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    window.user_actions.set_seed(7)
    take_ready(qtbot, window)
    (run,) = window.user_actions.session.runs
    parent = Parent(
        kind=CONTINUED,
        result_hash=run.result.hash,
        data_fingerprint=run.matrix.fingerprint,
    )
    result = replace(run.result, parent=parent, positions=run.result.positions + 0.5)
    later = replace(run, result=result)
    shown = replace(shown_of(window), run=later, result=result)
    path = tmp_path / "later.pdf"
    write_figure(path, shown, FigurePlan(state=MapState(), look=SMALL))

    other = with_sample(qtbot, shown_window(qtbot))
    drop(other, path)
    eventually(qtbot, lambda: refused_keys(other) == ["figure.descends"])
    assert other.user_actions.session.plan.seed == 7
    assert other.user_actions.session.runs == ()
    other.close()


def test_that_the_settings_of_methods_that_a_figure_judges_open(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    record = record_of_run(window.user_actions.session.runs[0])
    methods = [{"method": "pca", "parameters": {}}, {"method": "som", "parameters": {}}]
    told = {**record, "seed": 8, "methods": methods, "items_per_run": 30}
    path = tmp_path / "judged.png"
    save_figure(Figure(), path, None, Provenance(figure={"comparison": told}))
    runs = window.user_actions.session.runs

    drop(window, path)
    eventually(qtbot, lambda: refused_keys(window) == ["figure.only_measures"])
    session = window.user_actions.session
    assert session.runs == runs
    assert (session.plan.method_key, session.plan.seed) == ("pca", 8)
    assert {"pca", "som"} <= set(session.plan.parameters)


# The table is not at hand


@pytest.fixture
def far(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> tuple[Path, Path, Run]:
    """A figure whose table is elsewhere, under another name; its run."""
    table = table_file(tmp_path)
    run = trained(qtbot, window, table)
    folder = tmp_path / "figures"
    folder.mkdir()
    export(window, folder / "figure.pdf")
    return folder / "figure.pdf", table.rename(tmp_path / "elsewhere.csv"), run


def test_that_the_table_is_asked_for_and_another_one_refused(
    qtbot: QtBot, far: tuple[Path, Path, Run], tmp_path: Path
) -> None:
    path, table, run = far
    wrong = table_file(tmp_path, "wrong.csv")
    wrong.write_text(wrong.read_text().replace("1.25", "1.75"))
    other = shown_window(qtbot)
    drop(other, path)
    eventually(qtbot, lambda: other.figures.question is not None)
    first = other.figures.question
    assert first is not None
    first._take(str(wrong))
    eventually(qtbot, lambda: other.figures.question not in (None, first))
    again = other.figures.question
    assert again is not None
    assert again.wrong.isVisible()
    assert other.user_actions.session.data is None

    again._take(str(table))
    eventually(qtbot, lambda: len(other.user_actions.session.runs) == 1)
    wait_idle(qtbot, other)
    assert other.user_actions.session.runs[0].result.hash == run.result.hash
    other.close()


def test_that_settings_can_be_had_alone(qtbot: QtBot, far: tuple[Path, Path, Run]) -> None:
    path, _, run = far
    other = with_sample(qtbot, shown_window(qtbot))
    other.user_actions.choose_method("som")
    before = other.user_actions.session.data
    drop(other, path)
    eventually(qtbot, lambda: other.figures.question is not None)
    question = other.figures.question
    assert question is not None
    click(question.go_without)
    session = other.user_actions.session
    assert session.data is before
    assert session.plan.method_key == run.result.method
    assert session.plan.seed == 7
    assert session.plan.params == run.result.params
    assert session.runs == ()
    other.close()


# What cannot be


def test_that_a_picture_of_somebody_else_is_told_to_say_nothing(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    before = window.user_actions.session
    path = tmp_path / "cat.png"
    Image.new("RGB", (8, 8)).save(path)
    drop(window, path)
    eventually(qtbot, lambda: refused_keys(window) == ["figure.no_provenance"])
    assert window.user_actions.session is before


def test_that_a_map_that_comes_out_otherwise_is_said_to(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    (run,) = window.user_actions.session.runs
    # As if another machine had rounded otherwise.
    other = replace(run, result=replace(run.result, positions=run.result.positions + 1e-9))
    shown = replace(shown_of(window), run=other, result=other.result)
    path = tmp_path / "figure.pdf"
    write_figure(path, shown, FigurePlan(state=MapState(), look=SMALL))
    window.user_actions.delete_run(run.key)

    drop(window, path)
    eventually(qtbot, lambda: refused_keys(window) == ["figure.other_bits"])
    wait_idle(qtbot, window)
    assert window.user_actions.session.run is not None
    assert window.user_actions.session.run.result.hash == run.result.hash


def test_that_a_stopped_training_brings_no_more_maps(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    path = tmp_path / "figure.pdf"
    (run,) = window.user_actions.session.runs
    longer = replace(run.result.params, n_steps=50_000_000)  # type: ignore[call-arg]
    shown = shown_of(window)
    result = replace(run.result, params=longer)
    long = replace(run, result=result)
    write_figure(
        path, replace(shown, run=long, result=result), FigurePlan(state=MapState(), look=SMALL)
    )
    window.user_actions.delete_run(run.key)

    drop(window, path)
    eventually(
        qtbot,
        lambda: window.user_actions.phase is Phase.RUNNING and window.user_actions.live is not None,
    )
    drop(window, path)
    eventually(qtbot, lambda: refused_keys(window) == ["figure.busy"])
    window.user_actions.stop()
    wait_idle(qtbot, window)
    assert window.user_actions.phase is Phase.IDLE
    assert refused_keys(window) == ["figure.busy"]
