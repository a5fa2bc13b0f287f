"""Novelty of new items: how badly they fit a map, compared with the training items.

An item's error is its distance from its winner's prototype; on a map without nodes, from the
nearest item that the map was trained on. Two things make an item novel, both relative to the
training items:

- its error: it is farther from the map than they are;
- its unexplained share, the error divided by the item's distance from the middle of the training
  items: the map says less about it than about them. An item with small values lies near the map
  whatever they are, and only this share shows it.

A map fits the items that it has seen better than any other, the more so the fewer items a node
has. The training items are therefore judged as if they had been left out: of n items on a node, one
has drawn the prototype to itself and is n/(n − 1) times as far from where the others would have
put it, but not farther than from the next node that wins other items. On maps without nodes an
item's nearest item is another one.

The novelty of an item is the larger of both, each divided by the 99th percentile of the training
items. For n items this percentile is uncertain, and so it is multiplied by 1 + 3/n. An item does
not belong to the map if its novelty is above the tolerance, 1 by default.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ximstudio.kernels.parallel import check_here
from ximstudio.measure.nodes import item_blocks, squared_distances
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import in_metric
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.place.neighbours import nearest_items

PERCENTILE = 99.0
"""Percentile of the training items' errors that counts as the largest usual one."""
TOLERANCE = 1.0
"""Multiple of it up to which an item still belongs to the map."""
MARGIN = 3.0
"""Divided by the number of items, this enlarges the percentile of few items. Found by trial: with
2, 6 % of samples judged by 30 others did not belong.
"""
LOOKED_AT = 4000
"""Training items that define what is usual: all, or this many in even steps."""
LOOKED_AROUND = 1000
"""The same on maps without nodes, where each is compared with all others."""
SMALLEST = 1.0
"""Percentile of the distances from the middle that is the smallest size of an item."""
VALUES = 2**18
"""Values that are subtracted in one step."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TypicalErrors:
    """Errors of training items, as a standard for others.

    Parameters
    ----------
    errors
        As if each item had been left out, shape (n,).
    sizes
        Distances from the middle; None for a table of distances, which has none.
    middle
        Mean of the training items in the map's metric; None likewise.
    """

    errors: Floats
    sizes: Floats | None
    middle: Floats | None

    @cached_property
    def largest_error(self) -> float:
        """The error above which an item is novel."""
        return _percentile(self.errors)

    @cached_property
    def largest_share(self) -> float:
        """The unexplained share above which an item is novel."""
        return np.inf if self.sizes is None else _percentile(self._shares(self.errors, self.sizes))

    def novelty(self, errors: Floats, values: Floats) -> Floats:
        """Novelty of items, given in the map's metric; above 1 is unusual."""
        sizes = None if self.middle is None else _sizes(values, self.middle)
        return self._novelty(errors, sizes)

    def percentiles(self, novelty: Floats) -> Floats:
        """Percentage of the training items with a smaller novelty."""
        below = np.searchsorted(self._own, novelty, side="left")
        return np.asarray(100.0 * below / len(self._own))

    @cached_property
    def _own(self) -> Floats:
        """Novelty of the training items, ascending."""
        return np.sort(self._novelty(self.errors, self.sizes))

    def _novelty(self, errors: Floats, sizes: Floats | None) -> Floats:
        found = _times(errors, self.largest_error)
        if sizes is None:
            return found
        return np.maximum(found, _times(self._shares(errors, sizes), self.largest_share))

    def _shares(self, errors: Floats, sizes: Floats) -> Floats:
        assert self.sizes is not None
        # Nearer to the middle than almost all others is not novel, however little is explained.
        sizes = np.maximum(sizes, np.percentile(self.sizes, SMALLEST))
        return np.asarray(np.divide(errors, sizes, out=np.zeros(len(errors)), where=sizes > 0.0))


