"""Figures of the command line, with how they were made in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.export.test_comparison import MATRIX, VALUES, opened
from tests.measure.comparisons import compared
from tests.ui.maps_to_show import result_of, some_matrix
from ximstudio.cli import main
from ximstudio.export.comparison import FIGURES as FIGURES_OF_A_COMPARISON
from ximstudio.export.comparison import comparison_record, write_comparison_figures
from ximstudio.export.images import BOTH, VIEWS, figure_names, write_figures
from ximstudio.export.provenance import read_provenance, settings_of
from ximstudio.figures import FigurePlan
from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Input
from ximstudio.train import method_named, train

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
    assert told.figure["view"] == BOTH
    [run] = told.runs
    assert run["result_hash"] == record["result_hash"]
    assert run["parameters"] == record["parameters"]
    assert record["data"]["source"] == str(table)
    assert run["data"]["source"] == table.name
    again = settings_of(run, folder / FIGURES[0])
    matrix = Input.from_values(record["data"]["input"]).open().matrix
    assert matrix.fingerprint == again.fingerprint
    result = train(matrix, method_named(again.method), again.params, seed=again.seed)
    assert result.hash == again.result_hash


def test_that_figures_of_a_comparison_say_how_to_make_it_again(tmp_path: Path) -> None:
    comparison, data = compared(VALUES), Input(name="/home/jane/table.csv")
    record = comparison_record(comparison, opened(), data=data)
    write_comparison_figures(tmp_path, comparison, MATRIX, record=record)
    assert record["data"]["source"] == data.name
    for name in FIGURES_OF_A_COMPARISON:
        told = read_provenance(tmp_path / name)
        assert told is not None
        kept = told.figure["comparison"]
        assert kept["result_hash"] == record["result_hash"]
        assert kept["methods"] == json.loads(json.dumps(record["methods"]))
        assert kept["data"]["input"]["source"] == "table.csv"


@pytest.mark.parametrize("name", ["map.jpg", "map", "folder/map.pdf", "../map.pdf"])
def test_that_names_that_are_no_figures_are_refused(name: str) -> None:
    with pytest.raises(UserError) as error:
        figure_names([name])
    assert error.value.keys == ("export.figure_name",)
    assert figure_names(["Map.PDF"]) == ("Map.PDF",)


@pytest.mark.parametrize("method", ["som", "pca"])
@pytest.mark.parametrize("view", VIEWS)
def test_that_every_view_is_drawn_of_maps_with_and_without_nodes(
    view: str, method: str, tmp_path: Path
) -> None:
    result, matrix = result_of(method), some_matrix()
    write_figures(tmp_path, ["a.svg"], result, matrix, name="a run", view=view)
    told = read_provenance(tmp_path / "a.svg")
    assert told is not None
    # PCA has no nodes, and so no map and no portraits.
    shown = "positions" if method == "pca" and view in ("map", "portraits") else view
    assert told.figure["view"] == shown
    if view != BOTH:
        assert FigurePlan.from_values(told.figure).state.view == shown
