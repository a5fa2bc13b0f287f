"""Choose the runs to compare, train those that are missing, and repeat their methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.model.problem import Problem, Severity
from ximstudio.session import Run, TrainingPlan
from ximstudio.session.plan import in_one_metric, plan_alike, usual_plans, usual_title
from ximstudio.session.run import Judged, entries_of
from ximstudio.session.run_words import metric_text
from ximstudio.train.checks import is_installed, package_problems
from ximstudio.ui.actions.series import MOST_PANELS, TrainingSeries
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.runtime.session_store import SessionStore

RUNS, SHARE = 10, 0.95
"""Repetitions of a method, and the share of the items in each, as in the report (TR table 1)."""


class MapComparison(QObject):
    """The runs that are compared side by side, and the jobs that train and repeat them."""

    changed = Signal()
    """A training or repetition begins, progresses, or has ended."""

    def __init__(self, store: SessionStore, jobs: JobQueue, draw: Callable[[], None]) -> None:
        super().__init__(store)
        self._store = store
        self._jobs = jobs
        self._draw = draw
        self._series: list[TrainingSeries] = []
        """Trainings that run or wait; the first one runs."""
        self._repeating = JobSlot(jobs, self)
        self._repeating.changed.connect(self.changed)
        self._repeated: tuple[Run, ...] = ()
        """The runs that are repeated, or were last."""
        store.changed.connect(self._follow)

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the compared runs."""
        return tuple(run.key for run in self._store.session.compared_runs)

    @property
    def awaited(self) -> tuple[str, ...]:
        """Names of the methods whose runs are not ready."""
        return tuple(name for series in self._series for name in series.awaited)

    @property
    def fraction(self) -> float:
        """Progress of the training, from 0 to 1."""
        return self._series[0].fraction if self._series else 0.0

    @property
    def is_repeating(self) -> bool:
        """True if the compared methods are repeated, or will be."""
        return self._repeating.busy

    @property
    def waits_for(self) -> str:
        """The label of the job that runs first; '' if none does."""
        return (self._series[0] if self._series else self._repeating).waits_for

    @property
    def busy(self) -> bool:
        """True if runs are trained for the comparison, or will be."""
        return bool(self._series)

    # The compared runs

    def show(self, keys: Iterable[str], what: str) -> None:
        """Compare these runs, each once, up to the number of panels."""
        chosen = tuple(dict.fromkeys(keys))[:MOST_PANELS]
        if chosen != self._store.session.compared:
            self._store.update(what, compared=chosen)
            self._draw()

    def set_compared(self, key: str, *, on: bool) -> None:
        """Add a run to the comparison, or remove it; refuse if there is no panel left."""
        name = self._name_of(key)
        if not on:
            self.show(
                (other for other in self.keys if other != key), f"Remove {name} from the comparison"
            )
        elif self._has_room(name):
            self.show((*self.keys, key), f"Compare {name}")

    def replace_run(self, instead: str, key: str) -> None:
        """Compare another run in place of one; if both are compared, swap them."""
        keys = list(self.keys)
        if instead not in keys:
            return
        place = keys.index(instead)
        if key in keys:
            keys[keys.index(key)] = instead
        keys[place] = key
        self.show(keys, f"Compare {self._name_of(key)}")

    def align_to(self, key: str) -> None:
        """Move a run to the first panel; the other maps are aligned to it."""
        if key in self.keys:
            others = (other for other in self.keys if other != key)
            self.show((key, *others), f"Align maps to {self._name_of(key)}")

    # Training

    def train_usual(self) -> None:
        """Train the usual methods on the same data, and compare only these."""
        self.stop()
        self._train(self._alike(*usual_plans(self._store.session.plan)), usual_title(), alone=True)

    def train_method(self, method: str, instead: str = "") -> None:
        """Train one more method and compare it, in place of the run `instead` if given."""
        plan = plan_alike(self._store.session.plan, method)
        if any(series.awaits(plan) for series in self._series) or not self._alike(plan):
            return
        if instead or self._has_room(plan.method.name):
            self._train((plan,), f"Compare {plan.method.name}", instead=instead)

    def stop(self) -> None:
        """Stop training and repeating; runs that are ready stay."""
        self._remove(self._series)
        self._repeating.stop()

    def repeat(
        self,
        runs: int = RUNS,
        share: float = SHARE,
        *,
        of: tuple[Run, ...] = (),
        seed: int | None = None,
    ) -> None:
        """Train every compared method repeatedly on random shares of the items (TR table 1).

        `of` gives other runs than the compared ones, and `seed` another first seed than theirs.
        """
        compared = of or self._store.session.compared_runs
        alike = tuple(run for run in compared if run.is_comparable(compared[0]))
        if not alike or self.is_repeating:
            return

        def work(task: Task[float, Judged]) -> Judged:
            from ximstudio.maps.label_kinds import default_class_label
            from ximstudio.measure.protocol import compare

            matrix = alike[0].matrix
            entries, results = entries_of(alike)
            steps = compare(
                matrix,
                entries,
                runs=runs,
                share=share,
                seed=min(run.result.seed for run in alike) if seed is None else seed,
                label=default_class_label(matrix),
            )
            found = None
            with closing(steps):
                for progress in steps:
                    task.report(progress.fraction)
                    found = progress.comparison
            assert found is not None
            return Judged(results=results, comparison=found)

        def done(judged: Judged) -> None:
            self._store.add_late(
                lambda session: session.with_judged(judged), f"Repeat the comparison {runs} times"
            )
            self._draw()

        self._repeated = alike
        label = "Repeating the compared methods"
        self._repeating.start(Job(label=label, work=work, done=done, series=True))

    def _alike(self, *plans: TrainingPlan) -> list[TrainingPlan]:
        """Return the plans that can be trained in the present metric, and refuse the others."""
        present = self._store.session.plan
        lacking = [problem for plan in plans for problem in package_problems(plan.method)]
        if lacking:
            self._jobs.refused.emit(tuple(lacking))
            plans = tuple(plan for plan in plans if is_installed(plan.method))
        others = [plan for plan in plans if not in_one_metric(present, plan)]
        if others:
            self._jobs.refused.emit((_other_metric(others, present),))
        return [plan for plan in plans if plan not in others]

    def _has_room(self, name: str) -> bool:
        """Return whether there is a panel left, and refuse if not."""
        room = len(self.keys) + len(self.awaited) < MOST_PANELS
        if not room:
            self._jobs.refused.emit((_too_many(name),))
        return room

    def _train(
        self, plans: Sequence[TrainingPlan], what: str, *, instead: str = "", alone: bool = False
    ) -> None:
        data = self._store.session.data
        if data is None or data.matrix is None:
            return
        series = TrainingSeries(
            self._store, self._jobs, data, plans, what, instead=instead, alone=alone
        )
        series.run_added.connect(self._draw)
        self._series.append(series)
        series.begin()
        series.changed.connect(self._remove_ended)
        self._remove_ended()
        self._draw()

    def _remove_ended(self) -> None:
        self._remove([series for series in self._series if not series.busy])

    def _remove(self, ended: Sequence[TrainingSeries]) -> None:
        """Stop and delete trainings."""
        self._series = [series for series in self._series if series not in ended]
        for series in ended:
            series.stop()
            series.deleteLater()
        self.changed.emit()

    def _follow(self) -> None:
        """Stop what is computed for a table that was closed, a step that was undone, or no run."""
        unwanted = [series for series in self._series if not series.is_wanted]
        if unwanted:
            self._remove(unwanted)
        if all(self._store.session.present(run) is None for run in self._repeated):
            self._repeating.stop()

    def _name_of(self, key: str) -> str:
        return next((run.name for run in self._store.session.runs if run.key == key), "a run")


def _other_metric(plans: Sequence[TrainingPlan], present: TrainingPlan) -> Problem:
    names = " and ".join(plan.method.name for plan in plans)
    which = f"{present.method.name} compares by {metric_text(present.params)}"
    return Problem(
        key="compare.metric",
        what=f"{names} cannot be compared: {which}, which {names} cannot.",
        where="Method, Distance",
        way_out="To compare all methods, choose a distance that all of them support.",
        severity=Severity.NOTE,
    )


def _too_many(name: str) -> Problem:
    return Problem(
        key="compare.panels",
        what=f"{name} cannot be added: {MOST_PANELS} runs are the maximum.",
        where="Compare",
        way_out="Remove a run from the comparison first.",
    )
