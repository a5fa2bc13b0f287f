"""Named sets met with a table: who of them is there, and what they look like on the map."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from ximstudio.explore.names import MatchedNames, NameIndex
from ximstudio.explore.profiles import pieces, spread, summed
from ximstudio.kernels.parallel import check_here
from ximstudio.load.annotation.gene_sets import GeneSet
from ximstudio.model.arrays import Bools, Floats, Ints, frozen
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet, SetSide


@dataclass(frozen=True, kw_only=True)
class FittedSet:
    """What of a set is in a table: `set` has the ids, `matched` what became of the names."""

    set: NamedSet
    matched: MatchedNames


class SetMatcher:
    """The names of both sides of a table, made once for many sets."""

    def __init__(self, matrix: Matrix) -> None:
        self._names = {side: NameIndex.of(matrix, side) for side in SetSide}

    def names(self, side: SetSide) -> NameIndex:
        """The names of one side."""
        return self._names[side]

    def fitted(self, one: GeneSet) -> FittedSet:
        """A set as the table knows it: of items or of features, whichever has more of it.

        Of equals it is a set of items.
        """
        tried = {side: self._names[side].matched(one.members) for side in SetSide}
        best = max(tried, key=lambda side: len(tried[side].found))
        return FittedSet(
            set=NamedSet.of(one.name, tried[best].found, side=best, note=one.description),
            matched=tried[best],
        )

    def all_fitted(self, sets: Iterable[GeneSet]) -> tuple[FittedSet, ...]:
        """All sets of a file, each for itself."""
        found = []
        for one in sets:
            check_here()
            found.append(self.fitted(one))
        return tuple(found)


def membership(one: NamedSet, matrix: Matrix) -> Bools:
    """Which items, or features, of a table are members: of the set's own side."""
    return one.selection.mask(
        matrix.item_ids if one.side is SetSide.ITEMS else matrix.feature_names
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Scaling:
    """What makes z-scores of the features of a set: their numbers, means and standard deviations.

    A feature that does not vary has 0 for the latter, and so do its scores.
    """

    columns: Ints
    means: Floats
    spreads: Floats

    def scores(self, values: Floats, some: Ints) -> Floats:
        """z-scores of some of the features; `values` have a column for each, blanks stay so."""
        part = values - self.means[some]
        spreads = self.spreads[some]
        return np.divide(
            part, spreads, out=np.where(np.isnan(part), np.nan, 0.0), where=spreads > 0
        )


_SCALED: WeakKeyDictionary[Matrix, dict[NamedSet, Scaling]] = WeakKeyDictionary()
"""Looked at once: a map is drawn many times while it trains."""


def scaling_of(one: NamedSet, matrix: Matrix) -> Scaling:
    """How the features of a set are scaled by the items of a table."""
    kept = _SCALED.setdefault(matrix, {})
    if one not in kept:
        kept[one] = _scaling(np.flatnonzero(membership(one, matrix)), matrix.values)
    return kept[one]


def _scaling(columns: Ints, values: Floats) -> Scaling:
    means, spreads = np.zeros(len(columns)), np.zeros(len(columns))
    for some in pieces(np.arange(len(columns)), len(values)):
        part = values[:, columns[some]]
        n, mean, squares = summed((part,), len(some))
        low, high = np.fmin.reduce(part, axis=0), np.fmax.reduce(part, axis=0)
        # Of a constant feature rounding would leave the last digits.
        varies = low < high
        means[some] = np.where(varies, mean, np.nan_to_num(low))
        spreads[some] = np.where(varies, spread(n, squares), 0.0)
    return Scaling(columns=columns, means=frozen(means), spreads=frozen(spreads))


def set_mean(one: NamedSet, matrix: Matrix) -> Floats:
    """The mean z-score of every item over the features of a set, blanks left out, shape (N,).

    As z-scores none counts more for varying more. NaN where none of its values is known.
    """
    scaling = scaling_of(one, matrix)
    totals, counts = np.zeros(matrix.n_items), np.zeros(matrix.n_items)
    for some in pieces(np.arange(len(scaling.columns)), matrix.n_items):
        scores = scaling.scores(matrix.values[:, scaling.columns[some]], some)
        known = ~np.isnan(scores)
        totals += np.add.reduce(scores, axis=1, where=known)
        counts += known.sum(axis=1)
    return np.asarray(np.divide(totals, counts, out=np.full(len(totals), np.nan), where=counts > 0))
