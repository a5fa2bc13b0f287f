"""Figures of maps that began from others, or were stopped: the same map from the tables alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.ui.files.test_figures import SMALL, drop, refused_keys, shown_of
from tests.ui.hands import click, eventually
from tests.ui.windows import LONG, is_running, shown_window, wait_idle
from ximstudio.cli import main
from ximstudio.export import provenance
from ximstudio.export.planned_figure import provenance_of, write_figure
from ximstudio.export.provenance import read_provenance
from ximstudio.model.parent import CONTINUED, CONTINUED_ALONE
from ximstudio.model.selection import Selection
from ximstudio.prepare.input import Input
from ximstudio.prepare.planned import planned
from ximstudio.prepare.recipe import Recipe
from ximstudio.reproduce.receipt import receipt_of
from ximstudio.session import Run
from ximstudio.session.descent import MapDescent, training_of
from ximstudio.session.parameter_words import number_text
from ximstudio.session.training import Training
from ximstudio.train.params import MapParams
from ximstudio.train.part import part_of
from ximstudio.ui.actions.derived_maps import Further
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.files.questions import SaveQuestion
from ximstudio.ui.runtime.settings import Settings
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.compare.state import CompareState
from ximstudio.views.positions.state import PositionsState

N_ITEMS, N_FIRST = 40, 30
PLAN = FigurePlan(state=PositionsState(), look=SMALL)
SCALED = Recipe(steps=(planned("scale", axis="features"),))


@pytest.fixture
def window(qtbot: QtBot, dressed: None, tmp_path: Path) -> Iterator[MainWindow]:
    assert dressed is None
    shown = shown_window(qtbot, Settings(tmp_path / "settings.json"))
    yield shown
    shown.close()


@pytest.fixture
def fresh(qtbot: QtBot, window: MainWindow) -> Iterator[MainWindow]:
    """Another window, which has never seen a table."""
    assert window.isVisible()
    shown = shown_window(qtbot)
    yield shown
    shown.close()


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Path, Path]:
    """The first items of a table, and all of them."""
    return write_tables(tmp_path)


def write_tables(folder: Path) -> tuple[Path, Path]:
    lines = ["gene,control_1,control_2,heat_1,heat_2"]
    for number in range(N_ITEMS):
        values = ((number * 7 + column * 3) % 11 + 0.25 * column for column in range(4))
        lines.append(f"YAL{number:03d}W," + ",".join(f"{value:.2f}" for value in values))
    paths = folder / "first.csv", folder / "all.csv"
    for path, n_items in zip(paths, (N_FIRST, N_ITEMS), strict=True):
        path.write_text("\n".join(lines[: n_items + 1]), encoding="utf-8")
    return paths


class Hand:
    """Makes maps in a window as a person does."""

    def __init__(self, qtbot: QtBot, window: MainWindow, tables: tuple[Path, Path]) -> None:
        self.qtbot, self.window, self.actions = qtbot, window, window.user_actions
        self.first, self.all = tables

    def open(self, path: Path, recipe: Recipe | None = None) -> None:
        self.actions.open(Input(name=str(path), recipe=recipe or Recipe()))
        wait_idle(self.qtbot, self.window)
        self.actions.set_seed(7)

    def plan(self, method: str = "c-xim", **changes: Any) -> None:
        self.actions.choose_method(method)
        params = self.actions.session.plan.params
        few = {"shape": (4, 5), "n_steps": 200, "perplexity": 4.0, **changes}
        if "algorithm" in changes:
            del few["n_steps"]
        known = {name: value for name, value in few.items() if name in params.specs()}
        self.actions.set_params(params.replace(**known))

    def train(self, method: str = "c-xim", **changes: Any) -> Run:
        self.plan(method, **changes)
        return self.done(self.actions.train)

    def begun(self, table: Path | None = None, recipe: Recipe | None = None) -> Run:
        """The map of a table that others begin from."""
        self.open(table or self.all, recipe)
        return self.train()

    def stopped(self, step: int, method: str = "c-xim", **changes: Any) -> Run:
        """A map whose training was stopped after a step."""
        self.plan(method, **changes)
        session = self.actions.session
        assert session.matrix is not None
        training = Training(matrix=session.matrix, plan=session.plan, stop_after=step)
        run = self.done(lambda: self.actions.train_as(training))
        assert (run.result.step, run.result.finished) == (step, False)
        return run

    def zoomed(self, n_items: int, shape: tuple[int, int] = (3, 4)) -> Run:
        run = self.actions.session.run
        assert run is not None
        self.actions.selecting.select(Selection.of(run.matrix.item_ids[:n_items]))
        return self.done(lambda: self.actions.derived_maps.zoom_in(shape=shape))

    def further(self, how: Further, n_steps: int | None = 60) -> Run:
        run = self.actions.session.run
        assert run is not None
        assert self.actions.derived_maps.why_not(run, how) == ""
        return self.done(lambda: self.actions.derived_maps.train_further(run, how, n_steps=n_steps))

    def read_again(self, path: Path, recipe: Recipe | None = None) -> None:
        self.actions.reread(Input(name=str(path), recipe=recipe or Recipe()))
        wait_idle(self.qtbot, self.window)

    def done(self, begin: Callable[[], None]) -> Run:
        before = len(self.actions.session.runs)
        begin()
        eventually(self.qtbot, lambda: len(self.actions.session.runs) == before + 1)
        wait_idle(self.qtbot, self.window)
        return self.actions.session.runs[-1]


@pytest.fixture
def hand(qtbot: QtBot, window: MainWindow, tables: tuple[Path, Path]) -> Hand:
    return Hand(qtbot, window, tables)


def a_part(hand: Hand) -> None:
    hand.begun()
    hand.zoomed(16)


def a_part_of_a_part(hand: Hand) -> None:
    hand.begun()
    hand.zoomed(20)
    hand.zoomed(9)


def a_part_that_went_on(hand: Hand) -> None:
    hand.begun()
    hand.zoomed(16)
    hand.further(Further.STEPS)


def one_that_went_on_twice(hand: Hand) -> None:
    hand.open(hand.all)
    hand.train(anchors=("1:2=YAL003W", "7=YAL008W"))
    hand.further(Further.STEPS)
    hand.further(Further.STEPS, None)


def one_with_new_items(hand: Hand) -> None:
    hand.begun(hand.first)
    hand.read_again(hand.all)
    run = hand.further(Further.ITEMS)
    assert run.result.parent is not None
    assert (run.result.parent.kind, run.matrix.n_items) == (CONTINUED, N_ITEMS)


def one_with_new_items_prepared_as_the_first(hand: Hand) -> None:
    hand.begun(hand.first, SCALED)
    hand.read_again(hand.all, SCALED)
    hand.further(Further.ITEMS)


def one_with_new_items_alone(hand: Hand) -> None:
    hand.begun(hand.first, SCALED)
    hand.read_again(hand.all)
    run = hand.further(Further.NEW)
    assert run.result.parent is not None
    assert run.result.parent.kind == CONTINUED_ALONE
    assert run.matrix.n_items == N_ITEMS - N_FIRST


def a_part_of_one_with_new_items(hand: Hand) -> None:
    one_with_new_items(hand)
    hand.zoomed(35)


def a_stopped_one(hand: Hand) -> None:
    hand.open(hand.all)
    hand.stopped(77)


def a_stopped_one_in_mini_batches(hand: Hand) -> None:
    hand.open(hand.all)
    hand.stopped(2, algorithm="mini-batch", n_epochs=5, block_items=11)


def a_part_of_a_stopped_one(hand: Hand) -> None:
    hand.open(hand.all)
    hand.stopped(130)
    hand.zoomed(12)


def parts_of(method: str) -> Callable[[Hand], None]:
    def made(hand: Hand) -> None:
        hand.open(hand.all)
        hand.train(method)
        hand.zoomed(20)

    made.__name__ = f"a part of {method}"
    return made


KINDS = [
    a_part,
    a_part_of_a_part,
    a_part_that_went_on,
    one_that_went_on_twice,
    one_with_new_items,
    one_with_new_items_prepared_as_the_first,
    one_with_new_items_alone,
    a_part_of_one_with_new_items,
    a_stopped_one,
    a_stopped_one_in_mini_batches,
    a_part_of_a_stopped_one,
    *(parts_of(method) for method in ("som", "xom", "t-sne", "umap", "pca")),
]


@pytest.mark.parametrize("made", KINDS, ids=lambda made: made.__name__.replace("_", " "))
def test_that_the_same_map_is_made_of_the_tables_alone(
    qtbot: QtBot, hand: Hand, fresh: MainWindow, tmp_path: Path, made: Callable[[Hand], None]
) -> None:
    made(hand)
    path, again = tmp_path / "figure.pdf", tmp_path / "again.pdf"
    write_figure(path, shown_of(hand.window), PLAN)
    runs = hand.actions.session.runs

    drop(fresh, path)
    eventually(qtbot, lambda: len(fresh.user_actions.session.runs) == len(runs))
    wait_idle(qtbot, fresh)

    session = fresh.user_actions.session
    assert [(run.name, run.result.hash) for run in session.runs] == [
        (run.name, run.result.hash) for run in runs
    ]
    assert [run.parent for run in session.runs] == [run.parent for run in runs]
    assert session.run is session.runs[-1]
    for run, before in zip(session.runs, runs, strict=True):
        n_items = run.matrix.n_items
        assert run.result.params.resolved(n_items) == before.result.params.resolved(n_items)
        assert (run.result.seed, run.result.step) == (before.result.seed, before.result.step)
        assert run.result.n_steps == before.result.n_steps
    assert (session.plan.method_key, session.plan.seed) == (runs[-1].result.method, 7)
    assert refused_keys(fresh) == []
    write_figure(again, shown_of(fresh), PLAN)
    assert again.read_bytes() == path.read_bytes()


WAYS = {
    "part": ["--parent", "first", "--nodes", "0,1,2,3,4,5,6,7"],
    "further": ["all.csv", "--continue", "first"],
    "alone": ["all.csv", "--continue", "first", "--only-new"],
    "started": ["all.csv", "--start", "first", "--set", "shape=5x6", "--set", "n_steps=90"],
    "given": ["all.csv", "--start", "prototypes.csv", "--set", "shape=4x5", "--set", "n_steps=90"],
}
"""What the command line makes of an earlier run, or of its prototypes."""


@pytest.fixture(scope="module")
def commanded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Figures of all these ways beside the tables, with no run's folder; their hashes."""
    home = tmp_path_factory.mktemp("commanded")
    write_tables(home)
    hashes = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        small = ("--set", "shape=4x5", "--set", "n_steps=200", "--scale", "features")
        command("run", "first.csv", *small, "--out", "first")
        shutil.copy(home / "first" / "prototypes.csv", home)
        for name, way in WAYS.items():
            command("run", *way, "--out", name, "--figure", f"{name}.png")
            record = json.loads((home / name / "run.json").read_text(encoding="utf-8"))
            hashes[name] = record["result_hash"]
            shutil.move(home / name / f"{name}.png", home)
            shutil.rmtree(home / name)
    shutil.rmtree(home / "first")
    return home, hashes


