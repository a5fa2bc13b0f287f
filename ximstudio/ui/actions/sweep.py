"""Train many maps of one method with different settings, in the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ximstudio.jobs import Task
from ximstudio.model.problem import UserError
from ximstudio.session import Data, TrainingPlan
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.runtime.session_store import SessionStore

if TYPE_CHECKING:
    from ximstudio.measure.sweep import SweepAxis, Variant
    from ximstudio.measure.trials import TrialProgress, TrialResult
    from ximstudio.session import Run


@dataclass(frozen=True, kw_only=True, eq=False)
class Sweep:
    """A plan on a table, and the settings that differ from map to map.

    `variants` are in the order of the grid, the last setting fastest.
    """

    data: Data
    plan: TrainingPlan
    axes: tuple[SweepAxis, ...]
    variants: tuple[Variant, ...]


class ParameterSweep(JobSlot):
    """Trains and measures the maps of a sweep; each map can become a run."""

    def __init__(
        self,
        store: SessionStore,
        jobs: JobQueue,
        measure: Callable[[Run], None],
        draw: Callable[[], None],
    ) -> None:
        super().__init__(jobs, store)
        self._store = store
        self._measure = measure
        self._draw = draw
        self.sweep: Sweep | None = None
        """The sweep that runs, or ran last."""
        self.found: dict[int, TrialResult] = {}
        """The maps that are ready, by index of their variant."""
        store.changed.connect(self._follow)

    def begin(self, plan: TrainingPlan, axes: Sequence[SweepAxis]) -> None:
        """Start a sweep over these settings, or refuse if they cannot be swept."""
        from ximstudio.measure.sweep import variants

        data = self._store.session.data
        if data is None or data.matrix is None:
            return
        self.stop()
        try:
            made = variants(plan.params, axes)
        except UserError as error:
            self.jobs.refused.emit(error.problems)
            return
        self.sweep = sweep = Sweep(data=data, plan=plan, axes=tuple(axes), variants=made)
        self.found = {}

        def work(task: Task[TrialProgress, None]) -> None:
            from ximstudio.maps.label_kinds import default_class_label
            from ximstudio.measure.sweep import sweep as swept

            matrix = sweep.data.matrix
            assert matrix is not None
            news = swept(
                matrix,
                sweep.plan.method,
                sweep.plan.params,
                sweep.axes,
                seed=sweep.plan.seed,
                label=default_class_label(matrix),
            )
            with closing(news):
                for one in news:
                    task.report(one)

        # Deferred: the cards of the maps are built first.
        self.start(
            Job(
                label=f"Sweeping {plan.method.name}",
                work=work,
                reported=lambda news: self._take(sweep, news),
                series=True,
                deferred=True,
            )
        )

    def open(self, index: int) -> None:
        """Show a map of the sweep as a run, which is added unless it is one already."""
        sweep, found = self.sweep, self.found.get(index)
        if sweep is None or found is None or found.result is None:
            return
        from ximstudio.session.trial_run import run_of

        session = self._store.session
        there = next((run for run in session.runs if run.result is found.result), None)
        if there is not None:
            if session.shown != there.key:
                self._store.update(f"Show {there.name}", shown=there.key)
                self._draw()
            return
        made = self._store.history.n_made + 1
        name = f"{sweep.plan.method.name} {made}, {sweep.variants[index].name}"
        run = run_of(found, sweep.data, key=f"run-{made}", name=name)
        self._store.commit(session.with_run(run, n_made=made), f"Open {run.name}")
        self._draw()
        self._measure(run)

    def _take(self, sweep: Sweep, news: TrialProgress) -> None:
        indices = {variant.name: index for index, variant in enumerate(sweep.variants)}
        for found in news.found:
            self.found.setdefault(indices[found.trial.name], found)

    def _follow(self) -> None:
        """Discard the maps of a table that is no longer open."""
        data, sweep = self._store.session.data, self.sweep
        if sweep is not None and (data is None or data.labelled is not sweep.data.labelled):
            self.stop()
            self.sweep, self.found = None, {}
            self.changed.emit()
