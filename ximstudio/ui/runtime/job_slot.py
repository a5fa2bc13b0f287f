"""One background job of a kind at a time, of which only the newest counts."""

from __future__ import annotations

from dataclasses import replace

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal

from ximstudio.model.problem import Problem
from ximstudio.ui.runtime.job_queue import AnyJob, Job, JobQueue, News, Outcome, fraction_of

TYPING_MILLISECONDS = 250
"""A delay for work that follows what the user types."""


class JobSlot(QObject):
    """Holds one job; starting another takes its place.

    The callbacks of a job are called only while it is the one in the slot: not after `stop`, not
    after another took its place, and not after the slot's parent was deleted.
    """

    changed = Signal()
    """The job begins, progresses, or has ended: see `busy` and `fraction`."""

    def __init__(self, jobs: JobQueue, parent: QObject, *, delivers_replaced: bool = False) -> None:
        """With `delivers_replaced`, a replaced job that had ended already is delivered, too.

        It keeps something moving on the screen while requests come faster than results.
        """
        super().__init__(parent)
        self.jobs = jobs
        self._delivers_replaced = delivers_replaced
        self.job: AnyJob | None = None
        """The job that runs or waits."""
        self.fraction = 0.0
        """Progress of the job, from 0 to 1."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._begin)
        jobs.began.connect(self._look)
        # A lambda: a method of the object that is destroyed would not be called any more.
        self.destroyed.connect(lambda: self._drop())  # noqa: PLW0108

    @property
    def busy(self) -> bool:
        """True if a job runs or waits."""
        return self.job is not None

    @property
    def waits_for(self) -> str:
        """The label of the job that runs first; '' if none does."""
        return self.jobs.before(self.job)

    @property
    def waiting(self) -> bool:
        """True if the job has not begun."""
        return self.job is not None and self.job not in self.jobs.running

    def start(self, job: Job[News, Outcome], *, delay: int = 0) -> None:
        """Run a job in place of the one before, after `delay` milliseconds."""
        self._timer.stop()
        self._drop()

        def done(outcome: Outcome) -> None:
            if self._end(own) or (self._delivers_replaced and shiboken6.isValid(self)):
                job.done(outcome)
                self.changed.emit()

        def reported(news: News) -> None:
            if self.job is own:
                self.fraction = fraction_of(news)
                job.reported(news)
                self.changed.emit()

        wanted = False

        def failed() -> None:
            nonlocal wanted
            wanted = self._end(own)
            if wanted:
                job.failed()
                self.changed.emit()

        def refused(problems: tuple[Problem, ...]) -> None:
            # The queue calls it after `failed`.
            if wanted:
                (job.refused or self.jobs.refused.emit)(problems)

        self.job = own = replace(job, done=done, reported=reported, refused=refused, failed=failed)
        self.fraction = 0.0
        if delay:
            self._timer.start(delay)
        else:
            self._begin()
        self.changed.emit()

    def stop(self) -> None:
        """Drop the job."""
        if self.job is not None:
            self._timer.stop()
            self._drop()
            self.changed.emit()

    def _begin(self) -> None:
        if self.job is not None:
            self.jobs.start(self.job)

    def _drop(self) -> None:
        job, self.job = self.job, None
        if job is not None:
            self.jobs.drop(job)

    def _end(self, job: AnyJob) -> bool:
        """Empty the slot if this is its job, and return whether it was."""
        ended = self.job is job
        if ended:
            self.job = None
        return ended

    def _look(self) -> None:
        if self.busy:
            self.changed.emit()
