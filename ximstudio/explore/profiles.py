"""Profiles of a selection: lines across the features, their mean and spread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.parallel import check_here
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import known
from ximstudio.model.selection import Selection

MOST_LINES = 200
"""Maximum number of lines; of more, this many in even steps."""
VALUES = 2**20
"""Values processed in one step."""


@dataclass(frozen=True, kw_only=True)
class ProfileSpan:
    """A group of places along the axis: from `begin` to before `end`."""

    name: str
    begin: int
    end: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Profiles:
    """Contents of a profile plot.

    Parameters
    ----------
    places
        Names of the features along the axis.
    spans
        Groups of places, one after the other; empty in the table's order.
    ids, lines
        The items that are drawn, and their values, shape (lines, places); NaN if missing.
    mean, sd, n_known
        Over all items of the selection, drawn or not, at every place. The standard deviation is
        divided by n − 1; NaN where it is unknown.
    n_items
        Number of items of the selection in the table.
    """

    places: tuple[str, ...]
    spans: tuple[ProfileSpan, ...]
    ids: tuple[str, ...]
    lines: Floats
    mean: Floats
    sd: Floats
    n_known: Ints
    n_items: int


def profiles_of(
    matrix: Matrix, selection: Selection, *, label: str | None = None, most: int = MOST_LINES
) -> Profiles:
    """Compute the profiles of the selected items.

    Parameters
    ----------
    label
        Label of features that groups them, in the order of first appearance; None for the
        table's order. Features without a text form the last group.
    most
        Maximum number of lines.
    """
    spans, order = _arranged(matrix, label)
    rows = np.flatnonzero(selection.mask(matrix.item_ids))

    def taken(some: Ints) -> Floats:
        return matrix.values[some][:, order]

    drawn = rows[_thinned(len(rows), most)]
    parts = (taken(some) for some in pieces(rows, matrix.n_features))
    n_known, mean, squares = summed(parts, len(order))
    return Profiles(
        places=tuple(matrix.feature_names[column] for column in order),
        spans=spans,
        ids=tuple(matrix.item_ids[row] for row in drawn),
        lines=frozen(taken(drawn)),
        mean=frozen(mean),
        sd=frozen(spread(n_known, squares)),
        n_known=frozen(n_known.astype(np.int64)),
        n_items=len(rows),
    )


def pieces(lines: Ints, length: int) -> Iterator[Ints]:
    """Split rows or columns of this length into parts small enough to hold beside the table."""
    at_once = max(1, VALUES // max(length, 1))
    for begin in range(0, len(lines), at_once):
        check_here()
        yield lines[begin : begin + at_once]


def summed(parts: Iterable[Floats], n_places: int) -> tuple[Floats, Floats, Floats]:
    """Number of known values at each place, their mean, and the sum of squares around it.

    Part by part, each around its own mean: plain sums of squares lose all digits on data far from
    zero. The mean is NaN where nothing is known.
    """
    n, mean, squares = np.zeros(n_places), np.zeros(n_places), np.zeros(n_places)
    for values in parts:
        here = ~np.isnan(values)
        more = here.sum(axis=0).astype(np.float64)
        own = np.add.reduce(values, axis=0, where=here) / np.maximum(more, 1.0)
        moved = np.where(here, values - own, 0.0)
        apart = own - mean
        total = np.maximum(n + more, 1.0)
        squares += np.einsum("if,if->f", moved, moved) + apart**2 * (n * more / total)
        mean += apart * (more / total)
        n += more
    return n, np.where(n > 0.0, mean, np.nan), squares


def spread(n: Floats, squares: Floats) -> Floats:
    """Standard deviation, divided by n − 1; NaN for fewer than two values."""
    return np.where(n > 1.0, np.sqrt(squares / np.maximum(n - 1.0, 1.0)), np.nan)


def _arranged(matrix: Matrix, label: str | None) -> tuple[tuple[ProfileSpan, ...], Ints]:
    """Groups of features, and the features in their order."""
    if label is None:
        return (), np.arange(matrix.n_features)
    known("label", label, matrix.feature_labels)
    groups: dict[str, list[int]] = {}
    for number, text in enumerate(matrix.feature_labels[label]):
        groups.setdefault(text, []).append(number)
    if "" in groups:
        groups[""] = groups.pop("")
    spans, begin = [], 0
    for name, members in groups.items():
        spans.append(ProfileSpan(name=name, begin=begin, end=begin + len(members)))
        begin += len(members)
    return tuple(spans), np.array([each for of in groups.values() for each in of], dtype=np.int64)


def _thinned(n: int, most: int) -> Ints:
    """At most this many of n numbers, in even steps, including the first and the last."""
    if n <= most:
        return np.arange(n)
    return np.round(np.linspace(0, n - 1, most)).astype(np.int64)