def command(*words: str) -> None:
    assert main([*words, "--quiet"]) == 0


@pytest.mark.parametrize("name", WAYS)
def test_that_the_same_map_is_made_as_the_command_line_made_it(
    commanded: tuple[Path, dict[str, str]], qtbot: QtBot, window: MainWindow, name: str
) -> None:
    home, hashes = commanded
    drop(window, home / f"{name}.png")
    n_runs = 1 if name == "given" else 2
    eventually(qtbot, lambda: len(window.user_actions.session.runs) == n_runs)
    wait_idle(qtbot, window)
    # Prototypes lose their last bits in a folder, and so do those that are made again.
    assert window.user_actions.session.runs[-1].result.hash == hashes[name]
    assert refused_keys(window) == []
    params = window.user_actions.session.plan.params
    assert isinstance(params, MapParams)
    assert params.init != "given"


def step_of(hand: Hand) -> int:
    return 0 if hand.actions.live is None else hand.actions.live.step


def test_that_a_training_that_a_person_stopped_twice_is_stopped_there_again(
    qtbot: QtBot, hand: Hand, fresh: MainWindow, tmp_path: Path
) -> None:
    hand.open(hand.all)
    hand.plan(n_steps=LONG)
    hand.actions.train()
    eventually(qtbot, lambda: is_running(hand.window))
    first = hand.done(hand.actions.stop)
    hand.actions.derived_maps.train_further(first, Further.RESUME)
    eventually(qtbot, lambda: step_of(hand) > first.result.step)
    second = hand.done(hand.actions.stop)
    path = tmp_path / "figure.svg"
    write_figure(path, shown_of(hand.window), PLAN)

    drop(fresh, path)
    eventually(qtbot, lambda: len(fresh.user_actions.session.runs) == 1)
    wait_idle(qtbot, fresh)

    (run,) = fresh.user_actions.session.runs
    assert first.result.step < run.result.step == second.result.step < LONG
    assert run.result.hash == second.result.hash
    assert not run.result.finished
    assert fresh.user_actions.derived_maps.why_not(run, Further.RESUME) == ""
    assert refused_keys(fresh) == []
    assert path.name in fresh.status.last.full
    assert number_text(run.result.step) in fresh.status.last.full


