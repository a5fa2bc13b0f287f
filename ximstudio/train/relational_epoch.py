"""One epoch on dissimilarities: compute distances, winners and forces, and move the prototypes.

Letters as in the report: x_i item, w_j prototype, d squared data distance, h and g the kernels in
map and data, f the force; Δ are the squared dissimilarities of the items, α the coefficients of
w_j = Σ_i α_ji x_i. All products are taken by fixed blocks of items, so that bits do not depend on
the number of cores.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Floats, Floats32, Ints

ITEMS_AT_ONCE = 128
NO_PULL = 1e-30
"""Nodes with a smaller total force than this (h underflows) stay where they are."""
SHORTEST = 1e-15
"""Shortest reach in training units, whose square does not underflow in single precision."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Moment:
    """Settings of one epoch, in training units.

    Parameters
    ----------
    h
        Map kernel between all nodes, shape (M, M).
    own
        Σ_j (h_kj ln h_kj − h_kj) of every node k (TR 10), shape (M,).
    reach
        γ, or None for a method without.
    attraction, repulsion
        Weights of h and g in the force, 1 − η and η (TR 24).
    match
        Rule for the winner: "distance" (TR 2), "heskes" (TR 6) or "divergence" (TR 10).
    relaxation
        λ.
    """

    h: Floats32
    own: Floats
    reach: float | None
    attraction: float
    repulsion: float
    match: str
    relaxation: float

    @property
    def repels(self) -> bool:
        return self.repulsion > 0.0

    @property
    def twice_square(self) -> float:
        """2γ²."""
        assert self.reach is not None
        return 2.0 * max(self.reach, SHORTEST) ** 2

    def winners(self, d: Floats32) -> Ints:
        """Best match of items whose distances to all prototypes are the rows of d."""
        if self.match == "distance":
            return np.asarray(d.argmin(axis=1))
        scores = d @ self.h
        if self.match == "divergence":
            # 2γ² times the divergence, without what all nodes share.
            scores += (self.twice_square * self.own).astype(np.float32)
        return np.asarray(scores.argmin(axis=1))


