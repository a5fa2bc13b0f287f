"""Named sets met with a table: who of them is there, and what they look like on the map."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.explore.names import Matched, Names
from ximstudio.kernels.parallel import check_here
from ximstudio.load.annotation.gene_sets import GeneSet
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet, Side

VALUES = 2**22
"""Values of a table that are looked at together."""


@dataclass(frozen=True, kw_only=True)
class FittedSet:
    """What of a set is in a table: `set` has the ids, `matched` what became of the names."""

    set: NamedSet
    matched: Matched

    @property
    def n_found(self) -> int:
        """How many members the table has."""
        return len(self.set)


class Fitting:
    """The names of both sides of a table, made once for many sets."""

    def __init__(self, matrix: Matrix) -> None:
        self._names = {side: Names.of(matrix, side) for side in Side}

    def names(self, side: Side) -> Names:
        """The names of one side."""
        return self._names[side]

    def fitted(self, one: GeneSet) -> FittedSet:
        """A set as the table knows it: of items or of features, whichever has more of it.

        Of equals it is a set of items.
        """
        tried = {side: self._names[side].matched(one.members) for side in Side}
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
    return one.selection.mask(matrix.item_ids if one.side is Side.ITEMS else matrix.feature_names)


def set_mean(one: NamedSet, matrix: Matrix) -> Floats:
    """The mean of a set, blanks left out; NaN where none of its values is known.

    Of a set of features it is one number per item: the mean of the item's z-scores over these
    features, so that none counts more for varying more. Features that do not vary are 0 throughout.
    Of a set of items it is their mean profile: one number per feature, as the values are.
    """
    members = np.flatnonzero(membership(one, matrix))
    if one.side is Side.FEATURES:
        return _mean_of_scores(matrix.values, members)
    return _mean_of_rows(matrix.values, members)


def _mean_of_scores(values: Floats, columns: Ints) -> Floats:
    totals, counts = np.zeros(len(values)), np.zeros(len(values))
    for some in _pieces(columns, len(values)):
        part = values[:, some]
        known = ~np.isnan(part)
        n = known.sum(axis=0)
        part = np.where(known, part, 0.0)
        part -= part.sum(axis=0) / np.maximum(n, 1)
        part[~known] = 0.0
        squares = np.einsum("if,if->f", part, part)
        spread = np.sqrt(squares / np.maximum(n - 1, 1))
        # Of a constant feature rounding leaves the last digits.
        low, high = (of(values[:, some], axis=0) for of in (np.fmin.reduce, np.fmax.reduce))
        flat = ~(spread > 0.0) | (low == high)
        part *= np.where(flat, 0.0, 1.0 / np.where(flat, 1.0, spread))
        totals += part.sum(axis=1)
        counts += known.sum(axis=1)
    return _mean(totals, counts)


def _mean_of_rows(values: Floats, rows: Ints) -> Floats:
    totals, counts = np.zeros(values.shape[1]), np.zeros(values.shape[1])
    for some in _pieces(rows, values.shape[1]):
        part = values[some]
        totals += np.nansum(part, axis=0)
        counts += (~np.isnan(part)).sum(axis=0)
    return _mean(totals, counts)


def _pieces(lines: Ints, length: int) -> Iterable[Ints]:
    """Some lines of a table at a time, few enough to be held beside it."""
    at_once = max(1, VALUES // max(length, 1))
    for begin in range(0, len(lines), at_once):
        check_here()
        yield lines[begin : begin + at_once]


def _mean(totals: Floats, counts: Floats) -> Floats:
    return np.asarray(np.divide(totals, counts, out=np.full(len(totals), np.nan), where=counts > 0))


def as_gene_set(name: str, members: Sequence[str], *, description: str = "") -> GeneSet:
    """Names that were pasted, as a set of a file would be."""
    return GeneSet(name=name, description=description, members=tuple(dict.fromkeys(members)))
