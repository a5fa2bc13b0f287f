"""Statistics per line of a sparse table, from its stored values and the number of its zeros."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.table import ITEMS, Table


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
