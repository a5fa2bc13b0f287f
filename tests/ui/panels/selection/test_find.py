"""The field in the bar that finds genes by name."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import some_matrix
from tests.ui.windows import (
    begin_long_training,
    is_running,
    sample_data,
    shown_window,
    wait_idle,
)
from ximstudio.ui.app.find_field import FindField
from ximstudio.ui.app.window import MainWindow

IDS = some_matrix().item_ids
KEYS = Qt.KeyboardModifier


def begun(qtbot: QtBot, window: MainWindow) -> FindField:
    """The field with the keyboard in it."""
    field = window.bar.finder
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_F, KEYS.ControlModifier)
    qtbot.waitUntil(field.hasFocus)
    return field


def typed(qtbot: QtBot, window: MainWindow, text: str) -> FindField:
    """The field after this was typed into it."""
    field = begun(qtbot, window)
    QTest.keyClicks(field, text)
    wait_idle(qtbot, window)
    return field


def chosen(window: MainWindow) -> frozenset[str]:
    return window.user_actions.session.selection.ids


def test_that_nothing_can_be_found_without_a_table(qtbot: QtBot) -> None:
    window = shown_window(qtbot)

    assert not window.bar.finder.isEnabled()
    window.close()


def test_that_enter_chooses_the_first_name_that_fits(qtbot: QtBot, window: MainWindow) -> None:
    field = typed(qtbot, window, "ybr03")
    assert field.offers.texts[0] == IDS[30]
    assert field.offers.texts[-1] == "Select all 10 that contain “ybr03”"

    QTest.keyClick(field, Qt.Key.Key_Return)

    assert chosen(window) == {IDS[30]}
    assert not field.popup.isVisible()


def test_that_another_table_is_looked_through_for_nothing_yet(
    qtbot: QtBot, window: MainWindow
) -> None:
    field = typed(qtbot, window, "ybr03")
    window.user_actions.set_seed(5)
    assert field.text() == "ybr03"
    window.user_actions.use_table(sample_data())
    assert field.text() == ""
    assert not field.popup.isVisible()
    wait_idle(qtbot, window)


def test_that_all_that_hold_the_text_can_be_chosen(qtbot: QtBot, window: MainWindow) -> None:
    field = typed(qtbot, window, "r01")
    last = len(field.offers.texts) - 1

    field.take(field.offers.offer(last), KEYS.NoModifier)

    assert chosen(window) == set(IDS[10:20])


def test_that_held_keys_change_what_is_chosen(qtbot: QtBot, window: MainWindow) -> None:
    field = typed(qtbot, window, IDS[4])
    QTest.keyClick(field, Qt.Key.Key_Return)
    field = typed(qtbot, window, IDS[7])
    QTest.keyClick(field, Qt.Key.Key_Return, KEYS.ShiftModifier)
    assert chosen(window) == {IDS[4], IDS[7]}

    field = typed(qtbot, window, IDS[4])
    QTest.keyClick(field, Qt.Key.Key_Return, KEYS.ControlModifier)
    assert chosen(window) == {IDS[7]}


def test_that_what_is_not_there_is_said_with_what_is_near(qtbot: QtBot, window: MainWindow) -> None:
    field = typed(qtbot, window, "YBR00XW")
    assert field.offers.texts[0] == "No gene is called “YBR00XW”"
    assert not field.offers.offer(0).ids

    QTest.keyClick(field, Qt.Key.Key_Return)
    assert not chosen(window)

    near = field.offers.offer(1)
    field.take(near, KEYS.NoModifier)
    assert field.text() == near.typed
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert chosen(window) == {near.typed}


def test_that_escape_leaves_the_field_and_stops_nothing(qtbot: QtBot, window: MainWindow) -> None:
    begin_long_training(qtbot, window)
    field = begun(qtbot, window)
    QTest.keyClicks(field, "ybr")
    assert field.popup.isVisible()

    QTest.keyClick(field, Qt.Key.Key_Escape)

    assert field.text() == ""
    assert QApplication.focusWidget() is not field
    assert is_running(window)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    wait_idle(qtbot, window)
    assert not is_running(window)
