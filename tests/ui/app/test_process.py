"""Closing the window: the user is asked before maps are lost, unless nobody can answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui.hands import eventually
from tests.ui.windows import begin_long_training, shown_window, train_one, with_sample
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app import process as module
from ximstudio.ui.app.process import QuitGuard
from ximstudio.ui.app.window import MainWindow


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """A window with a sample and no map yet."""
    shown = with_sample(qtbot, shown_window(qtbot))
    yield shown
    shown.close()


@pytest.fixture
def leaving(window: MainWindow) -> Iterator[QuitGuard]:
    made = QuitGuard(window)
    yield made
    made.now()


def test_that_a_window_without_maps_closes_at_once(window: MainWindow, leaving: QuitGuard) -> None:
    assert window.keeping.lost == ""
    assert window.close()
    assert leaving.question is None


def test_that_maps_are_asked_about(qtbot: QtBot, window: MainWindow, leaving: QuitGuard) -> None:
    train_one(qtbot, window)
    train_one(qtbot, window)

    assert not window.close()
    assert leaving.question is not None
    assert window.keeping.lost.startswith("2 maps are")
    leaving.question.no.click()
    assert window.isVisible()
    assert len(window.user_actions.session.runs) == 2

    assert not window.close()
    assert leaving.question is not None
    leaving.question.yes.click()
    assert not window.isVisible()


def test_that_a_second_wish_to_close_asks_no_second_question(
    qtbot: QtBot, window: MainWindow, leaving: QuitGuard
) -> None:
    train_one(qtbot, window)
    window.close()
    first = leaving.question
    window.close()

    assert leaving.question is first


@pytest.mark.parametrize("pause", [False, True])
def test_that_training_is_asked_about(
    qtbot: QtBot, window: MainWindow, leaving: QuitGuard, pause: bool
) -> None:
    begin_long_training(qtbot, window)
    if pause:
        window.user_actions.pause()
        eventually(qtbot, lambda: window.user_actions.phase is Phase.PAUSED)

    assert not window.close()
    assert leaving.question is not None
    leaving.question.yes.click()
    assert not window.isVisible()


def test_that_a_key_closes(qtbot: QtBot, window: MainWindow, leaving: QuitGuard) -> None:
    train_one(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)

    QTest.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)

    assert leaving.question is not None
    leaving.question.yes.click()
    assert not window.isVisible()


def test_that_nobody_is_asked_who_cannot_answer(
    qtbot: QtBot, window: MainWindow, leaving: QuitGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    train_one(qtbot, window)
    monkeypatch.setattr(module, "_session_ends", lambda: True)

    assert window.close()
    assert leaving.question is None


def test_that_a_signal_ends_it_while_the_question_is_open(
    qtbot: QtBot, window: MainWindow, leaving: QuitGuard
) -> None:
    train_one(qtbot, window)
    window.close()

    leaving.now()

    assert not window.isVisible()
    assert leaving.question is None
