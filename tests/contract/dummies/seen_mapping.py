"""Where a way to place items appears; run with the plugin that adds it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests import test_docs
from tests.contract.dummies.mapping import DUMMY
from ximstudio.cli import main
from ximstudio.export.methods_text import methods_text
from ximstudio.export.wording.described import Described
from ximstudio.model import Matrix
from ximstudio.prepare.input import Input
from ximstudio.train import method_named, train
from ximstudio.ui.widgets.forms.fields import ChoiceField
from ximstudio.ui.widgets.forms.form import ParamsForm

TABLE = "id,a,b\n" + "".join(f"g{n},{n},{n * n % 7}\n" for n in range(30))
SMALL = {"shape": (3, 4), "n_steps": 100, "mapping": DUMMY.key}


def test_that_the_form_offers_the_dummy(qtbot: QtBot) -> None:
    form = ParamsForm(method_named("som").params())
    qtbot.addWidget(form)
    form.set_advanced(True)
    field = form.fields["mapping"]
    assert isinstance(field, ChoiceField)
    assert field.combo.findData(DUMMY.key) >= 0


def test_that_the_command_line_lists_and_uses_the_dummy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["methods", "som"]) == 0
    assert f"{DUMMY.key}: {DUMMY.about}" in capsys.readouterr().out
    table, out = tmp_path / "table.csv", tmp_path / "out"
    table.write_text(TABLE, encoding="utf-8")
    settings = ["--set", "shape=3x3", "--set", "n_steps=100", "--set", f"mapping={DUMMY.key}"]
    assert main(["run", str(table), "--out", str(out), "--quiet", *settings]) == 0


def test_that_the_methods_text_tells_the_dummy() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(30, 3)))
    method = method_named("som")
    result = train(matrix, method, method.params.from_values(SMALL))
    text = methods_text([Described(result=result, matrix=matrix, input=Input(name="table.csv"))])
    assert "was placed between two of 12 parishes [" in " ".join(text.paragraphs)
    assert set(DUMMY.works) <= set(text.references)


def test_that_a_table_of_distances_is_placed_by_the_dummy() -> None:
    values = np.random.default_rng(0).normal(size=(20, 3))
    apart = np.linalg.norm(values[:, None] - values[None], axis=2)
    names = tuple(f"g{row}" for row in range(20))
    table = Matrix(values=apart, item_ids=names, feature_names=names, source="distances.csv")
    method = method_named("som")
    params = method.params.from_values({"shape": (3, 4), "n_epochs": 3, "metric": "precomputed"})
    result = train(table, method, params.replace(mapping=DUMMY.key))
    assert np.isfinite(result.positions).all()


def test_that_the_guide_check_demands_a_row_of_the_dummy() -> None:
    with pytest.raises(AssertionError, match=DUMMY.key):
        test_docs.test_that_the_guide_lists_every_way_to_place_items()
