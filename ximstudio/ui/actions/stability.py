"""Retrain a run in the background to test its stability."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ximstudio.jobs import Task
from ximstudio.session import Run, Session
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.runtime.session_store import SessionStore

if TYPE_CHECKING:
    from ximstudio.maps.stability import MapStability


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
            return session.with_changed(replace(present, steadiness=found))

        if self._store.session.present(run) is not None:
            self._store.add_late(with_it, f"Retrain {run.name} {found.n_made} times")
            self._draw()

    def _follow(self) -> None:
        """Stop if the run was deleted."""
        if self.run is not None and self._store.session.present(self.run) is None:
            self.stop()
