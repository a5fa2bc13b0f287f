"""Figures that were exported come back: their settings, and if the data are at hand, their maps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from ximstudio.jobs import Task
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.session import Run, Session
from ximstudio.session.words import Words
from ximstudio.ui.desk import Job
from ximstudio.ui.figure_series import FigureSeries
from ximstudio.ui.form_words import number_text
from ximstudio.ui.keeping import Keeping
from ximstudio.ui.missing_question import MissingQuestion
from ximstudio.ui.series import MOST_PANELS
from ximstudio.ui.settings import Settings
from ximstudio.ui.studio import Studio
from ximstudio.ui.training import Phase

if TYPE_CHECKING:
    from ximstudio.export.drawn import Drawn
    from ximstudio.export.figure_found import Begun, FigureFound
    from ximstudio.pictures.states import ViewState

SUFFIXES = (".pdf", ".svg", ".png", ".tif", ".tiff")


class Figures(QObject):
    """Opens figures in a window; `show` sets a view as it was in one."""

    told = Signal(str)
    """Something that a person may like to know, and need do nothing about."""

    def __init__(
        self,
        window: QWidget,
        studio: Studio,
        settings: Settings,
        keeping: Keeping,
        *,
        show: Callable[[ViewState], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._studio = studio
        self._settings = settings
        self._keeping = keeping
        self._show_view = show
        self.question: MissingQuestion | None = None
        self._awaited: tuple[FigureFound, Drawn] | None = None
        """The figure whose maps are being trained, and which of them is now."""
        self._made: dict[str, str] = {}
        """By hash in the figure: key of the run that was trained for it and has another one."""
        self._fresh: set[str] = set()
        """Keys of all runs that were trained for it."""
        self._again = FigureSeries(studio)
        studio.trainer.kept.connect(self._keep)
        studio.phase_changed.connect(self._give_up)

    def open(self, path: Path) -> None:
        """Read how a figure was made, and have it made again."""
        session, known = self._studio.session, tuple(self._settings.files)

        def work(task: Task[float, FigureFound]) -> FigureFound:
            # Late, and in the lane: it brings all methods and formats.
            from ximstudio.export.figure_found import figure_found

            return figure_found(path, session, known=known, report=task.report)

        def done(found: FigureFound) -> None:
            if self._awaited is None:
                # Of a figure before, which a person did not go on with.
                self._forget()
            self._look(found)

        self._settings.change(folder=str(path.parent))
        self._start(f"Reading {path.name}", work, done)

    def _start(
        self,
        doing: str,
        work: Callable[[Task[float, FigureFound]], FigureFound],
        done: Callable[[FigureFound], None],
    ) -> None:
        self._studio.desk.start(Job(doing=doing, work=work, done=done, filing=True))

    # The table

    def _look(self, found: FigureFound) -> None:
        """Show the maps if they are here, or train them, on this table or another; or ask."""
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
        """The map that is to be trained next: one of the figure, or one that it descends from."""
        return found.next_in(self._studio.session.runs, self._made)

    def _seek(self, found: FigureFound, wanted: Drawn) -> None:
        """Find the table of a map, as it was prepared for it."""
        session, known = self._studio.session, tuple(self._settings.files)
        made = dict(self._made)

        def work(task: Task[float, FigureFound]) -> FigureFound:
            from ximstudio.export.figure_found import with_data

            return with_data(found, wanted, session, made=made, known=known, report=task.report)

        self._start(f"Reading {found.path.name}", work, self._look)

    def _take(self, found: FigureFound, begun: Begun) -> None:
        """Train a map on its table: the present one as it was prepared then, or another."""
        data, present = found.data, self._studio.session.data
        if data is None or data is present:
            self._begin(found, begun)
            return
        alike = present is not None and present.input.name == data.input.name
        if alike or self._fresh or begun.descent is not None:
            # Not left for another table: there are runs that this map is to be with.
            if self._is_free():
                if alike or begun.descent is None:
                    self._studio.prepare_as(data, f"Prepare as in {found.path.name}")
                self._begin(found, begun)
            return

        def take(_: None) -> None:
            self._studio.take_data(data)
            self._begin(found, begun)

        def go_on() -> None:
            # In turn: what is computed meanwhile is about the present table, and ends first.
            self._studio.desk.stop()
            job = Job(doing="Opening", work=lambda _: None, done=take)
            self._studio.desk.start(job, first=True)

        self._keeping.unless_lost(self._window, go_on)

    def _ask(self, found: FigureFound, wanted: Drawn, wrong: UserError | None = None) -> None:
        """Ask where the table is, and say which."""
        first = None if wrong is None else wrong.problems[0]
        said = Words.of(self._studio.session.data).said
        self.question = MissingQuestion(
            self._window,
            title=f"Where is the table of {found.path.name}?",
            text=f"It was made of {said(wanted.table)}, which is neither open nor among the recent"
            " files. With the table you get the same map; without it, the settings.",
            without="Settings only",
            wrong=None if first is None else (said(first.what), said(first.way_out)),
        )
        self.question.found.connect(lambda table: self._find(found, wanted, table))
        self.question.left_out.connect(lambda: self._leave_out(found, wanted))
        self.question.finished.connect(self._answered)
        self.question.open()

    def _answered(self) -> None:
        self.question = None

    def _leave_out(self, found: FigureFound, wanted: Drawn) -> None:
        """Have the settings alone; of a map that began from another, say that they are not all."""
        shown = found.led_to_by(wanted, self._studio.session.runs, self._made)
        self._plan(shown, found)
        if shown.settings.earlier_hash:
            table = Words.of(self._studio.session.data).said(wanted.table)
            problem = _only_settings(found, table, of_earlier=shown is not wanted)
            self._studio.desk.refused.emit((problem,))

    def _find(self, found: FigureFound, wanted: Drawn, table: Path) -> None:
        session, made = self._studio.session, dict(self._made)

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

        job = Job(doing=f"Reading {table.name}", work=work, done=done, filing=True)
        self._studio.desk.start(job)

    # The maps

    def _is_free(self) -> bool:
        """Whether a map can be trained now; if not, a person is told."""
        free = self._studio.phase is Phase.IDLE
        if not free:
            self._studio.desk.refused.emit((_busy(),))
        return free

    def _plan(self, drawn: Drawn, found: FigureFound) -> None:
        """Have the settings of a map be those of the next training."""
        plan = drawn.plan(self._studio.session.plan)
        if plan != self._studio.session.plan:
            self._studio.set_plan(plan, f"Use settings of {found.path.name}")

    def _use(self, found: FigureFound) -> None:
        """Have the settings of all methods that a figure judges, the first of them chosen."""
        plan = self._studio.session.plan
        for each in reversed(found.judged):
            plan = each.plan(plan)
        self._studio.set_plan(plan, f"Use settings of {found.path.name}")
        self._studio.desk.refused.emit((_only_measures(found),))

    def _begin(self, found: FigureFound, begun: Begun) -> None:
        """Train the map that was sought; the next follows when it is there."""
        wanted = found.sought
        if wanted is None or not self._is_free():
            return
        # What the figure shows, from the first map on that has to be trained for it.
        self._plan(found.led_to_by(wanted, self._studio.session.runs, self._made), found)
        self._studio.train_as(begun.training, begun.descent)
        self._awaited = found, wanted

    def _keep(self, run: Run) -> None:
        """Take a map that was trained for a figure; a person who stopped it wants no more."""
        awaited, self._awaited = self._awaited, None
        if awaited is None or not _is_as_far(run, awaited[1]):
            self._forget()
            return
        found, drawn = awaited
        self._fresh.add(run.key)
        if run.result.hash != drawn.settings.result_hash:
            # Not the same bits; all the same it is what the settings give here.
            self._made[drawn.settings.result_hash] = run.key
        self._look(found)

    def _give_up(self) -> None:
        """Forget the figure if its training ended without a map."""
        if self._studio.phase is Phase.IDLE and self._awaited is not None:
            last = self._studio.session.runs[-1:]
            live = self._studio.live
            if live is None or not any(run.result is live.result for run in last):
                self._forget()

    def _forget(self) -> None:
        self._awaited, self._made, self._fresh = None, {}, set()

    def _runs_of(self, found: FigureFound) -> dict[int, Run]:
        """The runs that have the maps of a figure, by their numbers in it."""
        runs = self._studio.session.runs
        found_runs = (each.run_in(runs, self._made) for each in found.drawn)
        return {number: run for number, run in enumerate(found_runs) if run is not None}

    def _place(self, found: FigureFound) -> None:
        """Place items on the maps of a figure that it shows besides their own; then show it."""
        runs, known = self._runs_of(found), tuple(self._settings.files)

        def work(task: Task[float, FigureFound]) -> FigureFound:
            from ximstudio.export.work_restored import placed_again

            arrivals = placed_again(
                found.work, runs, beside=found.path, known=known, report=task.report
            )
            return replace(found, arrivals=arrivals)

        self._start(f"Placing items of {found.path.name}", work, self._show)

    def _show(self, found: FigureFound) -> None:
        """Show what the figure showed."""
        from ximstudio.export.work_restored import renamed, with_work

        if found.work.placed and found.arrivals is None:
            self._place(found)
            return
        runs, made, fresh = self._runs_of(found), self._made, self._fresh
        self._forget()
        session = self._studio.session
        shown = {number: run.key for number, run in runs.items()}
        names = {
            run.key: each.name
            for each in (*found.ancestors, *found.drawn)
            if (run := each.run_in(session.runs, made)) and run.key in fresh
        }
        descends = len(shown) < len(found.drawn)
        if not shown:
            self._plan(found.drawn[0], found)
            self._studio.desk.refused.emit((_descends(found),))
            return
        session = _with_names(session, names)
        session, called = with_work(session, found, shown, fresh=fresh)
        plan = found.plan
        first = next(iter(shown.values()))
        session = replace(session, shown=shown.get(found.work.shown, first))
        if plan is not None and _is_of_compared(plan.state):
            session = replace(session, compared=tuple(shown.values())[:MOST_PANELS])
        if plan is not None and plan.selection != session.selection:
            session = session.with_selection(plan.selection)
        session = replace(session, plan=found.drawn[0].plan(session.plan))
        self._studio.desk.commit(session, f"Open {found.path.name}")
        if plan is not None:
            self._show_view(renamed(plan.state, called))
        self._studio.draw()
        self._again.begin(found.work, self._runs_of(found))
        if stopped := [each for each in found.drawn if each.stop_after is not None]:
            self.told.emit(_stopped(found, stopped))
        notes = [_other_bits(found)] if made else []
        if descends:
            notes.append(_descends(found))
        if found.arrivals is not None and found.arrivals.absent:
            items = Words.of(session.data).items
            notes.append(_absent(found, found.arrivals.absent, items))
        if notes:
            self._studio.desk.refused.emit(tuple(notes))


def is_figure(path: Path) -> bool:
    """Whether a file is called like a figure that the program exports."""
    return path.suffix.lower() in SUFFIXES


def _with_names(session: Session, names: Mapping[str, str]) -> Session:
    """The session whose runs are called as in the figure, unless others are; key → name."""
    taken = {run.name for run in session.runs if run.key not in names}
    for run in session.runs:
        name = names.get(run.key, "")
        if name and name not in taken:
            session = session.with_changed(replace(run, name=name))
    return session


def _is_of_compared(state: ViewState) -> bool:
    """Whether a view showed runs side by side."""
    from ximstudio.pictures.states.compare import OF_COMPARED, CompareState

    return isinstance(state, CompareState) and state.page in OF_COMPARED


def _other_bits(found: FigureFound) -> Problem:
    return Problem(
        key="figure.other_bits",
        what=f"The map of {found.path.name} was made again, but it is not the same bit for bit.",
        where=str(found.path),
        way_out="Another computer or version may round otherwise, and a map unfolds from there."
        " Settings, data and seed are those of the figure.",
        severity=Severity.NOTE,
    )


def _is_as_far(run: Run, drawn: Drawn) -> bool:
    """Whether a training went as far as that of a map in a figure did."""
    result, last = run.result, drawn.stop_after
    return result.finished if last is None else result.step >= last


def _stopped(found: FigureFound, stopped: Sequence[Drawn]) -> str:
    """That trainings ended where they had been stopped: "map.pdf: stopped after step 120"."""
    steps = dict.fromkeys(number_text(each.stop_after or 0) for each in stopped)
    return f"{found.path.name}: stopped after step {', '.join(steps)}, as it was; it can go on"


def _only_settings(found: FigureFound, table: str, *, of_earlier: bool) -> Problem:
    missing = "the table of that one" if of_earlier else "its table"
    return Problem(
        key="figure.only_settings",
        what=f"The map of {found.path.name} was begun from another one, and {missing} is not here.",
        where=table,
        way_out="Its settings are here, for a map of its own. Drop the figure again where the table"
        " is to have the same map.",
        severity=Severity.NOTE,
    )


def _descends(found: FigureFound) -> Problem:
    return Problem(
        key="figure.descends",
        what=f"A map of {found.path.name} was begun from another one, which is not in it.",
        where=str(found.path),
        way_out="Open the session that has it, and drop the figure there. Its settings are here.",
    )


def _absent(found: FigureFound, names: Sequence[str], items: str) -> Problem:
    return Problem(
        key="figure.items_absent",
        what=f"{items.capitalize()} of {', '.join(names)} that were placed on the map of"
        f" {found.path.name} later are not on it.",
        where=str(found.path),
        way_out="No such file is at hand that gives them as they were. Put it beside the figure,"
        " and drop the figure again; all else is here.",
        severity=Severity.NOTE,
    )


def _only_measures(found: FigureFound) -> Problem:
    return Problem(
        key="figure.only_measures",
        what=f"{found.path.name} shows how good methods are, and no map that could be made again.",
        where=str(found.path),
        way_out="Their settings are those of the next training.",
        severity=Severity.NOTE,
    )


def _busy() -> Problem:
    return Problem(
        key="figure.busy",
        what="A map is being trained, and the one of the figure has to wait for it.",
        where="Train",
        way_out="Stop it, or wait until it is there; then drop the figure again.",
        severity=Severity.NOTE,
    )