def usual_of(result: Result, matrix: Matrix) -> TypicalErrors:
    """Compute the typical errors of the items that a map was trained on."""
    seen = in_metric(matrix, result.params)
    model, winners = result.model, result.winners
    most = min(seen.n_items, LOOKED_AROUND if winners is None else LOOKED_AT)
    some = np.linspace(0, seen.n_items - 1, most).astype(np.int64)
    values = seen.values[some]
    if isinstance(model, PrototypeMap) and winners is not None:
        hits = np.bincount(winners, minlength=model.grid.n_nodes)
        errors = _left_out(model, values, winners[some], hits)
    else:
        errors = nearest_items(values, seen.values, 1, excluding=some).distances[:, 0]
        # Unknown for items that have no feature in common with others.
        errors = np.where(np.isfinite(errors), errors, 0.0)
    middle = None if isinstance(model, RelationalMap) else _middle(seen.values)
    return TypicalErrors(
        errors=frozen(errors),
        sizes=None if middle is None else frozen(_sizes(values, middle)),
        middle=middle,
    )


def item_errors(result: Result, matrix: Matrix, values: Floats, winners: Ints | None) -> Floats:
    """Errors of items that may be new, given in the map's metric.

    `matrix` is what the map was trained on. Infinite where no feature is known of both.
    """
    model = result.model
    if isinstance(model, PrototypeMap) and winners is not None:
        return _winner_distances(model, values, winners)
    trained = in_metric(matrix, result.params).values
    return nearest_items(values, trained, 1).distances[:, 0]


def _winner_distances(model: PrototypeMap, values: Floats, winners: Ints) -> Floats:
    squares = np.empty(len(values))
    for rows in _blocks(values):
        if isinstance(model, RelationalMap):
            every = model.squared_distances(values[rows])
            squares[rows] = every[np.arange(len(every)), winners[rows]]
        else:
            squares[rows] = _squares(values[rows], model.prototypes[winners[rows]])
    return np.sqrt(np.maximum(squares, 0.0))


def _left_out(model: PrototypeMap, values: Floats, winners: Ints, hits: Ints) -> Floats:
    """Distances from the winners, as if each item had not been trained on."""
    found = np.empty(len(values))
    for items in item_blocks(len(values), model.grid.n_nodes):
        squares = squared_distances(values[items], model)
        rows, own = np.arange(len(squares)), winners[items]
        errors = np.sqrt(np.maximum(squares[rows, own], 0.0))
        squares[:, hits == 0] = np.inf
        squares[rows, own] = np.inf
        next_best = np.sqrt(np.maximum(squares.min(axis=1), 0.0))
        n = hits[own]
        grown = np.where(n > 1, errors * (n / np.maximum(n - 1, 1)), np.inf)
        moved = np.maximum(errors, np.minimum(grown, next_best))
        found[items] = np.where(np.isfinite(moved), moved, errors)
    return found


def _squares(values: Floats, others: Floats) -> Floats:
    """Squared distances over the known features, scaled up to all."""
    moved = values - others
    blank = np.isnan(moved)
    moved[blank] = 0.0
    n_features = values.shape[1]
    n_known = n_features - blank.sum(axis=1)
    squares = np.einsum("if,if->i", moved, moved)
    return np.where(n_known > 0, squares * (n_features / np.maximum(n_known, 1)), np.inf)


def _sizes(values: Floats, middle: Floats) -> Floats:
    squares = np.empty(len(values))
    for rows in _blocks(values):
        squares[rows] = _squares(values[rows], middle)
    return np.sqrt(squares)


def _blocks(values: Floats) -> Iterator[slice]:
    """Yield rows of which few enough values are subtracted in one step."""
    at_once = max(1, VALUES // max(values.shape[1], 1))
    for begin in range(0, len(values), at_once):
        check_here()
        yield slice(begin, begin + at_once)


def _middle(values: Floats) -> Floats:
    """Mean of every feature, 0 where all values are missing."""
    known = ~np.isnan(values)
    totals = np.add.reduce(values, axis=0, where=known)
    return frozen(np.asarray(totals / np.maximum(known.sum(axis=0), 1)))


def _percentile(values: Floats) -> float:
    return float(np.percentile(values, PERCENTILE)) * (1.0 + MARGIN / len(values))


def _times(values: Floats, unit: float) -> Floats:
    """Divide by a unit; if it is 0, values above 0 become infinite."""
    if unit > 0.0:
        return values / unit
    return np.where(values > 0.0, np.inf, 0.0)
