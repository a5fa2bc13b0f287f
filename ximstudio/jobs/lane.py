"""The compute lane: one plain Python thread, a newest-only mailbox, and a way to stop.

A plain thread, not one of Qt's: those have 512 KB of stack on macOS, which overflows while numba
compiles.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Outcome = TypeVar("Outcome")
News = TypeVar("News")


class Stopped(Exception):  # noqa: N818  (not an error: somebody asked for it)
    """Raised inside a task's work to end it, and by `outcome` of a task that was stopped."""


class Task(Generic[News, Outcome]):
    """Work under way in the lane, seen from both sides.

    The work calls `report` and `check`; its owner calls `newest`, `wait`, `stop` and `outcome`.
    """

    def __init__(self, work: Callable[[Task[News, Outcome]], Outcome]) -> None:
        self._work = work
        self._stop = threading.Event()
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._news: News | None = None
        self._outcome: list[Outcome] = []
        self._error: BaseException | None = None

    def report(self, news: News) -> None:
        """Put news into the mailbox, replacing unread news; raise Stopped if asked to stop."""
        self.check()
        with self._lock:
            self._news = news

    def check(self) -> None:
        """Raise Stopped if the task was asked to stop."""
        if self._stop.is_set():
            raise Stopped

    @property
    def is_stopped(self) -> bool:
        """True if the task was asked to stop."""
        return self._stop.is_set()

    @property
    def is_read(self) -> bool:
        """True if the last news were fetched: then it is worth making more."""
        return self._news is None

    def newest(self) -> News | None:
        """Return the newest news once; None if there are none since the last call."""
        with self._lock:
            news, self._news = self._news, None
        return news

    def stop(self) -> None:
        """Ask the work to end at its next report."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Return whether the work ended within this time."""
        return self._done.wait(seconds)

    def outcome(self) -> Outcome:
        """Return what the work returned, or raise what it raised."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._outcome[0]

    def _run(self) -> None:
        try:
            self.check()
            self._outcome.append(self._work(self))
        except BaseException as error:
            self._error = error
        finally:
            self._done.set()


class Lane:
    """One thread in which all computing is done, one task after the other."""

    def __init__(self) -> None:
        self._waiting: list[Task[object, object]] = []
        self._changed = threading.Condition()
        self._closed = False
        # A daemon: a library call that cannot be interrupted must not keep the program alive.
        self._thread = threading.Thread(target=self._loop, name="compute lane", daemon=True)
        self._thread.start()

    def start(self, work: Callable[[Task[News, Outcome]], Outcome]) -> Task[News, Outcome]:
        """Queue work; it runs after all earlier work."""
        task = Task(work)
        with self._changed:
            if self._closed:
                raise RuntimeError("the lane is closed")
            self._waiting.append(task)  # type: ignore[arg-type]
            self._changed.notify()
        return task

    def close(self, seconds: float | None = None) -> bool:
        """Take no more work; return whether the thread ended within this time."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _loop(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return
                task = self._waiting.pop(0)
            task._run()
            # The thread may wait here for hours: it must not keep the last task's arrays alive.
            del task
