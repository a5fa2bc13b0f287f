"""Train many maps in the background: a run again for its stability, or a sweep of settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ximstudio.jobs import Task
from ximstudio.model.problem import UserError
from ximstudio.session import Data, Run, Session, TrainingPlan
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.runtime.session_store import SessionStore

if TYPE_CHECKING:
    from ximstudio.maps.stability import MapStability
    from ximstudio.measure.sweep import SweepAxis, Variant
    from ximstudio.measure.trials import TrialProgress, TrialResult
    from ximstudio.session import Run


class StabilityTest(JobSlot):
    """Retrains a run with other seeds, or on parts of its items, and keeps what is found."""

    def __init__(self, store: SessionStore, jobs: JobQueue, draw: Callable[[], None]) -> None:
        super().__init__(jobs, store)
        self._store = store
        self._draw = draw
        self._run: Run | None = None
        store.changed.connect(self._follow)

    @property
    def run(self) -> Run | None:
        """The run under test."""
        return self._run if self.busy else None

    def begin(self, run: Run, *, runs: int, share: float) -> None:
        """Retrain a run `runs` times on a share of its items; 1 for all items with other seeds."""

        def work(task: Task[float, MapStability]) -> MapStability:
            # Imported late, and in the lane: it needs all measures.
            from ximstudio.maps.stability import map_stability
            from ximstudio.train import method_named

            steps = map_stability(
                run.matrix,
                method_named(run.result.method),
                run.result.params,
                reference=run.result,
                runs=runs,
                share=share,
                seed=run.result.seed,
            )
            try:
                while True:
                    task.report(next(steps).fraction)
            except StopIteration as ended:
                found: MapStability = ended.value
                return found
            finally:
                steps.close()

        self._run = run
        self.start(
            Job(
                label=f"Retraining {run.name}",
                work=work,
                done=lambda found: self._keep(run, found),
                series=True,
            )
        )

    def _keep(self, run: Run, found: MapStability) -> None:
        """Add the result to the run, which may have been renamed or deleted meanwhile."""

        def with_it(session: Session) -> Session:
            present = session.present(run)
            if present is None:
                return session
            return session.with_changed(replace(present, stability=found))

        if self._store.session.present(run) is not None:
            self._store.add_late(with_it, f"Retrain {run.name} {found.n_made} times")
            self._draw()

    def _follow(self) -> None:
        """Stop if the run was deleted."""
        if self.run is not None and self._store.session.present(self.run) is None:
            self.stop()


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
        from ximstudio.session.measuring import run_of

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
