"""What repeating the compared runs on parts of the data found about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ximstudio.model.arrays import Floats
from ximstudio.session.run import Run

if TYPE_CHECKING:
    from ximstudio.measure.comparison import Comparison


@dataclass(frozen=True, kw_only=True, eq=False)
class Judged:
    """The report's protocol (TR table 1) for some runs.

    Parameters
    ----------
    runs
        The runs as they were, in the order of the comparison's entries.
    comparison
        Every measure of every repetition.
    """

    runs: tuple[Run, ...]
    comparison: Comparison

    def number_of(self, run: Run) -> int | None:
        """The place of a run in the comparison; None if it is not in it."""
        results = [each.result for each in self.runs]
        return results.index(run.result) if run.result in results else None

    def wander_of(self, run: Run) -> Floats | None:
        """How far every item strays when the run is repeated, (N,); None if it was not."""
        number = self.number_of(run)
        return None if number is None else self.comparison.stability[number].wander
