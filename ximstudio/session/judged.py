"""What repeating the compared runs on parts of the data found about them."""

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
    from ximstudio.model.params import Params


@dataclass(frozen=True, kw_only=True, eq=False)
class Judged:
    """The report's protocol (TR table 1) for some runs.

    Parameters
    ----------
    results
        The maps of the runs, and for each the number of its method and settings in the comparison:
        runs that differ in their seed alone share one.
    comparison
        Every measure of every repetition.
    """

    results: tuple[tuple[Result, int], ...]
    comparison: Comparison

    def number_of(self, run: Run) -> int | None:
        """The number of a run in the comparison; None if it is not in it."""
        return next((number for result, number in self.results if result is run.result), None)

    def wander_of(self, run: Run) -> Floats | None:
        """How far every item strays when the run is repeated, (N,); None if it was not."""
        number = self.number_of(run)
        return None if number is None else self.comparison.stability[number].wander


def entries_of(
    runs: Sequence[Run],
) -> tuple[list[tuple[Method, Params]], tuple[tuple[Result, int], ...]]:
    """Every method with its settings once, and which of them each run has."""
    entries: list[tuple[Method, Params]] = []
    results = []
    for run in runs:
        entry = (method_named(run.result.method), run.result.params)
        if entry not in entries:
            entries.append(entry)
        results.append((run.result, entries.index(entry)))
    return entries, tuple(results)
