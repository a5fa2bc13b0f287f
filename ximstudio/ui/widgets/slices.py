"""Run queued calls one per event-loop iteration."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QTimer


class EventLoopSlices(QObject):
    """Split long work in the window's thread into short calls.

    All instances share one queue. It makes one call, lets the window paint and handle events in the
    next iteration of the event loop, and then makes the next call: the window stays responsive.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._calls: list[Callable[[], object]] = []

    @property
    def idle(self) -> bool:
        """True if no calls are pending."""
        return not self._calls

    def schedule(self, *calls: Callable[[], object]) -> None:
        """Make these calls in place of those that are pending."""
        self._calls = list(calls)
        _slice_queue().join(self)

    def cancel(self) -> None:
        """Drop the pending calls."""
        self._calls = []
        _slice_queue().leave(self)

    def run_through(self, pieces: Iterator[object], then: Callable[[], None]) -> None:
        """Exhaust an iterator, one item per call, and then call `then`."""
        end = object()

        def go_on() -> None:
            if next(pieces, end) is end:
                then()
            else:
                self.schedule(go_on)

        self.schedule(go_on)

    def run_next(self) -> None:
        """Make the next call, if there is one."""
        if self._calls:
            self._calls.pop(0)()


class _SliceQueue(QObject):
    """Round-robin queue of all EventLoopSlices with pending calls."""

    def __init__(self, application: QCoreApplication) -> None:
        super().__init__(application)
        self._waiting: deque[EventLoopSlices] = deque()
        self._runs = False
        """True if this iteration makes a call; every second one is left for painting."""
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._next)

    def join(self, slices: EventLoopSlices) -> None:
        """Append to the queue, unless queued already."""
        if slices not in self._waiting:
            self._waiting.append(slices)
        self._timer.start()

    def leave(self, slices: EventLoopSlices) -> None:
        """Remove from the queue."""
        if slices in self._waiting:
            self._waiting.remove(slices)
        if not self._waiting:
            self._timer.stop()

    def _next(self) -> None:
        self._runs = not self._runs
        if not self._runs:
            return
        slices = self._waiting.popleft()
        try:
            # The parent widget, and its slices with it, may have been deleted.
            if shiboken6.isValid(slices):
                slices.run_next()
        finally:
            if shiboken6.isValid(slices) and not slices.idle:
                self.join(slices)
            if not self._waiting:
                self._timer.stop()


def _slice_queue() -> _SliceQueue:
    """Return the queue of this application, which does not outlive it."""
    application = QCoreApplication.instance()
    assert application is not None
    return application.findChild(_SliceQueue) or _SliceQueue(application)
