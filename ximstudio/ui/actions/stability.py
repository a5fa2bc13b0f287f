"""Stability as the window has it: a run made again in the lane, and what of it stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.session import Run, Session
from ximstudio.ui.desk import Desk, Job

if TYPE_CHECKING:
    from ximstudio.maps.steadiness import Steadiness


class Steadying(QObject):
    """Has the lane make a run again, with other seeds or on parts of the items."""

    changed = Signal()
    """It begins, has come further, or has ended."""

    def __init__(self, desk: Desk, draw: Callable[[], None]) -> None:
        super().__init__(desk)
        self._desk = desk
        self._draw = draw
        self._job: Job | None = None
        self.run: Run | None = None
        """The run that is made again now."""
        self.fraction = 0.0
        desk.progressed.connect(self._hear)
        desk.changed.connect(self._follow)

    @property
    def waits_for(self) -> str:
        """What is done first, for people; '' if nothing is."""
        return self._desk.before(self._job)

    @property
    def is_busy(self) -> bool:
        """Whether a run is being made again, or waits for it."""
        return self._job is not None

    def begin(self, run: Run, *, runs: int, share: float) -> None:
        """Make a run again so often, on this share of its items; 1 for all, with other seeds."""
        self.stop()

        def work(task: Task[float, Steadiness]) -> Steadiness:
            # Late, and in the lane: it brings all measures.
            from ximstudio.maps.steadiness import steadiness
            from ximstudio.train import method_named

            steps = steadiness(
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
                found: Steadiness = ended.value
                return found
            finally:
                steps.close()

        def done(found: Steadiness) -> None:
            over()
            self._keep(run, found)

        def over() -> None:
            if self._job is job:
                self._job = self.run = None
                self.changed.emit()

        job = Job(
            doing=f"Making {run.name} again",
            work=work,
            done=done,
            failed=over,
            beside=True,
        )
        self._job, self.run, self.fraction = job, run, 0.0
        self._desk.start(job)
        self.changed.emit()

    def stop(self) -> None:
        """Make it no more."""
        job, self._job, self.run = self._job, None, None
        if job is not None:
            self._desk.drop(job)
            self.changed.emit()

    def _hear(self, job: Job, fraction: float) -> None:
        if job is self._job:
            self.fraction = fraction
            self.changed.emit()

    def _keep(self, run: Run, found: Steadiness) -> None:
        """Put what was found on the run, which may have another name by now, or be deleted."""

        def with_it(session: Session) -> Session:
            present = session.present(run)
            if present is None:
                return session
            return session.with_changed(replace(present, steadiness=found))

        if self._desk.session.present(run) is not None:
            self._desk.take_in(with_it, f"Make {run.name} again, {found.n_made} times")
            self._draw()

    def _follow(self) -> None:
        """Make a run no more that nobody can see."""
        if self.run is not None and self._desk.session.present(self.run) is None:
            self.stop()
