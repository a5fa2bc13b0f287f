"""What a person can do: open, prepare, train, pause, stop, and manage runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.load import Reading
from ximstudio.load.samples import called
from ximstudio.model.params import Params
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe
from ximstudio.session import Data, Plan, Run, Session, open_data, with_recipe
from ximstudio.session.ahead import Ahead
from ximstudio.session.data import prepared_like
from ximstudio.session.descent import Descent, planned_again
from ximstudio.session.presets import PRESETS, OwnPresets, plan_for_another_table
from ximstudio.session.shown import Shown, Wishes
from ximstudio.session.training import Live, Training
from ximstudio.session.words import Words
from ximstudio.train.anchor_params import Pins
from ximstudio.ui.choosing import Choosing
from ximstudio.ui.collecting import Collecting
from ximstudio.ui.comparing import Comparing
from ximstudio.ui.descending import Descending
from ximstudio.ui.desk import Desk, Job
from ximstudio.ui.exploring import Exploring
from ximstudio.ui.inspecting import Inspecting
from ximstudio.ui.measuring import Measuring
from ximstudio.ui.pinning import Pinning
from ximstudio.ui.showing import Showing
from ximstudio.ui.steadying import Steadying
from ximstudio.ui.sweeping import Sweeping
from ximstudio.ui.training import Phase, Trainer

if TYPE_CHECKING:
    from ximstudio.session.relabelled import Relabelled

Reread: TypeAlias = "tuple[Data, Mapping[Result, Relabelled]]"
"""A table that was read again, and the maps that got labels with it."""


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
    began = Signal()
    """Another table is about to be worked on."""
    measuring_changed = Signal()
    """Other runs than before are measured, or wait for it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.desk = desk
        self.inspecting = Inspecting(desk)
        """What is known about the items, and about those that are chosen."""
        self.choosing = Choosing(desk, self.inspecting)
        """The selection, and the sets that are kept of it."""
        self.collecting = Collecting(desk, self.choosing, self.inspecting)
        """Sets from files and lists, and of other sets."""
        self.exploring = Exploring(desk, self.choosing, self.inspecting, self.draw)
        """Clusters of maps, and items that were placed on them later."""
        self.ahead = Ahead()
        """Compiles kernels that this machine has not seen yet, once somebody begins it."""
        self.trainer = Trainer(desk, self.ahead)
        self.trainer.phase_changed.connect(self.phase_changed)
        self.trainer.trained.connect(self.trained)
        self.trainer.kept.connect(self._take_run)
        self.trainer.unchanged.connect(self._stay)
        self.descending = Descending(desk, self.trainer, wishes=self.wishes, show=self.show_run)
        """Finer maps of what is chosen, and maps that are trained further."""
        self.pinning = Pinning(desk, self.trainer, self.descending)
        """Nodes of the next map that stay with chosen items."""
        self._showing = Showing(desk, self.trainer)
        self._showing.drawn.connect(self.drawn)
        self._showing.undrawn.connect(self.undrawn)
        self._measuring = Measuring(desk, self.ahead)
        self._measuring.changed.connect(self.measuring_changed)
        self._measuring.taken.connect(self.draw)
        self.comparing = Comparing(desk, self.draw)
        """Runs that are seen side by side."""
        self.sweeping = Sweeping(desk, self.measure, self.draw)
        """Many maps of one method, each with other settings."""
        self.steadying = Steadying(desk, self.draw)
        """Runs that are made again, to see what of them stays."""
        self._hindrances: dict[str, tuple[Problem, ...]] = {}
        self._preparing: tuple[Job, Recipe] | None = None

    @property
    def session(self) -> Session:
        return self.desk.session

    @property
    def under_way(self) -> tuple[str, ...]:
        """What is computed in the background besides a training, and ends with this table."""
        found = []
        if self.steadying.run is not None:
            found.append(f"the stability of {self.steadying.run.name}")
        if self.sweeping.is_busy:
            found.append("a sweep")
        if self.comparing.is_busy:
            found.append("a comparison")
        if self.comparing.is_repeating:
            found.append("repeating compared maps")
        # Measures that are known are taken again for what views show of them; that loses nothing.
        found += [
            f"measuring {run.name}"
            for run in self.session.runs
            if run.key in self.measuring and not run.measures
        ]
        return tuple(found)

    # Back and forth

    @property
    def undoes(self) -> str:
        """What would be taken back; '' if nothing can be now."""
        past = self.desk.history.past
        return past[-1].what if past and self._may_become(past[-1].session) else ""

    @property
    def redoes(self) -> str:
        """What would be done again; '' if nothing can be now."""
        future = self.desk.history.future
        return future[-1].what if future and self._may_become(future[-1].session) else ""

    def undo(self) -> None:
        """Take the last step back."""
        if self.undoes:
            self._drop_preparing()
            self.desk.undo()
            self._catch_up()

    def redo(self) -> None:
        """Do again what was taken back last."""
        if self.redoes:
            self._drop_preparing()
            self.desk.redo()
            self._catch_up()

    def _may_become(self, session: Session) -> bool:
        """Whether this may be the session now: a map that is trained must not lose its table."""
        return self.phase is Phase.IDLE or session.data is self.session.data

    def _drop_preparing(self) -> None:
        """Want the recipe no more that a table is being prepared by: it may be of another one."""
        if self._preparing is not None:
            self.desk.drop(self._preparing[0])
        self._preparing = None

    def _catch_up(self) -> None:
        """Have done for the session what was under way, or was dropped, when it was left.

        What runs were measured by is kept neither in files nor of deleted ones; that of the shown
        run is missed first, then that of those beside it.
        """
        session = self.session
        wanted = [run for run in (session.run, *session.compared_runs) if run is not None]
        for run in (*wanted, *session.runs):
            if run.evidence is None:
                self._measuring.begin(run, patient=True)
        self.draw()

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
        # Nothing of the present table is waited for, such as its measures; but a training, which
        # the table takes the place of, ends first.
        apart = self.phase is not Phase.RUNNING
        self._open(wanted, reading, self._arrive if then is None else then, apart=apart)

    def _arrive(self, data: Data) -> None:
        """Begin with a table that was read, once a training that began meanwhile has ended."""
        if self.phase is Phase.RUNNING and not self.waits:
            self.desk.stop()
            job = Job(doing="Opening", work=lambda _: data, done=self.take_data)
            self.desk.start(job, first=True)
        else:
            self.take_data(data)

    def take_data(self, data: Data) -> None:
        """Begin a session with a table that was read; all that is under way for the last ends."""
        self._end_all()
        self.began.emit()
        plan = plan_for_another_table(self.session.plan, (*PRESETS, *OwnPresets().read()))
        self.desk.commit(Session(data=data, plan=plan), f"Open {called(data.name)}")
        self.draw()

    def take_session(self, session: Session, what: str) -> None:
        """Go on with a session that was saved; nothing leads back to what was before."""
        self._end_all()
        self.desk.begin_anew(session, what)
        self._catch_up()

    def _end_all(self) -> None:
        """End all that is under way for the present session."""
        self._drop_preparing()
        self._measuring.forget()
        self.trainer.forget()
        self.comparing.forget()
        self.steadying.stop()

    def prepare_as(self, data: Data, what: str) -> None:
        """Go on with the same table prepared in another way; plan and runs stay."""
        self._drop_preparing()
        self._change_data(data, what)

    def reread(self, wanted: Input, reading: Reading | None = None) -> None:
        """Read the table in another way, or join files to it; plan and runs stay.

        Maps that exist get the labels of files that are joined. A training that is paused ends:
        its map is one of the table as it was.
        """
        before = self.session.data

        def work(task: Task[float, Reread]) -> Reread:
            # Late, and in the lane: it brings what trains.
            from ximstudio.session.relabelled import relabelled

            data = open_data(wanted, lambda share: task.report(0.8 * share), reading=reading)
            runs = self.session.runs
            return data, relabelled(runs, data, lambda share: task.report(0.8 + 0.2 * share))

        def done(read: Reread) -> None:
            data, found = read
            # Another file may have been opened meanwhile.
            if before is None or not self._is_present(before):
                return
            if self.phase is Phase.PAUSED:
                self.stop()
            self._change_data(data, f"Read {called(data.name)} again", found=found)

        self.desk.start(Job(doing=f"Reading {called(wanted.name)}", work=work, done=done))

    def _open(
        self,
        wanted: Input,
        reading: Reading | None,
        done: Callable[[Data], None],
        *,
        apart: bool = False,
    ) -> None:
        def work(task: Task[float, Data]) -> Data:
            return open_data(wanted, task.report, reading=reading)

        doing = f"Reading {called(wanted.name)}"
        self.desk.start(Job(doing=doing, work=work, done=done, filing=apart))

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

    def _change_data(
        self,
        data: Data,
        what: str,
        *,
        merge: bool = False,
        found: Mapping[Result, Relabelled] = MappingProxyType({}),
    ) -> None:
        """Go on with the table after a change; a training that has not begun is one of it.

        `found` are maps that got labels with it.
        """
        possible = self.trainer.change_data(data)
        session = replace(self.session, data=data)
        if found:
            from ximstudio.session.relabelled import with_labels

            session = with_labels(session, found)
            self._measuring.forget()
        self.desk.commit(session, what, merge=merge)
        if found:
            self._catch_up()
        if not possible:
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
        """Plan to train with other parameters; typing at one of them is one step."""
        plan = self.session.plan
        before, after = plan.params, params
        changed = [
            name for name in after.specs() if getattr(before, name, None) != getattr(after, name)
        ]
        spec = after.specs()[changed[0]] if len(changed) == 1 else None
        said = Words.of(self.session.data).said
        what = "Change settings" if spec is None else f"Change {said(spec.label)}"
        # Pins are put and taken one by one; others are typed.
        typed = spec is not None and not isinstance(spec, Pins)
        self.desk.update(what, merge=typed, plan=plan.with_params(params))

    def set_plan(self, plan: Plan, what: str) -> None:
        """Plan to train something else altogether; `what` was chosen."""
        self.desk.update(what, plan=plan)

    def set_seed(self, seed: int) -> None:
        """Plan to train with another seed."""
        self.desk.update("Change seed", merge=True, plan=replace(self.session.plan, seed=seed))

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

    @property
    def phase(self) -> Phase:
        return self.trainer.phase

    @property
    def live(self) -> Live | None:
        """The training that is under way, or was last, as it stands."""
        return self.trainer.live

    @property
    def waits(self) -> bool:
        """Whether a training that was asked for has not begun, for something else is computed."""
        return self.trainer.waits

    def train(self) -> None:
        """Train a new map as planned, or go on where it was paused."""
        data = self.session.data
        if self.phase is not Phase.IDLE:
            self.trainer.go_on()
        elif data is None or data.matrix is None:
            return
        elif self.hindrances:
            self.desk.refused.emit(self.hindrances)
        else:
            self.train_as(Training(matrix=data.matrix, plan=self.session.plan))

    def train_as(self, training: Training, descent: Descent | None = None) -> None:
        """Train a map of the present table, or one that descends from a run."""
        # A person waits for this, and for none of those.
        self._measuring.put_off()
        training, data = replace(training, wishes=self.wishes), self.session.data
        if descent is not None:
            self.trainer.begin_descent(training, descent)
        elif data is not None:
            self.trainer.begin(training, data)

    def pause(self) -> None:
        """Halt training; `train` goes on with the same bits."""
        self.trainer.pause()

    def stop(self) -> None:
        """End training and keep the last complete map."""
        self.trainer.stop()

    def _take_run(self, run: Run) -> None:
        self.draw()
        self._measuring.begin(run, patient=True)
        self._measuring.take_up()

    def _stay(self) -> None:
        self.draw()
        self._measuring.take_up()

    # Runs

    @property
    def measuring(self) -> Mapping[str, Job]:
        """By key of the run: what is measured, or waits for it."""
        return self._measuring.jobs

    def measure(self, run: Run) -> None:
        """Take the measures of a run, in the background."""
        self._measuring.begin(run)

    def show_run(self, key: str) -> None:
        """Have the views show another run."""
        run = next(run for run in self.session.runs if run.key == key)
        self.desk.update(f"Show {run.name}", shown=key)
        self.draw()

    def change_run(self, run: Run, what: str) -> None:
        """Rename or star a run; views that name runs follow."""
        self.desk.commit(self.session.with_changed(run), what)
        self.draw()

    def delete_run(self, key: str) -> None:
        """Remove a run; nobody needs its measures any more."""
        self._measuring.drop(key)
        name = next((run.name for run in self.session.runs if run.key == key), "run")
        self.desk.commit(self.session.without(key), f"Delete {name}")
        self.draw()

    def reuse(self, run: Run) -> None:
        """Plan to train with the settings of a run, on the table as it was prepared for it.

        Its side and its recipe come back, and labels that were joined since stay: one step.
        """
        result = run.result
        params = planned_again(result.params, result.parent)
        plan = Plan(
            method_key=result.method,
            parameters={**self.session.plan.parameters, result.method: params},
            seed=result.seed,
        )
        what = f"Use settings of {run.name}"
        self._drop_preparing()
        self.desk.update(what, plan=plan)
        data = self.session.data
        if data is None:
            return
        wanted = prepared_like(data.input, run.input)
        if wanted is None:
            self.desk.refused.emit((_other_table(run, data),))
        elif wanted != data.input:
            self._prepare_like(wanted, what)

    def _prepare_like(self, wanted: Input, what: str) -> None:
        """Prepare the present table as an input says, as a part of the step `what`."""
        before = self.session.data
        assert before is not None

        def work(task: Task[float, Data]) -> Data:
            if replace(wanted, recipe=before.input.recipe) == before.input:
                return with_recipe(before, wanted.recipe, task.report)
            return open_data(wanted, task.report)

        def done(data: Data) -> None:
            if self.session.data is before:
                self._change_data(data, what, merge=True)

        self.desk.start(Job(doing="Preparing", work=work, done=done))

    # Views

    @property
    def shown(self) -> Shown | None:
        """What the views show; None while there is no map."""
        return self._showing.shown

    def wishes(self) -> Wishes:
        """What the views want to show; asked from the lane."""
        return self._showing.wishes()

    def wish(self, wishes: Mapping[str, Any], only: str | None = None) -> None:
        """The views want to show something else; `only` one of them, if the others stay."""
        self._showing.wish(wishes, only)

    def draw(self) -> None:
        """Have the pictures of what is shown made, unless a training makes them."""
        self._showing.draw()


def _other_table(run: Run, data: Data) -> Problem:
    return Problem(
        key="reuse.table",
        what=f"{run.name} was trained on another table: its settings are planned for this one.",
        where=f"{called(run.input.name)}; now {called(data.name)}",
        way_out="Open that table to train on it.",
        severity=Severity.NOTE,
    )
