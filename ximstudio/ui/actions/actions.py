"""Actions of the user: open and prepare tables, train, and manage runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.load import Reading
from ximstudio.load.samples import called
from ximstudio.model.method_params import MethodParams
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe
from ximstudio.session import Data, Run, Session, TrainingPlan, open_data, with_recipe
from ximstudio.session.data import prepared_like
from ximstudio.session.descent import MapDescent, planned_again
from ximstudio.session.precompile import Precompiler
from ximstudio.session.presets import PRESETS, OwnPresets, plan_for_another_table
from ximstudio.session.session import UndoStep
from ximstudio.session.shown import Shown
from ximstudio.session.training import LiveTraining, Training
from ximstudio.session.words import Words
from ximstudio.train.anchors import Pins
from ximstudio.ui.actions.comparison import MapComparison
from ximstudio.ui.actions.derived_maps import DerivedMaps
from ximstudio.ui.actions.inspector import Inspector
from ximstudio.ui.actions.measuring import Measuring
from ximstudio.ui.actions.pins import Pinning
from ximstudio.ui.actions.rendering import Rendering
from ximstudio.ui.actions.retraining import ParameterSweep, StabilityTest
from ximstudio.ui.actions.selection import Selecting, SetActions
from ximstudio.ui.actions.shown_run import ClusterActions, Projection
from ximstudio.ui.actions.trainer import Phase, Trainer
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.runtime.session_store import SessionStore

if TYPE_CHECKING:
    from ximstudio.session.relabelled import Relabelled

Reread: TypeAlias = "tuple[Data, Mapping[Result, Relabelled]]"
"""A table that was read again, and the maps that got its labels."""


class Actions(QObject):
    """The actions behind the buttons; each changes the session or starts a job."""

    table_opening = Signal()
    """Another table is about to replace the present one."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store = store = SessionStore(self)
        self.jobs = jobs = JobQueue(self)
        self.ahead = Precompiler()
        """Compiles the kernels that this machine has no cache of."""
        # Signals and methods of parts are those of the actions, too; the parts describe them.
        self.trainer = trainer = Trainer(store, jobs, self.ahead)
        self.phase_changed, self.trained = trainer.phase_changed, trainer.trained
        self.pause, self.stop = trainer.pause, trainer.stop
        trainer.kept.connect(self._take_run)
        trainer.unchanged.connect(self._stay)
        self._rendering = rendering = Rendering(store, jobs, trainer)
        self.drawn, self.drawing_failed = rendering.drawn, rendering.drawing_failed
        self.requests, self.render, self.draw = rendering.requests, rendering.render, rendering.draw
        self._measuring = Measuring(store, jobs, self.ahead)
        self.measuring: Mapping[str, JobSlot] = self._measuring.slots
        self.measure, self.measuring_changed = self._measuring.begin, self._measuring.changed
        self._measuring.measured.connect(self.draw)
        self.inspector = Inspector(store, jobs)
        self.selecting = Selecting(store, self.inspector)
        self.sets = SetActions(store, jobs, self.selecting, self.inspector)
        self.clusters = ClusterActions(store, jobs, self.selecting, self.draw)
        self.projection = Projection(store, jobs, self.inspector, self.draw)
        self.derived_maps = DerivedMaps(
            store, jobs, trainer, requests=self.requests, show=self.show_run
        )
        self.pinning = Pinning(store, trainer, self.derived_maps)
        self.comparison = MapComparison(store, jobs, self.draw)
        self.parameter_sweep = ParameterSweep(store, jobs, self.measure, self.draw)
        self.stability = StabilityTest(store, jobs, self.draw)
        self._obstacles: dict[str, tuple[Problem, ...]] = {}
        self._preparing = JobSlot(jobs, self)
        self._recipe = Recipe()
        """The recipe of the pending preparation."""

    @property
    def session(self) -> Session:
        return self.store.session

    @property
    def under_way(self) -> tuple[str, ...]:
        """The background jobs, besides training, that would end with the present table."""
        found = []
        if self.stability.run is not None:
            found.append(f"the stability test of {self.stability.run.name}")
        if self.parameter_sweep.busy:
            found.append("a sweep")
        if self.comparison.busy:
            found.append("a comparison")
        if self.comparison.is_repeating:
            found.append("the repeated comparison")
        # Known measures are computed again only for what views show of them.
        found += [
            f"measuring {run.name}"
            for run in self.session.runs
            if run.key in self.measuring and not run.measures
        ]
        return tuple(found)

    # Undo

    @property
    def undoes(self) -> str:
        """The step that can be undone now; '' for none."""
        return self._possible(self.store.history.past)

    @property
    def redoes(self) -> str:
        """The step that can be redone now; '' for none."""
        return self._possible(self.store.history.future)

    def undo(self) -> None:
        """Undo the last step."""
        if self.undoes:
            self._preparing.stop()
            self.store.undo()
            self._catch_up()

    def redo(self) -> None:
        """Redo the step that was undone last."""
        if self.redoes:
            self._preparing.stop()
            self.store.redo()
            self._catch_up()

    def _possible(self, steps: tuple[UndoStep, ...]) -> str:
        """Name the last of these steps unless a map in training would lose its table."""
        if not steps or (
            self.phase is not Phase.IDLE and steps[-1].session.data is not self.session.data
        ):
            return ""
        return steps[-1].what

    def _catch_up(self) -> None:
        """Compute what a restored session lacks: evidence of measures, and pictures.

        Evidence is kept neither in files nor for deleted runs. The shown run comes first, then
        the compared ones.
        """
        session = self.session
        wanted = [run for run in (session.run, *session.compared_runs) if run is not None]
        for run in (*wanted, *session.runs):
            if run.evidence is None:
                self._measuring.begin(run, deferred=True)
        self.draw()

    # Data

    def open(
        self,
        wanted: Input,
        reading: Reading | None = None,
        *,
        then: Callable[[Data], None] | None = None,
    ) -> None:
        """Read a table and start a session with it; with `reading`, it is not read again.

        `then` gets the table in place of `use_table`.
        """
        # In a lane of its own, which does not wait for measures of the present table; but a
        # training ends first.
        apart = self.phase is not Phase.RUNNING

        def work(task: Task[float, Data]) -> Data:
            return open_data(wanted, task.report, reading=reading)

        doing = f"Reading {called(wanted.name)}"
        self.jobs.start(Job(label=doing, work=work, done=then or self._arrive, file=apart))

    def _arrive(self, data: Data) -> None:
        """Start a session with a table, after a training that began meanwhile has ended."""
        if self.phase is Phase.RUNNING and not self.waits:
            self.jobs.interrupt("Opening", lambda: self.use_table(data))
        else:
            self.use_table(data)

    def use_table(self, data: Data) -> None:
        """Start a session with a table; all jobs for the present one end."""
        self._end_all()
        self.table_opening.emit()
        plan = plan_for_another_table(self.session.plan, (*PRESETS, *OwnPresets().read()))
        self.store.commit(Session(data=data, plan=plan), f"Open {called(data.name)}")
        self.draw()

    def use_session(self, session: Session, what: str) -> None:
        """Continue a saved session; undo does not lead back to the present one."""
        self._end_all()
        self.store.reset(session, what)
        self._catch_up()

    def _end_all(self) -> None:
        """End all jobs for the present session."""
        self._preparing.stop()
        self._measuring.cancel_all()
        self.trainer.discard()
        self.comparison.stop()
        self.stability.stop()

    def prepare_as(self, data: Data, what: str) -> None:
        """Replace the prepared table; plan and runs stay."""
        self._preparing.stop()
        self._change_data(data, what)

    def reread(self, wanted: Input, reading: Reading | None = None) -> None:
        """Read the table with other choices, or join files to it; plan and runs stay.

        Runs get the labels of joined files. A paused training ends: its map is of the table as it
        was before.
        """
        before = self.session.data

        def work(task: Task[float, Reread]) -> Reread:
            # Imported late, and in the lane: it needs what trains.
            from ximstudio.session.relabelled import relabelled

            data = open_data(wanted, lambda share: task.report(0.8 * share), reading=reading)
            runs = self.session.runs
            return data, relabelled(runs, data, lambda share: task.report(0.8 + 0.2 * share))

        def done(read: Reread) -> None:
            data, found = read
            # Another table may have been opened meanwhile.
            if before is None or not self._is_present(before):
                return
            if self.phase is Phase.PAUSED:
                self.stop()
            self._change_data(data, f"Read {called(data.name)} again", found=found)

        self.jobs.start(Job(label=f"Reading {called(wanted.name)}", work=work, done=done))

    @property
    def recipe(self) -> Recipe:
        """The recipe of the pending preparation, or else of the table."""
        if self._preparing.busy:
            return self._recipe
        data = self.session.data
        return Recipe() if data is None else data.input.recipe

    def set_recipe(self, recipe: Recipe, what: str) -> None:
        """Prepare the table by another recipe; `what` describes the change."""
        if self.session.data is None:
            return

        def work(task: Task[float, Data]) -> Data:
            # The present table, which a job before this one may have read again.
            present = self.session.data
            assert present is not None
            return with_recipe(present, recipe, task.report)

        def done(prepared: Data) -> None:
            if self._is_present(prepared):
                self._change_data(prepared, what)

        self._recipe = recipe
        self._preparing.start(Job(label="Preparing", work=work, done=done))

    def _change_data(
        self,
        data: Data,
        what: str,
        *,
        merge: bool = False,
        found: Mapping[Result, Relabelled] = MappingProxyType({}),
    ) -> None:
        """Replace the table, also of a waiting training; `found` are the maps with new labels."""
        possible = self.trainer.change_data(data)
        session = replace(self.session, data=data)
        if found:
            from ximstudio.session.relabelled import with_labels

            session = with_labels(session, found)
            self._measuring.cancel_all()
        self.store.commit(session, what, merge=merge)
        if found:
            self._catch_up()
        if not possible:
            self.stop()
            self.jobs.refused.emit(data.problems)

    def _is_present(self, data: Data) -> bool:
        """Return whether this is the table of the session, however it was prepared since."""
        present = self.session.data
        return present is not None and present.labelled is data.labelled

    # Plan

    def choose_method(self, key: str) -> None:
        """Choose the method for the next map."""
        self.store.update("Choose method", plan=self.session.plan.with_method(key))

    def set_params(self, params: MethodParams) -> None:
        """Set the parameters for the next map; typing in one field is one step."""
        plan = self.session.plan
        before, after = plan.params, params
        changed = [
            name for name in after.specs() if getattr(before, name, None) != getattr(after, name)
        ]
        spec = after.specs()[changed[0]] if len(changed) == 1 else None
        said = Words.of(self.session.data).said
        what = "Change settings" if spec is None else f"Change {said(spec.label)}"
        # Pins are set one by one; other parameters are typed.
        typed = spec is not None and not isinstance(spec, Pins)
        self.store.update(what, merge=typed, plan=plan.with_params(params))

    def set_plan(self, plan: TrainingPlan, what: str) -> None:
        """Replace the whole plan; `what` describes the step."""
        self.store.update(what, plan=plan)

    def set_seed(self, seed: int) -> None:
        """Set the seed for the next map."""
        self.store.update("Change seed", merge=True, plan=replace(self.session.plan, seed=seed))

    def set_obstacles(self, who: str, problems: tuple[Problem, ...]) -> None:
        """Prevent training while there are problems, such as a number out of bounds."""
        if problems != self._obstacles.get(who, ()):
            self._obstacles[who] = problems
            self.phase_changed.emit()

    @property
    def obstacles(self) -> tuple[Problem, ...]:
        """The problems to correct before training."""
        return tuple(problem for found in self._obstacles.values() for problem in found)

    # Training

    @property
    def phase(self) -> Phase:
        return self.trainer.phase

    @property
    def live(self) -> LiveTraining | None:
        """The state of the present or last training."""
        return self.trainer.live

    @property
    def waits(self) -> bool:
        """True if the training waits for another job."""
        return self.trainer.waits

    def train(self) -> None:
        """Train a new map as planned, or resume the paused training."""
        data = self.session.data
        if self.phase is not Phase.IDLE:
            self.trainer.resume()
        elif data is None or data.matrix is None:
            return
        elif self.obstacles:
            self.jobs.refused.emit(self.obstacles)
        else:
            self.train_as(Training(matrix=data.matrix, plan=self.session.plan))

    def train_as(self, training: Training, descent: MapDescent | None = None) -> None:
        """Train a map of the present table, or one derived from a run."""
        # The user waits for this, not for measures.
        self._measuring.postpone()
        training, data = replace(training, requests=self.requests), self.session.data
        if descent is not None:
            self.trainer.begin_descent(training, descent)
        elif data is not None:
            self.trainer.begin(training, data)

    def _take_run(self, run: Run) -> None:
        self.draw()
        self._measuring.begin(run, deferred=True)
        self._measuring.resume()

    def _stay(self) -> None:
        self.draw()
        self._measuring.resume()

    # Runs

    def show_run(self, key: str) -> None:
        """Show another run in the views."""
        run = next(run for run in self.session.runs if run.key == key)
        self.store.update(f"Show {run.name}", shown=key)
        self.draw()

    def change_run(self, run: Run, what: str) -> None:
        """Replace a run that was renamed or starred."""
        self.store.commit(self.session.with_changed(run), what)
        self.draw()

    def delete_run(self, key: str) -> None:
        """Delete a run."""
        self._measuring.cancel(key)
        name = next((run.name for run in self.session.runs if run.key == key), "run")
        self.store.commit(self.session.without(key), f"Delete {name}")
        self.draw()

    def reuse(self, run: Run) -> None:
        """Use the settings of a run for the next map, and prepare the table as for the run.

        Labels that were joined since stay. All is one step.
        """
        result = run.result
        params = planned_again(result.params, result.parent)
        plan = TrainingPlan(
            method_key=result.method,
            parameters={**self.session.plan.parameters, result.method: params},
            seed=result.seed,
        )
        what = f"Use settings of {run.name}"
        self._preparing.stop()
        self.store.update(what, plan=plan)
        data = self.session.data
        if data is None:
            return
        wanted = prepared_like(data.input, run.input)
        if wanted is None:
            self.jobs.refused.emit((_other_table(run, data),))
        elif wanted != data.input:
            self._prepare_like(wanted, what)

    def _prepare_like(self, wanted: Input, what: str) -> None:
        """Prepare the present table like another input, as a part of the step `what`."""
        before = self.session.data
        assert before is not None

        def work(task: Task[float, Data]) -> Data:
            if replace(wanted, recipe=before.input.recipe) == before.input:
                return with_recipe(before, wanted.recipe, task.report)
            return open_data(wanted, task.report)

        def done(data: Data) -> None:
            if self.session.data is before:
                self._change_data(data, what, merge=True)

        self.jobs.start(Job(label="Preparing", work=work, done=done))

    # Views

    @property
    def shown(self) -> Shown | None:
        """The map that the views show; None without one."""
        return self._rendering.shown


def _other_table(run: Run, data: Data) -> Problem:
    return Problem(
        key="reuse.table",
        what=f"{run.name} was trained on another table: its settings now apply to this one.",
        where=f"{called(run.input.name)}; now {called(data.name)}",
        way_out="To train on the other table, open it first.",
        severity=Severity.NOTE,
    )
