"""Figures of the command line, with how they were made in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.export.test_comparison import opened
from tests.ui.maps_to_show import run_of, some_matrix
from ximstudio import views
from ximstudio.cli import main
from ximstudio.export.comparison import VIEWS as COMPARED
from ximstudio.export.comparison import (
    comparison_record,
    shown_comparison,
    write_comparison_figures,
)
from ximstudio.export.figure_found import figure_found
from ximstudio.export.images import (
    BOTH,
    Asked,
    figure_names,
    figure_views,
    views_of_one_map,
    write_run_figures,
)
from ximstudio.export.planned_figure import write_figure
from ximstudio.export.provenance import read_provenance, record_in
from ximstudio.figures.look import Look
from ximstudio.figures.sheet import PAGE_MM
from ximstudio.measure.protocol import Progress, compare
from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Input
from ximstudio.session import Session
from ximstudio.session.shown import Shown
from ximstudio.train import method_named, train
from ximstudio.views import view_named
from ximstudio.views.compare.state import CompareState
from ximstudio.views.figure import figure_plan_from
from ximstudio.views.map.picture import POINTS
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.state import PositionsState
from ximstudio.views.quality.state import QualityState

VIEWS = views_of_one_map()
FIGURES = ("map.pdf", "map.svg", "map.png", "map.tiff")


def test_that_figures_of_a_run_say_how_to_make_it_again(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    rows = (f"g{number},{number % 3},{number % 4},{'xy'[number % 2]}\n" for number in range(12))
    table.write_text("id,a,b,kind\n" + "".join(rows))
    folder = tmp_path / "out"
    options = [word for name in FIGURES for word in ("--figure", name)]
    options += ["--set", "shape=3x3", "--set", "n_steps=100", "--out", str(folder), "--quiet"]
    assert main(["run", str(table), "--method", "som", *options]) == 0
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    found = [read_provenance(folder / name) for name in FIGURES]
    told = found[0]
    assert told is not None
    assert found == [told] * len(FIGURES)
    [run] = told.runs
    assert run["result_hash"] == record["result_hash"]
    assert run["parameters"] == record["parameters"]
    assert record["data"]["source"] == str(table)
    assert run["data"]["source"] == table.name
    again = record_in(run, folder / FIGURES[0])
    matrix = Input.from_values(record["data"]["input"]).open().matrix
    assert matrix.fingerprint == again.data.fingerprint
    result = train(matrix, again.method, again.params, seed=again.seed)
    assert result.hash == again.result_hash


@pytest.mark.parametrize("name", ["map.jpg", "map", "folder/map.pdf", "../map.pdf"])
def test_that_names_that_are_no_figures_are_refused(name: str) -> None:
    with pytest.raises(UserError) as error:
        figure_names([name])
    assert error.value.keys == ("export.figure_name",)
    assert figure_names(["Map.PDF"]) == ("Map.PDF",)


def test_that_one_view_is_for_all_figures_and_several_are_in_their_order() -> None:
    names = ("a.pdf", "b.svg")

    def paired(*views: str) -> list[str]:
        return [view for _, view in figure_views(names, views, among=VIEWS, usual=BOTH)]

    assert paired() == [BOTH, BOTH]
    assert paired("map") == ["map", "map"]
    assert paired("quality", "map") == ["quality", "map"]
    for wrong in (("map", "map", "map"), ("map", "maps")):
        with pytest.raises(UserError):
            paired(*wrong)


def test_that_a_run_has_figures_of_all_views_but_that_for_several_maps() -> None:
    assert set(VIEWS) == {BOTH, *(kind.key for kind in views.VIEWS)} - {"compare"}


@pytest.mark.parametrize("method", ["som", "pca"])
@pytest.mark.parametrize("view", VIEWS)
def test_that_every_view_is_drawn_of_maps_with_and_without_nodes(
    view: str, method: str, tmp_path: Path
) -> None:
    run = run_of(method)
    look = Look(width_mm=85.0)
    assert not write_run_figures(tmp_path, Asked(figures=(("a.svg", view),), look=look), run)
    found = figure_found(tmp_path / "a.svg", Session(runs=(run,)))
    nodes = {BOTH: MapState.view}.get(view, view)
    without = view_named(nodes).needs_nodes and method == "pca"
    assert found.plan is not None
    assert found.plan.state.view == (PositionsState.view if without else nodes)
    assert found.plan.look == look
    (drawn,) = found.drawn
    assert drawn.run_in((run,)) is run
    assert drawn.record.name == run.name
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert svg.partition('width="')[2].startswith('85mm"')
    assert float(svg.partition('height="')[2].partition("mm")[0]) <= PAGE_MM + 1.0


@pytest.mark.parametrize("view", VIEWS[1:])
def test_that_the_command_line_and_the_window_write_the_same_bytes(
    view: str, tmp_path: Path
) -> None:
    run = run_of("som")
    asked = Asked(figures=(("a.pdf", view),), look=Look(width_mm=85.0), title="", table=True)
    assert not write_run_figures(tmp_path, asked, run)
    told = read_provenance(tmp_path / "a.pdf")
    assert told is not None
    plan = figure_plan_from(told.figure)
    shown = Shown.of(run, Session().with_run(run))
    write_figure(tmp_path / "window.pdf", shown, plan)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "window.pdf").read_bytes()


def test_that_map_and_positions_beside_it_open_as_the_map(tmp_path: Path) -> None:
    run = run_of("som")
    asked = Asked(figures=(("a.png", BOTH),), label="kind", palette="cividis")
    write_run_figures(tmp_path, asked, run, began={"start": "begin.csv"})
    told = read_provenance(tmp_path / "a.png")
    assert told is not None
    plan = figure_plan_from(told.figure)
    assert plan.state == MapState(names="", marks=POINTS).with_palette("cividis")
    assert told.figure["beside"]["view"] == PositionsState.view
    assert told.runs[0]["start"] == "begin.csv"


def test_that_a_figure_that_cannot_be_drawn_does_not_take_the_others_along(tmp_path: Path) -> None:
    figures = (("a.svg", QualityState.view), ("b.svg", PositionsState.view))
    asked = Asked(figures=figures, look=Look(width_mm=40.0, font_size=14.0))
    refused = write_run_figures(tmp_path, asked, run_of("som"))
    assert [problem.key for problem in refused] == ["figure.narrow"]
    assert "a.svg" in refused[0].where
    assert [path.name for path in tmp_path.iterdir()] == ["b.svg"]


# Comparisons


@pytest.fixture(scope="module")
def last() -> Progress:
    """The end of a comparison of two methods, with maps."""
    small = {"shape": (4, 5), "n_steps": 200}
    entries = [
        (method, method.params.from_values({k: v for k, v in small.items() if k in known}))
        for method, known in ((m, m.params.specs()) for m in map(method_named, ("som", "pca")))
    ]
    steps = compare(some_matrix(), entries, runs=2, share=0.9, seed=3, with_maps=True)
    *_, progress = steps
    return progress


def compared_figure(last: Progress, path: Path, view: str, **changes: object) -> Shown:
    """The figure of a comparison, and what it shows."""
    assert last.comparison is not None
    data = Input(name="/home/jane/table.csv")
    shown = shown_comparison(last.comparison, last.maps, data)
    record = comparison_record(last.comparison, opened(), data=data)
    asked = Asked(figures=((path.name, view),), **changes)  # type: ignore[arg-type]
    assert write_comparison_figures(path.parent, asked, shown, record=record) == ()
    return shown


@pytest.mark.parametrize("view", COMPARED)
def test_that_a_figure_of_a_comparison_opens_its_maps_side_by_side(
    view: str, last: Progress, tmp_path: Path
) -> None:
    path = tmp_path / "a.pdf"
    shown = compared_figure(last, path, view, label="kind")
    found = figure_found(path, Session(runs=shown.runs))
    assert [each.run_in(shown.runs) for each in found.drawn] == list(shown.compared)
    assert [each.record.seed for each in found.drawn] == [3, 3]
    assert found.plan is not None
    assert isinstance(found.plan.state, CompareState)
    assert found.plan.state.page == ("measures" if view == "measures" else "maps")
    assert found.plan.state.option == "kind"


def test_that_figures_of_a_comparison_say_how_to_make_it_again(
    last: Progress, tmp_path: Path
) -> None:
    compared_figure(last, tmp_path / "a.png", BOTH)
    told = read_provenance(tmp_path / "a.png")
    assert told is not None
    kept = told.figure["comparison"]
    assert (kept["runs"], kept["share"], kept["seed"]) == (2, 0.9, 3)
    assert [one["method"] for one in kept["methods"]] == ["som", "pca"]
    assert kept["data"]["input"]["source"] == "table.csv"


def test_that_a_comparison_shows_maps_measures_or_both_with_the_table_if_asked(
    last: Progress, tmp_path: Path
) -> None:
    svgs = {}
    for view in COMPARED:
        for table in (False, True):
            compared_figure(last, tmp_path / "a.svg", view, table=table, label="kind")
            svgs[view, table] = (tmp_path / "a.svg").read_text(encoding="utf-8")
    for (view, table), svg in svgs.items():
        assert (">ribosome</text>" in svg) == (view != "measures")
        assert (">a run</text>" in svg) == (view != "maps")
        assert ("the best value in each row is bold" in svg) == table
        assert ">som</text>" not in svg
        assert ">SOM</text>" in svg
