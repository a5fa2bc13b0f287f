"""Controls above the views where panes are narrow: nothing is cut off or lies below another."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui.windows import shown_window, train_one, wait_idle, with_sample
from ximstudio.ui.views.canvas_view import CanvasView
from ximstudio.ui.views.chooser import NARROW
from ximstudio.ui.views.compare.view import PAGES, CompareView
from ximstudio.ui.views.positions_view import PositionsView

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


def is_whole(part: QWidget, view: CanvasView) -> bool:
    seen = place(part, view)
    tools = QRect(view.tools.pos(), view.tools.size())
    hidden = view.tools.isVisible() and seen.intersects(tools)
    return seen.width() == part.width() >= NARROW and not hidden
