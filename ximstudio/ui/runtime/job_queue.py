"""The desk: the session that is worked on, and the lanes that compute for it."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from ximstudio.jobs import Lane, Stopped, Task
from ximstudio.model.problem import UserError
from ximstudio.session import Session
from ximstudio.session.history import History
from ximstudio.ui.garbage import Garbage
from ximstudio.ui.turns import Turns

SWITCH_SECONDS = 0.0005
"""How long one thread may keep the interpreter to itself while another waits; Python's is 0.005."""
POLL_MILLISECONDS = 12
"""Well below a frame: training makes the next map only when the last was fetched."""
PATIENCE_MILLISECONDS = 100
"""How long a patient job waits: the window shows by then what led to it."""


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
        Whether it is too short to be shown; it then waits for no job that is not.
    beside
        Whether it is a long series, such as many maps: other jobs do not wait for it, and it takes
        the cores that they leave. One at a time.
    filing
        Whether it reads or writes a session's file: it waits for nothing that is computed, and
        nothing waits for it.
    patient
        Whether nobody waits for it: the window first shows what led to it, with all cores.
    keeps
        Whether it gives what it has when it is asked to end, and so looks for that itself. All
        others are ended wherever they compute.
    """

    doing: str
    work: Callable[[Task[Any, Any]], Any]
    done: Callable[[Any], None] = ignore
    heard: Callable[[Any], None] = ignore
    failed: Callable[[], None] = ignore
    quiet: bool = False
    beside: bool = False
    filing: bool = False
    patient: bool = False
    keeps: bool = False

    def run(self, task: Task[Any, Any]) -> Any:
        """Do the work, in the lane."""
        if self.keeps:
            return self.work(task)
        # Late: the first page does without it.
        from ximstudio.kernels.parallel import checking

        with checking(task.check):
            return self.work(task)


class Desk(QObject):
    """Holds the session, changes it by `commit` only, and has the lanes compute.

    Everything that is shown follows `changed`. Whatever takes time is a `Job`, one after the other.
    Quiet ones have a lane of their own: a view is drawn while a map is measured. So have long
    series of maps, and files of sessions: a person goes on meanwhile.
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
        # Nearly every call of Qt lets go of the interpreter's lock. If the lane runs Python code,
        # each has to wait this long to go on, and building a dialog takes hundreds of them.
        sys.setswitchinterval(SWITCH_SECONDS)
        self.history = History()
        self.done_last = ""
        """What a person did last, for people; not what was added to it, such as measures."""
        self._garbage = Garbage(self, busy=lambda: not self.idle)
        self._loud, self._beside, self._quiet = _Track(self), _Track(self), _Track(self)
        self._files = _Track(self)
        self._closed = False
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MILLISECONDS)
        self._timer.timeout.connect(self._poll)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(PATIENCE_MILLISECONDS)
        self._later.timeout.connect(self._begin_patient)

    @property
    def session(self) -> Session:
        """What a person works on, as it is now."""
        return self.history.present

    def commit(self, session: Session, what: str, *, merge: bool = False) -> None:
        """Make this the session; `what` was done to the one before.

        With `merge`, doing the same once more is the same step: it is taken back as one.
        """
        self.history = self.history.committed(session, what, merge=merge)
        self._step(what)

    def _step(self, what: str) -> None:
        self.done_last = what
        self.changed.emit(what)

    def update(self, what: str, *, merge: bool = False, **changes: Any) -> None:
        """Commit the session with some parts changed."""
        self.commit(replace(self.session, **changes), what, merge=merge)

    def begin_anew(self, session: Session, what: str) -> None:
        """Make this the session, with nothing before it that could be taken back."""
        self.history = History(present=session)
        self._step(what)

    def amend(self, change: Callable[[Session], Session], what: str) -> None:
        """Add something that no person did to every state, past and to come, such as measures."""
        self.history = self.history.amended(change)
        self.changed.emit(what)

    def take_in(self, change: Callable[[Session], Session], what: str) -> None:
        """Add what a person asked for and that took its time.

        A step, unless one was taken back meanwhile: it could not be done again then.
        """
        if self.history.future:
            self.amend(change, what)
        else:
            self.commit(change(self.session), what)

    def undo(self) -> None:
        """Take the last step back."""
        what = self.history.undoes
        if what:
            self.history = self.history.undone()
            self._step(f"Undo: {what}")

    def redo(self) -> None:
        """Do again what was taken back last."""
        what = self.history.redoes
        if what:
            self.history = self.history.redone()
            self._step(f"Redo: {what}")

    @property
    def job(self) -> Job | None:
        """What is computed now, quiet jobs and long series apart."""
        return self._loud.job

    @property
    def series(self) -> Job | None:
        """The long series that is computed beside other jobs."""
        return self._beside.job

    @property
    def file(self) -> Job | None:
        """What reads or writes a session's file, unless it is quiet."""
        job = self._files.job
        return None if job is None or job.quiet else job

    @property
    def jobs(self) -> tuple[Job, ...]:
        """All that is computed now; quiet jobs come last."""
        return tuple(track.job for track in self._tracks if track.job is not None)

    @property
    def waiting(self) -> tuple[Job, ...]:
        """What has not begun yet."""
        return tuple(job for track in self._tracks for job in track.waiting)

    def before(self, job: Job | None) -> str:
        """What is done before a job that waits, for people; '' if it does not wait."""
        for track in self._tracks:
            if job in track.waiting and track.job is not None:
                return track.job.doing
        return ""

    @property
    def idle(self) -> bool:
        """Whether nothing is computed and nothing waits."""
        return all(track.job is None and not track.waiting for track in self._tracks)

    def start(self, job: Job, *, first: bool = False) -> None:
        """Queue a job, `first` before all that wait; nothing is begun once the desk is closed."""
        if self._closed:
            return
        track = self._track_of(job)
        if first:
            track.waiting.appendleft(job)
        else:
            track.waiting.append(job)
        if job.patient:
            self._later.start()
        self._begin_next(track)

    def stop(self) -> None:
        """Ask the present job to end; what it gives by then is up to it."""
        self._loud.stop()

    def forget(self, which: Callable[[Job], bool]) -> None:
        """Drop jobs that have not begun."""
        for track in self._tracks:
            track.waiting = deque(job for job in track.waiting if not which(job))

    def drop(self, job: Job) -> None:
        """Want a job no more: it is never begun, or asked to end."""
        self.forget(lambda waiting: waiting is job)
        for track in self._tracks:
            if track.job is job:
                track.stop()

    def close(self, seconds: float = 5.0) -> bool:
        """Stop everything; whether the lanes' threads ended in time."""
        self._closed = True
        self.forget(lambda _: True)
        self._timer.stop()
        self._later.stop()
        for track in self._tracks:
            track.stop()
            track.turns.take()
        # Each is closed, whether the other has ended or not.
        ended = [track.lane.close(seconds) for track in self._tracks]
        if all(ended):
            self._garbage.end()
        return all(ended)

    @property
    def _tracks(self) -> tuple[_Track, ...]:
        return self._loud, self._beside, self._files, self._quiet

    def _track_of(self, job: Job) -> _Track:
        if job.filing:
            return self._files
        return self._quiet if job.quiet else self._beside if job.beside else self._loud

    def _begin_next(self, track: _Track) -> None:
        if track.job is not None or not track.waiting:
            return
        if track.waiting[0].patient and self._later.isActive():
            return
        track.job = track.waiting.popleft()
        track.task = track.lane.start(track.job.run)
        self._timer.start()
        self.began.emit(track.job)

    def _begin_patient(self) -> None:
        for track in self._tracks:
            self._begin_next(track)

    def _poll(self) -> None:
        if all(track.job is None for track in self._tracks):
            self._timer.stop()
        for track in self._tracks:
            if track.job is not None and track.task is not None:
                self._look_at(track, track.job, track.task)

    def _look_at(self, track: _Track, job: Job, task: Task[Any, Any]) -> None:
        ended = task.wait(0)
        news = task.newest()
        if isinstance(news, float):
            self.progressed.emit(job, news)
        elif news is not None:
            job.heard(news)
        if ended and track.turns.over:
            # In turn: what comes of it may take as long as a person should wait for.
            track.turns.take(partial(self._finish, track, job, task))

    def _finish(self, track: _Track, job: Job, task: Task[Any, Any]) -> None:
        track.job = track.task = None
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
            self._begin_next(track)


class _Track:
    """A lane, what it computes, and what waits for it."""

    def __init__(self, desk: QObject) -> None:
        self.lane = Lane()
        self.turns = Turns(desk)
        self.waiting: deque[Job] = deque()
        self.job: Job | None = None
        self.task: Task[Any, Any] | None = None

    def stop(self) -> None:
        """Ask the present job to end."""
        if self.task is not None:
            self.task.stop()
