"""The steps on the left: numbers, and ticks for what was seen and needs nothing more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.windows import (
    shown_window,
    table_file,
    take_ready,
    train_one,
    wait_idle,
    with_sample,
)
from ximstudio.model.selection import Selection
from ximstudio.prepare.input import Input
from ximstudio.session.sides import turned
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.panels.panel import Panel
from ximstudio.ui.widgets.look.icons import icon

PICTURE = QSize(16, 16)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    shown = with_sample(qtbot, shown_window(qtbot))
    yield shown
    shown.close()


def ticked(window: MainWindow) -> list[str]:
    tick = icon("check").pixmap(PICTURE).toImage()
    return [
        panel.key
        for panel, made in zip(window.steps.panels, window.steps.buttons, strict=True)
        if made.icon().pixmap(PICTURE).toImage() == tick
    ]


def test_that_a_step_is_ticked_once_it_was_seen(window: MainWindow) -> None:
    assert ticked(window) == ["data"]

    window.steps.open(2)
    assert ticked(window) == ["data", "method"]
    window.user_actions.set_seed(3)
    assert ticked(window) == ["data", "method"]


def test_that_a_map_ticks_all_that_led_to_it(qtbot: QtBot, window: MainWindow) -> None:
    train_one(qtbot, window)

    assert ticked(window) == ["data", "prepare", "method", "train"]


def test_that_ticks_are_for_the_side_that_is_mapped(qtbot: QtBot, window: MainWindow) -> None:
    take_ready(qtbot, window)
    window.steps.open(0)
    assert ticked(window) == ["data", "prepare", "method", "train"]
    window.user_actions.set_recipe(turned(window.user_actions.recipe), "Map the samples")
    wait_idle(qtbot, window)
    assert ticked(window) == ["data"]
    window.user_actions.undo()
    wait_idle(qtbot, window)
    assert ticked(window) == ["data", "prepare", "method", "train"]


def test_that_another_table_begins_anew(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.steps.open(1)
    window.steps.open(0)
    before = window.user_actions.session.data
    window.user_actions.open(Input(name=str(table_file(tmp_path))))
    qtbot.waitUntil(lambda: window.user_actions.session.data is not before)
    wait_idle(qtbot, window)

    qtbot.waitUntil(lambda: ticked(window) == ["data"])


def test_that_no_step_looks_like_the_train_button(window: MainWindow) -> None:
    play = icon("train").pixmap(PICTURE).toImage()

    assert all(each.icon().pixmap(PICTURE).toImage() != play for each in window.steps.buttons)


def test_that_the_keyboard_follows_the_open_step(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    # Nobody has pressed a key yet.
    assert not any(made.hasFocus() for made in window.steps.buttons)

    window.steps.buttons[0].setFocus(Qt.FocusReason.TabFocusReason)
    window.steps.open(2)
    QApplication.processEvents()

    assert window.steps.buttons[2].hasFocus()


def test_that_steps_nobody_sees_are_filled_one_after_the_other(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled: list[str] = []

    def watch(panel: Panel) -> None:
        before = panel.show_session

        def show() -> None:
            filled.append(panel.key)
            before()

        monkeypatch.setattr(panel, "show_session", show)

    for panel in window.steps.panels:
        watch(panel)
    window.user_actions.set_seed(5)
    assert filled == ["data"]
    window.steps.open(2)
    assert filled == ["data", "method"]
    qtbot.waitUntil(lambda: set(filled) == {"data", "method", "prepare", "train"})


def test_that_a_selection_is_no_concern_of_the_steps(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    qtbot.waitUntil(lambda: not window.steps._stale)
    filled: list[str] = []
    for panel in window.steps.panels:
        monkeypatch.setattr(panel, "show_session", lambda key=panel.key: filled.append(key))
    window.user_actions.selecting.select(Selection.of(["a gene"]))
    window.user_actions.selecting.save_set("One")
    assert filled == []
    assert not window.steps._stale
    window.user_actions.undo()
    window.user_actions.undo()
    assert filled == []
