"""Sums of attraction and repulsion per node for any divergence, over all pairs of item and node.

Where attraction depends on the distance, it cannot be computed through the nodes: both parts are
computed for all pairs, and each takes a product N·M·D.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.kernels import batch_divergence as kernels
from ximstudio.kernels.divergence import ITS_SUM, JENSEN_SHANNON, Force
from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Floats32, Ints
from ximstudio.train.batch_items import BatchItems, blocks_of, parts_of
from ximstudio.train.batch_sums import MapTable, Presentation, Sums

COSTS = 512
"""Number of items for the cost, which in double precision is slower than training."""


def divergence_sums(
    items: BatchItems, prototypes: Floats32, *, table: MapTable, how: Presentation
) -> Sums:
    """Sum the effect of all items on the prototypes (M, D), for `how.force`."""
    epoch = _Epoch.of(items, prototypes, table, how)
    parts = [_Part(epoch.factor.shape) for _ in range(parts_of(len(items), epoch.factor.size))]

    def add_up(begin: int, end: int) -> None:
        for number in range(begin, end):
            for _, block in blocks_of(items, number, len(parts)):
                parts[number].add(block, epoch)

    over_blocks(len(parts), 1, add_up)
    n_costs = sum(part.n_costs for part in parts)
    return Sums(
        pulled=np.sum([part.pulled for part in parts], axis=0),
        pushed=np.sum([part.pushed for part in parts], axis=0),
        error=sum(part.error for part in parts) / len(items),
        cost=sum(part.cost for part in parts) / n_costs,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Epoch:
    """Values shared by the blocks of an epoch; `smoothed` only for Heskes' best match (TR 6)."""

    how: Presentation
    force: Force
    factor: Floats32
    log_h: Floats32
    smoothed: Floats32 | None
    totals: Floats32
    scale: Floats32
    powers: Floats32
    own: Floats32
    cost_every: int

    @classmethod
    def of(
        cls, items: BatchItems, prototypes: Floats32, table: MapTable, how: Presentation
    ) -> _Epoch:
        assert table.log_h is not None
        force, n_nodes = how.force, len(prototypes)
        factor, totals = items.measuring(prototypes), table.h.sum(axis=1)
        matches = how.best_match == "divergence" and force.family != JENSEN_SHANNON
        powers = np.empty((n_nodes, n_nodes) if matches else (0, 0), dtype=np.float32)
        own = np.zeros(n_nodes, dtype=np.float32)
        if matches:
            kernels.powers(force.p, table.log_h, powers)
            kernels.own_sums(force, table.log_h, np.empty_like(own), own)
        # Shares of 1 among all nodes: a sums up to what h does, as in Kullback and Leibler's.
        shares = force.divisor == ITS_SUM and not how.gradient
        return cls(
            how=how,
            force=force,
            factor=factor,
            log_h=table.log_h,
            smoothed=table.spread(factor) if how.best_match == "heskes" else None,
            totals=totals,
            scale=totals if shares else np.ones_like(totals),
            powers=powers,
            own=own,
            cost_every=max(1, len(items) // COSTS),
        )

    def winners(self, block: BatchItems, scores: Floats32, log_g: Floats32) -> Ints:
        """Best match of every item, by `scores`, d_E − |x|², or by ln g."""
        winners = np.empty(len(block), dtype=np.int64)
        if self.smoothed is not None:
            smoothed = block.rows @ self.smoothed.T
            smoothed += np.multiply.outer(block.squares, self.totals)
            kernels.row_winners(smoothed, winners)
        elif self.how.best_match == "distance":
            kernels.row_winners(scores, winners)
        elif self.force.family == JENSEN_SHANNON:
            kernels.jensen_shannon_winners(self.log_h, log_g, np.empty_like(self.own), winners)
        else:
            u, of_data = np.empty_like(log_g), np.empty(len(block), dtype=np.float32)
            kernels.cross_rows(self.force, log_g, u, of_data)
            kernels.divergence_winners(self.force, self.own, of_data, u @ self.powers.T, winners)
        return winners


class _Part:
    """Sums over some of the items."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.pulled = np.zeros(shape, dtype=np.float32)
        self.pushed = np.zeros(shape, dtype=np.float32)
        self.error, self.cost, self.n_costs = 0.0, 0.0, 0

    def add(self, block: BatchItems, epoch: _Epoch) -> None:
        """Add a block of items."""
        scores = block.rows @ epoch.factor.T
        log_g = scores.copy()
        steepness = block.steepness(epoch.how.reach, epoch.how.fraction)
        kernels.log_data_kernels(log_g, block.squares, steepness)
        winners = epoch.winners(block, scores, log_g)
        distances = scores[np.arange(len(block)), winners] + block.squares
        self.error += float(np.sqrt(np.maximum(distances, 0.0) * block.weights).sum())
        values = np.empty(-(-len(block) // epoch.cost_every))
        kernels.divergence_values(
            epoch.force, epoch.log_h, winners, log_g, epoch.cost_every, values
        )
        self.cost += float(values.sum())
        self.n_costs += len(values)
        a, b = scores, np.empty_like(scores)
        kernels.force_parts(epoch.force, epoch.log_h, winners, epoch.scale, log_g, a, b)
        self.pulled += a.T @ block.rows
        self.pushed += b.T @ block.rows
