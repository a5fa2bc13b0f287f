"""`ximstudio run` from an earlier run: another grid, further items, or a part of it."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ximstudio.cli import main
from ximstudio.load import load
from ximstudio.model import PrototypeMap, UserError
from ximstudio.train.finished import open_run

SMALL = ["--set", "shape=5x6", "--set", "n_steps=1500"]
STEPS = ["--missing", "mean", "--top-features", "40", "--centre", "features"]
"""A recipe that learns: what it learnt from all items differs from what a part would teach it."""


def run(*arguments: object) -> int:
    return main(["run", *map(str, arguments), "--quiet"])


def record(folder: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    return loaded


def write_rows(path: Path, rows: list[list[str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample in two tables and a run of the first."""
    folder = tmp_path_factory.mktemp("earlier")
    genes = load("sample:yeast")
    rows = [
        [name, function, *("" if np.isnan(value) else repr(float(value)) for value in values)]
        for name, function, values in zip(
            genes.item_ids, genes.item_labels["function"], genes.values, strict=True
        )
    ]
    header = ["gene", "function", *genes.feature_names]
    shuffled = np.random.default_rng(0).permutation(len(rows))
    write_rows(folder / "first.csv", [header, *(rows[row] for row in shuffled[:140])])
    # The same features in another order.
    turned = [0, 1, *range(len(header) - 1, 1, -1)]
    second = [header, *(rows[row] for row in shuffled[140:])]
    write_rows(folder / "second.csv", [[row[place] for place in turned] for row in second])
    assert run(folder / "first.csv", *STEPS, *SMALL, "--seed", "3", "--out", folder / "run") == 0
    assert run(folder / "first.csv", *SMALL, "--out", folder / "plain") == 0
    assert run(folder / "first.csv", "--method", "pca", "--out", folder / "pca") == 0
    return folder


# Another grid -------------------------------------------------------------------------------------


@pytest.mark.parametrize("earlier", ["run", "pca"])
def test_that_a_run_starts_from_an_earlier_one_on_any_grid(
    earlier: str, work: Path, tmp_path: Path
) -> None:
    steps = STEPS if earlier == "run" else []
    chosen = ["--set", "shape=7x4", "--set", "lattice=hexagonal", "--set", "n_steps=200"]
    out = tmp_path / "out"
    table = work / "first.csv"
    assert run(table, *steps, *chosen, "--start", work / earlier, "--out", out) == 0
    found = record(out)
    assert found["start"] == str(work / earlier)
    assert found["parent"] is None
    assert found["parameters"]["init"] == "given"
    late = tmp_path / "late"
    begin = ["--begin", "0.5"]
    assert run(table, *steps, *chosen, "--start", work / earlier, *begin, "--out", late) == 0
    assert record(late)["parameters"]["width"][0] < found["parameters"]["width"][0]


# Further items ------------------------------------------------------------------------------------