def test_that_a_part_that_was_stopped_and_went_on_began_from_the_map_before(
    qtbot: QtBot, hand: Hand, fresh: MainWindow, tmp_path: Path
) -> None:
    whole = hand.begun()
    some = part_of(whole.result, whole.matrix, items=whole.matrix.item_ids[:16])
    training = replace(training_of(some, seed=7), stop_after=20)
    hand.done(lambda: hand.actions.train_as(training, MapDescent.of(whole, "Zoom in")))
    part = hand.further(Further.RESUME, None)
    assert part.result.finished
    path = tmp_path / "figure.pdf"
    write_figure(path, shown_of(hand.window), PLAN)

    drop(fresh, path)
    eventually(qtbot, lambda: len(fresh.user_actions.session.runs) == 2)
    wait_idle(qtbot, fresh)
    hashes = [run.result.hash for run in fresh.user_actions.session.runs]
    assert hashes == [whole.result.hash, part.result.hash]
    # A script of it begins with the same map.
    assert len(receipt_of(hand.actions.session.runs, [part.key])["runs"]) == 2


def test_that_an_ancestor_that_is_here_is_not_trained_again(hand: Hand, tmp_path: Path) -> None:
    hand.begun()
    part = hand.zoomed(16)
    path = tmp_path / "figure.png"
    write_figure(path, shown_of(hand.window), PLAN)
    hand.actions.delete_run(part.key)
    # Its table is not needed: the map has all items of the part.
    hand.all.unlink()

    run = hand.done(lambda: drop(hand.window, path))
    assert run.result.hash == part.result.hash
    assert [each.key for each in hand.actions.session.runs] == ["run-1", run.key]
    assert hand.actions.session.parent_of(run) is not None
    assert hand.window.findChildren(SaveQuestion) == []


