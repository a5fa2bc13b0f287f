"""Where a check of the doctor appears; run with the plugin that adds it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.contract.dummies.check import DUMMY, STRANGER
from tests.doctor import test_guide
from ximstudio.cli import main
from ximstudio.prepare.input import Input
from ximstudio.session import open_data
from ximstudio.ui.panels.data.findings import FindingCard, Findings

TABLE = "id,a,b,c,d\n" + "".join(
    f"{name},{n % 7}.5,{n * n % 5}.25,{n % 3}.125,{n % 4}.75\n"
    for n, name in enumerate((*(f"ENSG{n:011}" for n in range(30)), STRANGER))
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_that_the_window_shows_the_dummy_and_its_repair(qtbot: QtBot, table: Path) -> None:
    findings = Findings()
    qtbot.addWidget(findings)
    findings.show_findings(open_data(Input(name=str(table))))
    (card,) = [card for card in findings.cards if card.finding.key == DUMMY.key]
    assert isinstance(card, FindingCard)
    assert card.buttons


def test_that_the_command_line_finds_and_repairs_the_dummy(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["inspect", str(table)])
    assert f"--repair {DUMMY.key}" in capsys.readouterr().out
    quick = ["--set", "shape=3x3", "--set", "n_steps=100", "--quiet"]
    out = tmp_path / "out"
    assert main(["run", str(table), "--out", str(out), *quick, "--repair", DUMMY.key]) == 0
    assert STRANGER not in (out / "positions.csv").read_text(encoding="utf-8")


def test_that_the_guide_check_demands_a_row_of_the_dummy() -> None:
    with pytest.raises(AssertionError, match=DUMMY.name):
        test_guide.test_that_the_guide_lists_every_check_as_it_is()
