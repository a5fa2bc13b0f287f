"""Start the process of the window."""

from __future__ import annotations

import signal
import socket
import sys
from contextlib import suppress

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication

from ximstudio import __version__
from ximstudio.ui.app.quit_guard import QuitGuard
from ximstudio.ui.app.warm_up import WarmUp
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.runtime.messages import Watch
from ximstudio.ui.runtime.settings import Settings
from ximstudio.ui.widgets.look.theme import the_theme


def start(name: str | None = None) -> int:
    """Show the window, optionally with a file, until it is closed; return the exit code."""
    application = QApplication(sys.argv[:1])
    application.setApplicationName("XIM Studio")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("ximstudio")
    settings = Settings.of_this_person()
    the_theme().dress(application)
    # Before there are widgets that would have to be recoloured.
    the_theme().choose(settings.now.scheme)
    watch = Watch()
    watch.begin()
    window = MainWindow(settings)
    watch.happened.connect(window.show_unexpected)
    listening = _Signals(window, QuitGuard(window))
    WarmUp(window)
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
    """Close the window on Ctrl-C and kill; a timer runs Python code so that signals are seen."""

    def __init__(self, window: MainWindow, leaving: QuitGuard) -> None:
        super().__init__(window)
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        # An empty call is enough: Python calls signal handlers before it.
        self._notifier.activated.connect(self._read)
        signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        self._before = {
            number: signal.signal(number, lambda *_: leaving.unasked())
            for number in (signal.SIGINT, signal.SIGTERM)
        }

    def end(self) -> None:
        """Restore the previous signal handlers."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(-1)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._ours.close()
        self._theirs.close()

    def _read(self) -> None:
        with suppress(OSError):
            self._ours.recv(64)
