"""Measure every run once, in the background."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.session import Run, Session
from ximstudio.session.measuring import measured
from ximstudio.session.precompile import MEASURING, Precompiler
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.runtime.session_store import SessionStore


class Measuring(QObject):
    """Computes the measures of runs and adds them to the session."""

    changed = Signal()
    """Other runs than before are measured, or wait to be."""
    measured = Signal()
    """A run of the session has its measures now."""

    def __init__(self, store: SessionStore, jobs: JobQueue, ahead: Precompiler) -> None:
        super().__init__(store)
        self._store = store
        self._jobs = jobs
        self._ahead = ahead
        self.slots: dict[str, JobSlot] = {}
        """The runs that are measured, or wait to be, by key."""
        self._postponed: list[str] = []

    def begin(self, run: Run, *, deferred: bool = False) -> None:
        """Measure a run, unless that is under way; `deferred` as in a Job."""
        if run.key in self.slots:
            return

        def work(task: Task[float, Run]) -> Run:
            self._ahead.wait(MEASURING, task.check)
            return measured(run, task.report, task.check)

        def done(better: Run) -> None:
            self.cancel(run.key)
            self._add(better)

        label = f"Measuring {run.name}"
        failed = partial(self.cancel, run.key)
        self.slots[run.key] = slot = JobSlot(self._jobs, self)
        self.changed.emit()
        slot.start(Job(label=label, work=work, done=done, failed=failed, deferred=deferred))

    def cancel(self, key: str) -> None:
        """Do not measure a run."""
        slot = self.slots.pop(key, None)
        if slot is not None:
            slot.stop()
            slot.deleteLater()
            self.changed.emit()

    def postpone(self) -> None:
        """Leave runs whose measures are known, and that wait for their evidence, until `resume`."""
        known = {run.key for run in self._store.session.runs if run.measures}
        waiting = [key for key, slot in self.slots.items() if slot.waiting]
        self._postponed = [key for key in waiting if key in known]
        for key in self._postponed:
            self.cancel(key)

    def resume(self) -> None:
        """Measure the postponed runs."""
        postponed, self._postponed = self._postponed, []
        for run in self._store.session.runs:
            if run.key in postponed and run.evidence is None:
                self.begin(run, deferred=True)

    def cancel_all(self) -> None:
        """Measure no run."""
        self._postponed = []
        for key in tuple(self.slots):
            self.cancel(key)

    def _add(self, better: Run) -> None:
        """Add measures to the run, which may have been renamed or undone meanwhile."""

        def with_measures(session: Session) -> Session:
            run = session.present(better)
            if run is None:
                return session
            # Known values stay: another computer may differ in the last digit.
            measures = {**better.measures, **run.measures}
            kept = replace(run, measures=measures, evidence=better.evidence)
            return session.with_changed(kept)

        self._store.amend(with_measures, f"Measure {better.name}")
        if self._store.session.present(better) is not None:
            self.measured.emit()
