"""Doing much without keeping anybody waiting."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Turns(QObject):
    """Calls one after the other; in between the window is painted, and listens."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._calls: list[Callable[[], None]] = []
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._next)

    @property
    def over(self) -> bool:
        """Whether all calls were made."""
        return not self._calls

    def take(self, *calls: Callable[[], None]) -> None:
        """Make these calls from now on, and none of those that were not made yet."""
        self._calls = list(calls)
        if calls:
            self._timer.start()
        else:
            self._timer.stop()

    def _next(self) -> None:
        call = self._calls.pop(0)
        # Before the call: that may be the last to know whose timer this is.
        if not self._calls:
            self._timer.stop()
        call()