def test_that_maps_side_by_side_come_back_with_what_they_descend_from(
    qtbot: QtBot, hand: Hand, fresh: MainWindow, tmp_path: Path
) -> None:
    hand.begun()
    hand.zoomed(20)
    hand.zoomed(9)
    runs = hand.actions.session.runs
    hand.actions.comparison.show([runs[2].key, runs[1].key], "Compare")
    wait_idle(qtbot, hand.window)
    path = tmp_path / "both.pdf"
    write_figure(path, shown_of(hand.window), FigurePlan(state=CompareState(), look=SMALL))
    told = read_provenance(path)
    assert told is not None
    assert [each["result_hash"] for each in told.runs] == [
        runs[2].result.hash,
        runs[1].result.hash,
    ]
    assert [each["result_hash"] for each in told.ancestors] == [runs[0].result.hash]

    drop(fresh, path)
    eventually(qtbot, lambda: len(fresh.user_actions.session.compared_runs) == 2)
    wait_idle(qtbot, fresh)
    compared = [run.result.hash for run in fresh.user_actions.session.compared_runs]
    assert compared == [runs[2].result.hash, runs[1].result.hash]


# Not all is at hand


@pytest.fixture
def far(hand: Hand, tmp_path: Path) -> tuple[Path, Run]:
    """A figure of a part of a map with new items, far from both tables; the run."""
    one_with_new_items(hand)
    run = hand.zoomed(35)
    folder = tmp_path / "figures"
    folder.mkdir()
    write_figure(folder / "figure.pdf", shown_of(hand.window), PLAN)
    return folder / "figure.pdf", run


