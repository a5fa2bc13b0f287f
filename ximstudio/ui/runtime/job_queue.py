"""Jobs that compute in background threads, and the queue that runs them."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from ximstudio.jobs import Lane, Stopped, Task
from ximstudio.model.problem import Problem, UserError
from ximstudio.ui.runtime.garbage import Garbage
from ximstudio.ui.widgets.slices import EventLoopSlices

SWITCH_SECONDS = 0.0005
"""Seconds that one thread keeps the interpreter while another waits; Python uses 0.005."""
POLL_MILLISECONDS = 12
"""Well below a frame: training makes the next map only after the last was fetched."""
DEFER_MILLISECONDS = 100
"""Delay of a deferred job, so that the window can paint first."""


class JobProgress(Protocol):
    """A report that says how much of the work is done."""

    @property
    def fraction(self) -> float:
        """From 0 to 1."""


News = TypeVar("News", bound=float | JobProgress)
Outcome = TypeVar("Outcome")


def ignore(*_: object) -> None:
    """Do nothing."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Job(Generic[News, Outcome]):
    """Work for a background lane, and the callbacks for its end in the window's thread.

    Parameters
    ----------
    label
        Text for the user while it runs: "Reading counts.csv".
    work
        Runs in the lane. It reports fractions from 0 to 1, or values with a `fraction`.
    done
        Gets what the work returned.
    reported
        Gets the newest report.
    refused
        Gets the problems if the work raised a UserError; None leaves them to the queue's signal.
    failed
        Called if the work ended without a result: stopped, refused, or by an error.
    quiet
        Whether it is short and not shown to the user. Quiet jobs have a lane of their own.
    series
        Whether it is a long series, such as many maps, with a lane of its own: other jobs do not
        wait for it, and it takes the cores that they leave.
    file
        Whether it reads or writes a session file, in a lane of its own.
    first
        Whether it starts before all jobs that wait for the same lane.
    deferred
        Whether it starts a moment later, so that the window can paint first.
    returns_when_stopped
        Whether the work returns what it has when it is asked to stop, and so checks for that
        itself. All other work is ended wherever it computes.
    """

    label: str
    work: Callable[[Task[News, Outcome]], Outcome]
    done: Callable[[Outcome], None] = ignore
    reported: Callable[[News], None] = ignore
    refused: Callable[[tuple[Problem, ...]], None] | None = None
    failed: Callable[[], None] = ignore
    quiet: bool = False
    series: bool = False
    file: bool = False
    first: bool = False
    deferred: bool = False
    returns_when_stopped: bool = False

    def run(self, task: Task[News, Outcome]) -> Outcome:
        """Do the work; called in the lane."""
        if self.returns_when_stopped:
            return self.work(task)
        # Imported late: the welcome page does without it.
        from ximstudio.kernels.parallel import checking

        with checking(task.check):
            return self.work(task)


AnyJob: TypeAlias = Job[Any, Any]
"""A job, whatever it computes: its callbacks were checked against its work when it was made."""


def fraction_of(news: float | JobProgress) -> float:
    """Return how much of the work is done, from 0 to 1."""
    return news if isinstance(news, float | int) else news.fraction


