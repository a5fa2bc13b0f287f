"""Where a measure appears; run with the plugin that adds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.dummies.measure import DUMMY
from ximstudio.cli import main

TABLE = "id,a,b\n" + "".join(f"g{n},{n},{n * n % 7}\n" for n in range(30))


def test_that_the_command_line_prints_the_dummy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, out = tmp_path / "table.csv", tmp_path / "out"
    table.write_text(TABLE, encoding="utf-8")
    quick = ["--set", "shape=3x3", "--set", "n_steps=100", "--quiet"]
    assert main(["run", str(table), "--out", str(out), *quick]) == 0
    assert main(["measure", str(out)]) == 0
    assert DUMMY.name in capsys.readouterr().out
