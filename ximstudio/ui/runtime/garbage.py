"""Garbage that is collected in the window's thread only.

Python collects cycles in whichever thread happens to allocate the next object. If that is the lane,
widgets that a person has closed are destroyed there, while Qt still sends them events: the process
dies, seldom and without a word. So as long as there is a lane, nothing is collected by itself.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QObject, QTimer

EVERY_MILLISECONDS = 100
MANY = 50_000
"""Objects that take long to look through, some hundredths of a second."""


class Garbage(QObject):
    """Collects now and then what Python itself would have by then; the youngest only while busy.

    What is imported or compiled meanwhile makes so many objects at once that looking through them
    again would hold the window up. They stay, and are not looked at any more.
    """

    _n_alive: ClassVar[int] = 0

    def __init__(self, parent: QObject, *, busy: Callable[[], bool]) -> None:
        super().__init__(parent)
        self._busy = busy
        self._n_kept = 0
        Garbage._n_alive += 1
        gc.disable()
        # Somebody may forget to call `end`.
        self._ended = weakref.finalize(self, Garbage._leave)
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MILLISECONDS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    @classmethod
    def _leave(cls) -> None:
        cls._n_alive -= 1
        if cls._n_alive == 0:
            gc.enable()

    def collect(self) -> None:
        """Collect the oldest generation that is due, and with it all younger ones."""
        counts = gc.get_count()
        thresholds = enumerate(zip(counts, gc.get_threshold(), strict=True))
        due = [number for number, (count, most) in thresholds if count > most > 0]
        if not due:
            return
        if not self._busy():
            gc.collect(due[-1])
            self._n_kept = 0
            return
        # Not counted by gc.get_objects(): it holds what other threads are still putting together.
        self._n_kept += max(counts[0] - gc.collect(0), 0)
        if self._n_kept > MANY:
            self.settle()
            self._n_kept = 0

    @staticmethod
    def settle() -> None:
        """Never look again at what there is by now: libraries, mostly.

        Collecting it first would free little and take a tenth of a second.
        """
        gc.freeze()

    def end(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        self._ended()
