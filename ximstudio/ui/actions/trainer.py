"""Train one map at a time: start, pause, resume, stop, and keep it as a run."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.session import Data, Run, Session
from ximstudio.session.descent import MapDescent
from ximstudio.session.precompile import Precompiler, stage_of
from ximstudio.session.training import LiveTraining, Training
from ximstudio.train.record import made_here
from ximstudio.ui.runtime.job_queue import AnyJob, Job, JobQueue
from ximstudio.ui.runtime.session_store import SessionStore


class Phase(StrEnum):
    """State of the training."""

    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"


class Trainer(QObject):
    """Trains in the background. Pausing ends the job; resuming starts one with the same bits."""

    phase_changed = Signal()
    """Training began, paused, or ended."""
    trained = Signal(object)
    """The present state of the training: a LiveTraining."""
    unchanged = Signal()
    """Training ended without a new run."""
    kept = Signal(object)
    """Training ended with this new Run."""

    def __init__(self, store: SessionStore, jobs: JobQueue, ahead: Precompiler) -> None:
        super().__init__(store)
        self._store = store
        self._jobs = jobs
        self._ahead = ahead
        self.phase = Phase.IDLE
        self.live: LiveTraining | None = None
        self.training: Training | None = None
        """The present or last training."""
        self.job: AnyJob | None = None
        self.descent: MapDescent | None = None
        """Inheritance of the map from its parent run, or from the table."""
        self._pausing = False

    @property
    def waits(self) -> bool:
        """True if the training waits for another job."""
        return self.phase is Phase.RUNNING and self._jobs.current is not self.job

    def begin(self, training: Training, data: Data) -> None:
        """Train a new map of this table."""
        self.begin_descent(training, _of_table(data))

    def begin_descent(self, training: Training, descent: MapDescent) -> None:
        """Train a map derived from a run, whatever the table is now."""
        self.live = training.before
        self.descent = descent
        self._start(replace(training, coloured=descent.coloured, old_label=descent.old_label))

    def resume(self) -> None:
        """Continue a paused training."""
        if self.phase is Phase.PAUSED and self.training is not None:
            self._start(replace(self.training, before=self.live))

    def pause(self) -> None:
        """Pause training; `resume` continues it."""
        if self.phase is Phase.RUNNING:
            self._pausing = True
            self._halt()

    def stop(self) -> None:
        """End training and keep the last complete map."""
        if self.phase is Phase.RUNNING:
            self._pausing = False
            self._halt()
        elif self.phase is Phase.PAUSED and self.live is not None:
            self._keep(self.live)

    def discard(self) -> None:
        """End training without keeping its map."""
        self._withdraw_job()
        self.training = self.live = self.descent = None
        if self.phase is not Phase.IDLE:
            self._enter(Phase.IDLE)

    def change_data(self, data: Data) -> bool:
        """Use another table for a training that waits; return False if it has no matrix."""
        training = self.training
        if not self.waits or training is None or training.before is not None:
            return True
        if self.descent is not None and self.descent.run:
            # A derived map has its items from its parent run.
            return True
        self.descent = _of_table(data)
        if data.matrix is None:
            return False
        self.training = replace(training, matrix=data.matrix)
        return True

    def _start(self, training: Training) -> None:
        self.training = replace(training, session=lambda: self._store.session)
        self._pausing = False
        self.job = Job(
            label=f"Training {training.plan.method.name}",
            work=self._train,
            reported=self._hear,
            done=self._end,
            failed=self._fail,
            returns_when_stopped=True,
        )
        self._enter(Phase.RUNNING)
        self._jobs.start(self.job)

    def _train(self, task: Task[LiveTraining, LiveTraining]) -> LiveTraining:
        """Train in the lane; the table may have changed while this waited."""
        assert self.training is not None
        self._ahead.wait(stage_of(self.training.plan.params), task.check)
        return self.training.work(task)

    def _halt(self) -> None:
        if not self.waits:
            self._jobs.stop()
            return
        # Another job runs, which must not be stopped instead.
        self._withdraw_job()
        self._fail()

    def _withdraw_job(self) -> None:
        if self.job is not None:
            self._jobs.withdraw(self.job)

    def _fail(self) -> None:
        """Go back to the last complete map."""
        if self.live is None:
            self._enter(Phase.IDLE)
        else:
            self._end(self.live)

    def _hear(self, live: LiveTraining) -> None:
        self.live = live
        self.trained.emit(live)

    def _end(self, live: LiveTraining) -> None:
        self._hear(live)
        if self._pausing and not live.finished:
            self._enter(Phase.PAUSED)
        else:
            self._keep(live)

    @property
    def kept_if_ended(self) -> Session:
        """The session as if training were stopped now, for autosave."""
        session, live = self._store.session, self.live
        if self.phase is Phase.IDLE or live is None or _has(session, live):
            return session
        run, number = self._run_of(live)
        return session.with_run(run, n_made=number)

    def _keep(self, live: LiveTraining) -> None:
        session = self._store.session
        if _has(session, live):
            # A run that was to be continued made no step.
            self._enter(Phase.IDLE)
            self.unchanged.emit()
            return
        run, number = self._run_of(live)
        # Listeners of `phase_changed` find the run in the session.
        self.phase = Phase.IDLE
        after = session.with_run(run, n_made=number)
        what = "" if self.descent is None else self.descent.what
        self._store.commit(after, what or f"Train {run.name}")
        self.phase_changed.emit()
        self.kept.emit(run)

    def _run_of(self, live: LiveTraining) -> tuple[Run, int]:
        """Return the run of the present state of the training, and its number."""
        training, descent = self.training, self.descent
        assert training is not None
        assert descent is not None
        # From the history, not the session: undo must not make a name available again.
        number = self._store.history.n_made + 1
        run = Run(
            key=f"run-{number}",
            name=f"{training.plan.method.name} {number}",
            result=live.result,
            matrix=training.matrix,
            input=descent.input,
            seconds=live.seconds,
            curves=live.curves,
            parent=descent.run or None,
            frozen=descent.frozen,
            coloured=descent.coloured,
            old_label=descent.old_label,
            made_with=made_here(live.result.method),
        )
        return run, number

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self.phase_changed.emit()


def _has(session: Session, live: LiveTraining) -> bool:
    return any(run.result is live.result for run in session.runs)


def _of_table(data: Data) -> MapDescent:
    """Return what a map of the table has from it."""
    frozen = None if data.opened is None else data.opened.prepared.frozen
    return MapDescent(run="", what="", input=data.input, frozen=frozen)
