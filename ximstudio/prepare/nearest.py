"""Blanks filled from the nearest items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ximstudio.kernels.parallel import over_blocks
from ximstudio.load.reading import Report
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.problem import UserError
from ximstudio.model.table import FEATURES, Table
from ximstudio.prepare import summaries
from ximstudio.prepare.cells import refuse_infinite
from ximstudio.prepare.dense import written_out
from ximstudio.prepare.removal import counted_on, some_on

ROWS = 128
"""Items whose distances to all others are taken at once."""

REPORTED = 16
"""Blocks of such items between two reports."""

MORE = 3
"""How many times more items than wanted are looked at closely; some lack the value asked for."""


def donors(table: Table) -> dict[str, NDArray[Any]]:
    """What later items are compared with: all items, and mean and median of each feature."""
    refuse_infinite(table)
    means = summaries.means(table, FEATURES)
    empty = np.flatnonzero(np.isnan(means))
    if len(empty):
        raise UserError(
            key="prepare.empty_line",
            what=f"{counted_on(FEATURES, len(empty), 'is', 'are')} missing in every item.",
            where=f"{table.source}: {some_on(table, FEATURES, empty)}",
            way_out="Put the step 'drop_constant' with what=empty before this one.",
        )
    middles = summaries.medians(table, FEATURES)
    return {"values": written_out(table), "means": means, "medians": middles}


class _Moved(NamedTuple):
    """Items around the middle of the donors: blanks as 0, squares, and what is known."""

    values: Floats
    squares: Floats
    known: Floats


def filled(values: Floats, learnt: Mapping[str, NDArray[Any]], k: int, report: Report) -> Floats:
    """The values with every blank replaced by the mean of the k nearest donors that have a value.

    The distance of two items is Euclidean over the features known of both, scaled up to all of
    them; items without a common feature are no neighbours, and where there is no neighbour the
    mean of the feature is taken. With fewer than k donors it is the mean of all there are.
    """
    known, means, middles = learnt["values"], learnt["means"], learnt["medians"]
    if known.shape[1:] != means.shape or values.shape[1:] != means.shape:
        raise ValueError("the donors have other features")
    rows = np.flatnonzero(np.isnan(values).any(axis=1))
    found = np.array(values)
    exponent = _usual_exponent(known - middles)
    donors = _Donors(known=known, means=means, exponent=exponent, k=k)
    moved = _moved(known, middles, exponent)
    for begin in range(0, len(rows), REPORTED * ROWS):
        part = rows[begin : begin + REPORTED * ROWS]

        def work(first: int, last: int, part: Ints = part) -> None:
            rows_here = part[first:last]
            with np.errstate(all="ignore"):
                bounds = _bounds(_moved(values[rows_here], middles, exponent), moved)
                for row, bound in zip(rows_here, bounds, strict=True):
                    found[row] = donors.completed(values[row], bound)

        over_blocks(len(part), ROWS, work)
        report((begin + len(part)) / len(rows))
    return found


def _usual_exponent(moved: Floats) -> int:
    """The power of 2 that usual values have: in this unit their squares are within range."""
    sizes = np.abs(moved[~np.isnan(moved) & (moved != 0.0)])
    return int(np.frexp(np.median(sizes))[1]) if len(sizes) else 0


def _moved(values: Floats, middles: Floats, exponent: int) -> _Moved:
    moved = np.ldexp(values - middles, -exponent)
    known = ~np.isnan(moved)
    moved[~known] = 0.0
    return _Moved(values=moved, squares=moved * moved, known=known.astype(np.float64))


def _bounds(some: _Moved, others: _Moved) -> Floats:
    """What squared distances over common features, scaled, are at the least.

    a² + b² − 2ab is quickly computed for all pairs at once, and loses digits where two items are
    near each other but far from the middle: not more than this share of a² + b².
    """
    lost = 4.0 * (some.values.shape[1] + 8) * np.finfo(np.float64).eps
    bounds = some.squares @ others.known.T
    bounds += some.known @ others.squares.T
    bounds *= 1.0 - lost
    bounds -= 2.0 * (some.values @ others.values.T)
    common = some.known @ others.known.T
    bounds /= common
    # Numbers out of range tell nothing; those without a common feature are no neighbours.
    bounds[~np.isfinite(bounds)] = -np.inf
    bounds[common == 0.0] = np.inf
    return bounds


@dataclass(frozen=True, kw_only=True, eq=False)
class _Donors:
    """The items that values are taken from.

    Parameters
    ----------
    known
        Their values.
    means
        Of the features.
    exponent
        Distances are in units of 2 to this.
    k
        From how many a value is taken.
    """

    known: Floats
    means: Floats
    exponent: int
    k: int

    def completed(self, item: Floats, bounds: Floats) -> Floats:
        """One item with its blanks filled; `bounds` are what its distances are at the least."""
        blank = np.flatnonzero(np.isnan(item))
        n = MORE * self.k
        while True:
            near = _smallest(bounds, n)
            found, reach = self._filling(item, blank, near)
            if reach < np.inf or n >= len(bounds):
                break
            n *= 4
        within = bounds <= reach
        if np.count_nonzero(within) > np.count_nonzero(within[near]):
            found, _ = self._filling(item, blank, np.flatnonzero(within))
        completed = np.array(item)
        completed[blank] = found
        return completed

    def _filling(self, item: Floats, blank: Ints, candidates: Ints) -> tuple[Floats, float]:
        """What goes into the blanks, taken from these, and the distance of the farthest taken.

        Infinite if there were fewer than k for one of the blanks. Of equally near ones the earlier
        is taken.
        """
        away = np.ldexp(self.known[candidates] - item, -self.exponent)
        unknown = np.isnan(away)
        away[unknown] = 0.0
        common = away.shape[1] - unknown.sum(axis=1)
        distances = np.where(common > 0, (away * away).sum(axis=1) / common, np.nan)
        # Those without a common feature are sorted to the end.
        order = np.argsort(distances, kind="stable")[: int((common > 0).sum())]
        there = self.known[np.ix_(candidates[order], blank)]
        taken = ~np.isnan(there)
        taken &= np.cumsum(taken, axis=0) <= self.k
        counts = taken.sum(axis=0)
        mean = np.where(taken, there, 0.0).sum(axis=0) / counts
        found = np.where(counts > 0, mean, self.means[blank])
        if (counts < self.k).any():
            return found, np.inf
        return found, float(distances[order][taken.any(axis=1)].max())


def _smallest(bounds: Floats, n: int) -> Ints:
    """Where the n smallest are, in the order of the table."""
    if n >= len(bounds):
        return np.arange(len(bounds))
    return np.sort(np.argpartition(bounds, n)[:n])
