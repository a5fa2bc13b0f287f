"""A table of pairwise dissimilarities between items, in place of features."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from ximstudio.model.arrays import Bools, Floats, Ints, frozen
from ximstudio.model.distances import MOST_PAIRS, choose_pairs
from ximstudio.model.matrix import SHOWN, Matrix, some_of
from ximstudio.model.problem import Problem, refuse
from ximstudio.model.words import counted

TOLERANCE = 1e-6
"""Tolerated difference between both directions, as a share of the largest dissimilarity."""

ROWS_AT_ONCE = 256

REFUSE = "refuse"
JOININGS: Mapping[str, Callable[[Floats, Floats], Floats]] = MappingProxyType(
    {
        REFUSE: lambda there, back: (there + back) / 2.0,
        "mean": lambda there, back: (there + back) / 2.0,
        "smaller": np.minimum,
        "larger": np.maximum,
    }
)
"""Ways to make one dissimilarity of the two directions."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Dissimilarities(Matrix):
    """A matrix whose features are items: `values[i, k]` is the distance of item i from feature k's
    item.

    Parameters
    ----------
    columns
        The feature that every item is, shape (N,). There may be more features than items, as when
        some items were left out.
    """

    columns: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    @classmethod
    def of(cls, matrix: Matrix, *, symmetrise: str = REFUSE) -> Dissimilarities:
        """Read the matrix as dissimilarities; report all problems together."""
        columns = columns_of_items(matrix)
        refuse(_problems(matrix, columns, symmetric=symmetrise != REFUSE))
        assert columns is not None
        values = matrix.values
        table = _between(values, columns)
        if _asymmetry(table) > 0.0 or np.diag(table).any():
            joined = JOININGS[symmetrise](table, table.T)
            np.fill_diagonal(joined, 0.0)
            values = values.copy()
            values[:, columns] = joined
            values = frozen(values)
        return cls(
            values=values,
            item_ids=matrix.item_ids,
            feature_names=matrix.feature_names,
            item_labels=matrix.item_labels,
            feature_labels=matrix.feature_labels,
            source=matrix.source,
            item_kind=matrix.item_kind,
            feature_kind=matrix.feature_kind,
            columns=frozen(columns),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (Dissimilarities.of, (Matrix.with_values(self, self.values),))

    @cached_property
    def table(self) -> Floats:
        """Dissimilarities between the items, in their own order, shape (N, N)."""
        return _between(self.values, self.columns)

    def distances(self, left: Ints, right: Ints) -> Floats:
        """Dissimilarities of the items `left` from the items `right`."""
        return np.asarray(self.values[left, self.columns[right]])

    @cached_property
    def pair_distances(self) -> Floats:
        """Dissimilarities of pairs of items: all of them, or a large sample."""
        return frozen(self.distances(*choose_pairs(self.n_items, most=MOST_PAIRS)))


def columns_of_items(matrix: Matrix) -> Ints | None:
    """Find the feature that bears each item's name, shape (N,); None if an item has none.

    Where no name is on both sides and the table is square, features are items in the same order.
    """
    column = {name: number for number, name in enumerate(matrix.feature_names)}
    found = [column.get(name, -1) for name in matrix.item_ids]
    if max(found, default=-1) < 0 and matrix.n_items == matrix.n_features:
        return np.arange(matrix.n_items)
    return None if min(found, default=-1) < 0 else np.array(found, dtype=np.int64)


def _between(values: Floats, columns: Ints) -> Floats:
    """Return the columns of the items, in their own order."""
    if np.array_equal(columns, np.arange(values.shape[1])):
        return values
    return frozen(np.ascontiguousarray(values[:, columns]))


def _asymmetry(table: Floats) -> float:
    """Return the largest difference between both directions, block by block (for the cache)."""
    largest = 0.0
    for begin in range(0, len(table), ROWS_AT_ONCE):
        end = begin + ROWS_AT_ONCE
        for other in range(begin, len(table), ROWS_AT_ONCE):
            there = table[begin:end, other : other + ROWS_AT_ONCE]
            back = table[other : other + ROWS_AT_ONCE, begin:end].T
            largest = max(largest, float(np.abs(there - back).max()))
    return largest


def _problems(matrix: Matrix, columns: Ints | None, *, symmetric: bool) -> Iterator[Problem]:
    def problem(key: str, what: str, where: str, way_out: str) -> Problem:
        return Problem(
            key=f"dissimilarities.{key}",
            what=what,
            where=f"{matrix.source}: {where}",
            way_out=way_out,
        )

    if columns is None:
        names = set(matrix.feature_names)
        absent = [name for name in matrix.item_ids if name not in names]
        yield problem(
            "names",
            f"{counted(len(absent), 'item has', 'items have')} no column of the same name, so the"
            f" table of {matrix.n_items} × {matrix.n_features} is not one of dissimilarities"
            " between its items.",
            f"items {some_of(absent)}",
            "Give a square table with the same names along both sides, or another metric.",
        )
        return

    def cells(wrong: Bools) -> str:
        found = np.argwhere(wrong)
        shown = [f"'{matrix.item_ids[i]}' to '{matrix.feature_names[k]}'" for i, k in found[:SHOWN]]
        return some_of(shown, total=len(found))

    values = matrix.values
    if matrix.n_missing:
        yield problem(
            "blank",
            f"{counted(matrix.n_missing, 'dissimilarity is', 'dissimilarities are')} missing.",
            cells(matrix.missing),
            "Complete the table, or remove the items concerned from both sides.",
        )
        return
    negative = values < 0.0
    if negative.any():
        yield problem(
            "negative",
            f"{counted(int(negative.sum()), 'value is', 'values are')} below 0, as no"
            " dissimilarity is.",
            cells(negative),
            "Give distances. Correlations r become distances as the square root of 2 − 2r.",
        )
        return
    limit = TOLERANCE * float(values.max(initial=0.0))
    table = _between(values, columns)
    itself = np.flatnonzero(np.diag(table) > limit)
    if len(itself):
        yield problem(
            "diagonal",
            f"{counted(len(itself), 'item is', 'items are')} not at distance 0 from"
            f" {'itself' if len(itself) == 1 else 'themselves'}.",
            some_of([f"'{matrix.item_ids[row]}'" for row in itself]),
            "Give distances, not similarities: 0 along the diagonal.",
        )
        return
    if not symmetric and _asymmetry(table) > limit:
        found = np.argwhere(np.triu(np.abs(table - table.T) > limit))
        shown = [
            f"'{matrix.item_ids[i]}' and '{matrix.item_ids[k]}' ({table[i, k]:g}, {table[k, i]:g})"
            for i, k in found[:SHOWN]
        ]
        yield problem(
            "asymmetric",
            f"{counted(len(found), 'pair of items is', 'pairs of items are')} not as far apart one"
            " way as the other.",
            some_of(shown, total=len(found)),
            "Correct the table, or say what to take: symmetrise=mean, smaller or larger.",
        )
