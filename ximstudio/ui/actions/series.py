"""Train runs for a comparison in the background, and add each as soon as it is ready."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from ximstudio.jobs import Task
from ximstudio.session import Data, Run, Session, TrainingPlan
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.runtime.session_store import SessionStore

if TYPE_CHECKING:
    from ximstudio.measure.trials import TrialProgress, TrialResult

MOST_PANELS = 6


class TrainingSeries(JobSlot):
    """Trains plans on one table, except those that the session has runs of.

    Parameters
    ----------
    store
        The session that gets the runs.
    jobs
        The queue that trains them.
    data
        The table to train on.
    plans
        The plans in the order of their panels; no method twice.
    what
        Description of the step, for undo.
    instead
        Key of the run whose panel a single run takes; '' appends a panel.
    alone
        Whether only these runs are compared from now on.
    """

    run_added = Signal()
    """The session has another run."""

    def __init__(
        self,
        store: SessionStore,
        jobs: JobQueue,
        data: Data,
        plans: Sequence[TrainingPlan],
        what: str,
        *,
        instead: str = "",
        alone: bool = False,
    ) -> None:
        super().__init__(jobs, store)
        # Imported late: it needs what measures maps.
        from ximstudio.session.plan_changes import same_run

        assert data.matrix is not None
        self._store = store
        self._plans = tuple(plans)
        self._what = what
        self._instead = instead
        self._alone = alone
        self._showed = store.session.shown
        """Key of the run in view, until the user chooses another."""
        self._n_steps = self._count_steps()
        self._stepped = False
        """True if a step was committed, which can be undone."""
        self._refused: set[int] = set()
        self._named: dict[int, int] = {}
        """The numbers in the names of the runs, by index of the plan."""
        self.data = data
        there = {n: same_run(plan, data.matrix, store.session.runs) for n, plan in enumerate(plans)}
        self.kept = {number: run for number, run in there.items() if run is not None}
        """The runs that the session has by now, by index of the plan."""

    @property
    def awaited(self) -> tuple[str, ...]:
        """Names of the methods whose runs are not ready."""
        return tuple(plan.method.name for plan in self._awaited_plans)

    def awaits(self, plan: TrainingPlan) -> bool:
        """Return whether the run of a plan is not ready."""
        return plan in self._awaited_plans

    @property
    def _awaited_plans(self) -> list[TrainingPlan]:
        over = self.kept.keys() | self._refused
        return [plan for number, plan in enumerate(self._plans) if number not in over]

    @property
    def is_wanted(self) -> bool:
        """True if its table is still open, and it was not undone."""
        data = self._store.session.data
        if data is None or data.labelled is not self.data.labelled:
            return False
        return not self._stepped or self._count_steps() > self._n_steps

    def begin(self) -> None:
        """Compare the runs that exist, and train the others."""
        session = self._store.session
        keys = () if self._alone else session.compared
        for number, run in self.kept.items():
            keys = self._with(keys, run, number)
        if keys != session.compared:
            self._commit(replace(session, compared=keys))
        missing = [number for number in range(len(self._plans)) if number not in self.kept]
        if missing:
            self._train(missing)

    def _count_steps(self) -> int:
        return sum(step.what == self._what for step in self._store.history.past)

    def _commit(self, session: Session) -> None:
        """Commit the session; the whole series is one step, unless others come between."""
        merge, self._stepped = self._stepped, True
        self._store.commit(session, self._what, merge=merge)

    def _train(self, missing: Sequence[int]) -> None:
        plans, matrix = [self._plans[number] for number in missing], self.data.matrix
        assert matrix is not None

        def work(task: Task[TrialProgress, None]) -> None:
            # Imported late, and in the lane: it needs all measures.
            from ximstudio.maps.label_kinds import default_class_label
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
            steps = found_all(trials, MEASURES, label=default_class_label(matrix), forgiving=True)
            with closing(steps):
                for news in steps:
                    task.report(news)

        names = ", ".join(plan.method.name for plan in plans)
        self.start(Job(label=f"Training {names}", work=work, reported=self._take, series=True))

    def _take(self, news: TrialProgress) -> None:
        n_kept = len(self.kept)
        for found in news.found:
            number = [plan.method_key for plan in self._plans].index(found.trial.method.key)
            if found.problems and number not in self._refused:
                self._refused.add(number)
                self.jobs.refused.emit(found.problems)
            elif not found.problems and number not in self.kept:
                self._keep(number, found)
        if len(self.kept) > n_kept:
            self.run_added.emit()

    def _keep(self, number: int, found: TrialResult) -> None:
        """Add a run to the session and to the comparison."""
        # Imported late: it needs all measures, which are loaded by now.
        from ximstudio.session.measuring import run_of

        session, n_made = self._store.session, self._store.history.n_made
        if not self._named:
            # In the order of the plans, whichever is ready first.
            missing = (each for each in range(len(self._plans)) if each not in self.kept)
            self._named = {each: n_made + 1 + n for n, each in enumerate(missing)}
        own = self._named[number]
        name = f"{found.trial.method.name} {own}"
        run = run_of(found, self.data, key=f"run-{own}", name=name)
        later = {self.kept[other].key for other in self.kept.keys() & self._named if other > number}
        places = (place for place, each in enumerate(session.runs) if each.key in later)
        at = next(places, len(session.runs))
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
        """Return the key of the run in view: the last one added, unless the user chose another."""
        own = {self.kept[number].key for number in self.kept.keys() & self._named}
        if session.shown is None or (
            last and session.shown == self._showed and self._showed in own
        ):
            self._showed = run.key
            return run.key
        return session.shown

    def _with(self, compared: tuple[str, ...], run: Run, number: int) -> tuple[str, ...]:
        """Return the keys of the compared runs with one more, in the order of the plans."""
        keys = list(compared)
        if run.key in keys:
            return compared
        if self._instead in keys:
            keys[keys.index(self._instead)] = run.key
            return tuple(keys)
        # Behind the runs of earlier plans, whichever was ready first.
        before = [self.kept[other].key for other in range(number) if other in self.kept]
        at = max((keys.index(key) + 1 for key in before if key in keys), default=None)
        if at is None:
            later = [each.key for other, each in self.kept.items() if other > number]
            at = min((keys.index(key) for key in later if key in keys), default=len(keys))
        keys.insert(at, run.key)
        return tuple(keys[:MOST_PANELS])
