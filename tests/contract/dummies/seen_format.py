"""Where a file format appears; run with the plugin that adds it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests import test_docs
from tests.contract.dummies.format import DUMMY, MARK
from ximstudio.cli import main
from ximstudio.doctor.evidence import TableEvidence
from ximstudio.doctor.shape import SCALED_MATRIX
from ximstudio.load.attempt import Wanted
from ximstudio.load.reading import Choices, Guess, Reading, silent
from ximstudio.model import UserError
from ximstudio.model.table import Axis, Table
from ximstudio.prepare.input import Input
from ximstudio.session import open_data
from ximstudio.ui.files.opening import name_filters


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.dummy"
    rows = [f"gene{n} {n % 7}.5 {n * n % 5}.25 {n % 3}.125" for n in range(30)]
    path.write_text("\n".join((MARK, *rows)), encoding="utf-8")
    return path


def test_that_the_window_offers_and_opens_the_dummy(table: Path) -> None:
    filters = name_filters()
    assert f"{DUMMY.name} (*.dummy)" in filters
    assert "*.dummy.gz" in filters[0]
    attempt = Wanted(name=str(table)).attempt(Choices(), silent)
    assert attempt.reading is not None
    assert attempt.formats[attempt.reading.format] == DUMMY.name
    assert attempt.is_clear


def test_that_the_command_line_reads_and_names_the_dummy(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", str(table)]) == 0
    assert DUMMY.name in capsys.readouterr().out
    quick = ["--set", "shape=3x3", "--set", "n_steps=100", "--quiet"]
    assert main(["run", str(table), "--out", str(tmp_path / "out"), *quick]) == 0


def test_that_a_wrong_key_leads_to_the_dummy(table: Path) -> None:
    with pytest.raises(UserError) as error:
        open_data(Input(name=str(table), choices=Choices(format="dummi")))
    assert DUMMY.key in error.value.problems[0].way_out


def test_that_the_doctor_asks_the_dummy_whether_its_first_matrix_may_be_scaled() -> None:
    centred = Table(
        values=np.array([[-1.0, 2.0], [3.0, -4.0]]),
        items=Axis(names=("g1", "g2")),
        features=Axis(names=("a", "b")),
        source="table.dummy",
    )
    options = {"X": "X", "raw": "raw"}
    guess = Guess(key="part", label="Matrix", value="X", reason="It is X.", options=options)
    found = {
        key: list(
            SCALED_MATRIX.look(
                TableEvidence(centred, reading=Reading(table=centred, format=key, guesses=(guess,)))
            )
        )
        for key in (DUMMY.key, "text")
    }
    assert len(found[DUMMY.key]) == 1
    assert not found["text"]


def test_that_the_guide_check_demands_a_row_of_the_dummy() -> None:
    with pytest.raises(AssertionError, match=DUMMY.key):
        test_docs.test_that_the_guide_lists_every_format()
