"""Statistics per item or per feature; blanks are ignored.

A line is an item or a feature with all its values. Every line is summarised separately, so that its
number does not depend, even in the last bit, on the other lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.table import ITEMS, Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, kw_only=True, eq=False)
class SparseLines:
    """The lines of a sparse table, one after the other.

    Parameters
    ----------
    values
        Stored values, blanks included.
    sizes
        Number of stored values per line.
    length
        Number of values per line, including zeros that are not stored.
    """

    values: Floats
    sizes: Ints
    length: int

    @classmethod
    def of(cls, table: Table, side: str) -> SparseLines:
        """Return the lines of one side of a sparse table."""
        assert not isinstance(table.values, np.ndarray)
        lines = table.values if side == ITEMS else table.values.T.tocsr()
        return cls(
            values=lines.data,
            sizes=np.diff(lines.indptr).astype(np.int64),
            length=int(lines.shape[1]),
        )

    @cached_property
    def absent(self) -> Floats:
        """Number of zeros of each line that are not stored."""
        return np.asarray(self.length - self.sizes, dtype=np.float64)

    @cached_property
    def known(self) -> Floats:
        """Number of known values of each line."""
        return self.length - self.sums(np.isnan(self.values).astype(np.float64))

    def sums(self, values: Floats) -> Floats:
        """Sums over each line of values that are one to one with those stored."""
        return self._reduced(values, np.add)

    def totals(self) -> Floats:
        """The sum of each line."""
        return self.sums(np.where(np.isnan(self.values), 0.0, self.values))

    def means(self) -> Floats:
        """The mean of each line."""
        with np.errstate(invalid="ignore"):
            return self.totals() / self.known

    def variances(self) -> Floats:
        """The variance of each line, divided by n − 1."""
        means = self.means()
        moved = self.values - np.repeat(means, self.sizes)
        squares = self.sums(np.where(np.isnan(moved), 0.0, moved * moved))
        with np.errstate(invalid="ignore", divide="ignore"):
            # The mean of a line without known values is NaN, but 0 zeros are far from it.
            zeros = np.where(self.absent > 0, self.absent * means * means, 0.0)
            return np.where(self.known > 1, (squares + zeros) / (self.known - 1), np.nan)

    def lengths(self) -> Floats:
        """The Euclidean length of each line."""
        return np.sqrt(self.sums(np.where(np.isnan(self.values), 0.0, self.values**2)))

    def at_least(self, value: float) -> Floats:
        """Return the number of values of each line that are at least this large."""
        found = self.sums((self.values >= value).astype(np.float64))
        return found + self.absent if value <= 0 else found

    def extremes(self, of: np.ufunc) -> Floats:
        """The smallest (np.fmin) or largest (np.fmax) value of each line."""
        found = self._reduced(self.values, of, empty=np.nan)
        return np.where(self.absent > 0, of(found, 0.0), found)

    def medians(self) -> Floats:
        """The median of each line."""
        return self._middles(self.values, np.zeros(len(self.sizes)))

    def deviations(self) -> Floats:
        """The median absolute deviation of each line from its median."""
        medians = self.medians()
        away = np.abs(self.values - np.repeat(medians, self.sizes))
        return self._middles(away, np.abs(medians))

    def _reduced(self, values: Floats, of: np.ufunc, *, empty: float = 0.0) -> Floats:
        found = np.full(len(self.sizes), empty)
        filled = self.sizes > 0
        begins = np.cumsum(self.sizes) - self.sizes
        if filled.any():
            # Lines without stored values take no room, so that the next begins at the same place.
            found[filled] = of.reduceat(values, begins[filled])
        return found

    def _middles(self, values: Floats, rest: Floats) -> Floats:
        """Return medians of lines with some given values, where all absent ones are `rest`."""
        lines = np.repeat(np.arange(len(self.sizes)), self.sizes)
        # Blanks are sorted to the end of their line.
        ordered = np.append(values[np.lexsort((values, lines))], np.nan)
        begins = np.cumsum(self.sizes) - self.sizes
        below = self.sums((values < np.repeat(rest, self.sizes)).astype(np.float64))
        known = self.known.astype(np.int64)

        def ranked(ranks: Ints) -> Floats:
            among = (ranks >= below) & (ranks < below + self.absent)
            shift = np.where(ranks < below, 0, self.length - self.sizes)
            places = np.where(among | (known == 0), len(ordered) - 1, begins + ranks - shift)
            return np.where(among, rest, ordered[places])

        low, high = ranked((known - 1) // 2), ranked(known // 2)
        found = np.where(low == high, low, low * 0.5 + high * 0.5)
        return np.where(known > 0, found, np.nan)


BLOCK = 2**18
"""Number of values processed together: they stay in the processor's cache."""

TO_SD = 1.4826
"""Factor from the median absolute deviation to the standard deviation of a normal distribution."""


