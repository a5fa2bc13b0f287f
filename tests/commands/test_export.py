"""`ximstudio export`: tables of a finished run."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import h5py
import numpy as np
import pytest
from python_calamine import CalamineWorkbook

from ximstudio.cli import main


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "map"
    settings = ["--set", "shape=5x4", "--set", "n_steps=400"]
    arguments = ["sample:yeast", "--method", "som", *settings, "--out", str(folder), "--quiet"]
    assert main(["run", *arguments]) == 0
    return folder


def export(*arguments: str | Path) -> int:
    return main(["export", *map(str, arguments), "--quiet"])


def recorded(run: Path) -> str:
    return str(json.loads((run / "run.json").read_text())["result_hash"])


def test_that_a_workbook_has_the_tables_and_the_recorded_hash(run: Path, tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "tables.xlsx"
    assert export(run, "--tables", "items,runs,prototypes", "--out", path) == 0
    book = CalamineWorkbook.from_path(path)
    assert book.sheet_names == ["Items", "Runs", "Prototypes", "About"]
    assert len(book.get_sheet_by_name("Items").to_python()) == 187
    about = {row[1]: row[2] for row in book.get_sheet_by_name("About").to_python()}
    assert about["result_hash"] == recorded(run)
    assert [each.name for each in path.parent.iterdir()] == ["tables.xlsx"]


def test_that_a_folder_of_texts_has_all_that_can_be_made(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    arguments = [str(run), "--format", "tsv", "--measure", "--values", "--out", str(folder)]
    assert export(*arguments) == 0
    names = {path.name for path in folder.iterdir()}
    expected = {"items", "prototypes", "measures", "neighbourhoods", "runs", "training"}
    assert names == {*(f"{key}.tsv" for key in expected), "tables.json"}
    with (folder / "items.tsv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert {"trust", "quantisation_error", "function", "alpha 0"} <= set(rows[0])
    record = json.loads((folder / "tables.json").read_text(encoding="utf-8"))
    assert record["result_hash"] == recorded(run)
    assert record["tables"]["items"]["rows"] == 186
    assert export(*arguments) == 2
    assert export(*arguments, "--force") == 0


def test_that_an_anndata_file_has_the_positions(run: Path, tmp_path: Path) -> None:
    path = tmp_path / "map.h5ad"
    assert export(run, "--format", "h5ad", "--out", path) == 0
    with (run / "positions.csv").open(newline="", encoding="utf-8") as file:
        places = [(float(row["x"]), float(row["y"])) for row in csv.DictReader(file)]
    with h5py.File(path) as file:
        np.testing.assert_array_equal(file["obsm/X_som"][:], places)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--tables", "item"),
        ("--format", "xls"),
        ("--tables", "measures"),
        ("--tables", "items", "--format", "h5ad"),
    ],
)
def test_that_what_cannot_be_made_is_refused_and_leaves_nothing(
    run: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    assert export(run, *arguments, "--out", tmp_path / "out") == 2
    assert not list(tmp_path.iterdir())


def test_that_a_file_is_replaced_only_by_force(run: Path, tmp_path: Path) -> None:
    path = tmp_path / "tables.xlsx"
    path.write_text("mine")
    assert export(run, "--out", path) == 2
    assert path.read_text() == "mine"
    assert export(run, "--out", path, "--force") == 0
    assert path.read_bytes().startswith(b"PK")
    assert export(run, "--out", tmp_path, "--force") == 2
    assert export(tmp_path, "--out", tmp_path / "other.xlsx") == 2