class JobQueue(QObject):
    """Runs jobs in background lanes and delivers their results in the window's thread.

    Each lane runs one job at a time. Quiet jobs, long series and session files have lanes of their
    own, so that a view is drawn while a map is measured, and the user can go on meanwhile.
    """

    began = Signal(object)
    """A job begins."""
    progressed = Signal(object, float)
    """A job, and how much of it is done, from 0 to 1."""
    ended = Signal(object)
    """A job has ended, with or without a result."""
    refused = Signal(object)
    """Problems to show to the user: a job, or a request for one, was refused."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Nearly every Qt call releases the interpreter's lock. If a lane runs Python code, each
        # call waits this long to get it back, and building a dialog takes hundreds of them.
        sys.setswitchinterval(SWITCH_SECONDS)
        self._garbage = Garbage(self, busy=lambda: not self.idle)
        self._main, self._series, self._quiet = _Track(self), _Track(self), _Track(self)
        self._files = _Track(self)
        self._tracks = (self._main, self._series, self._files, self._quiet)
        self._closed = False
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MILLISECONDS)
        self._timer.timeout.connect(self._poll)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(DEFER_MILLISECONDS)
        self._later.timeout.connect(self._begin_deferred)

    @property
    def current(self) -> AnyJob | None:
        """The running job of the main lane."""
        return self._main.job

    @property
    def series(self) -> AnyJob | None:
        """The running long series."""
        return self._series.job

    @property
    def file(self) -> AnyJob | None:
        """The running job that reads or writes a session file, unless it is quiet."""
        job = self._files.job
        return None if job is None or job.quiet else job

    @property
    def running(self) -> tuple[AnyJob, ...]:
        """All running jobs, quiet ones last."""
        return tuple(track.job for track in self._tracks if track.job is not None)

    @property
    def waiting(self) -> tuple[AnyJob, ...]:
        """All jobs that have not begun."""
        return tuple(job for track in self._tracks for job in track.waiting)

    def before(self, job: AnyJob | None) -> str:
        """Return the label of the job that a waiting one waits for; '' if it does not wait."""
        for track in self._tracks:
            if job in track.waiting and track.job is not None:
                return track.job.label
        return ""

    @property
    def idle(self) -> bool:
        """True if no job runs or waits."""
        return all(track.job is None and not track.waiting for track in self._tracks)

    def start(self, job: Job[News, Outcome]) -> None:
        """Queue a job; a closed queue ignores it."""
        if self._closed:
            return
        track = self._track_of(job)
        if job.first:
            track.waiting.appendleft(job)
        else:
            track.waiting.append(job)
        if job.deferred:
            self._later.start()
        self._begin_next(track)

    def stop(self) -> None:
        """Ask the running job of the main lane to end."""
        self._main.stop()

    def interrupt(self, label: str, then: Callable[[], None]) -> None:
        """Stop the running job of the main lane, and call `then` as soon as it has ended."""
        self.stop()

        def wait(_: Task[float, None]) -> None:
            """Begin only after the stopped job has ended; there is nothing else to do."""

        self.start(Job(label=label, work=wait, done=lambda _: then(), first=True))

    def withdraw(self, job: AnyJob) -> None:
        """Remove a job from the queue if it has not begun."""
        for track in self._tracks:
            if job in track.waiting:
                track.waiting.remove(job)

    def drop(self, job: AnyJob) -> None:
        """Remove a job from the queue, or ask it to end if it runs."""
        self.withdraw(job)
        for track in self._tracks:
            if track.job is job:
                track.stop()

    def drop_all(self) -> None:
        """Empty the queue, and ask all running jobs to end."""
        for track in self._tracks:
            track.waiting.clear()
            track.stop()

    def close(self, seconds: float = 5.0) -> bool:
        """Drop all jobs and end the threads; return whether they ended in time."""
        self._closed = True
        self._timer.stop()
        self._later.stop()
        self.drop_all()
        for track in self._tracks:
            track.slices.cancel()
        # A list: each is closed, whether the others have ended or not.
        ended = [track.lane.close(seconds) for track in self._tracks]
        if all(ended):
            self._garbage.end()
        return all(ended)

    def _track_of(self, job: AnyJob) -> _Track:
        if job.file:
            return self._files
        return self._quiet if job.quiet else self._series if job.series else self._main

    def _begin_next(self, track: _Track) -> None:
        if track.job is not None or not track.waiting:
            return
        if track.waiting[0].deferred and self._later.isActive():
            return
        track.job = track.waiting.popleft()
        track.task = track.lane.start(track.job.run)
        self._timer.start()
        self.began.emit(track.job)

    def _begin_deferred(self) -> None:
        for track in self._tracks:
            self._begin_next(track)

    def _poll(self) -> None:
        if all(track.job is None for track in self._tracks):
            self._timer.stop()
        for track in self._tracks:
            if track.job is not None and track.task is not None:
                self._look_at(track, track.job, track.task)

    def _look_at(self, track: _Track, job: Job[News, Outcome], task: Task[News, Outcome]) -> None:
        ended = task.wait(0)
        news = task.newest()
        if news is not None:
            self.progressed.emit(job, fraction_of(news))
            job.reported(news)
        if ended and track.slices.idle:
            # In a slice of its own: what the result changes may take long to paint.
            track.slices.schedule(partial(self._finish, track, job, task))

    def _finish(self, track: _Track, job: Job[News, Outcome], task: Task[News, Outcome]) -> None:
        track.job = track.task = None
        try:
            outcome = task.outcome()
        except Stopped:
            job.failed()
        except UserError as error:
            job.failed()
            (job.refused or self.refused.emit)(error.problems)
        except BaseException:
            # The exception hook shows it, and the window goes on.
            job.failed()
            raise
        else:
            job.done(outcome)
        finally:
            self.ended.emit(job)
            self._begin_next(track)


class _Track:
    """A lane with its running job and those that wait for it."""

    def __init__(self, parent: QObject) -> None:
        self.lane = Lane()
        self.slices = EventLoopSlices(parent)
        self.waiting: deque[AnyJob] = deque()
        self.job: AnyJob | None = None
        self.task: Task[Any, Any] | None = None

    def stop(self) -> None:
        """Ask the running job to end."""
        if self.task is not None:
            self.task.stop()
