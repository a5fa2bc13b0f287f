"""Runs, figures, scripts, recipes and reports that the first edition wrote give what they gave.

tests/data/first_edition was written once, by version 0.1.0 before the second edition, and is never
written again. Sessions of every schema are in tests/data/sessions.
"""

from __future__ import annotations

import json
import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest

from ximstudio.cli import main
from ximstudio.model.arrays import Floats
from ximstudio.prepare.recipe import Recipe
from ximstudio.train.finished import open_run

WRITTEN = Path(__file__).parent / "data" / "first_edition"
RUNS = ("cxim", "som", "txim", "xom", "pca", "tsne", "continued", "part")
FIGURES = (
    "cxim/both.pdf",
    "cxim/map.svg",
    "cxim/positions.png",
    "cxim/quality.svg",
    "cxim/features.tiff",
    "cxim/heat.svg",
    "cxim/portraits.pdf",
    "som/map.png",
    "continued/map.svg",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files in a place of their own, which is the working directory."""
    copy = Path(shutil.copytree(WRITTEN, tmp_path / "first_edition"))
    monkeypatch.chdir(copy)
    return copy


@pytest.mark.parametrize("name", [*RUNS, "maps.py"])
def test_that_maps_are_made_again_from_what_was_written(folder: Path, name: str) -> None:
    assert main(["verify", str(folder / name), "--data", str(_table_of(folder, name))]) == 0


@pytest.mark.parametrize("name", [*FIGURES, "report.html"])
def test_that_maps_of_figures_are_made_again_where_bits_are_the_same(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Figures of the first edition have the hash of a map, and nothing to compare within rounding.

    On a processor that rounds otherwise than theirs, nothing is said to be right or wrong.
    """
    status = main(["verify", str(folder / name), "--data", str(_table_of(folder, name))])
    told = capsys.readouterr().out
    assert "✗" not in told
    if status == 0:
        assert "✓ map: the same, to the last bit" in told
    else:
        assert "? map: another one; the file has neither positions nor measures" in told
        assert "Some results cannot be compared on this computer." in told


def _table_of(folder: Path, name: str) -> Path:
    return folder / ("further.csv" if name.startswith("continued") else "table.csv")


def test_that_a_script_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(folder / "maps.py"), run_name="__main__")
    assert "✓ map" in capsys.readouterr().out


@pytest.mark.parametrize("name", RUNS)
def test_that_run_folders_open_with_their_positions(folder: Path, name: str) -> None:
    finished = open_run(folder / name)
    assert finished.matrix.item_ids == _column(folder / name, 0)
    np.testing.assert_array_equal(finished.result.positions, _numbers(folder / name))


def test_that_recipes_and_what_they_learnt_give_the_same_table(folder: Path) -> None:
    recipe = Recipe.from_values(json.loads((folder / "cxim" / "recipe.json").read_text("utf-8")))
    assert [each.step.key for each in recipe.steps] == ["log2", "centre", "impute"]
    for way in (["--recipe", "cxim/recipe.json"], ["--frozen", "cxim/frozen.npz"]):
        out = folder / way[0].strip("-")
        assert (
            main(["run", "table.csv", *way, "--method", "pca", "--out", str(out), "--quiet"]) == 0
        )
        np.testing.assert_allclose(_numbers(out), _numbers(folder / "pca"), atol=1e-6)


def _numbers(run: Path) -> Floats:
    return np.array([_column(run, 1), _column(run, 2)], dtype=np.float64).T


def _column(run: Path, number: int) -> tuple[str, ...]:
    rows = (run / "positions.csv").read_text(encoding="utf-8").splitlines()[1:]
    return tuple(row.split(",")[number] for row in rows)
