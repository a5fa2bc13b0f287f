"""Starts the window."""

from __future__ import annotations

import signal
import socket
import sys
from contextlib import suppress

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication

from ximstudio import __version__
from ximstudio.ui.backstage import Backstage
from ximstudio.ui.leaving import Leaving
from ximstudio.ui.look.theme import the_theme
from ximstudio.ui.messages import Watch
from ximstudio.ui.settings import Settings
from ximstudio.ui.window import MainWindow


def start(name: str | None = None) -> int:
    """Show the window, with a table if one is named, until it is closed; the exit code."""
    application = QApplication(sys.argv[:1])
    application.setApplicationName("XIM Studio")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("ximstudio")
    settings = Settings.of_this_person()
    the_theme().dress(application)
    # Before there are widgets, each of which would have to change its colours.
    the_theme().choose(settings.now.scheme)
    watch = Watch()
    watch.begin()
    window = MainWindow(settings)
    watch.happened.connect(window.show_unexpected)
    listening = _Signals(window, Leaving(window))
    Backstage(window)
    window.show()
    window.first_map.begin_if_new()
    if name is not None:
        window.opening.open_named(name)
    try:
        return application.exec()
    finally:
        listening.end()
        watch.end()


class _Signals(QObject):
    """Closes the window on Ctrl-C and kill: Python looks at signals only when it runs code."""

    def __init__(self, window: MainWindow, leaving: Leaving) -> None:
        super().__init__(window)
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        # That Python code runs at all is what counts: the handler is called before it.
        self._notifier.activated.connect(self._read)
        signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        self._before = {
            number: signal.signal(number, lambda *_: leaving.unasked())
            for number in (signal.SIGINT, signal.SIGTERM)
        }

    def end(self) -> None:
        """Leave signals to whoever had them before."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(-1)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._ours.close()
        self._theirs.close()

    def _read(self) -> None:
        with suppress(OSError):
            self._ours.recv(64)
