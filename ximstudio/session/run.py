"""One map that was trained, with the data it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.measure.estimate import Estimate
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.made_with import MadeWith
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import compared
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Frozen
from ximstudio.session.training_curves import TrainingCurves

if TYPE_CHECKING:
    from ximstudio.maps.clusters import Clustering
    from ximstudio.maps.stability import MapStability
    from ximstudio.session.projected import ProjectedFile


class Incomparable(Enum):
    """Why measures of two runs do not compare."""

    METRIC = "metric"
    NAMES = "names"
    VALUES = "values"


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """A result, what it was trained on, and what a person made of it.

    Parameters
    ----------
    key
        Of its own in the session, for ever.
    name
        As a person calls it.
    result
        The last complete map; `result.finished` says whether training came to its end.
    matrix, input
        The table that training saw, and how it can be had again.
    seconds
        How long training took, pauses left out; NaN if nobody looked at a clock.
    measures
        Key of a measure → its value; empty until they were taken.
    evidence
        What the measures looked at; kept for views, not in files.
    starred
        Whether a person marked it.
    curves
        Live measures as they were taken while it trained.
    parent
        Key of the run that it continues or is a part of; None for a run of its own.
    frozen
        What the steps of the recipe have learnt, for items to come; None if nobody kept it, and the
        table has to be read again before new items can be placed.
    coloured
        By label: the classes that have their colours from earlier maps.
    told_by
        The label that told classes on earlier maps; '' if none did.
    clustering
        The clusters of the map that a person had found; None before.
    steadiness
        What of it stays when it is made again; None until somebody asked for it.
    brought
        Items of other tables that were placed on the map, file by file.
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
    told_by: str = ""
    clustering: Clustering | None = None
    steadiness: MapStability | None = None
    brought: tuple[ProjectedFile, ...] = ()
    made_with: MadeWith | None = None

    def is_comparable(self, other: Run) -> bool:
        """Whether both show the same items with the same values, so that measures compare.

        By the same distance, too: each is measured against what it was asked to keep.
        """
        return self.apart_from(other) is None

    def apart_from(self, other: Run) -> Incomparable | None:
        """Why measures of both do not compare; None if they do."""
        mine, its = self.matrix, other.matrix
        if compared(self.result.params) != compared(other.result.params):
            return Incomparable.METRIC
        if mine is its:
            return None
        if mine.item_ids != its.item_ids or mine.feature_names != its.feature_names:
            return Incomparable.NAMES
        same = np.array_equal(mine.values, its.values, equal_nan=True)
        return None if same else Incomparable.VALUES
