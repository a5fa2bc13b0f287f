"""A person's hands: clicks and keys that go through the window, as from a real mouse."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QMenu,
    QScrollArea,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.ui.windows import PATIENCE

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
TICK = 8
"""Where the box of a tick is, in pixels from the left."""
LOOK_MILLISECONDS, MOST_LOOKS = 5, 400


def click(widget: QWidget, *, at: QRect | None = None) -> None:
    """Click where a widget is seen; it must not be hidden, disabled or covered."""
    for _ in range(MOST_LOOKS):
        bring_into_sight(widget)
        if is_seen(widget, place_in(widget, at)):
            break
        # Layouts follow in the event loop; a person waits until they have.
        QTest.qWait(LOOK_MILLISECONDS)
    place = place_in(widget, at)
    assert widget.isEnabled()
    assert is_seen(widget, place)
    window = widget.window()
    QTest.mouseClick(window.windowHandle(), LEFT, pos=widget.mapTo(window, place))


def place_in(widget: QWidget, at: QRect | None) -> QPoint:
    """Where to click: in the middle, unless only a part of the widget takes clicks."""
    place = (widget.rect() if at is None else at).center()
    if isinstance(widget, QCheckBox):
        # The rest of a line with a tick does nothing.
        place.setX(TICK)
    return place


def is_seen(widget: QWidget, place: QPoint) -> bool:
    """Whether a click at this place of a widget gets to it."""
    window = widget.window()
    seen = window.childAt(widget.mapTo(window, place))
    return widget.isVisible() and seen is not None and (seen is widget or widget.isAncestorOf(seen))


def bring_into_sight(widget: QWidget) -> None:
    """Scroll until the widget is seen."""
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget, 0, 0)
        above = above.parentWidget()


def click_tab(tabs: QTabBar, number: int) -> None:
    """Click one of the tabs."""
    click(tabs, at=tabs.tabRect(number))


def write(field: QLineEdit, text: str) -> None:
    """Click into a field and write over what is there."""
    click(field)
    QTest.keyClick(field, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(field, text)


def choose(qtbot: QtBot, combo: QComboBox, text: str) -> None:
    """Open a drop-down with a click, and choose with the arrow keys."""
    click(combo)
    view = combo.view()
    qtbot.waitUntil(view.isVisible)
    wanted = combo.findText(text)
    QTest.keyClick(view, Qt.Key.Key_Home)
    for _ in range(combo.count()):
        if view.currentIndex().row() == wanted:
            break
        QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not view.isVisible())
    take_keyboard(qtbot, combo)
    assert combo.currentText() == text


def pick(qtbot: QtBot, opener: QAbstractButton, *texts: str) -> None:
    """Open a menu with a click, and click through its sub-menus."""
    left = list(texts)
    timer = QTimer()
    timer.setInterval(LOOK_MILLISECONDS)

    def look() -> None:
        # Runs inside the click: the button waits there until its menu is gone.
        menu = QApplication.activePopupWidget()
        if not isinstance(menu, QMenu) or not left:
            return
        action = next((each for each in menu.actions() if each.text() == left[0]), None)
        if action is not None:
            del left[0]
            QTest.mouseClick(menu.windowHandle(), LEFT, pos=menu.actionGeometry(action).center())

    timer.timeout.connect(look)
    timer.start()
    click(opener)
    qtbot.waitUntil(lambda: not left and QApplication.activePopupWidget() is None)
    timer.stop()
    take_keyboard(qtbot, opener)


def take_keyboard(qtbot: QtBot, widget: QWidget) -> None:
    """Give the window its keyboard back: off-screen nobody else does when a menu has closed."""
    widget.window().activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)


def eventually(qtbot: QtBot, holds: Callable[[], bool]) -> None:
    """Wait as long as a first compilation may take."""
    qtbot.waitUntil(holds, timeout=PATIENCE)
