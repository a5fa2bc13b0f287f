"""Imputation of blanks from the nearest items."""

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
"""Number of items whose distances to all others are taken at once."""

REPORTED = 16
"""Number of blocks of such items between two reports."""

MORE = 3
"""Multiple of the wanted items that are measured exactly; some lack the needed value."""


def donors(table: Table) -> dict[str, NDArray[Any]]:
    """Return what later items are compared with: all items, and mean and median of each feature."""
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
    """Items around the centre of the donors: blanks as 0, squares, and the mask of known values."""

    values: Floats
    squares: Floats
    known: Floats


def filled(values: Floats, learnt: Mapping[str, NDArray[Any]], k: int, report: Report) -> Floats:
    """Replace every blank by the mean of the k nearest donors that have a value.

    The distance of two items is Euclidean over the features known of both, scaled up to all of
    them; items without a common feature are no neighbours, and without neighbours the mean of the
    feature is used. With fewer than k donors it is the mean of all of them.
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
    """Return the power of 2 of typical values: in this unit their squares are within range."""
    sizes = np.abs(moved[~np.isnan(moved) & (moved != 0.0)])
    return int(np.frexp(np.median(sizes))[1]) if len(sizes) else 0


def _moved(values: Floats, middles: Floats, exponent: int) -> _Moved:
    moved = np.ldexp(values - middles, -exponent)
    known = ~np.isnan(moved)
    moved[~known] = 0.0
    return _Moved(values=moved, squares=moved * moved, known=known.astype(np.float64))


def _bounds(some: _Moved, others: _Moved) -> Floats:
    """Return lower bounds of squared distances over common features, scaled.

    a² + b² − 2ab is fast for all pairs at once, but loses digits where two items are near each
    other and far from the centre: at most this share of a² + b².
    """
    lost = 4.0 * (some.values.shape[1] + 8) * np.finfo(np.float64).eps
    bounds = some.squares @ others.known.T
    bounds += some.known @ others.squares.T
    bounds *= 1.0 - lost
    bounds -= 2.0 * (some.values @ others.values.T)
    common = some.known @ others.known.T
    bounds /= common
    # Numbers out of range mean nothing; items without a common feature are no neighbours.
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
        Distances are in units of 2 to this power.
    k
        Number of items that a value is averaged over.
    """

    known: Floats
    means: Floats
    exponent: int
    k: int

    def completed(self, item: Floats, bounds: Floats) -> Floats:
        """Fill the blanks of one item; `bounds` are lower bounds of its distances."""
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
        """Return the filling of the blanks from these donors, and the distance of the farthest
        used.

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
    """Return the places of the n smallest, in the order of the table."""
    if n >= len(bounds):
        return np.arange(len(bounds))
    return np.sort(np.argpartition(bounds, n)[:n])
