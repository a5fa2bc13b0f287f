"""Training as the window has it: one map at a time, which runs, pauses, and becomes a run."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.session import Data, Run, Session
from ximstudio.session.ahead import Ahead, stage_of
from ximstudio.session.descent import Descent
from ximstudio.session.training import Live, Training
from ximstudio.train.surroundings import made_here
from ximstudio.ui.desk import Desk, Job


class Phase(StrEnum):
    """What training is doing."""

    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"


class Trainer(QObject):
    """Has the lane train. Pausing ends the job; going on begins another, with the same bits."""

    phase_changed = Signal()
    """Training began, pauses, or ended."""
    trained = Signal(object)
    """Training as it stands now: a Live."""
    unchanged = Signal()
    """Training ended, and there is no other run than before."""
    kept = Signal(object)
    """Training ended, and its last complete map is this Run of the session."""

    def __init__(self, desk: Desk, ahead: Ahead) -> None:
        super().__init__(desk)
        self._desk = desk
        self._ahead = ahead
        self.phase = Phase.IDLE
        self.live: Live | None = None
        self.training: Training | None = None
        """What is trained, or was last."""
        self.job: Job | None = None
        self.descent: Descent | None = None
        """What the training has from an earlier run; None for a map of its own."""
        self._data: Data | None = None
        self._pausing = False

    @property
    def waits(self) -> bool:
        """Whether a training that was asked for has not begun, for something else is computed."""
        return self.phase is Phase.RUNNING and self._desk.job is not self.job

    def begin(self, training: Training, data: Data) -> None:
        """Train a new map of this table."""
        self.live = None
        self.descent = None
        self._data = data
        self._start(training)

    def begin_descent(self, training: Training, descent: Descent) -> None:
        """Train a map that descends from a run, whatever the table is now."""
        self.live = training.before
        self.descent = descent
        self._data = None
        self._start(replace(training, coloured=descent.coloured, told_by=descent.told_by))

    def go_on(self) -> None:
        """Train on from where it was paused."""
        if self.phase is Phase.PAUSED and self.training is not None:
            self._start(replace(self.training, before=self.live))

    def pause(self) -> None:
        """Halt training; `go_on` continues it."""
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

    def forget(self) -> None:
        """End training, and keep nothing of it."""
        self._desk.forget(lambda job: job is self.job)
        self.training = self._data = self.live = self.descent = None
        if self.phase is not Phase.IDLE:
            self._enter(Phase.IDLE)

    def change_data(self, data: Data) -> bool:
        """Have a training that has not begun be one of this table; False if that cannot be."""
        training = self.training
        if not self.waits or training is None or training.before is not None:
            return True
        if self.descent is not None:
            # It has its items from a run, whatever becomes of the table.
            return True
        self._data = data
        if data.matrix is None:
            return False
        self.training = replace(training, matrix=data.matrix)
        return True

    def _start(self, training: Training) -> None:
        self.training = replace(training, session=lambda: self._desk.session)
        self._pausing = False
        self.job = Job(
            doing=f"Training {training.plan.method.name}",
            work=self._train,
            heard=self._hear,
            done=self._end,
            failed=self._fail,
            keeps=True,
        )
        self._enter(Phase.RUNNING)
        self._desk.start(self.job)

    def _train(self, task: Task[Live, Live]) -> Live:
        """Train in the lane, on the table as it became while this waited."""
        assert self.training is not None
        self._ahead.wait(stage_of(self.training.plan.params), task.check)
        return self.training.work(task)

    def _halt(self) -> None:
        if not self.waits:
            self._desk.stop()
            return
        # What is computed now is something else, and is not to be stopped in its place.
        self._desk.forget(lambda job: job is self.job)
        self._fail()

    def _fail(self) -> None:
        """Go back to the last complete map, of before if training did not get any further."""
        if self.live is None:
            self._enter(Phase.IDLE)
        else:
            self._end(self.live)

    def _hear(self, live: Live) -> None:
        self.live = live
        self.trained.emit(live)

    def _end(self, live: Live) -> None:
        self._hear(live)
        if self._pausing and not live.finished:
            self._enter(Phase.PAUSED)
        else:
            self._keep(live)

    @property
    def kept_if_ended(self) -> Session:
        """The session as it would be if training were stopped now; it goes on."""
        session, live = self._desk.session, self.live
        if self.phase is Phase.IDLE or live is None or _has(session, live):
            return session
        run, number = self._run_of(live)
        return session.with_run(run, n_made=number)

    def _keep(self, live: Live) -> None:
        session = self._desk.session
        if _has(session, live):
            # A run that was to go on did not get any further.
            self._enter(Phase.IDLE)
            self.unchanged.emit()
            return
        run, number = self._run_of(live)
        # Whoever follows the phase finds the run there.
        self.phase = Phase.IDLE
        after = session.with_run(run, n_made=number)
        what = "" if self.descent is None else self.descent.what
        self._desk.commit(after, what or f"Train {run.name}")
        self.phase_changed.emit()
        self.kept.emit(run)

    def _run_of(self, live: Live) -> tuple[Run, int]:
        """The run of a training as it stands, and its number."""
        training, descent = self.training, self.descent
        assert training is not None
        # Not the session's own number: a step back must not bring a name back into use.
        number = self._desk.history.n_made + 1
        if descent is None:
            assert self._data is not None
            descent = _own(self._data)
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
            told_by=descent.told_by,
            made_with=made_here(live.result.method),
        )
        return run, number

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self.phase_changed.emit()


def _has(session: Session, live: Live) -> bool:
    return any(run.result is live.result for run in session.runs)


def _own(data: Data) -> Descent:
    """What a map of its own has from its table."""
    frozen = None if data.opened is None else data.opened.prepared.frozen
    return Descent(run="", what="", input=data.input, frozen=frozen)
