"""`ximstudio compare`: what it writes and says, and that it writes nothing when it cannot."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ximstudio.cli import main

FILES = {"table.csv", "table.md", "runs.csv", "wander.csv", "comparison.pdf", "comparison.png"}
QUICK = ["--set", "shape=6x6", "--set", "n_steps=300", "--set", "som.shape=5x7"]
METHODS = ["--methods", "pca,som", "--methods", "c-xim"]


def compare(*arguments: str | Path) -> int:
    return main(["compare", *map(str, arguments)])


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(2)
    rows = [
        f"g{number},{'ab'[number % 2]}," + ",".join(f"{value:.3f}" for value in values)
        for number, values in enumerate(rng.normal(size=(24, 4)) + np.arange(24)[:, None] % 2)
    ]
    path = tmp_path_factory.mktemp("data") / "table.csv"
    path.write_text("\n".join(["gene,kind,one,two,three,four", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def finished(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("compare") / "out"
    options = ["--runs", "2", "--share", "0.8", "--seed", "3", "--label", "kind", "--quiet"]
    assert compare(table, *METHODS, *QUICK, *options, "--out", out) == 0
    return out


def test_that_tables_text_figures_and_record_are_written(finished: Path) -> None:
    assert {path.name for path in finished.iterdir()} == FILES | {"compare.json"}
    assert [path.name for path in finished.parent.iterdir()] == ["out"]
    assert [row["method"] for row in read(finished / "table.csv")] == ["pca", "som", "c-xim"]
    runs = read(finished / "runs.csv")
    assert [(row["method"], row["seed"], row["items"]) for row in runs[2:4]] == [
        ("som", "3", "19"),
        ("som", "4", "19"),
    ]
    wander = read(finished / "wander.csv")
    assert list(wander[0]) == ["id", "pca", "som", "c-xim", "kind"]
    assert len(wander) == 24


def test_that_means_are_those_of_the_runs(finished: Path) -> None:
    runs = [float(row["trustworthiness"]) for row in read(finished / "runs.csv")[2:4]]
    som = read(finished / "table.csv")[1]
    assert float(som["trustworthiness_mean"]) == pytest.approx(np.mean(runs), abs=1e-12)
    assert float(som["trustworthiness_sd"]) == pytest.approx(np.std(runs, ddof=1), abs=1e-12)


def test_that_settings_reach_all_methods_or_the_one_they_name(finished: Path) -> None:
    record = json.loads((finished / "compare.json").read_text(encoding="utf-8"))
    shapes = {one["method"]: one["parameters"].get("shape") for one in record["methods"]}
    assert shapes == {"pca": None, "som": [5, 7], "c-xim": [6, 6]}
    assert (record["runs"], record["share"], record["seed"]) == (2, 0.8, 3)
    assert (record["items_per_run"], record["label"]) == (19, "kind")
    assert record["data"]["items"] == 24
    assert {"python", "numpy", "numba"} <= set(record["versions"])


def test_that_the_same_seed_gives_the_same_files(
    table: Path, finished: Path, tmp_path: Path
) -> None:
    out = tmp_path / "again"
    options = ["--runs", "2", "--share", "0.8", "--seed", "3", "--label", "kind", "--quiet"]
    assert compare(table, *METHODS, *QUICK, *options, "--out", out) == 0
    for name in FILES | {"compare.json"}:
        assert (out / name).read_bytes() == (finished / name).read_bytes(), name


def test_that_the_table_is_printed_with_the_best_marked(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert compare(table, *METHODS, *QUICK, "--runs", "2", "--out", out) == 0
    lines = capsys.readouterr().out.splitlines()
    (line,) = [line for line in lines if line.startswith("Trustworthiness")]
    means = {row["method"]: float(row["trustworthiness_mean"]) for row in read(out / "table.csv")}
    # Every cell ends with its standard deviation in brackets, and maybe the mark.
    after = line.split(")")[1:]
    marked = [key for key, text in zip(means, after, strict=True) if text.startswith("*")]
    assert marked == [max(means, key=lambda key: means[key])]


def test_that_one_run_has_no_deviations(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert compare(table, "--methods", "pca", "--runs", "1", "--out", out, "--quiet") == 0
    (row,) = read(out / "table.csv")
    assert row["sammon_mean"]
    assert row["sammon_sd"] == ""
    assert {line["pca"] for line in read(out / "wander.csv")} == {""}


def test_that_an_earlier_comparison_is_replaced_only_if_forced(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    quick = ["--methods", "pca", "--runs", "1", "--out", str(out), "--quiet"]
    assert compare(table, *quick) == 0
    assert compare(table, *quick) == 2
    assert compare(table, *quick, "--seed", "5", "--force") == 0
    assert read(out / "runs.csv")[0]["seed"] == "5"


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--methods", "pca,sam"], "method 'sam'"),
        (["--methods", "pca,som,pca"], "methods pca, som, pca"),
        (["--share", "1.5"], "share"),
        (["--share", "0.1"], "fewer than 3"),
        (["--runs", "0"], "runs"),
        (["--seed", "-1"], "seed"),
        (["--label", "sort"], "label 'sort'"),
        (["--missing", "men"], "step 'impute how=men'"),
        (["--set", "shpe=3x3"], "'shape'"),
        (["--methods", "pca,som", "--set", "shpe=3x3"], "'shape'"),
        (["--set", "som.shpe=3x3"], "'shape'"),
        (["--set", "som.n_steps=0"], "parameter 'n_steps'"),
        (["--methods", "pca", "--set", "som.shape=3x3"], "method 'som'"),
        (["--set", "shape"], "name=value"),
    ],
)
def test_that_what_cannot_be_compared_is_named_and_leaves_nothing(
    options: list[str],
    word: str,
    table: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert compare(table, *options, "--out", tmp_path / "out") == 2
    assert word in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="signals of Windows are others")
def test_that_ctrl_c_ends_all_threads_and_keeps_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ximstudio", "compare", "sample:yeast", "--set", "n_steps=1e9"]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        # The table has been understood: training begins.
        assert "186 genes" in process.stdout.readline()
        assert list(tmp_path.iterdir()) != []
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_that_the_figure_has_the_name_and_the_width_that_are_asked_for(
    table: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    options = ["--methods", "pca", "--runs", "1", "--quiet", "--out", str(out)]
    look = ["--figure", "one.svg", "--width-mm", "85", "--font-size", "6"]
    assert compare(table, *options, *look) == 0
    assert {path.suffix for path in out.iterdir()} >= {".svg"}
    assert not (out / "comparison.pdf").exists()
    svg = (out / "one.svg").read_text(encoding="utf-8")
    assert svg.partition('width="')[2].startswith('85mm"')


def test_that_figures_show_maps_measures_or_both(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    views = ("maps", "measures", "both")
    figures = [word for view in views for word in ("--figure", f"{view}.svg", "--view", view)]
    options = ["--runs", "2", "--label", "kind", "--title", "", "--table", "--quiet"]
    assert compare(table, *METHODS, *QUICK, *options, *figures, "--out", out) == 0
    letters = {"maps": "abc", "measures": "ab", "both": "abcd"}
    for view in views:
        svg = (out / f"{view}.svg").read_text(encoding="utf-8")
        assert f">{letters[view][-1]}</text>" in svg
        assert f">{chr(ord(letters[view][-1]) + 1)}</text>" not in svg
        assert "the best value in each row is bold" in svg
        height = float(svg.partition('height="')[2].partition("mm")[0])
        assert height <= 236.0


def test_that_a_look_that_no_figure_has_is_refused(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(table, "--width-mm", "-1", "--out", tmp_path / "out") == 2
    assert "--width-mm" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
