"""The desk: the session that is worked on, and the lane that computes for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from ximstudio.jobs import Lane, Stopped, Task
from ximstudio.model.problem import UserError
from ximstudio.session import Session
from ximstudio.ui.garbage import Garbage

POLL_MILLISECONDS = 12
"""Well below a frame: training makes the next map only when the last was fetched."""


def ignore(*_: Any) -> None:
    """Nothing is to be done about it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Job:
    """Work for the lane, and what the window does about it.

    Parameters
    ----------
    doing
        What a person is told meanwhile: "Reading counts.csv".
    work
        Runs in the lane. It reports fractions from 0 to 1, or news that `heard` understands.
    done
        Gets what the work returned, in the window's thread.
    heard
        Gets the newest report, in the window's thread.
    failed
        Called when the work was stopped, or went wrong.
    quiet
        Whether it is too short to be shown; it is then done before others that wait.
    """

    doing: str
    work: Callable[[Task[Any, Any]], Any]
    done: Callable[[Any], None] = ignore
    heard: Callable[[Any], None] = ignore
    failed: Callable[[], None] = ignore
    quiet: bool = False


class Desk(QObject):
    """Holds the session, changes it by `commit` only, and has the lane compute.

    Everything that is shown follows `changed`. Whatever takes time is a `Job`, one after the other.
    """

    changed = Signal(str)
    """The session is another one; what was done, for people."""
    began = Signal(object)
    """A job begins."""
    progressed = Signal(object, float)
    """A job, and how much of it is done, from 0 to 1."""
    ended = Signal(object)
    """A job has ended, well or not."""
    refused = Signal(object)
    """Problems that a person has to know about."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = Session()
        self._garbage = Garbage(self, busy=lambda: not self.idle)
        self._lane = Lane()
        self._waiting: deque[Job] = deque()
        self._job: Job | None = None
        self._task: Task[Any, Any] | None = None
        self._closed = False
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MILLISECONDS)
        self._timer.timeout.connect(self._poll)

    def commit(self, session: Session, what: str) -> None:
        """Make this the session; `what` was done to the one before."""
        self.session = session
        self.changed.emit(what)

    def update(self, what: str, **changes: Any) -> None:
        """Commit the session with some parts changed."""
        self.commit(replace(self.session, **changes), what)

    @property
    def job(self) -> Job | None:
        """What is computed now."""
        return self._job

    @property
    def idle(self) -> bool:
        """Whether nothing is computed and nothing waits."""
        return self._job is None and not self._waiting

    def start(self, job: Job) -> None:
        """Queue a job; nothing is begun any more once the desk is closed."""
        if self._closed:
            return
        if job.quiet:
            self._waiting.appendleft(job)
        else:
            self._waiting.append(job)
        self._begin_next()

    def stop(self) -> None:
        """Ask the present job to end; what it gives by then is up to it."""
        if self._task is not None:
            self._task.stop()

    def forget(self, which: Callable[[Job], bool]) -> None:
        """Drop jobs that have not begun."""
        self._waiting = deque(job for job in self._waiting if not which(job))

    def close(self, seconds: float = 5.0) -> bool:
        """Stop everything; whether the lane's thread ended in time."""
        self._closed = True
        self._waiting.clear()
        self.stop()
        self._timer.stop()
        ended = self._lane.close(seconds)
        if ended:
            self._garbage.end()
        return ended

    def _begin_next(self) -> None:
        if self._job is not None or not self._waiting:
            return
        self._job = self._waiting.popleft()
        self._task = self._lane.start(self._job.work)
        self._timer.start()
        self.began.emit(self._job)

    def _poll(self) -> None:
        job, task = self._job, self._task
        if job is None or task is None:
            self._timer.stop()
            return
        ended = task.wait(0)
        news = task.newest()
        if isinstance(news, float):
            self.progressed.emit(job, news)
        elif news is not None:
            job.heard(news)
        if ended:
            self._finish(job, task)

    def _finish(self, job: Job, task: Task[Any, Any]) -> None:
        self._job = self._task = None
        try:
            outcome = task.outcome()
        except Stopped:
            job.failed()
        except UserError as error:
            job.failed()
            self.refused.emit(error.problems)
        except BaseException:
            # The hook shows what happened, and the window goes on.
            job.failed()
            raise
        else:
            job.done(outcome)
        finally:
            self.ended.emit(job)
            self._begin_next()
