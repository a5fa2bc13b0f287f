"""Match named sets with a table, compute their means, and show them as layers of a map."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from ximstudio.explore.names import MatchedNames, NameIndex
from ximstudio.explore.profiles import pieces, spread, summed
from ximstudio.kernels.parallel import check_here
from ximstudio.load.annotation.gene_sets import GeneSet
from ximstudio.maps.layer import Layer, LayerEvidence, LayerNeed
from ximstudio.maps.palettes import PaletteScheme
from ximstudio.model.arrays import Bools, Floats, Ints, frozen
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.model.result import Result

SHARE, MEAN = "set", "set_mean"


@dataclass(frozen=True, kw_only=True)
class FittedSet:
    """A set in a table: `set` has the ids, `matched` the result for every name."""

    set: NamedSet
    matched: MatchedNames


class SetMatcher:
    """Matches many sets with the names of both sides of a table."""

    def __init__(self, matrix: Matrix) -> None:
        self._names = {side: NameIndex.of(matrix, side) for side in SetSide}

    def names(self, side: SetSide) -> NameIndex:
        """Names of one side."""
        return self._names[side]

    def fitted(self, one: GeneSet) -> FittedSet:
        """Match a set with the side of the table that has more of it.

        In a tie it is a set of items.
        """
        tried = {side: self._names[side].matched(one.members) for side in SetSide}
        best = max(tried, key=lambda side: len(tried[side].found))
        return FittedSet(
            set=NamedSet.of(one.name, tried[best].found, side=best, note=one.description),
            matched=tried[best],
        )

    def all_fitted(self, sets: Iterable[GeneSet]) -> tuple[FittedSet, ...]:
        """Match all sets of a file."""
        found = []
        for one in sets:
            check_here()
            found.append(self.fitted(one))
        return tuple(found)


def membership(one: NamedSet, matrix: Matrix) -> Bools:
    """Mask of the set's members among the items or features of a table."""
    return one.selection.mask(
        matrix.item_ids if one.side is SetSide.ITEMS else matrix.feature_names
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Scaling:
    """Numbers, means and standard deviations of the features of a set, for z-scores.

    A feature that does not vary has standard deviation 0 and scores 0.
    """

    columns: Ints
    means: Floats
    spreads: Floats

    def scores(self, values: Floats, some: Ints) -> Floats:
        """Compute z-scores of some of the features; `values` has one column for each."""
        part = values - self.means[some]
        spreads = self.spreads[some]
        return np.divide(
            part, spreads, out=np.where(np.isnan(part), np.nan, 0.0), where=spreads > 0
        )


_SCALED: WeakKeyDictionary[Matrix, dict[NamedSet, Scaling]] = WeakKeyDictionary()
"""Cached, because a map is drawn many times during training."""


def scaling_of(one: NamedSet, matrix: Matrix) -> Scaling:
    """Compute the scaling of a set's features over the items of a table."""
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
        # For a constant feature, rounding would leave the last digits.
        varies = low < high
        means[some] = np.where(varies, mean, np.nan_to_num(low))
        spreads[some] = np.where(varies, spread(n, squares), 0.0)
    return Scaling(columns=columns, means=frozen(means), spreads=frozen(spreads))


def set_mean(one: NamedSet, matrix: Matrix) -> Floats:
    """Mean z-score of every item over the features of a set, shape (N,).

    With z-scores, no feature counts more because it varies more. Missing values are left out; NaN
    where all are missing.
    """
    scaling = scaling_of(one, matrix)
    totals, counts = np.zeros(matrix.n_items), np.zeros(matrix.n_items)
    for some in pieces(np.arange(len(scaling.columns)), matrix.n_items):
        scores = scaling.scores(matrix.values[:, scaling.columns[some]], some)
        known = ~np.isnan(scores)
        totals += np.add.reduce(scores, axis=1, where=known)
        counts += known.sum(axis=1)
    return np.asarray(np.divide(totals, counts, out=np.full(len(totals), np.nan), where=counts > 0))


@dataclass(frozen=True, kw_only=True)
class SetLayer(Layer):
    """A layer whose options are the names of sets."""

    sets: tuple[NamedSet, ...] = ()

    def options(self, result: Result, matrix: Matrix | None = None) -> tuple[str, ...]:
        """Names of the sets."""
        del result, matrix
        return tuple(one.name for one in self.sets)


def set_layers(sets: Sequence[NamedSet]) -> tuple[Layer, ...]:
    """Layers for these sets; none without sets."""
    items = tuple(one for one in sets if one.side is SetSide.ITEMS)
    features = tuple(one for one in sets if one.side is SetSide.FEATURES)
    made: list[Layer] = []
    if items:
        made.append(
            SetLayer(
                key=SHARE,
                name="Set",
                about="Share of every node's items that are in a set.",
                legend="share of the node's items",
                of=lambda evidence, name: _share(evidence, _named(items, name)),
                needs=frozenset({LayerNeed.MATRIX}),
                sets=items,
            )
        )
    if features:
        made.append(
            SetLayer(
                key=MEAN,
                name="Mean of set",
                about="Mean z-score of all features of a set in every node.",
                legend="mean z-score",
                of=lambda evidence, name: _mean(evidence, _named(features, name)),
                needs=frozenset({LayerNeed.MATRIX}),
                scheme=PaletteScheme.DIVERGING,
                sets=features,
            )
        )
    return tuple(made)


def _named(sets: Sequence[NamedSet], name: str) -> NamedSet:
    return next(one for one in sets if one.name == name)


def _share(evidence: LayerEvidence, one: NamedSet) -> Floats:
    """Share of the set among every node's items, shape (M,); NaN without items."""
    inside = membership(one, evidence.items)
    n_nodes = evidence.grid.n_nodes
    counts = np.bincount(evidence.winners, minlength=n_nodes)
    members = np.bincount(evidence.winners[inside], minlength=n_nodes)
    return np.asarray(np.divide(members, counts, out=np.full(n_nodes, np.nan), where=counts > 0))


def _mean(evidence: LayerEvidence, one: NamedSet) -> Floats:
    """Mean over the set's features of the prototypes' z-scores, shape (M,).

    The z-scores are those of the items, so that the layer has the scale of the items' colours.
    """
    scaling = scaling_of(one, evidence.items)
    columns = scaling.columns
    if not len(columns):
        return np.full(evidence.grid.n_nodes, np.nan)
    scores = scaling.scores(evidence.model.prototypes[:, columns], np.arange(len(columns)))
    return np.asarray(scores.mean(axis=1))
