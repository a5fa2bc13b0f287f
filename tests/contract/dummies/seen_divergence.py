"""Where a divergence appears; run with the plugin that adds it."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests import test_docs
from tests.contract.dummies.divergence import DUMMY
from ximstudio.cli import main
from ximstudio.export.methods_text import methods_text
from ximstudio.export.wording.described import Described
from ximstudio.model import Matrix
from ximstudio.prepare.input import Input
from ximstudio.train import method_named, train
from ximstudio.ui.widgets.forms.fields import ChoiceField
from ximstudio.ui.widgets.forms.form import ParamsForm

SMALL = {"shape": (3, 4), "n_steps": 100, "divergence": DUMMY.key}


def test_that_the_form_offers_the_dummy(qtbot: QtBot) -> None:
    form = ParamsForm(method_named("c-xim").params())
    qtbot.addWidget(form)
    form.set_advanced(True)
    field = form.fields["divergence"]
    assert isinstance(field, ChoiceField)
    assert field.combo.findData(DUMMY.key) >= 0


def test_that_the_command_line_lists_the_dummy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "c-xim"]) == 0
    assert f"{DUMMY.key}: {DUMMY.name}: {DUMMY.formula}" in capsys.readouterr().out


def test_that_the_methods_text_tells_the_dummy() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(30, 3)))
    method = method_named("c-xim")
    result = train(matrix, method, method.params.from_values(SMALL))
    text = methods_text([Described(result=result, matrix=matrix, input=Input(name="table.csv"))])
    assert f"moved by the {DUMMY.in_force} that follows from the {DUMMY.in_text}" in " ".join(
        text.paragraphs
    )


def test_that_the_guide_check_demands_a_row_of_the_dummy() -> None:
    with pytest.raises(AssertionError, match=DUMMY.key):
        test_docs.test_that_the_guide_lists_every_divergence()
