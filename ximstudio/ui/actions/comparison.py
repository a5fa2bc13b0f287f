"""Runs side by side: which, those that are trained for it, and how good they are when repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.model.problem import Problem, Severity
from ximstudio.session import Plan, Run, Session
from ximstudio.session.judged import Judged, entries_of
from ximstudio.session.run_words import metric_text
from ximstudio.session.usual import in_one_metric, plan_alike, usual_plans, usual_title
from ximstudio.train.checks import is_installed, package_problems
from ximstudio.ui.desk import Desk, Job, ignore
from ximstudio.ui.series import MOST_PANELS, Series

RUNS, SHARE = 10, 0.95
"""How often, and on how much of the items, the report repeats a method (TR table 1)."""
REPEATING = "Repeating the compared methods"


class Comparing(QObject):
    """Decides which runs are compared, and has the lane train those that are not there yet."""

    changed = Signal()
    """Other runs than before are being trained to be compared, or they have come further."""

    def __init__(self, desk: Desk, draw: Callable[[], None]) -> None:
        super().__init__(desk)
        self._desk = desk
        self._draw = draw
        self._series: list[Series] = []
        """What is trained to be compared, or waits for it; the first is at work."""
        self._repeated: tuple[Job, tuple[Run, ...]] | None = None
        """What repeats some runs, and which."""
        desk.changed.connect(self._follow)

    @property
    def keys(self) -> tuple[str, ...]:
        """The runs that are compared."""
        return tuple(run.key for run in self._desk.session.compared_runs)

    @property
    def awaited(self) -> tuple[str, ...]:
        """Names of the methods whose runs are still to come."""
        return tuple(name for series in self._series for name in series.awaited)

    @property
    def fraction(self) -> float:
        """How far what is trained now has come, from 0 to 1."""
        return self._series[0].fraction if self._series else 0.0

    @property
    def is_repeating(self) -> bool:
        """Whether the compared methods are being repeated, or wait for it."""
        return self._repeated is not None

    @property
    def waits_for(self) -> str:
        """What is done before maps are trained or repeated, for people; '' if nothing is."""
        if self._series:
            return self._series[0].waits_for
        return self._desk.before(self._repeated[0] if self._repeated is not None else None)

    @property
    def is_busy(self) -> bool:
        """Whether runs are being trained to be compared, or wait for it."""
        return bool(self._series)

    # Which

    def show(self, keys: Iterable[str], what: str) -> None:
        """Compare these runs, each once, and no more than there may be panels."""
        chosen = tuple(dict.fromkeys(keys))[:MOST_PANELS]
        if chosen != self._desk.session.compared:
            self._desk.update(what, compared=chosen)
            self._draw()

    def tick(self, key: str, *, on: bool) -> None:
        """Compare a run, too, or no more; one more than there may be panels is refused."""
        name = self._name_of(key)
        if not on:
            self.show((other for other in self.keys if other != key), f"Do not compare {name}")
        elif self._has_room(name):
            self.show((*self.keys, key), f"Compare {name}")

    def put(self, instead: str, key: str) -> None:
        """Compare another run in place of one; if it is compared already, they change places."""
        keys = list(self.keys)
        if instead not in keys:
            return
        place = keys.index(instead)
        if key in keys:
            keys[keys.index(key)] = instead
        keys[place] = key
        self.show(keys, f"Compare {self._name_of(key)}")

    def lead(self, key: str) -> None:
        """Bring the others over this one, which comes first."""
        if key in self.keys:
            others = (other for other in self.keys if other != key)
            self.show((key, *others), f"Turn maps to {self._name_of(key)}")

    # What is trained for it

    def train_usual(self) -> None:
        """Train the usual methods on the same data, and compare them alone."""
        self.forget()
        self._train(self._alike(*usual_plans(self._desk.session.plan)), usual_title(), alone=True)

    def train_method(self, method: str, instead: str = "") -> None:
        """Train one more method, and compare it, maybe in place of another run."""
        plan = plan_alike(self._desk.session.plan, method)
        if any(series.awaits(plan) for series in self._series) or not self._alike(plan):
            return
        if instead or self._has_room(plan.method.name):
            self._train((plan,), f"Compare {plan.method.name}", instead=instead)

    def forget(self) -> None:
        """End what is trained to be compared or repeated; what is there already stays."""
        series, self._series = self._series, []
        for each in series:
            each.stop()
        self._drop_repeated()
        self.changed.emit()

    def repeat(
        self,
        runs: int = RUNS,
        share: float = SHARE,
        *,
        of: tuple[Run, ...] = (),
        seed: int | None = None,
    ) -> None:
        """Train every compared method so often on random shares of the items (TR table 1).

        `of` are other runs than those that are compared, and `seed` another first one than theirs.
        """
        compared = of or self._desk.session.compared_runs
        alike = tuple(run for run in compared if run.is_comparable(compared[0]))
        if not alike or self.is_repeating:
            return

        def work(task: Task[float, Judged]) -> Judged:
            from ximstudio.maps.label_kinds import telling_label
            from ximstudio.measure.protocol import compare

            matrix = alike[0].matrix
            entries, results = entries_of(alike)
            steps = compare(
                matrix,
                entries,
                runs=runs,
                share=share,
                seed=min(run.result.seed for run in alike) if seed is None else seed,
                label=telling_label(matrix),
            )
            found = None
            with closing(steps):
                for progress in steps:
                    task.report(progress.fraction)
                    found = progress.comparison
            assert found is not None
            return Judged(results=results, comparison=found)

        def done(judged: Judged) -> None:
            if over():
                self._desk.take_in(
                    lambda session: _with_judged(session, judged), f"Repeat {runs} times"
                )
                self._draw()

        def over() -> bool:
            """Whether it was still wanted."""
            wanted = self._repeated is not None and self._repeated[0] is job
            if wanted:
                self._repeated = None
                self.changed.emit()
            return wanted

        job = Job(doing=REPEATING, work=work, done=done, failed=lambda: ignore(over()), beside=True)
        self._repeated = job, alike
        self._desk.start(job)
        self.changed.emit()

    def _alike(self, *plans: Plan) -> list[Plan]:
        """Those plans that can be trained in the present metric; say why others cannot."""
        present = self._desk.session.plan
        lacking = [problem for plan in plans for problem in package_problems(plan.method)]
        if lacking:
            self._desk.refused.emit(tuple(lacking))
            plans = tuple(plan for plan in plans if is_installed(plan.method))
        others = [plan for plan in plans if not in_one_metric(present, plan)]
        if others:
            self._desk.refused.emit((_other_metric(others, present),))
        return [plan for plan in plans if plan not in others]

    def _has_room(self, name: str) -> bool:
        """Whether there may be one more panel; if not, a person is told."""
        room = len(self.keys) + len(self.awaited) < MOST_PANELS
        if not room:
            self._desk.refused.emit((_too_many(name),))
        return room

    def _train(
        self, plans: Sequence[Plan], what: str, *, instead: str = "", alone: bool = False
    ) -> None:
        data = self._desk.session.data
        if data is None or data.matrix is None:
            return
        series = Series(
            self._desk, data, plans, what, instead=instead, alone=alone, changed=self._look
        )
        self._series.append(series)
        series.begin()
        self._look(True)

    def _look(self, came: bool) -> None:
        """Tell how far it is, and show what has come."""
        self._series = [series for series in self._series if series.is_busy]
        self.changed.emit()
        if came:
            self._draw()

    def _follow(self) -> None:
        """End what is trained for a session that was left, or for a step that was taken back."""
        session = self._desk.session
        left = [series for series in self._series if not series.is_wanted]
        for each in left:
            each.stop()
        if left:
            self._series = [series for series in self._series if series not in left]
            self.changed.emit()
        if self._repeated is not None:
            _, runs = self._repeated
            # Nobody can see them any more.
            if all(session.present(run) is None for run in runs):
                self._drop_repeated()
                self.changed.emit()

    def _drop_repeated(self) -> None:
        repeated, self._repeated = self._repeated, None
        if repeated is not None:
            self._desk.drop(repeated[0])

    def _name_of(self, key: str) -> str:
        return next((run.name for run in self._desk.session.runs if run.key == key), "a run")


def _with_judged(session: Session, judged: Judged) -> Session:
    """The session with what was found about its runs, if it has some of them."""
    known = any(judged.number_of(run) is not None for run in session.runs)
    return replace(session, judged=judged) if known else session


def _other_metric(plans: Sequence[Plan], present: Plan) -> Problem:
    names = " and ".join(plan.method.name for plan in plans)
    which = f"{present.method.name} compares by {metric_text(present.params)}"
    return Problem(
        key="compare.metric",
        what=f"{names}: not compared. {which}, which {names} cannot.",
        where="Method, Distance",
        way_out="To compare all methods, choose a distance that they share.",
        severity=Severity.NOTE,
    )


def _too_many(name: str) -> Problem:
    return Problem(
        key="compare.panels",
        what=f"{MOST_PANELS} runs are compared already: {name} would be one too many.",
        where="Compare",
        way_out="Take another run out of the comparison first.",
    )
