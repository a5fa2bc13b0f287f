"""Doing much without keeping anybody waiting."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QTimer


class Turns(QObject):
    """Calls one after the other; in between the window is painted, and listens.

    Of all that are in line, whoever they belong to, one call is made in a turn of the event loop,
    and what it changed is painted in the next: a person would wait for as long as all of it takes.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._calls: list[Callable[[], object]] = []

    @property
    def over(self) -> bool:
        """Whether all calls were made."""
        return not self._calls

    def take(self, *calls: Callable[[], object]) -> None:
        """Make these calls from now on, and none of those that were not made yet."""
        self._calls = list(calls)
        if calls:
            _the_line().join(self)
        else:
            _the_line().leave(self)

    def go_through(self, pieces: Iterator[object], then: Callable[[], None]) -> None:
        """Take the pieces one after the other, and go on with `then`."""
        over = object()

        def go_on() -> None:
            if next(pieces, over) is over:
                then()
            else:
                self.take(go_on)

        self.take(go_on)

    def next(self) -> None:
        """Make the next call, if any is left."""
        if self._calls:
            self._calls.pop(0)()


class _Line(QObject):
    """Whose turn it is: one after the other, and then the first again."""

    def __init__(self, application: QCoreApplication) -> None:
        super().__init__(application)
        self._waiting: deque[Turns] = deque()
        self._paints = False
        """Whether the window is painted in this turn, after a call in the last one."""
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._next)

    def join(self, turns: Turns) -> None:
        """Put somebody at the end, unless they wait already."""
        if turns not in self._waiting:
            self._waiting.append(turns)
        self._timer.start()

    def leave(self, turns: Turns) -> None:
        """Have somebody wait no longer."""
        if turns in self._waiting:
            self._waiting.remove(turns)
        if not self._waiting:
            self._timer.stop()

    def _next(self) -> None:
        self._paints = not self._paints
        if not self._paints:
            return
        turns = self._waiting.popleft()
        try:
            # Those whose widget is gone want nothing any more.
            if shiboken6.isValid(turns):
                turns.next()
        finally:
            if shiboken6.isValid(turns) and not turns.over:
                self.join(turns)
            if not self._waiting:
                self._timer.stop()


def _the_line() -> _Line:
    """The line of this application, which does not outlive it."""
    application = QCoreApplication.instance()
    assert application is not None
    return application.findChild(_Line) or _Line(application)
