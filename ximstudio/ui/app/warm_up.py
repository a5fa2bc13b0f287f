"""What is made ready while a person looks at the first page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QEvent, QObject, QTimer, Signal

from ximstudio.jobs import Task
from ximstudio.ui.desk import Job
from ximstudio.ui.garbage import Garbage
from ximstudio.ui.window import MainWindow

CLASSES_AT_ONCE = 16
EVERY_MILLISECONDS = 2
"""Not 0: everybody else's timers come in between."""


class Backstage(QObject):
    """Begins when the window has been painted, and goes on in pieces too short to be felt.

    Whatever a person asks for meanwhile comes first, and does not have to wait for the rest.
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
        """Begin after the first paint."""
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
        self._window.studio.ahead.begin()
        self._tell_unkept()
        # A person who chooses another view is not to wait for it.
        yield from self._window.page.views.panes[0].build()
        self._timer.stop()
        self.ready.emit()

    def _tell_unkept(self) -> None:
        from ximstudio.session.ahead import unkept

        if problems := unkept():
            self._window.desk.refused.emit(problems)

    def _in_lane(self, work: Callable[[Task[float, None]], None]) -> Iterator[None]:
        def over(*_: object) -> None:
            Garbage.settle()
            self._timer.start()

        self._timer.stop()
        self._window.desk.start(
            Job(doing="Getting ready", work=work, done=over, failed=over, quiet=True)
        )
        yield


def touch(module: ModuleType) -> Iterator[None]:
    """Bring the classes of a part of Qt into being, some at a time.

    They are made when first looked at, which two threads must not do at once, and pyqtgraph looks
    at all of them when it is imported.
    """
    for number, name in enumerate(dir(module)):
        # Some that a class brought along can only be looked at in it.
        getattr(module, name, None)
        if number % CLASSES_AT_ONCE == 0:
            yield


def load_drawing(task: Task[float, None]) -> None:
    """Import all that the page behind the first one is built of."""
    import pyqtgraph  # noqa: F401

    task.check()
    import ximstudio.ui.panels.steps
    import ximstudio.ui.runs

    task.check()
    import ximstudio.ui.views.area  # noqa: F401


def load_computing(task: Task[float, None]) -> None:
    """Import what reads tables, compiles and exports, and load the loop that draws points."""
    import ximstudio.load.formats
    from ximstudio.load.isolation import warm_up

    # The first workbook or HDF5 file is not to wait for the process that reads it.
    warm_up()
    task.check()
    import ximstudio.kernels.compiler

    task.check()
    from ximstudio.pictures.raster import dots

    dots.warm_up()
    task.check()
    # Nobody is to wait for dialogs either; what draws figures is imported with the first.
    import ximstudio.ui.dialogs.export_dialog

    task.check()
    import ximstudio.ui.dialogs.import_dialog  # noqa: F401