class Mixtures:
    """Relational prototypes: any mixtures of items; `coefficients` are αᵀ, shape (N, M)."""

    def __init__(self, table: Floats32, coefficients: Floats32) -> None:
        self.table = table
        self.coefficients = coefficients.copy()

    def measure(self, d: Floats32) -> None:
        """Write the distances of all items to all prototypes into d, shape (N, M).

        d_ij = (Δ α_j)_i − ½ α_jᵀ Δ α_j.
        """
        alpha = self.coefficients
        parts = np.zeros((n_blocks(len(d)), d.shape[1]))

        def multiply(begin: int, end: int) -> None:
            np.matmul(self.table[begin:end], alpha, out=d[begin:end])
            parts[begin // ITEMS_AT_ONCE] = (alpha[begin:end] * d[begin:end]).sum(
                axis=0, dtype=np.float64
            )

        over_blocks(len(d), ITEMS_AT_ONCE, multiply)
        offsets = (0.5 * parts.sum(axis=0)).astype(np.float32)

        def lower(begin: int, end: int) -> None:
            d[begin:end] -= offsets

        over_blocks(len(d), ITEMS_AT_ONCE, lower)

    def move(self, forces: Floats32, total: Floats, weight: Floats, relaxation: float) -> None:
        """Move by the forces f (N, M), given with their signed and unsigned sums over the items.

        α_j ← α_j + λ Σ_i f_ij (e_i − α_j) / Σ_i (a_ij + b_ij).
        """
        alpha = self.coefficients
        share = np.divide(relaxation, weight, out=np.zeros(len(weight)), where=weight > NO_PULL)
        kept, gained = (1.0 - share * total).astype(np.float32), share.astype(np.float32)
        parts = np.zeros((n_blocks(len(alpha)), alpha.shape[1]))

        def move(begin: int, end: int) -> None:
            alpha[begin:end] *= kept
            alpha[begin:end] += forces[begin:end] * gained
            parts[begin // ITEMS_AT_ONCE] = alpha[begin:end].sum(axis=0, dtype=np.float64)

        over_blocks(len(alpha), ITEMS_AT_ONCE, move)
        # Their sum is 1; rounding errors would grow where a node is repelled.
        alpha *= (1.0 / parts.sum(axis=0)).astype(np.float32)


class Medians:
    """Median prototypes: each is one of the items (TR section 6)."""

    def __init__(self, table: Floats32, coefficients: Floats32) -> None:
        """Start with the items nearest to the given mixtures; those that are items already stay."""
        self.table = table
        apart = np.empty_like(coefficients)
        Mixtures(table, coefficients).measure(apart)
        self.items: Ints = np.asarray(apart.argmin(axis=0))

    @property
    def coefficients(self) -> Floats32:
        alpha = np.zeros((len(self.table), len(self.items)), dtype=np.float32)
        alpha[self.items, np.arange(len(self.items))] = 1.0
        return alpha

    def measure(self, d: Floats32) -> None:
        """d_ij = Δ(i, m_j)."""

        def gather(begin: int, end: int) -> None:
            d[begin:end] = self.table[begin:end][:, self.items]

        over_blocks(len(d), ITEMS_AT_ONCE, gather)

    def move(
        self,
        forces: Floats32,
        total: Floats,  # noqa: ARG002
        weight: Floats,
        relaxation: float,  # noqa: ARG002
    ) -> None:
        """m_j ← the item m that minimises Σ_i f_ij Δ(i, m)."""
        sums = np.empty_like(forces)

        def multiply(begin: int, end: int) -> None:
            np.matmul(self.table[begin:end], forces, out=sums[begin:end])

        over_blocks(len(forces), ITEMS_AT_ONCE, multiply)
        self.items = np.where(weight > NO_PULL, sums.argmin(axis=0), self.items)


def epoch(prototypes: Mixtures | Medians, moment: Moment, room: Floats32) -> tuple[float, float]:
    """Move the prototypes once by all items together; `room` (N, M) is overwritten.

    Returns means over the items before anything moved: quantisation error and cost.
    """
    n_items, n_nodes = room.shape
    prototypes.measure(room)
    n = n_blocks(n_items)
    totals, weights = np.zeros((2, n, n_nodes))
    errors, costs = np.zeros((2, n))

    def act(begin: int, end: int) -> None:
        block, d = begin // ITEMS_AT_ONCE, room[begin:end]
        winners = moment.winners(d)
        nearest = d[np.arange(len(d)), winners]
        errors[block] = np.sqrt(np.maximum(nearest, 0.0), dtype=np.float64).sum()
        attracting = moment.h[winners]
        pull = np.einsum("ij,ij->i", attracting, d, dtype=np.float64)
        attracting *= np.float32(moment.attraction)
        if not moment.repels:
            costs[block] = 0.5 * pull.sum()
            forces = weight = attracting
        else:
            # If no Euclidean space holds the table, d may be below 0; g is at most 1.
            repelling = np.exp(np.maximum(d, 0.0) * np.float32(-1.0 / moment.twice_square))
            near = repelling.sum(axis=1, dtype=np.float64)
            costs[block] = (moment.own[winners] + pull / moment.twice_square + near).sum()
            repelling *= np.float32(moment.repulsion)
            forces, weight = attracting - repelling, attracting + repelling
        totals[block] = forces.sum(axis=0, dtype=np.float64)
        weights[block] = weight.sum(axis=0, dtype=np.float64)
        room[begin:end] = forces

    over_blocks(n_items, ITEMS_AT_ONCE, act)
    prototypes.move(room, totals.sum(axis=0), weights.sum(axis=0), moment.relaxation)
    return float(errors.sum()) / n_items, float(costs.sum()) / n_items


def n_blocks(n_items: int) -> int:
    """Number of blocks that the items are split into."""
    return -(-n_items // ITEMS_AT_ONCE)
