"""Texts of the window: genes and samples instead of items and features, names instead of paths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.windows import (
    shown_window,
    table_file,
    take_ready,
    train_one,
    wait_idle,
    with_sample,
)
from ximstudio.load.samples import called, samples
from ximstudio.maps import LAYERS
from ximstudio.model.words import in_words
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.prepare.steps import STEPS
from ximstudio.session import open_data
from ximstudio.session.parameter_words import spoken
from ximstudio.session.words import Words, name_of, origin_of
from ximstudio.train import METHODS
from ximstudio.ui.dialogs.importing.dialog import ImportDialog
from ximstudio.ui.dialogs.importing.join_dialog import JoinDialog
from ximstudio.ui.panels.data.panel import DataPanel
from ximstudio.ui.panels.method.panel import MethodPanel
from ximstudio.ui.panels.prepare.panel import PreparePanel
from ximstudio.ui.widgets.forms.form import ParamsForm

OF_THE_CORE = re.compile(r"\b(items?|features?)\b", re.IGNORECASE)
SAMPLE = samples()["yeast"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Which node wins an item.", "Which node wins a gene."),
        ("An item and a feature", "A gene and a sample"),
        ("Items 'items' have 1 feature.", "Genes 'items' have 1 sample."),
        ("a node's items and an item's place", "a node's genes and a gene's place"),
        ("itemised, featureless", "itemised, featureless"),
    ],
)
def test_that_sides_are_called_as_in_the_table(text: str, said: str) -> None:
    assert in_words(text, "gene", "sample") == said
    assert in_words(text, "item", "feature") == text


def test_that_articles_fit_the_word() -> None:
    assert Words("item", "array").said("a feature of an item") == "an array of an item"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("sample:yeast", SAMPLE.title),
        ("/home/me/data/counts.csv", "counts.csv"),
        (r"C:\data\counts.csv", "counts.csv"),
        ("counts.csv", "counts.csv"),
    ],
)
def test_that_a_table_is_called_by_its_title_or_its_bare_name(source: str, name: str) -> None:
    assert called(source) == name


def test_that_the_origin_of_a_file_is_its_whole_path(tmp_path: Path) -> None:
    path = table_file(tmp_path)
    data = open_data(Input(name=str(path)))

    assert (name_of(data), origin_of(data)) == (path.name, str(path))
    assert SAMPLE.citation in origin_of(open_data(Input(name="sample:yeast")))


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.key)
def test_that_layers_speak_of_genes(layer: object) -> None:
    texts = (getattr(layer, name) for name in ("name", "about", "legend"))

    assert not any(OF_THE_CORE.search(Words().said(text)) for text in texts)


SETS = {each.key: each.params for each in METHODS} | {each.key: each.params for each in STEPS}


@pytest.mark.parametrize("key", SETS)
def test_that_forms_speak_of_genes(qtbot: QtBot, key: str) -> None:
    form = ParamsForm(SETS[key](), words=Words())
    qtbot.addWidget(form)

    assert unspoken(form) == []


def test_that_declarations_name_other_parameters_as_the_form_does() -> None:
    specs = next(each for each in METHODS if each.key == "som").params.specs()
    assert "'node_file'" in str(specs["lattice"])
    said = spoken(specs["lattice"], specs, Words())

    assert said.label == specs["lattice"].label
    assert "node_file" not in str(said)
    assert f"“{specs['node_file'].label}”" in str(said)


def test_that_other_words_make_the_forms_anew(qtbot: QtBot) -> None:
    window = with_sample(qtbot, shown_window(qtbot))
    data, _, method, _ = window.steps.panels
    assert isinstance(data, DataPanel)
    assert isinstance(method, MethodPanel)
    assert any("genes" in text for text in texts(method.form))

    data.sides.button("columns").click()
    wait_idle(qtbot, window)

    assert any("samples" in text for text in texts(method.form))
    assert not any("genes" in text for text in texts(method.form))
    window.close()


# The whole window


def test_that_the_name_of_a_table_is_the_same_everywhere(qtbot: QtBot, tmp_path: Path) -> None:
    window = shown_window(qtbot)
    path = table_file(tmp_path, "my counts.csv")
    window.user_actions.open(Input(name=str(path)))
    qtbot.waitUntil(lambda: window.user_actions.session.data is not None)
    wait_idle(qtbot, window)
    panel = window.steps.panels[0]
    assert isinstance(panel, DataPanel)

    assert panel._title.text().replace("\u200b", "") == path.name
    assert panel._title.toolTip() == str(path)
    assert window.windowTitle().startswith(path.name)
    assert window.status.now.full.startswith(path.name)
    assert window.status.now.toolTip().endswith(str(path))
    assert str(tmp_path) not in window.status.last.full
    assert not any(str(tmp_path) in text for text in texts(window))
    window.close()


def test_that_nobody_reads_the_words_of_the_core(qtbot: QtBot) -> None:
    window = with_sample(qtbot, shown_window(qtbot))
    train_one(qtbot, window)
    tabs = window.views.panes[0].tabs
    for number in range(tabs.count()):
        tabs.setCurrentIndex(number)
        wait_idle(qtbot, window)

    assert unspoken(window) == []
    assert not any("sample:yeast" in text for text in texts(window))
    window.close()


def test_that_dialogs_do_not_speak_the_words_of_the_core_either(
    qtbot: QtBot, tmp_path: Path
) -> None:
    window = with_sample(qtbot, shown_window(qtbot))
    take_ready(qtbot, window)
    window.user_actions.set_recipe(Recipe(steps=tuple(planned(step.key) for step in STEPS)), "All")
    wait_idle(qtbot, window)
    prepare = window.steps.panels[1]
    assert isinstance(prepare, PreparePanel)
    for card in prepare.cards:
        card.set_open(True)
    labels = tmp_path / "labels.csv"
    labels.write_text("gene,site\nYGR270W,nucleus\nYIL075C,membrane\n", encoding="utf-8")
    tops: list[QWidget] = [prepare, window.explorer.clusters, window.explorer.similar]
    tops += [window.explorer.projected, JoinDialog(window.user_actions, labels, parent=window)]
    again = ImportDialog.again(window.user_actions, parent=window)
    assert again is not None
    window.exporter.show()
    export = window.exporter.dialog
    for number in range(export.tabs.count()):
        export.tabs.setCurrentIndex(number)
        wait_idle(qtbot, window)
    found = {type(top).__name__: unspoken(top) for top in (*tops, again, export)}

    assert {name: texts for name, texts in found.items() if texts} == {}
    export.close()
    window.close()


def unspoken(top: QWidget) -> list[str]:
    """Texts and tips with words that are for programs."""
    return sorted({text for text in texts(top) if OF_THE_CORE.search(text)})


def texts(top: QWidget) -> Iterator[str]:
    """Everything that a person may read in a window, tool tips left out where they are paths."""
    for widget in (top, *top.findChildren(QWidget)):
        yield from (widget.accessibleName(), widget.whatsThis())
        if not isinstance(widget, QLabel):
            yield widget.toolTip()
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QLineEdit):
            yield widget.placeholderText()
        elif isinstance(widget, QComboBox) and not widget.isEditable():
            for number in range(widget.count()):
                yield widget.itemText(number)
                yield str(widget.itemData(number, Qt.ItemDataRole.ToolTipRole) or "")
        elif isinstance(widget, QTabBar):
            for number in range(widget.count()):
                yield from (widget.tabText(number), widget.tabToolTip(number))
    for action in top.findChildren(QAction):
        yield from (action.text(), action.toolTip())
