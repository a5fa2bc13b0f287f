"""The guide through a first map, the menu of methods, and what help says about them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from tests.ui.hands import eventually
from tests.ui.windows import shown_window, take_ready, train_one, wait_idle, with_sample
from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Input
from ximstudio.train import METHODS
from ximstudio.ui.app.first_map import DONE, HINTS, FirstMap
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.help import CHOICE, HelpDialog, page
from ximstudio.ui.panels.method.fields import SENTENCE
from ximstudio.ui.panels.method.panel import MethodPanel
from ximstudio.ui.runtime.settings import Settings

pytestmark = pytest.mark.usefixtures("dressed")


def press(guide: FirstMap) -> None:
    assert guide.go_on is not None
    guide.go_on.click()


def key_of(guide: FirstMap) -> str:
    return "" if guide.hint is None else guide.hint.key


def test_that_a_new_user_is_guided_from_table_to_figure_once(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.json")
    window = MainWindow(settings)
    qtbot.addWidget(window)
    window.show()
    guide = window.first_map
    guide.begin_if_new()
    assert not guide.isVisible()
    with_sample(qtbot, window)
    assert guide.isVisible()
    assert key_of(guide) == "findings"
    press(guide)
    assert key_of(guide) == "train"
    press(guide)
    qtbot.waitUntil(lambda: key_of(guide) == "read", timeout=60_000)
    wait_idle(qtbot, window)
    press(guide)
    assert key_of(guide) == HINTS[-1].key == "export"
    press(guide)
    assert guide.hint is None
    assert not guide.isVisible()
    window.close()

    again = Settings(tmp_path / "settings.json")
    assert again.now.switches[DONE]
    other = MainWindow(again)
    qtbot.addWidget(other)
    other.first_map.begin_if_new()
    assert key_of(other.first_map) == ""
    other.bar.guide_wanted.emit()
    assert key_of(other.first_map) == HINTS[0].key
    other.close()


def test_that_the_guide_can_be_skipped_and_never_comes_by_itself(qtbot: QtBot) -> None:
    window = with_sample(qtbot, shown_window(qtbot))
    guide = window.first_map
    assert guide.hint is None
    guide.begin()
    assert guide.isVisible()
    guide._close.click()
    assert guide.hint is None
    assert not guide.isVisible()
    assert window.settings.now.switches[DONE]
    train_one(qtbot, window)
    assert not guide.isVisible()
    window.close()


def test_that_the_guide_follows_the_table_and_ends_with_an_export(
    qtbot: QtBot, tmp_path: Path
) -> None:
    window = with_sample(qtbot, shown_window(qtbot, Settings(tmp_path / "settings.json")))
    guide = window.first_map
    guide.begin()
    press(guide)
    take_ready(qtbot, window)
    assert key_of(guide) == "read"
    press(guide)
    assert key_of(guide) == "export"
    window.user_actions.undo()
    assert key_of(guide) == "train"
    window.user_actions.redo()
    assert key_of(guide) == "read"

    other = tmp_path / "other.csv"
    other.write_text("id,a,b\n" + "".join(f"g{n},{n},{n * n}\n" for n in range(9)), "utf-8")
    before = window.user_actions.session
    window.user_actions.open(Input(name=str(other)))
    eventually(qtbot, lambda: window.user_actions.session.data is not before.data)
    wait_idle(qtbot, window)
    assert key_of(guide) == "findings"
    press(guide)
    assert key_of(guide) == "train"

    window.user_actions.undo()
    wait_idle(qtbot, window)
    refused = UserError(key="x", what="", where="", way_out="")
    exporting = window.exporter.exporting
    told: list[object] = []

    def fail(_: object) -> None:
        raise refused

    exporting.make(fail, told.append, told.append)
    eventually(qtbot, lambda: len(told) == 1)
    assert key_of(guide) == "read"
    exporting.make(lambda _: None, told.append, told.append)
    eventually(qtbot, lambda: len(told) == 2)
    assert guide.hint is None
    assert window.settings.now.switches[DONE]
    window.close()


def test_that_every_method_in_the_menu_has_its_sentence(qtbot: QtBot) -> None:
    window = with_sample(qtbot, shown_window(qtbot))
    panel = next(each for each in window.steps.panels if isinstance(each, MethodPanel))
    menu = panel.method
    delegate = menu.view().itemDelegate()
    for row, method in enumerate(METHODS):
        assert menu.itemData(row) == method.key
        assert menu.itemData(row, SENTENCE) == method.summary
        index = menu.model().index(row, 0)
        # Name and sentence, one below the other.
        assert (
            delegate.sizeHint(QStyleOptionViewItem(), index).height()
            > 1.8 * menu.fontMetrics().height()
        )
    panel.explain.click()
    (help_,) = (each for each in window.findChildren(HelpDialog) if each.isVisible())
    told = help_.page.toPlainText()
    assert told.index(CHOICE["What XIM is"][:40]) < told.index("From a table to a map")
    help_.accept()
    window.close()


def test_that_help_says_what_methods_are_for_and_what_good_values_are() -> None:
    told = page("")
    assert all(name in told for name in CHOICE)
    assert "very good from 0.95 on" in told
