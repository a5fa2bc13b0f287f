"""Statistics of the values of a table, for the histograms before and after a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Floats, frozen
from ximstudio.model.table import Table

MOST = 1_000_000
"""Number of values other than 0 up to which quantiles are exact; of more, so many are drawn."""

SHOWN = 100_000
"""Number of values kept for histograms."""

PIECE = 2**18
"""Number of values processed together: they stay in the processor's cache."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TableStatistics:
    """Counts and moments of all values, exact; quartiles and histograms of many.

    Parameters
    ----------
    n_items, n_features
        Size of the table.
    missing, infinite, negative, zero
        Number of such values; −∞ counts as infinite and as negative.
    minimum, maximum, mean, sd
        Of the finite values; NaN if there are none. The standard deviation divides by n − 1.
    quartiles
        First, second and third, of the finite values.
    sampled
        True if the quartiles come from a sample: there are more than MOST values other than 0.
    shown
        Finite values other than 0, sorted: all of them, or a sample.
    """

    n_items: int
    n_features: int
    missing: int
    infinite: int
    negative: int
    zero: int
    minimum: float
    quartiles: tuple[float, float, float]
    maximum: float
    mean: float
    sd: float
    sampled: bool
    shown: Floats

    @classmethod
    def of(cls, table: Table, halt: Callable[[], None] = lambda: None) -> TableStatistics:
        """Compute the statistics of a table; a sparse table stays sparse.

        `halt` is called now and then and may raise to stop.
        """
        stored = table.stored
        counted = _counted(stored, halt)
        n_cells = table.n_items * table.n_features
        zero = counted.zero + n_cells - len(stored)
        n_finite = n_cells - counted.missing - counted.infinite
        n_other = n_finite - zero
        sampled = n_other > MOST
        values = _drawn(stored, MOST) if sampled else _others(stored)
        n_zero = round(zero * (len(values) / n_other)) if sampled else zero
        mean, sd = counted.moments(n_finite)
        low, high = counted.minimum, counted.maximum
        if zero:
            low, high = min(low, 0.0), max(high, 0.0)
        return cls(
            n_items=table.n_items,
            n_features=table.n_features,
            missing=counted.missing,
            infinite=counted.infinite,
            negative=counted.negative,
            zero=zero,
            minimum=low if n_finite else np.nan,
            quartiles=_quartiles(values, n_zero),
            maximum=high if n_finite else np.nan,
            mean=mean,
            sd=sd,
            sampled=sampled,
            shown=frozen(np.sort(values if len(values) <= SHOWN else _drawn(values, SHOWN))),
        )

    @property
    def n_finite(self) -> int:
        return self.n_items * self.n_features - self.missing - self.infinite

    def histogram(self, edges: Floats) -> Floats:
        """Return the number of finite values between the edges; scaled up where values were
        sampled.

        A bin includes its lower edge, the last one both.
        """
        counts = np.histogram(self.shown, edges)[0].astype(np.float64)
        counts *= (self.n_finite - self.zero) / max(len(self.shown), 1)
        if edges[0] <= 0.0 <= edges[-1]:
            found = int(np.searchsorted(edges, 0.0, side="right")) - 1
            counts[min(found, len(counts) - 1)] += self.zero
        return counts


def shared_edges(several: Iterable[TableStatistics], n_bins: int = 60) -> Floats:
    """Return edges of bins for all finite values of several tables."""
    filled = [each for each in several if each.n_finite]
    low = min((each.minimum for each in filled), default=0.0)
    high = max((each.maximum for each in filled), default=1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    # Halves first: the difference of two numbers can overflow where both are finite.
    edges = np.linspace(low / 2, high / 2, n_bins + 1) * 2
    if not (np.diff(edges) > 0).all():
        edges = np.array([low, np.nextafter(high, np.inf)])
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)
    return edges


@dataclass(kw_only=True)
class _Counts:
    missing: int = 0
    infinite: int = 0
    negative: int = 0
    zero: int = 0
    minimum: float = np.inf
    maximum: float = -np.inf
    n: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, piece: Floats) -> None:
        finite = piece[np.isfinite(piece)]
        if len(finite) < len(piece):
            missing = int(np.isnan(piece).sum())
            self.missing += missing
            self.infinite += len(piece) - len(finite) - missing
            self.negative += int((piece == -np.inf).sum())
        if not len(finite):
            return
        self.negative += int((finite < 0).sum())
        self.zero += len(finite) - int(np.count_nonzero(finite))
        self.minimum = min(self.minimum, float(finite.min()))
        self.maximum = max(self.maximum, float(finite.max()))
        mean = float(finite.mean())
        self._combine(len(finite), mean, float(((finite - mean) ** 2).sum()))

    def _combine(self, n: int, mean: float, squares: float) -> None:
        """Combine the moments of two parts (Chan, Golub & LeVeque 1983)."""
        if not n:
            return
        away, total = mean - self.mean, self.n + n
        self.squares += squares + away * away * (self.n / total) * n
        self.mean += away * (n / total)
        self.n = total

    def moments(self, n_finite: int) -> tuple[float, float]:
        """Return mean and standard deviation, including zeros that are not stored."""
        self._combine(n_finite - self.n, 0.0, 0.0)
        mean = self.mean if self.n else np.nan
        return mean, float(np.sqrt(self.squares / (self.n - 1))) if self.n > 1 else np.nan


def _counted(stored: Floats, halt: Callable[[], None]) -> _Counts:
    counts = _Counts()
    with np.errstate(over="ignore", invalid="ignore"):
        for begin in range(0, len(stored), PIECE):
            counts.add(stored[begin : begin + PIECE])
            halt()
    return counts


def _others(stored: Floats) -> Floats:
    """Return all finite values other than 0."""
    pieces = [stored[begin : begin + PIECE] for begin in range(0, len(stored), PIECE)]
    found = [piece[np.isfinite(piece) & (piece != 0.0)] for piece in pieces]
    return np.concatenate([np.empty(0), *found])


def _drawn(stored: Floats, size: int) -> Floats:
    """Return the finite values other than 0 in a sample of that size."""
    # With a fixed seed: the same table always gives the same picture.
    return _others(stored[np.random.default_rng(0).integers(len(stored), size=size)])


def _quartiles(values: Floats, n_zero: int) -> tuple[float, float, float]:
    """Return quartiles of values and so many zeros, with linear interpolation."""
    ordered = np.sort(values)
    n, n_below = len(ordered) + n_zero, int(np.searchsorted(ordered, 0.0))
    if not n:
        return (np.nan, np.nan, np.nan)

    def ranked(rank: int) -> float:
        if rank < n_below:
            return float(ordered[rank])
        return 0.0 if rank < n_below + n_zero else float(ordered[rank - n_zero])

    def quantile(share: float) -> float:
        place = share * (n - 1)
        low, high = ranked(int(place)), ranked(min(int(place) + 1, n - 1))
        part = place - int(place)
        return low * (1.0 - part) + high * part

    return (quantile(0.25), quantile(0.5), quantile(0.75))
