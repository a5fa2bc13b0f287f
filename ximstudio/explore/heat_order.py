"""Order of the rows and columns of a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.explore.tree import Tree, tree_of
from ximstudio.maps.drawn import drawn
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.grid import Grid
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.model.structures import Cell
from ximstudio.model.words import natural

CURVE_BITS = 16
"""Hilbert's curve runs through 2 to this power rows and columns."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HeatOrder:
    """Row (or column) numbers in drawing order, and the tree behind it, if any."""

    order: Ints
    tree: Tree | None = None

    def __len__(self) -> int:
        return len(self.order)


def by_label(texts: Sequence[str]) -> HeatOrder:
    """Sort by a label, numerically where possible; rows without a text come last."""
    try:
        numbers = [float(text) if text.strip() else np.inf for text in texts]
        # NaN counts as missing.
        keys_of = [np.inf if np.isnan(number) else number for number in numbers]
        order = sorted(range(len(texts)), key=keys_of.__getitem__)
    except ValueError:
        keys = [(not text.strip(), natural(text)) for text in texts]
        order = sorted(range(len(texts)), key=keys.__getitem__)
    return HeatOrder(order=frozen(np.array(order, dtype=np.int64)))


def by_clustering(values: Floats) -> HeatOrder:
    """Order rows so that similar ones are adjacent, with their tree; transpose for columns.

    More than `tree.MOST_ROWS` rows are refused.
    """
    tree = tree_of(values)
    return HeatOrder(order=tree.order, tree=tree)


def by_map(result: Result, items: Ints) -> HeatOrder:
    """Order items along the map, so that neighbours in the order are neighbours on the map.

    Row by row in alternating direction where nodes lie in rows; along a line or ring; elsewhere
    along Hilbert's curve through the nodes, or through the positions where there are no nodes.
    Items of one node stay as given.
    """
    model = result.model
    if isinstance(model, PrototypeMap) and result.winners is not None:
        walk = _walk(model.grid)
        if walk is not None:
            return HeatOrder(order=frozen(np.argsort(walk[result.winners[items]], kind="stable")))
        places = drawn(model.grid, model.grid.nodes)[result.winners[items]]
    else:
        places = drawn(None, result.positions)[items]
    return HeatOrder(order=frozen(np.argsort(along_curve(places), kind="stable")))


def _walk(grid: Grid) -> Ints | None:
    """Rank of every node along the walk; None where nodes do not lie in rows."""
    if grid.structure.cell in (Cell.BAR, Cell.SECTOR):
        return np.arange(grid.n_nodes)
    if not grid.structure.in_rows:
        return None
    row, column = np.divmod(np.arange(grid.n_nodes), grid.columns)
    back = row % 2 == 1
    return np.asarray(row * grid.columns + np.where(back, grid.columns - 1 - column, column))


def along_curve(places: Floats) -> Ints:
    """Rank of places (n, 2) along Hilbert's curve through their square."""
    if not len(places):
        return np.empty(0, dtype=np.int64)
    low = places.min(axis=0)
    side = float((places.max(axis=0) - low).max()) or 1.0
    last = 2**CURVE_BITS - 1
    x, y = np.minimum((places - low) / side * (last + 1), last).astype(np.int64).T
    along = np.zeros(len(places), dtype=np.int64)
    for bit in range(CURVE_BITS - 1, -1, -1):
        half = 1 << bit
        right, up = (x & half) > 0, (y & half) > 0
        along += half * half * ((3 * right) ^ up)
        # A quarter is the whole again, turned: the lower two along the diagonal.
        flip = ~up & right
        x, y = np.where(flip, last - x, x), np.where(flip, last - y, y)
        x, y = np.where(up, x, y), np.where(up, y, x)
    return along