def blocks(table: Table, side: str, size: int = BLOCK) -> Iterator[tuple[slice, Floats]]:
    """Yield the lines of a side in blocks: their numbers, and their values row by row."""
    n_lines, length = len(table.axis(side)), table.n_items * table.n_features
    length //= max(n_lines, 1)
    step = max(1, size // max(length, 1))
    rows = _lines(table, side) if table.is_sparse else None
    for begin in range(0, n_lines, step):
        part = slice(begin, min(begin + step, n_lines))
        if rows is not None:
            yield part, rows[part].toarray()
        elif isinstance(table.values, np.ndarray):
            block = table.values[part] if side == ITEMS else table.values[:, part].T
            yield part, np.ascontiguousarray(block)


def _dense(table: Table, side: str, of: Callable[[Floats], Floats]) -> Floats:
    found = np.empty(len(table.axis(side)))
    for part, block in blocks(table, side):
        found[part] = of(block)
    return found


def _lines(table: Table, side: str) -> csr_array[Any]:
    """Return the lines of a sparse table as rows."""
    assert not isinstance(table.values, np.ndarray)
    return table.values if side == ITEMS else table.values.T.tocsr()


def counts(table: Table, side: str) -> Floats:
    """Return the number of known values of each line."""
    if table.is_sparse:
        return SparseLines.of(table, side).known
    return _dense(table, side, _known)


def totals(table: Table, side: str) -> Floats:
    """The sum of each line; 0 if nothing is known."""
    if table.is_sparse:
        return SparseLines.of(table, side).totals()
    return _dense(table, side, _sum)


def means(table: Table, side: str) -> Floats:
    """The mean of each line; NaN if nothing is known."""
    if table.is_sparse:
        return SparseLines.of(table, side).means()
    return _dense(table, side, _mean)


def variances(table: Table, side: str) -> Floats:
    """The variance of each line (divided by n − 1); NaN if fewer than two values are known."""
    if table.is_sparse:
        return SparseLines.of(table, side).variances()
    return _dense(table, side, _variance)


def medians(table: Table, side: str) -> Floats:
    """The median of each line; NaN if nothing is known."""
    if table.is_sparse:
        return SparseLines.of(table, side).medians()
    return _dense(table, side, _median)


def deviations(table: Table, side: str) -> Floats:
    """The median absolute deviation of each line from its median; NaN if nothing is known."""
    if table.is_sparse:
        return SparseLines.of(table, side).deviations()
    return _dense(table, side, lambda block: _median(np.abs(block - _median(block)[:, None])))


def lowest(table: Table, side: str) -> Floats:
    """The smallest value of each line; NaN if nothing is known."""
    if table.is_sparse:
        return SparseLines.of(table, side).extremes(np.fmin)
    return _dense(table, side, lambda block: np.fmin.reduce(block, axis=1))


def highest(table: Table, side: str) -> Floats:
    """The largest value of each line; NaN if nothing is known."""
    if table.is_sparse:
        return SparseLines.of(table, side).extremes(np.fmax)
    return _dense(table, side, lambda block: np.fmax.reduce(block, axis=1))


def lengths(table: Table, side: str) -> Floats:
    """The Euclidean length of each line; 0 if nothing is known."""
    if table.is_sparse:
        return SparseLines.of(table, side).lengths()
    return _dense(table, side, lambda block: np.sqrt(_sum(block * block)))


def at_least(table: Table, side: str, value: float) -> Floats:
    """Return the number of values of each line that are at least this large."""
    if table.is_sparse:
        return SparseLines.of(table, side).at_least(value)
    return _dense(table, side, lambda block: (block >= value).sum(axis=1).astype(np.float64))


def _sum(block: Floats) -> Floats:
    found: Floats = np.where(np.isnan(block), 0.0, block).sum(axis=1)
    return found


def _known(block: Floats) -> Floats:
    found: Floats = (~np.isnan(block)).sum(axis=1).astype(np.float64)
    return found


def _mean(block: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return _sum(block) / _known(block)


def _variance(block: Floats) -> Floats:
    moved = block - _mean(block)[:, None]
    known = _known(block)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(known > 1, _sum(moved * moved) / (known - 1), np.nan)


def _median(block: Floats) -> Floats:
    """Return medians of rows; blanks are sorted to the end."""
    if not block.shape[1]:
        return np.full(len(block), np.nan)
    ordered = np.sort(block, axis=1)
    known = _known(block).astype(np.int64)
    rows = np.arange(len(block))
    # Without known values this takes a blank, which is correct.
    low = ordered[rows, np.maximum((known - 1) // 2, 0)]
    high = ordered[rows, np.minimum(known // 2, block.shape[1] - 1)]
    # Not (low + high) / 2, which can overflow.
    return np.where(low == high, low, low * 0.5 + high * 0.5)
