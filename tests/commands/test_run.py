"""`ximstudio run`: what it writes, and that it writes nothing when it cannot."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.ui.maps_to_show import run_of
from ximstudio.cli import main
from ximstudio.estimators import XIM
from ximstudio.export.planned_figure import write_figure
from ximstudio.export.provenance import read_provenance
from ximstudio.figures.look import Look
from ximstudio.load import load
from ximstudio.model.selection import Selection
from ximstudio.session import Session
from ximstudio.session.shown import Shown
from ximstudio.train import METHODS, method_named
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.figure import figure_plan_from
from ximstudio.views.positions.state import PositionsState

QUICK = ["--set", "shape=6x8", "--set", "n_steps=2000"]


def run(*arguments: str | Path) -> int:
    return main(["run", *map(str, arguments)])


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def record(folder: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "out"
    assert run("sample:yeast", *QUICK, "--seed", "3", "--out", folder, "--figure", "map.png") == 0
    return folder


def test_that_a_run_writes_positions_prototypes_history_record_and_figure(finished: Path) -> None:
    names = {path.name for path in finished.iterdir()}
    assert names == {"positions.csv", "prototypes.csv", "history.csv", "run.json", "map.png"}
    assert [path.name for path in finished.parent.iterdir()] == ["out"]


def test_that_positions_carry_id_coordinates_winner_and_labels(finished: Path) -> None:
    rows = read(finished / "positions.csv")
    assert list(rows[0]) == ["id", "x", "y", "winner", "winner_row", "winner_column", "function"]
    assert [row["id"] for row in rows] == list(load("sample:yeast").item_ids)
    for row in rows:
        assert int(row["winner"]) == int(row["winner_row"]) * 8 + int(row["winner_column"])
        assert 0 <= float(row["x"]) <= 7
        assert 0 <= float(row["y"]) <= 5


def test_that_the_record_holds_all_it_takes_to_run_again(finished: Path) -> None:
    found = record(finished)
    assert found["method"] == "c-xim"
    assert found["seed"] == 3
    assert found["parameters"]["shape"] == [6, 8]
    assert found["parameters"]["width"] == [4.0, 0.4]
    assert set(found["automatic"]) == {
        "first_share",
        "order",
        "reach_neighbours",
        "relaxation",
        "repelling_share",
        "width",
    }
    assert found["data"]["fingerprint"] == load("sample:yeast").fingerprint
    assert {"python", "numpy", "numba"} <= set(found["versions"])


def test_that_the_same_seed_gives_the_same_files(finished: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    assert run("sample:yeast", *QUICK, "--seed", "3", "--out", again, "--quiet") == 0
    for name in ("positions.csv", "prototypes.csv", "history.csv"):
        assert (again / name).read_bytes() == (finished / name).read_bytes()
    assert record(again)["result_hash"] == record(finished)["result_hash"]
    other = tmp_path / "other"
    assert run("sample:yeast", *QUICK, "--seed", "4", "--out", other, "--quiet") == 0
    assert record(other)["result_hash"] != record(finished)["result_hash"]


def test_that_the_estimator_gives_the_command_lines_map(finished: Path) -> None:
    values = load("sample:yeast").values
    estimator = XIM(shape=(6, 8), n_steps=2000, random_state=3).fit(values)
    rows = read(finished / "positions.csv")
    written = [[float(row["x"]), float(row["y"])] for row in rows]
    np.testing.assert_array_equal(written, estimator.positions_)


def test_that_prototypes_read_back_as_the_start_of_another_run(
    finished: Path, tmp_path: Path
) -> None:
    out = tmp_path / "warm"
    start = finished / "prototypes.csv"
    settings = ["--set", "shape=6x8", "--set", "n_steps=1", "--set", "step=1e-9,1e-9"]
    assert run("sample:yeast", *settings, "--start", start, "--out", out, "--quiet") == 0
    before, after = read(start), read(out / "prototypes.csv")
    for name in ("x", "y", "alpha 0", "diau g"):
        np.testing.assert_allclose(
            [float(row[name]) for row in after], [float(row[name]) for row in before], atol=1e-6
        )


@pytest.mark.parametrize("method", [method.key for method in METHODS])
def test_that_every_method_runs_from_the_command_line(method: str, tmp_path: Path) -> None:
    specs = method_named(method).params.specs()
    quick = {
        name: text for name, text in {"shape": "6x8", "n_steps": "300"}.items() if name in specs
    }
    chosen = [part for name, text in quick.items() for part in ("--set", f"{name}={text}")]
    out = tmp_path / "out"
    assert run("sample:yeast", "--method", method, *chosen, "--out", out, "--quiet") == 0
    assert record(out)["method"] == method
    assert len(read(out / "positions.csv")) == 186
    models = {path.name for path in out.iterdir()} & {"components.csv", "prototypes.csv"}
    if method == "pca":
        assert models == {"components.csv"}
    else:
        # Items with positions of their own need no file beside them.
        assert models == ({"prototypes.csv"} if "shape" in specs else set())


def test_that_samples_in_columns_are_mapped(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("sample:yeast", *QUICK, "--items", "columns", "--out", out, "--quiet") == 0
    assert [row["id"] for row in read(out / "positions.csv")][:2] == ["alpha 0", "alpha 7"]


def test_that_blanks_are_kept_unless_asked_otherwise(tmp_path: Path) -> None:
    hashes = {}
    for how in ("keep", "mean", "median", "zero"):
        out = tmp_path / how
        assert run("sample:yeast", *QUICK, "--missing", how, "--out", out, "--quiet") == 0
        data = record(out)["data"]
        assert data["read"]["missing_values"] == 214
        assert data["missing_values"] == (214 if how == "keep" else 0)
        (step,) = data["input"]["recipe"]["steps"]
        assert step["parameters"]["how"] == how
        hashes[how] = record(out)["result_hash"]
    assert len(set(hashes.values())) == 4


@pytest.mark.parametrize(
    ("text", "settings", "word"),
    [
        ("", [], "empty"),
        ("gene,cold,heat\na,1,2\n", [], "n_samples = 1"),
        ("gene,cold,heat\na,1,2\nb,1,2\n", [], "constant"),
        ("gene,cold,heat\na,1,2\nb,x,3\nc,4,5\n", [], "not a number"),
        ("gene,cold,heat\na,1,2\nb,inf,3\n", [], "infinite"),
        ("gene,cold,heat\na,1,2\nb,,\n", [], "any value"),
        ("gene,cold,heat\na,1,2\nb,2,3\n", ["shpe=3x3"], "'shape'"),
        ("gene,cold,heat\na,1,2\nb,2,3\n", ["shape=9999x9999"], "rows"),
        ("gene,cold,heat\na,1,2\nb,2,3\n", ["shape"], "name=value"),
    ],
)
def test_that_bad_input_is_named_and_leaves_nothing(
    text: str, settings: list[str], word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.csv"
    table.write_text(text, encoding="utf-8")
    options = [part for setting in settings for part in ("--set", setting)]
    assert run(table, *options, "--out", tmp_path / "out") == 2
    assert word in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_that_all_violated_bounds_are_reported_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = ["--set", "repulsion=7", "--set", "step=0,2", "--set", "lattice=round"]
    assert run("sample:yeast", *wrong, "--out", tmp_path / "out") == 2
    said = capsys.readouterr().err
    for name in ("repulsion", "step", "lattice"):
        assert f"parameter '{name}'" in said


def test_that_a_map_larger_than_memory_is_refused_before_training(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "wide.csv"
    names = ",".join(f"f{number}" for number in range(60_000))
    rows = [f"g{row}," + ",".join(["1.5", str(row)] * 30_000) for row in range(2)]
    table.write_text("\n".join([f"gene,{names}", *rows]), encoding="utf-8")
    assert run(table, "--set", "shape=1000x1000", "--out", tmp_path / "out") == 2
    assert "GiB" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_that_unknown_methods_come_with_a_proposal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("sample:yeast", "--method", "cxim", "--out", tmp_path / "out") == 2
    assert "'c-xim'" in capsys.readouterr().err


def test_that_existing_results_are_kept_unless_forced(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (finished / "run.json").read_bytes()
    assert run("sample:yeast", *QUICK, "--out", finished) == 2
    assert "--force" in capsys.readouterr().err
    assert (finished / "run.json").read_bytes() == before


def test_that_a_failed_run_does_not_replace_the_former_result(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("sample:yeast", *QUICK, "--out", out, "--quiet") == 0
    before = (out / "run.json").read_bytes()
    assert run("absent.csv", "--out", out, "--force") == 2
    assert (out / "run.json").read_bytes() == before
    assert run("sample:yeast", *QUICK, "--seed", "5", "--out", out, "--force", "--quiet") == 0
    assert record(out)["seed"] == 5


def test_that_force_replaces_nothing_but_results(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("gene,cold,heat\na,1,2\nb,2,3\n")
    assert run(table, *QUICK, "--out", tmp_path, "--force") == 2
    assert table.exists()


def test_that_a_start_of_another_map_or_method_is_refused(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = finished / "prototypes.csv"
    for settings, word in (
        (["--set", "shape=8x6"], "6x8"),
        (["--method", "pca"], "--start"),
        (["--set", "shape=6x8", "--set", "init=pca"], "--start"),
    ):
        assert run("sample:yeast", *settings, "--start", start, "--out", tmp_path / "out") == 2
        assert word in capsys.readouterr().err
    positions = finished / "positions.csv"
    assert run("sample:yeast", *QUICK, "--start", positions, "--out", tmp_path / "out") == 2


def test_that_features_may_be_called_like_the_places_of_nodes(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("gene,x,row\na,1,2\nb,2,9\nc,5,3\n")
    small = ["--set", "shape=2x2", "--set", "n_steps=10"]
    assert run(table, *small, "--out", tmp_path / "one", "--quiet") == 0
    start = tmp_path / "one" / "prototypes.csv"
    assert run(table, *small, "--start", start, "--out", tmp_path / "two", "--quiet") == 0


def test_that_blanks_and_a_network_are_refused_before_training(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run("sample:yeast", *QUICK, "--set", "mapping=supervised", "--out", out) == 2
    assert "'impute'" in capsys.readouterr().err


def test_that_names_with_dollars_and_underscores_are_drawn_as_they_are(tmp_path: Path) -> None:
    table = tmp_path / "a$b_$.csv"
    rows = "\n".join(f"g{n},{'_hidden' if n % 2 else 'c$x_$'},{n},{n * n % 7}" for n in range(12))
    table.write_text(f"gene,kind,cold,heat\n{rows}\n")
    out = tmp_path / "out"
    assert run(table, *QUICK, "--out", out, "--figure", "map.svg", "--quiet") == 0
    svg = (out / "map.svg").read_text(encoding="utf-8")
    for text in (">c$x_$<", ">_hidden<", "a$b_$.csv"):
        assert text in svg


@pytest.mark.skipif(os.name == "nt", reason="no head there")
def test_that_a_reader_who_has_gone_does_not_stop_the_run(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ximstudio", "run", "sample:yeast", *QUICK]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path / "out")], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, said = process.communicate(timeout=120)
    assert (process.returncode, said) == (0, b"")
    assert (tmp_path / "out" / "run.json").exists()


@pytest.mark.skipif(os.name == "nt", reason="terminals there speak UTF-16")
def test_that_a_terminal_without_greek_gets_no_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ximstudio", "methods", "c-xim"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_that_output_that_cannot_be_written_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    assert run("sample:yeast", *QUICK, "--out", blocker / "out") == 2
    assert str(blocker) in capsys.readouterr().err
    assert run("sample:yeast", *QUICK, "--out", blocker, "--force") == 2
    assert blocker.read_text() == ""


def test_that_a_figure_needs_a_name_that_can_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("map.doc", "../map.png"):
        assert run("sample:yeast", *QUICK, "--out", tmp_path / "out", "--figure", name) == 2
        assert "--figure" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="signals of Windows are others")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_that_ctrl_c_ends_the_program_and_keeps_nothing(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ximstudio", "run", "sample:yeast", "--set", "n_steps=1e9"]
    out = tmp_path / "out"
    with subprocess.Popen(
        [*command, "--out", str(out)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        # The table has been understood: training begins.
        assert "186 genes" in process.stdout.readline()
        assert list(tmp_path.iterdir()) != []
        process.send_signal(getattr(signal, name))
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_that_every_figure_has_its_view_and_the_same_bytes_twice(tmp_path: Path) -> None:
    figures = ["--figure", "a.pdf", "--figure", "b.svg", "--view", "positions", "--view", "quality"]
    for folder in ("one", "two"):
        out = tmp_path / folder
        assert run("sample:yeast", *QUICK, "--out", out, *figures, "--table", "--quiet") == 0
    for name in ("a.pdf", "b.svg"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    svg = (tmp_path / "one" / "b.svg").read_text(encoding="utf-8")
    for text in (">Trustworthiness T(k)<", ">Shepard diagram, c-XIM<", ">Sammon's error (E)<"):
        assert text in svg


def test_that_a_figure_is_like_another_that_was_exported(tmp_path: Path) -> None:
    given = run_of("som")
    state = PositionsState(by="feature", option="salt").with_palette("cividis")
    chosen = Selection.of(given.matrix.item_ids[:3])
    plan = FigurePlan(state=state, selection=chosen, look=Look(width_mm=60.0), table=True)
    write_figure(tmp_path / "given.pdf", Shown.of(given, Session().with_run(given)), plan)
    table = tmp_path / "t.csv"
    rows = "\n".join(f"YBR{n:03d}W,{n},{n * n % 7}" for n in range(12))
    table.write_text(f"gene,salt,heat\n{rows}\n")
    like = ("--like", tmp_path / "given.pdf", "--font-size", "6", "--title", "")
    out = tmp_path / "out"
    assert run(table, *QUICK, "--out", out, "--figure", "a.png", *like, "--quiet") == 0
    told = read_provenance(out / "a.png")
    assert told is not None
    look = replace(plan.look, font_size=6.0)
    assert figure_plan_from(told.figure) == replace(plan, look=look)


@pytest.mark.parametrize("name", ["gone.pdf", "t.csv"])
def test_that_a_figure_is_not_like_what_is_none(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.csv").write_text("gene,one\na,1\n")
    like = ("--figure", "a.pdf", "--like", tmp_path / name)
    assert run("sample:yeast", *QUICK, "--out", tmp_path / "out", *like) == 2
    assert "--like" in capsys.readouterr().err


def test_that_a_map_is_kept_whose_figure_cannot_be_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    options = ["--figure", "a.pdf", "--view", "quality", "--width-mm", "30", "--font-size", "24"]
    assert run("sample:yeast", *QUICK, "--out", out, *options) == 2
    told = capsys.readouterr()
    assert "a.pdf" in told.err
    assert str(out) in told.out
    assert (out / "run.json").exists()
    assert not (out / "a.pdf").exists()


def test_that_a_figure_is_as_wide_and_fine_as_asked(tmp_path: Path) -> None:
    from matplotlib.image import imread

    options = ("--figure", "map.png", "--width-mm", "60", "--font-size", "6", "--dpi", "100")
    out = tmp_path / "out"
    assert run("sample:yeast", *QUICK, "--out", out, *options, "--view", "map", "--quiet") == 0
    assert imread(out / "map.png").shape[1] == pytest.approx(60.0 / 25.4 * 100.0, abs=1.0)


@pytest.mark.parametrize(
    "options",
    [
        ("--width-mm", "3"),
        ("--width-mm", "nan"),
        ("--font-size", "0"),
        ("--dpi", "1e9"),
        ("--view", "everything"),
        ("--view", "compare"),
        ("--palette", "everything"),
        ("--table",),
    ],
    ids=" ".join,
)
def test_that_a_look_that_no_figure_has_is_refused_before_training(
    options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run("sample:yeast", *QUICK, "--out", out, "--figure", "map.svg", *options) == 2
    told = capsys.readouterr().err
    assert options[0].removeprefix("--") in told
    assert not out.exists()
