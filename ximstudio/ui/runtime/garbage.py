"""Collect garbage in the window's thread only.

Python collects cycles in whichever thread allocates the next object. In a background lane that
would destroy closed widgets while Qt still sends them events, and the process would crash, rarely
and without a message. So automatic collection is off as long as there are lanes.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QObject, QTimer

EVERY_MILLISECONDS = 100
MANY = 50_000
"""Objects that take some hundredths of a second to look through."""


class Garbage(QObject):
    """Collects at intervals what Python would have collected by then.

    While jobs run, only the youngest generation is collected. Imports and compilation create so
    many objects that looking through them again would block the window; these are frozen.
    """

    _n_alive: ClassVar[int] = 0

    def __init__(self, parent: QObject, *, busy: Callable[[], bool]) -> None:
        super().__init__(parent)
        self._busy = busy
        self._n_kept = 0
        Garbage._n_alive += 1
        gc.disable()
        # In case `end` is never called.
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
        """Collect the oldest generation that is due, and all younger ones."""
        counts = gc.get_count()
        thresholds = enumerate(zip(counts, gc.get_threshold(), strict=True))
        due = [number for number, (count, most) in thresholds if count > most > 0]
        if not due:
            return
        if not self._busy():
            gc.collect(due[-1])
            self._n_kept = 0
            return
        # Not by gc.get_objects(): it contains objects that other threads are still building.
        self._n_kept += max(counts[0] - gc.collect(0), 0)
        if self._n_kept > MANY:
            self.settle()
            self._n_kept = 0

    @staticmethod
    def settle() -> None:
        """Exclude all present objects, mostly of libraries, from further collections.

        Collecting them first would free little and take a tenth of a second.
        """
        gc.freeze()

    def end(self) -> None:
        """Turn automatic collection on again."""
        self._timer.stop()
        self._ended()
