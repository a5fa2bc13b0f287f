"""`ximstudio inspect` and `ximstudio steps`, and steps given on the command line."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.load.workbooks import sheet_data, xlsx
from ximstudio.cli import main
from ximstudio.cli.grammar import parser
from ximstudio.cli.options import SHORTCUTS
from ximstudio.commands.steps import step_of, text_of
from ximstudio.doctor import CHECKS
from ximstudio.model import UserError
from ximstudio.prepare.recipe import planned
from ximstudio.prepare.steps import STEPS
from ximstudio.train.finished import open_run


@pytest.fixture
def troubled(tmp_path: Path) -> Path:
    """Unlogged counts with a repeated gene, a gene that is a date, and a blank."""
    generator = np.random.default_rng(1)
    values = np.round(2 ** generator.normal(8, 2, size=(40, 10)))
    names = [f"YAL{number:03d}C" for number in range(40)]
    names[5], names[6] = names[7], "1-Mar"
    path = tmp_path / "counts.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["gene", "kind", *(f"sample {number}" for number in range(10))])
        for name, row in zip(names, values, strict=True):
            writer.writerow([name, "x" if name < "YAL020" else "y", *row])
    return path


def inspected(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, Any]:
    assert main(["inspect", *map(str, arguments), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_that_inspect_tells_format_size_guesses_and_findings(
    troubled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = inspected(capsys, troubled)
    assert found["format"] == "text"
    assert (found["read"]["items"], found["read"]["features"]) == (40, 10)
    guesses = {guess["key"]: guess for guess in found["guesses"]}
    assert guesses["delimiter"]["value"] == ","
    assert guesses["id"]["value"] == "gene"
    assert all(guess["reason"] for guess in found["guesses"])
    findings = {finding["key"]: finding for finding in found["findings"]}
    assert {"doctor.repeated_names", "doctor.excel_dates", "doctor.unlogged"} <= set(findings)
    (address,) = findings["doctor.excel_dates"]["addresses"]
    assert (address["item_number"], address["item"], address["feature"]) == (6, "1-Mar", None)
    assert findings["doctor.repeated_names"]["severity"] == "error"


def test_that_every_repair_that_is_offered_can_be_given_as_steps(
    troubled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for finding in inspected(capsys, troubled)["findings"]:
        key = finding["key"].removeprefix("doctor.")
        for number, repair in enumerate(finding["repairs"], start=1):
            steps = [part for step in repair["steps"] for part in ("--step", step)]
            by_steps = inspected(capsys, troubled, *steps)
            by_name = inspected(capsys, troubled, "--repair", f"{key}:{number}")
            assert by_steps == by_name


def test_that_the_page_for_people_names_every_guess_and_finding(
    troubled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = inspected(capsys, troubled)
    assert main(["inspect", str(troubled)]) == 0
    said = capsys.readouterr().out
    for guess in found["guesses"]:
        assert guess["label"] in said
    assert said.count("way out:") == len(found["findings"])
    for line in said.splitlines():
        if line.strip().startswith(("--step", "--repair")):
            options = parser().parse_args(["inspect", "x", *shlex.split(line)])
            assert len(options.steps) >= 1


def test_that_a_run_warns_of_what_was_not_repaired(
    troubled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = ["--method", "pca", "--quiet", "--out"]
    assert main(["run", str(troubled), *quick, str(tmp_path / "no")]) == 2
    assert "more than once" in capsys.readouterr().err
    repaired = ["--repair", "repeated_names", "--repair", "excel_dates"]
    assert main(["run", str(troubled), *repaired, *quick, str(tmp_path / "warned")]) == 0
    assert "logarithm" in capsys.readouterr().err
    assert main(["run", str(troubled), *repaired, "--log2", *quick, str(tmp_path / "out")]) == 0
    assert "logarithm" not in capsys.readouterr().err


def test_that_what_a_run_learnt_is_repeated_on_other_data(
    troubled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    quick = ["--method", "pca", "--quiet", "--out"]
    steps = ["--repair", "repeated_names", "--log2", "--centre", "features"]
    assert main(["run", str(troubled), *steps, *quick, str(first)]) == 0
    lines = troubled.read_text(encoding="utf-8").splitlines()
    fewer = tmp_path / "fewer.csv"
    fewer.write_text("\n".join([lines[0], *lines[10:20]]), encoding="utf-8")
    frozen = ["--frozen", str(first / "frozen.npz")]
    assert main(["run", str(fewer), *frozen, *quick, str(second)]) == 0
    whole, part = open_run(first).matrix, open_run(second).matrix
    same = [whole.item_ids.index(name) for name in part.item_ids]
    np.testing.assert_array_equal(part.values, whole.values[same])
    assert main(["run", str(fewer), *frozen, "--log2", *quick, str(tmp_path / "no")]) == 2
    assert "--frozen" in capsys.readouterr().err


def test_that_files_which_a_run_needs_are_never_replaced(
    troubled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    quick = ["--method", "pca", "--quiet", "--force", "--out", str(out)]
    steps = ["--repair", "repeated_names", "--log2"]
    assert main(["run", str(troubled), *steps, *quick]) == 0
    (out / "notes.csv").write_text("gene,alias\nYAL001C,a\n", encoding="utf-8")
    for option, name in (
        ("--recipe", "recipe.json"),
        ("--frozen", "frozen.npz"),
        ("--annotate", "notes.csv"),
    ):
        assert main(["run", str(troubled), option, str(out / name), *quick]) == 2
        assert (out / name).exists()
    assert "--out" in capsys.readouterr().err


def test_that_a_sheet_of_a_workbook_can_be_joined(
    troubled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two sheets.xlsx"
    genes = [["gene", "role"], ["YAL001C", "one"], ["YAL002C", "two"]]
    others = [["gene", "site"], ["YAL001C", "here"], ["YAL002C", "there"], ["YAL003C", "away"]]
    path.write_bytes(xlsx({"Roles": sheet_data(genes), "Sites": sheet_data(others)}))
    # Left open it is the largest; named, it is that one, also with settings behind it.
    for text, label in (
        (str(path), "site"),
        (f"{path}#Roles", "role"),
        (f"{shlex.quote(f'{path}#Roles')} on=gene", "role"),
        (f"{shlex.quote(str(path))} part=Roles", "role"),
    ):
        found = inspected(capsys, troubled, "--annotate", text)
        assert label in found["read"]["item_labels"]
    assert main(["inspect", str(troubled), "--annotate", f"{path}#Nowhere"]) == 2


def test_that_the_sheet_that_names_something_is_joined(
    troubled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "book.xlsx"
    legend = [["what", "means"], *([f"term {n}", f"text {n}"] for n in range(30))]
    genes = [["gene", "role"], ["YAL001C", "one"], ["YAL002C", "two"]]
    path.write_bytes(xlsx({"Legend": sheet_data(legend), "Genes": sheet_data(genes)}))
    found = inspected(capsys, troubled, "--annotate", path)
    assert "role" in found["read"]["item_labels"]
    (sheet,) = (guess for guess in found["joining"] if guess["key"] == "part")
    assert sheet["value"] == "Genes"


def test_that_a_join_can_be_set_right(
    troubled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two names.csv"
    path.write_text("first,second\nYAL001C,YAL002C\nYAL003C,YAL004C\n", encoding="utf-8")
    found = inspected(capsys, troubled, "--annotate", path)
    assert found["joining"]
    assert "second" in found["read"]["item_labels"]
    chosen = f"{shlex.quote(str(path))} on=second side=items"
    found = inspected(capsys, troubled, "--annotate", chosen)
    assert "first" in found["read"]["item_labels"]
    assert main(["inspect", str(troubled), "--annotate", f"{chosen} at=1"]) == 2
    assert "'at'" in capsys.readouterr().err


def test_that_a_run_keeps_its_recipe_and_what_it_removed(
    troubled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    steps = ["--repair", "repeated_names", "--log2", "--top-items", "20", "--centre", "items"]
    quick = ["--method", "pca", "--quiet", "--out"]
    assert main(["run", str(troubled), *steps, *quick, str(first)]) == 0
    with (first / "removed.csv").open(newline="", encoding="utf-8") as file:
        removed = list(csv.DictReader(file))
    opened = open_run(first)
    assert opened.matrix.n_items == 20
    assert len(removed) == 20
    assert {row["what"] for row in removed} == {"item"}
    assert not {row["name"] for row in removed if row["step"] == "3 top"} & {
        *opened.matrix.item_ids
    }
    recipe = ["--recipe", str(first / "recipe.json")]
    assert main(["run", str(troubled), *recipe, *quick, str(second)]) == 0
    assert open_run(second).result.hash == opened.result.hash
    capsys.readouterr()


def test_that_steps_are_done_in_the_order_they_are_given(
    troubled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = inspected(
        capsys, troubled, "--log2", "--step", "repeated how=first", "--top-items", "9"
    )
    assert [step["step"] for step in found["steps"]] == [
        "log2",
        "repeated how=first",
        "top n=9",
    ]
    assert found["prepared"]["items"] == 9
    assert found["read"]["items"] == 40


@pytest.mark.parametrize("shortcut", SHORTCUTS, ids=lambda shortcut: str(shortcut.option))
def test_that_every_shortcut_stands_for_a_step(shortcut: Any) -> None:
    values = {"HOW": "mean", "SIDE": "items", "SHARE": "0.5", "N": "7"}
    given = [] if shortcut.metavar is None else [values[shortcut.metavar]]
    options = parser().parse_args(["inspect", shortcut.option, *given, "x"])
    (text,) = options.steps
    step_of(text)


@pytest.mark.parametrize(
    "step",
    [
        planned("log2", offset=0.5),
        planned("keep", names=("heat, 20 min", "it's", 'say "a"', "b c")),
        planned("repeated", axis="features", how="max"),
    ],
    ids=lambda step: str(step.step.key),
)
def test_that_a_step_is_read_as_it_is_written(step: Any) -> None:
    assert step_of(text_of(step)) == step


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "cli.step"),
        ("log2 'offset=1", "cli.step"),
        ("lag2", "step.unknown"),
        ("log2 offset", "cli.setting"),
        ("log2 ofset=1", "params.unknown"),
        ("log2 offset=much", "params.bounds"),
    ],
)
def test_that_what_is_no_step_is_refused(text: str, key: str) -> None:
    with pytest.raises(UserError) as caught:
        step_of(text)
    assert caught.value.keys == (key,)


def test_that_all_steps_are_listed_with_their_parameters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["steps"]) == 0
    said = capsys.readouterr().out
    for step in STEPS:
        assert f"  {step.key} " in said
    assert main(["steps", "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert [entry["key"] for entry in described] == [step.key for step in STEPS]
    assert main(["steps", "top"]) == 0
    assert "  n=2000" in capsys.readouterr().out


def test_that_reading_can_be_set_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.txt"
    path.write_text("gene;a;b\nx;1,5;n.d.\ny;2,5;3\nz;1;2\n", encoding="utf-8")
    found = inspected(capsys, path, "--read", "missing=n.d.", "--read", "decimal=,")
    assert found["read"]["missing_values"] == 1
    assert main(["inspect", str(path), "--read", "delmiter=;"]) == 2
    assert "'delimiter'" in capsys.readouterr().err


def test_that_checks_have_keys_of_their_own() -> None:
    keys = [check.key for check in CHECKS]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("side", ["rows", "columns"])
def test_that_people_read_of_genes_and_samples(
    troubled: Path, side: str, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = ("--top-items", "9", "--scale", "samples", "--max-missing", "0.5")
    assert main(["inspect", str(troubled), "--items", side, *steps]) == 0
    printed = capsys.readouterr().out.replace("--top-items", "")
    names = re.compile(r"\[[a-z_]+\]|axis=\w+|'[^']*'|\S*troubled\S*|items=\w+|--repair \S+")
    assert re.findall(r"\b(?:items?|features?)\b", names.sub("", printed), re.I) == []
    assert "genes" in printed


def test_that_a_user_says_what_rows_and_columns_are(
    troubled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = inspected(capsys, troubled, "--rows", "proteins", "--columns", "patients")
    told = {guess["key"]: guess["value"] for guess in found["guesses"]}
    assert (told["rows"], told["columns"]) == ("proteins", "patients")
