"""What a person can do: open, prepare, train, pause, stop, and manage runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.load import Reading
from ximstudio.load.samples import called
from ximstudio.model.params import Params
from ximstudio.model.problem import Problem
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe
from ximstudio.session import Data, Plan, Run, Session, open_data, with_recipe
from ximstudio.session.ahead import MEASURING, TRAINING, Ahead
from ximstudio.session.measuring import measured
from ximstudio.session.shown import Pictures, Shown, Wishes, pictures_of
from ximstudio.session.training import Live, Training
from ximstudio.ui.desk import Desk, Job


class Phase(StrEnum):
    """What training is doing."""

    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"


class Studio(QObject):
    """The actions behind the buttons. Each changes the session, or has the lane compute."""

    phase_changed = Signal()
    """Training began, pauses, or ended."""
    trained = Signal(object)
    """Training as it stands now: a Live."""
    drawn = Signal(object)
    """Pictures that the views wished for, by pane."""
    undrawn = Signal()
    """Pictures that the views wished for could not be made."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.desk = desk
        self.phase = Phase.IDLE
        self.live: Live | None = None
        self.measuring: dict[str, Job] = {}
        """Keys of the runs whose measures are being taken, or wait for it."""
        self._wishes: Wishes = MappingProxyType({})
        self._training: Training | None = None
        self._trained_on: Data | None = None
        self._training_job: Job | None = None
        self._pausing = False
        self._hindrances: dict[str, tuple[Problem, ...]] = {}
        self._preparing: tuple[Job, Recipe] | None = None
        self.ahead = Ahead()
        """Compiles kernels that this machine has not seen yet, once somebody begins it."""

    @property
    def session(self) -> Session:
        return self.desk.session

    # Data

    def open(
        self,
        wanted: Input,
        reading: Reading | None = None,
        *,
        then: Callable[[Data], None] | None = None,
    ) -> None:
        """Read a table and begin a session with it; a `reading` of it saves reading it again.

        `then` gets what was read in place of `take_data`.
        """
        self._open(wanted, reading, self.take_data if then is None else then)

    def take_data(self, data: Data) -> None:
        """Begin a session with a table that was read; all that is under way for the last ends."""
        under_way = {self._training_job, *self.measuring.values()}
        if self._preparing is not None:
            under_way.add(self._preparing[0])
        self.desk.forget(lambda job: job in under_way)
        self.measuring.clear()
        self._preparing = self._training = self._trained_on = self.live = None
        if self.phase is not Phase.IDLE:
            self._enter(Phase.IDLE)
        self.desk.commit(Session(data=data, plan=self.session.plan), f"Open {called(data.name)}")
        self.draw()

    def reread(self, wanted: Input, reading: Reading | None = None) -> None:
        """Read the table in another way, or join files to it; plan and runs stay.

        A training that is paused ends: its map is one of the table as it was.
        """
        before = self.session.data

        def done(data: Data) -> None:
            # Another file may have been opened meanwhile.
            if before is None or not self._is_present(before):
                return
            if self.phase is Phase.PAUSED:
                self.stop()
            self._change_data(data, f"Read {called(data.name)} again")

        self._open(wanted, reading, done)

    def _open(self, wanted: Input, reading: Reading | None, done: Callable[[Data], None]) -> None:
        def work(task: Task[float, Data]) -> Data:
            return open_data(wanted, task.report, reading=reading)

        self.desk.start(Job(doing=f"Reading {called(wanted.name)}", work=work, done=done))

    @property
    def recipe(self) -> Recipe:
        """The recipe that was asked for last, even if the table is not prepared by it yet."""
        if self._preparing is not None:
            return self._preparing[1]
        data = self.session.data
        return Recipe() if data is None else data.input.recipe

    def set_recipe(self, recipe: Recipe, what: str) -> None:
        """Prepare the table by another recipe; `what` was changed about it. The newest wins."""
        if self.session.data is None:
            return

        def work(task: Task[float, Data]) -> Data:
            # As it is by then: it may be read again before, but never while something is computed.
            present = self.session.data
            assert present is not None
            return with_recipe(present, recipe, task.report)

        def done(prepared: Data) -> None:
            over()
            if self._is_present(prepared):
                self._change_data(prepared, what)

        def over() -> None:
            if self._preparing is not None and self._preparing[0] is job:
                self._preparing = None

        if self._preparing is not None:
            self.desk.drop(self._preparing[0])
        job = Job(doing="Preparing", work=work, done=done, failed=over)
        self._preparing = (job, recipe)
        self.desk.start(job)

    def _change_data(self, data: Data, what: str) -> None:
        """Go on with the table after a change; a training that has not begun is one of it."""
        training = self._training
        hindered = False
        if self.waits and training is not None and training.before is None:
            self._trained_on = data
            hindered = data.matrix is None
            if data.matrix is not None:
                self._training = replace(training, matrix=data.matrix)
        self.desk.update(what, data=data)
        if hindered:
            self.stop()
            self.desk.refused.emit(data.problems)

    def _is_present(self, data: Data) -> bool:
        """Whether this is the table of the session, whatever was done to it since."""
        present = self.session.data
        return present is not None and present.labelled is data.labelled

    # Plan

    def choose_method(self, key: str) -> None:
        """Plan to train with another method."""
        self.desk.update("Choose method", plan=self.session.plan.with_method(key))

    def set_params(self, params: Params) -> None:
        """Plan to train with other parameters."""
        self.desk.update("Change parameters", plan=self.session.plan.with_params(params))

    def set_plan(self, plan: Plan, what: str) -> None:
        """Plan to train something else altogether; `what` was chosen."""
        self.desk.update(what, plan=plan)

    def set_seed(self, seed: int) -> None:
        """Plan to train with another seed."""
        self.desk.update("Change seed", plan=replace(self.session.plan, seed=seed))

    def hinder(self, who: str, problems: tuple[Problem, ...]) -> None:
        """Let nothing new be trained while these problems stand; none lets it again."""
        if problems != self._hindrances.get(who, ()):
            self._hindrances[who] = problems
            self.phase_changed.emit()

    @property
    def hindrances(self) -> tuple[Problem, ...]:
        """What a person has to correct before training, such as a number out of its bounds."""
        return tuple(problem for found in self._hindrances.values() for problem in found)

    # Training

    def train(self) -> None:
        """Train a new map as planned, or go on where it was paused."""
        if self.phase is Phase.RUNNING:
            return
        if self.phase is Phase.PAUSED and self._training is not None:
            self._begin(replace(self._training, before=self.live))
            return
        data = self.session.data
        if data is None or data.matrix is None:
            return
        if self.hindrances:
            self.desk.refused.emit(self.hindrances)
            return
        self.live = None
        self._trained_on = data
        self._begin(Training(matrix=data.matrix, plan=self.session.plan, wishes=self.wishes))

    def pause(self) -> None:
        """Halt training; `train` goes on with the same bits."""
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

    def _begin(self, training: Training) -> None:
        self._training = training
        self._pausing = False
        self._training_job = Job(
            doing=f"Training {training.plan.method.name}",
            work=self._train,
            heard=self._hear,
            done=self._end,
            failed=self._fail,
        )
        self._enter(Phase.RUNNING)
        self.desk.start(self._training_job)

    def _train(self, task: Task[Live, Live]) -> Live:
        """Train in the lane, on the table as it became while this waited."""
        assert self._training is not None
        self.ahead.wait(TRAINING, task.check)
        return self._training.work(task)

    @property
    def waits(self) -> bool:
        """Whether a training that was asked for has not begun, for something else is computed."""
        return self.phase is Phase.RUNNING and self.desk.job is not self._training_job

    def _halt(self) -> None:
        if not self.waits:
            self.desk.stop()
            return
        # What is computed now is something else, and is not to be stopped in its place.
        self.desk.forget(lambda job: job is self._training_job)
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
        self.drawn.emit(live.pictures)

    def _end(self, live: Live) -> None:
        self._hear(live)
        if self._pausing and not live.finished:
            self._enter(Phase.PAUSED)
        else:
            self._keep(live)

    def _keep(self, live: Live) -> None:
        training, data = self._training, self._trained_on
        assert training is not None
        assert data is not None
        number = self.session.n_made + 1
        run = Run(
            key=f"run-{number}",
            name=f"{training.plan.method.name} {number}",
            result=live.result,
            matrix=training.matrix,
            input=data.input,
            seconds=live.seconds,
            curves=live.curves,
        )
        # Whoever follows the phase finds the run there, and that it is to be measured.
        self.phase = Phase.IDLE
        self.measure(run, patient=True)
        self.desk.commit(self.session.with_run(run), f"Train {run.name}")
        self.phase_changed.emit()
        self.draw()

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self.phase_changed.emit()

    # Runs

    def measure(self, run: Run, *, patient: bool = False) -> None:
        """Take the measures of a run, in the background; `patient` if nobody asked for them."""
        if run.key in self.measuring:
            return

        def done(better: Run) -> None:
            over()
            mine = next((one for one in self.session.runs if one.result is run.result), None)
            if mine is not None:
                kept = replace(mine, measures=better.measures, evidence=better.evidence)
                self.desk.commit(self.session.with_changed(kept), f"Measure {mine.name}")
                self.draw()

        def over() -> None:
            self.measuring.pop(run.key, None)

        def work(task: Task[float, Run]) -> Run:
            self.ahead.wait(MEASURING, task.check)
            return measured(run, task)

        self.measuring[run.key] = job = Job(
            doing=f"Measuring {run.name}",
            work=work,
            done=done,
            failed=over,
            patient=patient,
        )
        self.desk.start(job)

    def show_run(self, key: str) -> None:
        """Have the views show another run."""
        run = next(run for run in self.session.runs if run.key == key)
        self.desk.update(f"Show {run.name}", shown=key)
        self.draw()

    def change_run(self, run: Run, what: str) -> None:
        """Rename or star a run."""
        self.desk.commit(self.session.with_changed(run), what)

    def delete_run(self, key: str) -> None:
        """Remove a run; nobody needs its measures any more."""
        job = self.measuring.pop(key, None)
        if job is not None:
            self.desk.drop(job)
        name = next((run.name for run in self.session.runs if run.key == key), "run")
        self.desk.commit(self.session.without(key), f"Delete {name}")
        self.draw()

    def reuse(self, run: Run) -> None:
        """Plan to train with the settings of a run."""
        plan = Plan(
            method_key=run.result.method,
            parameters={**self.session.plan.parameters, run.result.method: run.result.params},
            seed=run.result.seed,
        )
        self.desk.update(f"Use settings of {run.name}", plan=plan)

    # Views

    def wishes(self) -> Wishes:
        """What the views want to show; asked from the lane."""
        return self._wishes

    def wish(self, wishes: Mapping[str, Any]) -> None:
        """The views want to show something else."""
        self._wishes = MappingProxyType(dict(wishes))
        self.draw()

    @property
    def shown(self) -> Shown | None:
        """What the views show; None while there is no map."""
        run = self.session.run
        if self.phase is not Phase.IDLE and self.live is not None and self._training is not None:
            return Shown(
                result=self.live.result,
                matrix=self._training.matrix,
                curves=self.live.curves,
                runs=self.session.runs,
            )
        if run is None:
            return None
        return Shown(
            result=run.result,
            matrix=run.matrix,
            run=run,
            evidence=run.evidence,
            runs=self.session.runs,
        )

    def draw(self) -> None:
        """Have the pictures of what is shown made; a running training makes its own."""
        shown, wishes = self.shown, self._wishes
        if shown is None:
            self.drawn.emit({})
            return
        if (self.phase is Phase.RUNNING and not self.waits) or not wishes:
            return

        def work(task: Task[float, Pictures]) -> Pictures:
            task.check()
            return pictures_of(shown, wishes)

        def done(pictures: Pictures) -> None:
            # Another map may be shown by now, or none.
            now = self.shown
            if now is not None and now.result is shown.result:
                self.drawn.emit(pictures)

        self.desk.forget(lambda job: job.doing == DRAWING)
        self.desk.start(
            Job(doing=DRAWING, work=work, done=done, failed=self.undrawn.emit, quiet=True)
        )


DRAWING = "Drawing"
