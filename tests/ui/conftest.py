"""Fixtures shared by all window tests."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from ximstudio import isolated

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from ximstudio.ui.app.window import MainWindow

KERNEL_SECONDS = 60


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """Delete what a test closed, and fail if a thread of it goes on."""
    before = set(threading.enumerate())
    yield
    delete_closed()
    take_the_mouse_away()
    # The child process that is kept for the next file has threads, which are no leak.
    isolated.close()
    left = [thread for thread in threading.enumerate() if thread not in before]
    for thread in left:
        # One that loads a kernel, once in a process, cannot be asked to end, but will.
        thread.join(KERNEL_SECONDS)
    assert [thread.name for thread in left if thread.is_alive()] == []


@pytest.fixture
def light(qapp: QApplication) -> Iterator[None]:
    """The light theme, whatever a test chooses."""
    from ximstudio.ui.widgets.look.theme import Scheme, the_theme

    assert qapp
    the_theme().choose(Scheme.LIGHT)
    yield
    the_theme().choose(Scheme.LIGHT)


@pytest.fixture
def dressed(qapp: QApplication) -> Iterator[None]:
    """The application in the light theme, and as it was before afterwards."""
    from ximstudio.ui.widgets.look.theme import Scheme, the_theme

    before = qapp.palette(), qapp.font()
    the_theme().choose(Scheme.LIGHT)
    the_theme().dress(qapp)
    yield
    the_theme().choose(Scheme.LIGHT)
    qapp.setStyleSheet("")
    qapp.setPalette(before[0])
    qapp.setFont(before[1])


def delete_closed() -> None:
    """Delete closed widgets now: Qt would wait for an event loop, and style them until then.

    Cycles, too, here and not in a lane: see ximstudio/ui/runtime/garbage.py.
    """
    from PySide6.QtCore import QCoreApplication, QEvent

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if not gc.isenabled():
        gc.collect()


def take_the_mouse_away() -> None:
    """Move the mouse off all windows: else it points at something in those of the next test."""
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QCursor, QGuiApplication

    if QGuiApplication.instance() is not None and not QCursor.pos().isNull():
        QCursor.setPos(QPoint(0, 0))


@pytest.fixture
def mapped(qtbot: QtBot, dressed: None) -> Iterator[MainWindow]:
    """The window with a small map of the sample, without the time that training takes."""
    from tests.ui.windows import shown_window, take_ready, with_sample

    assert dressed is None
    window = with_sample(qtbot, shown_window(qtbot))
    take_ready(qtbot, window)
    yield window
    window.close()
