"""What the chosen items have in common. Computed in the lane; no Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.selection import Selection
from ximstudio.model.words import counted, grouped
from ximstudio.ui.selection.facts import Facts
from ximstudio.ui.words import Words

MOST_LINES = 200


@dataclass(frozen=True, kw_only=True)
class Group:
    """Features of one class, side by side: from `begin` up to but without `end`."""

    name: str
    begin: int
    end: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Insight:
    """Profiles of a selection.

    Parameters
    ----------
    n_items
        How many of the shown table are chosen.
    feature_names, groups
        Features in the order in which they are drawn, and which of them belong together.
    lines
        Profiles of single items, (lines, D); of many only some.
    mean, spread
        Mean and standard deviation of all that are chosen, (D,).
    rest
        Mean of all that are not chosen, (D,); None if there are none.
    """

    words: Words
    n_items: int
    feature_names: tuple[str, ...]
    groups: tuple[Group, ...] = ()
    lines: Floats
    mean: Floats
    spread: Floats
    rest: Floats | None = None

    @property
    def about_profiles(self) -> str:
        """What is drawn, in a line."""
        n_lines = len(self.lines)
        some = f", {grouped(n_lines)} drawn" if n_lines < self.n_items else ""
        return f"{counted(self.n_items, self.words.item)}{some}; mean ± sd"

    @property
    def along(self) -> str:
        """What is along the axis."""
        return counted(len(self.feature_names), self.words.feature)


def insight_of(facts: Facts, selection: Selection) -> Insight:
    """What these have in common."""
    matrix = facts.matrix
    chosen = selection.mask(matrix.item_ids)
    rows = np.flatnonzero(chosen)
    values = matrix.values[rows]
    mean, spread = _mean_and_spread(values)
    some = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), MOST_LINES)).astype(np.int64))
    return Insight(
        words=facts.words,
        n_items=len(rows),
        feature_names=matrix.feature_names,
        lines=values[some],
        mean=mean,
        spread=spread,
        rest=None,
    )


def _mean_and_spread(values: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of every column; NaN, without a warning, where all is blank."""
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    blank = np.full(values.shape[1], np.nan)
    total = np.where(known, values, 0.0).sum(axis=0)
    mean = np.divide(total, counts, out=blank.copy(), where=counts > 0)
    squares = (np.where(known, values - mean, 0.0) ** 2).sum(axis=0)
    return mean, np.sqrt(np.divide(squares, counts, out=blank, where=counts > 0))