def test_that_every_table_on_the_way_is_asked_for_by_its_name(
    qtbot: QtBot, hand: Hand, far: tuple[Path, Run], fresh: MainWindow
) -> None:
    path, run = far
    drop(fresh, path)
    for table, other in ((hand.first, hand.all), (hand.all, hand.first)):
        eventually(qtbot, lambda: fresh.figures.question is not None)
        question = fresh.figures.question
        assert question is not None
        assert any(table.name in said.text() for said in question.findChildren(QLabel))
        question._take(str(other))
        eventually(qtbot, lambda: fresh.figures.question not in (None, question))  # noqa: B023
        again = fresh.figures.question
        assert again is not None
        assert again.wrong.isVisible()
        again._take(str(table))
        eventually(qtbot, lambda: fresh.figures.question is None)
    eventually(qtbot, lambda: len(fresh.user_actions.session.runs) == 3)
    wait_idle(qtbot, fresh)
    assert fresh.user_actions.session.runs[-1].result.hash == run.result.hash
    assert refused_keys(fresh) == []


def test_that_the_settings_alone_are_those_of_the_map_and_that_is_said(
    qtbot: QtBot, far: tuple[Path, Run], fresh: MainWindow
) -> None:
    path, run = far
    drop(fresh, path)
    eventually(qtbot, lambda: fresh.figures.question is not None)
    question = fresh.figures.question
    assert question is not None
    click(question.go_without)
    eventually(qtbot, lambda: refused_keys(fresh) == ["figure.only_settings"])
    session = fresh.user_actions.session
    assert session.runs == ()
    assert session.plan.seed == 7
    # For a map of its own: nobody has the prototypes that the part began with.
    params = session.plan.params
    assert isinstance(params, MapParams)
    assert isinstance(run.result.params, MapParams)
    assert params.init != "given"
    assert params.shape == run.result.params.shape


def test_that_a_person_who_stops_half_way_keeps_what_is_there_and_can_take_it_back(
    qtbot: QtBot, hand: Hand, fresh: MainWindow, tmp_path: Path
) -> None:
    hand.begun()
    hand.zoomed(16)
    path = tmp_path / "figure.pdf"
    run = shown_of(hand.window).run
    assert run is not None
    params = run.result.params.replace(n_steps=LONG)
    long = replace(run, result=replace(run.result, params=params, n_steps=LONG, step=LONG))
    write_figure(path, replace(shown_of(hand.window), run=long, result=long.result), PLAN)

    drop(fresh, path)
    eventually(qtbot, lambda: len(fresh.user_actions.session.runs) == 1)
    eventually(qtbot, lambda: is_running(fresh))
    fresh.user_actions.stop()
    eventually(qtbot, lambda: len(fresh.user_actions.session.runs) == 2)
    wait_idle(qtbot, fresh)

    whole, part = fresh.user_actions.session.runs
    assert fresh.user_actions.phase is Phase.IDLE
    assert (whole.result.finished, part.result.finished) == (True, False)
    assert part.parent == whole.key
    assert refused_keys(fresh) == []
    undone = []
    while fresh.user_actions.undoes:
        undone.append(fresh.user_actions.undoes)
        fresh.user_actions.undo()
        wait_idle(qtbot, fresh)
    assert fresh.user_actions.session.data is None
    assert undone[0] == "Zoom in on 16 genes"
    # Nothing of the figure is waited for any more.
    fresh.user_actions.redo()
    wait_idle(qtbot, fresh)
    assert fresh.user_actions.session.runs == ()


def test_that_ancestors_for_which_there_is_no_room_are_left_out(
    qtbot: QtBot, hand: Hand, fresh: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.begun()
    hand.zoomed(16)
    path = tmp_path / "figure.pdf"
    whole = provenance_of(shown_of(hand.window), PLAN)
    assert len(whole.ancestors) == 1
    monkeypatch.setattr(provenance, "MOST_TEXT", len(whole.text) - 1)
    write_figure(path, shown_of(hand.window), PLAN)
    told = read_provenance(path)
    assert told == replace(whole, ancestors=())

    # As in figures of earlier versions.
    drop(fresh, path)
    eventually(qtbot, lambda: refused_keys(fresh) == ["figure.descends"])
    assert fresh.user_actions.session.runs == ()
    assert fresh.user_actions.session.plan.seed == 7
