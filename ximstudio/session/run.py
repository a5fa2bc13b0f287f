"""A trained map with its data, and the results of retraining compared ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.measure.estimate import Estimate
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.arrays import Floats
from ximstudio.model.made_with import MadeWith
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import compared
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Frozen
from ximstudio.train import Method, method_named

if TYPE_CHECKING:
    from ximstudio.maps.clusters import Clustering
    from ximstudio.maps.stability import MapStability
    from ximstudio.measure.comparison import Comparison
    from ximstudio.model.method_params import MethodParams
    from ximstudio.session.projection import ProjectedFile


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingCurves:
    """Trustworthiness and continuity of a sample of the items, over the steps of training.

    `n_sampled` is the size of the sample; 0 if it has all items.
    """

    steps: tuple[int, ...] = ()
    trust: tuple[float, ...] = ()
    continuity: tuple[float, ...] = ()
    n_sampled: int = 0

    def with_point(self, step: int, trust: float, kept: float) -> TrainingCurves:
        """Return the curves with one more point."""
        return TrainingCurves(
            steps=(*self.steps, step),
            trust=(*self.trust, trust),
            continuity=(*self.continuity, kept),
            n_sampled=self.n_sampled,
        )


class Incomparable(Enum):
    """Reason why measures of two runs do not compare."""

    METRIC = "metric"
    NAMES = "names"
    VALUES = "values"


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """A result, the data that it was trained on, and what the user added.

    Parameters
    ----------
    key
        Unique and permanent in the session.
    name
        Name that the user sees and can change.
    result
        The last complete map; `result.finished` states whether training reached its end.
    matrix, input
        The matrix that was trained on, and how to read it again.
    seconds
        Duration of training without pauses; NaN if unknown.
    measures
        Values by key of the measure; empty until they are computed.
    evidence
        Intermediate values of the measures; kept for views, not stored in files.
    starred
        Whether the user has marked it.
    curves
        Live measures during training.
    parent
        Key of the run that it continues or is a part of; None if it has no parent.
    frozen
        Learned values of the recipe, for new items; None if unknown, and then the table has to be
        read again before new items can be placed.
    coloured
        By label: the classes whose colours come from earlier maps.
    old_label
        The label of the classes on earlier maps; '' for none.
    clustering
        The clusters of the map; None before they are computed.
    stability
        Stability under retraining; None before it is computed.
    projected
        Items of other tables that were placed on the map, by file.
    made_with
        Versions and platform of the process that made it; None for this process.
    """

    key: str
    name: str
    result: Result
    matrix: Matrix
    input: Input
    seconds: float = 0.0
    measures: Mapping[str, Estimate] = field(default_factory=dict)
    evidence: MapEvidence | None = None
    starred: bool = False
    curves: TrainingCurves = field(default_factory=TrainingCurves)
    parent: str | None = None
    frozen: Frozen | None = None
    coloured: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    old_label: str = ""
    clustering: Clustering | None = None
    stability: MapStability | None = None
    projected: tuple[ProjectedFile, ...] = ()
    made_with: MadeWith | None = None

    def is_comparable(self, other: Run) -> bool:
        """Return whether both show the same items with the same values, so that measures compare.

        The metric has to be the same, too: each map is measured against the distances it was to
        keep.
        """
        return self.apart_from(other) is None

    def apart_from(self, other: Run) -> Incomparable | None:
        """Return why measures of both do not compare; None if they do."""
        mine, its = self.matrix, other.matrix
        if compared(self.result.params) != compared(other.result.params):
            return Incomparable.METRIC
        if mine is its:
            return None
        if mine.item_ids != its.item_ids or mine.feature_names != its.feature_names:
            return Incomparable.NAMES
        same = np.array_equal(mine.values, its.values, equal_nan=True)
        return None if same else Incomparable.VALUES


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
