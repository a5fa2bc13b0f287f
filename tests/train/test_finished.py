"""A finished run is opened as it was, or refused with a way out."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ximstudio.cli import main
from ximstudio.model import Matrix, PrototypeMap, Result, UserError
from ximstudio.train import METHODS, method_named, train
from ximstudio.train.finished import open_run

SMALL = {"shape": "4x6", "n_steps": "300", "toroidal": "yes"}


@pytest.fixture
def table(yeast: Matrix, tmp_path: Path) -> Path:
    """A table in the present folder: genes with their function, conditions, blanks."""
    path = tmp_path / "work" / "table.csv"
    path.parent.mkdir()
    lines = [",".join(["gene", "function", *yeast.feature_names[:9]])]
    for name, function, row in zip(
        yeast.item_ids, yeast.item_labels["function"], yeast.values[:, :9], strict=True
    ):
        cells = ["" if np.isnan(value) else repr(float(value)) for value in row]
        lines.append(",".join([name, function, *cells]))
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def small(method: str) -> dict[str, str]:
    """Settings for a quick run, as far as the method knows them."""
    known = method_named(method).params.specs()
    return {name: text for name, text in SMALL.items() if name in known}


def run(table: str | Path, out: Path, method: str = "c-xim", *options: str) -> Path:
    settings = [f"{name}={text}" for name, text in small(method).items()]
    chosen = [part for setting in settings for part in ("--set", setting)]
    arguments = ["run", str(table), "--method", method, *chosen, *options, "--out", str(out)]
    assert main([*arguments, "--quiet"]) == 0
    return out


def trained(matrix: Matrix, method: str, seed: int) -> Result:
    chosen = method_named(method)
    return train(matrix, chosen, chosen.params.from_texts(small(method)), seed=seed)


def keys_of(folder: Path, data: str | None = None) -> tuple[str, ...]:
    with pytest.raises(UserError) as caught:
        open_run(folder, data)
    return caught.value.keys


@pytest.mark.parametrize("method", [method.key for method in METHODS])
def test_that_a_run_of_every_method_opens_as_it_was(
    method: str, table: Path, tmp_path: Path
) -> None:
    finished = open_run(run(table, tmp_path / "out", method, "--seed", "3"))
    expected = trained(finished.matrix, method, 3)
    result = finished.result
    np.testing.assert_array_equal(result.positions, expected.positions)
    for name in ("method", "seed", "step", "n_steps", "item_ids", "feature_names", "periods"):
        assert getattr(result, name) == getattr(expected, name)
    assert result.data_fingerprint == expected.data_fingerprint == finished.matrix.fingerprint
    assert result.params == expected.params.resolved(finished.matrix.n_items)
    for name, column in vars(expected.history).items():
        np.testing.assert_array_equal(getattr(result.history, name), column)
    if isinstance(expected.model, PrototypeMap):
        assert isinstance(result.model, PrototypeMap)
        assert result.winners is not None
        np.testing.assert_array_equal(result.winners, expected.winners)
        np.testing.assert_allclose(
            result.model.prototypes, expected.model.prototypes, rtol=1e-8, atol=1e-12
        )
    else:
        assert result.hash == expected.hash


def test_that_the_table_is_read_as_the_run_did(table: Path, tmp_path: Path) -> None:
    options = ["--items", "columns", "--id", "gene", "--missing", "median"]
    finished = open_run(run(table, tmp_path / "out", "som", *options))
    assert finished.matrix.n_items == 9
    assert finished.matrix.n_missing == 0
    assert open_run(run("sample:yeast", tmp_path / "sample", "pca")).matrix.n_items == 186


def test_that_a_recipe_and_joined_labels_are_followed(table: Path, tmp_path: Path) -> None:
    names = [line.split(",")[0] for line in table.read_text(encoding="utf-8").splitlines()]
    annotation = tmp_path / "notes.csv"
    lines = [f"{name},{name.lower()}" for name in names[1:]]
    annotation.write_text("\n".join(["gene,alias", *lines]), encoding="utf-8")
    options = ["--annotate", str(annotation), "--max-missing", "0.4", "--centre", "items"]
    finished = open_run(run(table, tmp_path / "out", "som", *options))
    assert "alias" in finished.matrix.item_labels
    means = np.nanmean(finished.matrix.values, axis=1)
    np.testing.assert_allclose(means, 0, atol=1e-12)
    annotation.unlink()
    assert keys_of(tmp_path / "out") == ("run.data_missing",)


@pytest.mark.parametrize("filling", ["keep", "median", "mean", "zero"])
def test_that_runs_of_the_first_schema_open(filling: str, table: Path, tmp_path: Path) -> None:
    options = ["--items", "columns", "--missing", filling]
    out = run(table, tmp_path / "out", "som", *options)
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    data = {
        "source": str(table),
        "reading": {"id": None, "labels": [], "items": "columns", "missing": filling},
        "fingerprint": record["data"]["fingerprint"],
    }
    edit_record(schema=1, data=data)(out)
    assert open_run(out).matrix.n_items == 9


def test_that_a_relative_table_is_found_from_here_and_from_beside_the_run(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    beside, apart = run("table.csv", Path("beside")), run("table.csv", tmp_path / "apart")
    assert open_run(beside).matrix.source == str(table)
    assert open_run(apart).matrix.source == str(table)
    beside = beside.absolute()
    monkeypatch.chdir(tmp_path)
    assert open_run(beside).matrix.source == str(table)
    with pytest.raises(UserError) as caught:
        open_run(apart)
    (problem,) = caught.value.problems
    assert problem.key == "run.data_missing"
    assert problem.where == str(tmp_path / "table.csv")
    assert problem.fields == ("data",)
    assert open_run(apart, str(table)).matrix.source == str(table)


def test_that_a_table_that_has_changed_is_refused(table: Path, tmp_path: Path) -> None:
    out = run(table, tmp_path / "out")
    other = tmp_path / "other.csv"
    shutil.copy(table, other)
    text = table.read_text(encoding="utf-8")
    # Labels are part of the data, too.
    for changed in (text.replace("Ribo", "Resp", 1), text.replace(",0.", ",1.", 1)):
        table.write_text(changed, encoding="utf-8")
        assert keys_of(out) == ("run.data_changed",)
        assert keys_of(out, str(table)) == ("run.data_changed",)
    assert open_run(out, str(other)).matrix.source == str(other)


def edit_record(**changes: Any) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / "run.json"
        record = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**record, **changes}), encoding="utf-8")

    return edit


def shorten(name: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        (folder / name).write_text("\n".join([*lines[:-1], ""]), encoding="utf-8")

    return edit


@pytest.mark.parametrize(
    ("edit", "key"),
    [
        (edit_record(schema=3), "run.newer"),
        (edit_record(method="sum"), "run.damaged"),
        (edit_record(parameters={"shape": [0, 0]}), "run.damaged"),
        (edit_record(parameters=None), "run.damaged"),
        (edit_record(data={}), "run.damaged"),
        (edit_record(seed="many"), "run.damaged"),
        (edit_record(parameters={"shape": [4, 5]}), "run.damaged"),
        (shorten("positions.csv"), "run.damaged"),
        (shorten("prototypes.csv"), "run.damaged"),
        (lambda folder: (folder / "prototypes.csv").unlink(), "run.file_missing"),
        (lambda folder: (folder / "run.json").unlink(), "run.none"),
    ],
)
def test_that_edited_runs_are_refused(
    edit: Callable[[Path], None], key: str, table: Path, tmp_path: Path
) -> None:
    out = run(table, tmp_path / "out")
    edit(out)
    assert keys_of(out) == (key,)


@pytest.mark.parametrize("name", ["positions.csv", "components.csv"])
def test_that_one_changed_digit_of_a_projection_is_seen(
    name: str, table: Path, tmp_path: Path
) -> None:
    out = run(table, tmp_path / "out", "pca")
    text = (out / name).read_text(encoding="utf-8")
    end = re.search(r"\.\d+(?=\d\b)", text)
    assert end is not None
    digit = "1" if text[end.end()] == "2" else "2"
    text = text[: end.end()] + digit + text[end.end() + 1 :]
    (out / name).write_text(text, encoding="utf-8")
    assert keys_of(out) == ("run.damaged",)


def test_that_moved_positions_of_items_are_noticed(table: Path, tmp_path: Path) -> None:
    out = run(table, tmp_path / "out", "xom")
    path = out / "positions.csv"
    header, first, *rest = path.read_text(encoding="utf-8").splitlines()
    name, x, *others = first.split(",")
    moved = ",".join([name, str(float(x) + 1.0), *others])
    path.write_text("\n".join([header, moved, *rest, ""]), encoding="utf-8")
    assert keys_of(out) == ("run.damaged",)
