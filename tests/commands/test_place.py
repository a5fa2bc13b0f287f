"""`ximstudio place`: new items on the map of a finished run."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ximstudio.cli import main
from ximstudio.model.arrays import Floats

FEATURES = ("one", "two", "three", "four", "five")


def counts() -> Floats:
    rng = np.random.default_rng(5)
    groups = rng.uniform(5.0, 200.0, size=(3, 5))
    return rng.poisson(groups[rng.integers(0, 3, 90)]).astype(float)


def write(
    path: Path, values: Floats, names: list[str], features: tuple[str, ...] = FEATURES
) -> Path:
    rows = [f"{name},{','.join(map(str, row))}" for name, row in zip(names, values, strict=True)]
    path.write_text("\n".join([f"gene,{','.join(features)}", *rows, ""]), encoding="utf-8")
    return path


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def record(folder: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((folder / "place.json").read_text(encoding="utf-8"))
    return loaded


def place(*arguments: str | Path) -> int:
    return main(["place", *map(str, arguments), "--quiet"])


NAMES = [f"g{number}" for number in range(90)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A map of the first 70 items, of which the recipe leaves 60."""
    folder = tmp_path_factory.mktemp("run")
    table = write(folder / "table.csv", counts()[:70], NAMES[:70])
    settings = ["--set", "shape=4x5", "--set", "n_steps=2000", "--method", "som"]
    steps = ["--log2", "--top-items", "60", "--scale", "features"]
    out = folder / "run"
    assert main(["run", str(table), *settings, *steps, "--out", str(out), "--quiet"]) == 0
    return out


def test_that_items_of_the_run_land_where_they_were(run: Path, tmp_path: Path) -> None:
    before = {row["id"]: row for row in read(run / "positions.csv")}
    # Another order of columns, and far from all of the rows: their own means would be others.
    order = [4, 2, 0, 1, 3]
    some = [number for number, name in enumerate(NAMES[:70]) if name in before][5:9]
    features = tuple(FEATURES[column] for column in order)
    table = write(
        tmp_path / "new.csv", counts()[some][:, order], [NAMES[row] for row in some], features
    )
    assert place(run, table, "--out", tmp_path / "placed") == 0
    rows = read(tmp_path / "placed" / "positions.csv")
    assert [row["id"] for row in rows] == [NAMES[number] for number in some]
    for row in rows:
        earlier = before[row["id"]]
        assert row["winner"] == earlier["winner"]
        assert float(row["x"]) == pytest.approx(float(earlier["x"]), abs=1e-4)
        assert (row["in_training"], row["does_not_belong"]) == ("1", "0")
        assert float(row["distance"]) >= 0.0
    assert record(tmp_path / "placed")["in_training"] == [row["id"] for row in rows]


def test_that_new_items_are_placed_and_strange_ones_told(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = counts()[70:]
    values[3] = [9000, 1, 9000, 1, 9000]
    table = write(
        tmp_path / "new.csv",
        np.column_stack([values[:, :4], np.ones(20)]),
        NAMES[70:],
        (*FEATURES[:4], "six"),
    )
    assert main(["place", str(run), str(table), "--out", str(tmp_path / "placed")]) == 0
    said = capsys.readouterr()
    assert re.search(r"\b20 \w+ placed", said.out)
    assert "g73" in said.out
    written = record(tmp_path / "placed")
    assert written["absent_features"] == ["five"]
    assert written["extra_features"] == ["six"]
    assert "g73" in written["do_not_belong"]
    assert {note["key"] for note in written["notes"]} >= {"prepare.absent", "prepare.extra"}
    rows = read(tmp_path / "placed" / "positions.csv")
    assert len(rows) == 20
    flagged = [row["id"] for row in rows if row["does_not_belong"] == "1"]
    assert flagged == written["do_not_belong"]


def test_that_the_folder_is_beside_the_run_and_replaced_only_by_force(
    run: Path, tmp_path: Path
) -> None:
    table = write(tmp_path / "new.csv", counts()[70:], NAMES[70:])
    assert place(run, table) == 0
    assert (run / "placed" / "positions.csv").is_file()
    assert place(run, table) == 2
    assert place(run, table, "--force", "--tolerance", "1e9") == 0
    assert record(run / "placed")["do_not_belong"] == []
    assert {path.name for path in run.iterdir()} >= {"run.json", "positions.csv", "frozen.npz"}


@pytest.mark.parametrize("given", ["0", "-1", "nan"])
def test_that_a_tolerance_is_above_zero(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], given: str
) -> None:
    table = write(tmp_path / "new.csv", counts()[70:], NAMES[70:])
    assert place(run, table, f"--tolerance={given}", "--out", tmp_path / "x") == 2
    assert "--tolerance" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_that_what_cannot_be_placed_leaves_no_folder(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tuple(f"other {number}" for number in range(5))
    table = write(tmp_path / "new.csv", counts()[70:], NAMES[70:], other)
    assert place(run, table, "--out", tmp_path / "x") == 2
    assert "'one'" in capsys.readouterr().err
    assert place(tmp_path, table, "--out", tmp_path / "x") == 2
    assert not (tmp_path / "x").exists()


def test_that_a_run_without_steps_and_without_nodes_takes_new_items_too(tmp_path: Path) -> None:
    first = write(tmp_path / "first.csv", counts()[:70], NAMES[:70])
    out = tmp_path / "run"
    assert main(["run", str(first), "--method", "pca", "--out", str(out), "--quiet"]) == 0
    assert place(out, write(tmp_path / "new.csv", counts()[70:], NAMES[70:])) == 0
    rows = read(out / "placed" / "positions.csv")
    assert len(rows) == 20
    assert "winner" not in rows[0]
