"""Sweeps as the window has them: many maps of one method, trained in the lane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.model.problem import UserError
from ximstudio.session import Data, Plan
from ximstudio.ui.desk import Desk, Job

if TYPE_CHECKING:
    from ximstudio.measure.sweep import Axis, Variant
    from ximstudio.measure.trials import Found, News
    from ximstudio.session import Run


@dataclass(frozen=True, kw_only=True, eq=False)
class Sweep:
    """What is swept: a plan on a table, and the settings that change from map to map.

    `variants` are in the order of the grid, the last setting fastest.
    """

    data: Data
    plan: Plan
    axes: tuple[Axis, ...]
    variants: tuple[Variant, ...]


class Sweeping(QObject):
    """Has the lane train and measure the maps of a sweep; each can become a run."""

    changed = Signal()
    """More was found, or another sweep begins or ends."""

    def __init__(
        self, desk: Desk, measure: Callable[[Run], None], draw: Callable[[], None]
    ) -> None:
        super().__init__(desk)
        self._desk = desk
        self._measure = measure
        self._draw = draw
        self._job: Job | None = None
        self.sweep: Sweep | None = None
        """What was swept last, or is now."""
        self.found: dict[int, Found] = {}
        """By place among the variants: what is there by now."""
        self.fraction = 0.0
        desk.changed.connect(self._follow)

    @property
    def waits_for(self) -> str:
        """What is done first, for people; '' if nothing is."""
        return self._desk.before(self._job)

    @property
    def is_busy(self) -> bool:
        """Whether maps are being trained, or wait for it."""
        return self._job is not None

    def begin(self, plan: Plan, axes: Sequence[Axis]) -> None:
        """Sweep over these settings; what cannot be swept is refused."""
        from ximstudio.measure.sweep import variants

        data = self._desk.session.data
        if data is None or data.matrix is None:
            return
        self.stop()
        try:
            made = variants(plan.params, axes)
        except UserError as error:
            self._desk.refused.emit(error.problems)
            return
        self.sweep = Sweep(data=data, plan=plan, axes=tuple(axes), variants=made)
        self.found, self.fraction = {}, 0.0
        self._start(self.sweep)

    def stop(self) -> None:
        """Train no more maps; those that are there stay."""
        job, self._job = self._job, None
        if job is not None:
            self._desk.drop(job)
            self.changed.emit()

    def open(self, place: int) -> None:
        """Have a map become a run, and show it; one that is a run already is shown."""
        sweep, found = self.sweep, self.found.get(place)
        if sweep is None or found is None or found.result is None:
            return
        from ximstudio.session.found_run import run_of

        session = self._desk.session
        there = next((run for run in session.runs if run.result is found.result), None)
        if there is not None:
            if session.shown != there.key:
                self._desk.update(f"Show {there.name}", shown=there.key)
                self._draw()
            return
        made = self._desk.history.n_made + 1
        name = f"{sweep.plan.method.name} {made}, {sweep.variants[place].name}"
        run = run_of(found, sweep.data, key=f"run-{made}", name=name)
        self._desk.commit(session.with_run(run, n_made=made), f"Open {run.name}")
        self._draw()
        self._measure(run)

    def _start(self, sweep: Sweep) -> None:
        def work(task: Task[News, None]) -> None:
            from ximstudio.maps.label_kinds import telling_label
            from ximstudio.measure.sweep import sweep as swept

            matrix = sweep.data.matrix
            assert matrix is not None
            news = swept(
                matrix,
                sweep.plan.method,
                sweep.plan.params,
                sweep.axes,
                seed=sweep.plan.seed,
                label=telling_label(matrix),
            )
            with closing(news):
                for one in news:
                    task.report(one)

        def heard(news: News) -> None:
            if self._job is job:
                self._hear(sweep, news)
                self._desk.progressed.emit(job, news.fraction)

        def over(*_: object) -> None:
            if self._job is job:
                self._job = None
                self.changed.emit()

        job = Job(
            doing=f"Sweeping {sweep.plan.method.name}",
            work=work,
            heard=heard,
            done=over,
            failed=over,
            beside=True,
            # Its cards are made first.
            patient=True,
        )
        self._job = job
        self._desk.start(job)
        self.changed.emit()

    def _hear(self, sweep: Sweep, news: News) -> None:
        self.fraction = news.fraction
        places = {variant.name: place for place, variant in enumerate(sweep.variants)}
        for found in news.found:
            self.found.setdefault(places[found.trial.name], found)
        self.changed.emit()

    def _follow(self) -> None:
        """Forget the maps of a table that is no longer open."""
        data, sweep = self._desk.session.data, self.sweep
        if sweep is not None and (data is None or data.labelled is not sweep.data.labelled):
            self.stop()
            self.sweep, self.found = None, {}
            self.changed.emit()
