"""Contents of a figure's file: settings as given, and the one table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from tests.ui.windows import table_file
from ximstudio.cli import main
from ximstudio.export.figure_found import figure_found, with_table
from ximstudio.export.provenance import Provenance
from ximstudio.figures.files import save_figure
from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Input
from ximstudio.prepare.planned import planned
from ximstudio.prepare.recipe import Recipe
from ximstudio.session import Data, Run, Session, TrainingPlan, open_data
from ximstudio.train import method_named, train
from ximstudio.train.params import MapParams
from ximstudio.train.record import record_of_run
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.positions.state import PositionsState

PLAN = FigurePlan(state=PositionsState())


def data_of(table: Path) -> Data:
    return open_data(Input(name=str(table)))


def run_of(data: Data) -> Run:
    """A small map whose size is left open."""
    assert data.matrix is not None
    method = method_named("som")
    params = method.params.from_values({"n_steps": 50})
    result = train(data.matrix, method, params, seed=3)
    return Run(key="run-1", name="mine", result=result, matrix=data.matrix, input=data.input)


def figure_file(path: Path, *runs: Run) -> Path:
    records = tuple(map(record_of_run, runs))
    save_figure(Figure(), path, None, Provenance(figure=PLAN.as_values(), runs=records))
    return path


def test_that_what_was_left_open_is_open_again(tmp_path: Path) -> None:
    data = data_of(table_file(tmp_path))
    run = run_of(data)
    found = figure_found(figure_file(tmp_path / "a.png", run), Session(data=data, runs=(run,)))
    (drawn,) = found.drawn
    assert isinstance(drawn.record.params, MapParams)
    assert drawn.record.params == run.result.params
    assert drawn.record.params.resolved(40) == run.result.params.resolved(40)
    assert drawn.record.name == "mine"
    assert drawn.finished
    assert drawn.run_in((run,)) is run
    assert found.plan == PLAN
    assert found.missing_in((run,)) == ()


def test_that_the_table_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    table = table_file(tmp_path)
    run = run_of(data_of(table))
    (tmp_path / "far").mkdir()
    path = figure_file(tmp_path / "far" / "a.png", run)
    assert figure_found(path, Session()).data is None
    known = figure_found(path, Session(), known=[table])
    (drawn,) = known.drawn
    assert drawn.is_of(known.data)

    # Of the same name, but another one.
    other = table_file(tmp_path / "far")
    other.write_text(other.read_text().replace("1.25", "9.75"))
    assert figure_found(path, Session()).data is None
    with pytest.raises(UserError) as refused:
        with_table(figure_found(path, Session()), drawn, other, Session())
    assert refused.value.problems[0].key == "figure.other_table"
    found = with_table(figure_found(path, Session()), drawn, table, Session())
    assert drawn.is_of(found.data)


def test_that_figures_without_maps_or_views_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        figure_found(figure_file(tmp_path / "a.svg"), Session())
    assert refused.value.problems[0].key == "figure.no_maps"

    run = run_of(data_of(table_file(tmp_path)))
    path = tmp_path / "run.pdf"
    told = Provenance(figure={"view": "run"}, runs=(record_of_run(run),))
    save_figure(Figure(), path, None, told)
    assert figure_found(path, Session(runs=(run,))).plan is None

    stopped = replace(run, result=replace(run.result, step=run.result.n_steps - 1))
    (drawn,) = figure_found(figure_file(path, stopped), Session(runs=(stopped,))).drawn
    assert not drawn.finished


def test_that_a_table_that_is_open_is_at_hand_wherever_its_file_is(tmp_path: Path) -> None:
    table = table_file(tmp_path)
    scaled = open_data(Input(name=str(table), recipe=Recipe(steps=(planned("log2"),))))
    (tmp_path / "far").mkdir()
    path = figure_file(tmp_path / "far" / "a.png", run_of(scaled))
    session = Session(data=data_of(table))
    table.unlink()

    found = figure_found(path, session)

    assert found.drawn[0].is_of(found.data)
    assert found.data is not None
    assert session.data is not None
    assert found.data.labelled is session.data.labelled


def command(*words: str) -> None:
    assert main([*words, "--quiet"]) == 0


def test_that_the_table_of_a_run_is_found_by_its_folder(tmp_path: Path) -> None:
    table, folder = table_file(tmp_path), tmp_path / "run"
    small = ("--method", "som", "--set", "shape=4x5", "--set", "n_steps=50")
    command("run", str(table), *small, "--out", str(folder), "--figure", "map.png")

    found = figure_found(folder / "map.png", Session())
    assert found.drawn[0].is_of(found.data)

    (folder / "run.json").write_text("[1]")
    assert figure_found(folder / "map.png", Session()).data is None


def test_that_a_comparison_tells_its_maps_and_the_settings_of_its_methods(tmp_path: Path) -> None:
    table, folder = table_file(tmp_path), tmp_path / "compared"
    small = ("--methods", "som,pca", "--set", "som.shape=4x5", "--set", "som.n_steps=50")
    command("compare", str(table), *small, "--runs", "2", "--seed", "6", "--out", str(folder))

    path = folder / "comparison.pdf"
    found = figure_found(path, Session())

    params = method_named("som").params.from_values({"shape": [4, 5], "n_steps": 50})
    # Those of its maps, and those of its repetitions on parts of the table.
    for told in (found.drawn, found.judged):
        assert [each.record.method.key for each in told] == ["som", "pca"]
        som = told[0].plan(TrainingPlan())
        assert (som.seed, som.params) == (6, params)
    assert found.drawn[0].is_of(found.data)


@pytest.mark.parametrize(
    "wrong",
    [
        {"automatic": [[1]]},
        {"automatic": ["n_steps"], "data": {"items": 0}},
        {"data": {"items": "many"}},
        {"data": {"features": None}},
        {"data": {"items": float("inf")}},
        {"seed": float("inf")},
        {"seed": None},
    ],
)
def test_that_a_record_of_other_kinds_of_values_is_refused_or_taken(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    record = record_of_run(run_of(data_of(table_file(tmp_path))))
    data = {**record["data"], **wrong.pop("data", {})}
    told = Provenance(figure=PLAN.as_values(), runs=({**record, **wrong, "data": data},))
    path = tmp_path / "a.png"
    save_figure(Figure(), path, None, told)
    keys = []
    try:
        figure_found(path, Session())
    except UserError as error:
        keys = [problem.key for problem in error.problems]
    assert keys in ([], ["provenance.damaged"])
