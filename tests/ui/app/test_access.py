"""Everything in the window can be named, reached by the keyboard, and read in a small window."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.ui.windows import shown_window, train_one, wait_idle, with_sample
from ximstudio.prepare.steps import STEPS
from ximstudio.ui.app.about import AboutDialog, about_text, versions
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.help import HelpDialog, give_help, help_about
from ximstudio.ui.panels.method.panel import MethodPanel
from ximstudio.ui.panels.prepare.panel import PreparePanel
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.widgets.elided import Elided, FittingButton
from ximstudio.ui.widgets.focus import stops

pytestmark = pytest.mark.usefixtures("dressed")
QTS_OWN = {
    "ScrollLeftButton", "ScrollRightButton", "qt_toolbar_ext_button", "qt_tableview_cornerbutton",
}  # fmt: skip
"""Buttons that Qt makes and names by itself."""
SIZES = [(1280, 800), (900, 600)]
ROOM = 1
"""Pixels that rounding may take."""


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """A window with the sample."""
    shown = with_sample(qtbot, shown_window(qtbot))
    yield shown
    shown.close()


def test_that_every_button_has_a_name_and_icons_a_tip(qtbot: QtBot, window: MainWindow) -> None:
    train_one(qtbot, window)
    window.views.show_panes("4")
    buttons = [
        each
        for each in window.findChildren(QAbstractButton)
        if each.objectName() not in QTS_OWN and not each.isHidden()
    ]

    nameless = [each for each in buttons if not (each.text() or each.accessibleName())]
    mute = [each for each in buttons if not each.text() and not each.toolTip()]
    assert len(buttons) > 30
    assert [path_of(each) for each in nameless] == []
    assert [each.accessibleName() for each in mute] == []


def test_that_a_screen_reader_can_name_what_tab_comes_to(qtbot: QtBot, window: MainWindow) -> None:
    train_one(qtbot, window)
    window.views.show_panes("4")
    wait_idle(qtbot, window)
    everywhere = all_stops(window)

    assert len(everywhere) > 30
    assert [path_of(each) for each in everywhere if not spoken(each)] == []


def test_that_a_screen_reader_tells_how_to_walk_on_the_map(qtbot: QtBot) -> None:
    a_map, positions = MapView(), PositionsView()
    for view in (a_map, positions):
        qtbot.addWidget(view)
        assert spoken(view.canvas) == view.kind.name

    description = spoken(a_map.canvas, QAccessible.Text.Description)
    assert "Arrow keys" in description
    assert "Escape" in description


def spoken(widget: QWidget, kind: QAccessible.Text = QAccessible.Text.Name) -> str:
    """What a screen reader says."""
    return QAccessible.queryAccessibleInterface(widget).text(kind)


@pytest.mark.parametrize("size", SIZES)
def test_that_no_text_is_cut_off(qtbot: QtBot, window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    method = window.steps.panels[2]
    assert isinstance(method, MethodPanel)
    method.form.set_advanced(True)
    for number in range(len(window.steps.panels)):
        window.steps.open(number)

        def all_fits() -> None:
            assert [_text(each) for each in cut_off(window)] == []

        # Layouts within layouts take more than one round.
        qtbot.waitUntil(all_fits)


@pytest.mark.parametrize("size", SIZES)
def test_that_panels_are_as_wide_as_they_are_seen(
    qtbot: QtBot, window: MainWindow, size: tuple[int, int]
) -> None:
    window.resize(*size)
    widths = set()
    for number, panel in enumerate(window.steps.panels):
        window.steps.open(number)
        qtbot.waitUntil(panel.isVisible)
        QApplication.processEvents()
        area = area_of(panel)
        assert panel.minimumSizeHint().width() <= area.viewport().width()
        widths.add(panel.width())
    # Whether or not there is anything to scroll.
    assert len(widths) == 1


def test_that_a_low_window_leaves_room_for_the_open_step(qtbot: QtBot, window: MainWindow) -> None:
    def share() -> float:
        return area_of(window.steps.panels[0]).height() / window.steps.height()

    window.resize(*SIZES[0])
    qtbot.waitUntil(lambda: window.width() == SIZES[0][0])
    high = share()
    window.resize(*SIZES[1])
    qtbot.waitUntil(lambda: window.steps.height() < SIZES[1][1])
    QApplication.processEvents()

    assert share() > high
    assert not window.steps._title.isVisible()


def area_of(panel: QWidget) -> QScrollArea:
    """What the panel is scrolled in."""
    area = next(each for each in ancestors(panel) if isinstance(each, QScrollArea))
    assert isinstance(area, QScrollArea)
    return area


def path_of(widget: QWidget) -> str:
    """Where a widget is, for a person who looks for it."""
    return " < ".join(type(each).__name__ for each in (widget, *ancestors(widget)))


def ancestors(widget: QWidget) -> Iterator[QWidget]:
    while (parent := widget.parentWidget()) is not None:
        yield parent
        widget = parent


# The keyboard


def tabbed(window: MainWindow, start: QWidget, n: int) -> list[QWidget]:
    """Where Tab goes."""
    window.activateWindow()
    start.setFocus(Qt.FocusReason.TabFocusReason)
    found = []
    for _ in range(n):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        assert focus is not None
        found.append(focus)
    return found


def all_stops(window: MainWindow) -> list[QWidget]:
    """Where Tab goes in the whole window."""
    parts = stops(window.bar), window.page.stops(), stops(window.status)
    return [each for part in parts for each in part if each.isVisible() and each.isEnabled()]


def seen(widget: QWidget) -> list[QWidget]:
    return [each for each in stops(widget) if each.isVisible() and each.isEnabled()]


def test_that_tab_goes_through_a_form_as_it_is_seen(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(window.isActiveWindow)
    window.steps.open(2)
    # Its form comes later than all other parts of the window.
    window.user_actions.choose_method("som")
    wait_idle(qtbot, window)
    method = window.steps.panels[2]
    assert isinstance(method, MethodPanel)
    wanted = seen(method)

    assert wanted[-2:] == [method.seed, method.dice]
    assert tabbed(window, window.steps.buttons[2], len(wanted)) == wanted
    places = [each.mapTo(method, each.rect().topLeft()).y() for each in wanted]
    assert all(two > one - 10 for one, two in pairwise(places))


def test_that_tab_goes_through_the_steps_of_a_recipe(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(window.isActiveWindow)
    window.steps.open(1)
    prepare = window.steps.panels[1]
    assert isinstance(prepare, PreparePanel)
    for key in ("standardise", "centre"):
        for step in STEPS:
            if step.key == key:
                prepare.add_step(step)
        wait_idle(qtbot, window)
    wanted = seen(prepare)

    assert prepare.cards
    assert all(card.switch in wanted for card in prepare.cards)
    assert tabbed(window, window.steps.buttons[1], len(wanted)) == wanted


def test_that_tab_goes_to_the_step_that_is_open(window: MainWindow) -> None:
    for number in range(len(window.steps.panels)):
        window.steps.open(number)
        names = [made.focusPolicy() for made in window.steps.buttons]
        assert [bool(each & Qt.FocusPolicy.TabFocus) for each in names].index(True) == number
        assert names.count(Qt.FocusPolicy.TabFocus) == 1


@pytest.mark.parametrize("panes", ["1", "4"])
def test_that_tab_goes_through_the_whole_window_as_it_is_read(
    qtbot: QtBot, window: MainWindow, panes: str
) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    train_one(qtbot, window)
    window.views.split.button(panes).click()
    wait_idle(qtbot, window)
    wanted = all_stops(window)
    parts = (window.bar, window.steps, window.views, window.work.panel, window.runs)

    window.setFocus()
    walked = tabbed(window, window, len(wanted))

    assert walked == wanted
    # One part after the other, and in a part that is no column of panes downwards.
    order = [next(n for n, part in enumerate(parts) if part.isAncestorOf(each)) for each in walked]
    assert order == sorted(order)
    assert len(set(order)) == len(parts)
    heights = [each.mapTo(window, each.rect().center()).y() for each in wanted]
    steps = [height for height, part in zip(heights, order, strict=True) if part == 1]
    assert all(two > one - 20 for one, two in pairwise(steps))
    # And back the same way.
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Backtab)
    assert QApplication.focusWidget() is walked[-2]


def test_that_what_tab_comes_to_has_a_ring(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    train_one(qtbot, window)
    window.views.split.button("4").click()
    wait_idle(qtbot, window)
    blind = []
    window.setFocus()
    for each in tabbed(window, window, len([*window.page.stops()])):
        # Maps and pages have one that lies over them.
        ringed = isinstance(each, QAbstractScrollArea)
        if not ringed and not shows_focus(window, each):
            blind.append(path_of(each))
    assert blind == []

    seen = [each for each in window.views.stops() if each.isEnabled() and each.isVisible()]
    canvas = next(each for each in seen if isinstance(each, QAbstractScrollArea))
    before = next(two for two in pairwise(seen) if two[1] is canvas)[0]
    before.setFocus(Qt.FocusReason.TabFocusReason)
    assert not window._ring.isVisible()
    QTest.keyClick(before, Qt.Key.Key_Tab)
    assert window._ring.isVisible()
    assert window._ring.size() == canvas.size()
    window.bar.open.setFocus()
    assert not window._ring.isVisible()


def test_that_the_keyboard_can_be_seen_wherever_it_is(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(window.isActiveWindow)
    train_one(qtbot, window)
    parts = (window.bar, window.steps, window.runs)
    for number in range(len(window.steps.panels)):
        window.steps.open(number)
        QApplication.processEvents()
        widgets = {each for part in parts for each in seen_below(part)}
        assert widgets
        assert [path_of(each) for each in widgets if not shows_focus(window, each)] == []


def seen_below(top: QWidget) -> Iterator[QWidget]:
    for each in top.findChildren(QWidget):
        if each.isVisible() and each.isEnabled() and takes_tab(each):
            yield each


def takes_tab(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None


def shows_focus(window: MainWindow, widget: QWidget) -> bool:
    window.setFocus()
    before = widget.grab().toImage()
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    after = widget.grab().toImage()
    return bool(before != after)


# Help


def test_that_help_tells_of_the_thing_and_of_the_part_it_is_in(window: MainWindow) -> None:
    method = window.steps.panels[2]
    assert isinstance(method, MethodPanel)
    told = help_about(method.dice)

    assert method.dice.toolTip() in told
    assert method.whatsThis() in told


def test_that_there_is_help_wherever_the_keyboard_is(qtbot: QtBot, window: MainWindow) -> None:
    train_one(qtbot, window)
    everywhere = [
        each for each in window.findChildren(QWidget) if takes_tab(each) and each.window() is window
    ]

    assert [path_of(each) for each in everywhere if not help_about(each)] == []


def test_that_a_dialog_has_help_of_its_own(qtbot: QtBot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    give_help(dialog, "what this dialog is for")
    with qtbot.waitActive(dialog):
        dialog.show()
        dialog.activateWindow()

    QTest.keyClick(dialog, Qt.Key.Key_F1)

    (page,) = dialog.findChildren(HelpDialog)
    assert page.isVisible()
    assert dialog.whatsThis() in page.page.toPlainText()
    page.close()


def test_that_about_tells_versions_and_can_be_copied(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = AboutDialog(parent)
    shown = "\n".join(label.text() for label in dialog.findChildren(QLabel))
    dialog.copy.click()

    assert QApplication.clipboard().text() == about_text()
    assert {"Python", "Qt", "NumPy", "Numba"} <= versions().keys()
    for name, number in versions().items():
        assert f"{name} {number}" in shown
        assert f"{name} {number}" in about_text()


def cut_off(top: QWidget) -> Iterator[QWidget]:
    """Texts on the screen that do not fit into their widgets."""
    for each in top.findChildren(QWidget):
        # Some end in "…" where there is no room, and tell the rest by their tips.
        if not each.isVisible() or isinstance(each, Elided | FittingButton) or not _text(each):
            continue
        if isinstance(each, QComboBox):
            wanted = each.fontMetrics().horizontalAdvance(each.currentText())
            fits = wanted <= each.width() - COMBO
        elif isinstance(each, QLabel) and each.wordWrap():
            fits = each.heightForWidth(each.width()) <= each.height() + ROOM
        else:
            hint = each.sizeHint()
            fits = hint.width() <= each.width() + ROOM and hint.height() <= each.height() + ROOM
        if not fits:
            yield each


COMBO = 36
"""Pixels that a drop-down needs beside its text."""


def _text(widget: QWidget) -> str:
    if isinstance(widget, QLabel | QAbstractButton):
        return widget.text() or widget.accessibleName()
    if isinstance(widget, QComboBox) and not widget.isEditable():
        return widget.currentText()
    return ""
