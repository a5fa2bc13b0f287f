"""Files that are no scripts of ours: refused, without harm, and never run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reproduce.conftest import made
from ximstudio.cli import main
from ximstudio.commands.console import EXIT_PROBLEM
from ximstudio.model.problem import UserError
from ximstudio.reproduce import script_file
from ximstudio.reproduce.script import write_script
from ximstudio.reproduce.script_file import read_script

SIDE_EFFECT = "from pathlib import Path\nPath({!r}).write_text('harm')\n"


def refused(path: Path) -> tuple[str, ...]:
    with pytest.raises(UserError) as caught:
        read_script(path)
    return caught.value.keys


@pytest.mark.parametrize(
    ("block", "key"),
    [
        ("__import__('os').getcwd()", "verify.no_receipt"),
        ("{\n    \"runs\": __import__('os'),\n}", "verify.damaged"),
        ('{\n    "runs": [x for x in ()],\n}', "verify.damaged"),
        ('{\n    "runs": 1 + 1,\n}', "verify.damaged"),
        ('{\n    "runs": 9 ** 9,\n}', "verify.damaged"),
        ("{\n    " + "[" * 100_000 + "\n}", "verify.damaged"),
        ("{\n    " + "-" * 100_000 + "1\n}", "verify.damaged"),
        ('{\n    "runs": ]\n}', "verify.damaged"),
        ("{\n    1 2 3\n}", "verify.damaged"),
        ('{\n    "runs": {[1]: 2},\n}', "verify.damaged"),
        ('{\n    "schema": 1, "runs": {},\n}', "verify.damaged"),
        ('{\n    "schema": "1", "runs": {"a": {}},\n}', "verify.damaged"),
        ('{\n    "schema": 1, "runs": {"a": {}},\n}', "verify.damaged"),
        ('{\n    "schema": 1, "runs": {"a": [1, 2]},\n}', "verify.damaged"),
        ('{\n    "schema": 2, "runs": {"a": {}},\n}', "verify.newer"),
        ('{\n    "no end": 1,\n', "verify.no_receipt"),
    ],
    ids=range(16),
)
def test_that_what_is_no_receipt_is_refused(tmp_path: Path, block: str, key: str) -> None:
    path = tmp_path / "map.py"
    path.write_text(f"EXPECTED = {block}\n", encoding="utf-8")
    assert refused(path) == (key,)


def test_that_a_script_is_never_run(table: Path, tmp_path: Path) -> None:
    harm = tmp_path / "harm"
    path = tmp_path / "map.py"
    write_script(path, [made(table, "pca")])
    ours = path.read_text(encoding="utf-8")
    path.write_text(SIDE_EFFECT.format(str(harm)) + ours, encoding="utf-8")
    assert main(["verify", str(path)]) == 0
    path.write_text(SIDE_EFFECT.format(str(harm)) + "this is no Python (", encoding="utf-8")
    assert main(["verify", str(path)]) == EXIT_PROBLEM
    assert not harm.exists()


def test_that_what_is_no_text_or_not_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "map.py"
    assert refused(path) == ("verify.unreadable",)
    path.write_bytes(b"\xff\xfe\x00EXPECTED")
    assert refused(path) == ("verify.no_receipt",)
    path.write_text("EXPECTED = {\n}\n", encoding="utf-8")
    monkeypatch.setattr(script_file, "LARGEST", 5)
    assert refused(path) == ("verify.no_receipt",)


@pytest.mark.parametrize(
    "wrong",
    [
        '"method": "nope"',
        '"seed": "x"',
        '"seed": 1e400',
        '"source": 5',
        '"frozen": [1]',
        '"joinings": [{"name": 5}]',
        '"automatic": 5',
    ],
)
def test_that_a_receipt_with_a_wrong_entry_is_refused(
    table: Path, tmp_path: Path, wrong: str
) -> None:
    path = tmp_path / "map.py"
    write_script(path, [made(table, "pca")])
    text = path.read_text(encoding="utf-8")
    name = wrong.partition(":")[0]
    before, _, after = text.partition(name)
    path.write_text(before + wrong + "," + after.partition(",")[2], encoding="utf-8")
    assert refused(path) == ("verify.damaged",)


def test_that_a_run_without_a_proper_name_is_refused(table: Path, tmp_path: Path) -> None:
    path = tmp_path / "map.py"
    write_script(path, [made(table, "pca")])
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"run_1"', "1"), encoding="utf-8")
    assert refused(path) == ("verify.damaged",)
