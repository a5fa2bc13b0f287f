"""Measuring as the window has it: every run once, in the background."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.session import Run, Session
from ximstudio.session.ahead import MEASURING, Ahead
from ximstudio.session.measuring import measured
from ximstudio.ui.desk import Desk, Job


class Measuring(QObject):
    """Has the lane take the measures of runs, and puts them into the session."""

    changed = Signal()
    """Other runs than before are measured, or wait for it."""
    taken = Signal()
    """A run of the session has its measures now."""

    def __init__(self, desk: Desk, ahead: Ahead) -> None:
        super().__init__(desk)
        self._desk = desk
        self._ahead = ahead
        self.jobs: dict[str, Job] = {}
        """By key of the run: what is measured, or waits for it."""
        self._later: list[str] = []
        """Keys of runs whose measuring was put off."""

    def begin(self, run: Run, *, patient: bool = False) -> None:
        """Take the measures of a run, unless that is under way; `patient` as in a Job."""
        if run.key in self.jobs:
            return

        def work(task: Task[float, Run]) -> Run:
            self._ahead.wait(MEASURING, task.check)
            return measured(run, task.report, task.check)

        def done(better: Run) -> None:
            over()
            self._put_in(better)

        def over() -> None:
            self._remove(run.key)

        self.jobs[run.key] = job = Job(
            doing=f"Measuring {run.name}",
            work=work,
            done=done,
            failed=over,
            patient=patient,
        )
        self.changed.emit()
        self._desk.start(job)

    def drop(self, key: str) -> None:
        """Want the measures of a run no more."""
        job = self._remove(key)
        if job is not None:
            self._desk.drop(job)

    def put_off(self) -> None:
        """Begin nothing that waits for runs whose measures are known, until `take_up`."""
        known = {run.key for run in self._desk.session.runs if run.measures}
        waiting = [key for key, job in self.jobs.items() if job in self._desk.waiting]
        self._later = [key for key in waiting if key in known]
        for key in self._later:
            self.drop(key)

    def take_up(self) -> None:
        """Measure what was put off."""
        later, self._later = self._later, []
        for run in self._desk.session.runs:
            if run.key in later and run.evidence is None:
                self.begin(run, patient=True)

    def forget(self) -> None:
        """Begin none of what waits, and end what is under way."""
        self._later = []
        jobs = tuple(self.jobs.values())
        self.jobs.clear()
        for job in jobs:
            self._desk.drop(job)
        self.changed.emit()

    def _remove(self, key: str) -> Job | None:
        job = self.jobs.pop(key, None)
        if job is not None:
            self.changed.emit()
        return job

    def _put_in(self, better: Run) -> None:
        """Give the measures to the run, which may have another name by now, or be taken back."""

        def with_measures(session: Session) -> Session:
            run = session.present(better)
            if run is None:
                return session
            # What was told before stays: another computer may differ in the last digit.
            measures = {**better.measures, **run.measures}
            kept = replace(run, measures=measures, evidence=better.evidence)
            return session.with_changed(kept)

        self._desk.amend(with_measures, f"Measure {better.name}")
        if self._desk.session.present(better) is not None:
            self.taken.emit()
