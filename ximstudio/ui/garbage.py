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

EVERY_MILLISECONDS = 250
OLDEST = 2
"""The generation that takes longest to look through, a tenth of a second and more."""


class Garbage(QObject):
    """Collects now and then what Python itself would have by then; the oldest only at rest."""

    _n_alive: ClassVar[int] = 0

    def __init__(self, parent: QObject, *, busy: Callable[[], bool]) -> None:
        super().__init__(parent)
        self._busy = busy
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
        counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [number for number, (count, most) in enumerate(counts) if count > most > 0]
        if due and self._busy():
            gc.collect(min(due[-1], OLDEST - 1))
        elif due:
            gc.collect(due[-1])

    @staticmethod
    def settle() -> None:
        """Collect all there is, and never look again at what is left: libraries, mostly."""
        gc.collect()
        gc.freeze()

    def end(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        self._ended()
