"""Fixtures shared by all window tests."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from ximstudio import isolated

if TYPE_CHECKING:
    from PySide6.QtGui import QFont, QPalette
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


@pytest.fixture(scope="module", autouse=True)
def _few_to_look_through() -> Iterator[None]:
    """Keep what is there before a module of tests out of the collections after each of them.

    A process that has run thousands of tests holds millions of objects, and a collection looks at
    each: it would take longer than most tests.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def light(qapp: QApplication) -> Iterator[None]:
    """The light theme, whatever a test chooses."""
    from ximstudio.ui.widgets.look.theme import Scheme, the_theme

    assert qapp
    the_theme().choose(Scheme.LIGHT)
    yield
    the_theme().choose(Scheme.LIGHT)


@pytest.fixture(autouse=True)
def _undressed(request: pytest.FixtureRequest) -> None:
    """The application as it is without a theme, for tests that ask for none."""
    if "dressed" not in request.fixturenames:
        WARDROBE.undress()


@pytest.fixture
def dressed(qapp: QApplication) -> Iterator[None]:
    """The application in the light theme."""
    from ximstudio.ui.widgets.look.theme import Scheme, the_theme

    the_theme().choose(Scheme.LIGHT)
    WARDROBE.dress(qapp)
    yield
    the_theme().choose(Scheme.LIGHT)


class Wardrobe:
    """Dresses the application once for all tests in a row that want it dressed.

    Qt reads the style sheet anew whenever it is set: 0.1 s for each test otherwise.
    """

    def __init__(self) -> None:
        self._application: QApplication | None = None
        self._plain: tuple[QPalette, QFont] | None = None
        self._worn: tuple[str, QPalette, QFont] | None = None

    def dress(self, application: QApplication) -> None:
        """Dress the application, unless it is dressed as it was left here."""
        from ximstudio.ui.widgets.look.theme import the_theme

        if self._plain is None:
            self._application = application
            self._plain = application.palette(), application.font()
        if self._worn is None or self._worn != look_of(application):
            the_theme().dress(application)
            self._worn = look_of(application)

    def undress(self) -> None:
        """Take the theme off, if it is on."""
        if self._application is None or self._plain is None:
            return
        self._application.setStyleSheet("")
        self._application.setPalette(self._plain[0])
        self._application.setFont(self._plain[1])
        self._plain = self._worn = None


def look_of(application: QApplication) -> tuple[str, QPalette, QFont]:
    """Style sheet, palette and font of an application."""
    return application.styleSheet(), application.palette(), application.font()


WARDROBE = Wardrobe()


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
