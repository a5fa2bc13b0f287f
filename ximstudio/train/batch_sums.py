"""What the items of an epoch do to the prototypes: sums of attraction and repulsion per node.

Attraction goes through the nodes: items are added up per winner (N·D), and one product with h
between all nodes (M²·D) spreads the sums. Only repulsion needs every pair of node and item: two
products N·M·D by blocks, with g computed in place between them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.batch import (
    add_to_nodes,
    column_winners,
    data_kernels,
    map_kernels,
    own_terms,
    smoothed_winners,
)
from ximstudio.kernels.online import STEEPEST
from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Floats, Floats32, Ints32
from ximstudio.model.grid import Grid
from ximstudio.train.batch_items import ITEMS_AT_ONCE, BatchItems, over_parts, parts_of

NODES_AT_ONCE = 128


class MapTable:
    """h between all nodes of a map, for one width after the other."""

    def __init__(self, grid: Grid, *, kernel: int, length_scale: float) -> None:
        n_nodes = grid.n_nodes
        self.kernel, self.length_scale = kernel, length_scale
        self.apart = np.empty((n_nodes, n_nodes), dtype=np.float32)
        self.h = np.empty((n_nodes, n_nodes), dtype=np.float32)
        self.own = np.empty(n_nodes)
        every = np.arange(n_nodes)

        def measure(begin: int, end: int) -> None:
            self.apart[begin:end] = grid.squared_distances(every[begin:end], every)

        over_blocks(n_nodes, NODES_AT_ONCE, measure)

    def set_width(self, sigma: float, *, own: bool) -> None:
        """Fill `h` for a width and, if asked for, `own`: Σ_j (h ln h − h) of every node."""

        def fill(begin: int, end: int) -> None:
            h = self.h[begin:end]
            map_kernels(self.kernel, sigma, self.length_scale, self.apart[begin:end], h)
            if own:
                own_terms(h, self.own[begin:end])

        over_blocks(len(self.h), NODES_AT_ONCE, fill)

    def spread(self, sums: Floats | Floats32) -> Floats32:
        """h · sums, for sums per node."""
        single = sums.astype(np.float32)
        out = np.empty_like(single)

        def multiply(begin: int, end: int) -> None:
            np.matmul(self.h[begin:end], single, out=out[begin:end])

        over_blocks(len(out), NODES_AT_ONCE, multiply)
        return out


@dataclass(frozen=True, kw_only=True)
class Presentation:
    """How an epoch presents its items.

    Parameters
    ----------
    best_match
        One of 'distance', 'heskes' and 'divergence'.
    reach
        γ in training units.
    repels
        Whether there is repulsion at all.
    by_means
        Whether the items of a node repel together, from their mean.
    """

    best_match: str
    reach: float
    repels: bool
    by_means: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Sums:
    """Σ_i a_ij (x | known | 1)_i and the same of b, shape (M, columns); mean error and cost.

    a = h attracts and b = g repels; without repulsion `pushed` is 0. The cost is the divergence
    (TR 9), without repulsion the energy ½ Σ_j h_j d_E.
    """

    pulled: Floats32
    pushed: Floats32
    error: float
    cost: float


def force_sums(
    items: BatchItems, prototypes: Floats32, table: MapTable, how: Presentation
) -> Sums:
    """What all items together do to the prototypes (M, D)."""
    n_nodes, columns = len(prototypes), items.rows.shape[1]
    epoch = _Epoch.of(items, prototypes, table, how)
    room = n_nodes * columns * (2 if items.masked or how.repels else 1)
    parts = [_Part(n_nodes, items, epoch) for _ in range(parts_of(len(items), room))]

    def add_up(number: int, begin: int, end: int) -> None:
        for start in range(begin, end, ITEMS_AT_ONCE):
            parts[number].add(items.some(slice(start, min(start + ITEMS_AT_ONCE, end))), epoch)

    over_parts(len(items), room, add_up)
    rows, squares = sum(part.rows for part in parts), sum(part.squares for part in parts)
    assert isinstance(rows, np.ndarray)
    pulled = table.spread(rows)
    if not how.repels:
        pushed = np.zeros_like(pulled)
    elif how.by_means:
        pushed = _pushed_by_means(rows, items, epoch)
    else:
        pushed = np.asarray(sum(part.pushed for part in parts), dtype=np.float32)
    # Σ_i Σ_j h_*(i)j d_E, scaled to all features, from the sums alone.
    weighted = sum(part.weighted for part in parts) if items.masked else rows
    spread = table.spread(weighted) if items.masked else pulled
    attraction = float((table.h.sum(axis=1, dtype=np.float64) * squares).sum())
    attraction += float(np.einsum("jc,jc->", epoch.factor, spread, dtype=np.float64))
    cost = 0.5 * attraction
    if how.repels:
        cost = epoch.steepness * attraction + float(rows[:, items.ones] @ table.own)
        cost += float(pushed[:, items.ones].sum(dtype=np.float64))
    error = sum(part.error for part in parts)
    return Sums(pulled=pulled, pushed=pushed, error=error / len(items), cost=cost / len(items))


@dataclass(frozen=True, kw_only=True, eq=False)
class _Epoch:
    """What the blocks of an epoch share.

    `factor` times rows is d_E − |x|²; `smoothed` does the same for Σ_j h_kj d_E, because distances
    are linear in (w, w²), so that TR 6 and TR 10 cost one product like TR 2. None for TR 2.
    """

    factor: Floats32
    steepness: float
    pushes: bool
    smoothed: Floats32 | None
    totals: Floats32
    own: Floats32

    @classmethod
    def of(
        cls, items: BatchItems, prototypes: Floats32, table: MapTable, how: Presentation
    ) -> _Epoch:
        factor = items.measuring(prototypes)
        smooths = how.best_match != "distance"
        own = table.own if how.best_match == "divergence" else np.zeros(len(factor))
        return cls(
            factor=factor,
            # Bounded, so that a distance of 0 stays 0 in single precision however short the reach.
            steepness=min(0.5 / (how.reach * how.reach), STEEPEST),
            pushes=how.repels and not how.by_means,
            smoothed=table.spread(factor) if smooths else None,
            totals=table.h.sum(axis=1),
            own=own.astype(np.float32),
        )


class _Part:
    """Sums over some of the items, and room for one block of them."""

    def __init__(self, n_nodes: int, items: BatchItems, epoch: _Epoch) -> None:
        columns, at_once = items.rows.shape[1], min(ITEMS_AT_ONCE, len(items))
        self.rows = np.zeros((n_nodes, columns))
        self.weighted = np.zeros((n_nodes if items.masked else 0, columns))
        self.pushed = np.zeros((n_nodes if epoch.pushes else 0, columns), dtype=np.float32)
        self.squares = np.zeros(n_nodes)
        self.error = 0.0
        self._product = np.empty_like(self.pushed)
        self._scores = np.empty(n_nodes * at_once, dtype=np.float32)
        self._smoothed = np.empty(0 if epoch.smoothed is None else n_nodes * at_once, np.float32)
        self._least = np.empty(at_once, dtype=np.float32)
        self._winners = np.empty((2, at_once), dtype=np.int32)

    def add(self, block: BatchItems, epoch: _Epoch) -> None:
        """Present a block of items."""
        n_items, n_nodes = len(block), len(self.rows)
        scores = self._scores[: n_nodes * n_items].reshape(n_nodes, n_items)
        least, (winners, nearest) = self._least[:n_items], self._winners[:, :n_items]
        np.matmul(epoch.factor, block.rows.T, out=scores)
        steepness = block.weights * np.float32(epoch.steepness)
        if epoch.smoothed is not None:
            smoothed = self._smoothed[: n_nodes * n_items].reshape(n_nodes, n_items)
            np.matmul(epoch.smoothed, block.rows.T, out=smoothed)
            smoothed_winners(
                smoothed, epoch.totals, epoch.own, block.squares, steepness, least, winners
            )
            distances = scores[winners, np.arange(n_items)]
        if epoch.pushes:
            data_kernels(scores, block.squares, steepness, least, nearest)
            np.matmul(scores, block.rows, out=self._product)
            self.pushed += self._product
        elif epoch.smoothed is None:
            column_winners(scores, least, nearest)
        if epoch.smoothed is None:
            winners, distances = nearest, least
        self._add_to_winners(block, winners, distances + block.squares)

    def _add_to_winners(self, block: BatchItems, winners: Ints32, distances: Floats32) -> None:
        distances = np.maximum(distances, np.float32(0.0)) * block.weights
        self.error += float(np.sqrt(distances).sum(dtype=np.float64))
        self.squares += np.bincount(winners, block.weights * block.squares, len(self.squares))
        add_to_nodes(block.rows, winners, self.rows)
        if block.masked:
            add_to_nodes(block.rows * block.weights[:, None], winners, self.weighted)


def _pushed_by_means(sums: Floats, items: BatchItems, epoch: _Epoch) -> Floats32:
    """Repulsion of the items of every node together, each from where their mean lies."""
    known = sums[:, items.known]
    means = np.zeros_like(sums)
    means[:, : items.n_features] = sums[:, : items.n_features] / np.maximum(known, 1.0)
    means[:, items.known] = known > 0.0
    rows = means.astype(np.float32)
    seen = np.broadcast_to(rows[:, items.known], (len(rows), items.n_features)).sum(axis=1)
    steepness = np.float32(epoch.steepness) * items.n_features / np.maximum(seen, 1.0)
    squares = np.einsum("kf,kf->k", rows[:, : items.n_features], rows[:, : items.n_features])
    pushed = np.empty_like(epoch.factor)
    single = sums.astype(np.float32)

    def push(begin: int, end: int) -> None:
        g = epoch.factor[begin:end] @ rows.T
        least, nearest = np.empty(len(rows), np.float32), np.empty(len(rows), np.int32)
        data_kernels(g, squares, steepness.astype(np.float32), least, nearest)
        np.matmul(g, single, out=pushed[begin:end])

    over_blocks(len(pushed), NODES_AT_ONCE, push)
    return pushed
