"""`ximstudio measure`: what it writes about a finished run, and what it leaves alone."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ximstudio.cli import main
from ximstudio.commands.measure import value_text
from ximstudio.load import load
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model import Result
from ximstudio.train import method_named, train

N_ITEMS = 70
FILES = {"measures.csv", "neighbourhoods.csv", "items.csv", "measures.json"}
SETTINGS = {"shape": "5x6", "n_steps": "800", "toroidal": "yes"}
LATTICES = {"c-xim": "hexagonal", "som": "rectangular"}


def measure(*arguments: str | Path) -> int:
    return main(["measure", *map(str, arguments)])


def texts(method: str) -> dict[str, str]:
    return SETTINGS | {"shape": "6x5", "lattice": LATTICES[method]} if method != "pca" else {}


def run(table: Path, out: Path, method: str) -> Path:
    settings = [part for pair in texts(method).items() for part in ("--set", "=".join(pair))]
    arguments = [str(table), "--method", method, *settings, "--seed", "2", "--out", str(out)]
    assert main(["run", *arguments, "--quiet"]) == 0
    return out


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def column(rows: list[dict[str, str]], name: str) -> list[float]:
    return [float(row[name] or "nan") for row in rows]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def record(folder: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((folder / "measures.json").read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Items in three groups."""
    rng = np.random.default_rng(5)
    values = rng.normal(size=(N_ITEMS, 4)) + 4 * np.eye(4)[np.arange(N_ITEMS) % 3]
    rows = [
        f"g{number},{'abc'[number % 3]}," + ",".join(f"{value:.3f}" for value in row)
        for number, row in enumerate(values)
    ]
    path = tmp_path_factory.mktemp("data") / "table.csv"
    path.write_text("\n".join(["gene,kind,one,two,three,four", *rows, ""]), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def runs(table: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run of each method, measured in the default place with a label."""
    folder = tmp_path_factory.mktemp("runs")
    made = {method: run(table, folder / method, method) for method in ("pca", *LATTICES)}
    for out in made.values():
        before = contents(out)
        assert measure(out, "--label", "kind", "--quiet") == 0
        assert contents(out) == before
    return made


def trained(table: Path, method: str) -> Result:
    chosen = method_named(method)
    return train(load(str(table)), chosen, chosen.params.from_texts(texts(method)), seed=2)


@pytest.mark.parametrize("method", ["pca", "som", "c-xim"])
def test_that_a_finished_run_measures_as_its_map_did_in_memory(
    method: str, table: Path, runs: dict[str, Path]
) -> None:
    evidence = MapEvidence(matrix=load(str(table)), result=trained(table, method), label="kind")
    expected = {one.key: one.of(evidence) for one in MEASURES}
    rows = {row["key"]: row for row in read(runs[method] / "measures" / "measures.csv")}
    assert list(rows) == [key for key, estimate in expected.items() if estimate is not None]
    written = record(runs[method] / "measures")["measures"]
    for key, row in rows.items():
        estimate = expected[key]
        assert estimate is not None
        # Prototypes come back with nine digits, positions with all.
        np.testing.assert_allclose(float(row["value"]), estimate.value, rtol=1e-6, atol=1e-9)
        assert float(row["error"]) == pytest.approx(estimate.error)
        assert written[key] == {"value": float(row["value"]), "error": float(row["error"])}
    for one in MEASURES:
        if one.key in rows:
            row = rows[one.key]
            assert (row["name"], row["better"]) == (one.name, one.better)
            assert (float(row["low"]), float(row["high"])) == (one.low, one.high)
            assert row["reference"] == one.reference


def test_that_maps_have_nodes_and_projections_none(runs: dict[str, Path]) -> None:
    for method, out in runs.items():
        files = FILES if method == "pca" else FILES | {"nodes.csv"}
        assert set(contents(out / "measures")) == files
        header = read(out / "measures" / "items.csv")[0]
        assert ("quantisation_error" in header) == (method != "pca")


def test_that_every_number_of_neighbours_has_its_line(runs: dict[str, Path]) -> None:
    for out in runs.values():
        rows = read(out / "measures" / "neighbourhoods.csv")
        k = record(out / "measures")["neighbours"]
        assert column(rows, "k") == list(range(1, k + 1))
        names = ["trustworthiness", "continuity", "q_nx", "lcmc", "r_nx", "label_agreement"]
        assert list(rows[0]) == ["k", *names]
        q_nx, lcmc = np.array(column(rows, "q_nx")), np.array(column(rows, "lcmc"))
        np.testing.assert_allclose(lcmc, q_nx - np.arange(1, k + 1) / (N_ITEMS - 1), atol=1e-12)


def data_ranks(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Rank of every item around every other, 0 for itself."""
    apart = np.linalg.norm(values[:, None] - values, axis=2)
    np.fill_diagonal(apart, -1.0)
    return np.argsort(np.argsort(apart, axis=1, kind="stable"), axis=1)


def test_that_named_strangers_have_the_ranks_they_are_said_to_have(
    table: Path, runs: dict[str, Path]
) -> None:
    ids = [f"g{number}" for number in range(N_ITEMS)]
    in_data = data_ranks(load(str(table)).values)
    rows = read(runs["pca"] / "measures" / "items.csv")
    positions = read(runs["pca"] / "positions.csv")
    on_map = data_ranks(np.column_stack([column(positions, "x"), column(positions, "y")]))
    assert [row["id"] for row in rows] == ids
    named = 0
    for item, row in enumerate(rows):
        for name, here, there in (
            ("intruder_1", on_map, in_data),
            ("lost_neighbour_1", in_data, on_map),
        ):
            assert bool(row[name]) == bool(row[f"{name}_rank"])
            if row[name]:
                other = ids.index(row[name])
                assert int(row[f"{name}_rank"]) == there[item, other] > here[item, other]
                named += 1
    assert named > N_ITEMS


@pytest.mark.parametrize("method", ["som", "c-xim"])
def test_that_nodes_have_the_means_of_their_items(method: str, runs: dict[str, Path]) -> None:
    nodes = read(runs[method] / "measures" / "nodes.csv")
    items = read(runs[method] / "measures" / "items.csv")
    winners = np.array([int(row["winner"]) for row in read(runs[method] / "positions.csv")])
    assert [(row["node"], row["row"], row["column"]) for row in nodes[5:7]] == [
        ("5", "1", "0"),
        ("6", "1", "1"),
    ]
    hits = np.bincount(winners, minlength=30)
    assert column(nodes, "hits") == hits.tolist()
    shared = [name for name in items[0] if name in nodes[0]]
    assert {"trust", "quantisation_error", "cost", "attraction", "repulsion"} <= set(shared)
    for name in shared:
        values = np.array(column(items, name))
        means = [values[winners == node].mean() if hits[node] else np.nan for node in range(30)]
        np.testing.assert_allclose(column(nodes, name), means, rtol=1e-9, atol=1e-12)
    cost, attraction, repulsion = (
        np.array(column(items, name)) for name in ("cost", "attraction", "repulsion")
    )
    np.testing.assert_allclose(cost, attraction + repulsion)
    assert repulsion.any() == (method == "c-xim")


def test_that_without_a_label_nothing_is_said_about_labels(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    assert measure(runs["pca"], "--out", tmp_path / "out", "--quiet") == 0
    assert "label_agreement" not in read(tmp_path / "out" / "neighbourhoods.csv")[0]
    keys = {row["key"] for row in read(tmp_path / "out" / "measures.csv")}
    labelled = {row["key"] for row in read(runs["pca"] / "measures" / "measures.csv")}
    assert keys < labelled


def test_that_the_same_run_gives_the_same_files(runs: dict[str, Path], tmp_path: Path) -> None:
    again = tmp_path / "again"
    assert measure(runs["c-xim"], "--label", "kind", "--out", again, "--quiet") == 0
    assert contents(again) == contents(runs["c-xim"] / "measures")


def test_that_the_record_names_the_run_and_the_data(runs: dict[str, Path], table: Path) -> None:
    found = record(runs["c-xim"] / "measures")
    made = json.loads((runs["c-xim"] / "run.json").read_text(encoding="utf-8"))
    assert found["run"]["result_hash"] == made["result_hash"]
    assert found["data"]["fingerprint"] == load(str(table)).fingerprint
    assert (found["label"], found["seed"]) == ("kind", 0)


def test_that_the_table_is_printed_unless_quiet(
    runs: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert measure(runs["som"], "--out", tmp_path / "one", "--quiet") == 0
    assert capsys.readouterr() == ("", "")
    assert measure(runs["som"], "--out", tmp_path / "two") == 0
    said = capsys.readouterr().out
    for row in read(tmp_path / "two" / "measures.csv"):
        (line,) = (line for line in said.splitlines() if line.startswith(f"{row['name']}  "))
        assert value_text(Estimate(float(row["value"]), float(row["error"]))) in line


def test_that_values_are_shown_with_their_sampling_error() -> None:
    assert value_text(Estimate(0.123456)) == "0.1235"
    assert value_text(Estimate(0.123456, 0.00312)) == "0.1235 ± 0.003"
    assert value_text(Estimate(float("nan"))) == "not defined"


def test_that_earlier_measures_are_kept_unless_forced(
    runs: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    shutil.copytree(runs["pca"], out)
    before = contents(out / "measures")
    assert measure(out, "--quiet") == 2
    assert "--force" in capsys.readouterr().err
    assert contents(out / "measures") == before
    assert measure(out, "--force", "--quiet") == 0
    assert record(out / "measures")["label"] is None


def test_that_a_run_is_never_replaced_by_its_measures(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(runs["pca"], out)
    before = contents(out)
    assert measure(out, "--out", out, "--force", "--quiet") == 2
    assert contents(out) == before


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--label", "knid"], "'kind'"),
        (["--seed", "-1"], "--seed"),
        (["--data", "absent.csv"], "absent.csv"),
    ],
)
def test_that_bad_options_are_named_and_leave_nothing(
    options: list[str],
    word: str,
    runs: dict[str, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert measure(runs["pca"], *options, "--out", tmp_path / "out") == 2
    assert word in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_that_what_is_not_a_run_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("folder", "absent"):
        assert measure(tmp_path / name) == 2
        assert "run.json" in capsys.readouterr().err
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def test_that_a_table_that_moved_can_be_pointed_at(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, moved = tmp_path / "mine.csv", tmp_path / "moved.csv"
    shutil.copy(table, mine)
    out = run(mine, tmp_path / "out", "pca")
    mine.rename(moved)
    assert measure(out, "--quiet") == 2
    assert "--data" in capsys.readouterr().err
    assert measure(out, "--data", moved, "--quiet") == 0
    assert record(out / "measures")["data"]["source"] == str(moved)
