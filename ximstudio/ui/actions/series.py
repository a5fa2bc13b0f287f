"""Runs that are trained to be compared: several at a time, each kept as soon as it is ready."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from ximstudio.jobs import Task
from ximstudio.session import Data, Plan, Run, Session
from ximstudio.ui.desk import Desk, Job

if TYPE_CHECKING:
    from ximstudio.measure.trials import Found, News

MOST_PANELS = 6


class Series:
    """Some plans on one table; runs that are there already are not made again.

    Parameters
    ----------
    desk
        Has the session that the runs come into.
    data
        The table they are of.
    plans
        What is trained, in the order in which it was asked for; no method twice.
    what
        What a person did, as it is named where it can be taken back.
    instead
        Key of the run whose panel a single run comes into; '' behind all others.
    alone
        Whether nothing else is compared with them.
    changed
        Called when it has come further or is over; True if a run has come.
    """

    def __init__(
        self,
        desk: Desk,
        data: Data,
        plans: Sequence[Plan],
        what: str,
        *,
        instead: str = "",
        alone: bool = False,
        changed: Callable[[bool], None],
    ) -> None:
        # Late: it brings what maps are measured with.
        from ximstudio.session.repeated import same_run

        assert data.matrix is not None
        self._desk = desk
        self._plans = tuple(plans)
        self._what = what
        self._instead = instead
        self._alone = alone
        self._changed = changed
        self._showed = desk.session.shown
        """What is shown, unless a person shows something else."""
        self._n_steps = self._count_steps()
        self._stepped = False
        """Whether something of it is a step that can be taken back."""
        self._job: Job | None = None
        self._refused: set[int] = set()
        self._named: dict[int, int] = {}
        """By place in the series: the number that a run of it is named by."""
        self.data = data
        self.fraction = 0.0
        there = {n: same_run(plan, data.matrix, desk.session.runs) for n, plan in enumerate(plans)}
        self.kept = {number: run for number, run in there.items() if run is not None}
        """By place in the series: the runs that are in the session by now."""

    @property
    def awaited(self) -> tuple[str, ...]:
        """Names of the methods whose runs are still to come."""
        over = {*self.kept, *self._refused}
        plans = enumerate(self._plans)
        return tuple(plan.method.name for number, plan in plans if number not in over)

    @property
    def waits_for(self) -> str:
        """What is done first, for people; '' if nothing is."""
        return self._desk.before(self._job)

    @property
    def is_busy(self) -> bool:
        """Whether it is being trained, or waits for it."""
        return self._job is not None

    def awaits(self, plan: Plan) -> bool:
        """Whether the run of a plan is still to come."""
        over = {*self.kept, *self._refused}
        return any(plan == each for n, each in enumerate(self._plans) if n not in over)

    @property
    def is_wanted(self) -> bool:
        """Whether its table is still there, and it was not taken back."""
        data = self._desk.session.data
        if data is None or data.labelled is not self.data.labelled:
            return False
        return not self._stepped or self._count_steps() > self._n_steps

    def begin(self) -> None:
        """Compare what is there already, and train the rest."""
        session = self._desk.session
        keys = () if self._alone else session.compared
        for number, run in self.kept.items():
            keys = self._with(keys, run, number)
        if keys != session.compared:
            self._commit(replace(session, compared=keys))
        missing = [number for number in range(len(self._plans)) if number not in self.kept]
        if missing:
            self._start(missing)

    def _count_steps(self) -> int:
        return sum(step.what == self._what for step in self._desk.history.past)

    def _commit(self, session: Session) -> None:
        """Make this the session: one step for all of the series, unless others come between."""
        merge, self._stepped = self._stepped, True
        self._desk.commit(session, self._what, merge=merge)

    def stop(self) -> None:
        """Train no more; what is there stays."""
        job, self._job = self._job, None
        if job is not None:
            self._desk.drop(job)

    def _start(self, missing: Sequence[int]) -> None:
        plans, matrix = [self._plans[number] for number in missing], self.data.matrix
        assert matrix is not None

        def work(task: Task[News, None]) -> None:
            # Late, and in the lane: it brings all measures.
            from ximstudio.maps.label_kinds import telling_label
            from ximstudio.measure.catalogue import MEASURES
            from ximstudio.measure.trials import Trial, found_all

            trials = [
                Trial(
                    matrix,
                    plan.method,
                    plan.params,
                    plan.seed,
                    plan.method.name,
                    keeps=True,
                    shows=True,
                )
                for plan in plans
            ]
            steps = found_all(trials, MEASURES, label=telling_label(matrix), forgiving=True)
            with closing(steps):
                for news in steps:
                    task.report(news)

        def heard(news: News) -> None:
            if self._job is job:
                self._hear(news)
                self._desk.progressed.emit(job, news.fraction)

        def over(*_: object) -> None:
            if self._job is job:
                self._job = None
                self._changed(False)

        names = ", ".join(plan.method.name for plan in plans)
        job = Job(
            doing=f"Training {names}",
            work=work,
            heard=heard,
            done=over,
            failed=over,
            beside=True,
        )
        self._job = job
        self._desk.start(job)

    def _hear(self, news: News) -> None:
        self.fraction, n_kept = news.fraction, len(self.kept)
        for found in news.found:
            number = [plan.method_key for plan in self._plans].index(found.trial.method.key)
            if found.problems and number not in self._refused:
                self._refused.add(number)
                self._desk.refused.emit(found.problems)
            elif not found.problems and number not in self.kept:
                self._keep(number, found)
        self._changed(len(self.kept) > n_kept)

    def _keep(self, number: int, found: Found) -> None:
        """Put a run into the session, and into its panel."""
        # Late: it brings all measures, which are there by now.
        from ximstudio.session.found_run import run_of

        session, n_made = self._desk.session, self._desk.history.n_made
        if not self._named:
            # In the order in which they were asked for, whichever is ready first.
            missing = (each for each in range(len(self._plans)) if each not in self.kept)
            self._named = {each: n_made + 1 + n for n, each in enumerate(missing)}
        own = self._named[number]
        name = f"{found.trial.method.name} {own}"
        run = run_of(found, self.data, key=f"run-{own}", name=name)
        later = {self.kept[other].key for other in self.kept.keys() & self._named if other > number}
        at = next((n for n, each in enumerate(session.runs) if each.key in later), None)
        at = len(session.runs) if at is None else at
        self.kept[number] = run
        shown = self._shown(session, run, last=not later)
        after = replace(
            session,
            runs=(*session.runs[:at], run, *session.runs[at:]),
            shown=shown,
            n_made=max(n_made, *self._named.values()),
            compared=self._with(session.compared, run, number),
        )
        self._commit(after)

    def _shown(self, session: Session, run: Run, *, last: bool) -> str | None:
        """What is shown now: where nothing was before, the last of the series that has come."""
        own = {self.kept[number].key for number in self.kept.keys() & self._named}
        if session.shown is None or (
            last and session.shown == self._showed and self._showed in own
        ):
            self._showed = run.key
            return run.key
        return session.shown

    def _with(self, compared: tuple[str, ...], run: Run, number: int) -> tuple[str, ...]:
        """The runs that are compared with one more: in its panel, or where the series has it."""
        keys = list(compared)
        if run.key in keys:
            return compared
        if self._instead in keys:
            keys[keys.index(self._instead)] = run.key
            return tuple(keys)
        # Behind those of the series that come before it, whichever were ready first.
        before = [self.kept[other].key for other in range(number) if other in self.kept]
        at = max((keys.index(key) + 1 for key in before if key in keys), default=None)
        if at is None:
            later = [each.key for other, each in self.kept.items() if other > number]
            at = min((keys.index(key) for key in later if key in keys), default=len(keys))
        keys.insert(at, run.key)
        return tuple(keys[:MOST_PANELS])
