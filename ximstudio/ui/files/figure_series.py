"""Restart the sweeps, repetitions and stability tests that a figure shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ximstudio.session import Run
from ximstudio.ui.actions.actions import Actions

if TYPE_CHECKING:
    from ximstudio.export.figure_work import FigureWork, MadeAgain, Repeated


class FigureSeries(QObject):
    """Restarts the series of the figure that was opened last.

    They run in the background; views are drawn again as results arrive.
    """

    def __init__(self, actions: Actions) -> None:
        super().__init__(actions)
        self._actions = actions
        self._waiting: list[tuple[Run, MadeAgain]] = []
        """Runs to retrain, one after the other; the first is running."""
        actions.store.changed.connect(self._follow)

    def begin(self, work: FigureWork, runs: Mapping[int, Run]) -> None:
        """Start the missing series; `runs` are the maps of the figure by number."""
        if work.sweep:
            self._actions.parameter_sweep.begin(self._actions.session.plan, work.sweep)
        if work.repeated is not None:
            self._repeat(work.repeated, runs)
        self._waiting = [(runs[each.run], each) for each in work.again if each.run in runs]
        self._go_on()

    def _repeat(self, wanted: Repeated, runs: Mapping[int, Run]) -> None:
        of = tuple(runs[number] for number in wanted.runs if number in runs)
        judged = self._actions.session.judged
        if judged is not None and all(judged.number_of(run) is not None for run in of):
            found = judged.comparison
            if (found.n_runs, found.share, found.seed) == (wanted.times, wanted.share, wanted.seed):
                return
        self._actions.comparison.repeat(wanted.times, wanted.share, of=of, seed=wanted.seed)

    def _go_on(self) -> None:
        """Retrain the next run."""
        while self._waiting and self._is_made(*self._waiting[0]):
            self._waiting.pop(0)
        if self._waiting:
            run, wanted = self._waiting[0]
            self._actions.stability.begin(run, runs=wanted.times, share=wanted.share)

    def _is_made(self, run: Run, wanted: MadeAgain) -> bool:
        """Return whether a run was retrained this often, or no longer exists."""
        present = self._actions.session.present(run)
        found = None if present is None else present.stability
        made = None if found is None else (found.runs, found.share)
        return present is None or made == (wanted.times, wanted.share)

    def _follow(self) -> None:
        # A cancelled run gives no result; the others are not started either.
        if self._waiting and self._is_made(*self._waiting[0]):
            self._go_on()
