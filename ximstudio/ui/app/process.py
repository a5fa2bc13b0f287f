"""Start the process of the window, prepare its parts, and ask before unsaved work is lost."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import ModuleType

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QEvent, QObject, QSocketNotifier, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from ximstudio import __version__
from ximstudio.jobs import Task
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.runtime.garbage import Garbage
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.messages import Watch
from ximstudio.ui.runtime.settings import Settings
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.question import Question

CLASSES_AT_ONCE = 16
EVERY_MILLISECONDS = 2
"""Not 0, so that other timers run in between."""


class WarmUp(QObject):
    """Prepare the rest of the window after the first paint, in short slices.

    Anything that the user asks for meanwhile comes first.
    """

    ready = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._pieces = self._all()
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MILLISECONDS)
        self._timer.timeout.connect(self._go_on)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Start after the first paint."""
        if event.type() is QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self._timer.start()
        return False

    def _go_on(self) -> None:
        next(self._pieces, None)

    def _all(self) -> Iterator[None]:
        for module in (QtCore, QtGui, QtWidgets):
            yield from touch(module)
        yield from self._in_lane(load_drawing)
        self._window.recovering.look()
        while self._window.page.build():
            yield
        yield from self._in_lane(load_computing)
        self._window.user_actions.ahead.begin()
        from ximstudio.kernels.compiler import cache_problems

        if problems := cache_problems():
            self._window.jobs.refused.emit(problems)
        # Switching to another view should not have to wait for it.
        yield from self._window.page.views.panes[0].build()
        self._timer.stop()
        self.ready.emit()

    def _in_lane(self, work: Callable[[Task[float, None]], None]) -> Iterator[None]:
        def over(*_: object) -> None:
            Garbage.settle()
            self._timer.start()

        self._timer.stop()
        self._window.jobs.start(
            Job(label="Getting ready", work=work, done=over, failed=over, quiet=True)
        )
        yield


def touch(module: ModuleType) -> Iterator[None]:
    """Create the classes of a Qt module, a few at a time.

    PySide6 creates them on first access, which is not thread-safe, and importing pyqtgraph accesses
    all of them.
    """
    for number, name in enumerate(dir(module)):
        # Some names are only accessible through their class.
        getattr(module, name, None)
        if number % CLASSES_AT_ONCE == 0:
            yield


def load_drawing(task: Task[float, None]) -> None:
    """Import everything that the workspace is built of."""
    import pyqtgraph  # noqa: F401

    task.check()
    import ximstudio.ui.panels.runs.strip
    import ximstudio.ui.panels.steps

    task.check()
    import ximstudio.ui.views.area  # noqa: F401


def load_computing(task: Task[float, None]) -> None:
    """Import loading, compiling and exporting, and load the kernel that draws points."""
    from ximstudio.load.format import every_format
    from ximstudio.load.isolation import warm_up

    every_format()
    # Start the child process that reads workbooks and HDF5 files before it is needed.
    warm_up()
    task.check()
    import ximstudio.kernels.compiler

    task.check()
    from ximstudio.pictures.raster import dots

    dots.warm_up()
    task.check()
    # Dialogs, too; figures are imported with the export dialog.
    import ximstudio.ui.dialogs.exporting.dialog

    task.check()
    import ximstudio.ui.dialogs.importing.dialog  # noqa: F401


class QuitGuard(QObject):
    """Event filter that asks about unsaved work before the window closes.

    If the system ends the session or the process, nobody can answer: see `unasked`.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._settled = False
        self._waits = False
        """True to close the window as soon as its session is saved."""
        self.question: Question | None = None
        window.installEventFilter(self)
        window.jobs.ended.connect(self._look)
        window.jobs.refused.connect(self._stay)

    def now(self) -> None:
        """Close the window without a question."""
        self._settled = True
        self._window.close()

    def unasked(self) -> None:
        """Close the window without a question; unsaved work is offered at the next start."""
        self._window.autosaving.stay()
        self.now()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Return whether the close event is blocked, at least until the question is answered."""
        if watched is not self._window or event.type() is not QEvent.Type.Close:
            return False
        keeping = self._window.keeping
        if self._settled or not (keeping.loses or keeping.is_saving):
            return False
        if _session_ends():
            self._window.autosaving.stay()
            return False
        event.ignore()
        if keeping.is_saving:
            # Closing would cancel saving.
            self._waits = True
        else:
            self._ask()
        return True

    def _ask(self) -> None:
        if self.question is not None:
            return
        self.question = self._window.keeping.unless_lost(self._window, self.now, no="Keep working")
        if self.question is not None:
            self.question.finished.connect(self._answered)

    def _stay(self) -> None:
        """Cancel closing, so that the user can read why saving failed."""
        self._waits = False

    def _look(self) -> None:
        """Close or ask again after saving has ended."""
        if self._waits and not self._window.keeping.is_saving:
            self._waits = False
            self._window.close()

    def _answered(self) -> None:
        self.question = None


def _session_ends() -> bool:
    application = QGuiApplication.instance()
    return isinstance(application, QGuiApplication) and application.isSavingSession()


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
