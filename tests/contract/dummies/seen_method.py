"""Where a method appears; run with the plugin that adds it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests import test_docs
from tests.contract.dummies.method import DUMMY, WORK
from ximstudio.cli import main
from ximstudio.estimators import estimator_of
from ximstudio.export.methods_text import methods_text, session_methods
from ximstudio.export.wording.described import Described
from ximstudio.model import Matrix
from ximstudio.prepare.input import Input
from ximstudio.session import open_data
from ximstudio.train import train
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.panels.method.panel import MethodPanel

TABLE = "id,a,b,c\n" + "".join(f"g{n},{n},{n * n % 7},{n % 3}\n" for n in range(30))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_that_the_window_offers_and_trains_the_dummy(
    qtbot: QtBot, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XIMSTUDIO_SETTINGS", str(tmp_path))
    actions = Actions()
    panel = MethodPanel(actions)
    qtbot.addWidget(panel)
    actions.store.changed.connect(panel.show_session)
    actions.use_table(open_data(Input(name=str(table))))
    place = panel.method.findData(DUMMY.key)
    assert place >= 0
    panel.method.setCurrentIndex(place)
    panel.method.activated.emit(place)
    assert set(panel.form.fields) == set(DUMMY.params.specs())
    actions.train()
    qtbot.waitUntil(lambda: bool(actions.session.runs), timeout=20_000)
    (run,) = actions.session.runs
    assert run.result.method == DUMMY.key
    assert WORK in session_methods(actions.session).references
    assert actions.jobs.close()


def test_that_the_command_line_lists_and_trains_the_dummy(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["methods"]) == 0
    listed = capsys.readouterr().out
    assert DUMMY.key in listed
    assert DUMMY.summary in listed
    assert main(["methods", DUMMY.key]) == 0
    assert DUMMY.params.specs()["turn"].label in capsys.readouterr().out
    out = tmp_path / "out"
    options = ["--method", DUMMY.key, "--set", "turn=45", "--quiet"]
    assert main(["run", str(table), "--out", str(out), *options]) == 0
    assert (out / "positions.csv").is_file()
    assert main(["measure", str(out)]) == 0
    assert main(["verify", str(out)]) == 0


def test_that_the_methods_text_tells_the_dummy() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(30, 3)))
    result = train(matrix, DUMMY, DUMMY.params.from_values({"turn": 45.0}))
    text = methods_text([Described(result=result, matrix=matrix, input=Input(name="table.csv"))])
    said = " ".join(text.paragraphs)
    assert "made by Parish, a plane of parishes [" in said
    assert "The parish was turned by 45 degrees." in said
    assert WORK in text.references


def test_that_there_is_an_estimator_of_the_dummy() -> None:
    values = np.random.default_rng(0).normal(size=(30, 3))
    assert estimator_of(DUMMY.key, turn=45.0).fit_transform(values).shape == (30, 2)


def test_that_the_guide_check_demands_a_row_of_the_dummy() -> None:
    with pytest.raises(AssertionError, match=DUMMY.name):
        test_docs.test_that_the_guide_lists_every_method()
