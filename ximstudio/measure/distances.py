"""Measures of distances: agreement of distances on the map with those in the data.

d is the distance of two items in the data, e their distance on the map; sums go over pairs of
items. None of these depends on the unit of either. A value is NaN where a measure is undefined:
without pairs, or without differences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.kernels import sorting
from ximstudio.kernels.parallel import check_here, over_blocks
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.pairs import AT_ONCE, DistancePairs, power_of_two
from ximstudio.model.arrays import Complexes, Floats, frozen

GROUPS = 20
"""Number of parts of a sample; the scatter of their values gives the standard error."""
KENDALL_PAIRS = 500_000
"""Largest number of pairs for Kendall's τ."""
BINS = 100
"""Number of cells along each axis of a Shepard diagram."""

FAR = 400
"""Powers of two up to which squares, and sums of millions of them, are within range."""

Terms = Sequence[Floats]
PairMeasure = Callable[[Floats, Floats], float]
"""Function from distances in the data and on the map to a number."""


def sammon(pairs: DistancePairs) -> Estimate:
    """Sammon's error Σ (d − a·e)²/d / Σ d (Sammon 1969), from 0 to 1.

    a = Σ e / Σ (e²/d) is the scale of the map that minimises the error. Pairs with d = 0 have no
    relative error and are left out; `DistancePairs.n_same` counts them. A map on which all items
    lie on one spot has the error 1, for any scale.
    """
    return _estimate(pairs, _sammon)


def spearman(pairs: DistancePairs) -> Estimate:
    """Spearman's ρ: the correlation of the ranks of d and e (Spearman 1904), from −1 to 1.

    Equal distances share the mean of their ranks. NaN if all d or all e are the same.
    """
    return _estimate(pairs, _spearman)


def kendall(pairs: DistancePairs, *, most: int = KENDALL_PAIRS, seed: int = 0) -> Estimate:
    """Kendall's τ_b between d and e (Kendall 1945), from −1 to 1.

    Excess of pairs in the same order in the data and on the map over those in opposite order,
    corrected for ties. Taken over a random sample if there are more than `most` pairs. NaN if all d
    or all e are the same.
    """
    return _estimate(pairs.sample(most, seed=seed), _kendall)


def normalised_stress(pairs: DistancePairs) -> Estimate:
    """√(Σ (d − a·e)² / Σ d²), from 0 to 1 (Borg and Groenen 2005).

    a = Σ d·e / Σ e² is the scale of the map that makes the stress least. NaN if no items differ; 1
    if all lie on one spot of the map.
    """
    return _estimate(pairs, _normalised_stress)


def kruskal_stress(pairs: DistancePairs) -> Estimate:
    """Kruskal's stress-1 √(Σ (e − ê)² / Σ e²) (Kruskal 1964), from 0 to 1.

    ê is the monotone regression of e on the order of d, so that only this order matters. Ties in d
    are treated in the primary way: pairs with equal d may be drawn at any distances. NaN if all
    items lie on one spot of the map. A sample fits itself a little too well: its stress is too low
    by a part of the error, about a third of it for a million pairs.
    """
    return _estimate(pairs, _kruskal_stress)


@dataclass(frozen=True, kw_only=True, eq=False)
class ShepardData:
    """Content of a Shepard diagram, of a size that does not depend on the number of pairs.

    Parameters
    ----------
    shares
        Share of the pairs in every cell, rows along d and columns along e.
    data_edges, map_edges
        Edges of the cells, from 0 to the largest distance.
    fit_data, fit_map
        The monotone regression of e on d, from the smallest d to the largest; empty without pairs.
    """

    shares: Floats
    data_edges: Floats
    map_edges: Floats
    fit_data: Floats
    fit_map: Floats

    def __post_init__(self) -> None:
        for array in vars(self).values():
            frozen(array)


def shepard(pairs: DistancePairs, *, bins: int = BINS) -> ShepardData:
    """Return the Shepard diagram (Shepard 1962): joint frequencies of d and e, and their trend."""
    data_edges, map_edges = (_edges(distances, bins) for distances in (pairs.data, pairs.map))
    counts, _, _ = np.histogram2d(pairs.data, pairs.map, bins=(data_edges, map_edges))
    data, _, fit = _monotone_fit(pairs.data, pairs.map)
    fit_data = np.linspace(data[0], data[-1], bins + 1) if len(data) else data
    return ShepardData(
        shares=counts / max(pairs.n_pairs, 1),
        data_edges=data_edges,
        map_edges=map_edges,
        fit_data=fit_data,
        fit_map=np.interp(fit_data, data, fit) if len(data) else fit,
    )


def _edges(distances: Floats, bins: int) -> Floats:
    """Return edges of so many equal cells from 0 to the largest distance."""
    return np.linspace(0.0, distances.max(initial=0.0) or 1.0, bins + 1)