def test_that_a_run_goes_on_with_further_items(work: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(work / "second.csv", "--continue", work / "run", "--out", out) == 0
    before, after = open_run(work / "run"), open_run(out)
    assert after.matrix.n_items == 186
    assert after.matrix.feature_names == before.matrix.feature_names
    np.testing.assert_array_equal(after.matrix.values[:140], before.matrix.values)
    parent = after.result.parent
    assert parent is not None
    assert record(out)["parent"] == parent.as_values()
    assert parent.kind == "continued"
    assert parent.result_hash == record(work / "run")["result_hash"]
    assert parent.data_fingerprint == before.matrix.fingerprint
    # What the steps learnt from the first items was done to the new ones.
    assert (out / "frozen.npz").exists()
    assert abs(after.matrix.values[140:].mean(axis=0)).max() > 0.01
    np.testing.assert_allclose(after.matrix.values[:140].mean(axis=0), 0.0, atol=1e-9)


def test_that_a_run_goes_on_with_new_items_alone_and_again(work: Path, tmp_path: Path) -> None:
    out, again = tmp_path / "out", tmp_path / "again"
    alone = ["--continue", work / "run", "--only-new"]
    assert run(work / "second.csv", *alone, "--out", out) == 0
    finished = open_run(out)
    assert finished.matrix.n_items == 46
    assert finished.result.parent is not None
    assert finished.result.parent.kind == "continued-on-new-items"
    # A run that went on can go on: with the items of the first, for instance.
    assert run(work / "first.csv", "--continue", out, "--begin", "1", "--out", again) == 0
    both = open_run(again)
    assert both.matrix.item_ids[:46] == finished.matrix.item_ids
    assert both.matrix.n_items == 186
    assert both.result.params.as_values()["step"] == (0.02, 0.02)


def test_that_a_run_without_steps_goes_on_by_the_names_of_its_features(
    work: Path, tmp_path: Path
) -> None:
    for option in ([], ["--only-new"]):
        out = tmp_path / f"out{len(option)}"
        earlier = ["--continue", work / "plain", *option]
        assert run(work / "second.csv", *earlier, "--out", out) == 0
        assert open_run(out).matrix.feature_names == open_run(work / "plain").matrix.feature_names


def test_that_the_same_continuation_gives_the_same_map(work: Path, tmp_path: Path) -> None:
    hashes = set()
    for name in ("one", "two"):
        continued = ["--continue", work / "run", "--set", "n_steps=300", "--seed", "9"]
        assert run(work / "second.csv", *continued, "--out", tmp_path / name) == 0
        hashes.add(record(tmp_path / name)["result_hash"])
    assert record(tmp_path / "one")["steps"]["done"] == 300
    assert len(hashes) == 1


# A part of it -------------------------------------------------------------------------------------


def test_that_chosen_items_get_a_map_with_the_values_they_had(work: Path, tmp_path: Path) -> None:
    before = open_run(work / "run")
    functions = before.matrix.item_labels["function"]
    rows = [row for row, function in enumerate(functions) if function == "Ribo"]
    ids = [before.matrix.item_ids[row] for row in rows]
    chosen = tmp_path / "items.txt"
    chosen.write_text("\n".join([*reversed(ids), "", ""]), encoding="utf-8")
    out = tmp_path / "out"
    part = ["--parent", work / "run", "--choose", chosen]
    assert run(*part, "--set", "shape=8x8", "--set", "n_steps=500", "--out", out) == 0
    child = open_run(out)
    assert list(child.matrix.item_ids) == ids
    # Prepared anew, the 40 features would be others, and their means 0.
    assert child.matrix.feature_names == before.matrix.feature_names
    np.testing.assert_array_equal(child.matrix.values, before.matrix.values[rows])
    assert (out / "frozen.npz").read_bytes() == (work / "run" / "frozen.npz").read_bytes()
    assert child.result.parent is not None
    assert list(child.result.parent.item_ids) == ids
    assert record(out)["data"]["fingerprint"] == child.matrix.fingerprint
    assert record(out)["method"] == "c-xim"
    assert main(["measure", str(out), "--quiet"]) == 0


def test_that_a_part_has_parts_and_goes_on(work: Path, tmp_path: Path) -> None:
    child, grandchild, further = tmp_path / "child", tmp_path / "grandchild", tmp_path / "further"
    nodes = ",".join(map(str, range(20)))
    small = ["--set", "shape=4x4", "--set", "n_steps=200"]
    assert run("--parent", work / "run", "--nodes", nodes, *small, "--out", child) == 0
    first = open_run(child).result
    assert first.winners is not None
    some = ",".join(map(str, np.unique(first.winners)[:5].tolist()))
    assert run("--parent", child, "--nodes", some, "--method", "pca", "--out", grandchild) == 0
    names = set(open_run(grandchild).matrix.item_ids)
    assert names < set(first.item_ids)
    assert run(work / "second.csv", "--continue", child, "--out", further) == 0
    finished = open_run(further)
    assert finished.matrix.n_items == len(first.item_ids) + 46
    assert isinstance(finished.result.model, PrototypeMap)


def test_that_a_run_whose_parent_is_gone_or_replaced_says_so(work: Path, tmp_path: Path) -> None:
    parent, child = tmp_path / "parent", tmp_path / "child"
    shutil.copytree(work / "run", parent)
    small = ["--set", "shape=3x3", "--set", "n_steps=50"]
    some = ",".join(map(str, range(30)))
    assert run("--parent", parent, "--nodes", some, *small, "--out", child) == 0
    # Found beside the run, too, when both were moved.
    moved = tmp_path / "moved"
    moved.mkdir()
    edited = record(child) | {"parent": record(child)["parent"] | {"folder": "parent"}}
    (child / "run.json").write_text(json.dumps(edited), encoding="utf-8")
    parent.rename(moved / "parent")
    child.rename(moved / "child")
    open_run(moved / "child")
    (moved / "parent").rename(moved / "elsewhere")
    assert keys_of_opening(moved / "child") == ("run.parent_missing",)
    other = ["--set", "shape=2x2", "--set", "n_steps=20", *STEPS]
    assert run(work / "first.csv", *other, "--out", moved / "parent") == 0
    assert keys_of_opening(moved / "child") == ("run.parent_changed",)


def keys_of_opening(folder: Path) -> tuple[str, ...]:
    with pytest.raises(UserError) as caught:
        open_run(folder)
    return caught.value.keys


# Refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["second.csv", "--continue", "pca"], "prototypes"),
        (["second.csv", "--continue", "run", "--method", "som"], "--method"),
        (["second.csv", "--continue", "run", "--set", "shape=3x3"], "nodes"),
        (["second.csv", "--continue", "run", "--log2"], "--recipe"),
        (["second.csv", "--continue", "run", "--begin", "2"], "begin"),
        (["second.csv", "--continue", "absent"], "finished run"),
        (["first.csv", "--continue", "run"], "already"),
        (["second.csv", "--continue", "run", "--start", "run"], "--start"),
        (["first.csv", "--only-new"], "--continue"),
        (["first.csv", "--nodes", "1,2"], "--parent"),
        (["first.csv", "--begin", "0.5"], "--start"),
        ([], "--parent"),
        (["--parent", "run"], "--choose"),
        (["--parent", "run", "--nodes", "1,x"], "numbers"),
        (["--parent", "run", "--nodes", "4000"], "no such node"),
        (["--parent", "run", "--choose", "absent.txt"], "absent.txt"),
        (["--parent", "pca", "--nodes", "1"], "no nodes"),
        (["first.csv", "--parent", "run", "--nodes", "1,2"], "option --parent"),
        (["--parent", "run", "--nodes", "1,2", "--log2"], "option --parent"),
    ],
)
def test_that_what_does_not_fit_together_is_refused(
    options: list[str],
    word: str,
    work: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(work)
    assert run(*options, "--out", tmp_path / "out") == 2
    assert word in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_that_the_earlier_run_is_never_replaced(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (work / "run" / "run.json").read_bytes()
    forced = ["--out", work / "run", "--force"]
    assert run(work / "second.csv", "--continue", work / "run", *forced) == 2
    assert run("--parent", work / "run", "--nodes", "1,2,3", *forced) == 2
    assert run(work / "first.csv", *SMALL, "--start", work / "run", *forced) == 2
    assert "not a result that could be replaced" in capsys.readouterr().err
    assert (work / "run" / "run.json").read_bytes() == before
