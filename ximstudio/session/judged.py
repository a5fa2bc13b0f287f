"""Results of retraining the compared runs on parts of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ximstudio.model.arrays import Floats
from ximstudio.model.result import Result
from ximstudio.session.run import Run
from ximstudio.train import Method, method_named

if TYPE_CHECKING:
    from ximstudio.measure.comparison import Comparison
    from ximstudio.model.method_params import MethodParams


@dataclass(frozen=True, kw_only=True, eq=False)
class Judged:
    """The report's protocol (TR table 1) for some runs.

    Parameters
    ----------
    results
        The maps of the runs, each with the number of its method and settings in the comparison:
        runs that differ only in their seed share one.
    comparison
        Every measure of every repetition.
    """

    results: tuple[tuple[Result, int], ...]
    comparison: Comparison

    def number_of(self, run: Run) -> int | None:
        """Number of a run in the comparison; None if it is not part of it."""
        return next((number for result, number in self.results if result is run.result), None)

    def wander_of(self, run: Run) -> Floats | None:
        """Distance that every item moves when the run is repeated, (N,); None if it was not."""
        number = self.number_of(run)
        return None if number is None else self.comparison.stability[number].wander


def entries_of(
    runs: Sequence[Run],
) -> tuple[list[tuple[Method, MethodParams]], tuple[tuple[Result, int], ...]]:
    """Collect each method with its settings once, and which of them each run has."""
    entries: list[tuple[Method, MethodParams]] = []
    results = []
    for run in runs:
        entry = (method_named(run.result.method), run.result.params)
        if entry not in entries:
            entries.append(entry)
        results.append((run.result, entries.index(entry)))
    return entries, tuple(results)