def _estimate(pairs: DistancePairs, measure: PairMeasure) -> Estimate:
    """Return the value over all pairs; for a sample with the standard error from its parts."""
    data, drawn = _within_range(pairs.data), _within_range(pairs.map)
    value = measure(data, drawn)
    if pairs.all_pairs:
        return Estimate(value)
    parts = list(zip(np.array_split(data, GROUPS), np.array_split(drawn, GROUPS), strict=True))
    found = np.empty(GROUPS)

    def one(begin: int, end: int) -> None:
        found[begin:end] = [measure(*part) for part in parts[begin:end]]

    over_blocks(GROUPS, 1, one)
    return Estimate(value, float(np.std(found, ddof=1) / np.sqrt(GROUPS)))


def _within_range(distances: Floats) -> Floats:
    """Return the distances in a unit in which their squares do not overflow.

    No measure depends on the unit.
    """
    power = power_of_two(distances)
    return np.ldexp(distances, -power) if abs(power) > FAR else distances


def _sums(data: Floats, drawn: Floats, terms: Callable[[Floats, Floats], Terms]) -> Floats:
    """Return sums over all pairs of terms of d and e, some pairs at a time.

    All at once would need several times the memory of the pairs, and could not be cancelled.
    """
    total = np.zeros(0)
    for begin in range(0, len(data), AT_ONCE):
        check_here()
        here = slice(begin, begin + AT_ONCE)
        part = np.array([term.sum() for term in terms(data[here], drawn[here])])
        total = part + total if len(total) else part
    return total


def _sammon(data: Floats, drawn: Floats) -> float:
    def sizes(d: Floats, e: Floats) -> Terms:
        differ = d > 0.0
        d, e = d[differ], e[differ]
        return e * e / d, e, d

    def errors(d: Floats, e: Floats) -> Terms:
        differ = d > 0.0
        d, e = d[differ], e[differ]
        return ((d - scale * e) ** 2 / d,)

    if not data.any():
        return np.nan
    with np.errstate(over="ignore"):
        relative, total_drawn, total = _sums(data, drawn, sizes)
    scale = total_drawn / relative if relative else 0.0
    return float(_sums(data, drawn, errors)[0] / total)


def _spearman(data: Floats, drawn: Floats) -> float:
    if not len(data):
        return np.nan
    left, right = (_centred_ranks(each) for each in (data, drawn))
    of_left, of_right, of_both = _sums(left, right, lambda a, b: (a * a, b * b, a * b))
    spread = np.sqrt(of_left * of_right)
    return float(np.clip(of_both / spread, -1.0, 1.0)) if spread else np.nan


def _centred_ranks(values: Floats) -> Floats:
    """Return ranks, ties sharing their mean, minus the mean of all."""
    ranks = np.empty(len(values))
    sorting.shared_ranks(sorting.in_order(sorting.paired(values, np.arange(len(values)))), ranks)
    check_here()
    ranks -= 0.5 * (len(values) + 1)
    return ranks


def _kendall(data: Floats, drawn: Floats) -> float:
    both = sorting.in_order(sorting.paired(data, drawn))
    check_here()
    n_pairs = len(both) * (len(both) - 1) // 2
    same_both = _count_same(both)
    same_data = _count_same(both.real)
    ordered = np.ascontiguousarray(both.imag)
    opposite = sorting.count_falling(ordered, np.empty(len(ordered)))
    same_drawn = _count_same(ordered)
    if n_pairs in (same_data, same_drawn):
        return np.nan
    surplus = n_pairs - same_data - same_drawn + same_both - 2 * opposite
    # One root after the other: the product might overflow.
    found = surplus / np.sqrt(n_pairs - same_data) / np.sqrt(n_pairs - same_drawn)
    return float(np.clip(found, -1.0, 1.0))


def _count_same(ordered: Floats | Complexes) -> int:
    """Return the number of pairs of equal numbers in a sorted row."""
    ends = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    lengths = np.diff(ends, prepend=0, append=len(ordered))
    return int((lengths * (lengths - 1) // 2).sum())


def _normalised_stress(data: Floats, drawn: Floats) -> float:
    if not data.any():
        return np.nan
    size, both, total = _sums(data, drawn, lambda d, e: (e * e, d * e, d * d))
    scale = both / size if size else 0.0
    (error,) = _sums(data, drawn, lambda d, e: ((d - scale * e) ** 2,))
    return float(np.sqrt(error / total))


def _kruskal_stress(data: Floats, drawn: Floats) -> float:
    if not drawn.any():
        return np.nan
    _, ordered, fit = _monotone_fit(data, drawn)
    error, total = _sums(ordered, fit, lambda e, f: ((e - f) ** 2, e * e))
    return float(np.sqrt(error / total))


def _monotone_fit(data: Floats, drawn: Floats) -> tuple[Floats, Floats, Floats]:
    """Return d in rising order, with e and its monotone regression on d."""
    both = sorting.in_order(sorting.paired(data, drawn))
    check_here()
    ordered, fit = np.ascontiguousarray(both.imag), np.empty(len(both))
    sorting.monotone_fit(ordered, fit)
    return both.real, ordered, fit
