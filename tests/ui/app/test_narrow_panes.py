"""Controls above the views where panes are narrow: nothing is cut off or lies below another."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.windows import shown_window, train_one, wait_idle, with_sample
from ximstudio.ui.views.common.canvas_view import CanvasView
from ximstudio.ui.views.common.chooser import NARROW
from ximstudio.ui.views.common.view import Empty
from ximstudio.ui.views.compare.view import PAGES, CompareView
from ximstudio.ui.views.positions.view import PositionsView

pytestmark = pytest.mark.usefixtures("dressed")
SIZES = ((1280, 800), (900, 600))


def place(part: QWidget, within: QWidget) -> QRect:
    """Where a part is seen in a widget, cut by all that is around it."""
    seen = QRect(part.mapTo(within, QPoint(0, 0)), part.size())
    around = part.parentWidget()
    while around is not None and around is not within:
        seen = seen.intersected(QRect(around.mapTo(within, QPoint(0, 0)), around.size()))
        around = around.parentWidget()
    return seen


def test_that_drop_downs_keep_their_arrows_and_pages_their_names(qtbot: QtBot) -> None:
    window = with_sample(qtbot, shown_window(qtbot))
    train_one(qtbot, window)
    for size in SIZES:
        window.resize(*size)
        for split in ("1", "2"):
            window.views.show_panes(split)
            window.views.pane.show_view("positions")
            wait_idle(qtbot, window)
            view = window.views.pane.view
            assert isinstance(view, PositionsView)
            drop_downs = (view.colouring.what, view.colouring.which)
            for each in drop_downs:
                # All of it is seen, with its arrow, and some letters.
                qtbot.waitUntil(partial(is_whole, each, view))
            window.views.pane.show_view("compare")
            wait_idle(qtbot, window)
            compare = window.views.pane.view
            assert isinstance(compare, CompareView)
            if compare.pages.isVisible():
                for key in PAGES:
                    button = compare.pages.button(key)
                    assert button.width() >= button.fontMetrics().horizontalAdvance(PAGES[key])
            else:
                assert compare.narrow_pages.isVisible()
                last = compare.narrow_pages.count() - 1
                compare.narrow_pages.setCurrentIndex(last)
                compare.narrow_pages.activated.emit(last)
                assert compare.pages.value == list(PAGES)[-1]
                compare.pages.button("maps").click()
                assert compare.narrow_pages.currentIndex() == 0
    window.close()


def is_whole(part: QWidget, view: CanvasView[Any, Any]) -> bool:
    seen = place(part, view)
    tools = QRect(view.tools.pos(), view.tools.size())
    hidden = view.tools.isVisible() and seen.intersects(tools)
    return seen.width() == part.width() >= NARROW and not hidden


def test_that_all_tabs_are_seen_in_four_panes_of_a_small_window(qtbot: QtBot) -> None:
    window = with_sample(qtbot, shown_window(qtbot))
    window.resize(*SIZES[-1])
    window.views.show_panes("4")
    wait_idle(qtbot, window)
    for pane in window.views.panes:
        tabs = pane.tabs
        qtbot.waitUntil(partial(lambda tabs: tabs.sizeHint().width() <= tabs.width(), tabs))
        last = tabs.tabRect(tabs.count() - 1)
        assert tabs.rect().contains(last)
        # The arrows that scroll tabs would lie above the last ones.
        assert not any(each.isVisible() for each in tabs.findChildren(QToolButton))
        assert tabs.iconSize().width() <= last.width()
    window.close()


@pytest.mark.parametrize("height", [60, 110, 150, 190, 260, 400])
def test_that_a_page_with_nothing_to_see_overlaps_nothing(qtbot: QtBot, height: int) -> None:
    page = Empty("compare")
    qtbot.addWidget(page)
    page.show_message("Nothing to compare yet", "Train four methods on the same data. " * 4)
    page.show_message("Nothing yet", "Train four methods on the same data. " * 4, action="Train")
    page.resize(250, height)
    with qtbot.waitExposed(page):
        page.show()
    seen = [each for each in page.findChildren(QWidget) if each.isVisible()]
    places = [each.geometry() for each in seen]
    assert seen
    assert all(page.rect().contains(each) for each in places)
    assert not any(one.intersects(other) for one, other in combinations(places, 2))
    # What is left out for want of room is still said.
    texts = {each.text() for each in seen if isinstance(each, QLabel)} | {page.toolTip()}
    assert any("four methods" in each for each in texts)
    page.resize(250, 500)
    qtbot.waitUntil(lambda: len([e for e in page.findChildren(QWidget) if e.isVisible()]) == 4)
    assert not page.toolTip()


@pytest.mark.parametrize(("folded", "places"), [(True, (0, 1, 2, 3)), (False, (0, 2))])
def test_that_panes_never_overlap_in_a_small_window(
    qtbot: QtBot, folded: bool, places: tuple[int, ...]
) -> None:
    window = with_sample(qtbot, shown_window(qtbot))
    window.resize(900, 600)
    window.views.show_panes("4")
    window.page.panel.show_folded(folded)
    wait_idle(qtbot, window)
    panes = [window.views.panes[number] for number in places]
    qtbot.waitUntil(lambda: list(window.views.seen) == panes)
    boxes = [QRect(pane.mapTo(window.views, QPoint(0, 0)), pane.size()) for pane in panes]
    assert not any(one.intersects(other) for one, other in combinations(boxes, 2))
    assert all(window.views.rect().contains(box) for box in boxes)
    # With more room all of them are there again.
    window.resize(1400, 800)
    qtbot.waitUntil(lambda: len(window.views.seen) == len(window.views.panes))
    window.close()
