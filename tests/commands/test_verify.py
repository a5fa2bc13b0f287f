"""`ximstudio verify`: reproduced folders and scripts, exit codes, and messages."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from ximstudio.cli import main
from ximstudio.commands.console import EXIT_DIFFERENT, EXIT_PROBLEM
from ximstudio.export.provenance import read_provenance
from ximstudio.figures.files import save_figure
from ximstudio.load.run import RECORD

SETTINGS = ["--set", "shape=4x4", "--set", "n_steps=300"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(1)
    lines = [f"g{row}," + ",".join(f"{x:.3f}" for x in rng.normal(size=3)) for row in range(40)]
    path = tmp_path_factory.mktemp("data") / "table.csv"
    path.write_text("\n".join(["gene,a,b,c", *lines, ""]), encoding="utf-8")
    return path


def run(*arguments: str | Path, out: Path) -> Path:
    assert main(["run", *map(str, arguments), "--out", str(out), "--quiet"]) == 0
    return out


@pytest.fixture
def first(table: Path, tmp_path: Path) -> Path:
    return run(table, *SETTINGS, "--scale", "features", out=tmp_path / "first")


def verify(*arguments: str | Path) -> int:
    return main(["verify", *map(str, arguments)])


def test_that_the_run_of_a_folder_is_made_again(
    first: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(first) == verify(first / RECORD) == 0
    assert capsys.readouterr().out.count("✓") == 2 * 2


def test_that_runs_which_take_something_over_are_made_again(
    table: Path, first: Path, tmp_path: Path
) -> None:
    chosen = tmp_path / "chosen.txt"
    chosen.write_text("\n".join(f"g{row}" for row in range(20)), encoding="utf-8")
    lines = table.read_text(encoding="utf-8").splitlines()
    more = tmp_path / "more.csv"
    more.write_text("\n".join([lines[0], "n1,0,1,0", "n2,1,0,1", ""]), encoding="utf-8")
    part = run("--parent", first, "--choose", chosen, out=tmp_path / "part")
    further = run(more, "--continue", first, out=tmp_path / "further")
    alone = run(more, "--continue", first, "--only-new", out=tmp_path / "alone")
    finer: list[str | Path] = [
        "--start",
        first,
        "--set",
        "shape=5x6",
        "--set",
        "n_steps=200",
        "--scale",
        "features",
    ]
    started = run(table, *finer, out=tmp_path / "finer")
    file: list[str | Path] = ["--start", first / "prototypes.csv", *SETTINGS, "--scale", "features"]
    from_file = run(table, *file, out=tmp_path / "from_file")
    assert [verify(each) for each in (part, further, alone, started, from_file)] == [0] * 5


def test_that_a_changed_record_differs(first: Path) -> None:
    record = json.loads((first / RECORD).read_text(encoding="utf-8"))
    (first / RECORD).write_text(json.dumps({**record, "seed": 7}), encoding="utf-8")
    assert verify(first, "--quiet") == EXIT_DIFFERENT


def test_that_on_another_machine_the_map_of_the_folder_is_compared(
    first: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = json.loads((first / RECORD).read_text(encoding="utf-8"))
    record |= {"result_hash": "0" * 64, "platform": {"system": "plan9", "machine": "vax"}}
    (first / RECORD).write_text(json.dumps(record), encoding="utf-8")
    assert verify(first) == 0
    told = capsys.readouterr().out
    assert "≈" in told
    assert "✗" not in told


def test_that_a_moved_table_can_be_named_and_another_one_differs(
    table: Path, tmp_path: Path
) -> None:
    here, there = tmp_path / "here.csv", tmp_path / "there" / "table.csv"
    there.parent.mkdir()
    shutil.copyfile(table, here)
    folder = run(here, "--method", "pca", out=tmp_path / "run")
    shutil.move(here, there)
    assert verify(folder) == EXIT_PROBLEM
    assert verify(folder, "--data", there) == 0
    there.write_text(there.read_text(encoding="utf-8").replace("g1,", "h1,"), encoding="utf-8")
    assert verify(folder, "--data", there) == EXIT_DIFFERENT


@pytest.mark.parametrize("name", ["nothing.py", "table.csv", "."])
def test_that_what_cannot_be_verified_is_a_problem(
    table: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(table.parent / name) == EXIT_PROBLEM
    assert "way out" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["pdf", "svg", "png", "tiff"])
def test_that_the_map_of_a_figure_is_made_again(
    table: Path, tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = ["--scale", "features", *SETTINGS, "--figure", f"map.{ending}"]
    folder = run(table, *settings, out=tmp_path / "first")
    # A figure has no folders in it: its table is looked for beside it.
    figure = tmp_path / f"map.{ending}"
    shutil.move(folder / figure.name, figure)
    assert verify(figure) == EXIT_PROBLEM
    assert "--data" in capsys.readouterr().err
    assert verify(figure, "--data", table) == 0
    shutil.copyfile(table, tmp_path / table.name)
    assert verify(figure) == 0
    assert capsys.readouterr().out.count("✓") == 2 * 2
    lines = table.read_text(encoding="utf-8").replace("g1,", "h1,")
    (tmp_path / table.name).write_text(lines, encoding="utf-8")
    assert verify(figure) == EXIT_DIFFERENT


def test_that_the_maps_of_a_report_are_made_again(table: Path, tmp_path: Path) -> None:
    folder = run(table, "--method", "pca", out=tmp_path / "first")
    page = tmp_path / "report.html"
    asked = ["report", str(folder), "--out", str(page), "--no-measure", "--quiet"]
    assert main(asked) == 0
    assert verify(page, "--data", table) == 0


@pytest.fixture
def figures(table: Path, first: Path, tmp_path: Path) -> dict[str, Path]:
    """Figures of runs that take something over, beside nothing but the tables."""
    home = tmp_path / "figures"
    home.mkdir()
    chosen, more = tmp_path / "chosen.txt", home / "more.csv"
    chosen.write_text("\n".join(f"g{row}" for row in range(20)), encoding="utf-8")
    lines = table.read_text(encoding="utf-8").splitlines()
    # Items that are on the map come along, and are not new.
    more.write_text("\n".join([*lines[:9], "n1,0,1,0", "n2,1,0,1", ""]), encoding="utf-8")
    shutil.copyfile(table, home / table.name)
    shutil.copyfile(first / "prototypes.csv", home / "prototypes.csv")
    ways: dict[str, list[str | Path]] = {
        "part": ["--parent", first, "--choose", chosen],
        "further": [more, "--continue", first],
        "alone": [more, "--continue", first, "--only-new"],
        "started": [table, "--start", first, *SETTINGS, "--set", "shape=5x6"],
        "given": [table, "--start", first / "prototypes.csv", *SETTINGS],
        "finer": ["--parent", tmp_path / "part", "--nodes", "0,1,2,3,4,5", "--set", "n_steps=90"],
    }
    for name, way in ways.items():
        figure = f"{name}.pdf"
        shutil.move(run(*way, "--figure", figure, out=tmp_path / name) / figure, home / figure)
    return {name: home / f"{name}.pdf" for name in ways}


def test_that_figures_of_maps_which_take_something_over_tell_enough(
    figures: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert {name: verify(figure) for name, figure in figures.items()} == dict.fromkeys(figures, 0)
    assert "≈" not in capsys.readouterr().out


def test_that_a_table_that_is_named_is_that_of_its_own_name(
    table: Path, figures: dict[str, Path], tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    figure = figures["further"]
    moved = shutil.move(figure.parent / table.name, elsewhere / table.name)
    assert verify(figure) == EXIT_PROBLEM
    assert verify(figure, "--data", moved) == 0


def test_that_a_figure_that_does_not_tell_how_a_map_began_is_a_problem(
    figures: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = read_provenance(figures["part"])
    assert told is not None
    assert [each["result_hash"] for each in told.ancestors] == [
        told.runs[0]["parent"]["result_hash"]
    ]
    assert str(tmp_path) not in told.text
    old = figures["part"].with_name("old.png")
    save_figure(Figure(), old, None, replace(told, ancestors=()))
    assert verify(old) == EXIT_PROBLEM
    assert "does not describe the map that another one began from" in capsys.readouterr().err
    (figures["given"].parent / "prototypes.csv").unlink()
    assert verify(figures["given"]) == EXIT_PROBLEM
    assert "prototypes.csv" in capsys.readouterr().err
