"""Nearest trained items of any items, blanks allowed on both sides, and places between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.result import ItemMap
from ximstudio.place.params import ItemPlacingParams
from ximstudio.place.placed import PlacedItems

ROWS = 64
"""Number of items whose distances to all others are taken at once."""
SPARE = 8
"""Number of further items that are measured exactly, as rounding may change their order."""
FAR = 1e3
"""Distance of items without a common feature, in multiples of the largest known one."""


class Neighbours(NamedTuple):
    """Numbers of the nearest items and their distances, both of shape (items, k), nearest first."""

    items: Ints
    distances: Floats


class _Moved(NamedTuple):
    """Items around a centre: values with blanks as 0, squares, and known values, all (N, D)."""

    values: Floats
    squares: Floats
    known: Floats


def nearest_items(
    values: Floats, others: Floats, k: int, *, excluding: Ints | None = None
) -> Neighbours:
    """Find the k items of `others` that are nearest to each of `values`.

    Distances are those of `model.distances`: Euclidean over the features known of both, scaled up
    to all of them, infinite where there is no such feature. `excluding` names one of the others for
    every item, itself for instance, that is skipped. Of equally near ones the earlier comes first;
    of very many, more than k + SPARE, any may come.
    """
    k = min(k, len(others) - (excluding is not None))
    found = np.empty((len(values), k), dtype=np.int64)
    apart = np.empty((len(values), k))
    middle = np.nanmedian(others, axis=0)
    blanks = bool(np.isnan(values).any() or np.isnan(others).any())
    moved = _moved(others, middle)

    def work(begin: int, end: int) -> None:
        rows = np.arange(begin, end)
        rough = _rough(_moved(values[begin:end], middle), moved, blanks=blanks)
        if excluding is not None:
            # After those without a common feature, which are infinitely far but not excluded.
            rough[rows - begin, excluding[begin:end]] = np.nan
        wanted = min(k + SPARE, len(others) - (excluding is not None))
        near = np.sort(np.argpartition(rough, wanted - 1, axis=1)[:, :wanted], axis=1)
        for row, candidates in zip(rows, near, strict=True):
            exact = _distances(values[row], others[candidates])
            order = np.argsort(exact, kind="stable")[:k]
            found[row], apart[row] = candidates[order], exact[order]

    over_blocks(len(values), ROWS, work)
    return Neighbours(found, apart)


def near_others(values: Floats, k: int) -> Neighbours:
    """Find the k nearest others of every item, their distances relative to the largest known."""
    near, apart = nearest_items(values, values, k, excluding=np.arange(len(values)))
    known = np.isfinite(apart)
    largest = float(apart[known].max(initial=0.0)) or 1.0
    return Neighbours(near, np.where(known, apart / largest, FAR))


def _moved(values: Floats, middle: Floats) -> _Moved:
    moved = values - middle
    known: Bools = ~np.isnan(moved)
    moved[~known] = 0.0
    return _Moved(moved, moved * moved, known.astype(np.float64))


def _rough(some: _Moved, others: _Moved, *, blanks: bool) -> Floats:
    """Return squared distances by products, fast for all pairs at once."""
    rough = some.values @ others.values.T
    rough *= -2.0
    if not blanks:
        rough += others.squares.sum(axis=1)
        return np.asarray(rough)
    rough += some.known @ others.squares.T
    rough += some.squares @ others.known.T
    common = some.known @ others.known.T
    rough /= np.maximum(common, 1.0)
    rough[common == 0.0] = np.inf
    return np.asarray(rough)


def _distances(item: Floats, others: Floats) -> Floats:
    """Return distances of one item, by differences: exactly 0 from itself."""
    apart = others - item
    blank = np.isnan(apart)
    apart[blank] = 0.0
    known = apart.shape[1] - blank.sum(axis=1)
    squares = (apart * apart).sum(axis=1) * apart.shape[1] / np.maximum(known, 1)
    return np.asarray(np.where(known > 0, np.sqrt(squares), np.inf))


def place(model: ItemMap, values: Floats, params: ItemPlacingParams) -> PlacedItems:
    """Place items at the mean of their nearest items' positions, weighted by distance to the power
    −p.

    An item that was trained on has distance 0 from itself and keeps its own position.
    """
    near, apart = nearest_items(values, model.items.values, params.neighbours)
    closest = apart[:, :1]
    # Relative to the nearest, so that no power over- or underflows for all of them.
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = (closest / apart) ** params.power
    weights[np.isinf(apart)] = 0.0
    weights = np.where(closest == 0.0, (apart == 0.0).astype(np.float64), weights)
    weights /= weights.sum(axis=1, keepdims=True)
    positions = np.einsum("ik,ikc->ic", weights, model.positions[near])
    return PlacedItems(positions=positions, winners=None)
