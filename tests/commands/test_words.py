"""Texts of commands speak of genes and samples."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from ximstudio.cli import main

OWN = re.compile(r"\b(?:items?|features?)\b", re.IGNORECASE)
"""What the core calls both sides of a table."""


def table_of(path: Path, n_genes: int) -> Path:
    rng = np.random.default_rng(0)
    lines = [
        f"YAL{row:03d}W," + ",".join(f"{x:.3f}" for x in rng.normal(size=4))
        for row in range(n_genes)
    ]
    path.write_text("\n".join(["gene,heat_1,heat_2,cold_1,cold_2", *lines, ""]), encoding="utf-8")
    return path


def test_that_commands_speak_of_genes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, out = table_of(tmp_path / "table.csv", 30), tmp_path / "out"
    quick = ["--set", "n_steps=300"]
    commands = {
        "run": [str(table), "--out", str(out), *quick],
        "measure": [str(out)],
        "verify": [str(out)],
        "place": [str(out), str(table)],
        "compare": [
            str(table),
            "--out",
            str(tmp_path / "c"),
            "--runs",
            "2",
            "--methods",
            "som,pca",
            *quick,
        ],
    }
    for name, arguments in commands.items():
        assert main([name, *arguments]) == 0
        printed = capsys.readouterr().out
        assert "gene" in printed, name
        assert OWN.findall(printed) == [], name
    written = (tmp_path / "c" / "table.md").read_text(encoding="utf-8")
    assert OWN.findall(written) == []


@pytest.mark.parametrize(("n_genes", "told"), [(19, True), (20, False)])
def test_that_very_few_genes_call_for_caution(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], n_genes: int, told: bool
) -> None:
    table = table_of(tmp_path / "table.csv", n_genes)
    assert main(["run", str(table), "--out", str(tmp_path / "out"), "--set", "n_steps=300"]) == 0
    printed = capsys.readouterr()
    assert (f"only {n_genes} genes" in printed.out + printed.err) is told
