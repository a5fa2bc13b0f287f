"""Where a step of a recipe appears; run with the plugin that adds it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.contract.dummies.step import DUMMY, REMOVER
from tests.prepare import test_guide
from ximstudio import doctor
from ximstudio.cli import main
from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import TableEvidence
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.doctor.missing_codes import with_codes_first
from ximstudio.export.methods_text import methods_text
from ximstudio.export.wording.described import Described
from ximstudio.model import Matrix
from ximstudio.model.problem import Severity
from ximstudio.pictures.quantity import recipe_words
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Planned, Recipe, planned
from ximstudio.prepare.step import Step
from ximstudio.session import open_data
from ximstudio.train import method_named, train
from ximstudio.ui.panels.prepare.panel import StepMenu

TABLE = "id,a,b\n" + "".join(f"g{n},{n},{n * n % 7}\n" for n in range(30))


def test_that_the_menu_offers_the_dummy(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    chosen: list[Step] = []
    menu = StepMenu(parent, chosen.append)
    offered = [each for inner in menu.findChildren(QMenu) for each in inner.actions()]
    (action,) = [each for each in offered if each.data() == DUMMY.key]
    action.trigger()
    assert chosen == [DUMMY]


def test_that_the_command_line_lists_and_takes_the_dummy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["steps"]) == 0
    listed = capsys.readouterr().out
    assert DUMMY.key in listed
    assert DUMMY.name in listed
    assert main(["steps", DUMMY.key]) == 0
    assert DUMMY.about in capsys.readouterr().out
    table, out = tmp_path / "table.csv", tmp_path / "out"
    table.write_text(TABLE, encoding="utf-8")
    quick = ["--set", "shape=3x3", "--set", "n_steps=100", "--quiet"]
    assert main(["run", str(table), "--out", str(out), *quick, "--step", DUMMY.key]) == 0


def test_that_texts_and_colour_bars_tell_the_dummy() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(30, 3)))
    method = method_named("som")
    result = train(matrix, method, method.params.from_values({"shape": (3, 4), "n_steps": 100}))
    recipe = Recipe.of(planned("centre"), planned(DUMMY.key))
    given = Input(name="table.csv", recipe=recipe)
    text = methods_text([Described(result=result, matrix=matrix, input=given)])
    assert "; then compressing all values to their cube roots" in " ".join(text.paragraphs)
    assert recipe_words(recipe) == "cube-root centred value"


AWAY = planned(REMOVER.key, axis="items", names=["g1"])
CHANGED = planned(DUMMY.key)


def check_that_finds(key: str, severity: Severity, step: Planned, *, times: int = 1) -> Check:
    """A check that finds the second item in every table, to be repaired by this step."""

    def look(evidence: TableEvidence) -> Iterator[Finding]:
        for _ in range(times):
            yield Finding(
                key=key,
                severity=severity,
                side="items",
                what="The second item.",
                where=evidence.where("items", [1]),
                way_out="Repair it.",
                addresses=evidence.along("items", [1]),
                repairs=(Repair(label="Repair it", steps=(step,)),),
            )

    return Check(key=key, name=key, about="Finds it.", phase=RepairPhase.SIDES, look=look)


@pytest.fixture
def path(tmp_path: Path) -> str:
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    return str(tmp_path / "table.csv")


def test_that_the_doctor_knows_that_a_dummy_removes(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Input(name=path).open().reading.table
    for step, n_found in ((AWAY, 1), (CHANGED, 2)):
        twice = check_that_finds("twice", Severity.NOTE, step, times=2)
        monkeypatch.setattr(doctor, "CHECKS", (twice,))
        findings = doctor.examine(table)
        assert len(findings) == n_found
        assert findings[0].repairs[0].loses == (step is AWAY)


def test_that_the_doctor_puts_a_dummy_that_changes_values_before_one_that_removes(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    removes = check_that_finds("removes", Severity.NOTE, AWAY)
    changes = check_that_finds("changes", Severity.WARNING, CHANGED)
    monkeypatch.setattr(doctor, "CHECKS", (removes, changes))
    assert [each.key for each in open_data(Input(name=path)).findings] == ["changes", "removes"]


def test_that_the_doctor_reads_codes_as_missing_before_a_dummy_uses_values(path: str) -> None:
    table = Input(name=path).open().reading.table
    values = table.dense.copy()
    values[3, 1] = -9999.0
    evidence = TableEvidence(table.with_values(values))
    assert evidence.codes
    for step, first in ((AWAY, False), (CHANGED, True)):
        (finding,) = check_that_finds("codes", Severity.NOTE, step).look(evidence)
        assert bool(with_codes_first(finding, evidence).repairs[0].choices) == first


def test_that_the_guide_check_demands_a_row_of_the_dummy() -> None:
    with pytest.raises(AssertionError, match=DUMMY.name):
        test_guide.test_that_the_guide_lists_every_step_as_it_is()
