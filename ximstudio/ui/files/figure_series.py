"""Series of maps that a figure tells of: sweeps, repetitions and maps made again, begun anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ximstudio.session import Run
from ximstudio.ui.studio import Studio

if TYPE_CHECKING:
    from ximstudio.export.figure_work import FigureWork, MadeAgain, Repeated


class FigureSeries(QObject):
    """Has the studio make what the figure that was opened last shows of series.

    They take as long as they took then, and nobody waits for them; views are drawn again as soon as
    something is there.
    """

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self._studio = studio
        self._waiting: list[tuple[Run, MadeAgain]] = []
        """Runs that are to be made again, one after the other; the first is at work."""
        studio.desk.changed.connect(self._follow)

    def begin(self, work: FigureWork, runs: Mapping[int, Run]) -> None:
        """Begin what is not there yet; `runs` are the maps of the figure by their numbers."""
        if work.sweep:
            self._studio.sweeping.begin(self._studio.session.plan, work.sweep)
        if work.repeated is not None:
            self._repeat(work.repeated, runs)
        self._waiting = [(runs[each.run], each) for each in work.again if each.run in runs]
        self._go_on()

    def _repeat(self, wanted: Repeated, runs: Mapping[int, Run]) -> None:
        of = tuple(runs[number] for number in wanted.runs if number in runs)
        judged = self._studio.session.judged
        if judged is not None and all(judged.number_of(run) is not None for run in of):
            found = judged.comparison
            if (found.n_runs, found.share, found.seed) == (wanted.times, wanted.share, wanted.seed):
                return
        self._studio.comparing.repeat(wanted.times, wanted.share, of=of, seed=wanted.seed)

    def _go_on(self) -> None:
        """Make the next run again that was not yet."""
        while self._waiting and self._is_made(*self._waiting[0]):
            self._waiting.pop(0)
        if self._waiting:
            run, wanted = self._waiting[0]
            self._studio.steadying.begin(run, runs=wanted.times, share=wanted.share)

    def _is_made(self, run: Run, wanted: MadeAgain) -> bool:
        """Whether it was made again so often; a run that is gone needs not be."""
        present = self._studio.session.present(run)
        found = None if present is None else present.steadiness
        made = None if found is None else (found.runs, found.share)
        return present is None or made == (wanted.times, wanted.share)

    def _follow(self) -> None:
        # Of a run that a person wants no longer nothing comes, and so nothing after it.
        if self._waiting and self._is_made(*self._waiting[0]):
            self._go_on()
