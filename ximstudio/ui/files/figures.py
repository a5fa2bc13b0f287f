"""Reopen exported figures: restore their settings and, if the data are available, their maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from ximstudio.jobs import Task
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.session import Run
from ximstudio.session.parameter_words import number_text
from ximstudio.session.words import Words
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.series import MOST_PANELS
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.files.figure_series import FigureSeries
from ximstudio.ui.files.questions import MissingQuestion
from ximstudio.ui.files.saving import Saving
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.settings import Settings

if TYPE_CHECKING:
    from ximstudio.export.drawn import Drawn
    from ximstudio.export.figure_found import Begun, FigureFound
    from ximstudio.views.common.state import ViewState

SUFFIXES = (".pdf", ".svg", ".png", ".tif", ".tiff")


class FigureOpener(QObject):
    """Opens figures in a window; `show` sets a view as in a figure."""

    announced = Signal(str)
    """A message for the user that asks for no action."""

    def __init__(
        self,
        window: QWidget,
        actions: Actions,
        settings: Settings,
        keeping: Saving,
        *,
        show: Callable[[ViewState], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._actions = actions
        self._settings = settings
        self._keeping = keeping
        self._show_view = show
        self.question: MissingQuestion | None = None
        self._awaited: tuple[FigureFound, Drawn] | None = None
        """The figure whose maps are being trained, and the number of the current one."""
        self._made: dict[str, str] = {}
        """Hash in the figure → key of the run trained for it, where the hash differs."""
        self._fresh: set[str] = set()
        """Keys of all runs trained for the figure."""
        self._again = FigureSeries(actions)
        actions.trainer.kept.connect(self._keep)
        actions.phase_changed.connect(self._give_up)

    def open(self, path: Path) -> None:
        """Read the record of a figure and reproduce it."""
        session, known = self._actions.session, tuple(self._settings.files)

        def work(task: Task[float, FigureFound]) -> FigureFound:
            # Imported late, in the background: it imports all methods and formats.
            from ximstudio.export.figure_found import figure_found

            return figure_found(path, session, known=known, report=task.report)

        def done(found: FigureFound) -> None:
            if self._awaited is None:
                # A question about an earlier figure.
                self._forget()
            self._look(found)

        self._settings.change(folder=str(path.parent))
        job = Job(label=f"Reading {path.name}", work=work, done=done, file=True)
        self._actions.jobs.start(job)

    # The table

    def _look(self, found: FigureFound) -> None:
        """Show the maps if they exist; otherwise train them on this or another table, or ask for
        it.
        """
        wanted = self._wanted(found)
        if not found.drawn:
            self._use(found)
        elif wanted is None:
            self._show(found)
        elif found.sought is not wanted:
            self._seek(found, wanted)
        elif found.begun is not None:
            self._take(found, found.begun)
        else:
            self._ask(found, wanted)

    def _wanted(self, found: FigureFound) -> Drawn | None:
        """Return the next map to train: one of the figure, or an ancestor."""
        return found.next_in(self._actions.session.runs, self._made)

    def _seek(self, found: FigureFound, wanted: Drawn) -> None:
        """Find the table of a map."""
        session, known = self._actions.session, tuple(self._settings.files)
        made = dict(self._made)

        def work(task: Task[float, FigureFound]) -> FigureFound:
            from ximstudio.export.figure_found import with_data

            return with_data(found, wanted, session, made=made, known=known, report=task.report)

        job = Job(label=f"Reading {found.path.name}", work=work, done=self._look, file=True)
        self._actions.jobs.start(job)

    def _take(self, found: FigureFound, begun: Begun) -> None:
        """Train a map on its table: the current one with its recipe, or another one."""
        data, present = found.data, self._actions.session.data
        if data is None or data is present:
            self._begin(found, begun)
            return
        alike = present is not None and present.input.name == data.input.name
        if alike or self._fresh or begun.descent is not None:
            # Stay with this table: it has runs that belong with this map.
            if self._is_free():
                if alike or begun.descent is None:
                    self._actions.prepare_as(data, f"Prepare as in {found.path.name}")
                self._begin(found, begun)
            return

        def take() -> None:
            self._actions.use_table(data)
            self._begin(found, begun)

        def go_on() -> None:
            # What is computed meanwhile is about the present table.
            self._actions.jobs.interrupt("Opening", take)

        self._keeping.unless_lost(self._window, go_on)

    def _ask(self, found: FigureFound, wanted: Drawn, wrong: UserError | None = None) -> None:
        """Ask for the table."""
        first = None if wrong is None else wrong.problems[0]
        said = Words.of(self._actions.session.data).said
        self.question = MissingQuestion(
            self._window,
            title=f"Where is the table of {found.path.name}?",
            text=f"It was made of {said(wanted.table)}, which is neither open nor among the recent "
            "files. With the table you can reproduce the map; without it, you get its "
            "settings.",
            without="Use settings only",
            wrong=None if first is None else (said(first.what), said(first.way_out)),
        )
        self.question.found.connect(lambda table: self._find(found, wanted, table))
        self.question.left_out.connect(lambda: self._leave_out(found, wanted))
        self.question.finished.connect(self._answered)
        self.question.open()

    def _answered(self) -> None:
        self.question = None

    def _leave_out(self, found: FigureFound, wanted: Drawn) -> None:
        """Use the settings only; report if the map was derived from another one."""
        shown = found.led_to_by(wanted, self._actions.session.runs, self._made)
        self._plan(shown, found)
        if shown.record.earlier_hash:
            table = Words.of(self._actions.session.data).said(wanted.table)
            problem = _only_settings(found, table, of_earlier=shown is not wanted)
            self._actions.jobs.refused.emit((problem,))

    def _find(self, found: FigureFound, wanted: Drawn, table: Path) -> None:
        session, made = self._actions.session, dict(self._made)

        def work(task: Task[float, FigureFound | UserError]) -> FigureFound | UserError:
            from ximstudio.export.figure_found import with_table

            try:
                return with_table(found, wanted, table, session, made=made, report=task.report)
            except UserError as error:
                return error

        def done(outcome: FigureFound | UserError) -> None:
            if isinstance(outcome, UserError):
                self._ask(found, wanted, outcome)
            else:
                self._look(outcome)

        job = Job(label=f"Reading {table.name}", work=work, done=done, file=True)
        self._actions.jobs.start(job)

    # The maps

    def _is_free(self) -> bool:
        """Return whether a map can be trained now; report it if not."""
        free = self._actions.phase is Phase.IDLE
        if not free:
            self._actions.jobs.refused.emit((_busy(),))
        return free

    def _plan(self, drawn: Drawn, found: FigureFound) -> None:
        """Use the settings of a map for the next training."""
        plan = drawn.plan(self._actions.session.plan)
        if plan != self._actions.session.plan:
            self._actions.set_plan(plan, f"Use settings of {found.path.name}")

    def _use(self, found: FigureFound) -> None:
        """Use the settings of all methods in a figure, and choose the first."""
        plan = self._actions.session.plan
        for each in reversed(found.judged):
            plan = each.plan(plan)
        self._actions.set_plan(plan, f"Use settings of {found.path.name}")
        self._actions.jobs.refused.emit((_only_measures(found),))

    def _begin(self, found: FigureFound, begun: Begun) -> None:
        """Train the map; the next follows when it is finished."""
        wanted = found.sought
        if wanted is None or not self._is_free():
            return
        # Show the view of the figure from the first trained map on.
        self._plan(found.led_to_by(wanted, self._actions.session.runs, self._made), found)
        self._actions.train_as(begun.training, begun.descent)
        self._awaited = found, wanted

    def _keep(self, run: Run) -> None:
        """Take a map trained for a figure; stop if the user stopped it."""
        awaited, self._awaited = self._awaited, None
        if awaited is None or not _is_as_far(run, awaited[1]):
            self._forget()
            return
        found, drawn = awaited
        self._fresh.add(run.key)
        if run.result.hash != drawn.record.result_hash:
            # Not identical, but the result of the settings on this computer.
            self._made[drawn.record.result_hash] = run.key
        self._look(found)

    def _give_up(self) -> None:
        """Give up the figure if its training ended without a map."""
        if self._actions.phase is Phase.IDLE and self._awaited is not None:
            last = self._actions.session.runs[-1:]
            live = self._actions.live
            if live is None or not any(run.result is live.result for run in last):
                self._forget()

    def _forget(self) -> None:
        self._awaited, self._made, self._fresh = None, {}, set()

    def _runs_of(self, found: FigureFound) -> dict[int, Run]:
        """Return the runs with the maps of a figure, by number."""
        runs = self._actions.session.runs
        found_runs = (each.run_in(runs, self._made) for each in found.drawn)
        return {number: run for number, run in enumerate(found_runs) if run is not None}

    def _place(self, found: FigureFound) -> None:
        """Place the projected items of a figure on its maps, then show it."""
        runs, known = self._runs_of(found), tuple(self._settings.files)

        def work(task: Task[float, FigureFound]) -> FigureFound:
            from ximstudio.export.work_restored import placed_again

            arrivals = placed_again(
                found.work, runs, beside=found.path, known=known, report=task.report
            )
            return replace(found, arrivals=arrivals)

        doing = f"Placing items of {found.path.name}"
        self._actions.jobs.start(Job(label=doing, work=work, done=self._show, file=True))

    def _show(self, found: FigureFound) -> None:
        """Show what the figure showed."""
        from ximstudio.export.work_restored import with_work

        if found.work.placed and found.arrivals is None:
            self._place(found)
            return
        runs, made, fresh = self._runs_of(found), self._made, self._fresh
        self._forget()
        session = self._actions.session
        shown = {number: run.key for number, run in runs.items()}
        names = {
            run.key: each.record.name
            for each in (*found.ancestors, *found.drawn)
            if (run := each.run_in(session.runs, made)) and run.key in fresh
        }
        descends = len(shown) < len(found.drawn)
        if not shown:
            self._plan(found.drawn[0], found)
            self._actions.jobs.refused.emit((_descends(found),))
            return
        # As in the figure, if the names are free.
        named = session.with_names(names)
        session, called = with_work(named, found, shown, fresh=fresh)
        plan = found.plan
        first = next(iter(shown.values()))
        session = replace(session, shown=shown.get(found.work.shown, first))
        if plan is not None and plan.state.shows_compared:
            session = replace(session, compared=tuple(shown.values())[:MOST_PANELS])
        if plan is not None and plan.selection != session.selection:
            session = session.with_selection(plan.selection)
        session = replace(session, plan=found.drawn[0].plan(session.plan))
        self._actions.store.commit(session, f"Open {found.path.name}")
        if plan is not None:
            self._show_view(plan.state.with_sets_renamed(called))
        self._actions.draw()
        self._again.begin(found.work, self._runs_of(found))
        if stopped := [each for each in found.drawn if each.record.stop_after is not None]:
            self.announced.emit(_stopped(found, stopped))
        notes = [_other_bits(found)] if made else []
        if descends:
            notes.append(_descends(found))
        if found.arrivals is not None and found.arrivals.absent:
            items = Words.of(session.data).items
            notes.append(_absent(found, found.arrivals.absent, items))
        if notes:
            self._actions.jobs.refused.emit(tuple(notes))


def is_figure(path: Path) -> bool:
    """Return whether a file name has the suffix of an exported figure."""
    return path.suffix.lower() in SUFFIXES


def _other_bits(found: FigureFound) -> Problem:
    return Problem(
        key="figure.other_bits",
        what=f"The map of {found.path.name} was trained again, but the result is not identical.",
        where=str(found.path),
        way_out="Other computers and versions may round differently, and small differences grow "
        "during training. Settings, data and seed are those of the figure.",
        severity=Severity.NOTE,
    )


def _is_as_far(run: Run, drawn: Drawn) -> bool:
    """Return whether a training reached the same step as that of a map in a figure."""
    result, last = run.result, drawn.record.stop_after
    return result.finished if last is None else result.step >= last


def _stopped(found: FigureFound, stopped: Sequence[Drawn]) -> str:
    """Return a note that trainings ended where they had been stopped: "map.pdf: stopped after step
    120".
    """
    steps = dict.fromkeys(number_text(each.record.stop_after or 0) for each in stopped)
    return (
        f"{found.path.name}: stopped after step {', '.join(steps)}, as in the figure; you can "
        "continue it"
    )


def _only_settings(found: FigureFound, table: str, *, of_earlier: bool) -> Problem:
    missing = "the table of that one" if of_earlier else "its table"
    return Problem(
        key="figure.only_settings",
        what=f"The map of {found.path.name} was derived from another map, and {missing} is "
        "missing.",
        where=table,
        way_out="Its settings are loaded, for a new map. To reproduce it, open the table and drop "
        "the figure again.",
        severity=Severity.NOTE,
    )


def _descends(found: FigureFound) -> Problem:
    return Problem(
        key="figure.descends",
        what=f"A map of {found.path.name} was derived from another map, which the figure does not "
        "include.",
        where=str(found.path),
        way_out="Open the session that contains it, and drop the figure there. Its settings are "
        "loaded.",
    )


def _absent(found: FigureFound, names: Sequence[str], items: str) -> Problem:
    return Problem(
        key="figure.items_absent",
        what=f"{items.capitalize()} of {', '.join(names)} that were placed on the map of"
        f" {found.path.name} later are not on it.",
        where=str(found.path),
        way_out="Their file was not found, or has changed. Put it beside the figure and drop the "
        "figure again; everything else is loaded.",
        severity=Severity.NOTE,
    )


def _only_measures(found: FigureFound) -> Problem:
    return Problem(
        key="figure.only_measures",
        what=f"{found.path.name} shows how methods compare, and contains no map to reproduce.",
        where=str(found.path),
        way_out="Their settings are used for the next training.",
        severity=Severity.NOTE,
    )


def _busy() -> Problem:
    return Problem(
        key="figure.busy",
        what="A map is being trained; the map of the figure cannot be trained at the same time.",
        where="Train",
        way_out="Stop training or wait until it ends; then drop the figure again.",
        severity=Severity.NOTE,
    )
