"""Where a step of a recipe appears; run with the plugin that adds it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.contract.dummies.step import DUMMY
from tests.prepare import test_guide
from ximstudio.cli import main
from ximstudio.export.methods_text import methods_text
from ximstudio.export.wording.described import Described
from ximstudio.model import Matrix
from ximstudio.pictures.quantity import recipe_words
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.prepare.step import Step
from ximstudio.train import method_named, train
from ximstudio.ui.panels.prepare.menu import StepMenu

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


def test_that_the_guide_check_demands_a_row_of_the_dummy() -> None:
    with pytest.raises(AssertionError, match=DUMMY.name):
        test_guide.test_that_the_guide_lists_every_step_as_it_is()
