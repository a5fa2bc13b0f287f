"""Common features of the selection. Computed in the background; no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ximstudio.explore.profiles import MOST_LINES, Profiles, profiles_of
from ximstudio.explore.statistics import (
    Enrichment,
    SelectionStatistics,
    enrichment_of,
    statistics_of,
)
from ximstudio.maps.label_kinds import MOST_CLASSES, is_scale
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.selection import Selection
from ximstudio.model.words import counted, grouped
from ximstudio.pictures.item_facts import ItemFacts
from ximstudio.session.words import Words

MOST_POINTS, LEAST_LINES = 16_000, 12
"""Most points of all profiles that are drawn, and lines that are drawn however long."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Insight:
    """Profiles of a selection, with its statistics and labels.

    Parameters
    ----------
    matrix, words
        The table, and the nouns for its items and features.
    labels, label
        Labels that group features, and the one in use; '' for none.
    profiles, statistics, enrichment
        Results for the selection.
    """

    matrix: Matrix
    words: Words
    labels: tuple[str, ...]
    label: str
    profiles: Profiles
    statistics: SelectionStatistics
    enrichment: tuple[Enrichment, ...]

    @property
    def about_profiles(self) -> str:
        """Describe what is drawn, in a line."""
        profiles = self.profiles
        n_lines = len(profiles.lines)
        some = f", {grouped(n_lines)} drawn" if n_lines < profiles.n_items else ""
        return f"{counted(profiles.n_items, self.words.item)}{some}; mean ± sd"

    @property
    def along(self) -> str:
        """Name the axis."""
        return counted(len(self.profiles.places), self.words.feature)

    @cached_property
    def rest(self) -> Floats | None:
        """Return the mean of all unselected items at every place; None if there are none."""
        if self.statistics.n_items == self.statistics.n_all:
            return None
        numbers = {name: number for number, name in enumerate(self.matrix.feature_names)}
        order = np.array([numbers[name] for name in self.profiles.places], dtype=np.int64)
        return self.statistics.rest[order]


def insight_of(facts: ItemFacts, selection: Selection, label: str | None = None) -> Insight:
    """Analyse these items, with features grouped by a label, or a suitable one if left open."""
    matrix = facts.matrix
    labels = grouping_labels(matrix)
    first = next(iter(labels), "")
    chosen = label if label is not None and label in ("", *labels) else first
    return Insight(
        matrix=matrix,
        words=facts.words,
        labels=labels,
        label=chosen,
        profiles=profiles_of(
            matrix, selection, label=chosen or None, most=most_lines(matrix.n_features)
        ),
        statistics=statistics_of(matrix, selection),
        enrichment=enrichment_of(matrix, selection),
    )


def most_lines(n_features: int) -> int:
    """Return how many profiles are drawn: fewer where each is long, to paint all in one frame."""
    return int(np.clip(MOST_POINTS // max(n_features, 1), LEAST_LINES, MOST_LINES))


def grouping_labels(matrix: Matrix) -> tuple[str, ...]:
    """Return the labels of features with groups that can be distinguished by eye."""
    return tuple(name for name, texts in matrix.feature_labels.items() if _has_groups(texts))


def _has_groups(texts: Sequence[str]) -> bool:
    groups = set(texts) - {""}
    few = 2 <= len(groups) <= min(MOST_CLASSES, len(texts) - 1)
    return few and not is_scale(texts)
