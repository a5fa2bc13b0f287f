"""Sums of attraction and repulsion per node over the items of an epoch.

Attraction goes through the nodes: items are added up per winner (N·D), and one product with h
between all nodes (M²·D) spreads the sums. Only repulsion needs every pair of node and item: two
products N·M·D by blocks, with g computed in place between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.batch import (
    add_errors,
    add_to_nodes,
    column_winners,
    data_kernels,
    map_kernels,
    own_terms,
    smoothed_winners,
)
from ximstudio.kernels.divergence import KL, Force
from ximstudio.kernels.lattice import LOGARITHM
from ximstudio.kernels.layout import aligned
from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Floats, Floats32
from ximstudio.model.grid import Grid
from ximstudio.train.batch_items import ITEMS_AT_ONCE, BatchItems, blocks_of, parts_of

NODES_AT_ONCE = 128


class MapTable:
    """h between all nodes of a map, for one width at a time."""

    def __init__(
        self, grid: Grid, *, kernel: int, length_scale: float, logarithms: bool = False
    ) -> None:
        n_nodes = grid.n_nodes
        self.kernel, self.length_scale = kernel, length_scale
        self.apart = np.empty((n_nodes, n_nodes), dtype=np.float32)
        self.h = np.empty((n_nodes, n_nodes), dtype=np.float32)
        self.log_h = np.empty_like(self.h) if logarithms else None
        self.own = np.empty(n_nodes)
        every = np.arange(n_nodes)

        def measure(begin: int, end: int) -> None:
            self.apart[begin:end] = grid.squared_distances(every[begin:end], every)

        over_blocks(n_nodes, NODES_AT_ONCE, measure)

    def set_width(self, sigma: float, *, own: bool) -> None:
        """Fill `h` for a width and, if asked for, `own`: Σ_j (h ln h − h) of every node."""

        def fill(begin: int, end: int) -> None:
            h, apart = self.h[begin:end], self.apart[begin:end]
            map_kernels(self.kernel, sigma, self.length_scale, apart, h)
            if self.log_h is not None:
                log_h, code = self.log_h[begin:end], self.kernel + LOGARITHM
                map_kernels(code, sigma, self.length_scale, apart, log_h)
            if own:
                own_terms(h, self.own[begin:end])

        over_blocks(len(self.h), NODES_AT_ONCE, fill)

    def spread(self, sums: Floats | Floats32) -> Floats32:
        """Return h · sums, for sums per node."""
        single = sums.astype(np.float32)
        out = np.empty_like(single)

        def multiply(begin: int, end: int) -> None:
            np.matmul(self.h[begin:end], single, out=out[begin:end])

        over_blocks(len(out), NODES_AT_ONCE, multiply)
        return out


@dataclass(frozen=True, kw_only=True)
class Presentation:
    """Settings of one epoch.

    Parameters
    ----------
    best_match
        One of 'distance', 'heskes' and 'divergence'.
    reach, fraction
        γ in training units where all items share it, and the progress of training, for items with
        their own.
    repels
        Whether there is repulsion at all.
    by_means
        Whether the items of a node repel together, from their mean.
    turns, turn
        Number of turns in which the items repel, block by block, and the present turn: the items of
        a turn repel for all.
    force, gradient
        The divergence whose parts a and b are, and whether they follow its gradient (TR 17).
    """

    best_match: str
    reach: float
    fraction: float
    repels: bool
    by_means: bool = False
    turns: int = 1
    turn: int = 0
    force: Force = KL
    gradient: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Sums:
    """Σ_i a_ij (x | known | 1)_i and the same of b, shape (M, columns); mean error and cost.

    a attracts and b repels: h and g for the Kullback–Leibler divergence. Without repulsion `pushed`
    is 0; where items take turns, it is scaled from the items of the present turn to all. The cost
    is the divergence (TR 9), without repulsion the energy ½ Σ_j h_j d_E.
    """

    pulled: Floats32
    pushed: Floats32
    error: float
    cost: float


def force_sums(
    items: BatchItems,
    prototypes: Floats32,
    *,
    table: MapTable,
    how: Presentation,
    place: Workplace,
) -> Sums:
    """Sum the effect of all items on the prototypes (M, D)."""
    epoch = _Epoch.of(items, prototypes, table, how)
    parts = place.parts(parts_of(len(items), epoch.factor.size))

    def add_up(begin: int, end: int) -> None:
        with place.room() as room:
            for part in range(begin, end):
                for number, block in blocks_of(items, part, len(parts)):
                    pushes = epoch.pushes and (number - how.turn) % how.turns == 0
                    parts[part].add(block, epoch, room, pushes=pushes)

    over_blocks(len(parts), 1, add_up)
    first, *others = parts
    for part in others:
        first.include(part)
    rows = first.rows
    pulled = table.spread(rows)
    if not how.repels:
        pushed = np.zeros_like(pulled)
    elif how.by_means:
        pushed = _pushed_by_means(rows, items, epoch)
    else:
        pushed = np.float32(len(items) / first.n_pushing) * first.pushed
    # Σ_i c_i Σ_j h_*(i)j d_E from the sums alone, c_i being ½ or 1/2γ², scaled to all features.
    spread = table.spread(first.weighted) if items.uneven else epoch.cost_factor * pulled
    cost = float(epoch.totals.astype(np.float64) @ first.squares)
    cost += float(np.einsum("jc,jc->", epoch.factor, spread, dtype=np.float64))
    if how.repels:
        cost += float(rows[:, items.ones] @ table.own)
        cost += float(pushed[:, items.ones].sum(dtype=np.float64))
    return Sums(
        pulled=pulled, pushed=pushed, error=first.error / len(items), cost=cost / len(items)
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Epoch:
    """Values shared by the blocks of an epoch.

    `factor` times rows is d_E − |x|²; `smoothed` does the same for Σ_j h_kj d_E, because distances
    are linear in (w, w²), so that TR 6 and TR 10 cost one product like TR 2. None for TR 2.
    `cost_factor` multiplies d_E in the cost of an item without missing values.
    """

    how: Presentation
    factor: Floats32
    cost_factor: np.float32
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
        alike = items.some(slice(0, 1)).steepness(how.reach, how.fraction)
        return cls(
            how=how,
            factor=factor,
            cost_factor=alike[0] if how.repels else np.float32(0.5),
            pushes=how.repels and not how.by_means,
            smoothed=table.spread(factor) if smooths else None,
            totals=table.h.sum(axis=1),
            own=own.astype(np.float32),
        )


class Workplace:
    """Reusable memory for the sums of an epoch: allocating costs more than summing."""

    def __init__(self, n_nodes: int, items: BatchItems, *, repels: bool) -> None:
        self._sizes = (n_nodes, items.rows.shape[1])
        self._uneven, self._repels = items.uneven, repels
        self._parts: list[_Part] = []
        self._rooms: list[_Room] = []

    def parts(self, n_parts: int) -> list[_Part]:
        """Return this many parts, all sums 0."""
        while len(self._parts) < n_parts:
            self._parts.append(_Part(*self._sizes, uneven=self._uneven, repels=self._repels))
        for part in self._parts[:n_parts]:
            part.clear()
        return self._parts[:n_parts]

    @contextmanager
    def room(self) -> Iterator[_Room]:
        """Provide scratch memory for one block of items and one thread."""
        room = self._rooms.pop() if self._rooms else _Room(*self._sizes)
        yield room
        self._rooms.append(room)


class _Room:
    """Scratch arrays for one block of items."""

    def __init__(self, n_nodes: int, columns: int) -> None:
        self._n_nodes = n_nodes
        self._scores = aligned(2, n_nodes * ITEMS_AT_ONCE)
        self.product = aligned(n_nodes, columns)
        self.least = aligned(ITEMS_AT_ONCE)
        self.winners = aligned(2, ITEMS_AT_ONCE).view(np.int32)

    def scores(self, which: int, n_items: int) -> Floats32:
        """One of two tables of nodes × items."""
        return self._scores[which, : self._n_nodes * n_items].reshape(self._n_nodes, n_items)


class _Part:
    """Sums over some of the items."""

    def __init__(self, n_nodes: int, columns: int, *, uneven: bool, repels: bool) -> None:
        self.rows = np.empty((n_nodes, columns))
        self.weighted = np.empty((n_nodes if uneven else 0, columns))
        self.pushed = np.empty((n_nodes if repels else 0, columns), dtype=np.float32)
        self.squares = np.empty(n_nodes)
        self.error, self.n_pushing = 0.0, 0

    def clear(self) -> None:
        """Set all sums to 0."""
        for sums in (self.rows, self.weighted, self.pushed, self.squares):
            sums[:] = 0.0
        self.error, self.n_pushing = 0.0, 0

    def add(self, block: BatchItems, epoch: _Epoch, room: _Room, *, pushes: bool) -> None:
        """Add a block of items, which repel only if it `pushes`."""
        n_items = len(block)
        scores = room.scores(0, n_items)
        least, (winners, nearest) = room.least[:n_items], room.winners[:, :n_items]
        np.matmul(epoch.factor, block.rows.T, out=scores)
        steepness = block.steepness(epoch.how.reach, epoch.how.fraction)
        if epoch.smoothed is not None:
            smoothed = room.scores(1, n_items)
            np.matmul(epoch.smoothed, block.rows.T, out=smoothed)
            smoothed_winners(
                smoothed, epoch.totals, epoch.own, block.squares, steepness, least, winners
            )
            distances = scores[winners, np.arange(n_items)]
        if pushes:
            data_kernels(scores, block.squares, steepness, least, nearest)
            np.matmul(scores, block.rows, out=room.product)
            self.pushed += room.product
            self.n_pushing += n_items
        elif epoch.smoothed is None:
            column_winners(scores, least, nearest)
        if epoch.smoothed is None:
            winners, distances = nearest, least
        factors = steepness if epoch.how.repels else np.float32(0.5) * block.weights
        self.error += add_errors(
            distances, block.squares, block.weights, factors, winners, self.squares
        )
        add_to_nodes(block.rows, winners, self.rows)
        if block.uneven:
            add_to_nodes(block.rows * factors[:, None], winners, self.weighted)

    def include(self, other: _Part) -> None:
        """Add the sums over other items."""
        self.rows += other.rows
        self.weighted += other.weighted
        self.pushed += other.pushed
        self.squares += other.squares
        self.error += other.error
        self.n_pushing += other.n_pushing


def _pushed_by_means(sums: Floats, items: BatchItems, epoch: _Epoch) -> Floats32:
    """Repulsion of the items of every node together, from their mean."""
    known = sums[:, items.known]
    means = np.zeros_like(sums)
    means[:, : items.n_features] = sums[:, : items.n_features] / np.maximum(known, 1.0)
    means[:, items.known] = known > 0.0
    rows = means.astype(np.float32)
    seen = np.broadcast_to(rows[:, items.known], (len(rows), items.n_features)).sum(axis=1)
    steepness = epoch.cost_factor * items.n_features / np.maximum(seen, 1.0)
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
