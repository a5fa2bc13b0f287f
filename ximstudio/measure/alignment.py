"""Alignment of one map with another: rotation, reflection, shift and, unless it repeats, scale."""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid, shortened
from ximstudio.place.placed import wrapped

ROUNDING = 1e-12
"""Share of their size below which positions count as one point."""


def align(positions: Floats, onto: Floats, grid: Grid | None = None) -> Floats:
    """Move the map `positions` so that its items come as near as possible to those of `onto`.

    Both have one row per item, NaN where a map lacks it; common items determine the transformation,
    and all of `positions` is moved. A map that does not repeat may be turned, flipped, shifted and
    scaled (Procrustes; Gower 1975). On a `grid` that does, a torus or cylinder that both maps are
    on, it may be flipped, shifted any way round and, on a torus as wide as high, turned by a
    quarter; it comes back between the grid's origin and one period on. With no item in common it
    stays where it is.
    """
    both = ~np.isnan(positions[:, 0]) & ~np.isnan(onto[:, 0])
    if not both.any():
        return positions.copy()
    if repeats(grid):
        turn, shift = _own_symmetry(positions[both], onto[both], grid)
        return wrapped(grid, positions @ turn + shift)
    turn, shift = _procrustes(positions[both], onto[both])
    return np.asarray(positions @ turn + shift)


def repeats(grid: Grid | None) -> TypeGuard[Grid]:
    """Return whether maps on this grid, or without one, are periodic."""
    return grid is not None and grid.repeats


def short_way(apart: Floats, grid: Grid | None) -> Floats:
    """Return differences of positions, (…, d), the short way round."""
    return shortened(apart, grid.periods) if repeats(grid) else apart


def circular_means(values: Floats, period: float) -> Floats:
    """Return points on a circle with the least sum of squared distances to `values`, along axis 0.

    Unrolled from the right cut, the circle is a line and the best point is the mean. Only the gap
    between two neighbouring values matters for the cut, so every gap is tried; the result is exact
    (Hotz and Huckemann 2015). NaN is ignored, and is the mean of nothing.
    """
    turns = values / period
    turns -= np.floor(turns)
    # NaN come last, and add nothing to the sums.
    turns.sort(axis=0)
    known = ~np.isnan(turns)
    turns[~known] = 0.0
    count = known.sum(axis=0)
    mean = np.full(count.shape, np.nan)
    np.divide(turns.sum(axis=0), count, out=mean, where=count > 0)

    # Increase of the sum of squares around the mean if the first m values go once around: 2 (their
    # sum − m · mean) + m (1 − m / count).
    m = np.arange(len(turns), dtype=np.float64).reshape(-1, *[1] * count.ndim)
    added = np.cumsum(turns, axis=0)
    added -= turns
    added -= m * (mean - 0.5)
    added -= m * m / np.maximum(2 * count, 1)
    added[~known] = np.inf
    return np.asarray((mean + added.argmin(axis=0) / np.maximum(count, 1)) * period)


def extent(positions: Floats) -> float:
    """Return the root mean square distance of positions from their centre; 0 if they coincide."""
    if not len(positions):
        return 0.0
    size = float(np.sqrt(positions.var(axis=0).sum()))
    return size if size > ROUNDING * np.abs(positions).max() else 0.0


def _procrustes(positions: Floats, onto: Floats) -> tuple[Floats, Floats]:
    """Return rotation, scale and reflection in one matrix, and the shift after it.

    The scale makes both maps equally large. The scale of least squares would shrink dissimilar maps
    more and so hide their distance.
    """
    here, there = positions.mean(axis=0), onto.mean(axis=0)
    size, wanted = extent(positions), extent(onto)
    turn = np.eye(positions.shape[1])
    if size > 0 and wanted > 0:
        left, _, right = np.linalg.svd(((positions - here) / size).T @ ((onto - there) / wanted))
        turn = left @ right * (wanted / size)
    return turn, there - here @ turn


def _own_symmetry(positions: Floats, onto: Floats, grid: Grid) -> tuple[Floats, Floats]:
    """Return the best symmetry of the map: flips and a possible change of axes in a matrix, and the
    shift.

    Squared distances add up over the axes, so flip and shift are found for each axis separately.
    Quarter turns need equal sides. Turns by 60° carry the lattice of a hexagonal torus over itself,
    but never its periods: the map would be torn. Flips carry over both, for any lattice.
    """
    orders = [(0, 1)]
    if grid.periods[0] == grid.periods[1]:
        orders.append((1, 0))
    least = np.inf
    for order in orders:
        fits = [
            _axis_fit(positions[:, source], onto[:, axis], period)
            for axis, (source, period) in enumerate(zip(order, grid.periods, strict=True))
        ]
        squares = sum(fit[0] for fit in fits)
        if squares < least:
            least = squares
            turn = np.zeros((2, 2))
            turn[order, (0, 1)] = [fit[1] for fit in fits]
            shift = np.array([fit[2] for fit in fits])
    return turn, shift


def _axis_fit(places: Floats, onto: Floats, period: float) -> tuple[float, float, float]:
    """Return the least sum of squared distances along an axis, with its sign and shift."""
    fits = []
    for sign in (1.0, -1.0):
        apart = onto - sign * places
        if np.isfinite(period):
            shift = float(circular_means(apart, period))
            apart -= shift
            apart -= period * np.round(apart / period)
        else:
            shift = float(apart.mean())
            apart -= shift
        fits.append((float(apart @ apart), sign, shift))
    return min(fits, key=lambda fit: fit[0])
