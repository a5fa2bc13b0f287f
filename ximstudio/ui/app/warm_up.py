"""Build and import parts of the window while the welcome page is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QEvent, QObject, QTimer, Signal

from ximstudio.jobs import Task
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.runtime.garbage import Garbage
from ximstudio.ui.runtime.job_queue import Job

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
        self._report_unkept()
        # Switching to another view should not have to wait for it.
        yield from self._window.page.views.panes[0].build()
        self._timer.stop()
        self.ready.emit()

    def _report_unkept(self) -> None:
        from ximstudio.kernels.compiler import cache_problems

        if problems := cache_problems():
            self._window.jobs.refused.emit(problems)

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
