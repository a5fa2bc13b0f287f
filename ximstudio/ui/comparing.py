"""Runs side by side: which, and those that are trained for it, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.session import Data, Plan, Run, Session
from ximstudio.session.judged import Judged
from ximstudio.session.usual import plan_alike, usual_plans
from ximstudio.train import method_named
from ximstudio.ui.desk import Desk, Job

if TYPE_CHECKING:
    from ximstudio.measure.trials import Found, News

MOST_PANELS = 6
RUNS, SHARE = 10, 0.95
"""How often, and on how much of the items, the report repeats a method (TR table 1)."""
REPEATING = "Repeating the compared methods"
USUAL = "Compare the usual four"


@dataclass(frozen=True, kw_only=True, eq=False)
class Series:
    """Runs that are being trained to be compared.

    Parameters
    ----------
    data
        The table they are of.
    plans
        What is trained, in the order in which it was asked for.
    what
        What a person did, as it is named where it can be taken back.
    places
        The panel that each comes into; None behind all others.
    before
        The session that they were asked for in.
    """

    data: Data
    plans: tuple[Plan, ...]
    what: str
    places: tuple[int | None, ...]
    before: Session


class Comparing(QObject):
    """Decides which runs are compared, and has the lane train those that are not there yet."""

    changed = Signal()
    """Other runs than before are being trained to be compared, or they have come further."""

    def __init__(self, desk: Desk, draw: Callable[[], None]) -> None:
        super().__init__(desk)
        self._desk = desk
        self._draw = draw
        self._series: Series | None = None
        self._job: Job | None = None
        self._kept: dict[int, Run] = {}
        """By place in the series: the runs that are in the session by now."""
        self._refused: set[int] = set()
        """Places in the series of what cannot be trained on these data."""
        self.fraction = 0.0
        self._named: dict[int, int] = {}
        """By place in the series: the number that the run is named by."""
        desk.changed.connect(self._follow)

    @property
    def keys(self) -> tuple[str, ...]:
        """The runs that are compared."""
        return tuple(run.key for run in self._desk.session.compared_runs)

    @property
    def awaited(self) -> tuple[str, ...]:
        """Names of the methods whose runs are still to come."""
        if self._series is None:
            return ()
        plans = enumerate(self._series.plans)
        over = {*self._kept, *self._refused}
        return tuple(plan.method.name for number, plan in plans if number not in over)

    @property
    def is_repeating(self) -> bool:
        """Whether the compared methods are being repeated, or wait for it."""
        return any(job.doing == REPEATING for job in (*self._desk.jobs, *self._desk.waiting))

    @property
    def is_busy(self) -> bool:
        """Whether runs are being trained to be compared, or wait for it."""
        return self._series is not None

    # Which

    def show(self, keys: Iterable[str], what: str) -> None:
        """Compare these runs, each once, and no more than there may be panels."""
        chosen = tuple(dict.fromkeys(keys))[:MOST_PANELS]
        if chosen != self._desk.session.compared:
            self._desk.update(what, compared=chosen)
            self._draw()

    def tick(self, key: str, *, on: bool) -> None:
        """Compare a run, too, or no more."""
        name = self._name_of(key)
        if on:
            self.show((*self.keys, key), f"Compare {name}")
        else:
            self.show((other for other in self.keys if other != key), f"Do not compare {name}")

    def put(self, place: int, key: str) -> None:
        """Compare another run in place of one; if it is compared already, they change places."""
        keys = list(self.keys)
        if key in keys:
            keys[keys.index(key)] = keys[place]
        keys[place] = key
        self.show(keys, f"Compare {self._name_of(key)}")

    def remove(self, place: int) -> None:
        """Take a run out of the comparison."""
        self.tick(self.keys[place], on=False)

    def lead(self, place: int) -> None:
        """Bring the others over this one, which comes first."""
        key = self.keys[place]
        others = (other for other in self.keys if other != key)
        self.show((key, *others), f"Turn maps to {self._name_of(key)}")

    # What is trained for it

    def train_usual(self) -> None:
        """Train PCA, SOM, XOM and c-XIM on the same data, and compare them alone."""
        self._train(usual_plans(self._desk.session.plan), USUAL, alone=True)

    def train_method(self, method: str, place: int | None = None) -> None:
        """Train one more method, and compare it, maybe in place of another run."""
        plan = plan_alike(self._desk.session.plan, method)
        self._train((plan,), f"Compare {plan.method.name}", places=(place,))

    def repeat(self, runs: int = RUNS, share: float = SHARE) -> None:
        """Train every compared method so often on random shares of the items (TR table 1)."""
        session = self._desk.session
        compared = session.compared_runs
        alike = tuple(run for run in compared if run.is_comparable(compared[0]))
        if not alike:
            return

        def work(task: Task[float, Judged]) -> Judged:
            from ximstudio.maps.label_kinds import telling_label
            from ximstudio.measure.protocol import compare

            matrix = alike[0].matrix
            entries = [(method_named(run.result.method), run.result.params) for run in alike]
            label = telling_label(matrix)
            steps = compare(
                matrix, entries, runs=runs, share=share, seed=alike[0].result.seed, label=label
            )
            found = None
            with closing(steps):
                for progress in steps:
                    task.report(progress.fraction)
                    found = progress.comparison
            assert found is not None
            return Judged(runs=alike, comparison=found)

        def done(judged: Judged) -> None:
            # Another table may be open by now.
            if any(self._desk.session.present(run) is not None for run in judged.runs):
                self._desk.update(f"Repeat {runs} times", judged=judged)
                self._draw()

        self._desk.forget(lambda job: job.doing == REPEATING)
        self._desk.start(Job(doing=REPEATING, work=work, done=done, beside=True))

    def forget(self) -> None:
        """End what is trained to be compared; what is there already stays."""
        if self._job is not None:
            self._desk.drop(self._job)
        self._end()

    def _train(
        self,
        plans: Sequence[Plan],
        what: str,
        *,
        alone: bool = False,
        places: tuple[int | None, ...] = (),
    ) -> None:
        """Train these beside each other; runs that are there already are not made again."""
        from ximstudio.session.repeated import same_run

        session = self._desk.session
        data = session.data
        if data is None or data.matrix is None:
            return
        self.forget()
        matrix = data.matrix
        there = {n: same_run(plan, matrix, session.runs) for n, plan in enumerate(plans)}
        self._kept = {number: run for number, run in there.items() if run is not None}
        self._series = Series(
            data=data,
            plans=tuple(plans),
            what=what,
            places=places or (None,) * len(plans),
            before=session,
        )
        if alone:
            self.show((run.key for run in self._kept.values()), what)
        else:
            for number in self._kept:
                self._desk.update(what, compared=self._with(self._kept[number], number))
        if len(self._kept) == len(plans):
            self._end()
            self._draw()
            return
        self._begin(self._series)

    def _begin(self, series: Series) -> None:
        missing = [number for number in range(len(series.plans)) if number not in self._kept]

        def work(task: Task[News, None]) -> None:
            # Late, and in the lane: it brings all measures.
            from ximstudio.maps.label_kinds import telling_label
            from ximstudio.measure.catalogue import MEASURES
            from ximstudio.measure.trials import Trial, found_all

            assert series.data.matrix is not None
            trials = [
                Trial(
                    series.data.matrix,
                    plan.method,
                    plan.params,
                    plan.seed,
                    plan.method.name,
                    keeps=True,
                    shows=True,
                )
                for plan in (series.plans[number] for number in missing)
            ]
            label = telling_label(series.data.matrix)
            with closing(found_all(trials, MEASURES, label=label, forgiving=True)) as news:
                for one in news:
                    task.report(one)

        def heard(news: News) -> None:
            if self._job is job:
                self._hear(series, news, missing)
                self._desk.progressed.emit(job, news.fraction)

        def over(*_: object) -> None:
            if self._job is job:
                self._end()

        names = ", ".join(series.plans[number].method.name for number in missing)
        job = Job(
            doing=f"Training {names}", work=work, heard=heard, done=over, failed=over, beside=True
        )
        self._job, self.fraction = job, 0.0
        # Named in the order in which they were asked for, whichever is ready first.
        n_made = self._desk.history.n_made
        self._named = {number: n_made + 1 + place for place, number in enumerate(missing)}
        self._desk.start(job)
        self.changed.emit()

    def _hear(self, series: Series, news: News, missing: Sequence[int]) -> None:
        self.fraction = news.fraction
        for found in news.found:
            method = found.trial.method.key
            number = next(each for each in missing if series.plans[each].method_key == method)
            if found.problems and number not in self._refused:
                self._refused.add(number)
                self._desk.refused.emit(found.problems)
            elif not found.problems and number not in self._kept:
                self._keep(series, number, found)
        self.changed.emit()

    def _keep(self, series: Series, number: int, found: Found) -> None:
        """Put a run into the session, and into its panel."""
        session, data = self._desk.session, series.data
        # Late: it brings all measures, which are there by now.
        from ximstudio.session.found_run import run_of

        made = self._desk.history.n_made + 1
        name = f"{found.trial.method.name} {self._named[number]}"
        run = run_of(found, data, key=f"run-{made}", name=name)
        later = {
            self._kept[other].key for other in self._kept.keys() & self._named if other > number
        }
        at = next((n for n, each in enumerate(session.runs) if each.key in later), None)
        at = len(session.runs) if at is None else at
        self._kept[number] = run
        # Where nothing was shown before, the last of them is: what the others are compared with.
        shows = session.shown is None or (series.before.shown is None and not later)
        after = replace(
            session,
            runs=(*session.runs[:at], run, *session.runs[at:]),
            shown=run.key if shows else session.shown,
            n_made=made,
            compared=self._with(run, number),
        )
        self._desk.commit(after, series.what, merge=True)
        self._draw()

    def _with(self, run: Run, number: int) -> tuple[str, ...]:
        """The runs that are compared with one more: in its panel, or where the series has it."""
        series, keys = self._series, list(self.keys)
        assert series is not None
        place = series.places[number]
        if run.key in keys:
            return tuple(keys)
        if place is not None and place < len(keys):
            keys[place] = run.key
            return tuple(keys)
        # Behind those of the series that come before it, whichever were ready first.
        before = [self._kept[other].key for other in range(number) if other in self._kept]
        at = max((keys.index(key) + 1 for key in before if key in keys), default=None)
        if at is None:
            later = [each.key for other, each in self._kept.items() if other > number]
            at = min((keys.index(key) for key in later if key in keys), default=len(keys))
        keys.insert(at, run.key)
        return tuple(keys[:MOST_PANELS])

    def _end(self) -> None:
        self._series = self._job = None
        self._kept, self._named, self._refused = {}, {}, set()
        self.changed.emit()

    def _follow(self) -> None:
        """End what is trained for a session that was left, or for a step that was taken back."""
        session = self._desk.session
        series = self._series
        if series is None:
            return
        other_table = session.data is None or session.data.labelled is not series.data.labelled
        made = [self._kept[number] for number in self._kept.keys() & self._named]
        taken_back = any(session.present(run) is None for run in made)
        if other_table or taken_back:
            self.forget()

    def _name_of(self, key: str) -> str:
        session: Session = self._desk.session
        return next((run.name for run in session.runs if run.key == key), "a run")
