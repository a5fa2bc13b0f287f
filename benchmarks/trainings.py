"""Online trainings laid out as the driver does it, so that the kernel can be called alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.kernels import layout, online
from ximstudio.kernels.lattice import Nodes
from ximstudio.model.arrays import Floats, Floats32, Ints
from ximstudio.model.matrix import Matrix
from ximstudio.train.clock import STRETCHES
from ximstudio.train.online import (
    ANNEALINGS,
    BEST_MATCHES,
    LEARNING_RULES,
    MAP_KERNELS,
    ItemOrder,
)
from ximstudio.train.space import Entered, training_space
from ximstudio.train.start import start_prototypes
from ximstudio.train.xim_family import XimParams, learning

SEED = 0


def groups(n_items: int, n_features: int, *, blanks: float = 0.0) -> Matrix:
    """Ten groups of items with some noise; a share of `blanks` is unknown."""
    rng = np.random.default_rng([SEED, n_items, n_features])
    centres = rng.normal(size=(10, n_features))
    values = centres[rng.integers(10, size=n_items)] + 0.7 * rng.normal(size=(n_items, n_features))
    values[rng.random(values.shape) < blanks] = np.nan
    return Matrix.from_array(values, source="benchmark")


@dataclass(frozen=True, kw_only=True, eq=False)
class Training:
    """All that `train_steps` takes, and the way back to the data."""

    entered: Entered
    items: online.OnlineItems
    prototypes: Floats32
    nodes: Nodes
    rule: online.OnlineRule
    order: Ints
    tallies: Floats
    work: online.OnlineScratch

    @classmethod
    def of(
        cls,
        matrix: Matrix,
        params: XimParams,
        n_steps: int,
        *,
        map_kernel: str = "cauchy",
        turn: bool | None = None,
        start: Floats | None = None,
    ) -> Training:
        """A whole training of `n_steps` steps, from the first to the last annealed value."""
        grid = params.grid
        space = training_space(matrix, steps=float(n_steps) * grid.n_nodes, turn=turn)
        if start is None:
            start = start_prototypes(matrix, grid, start=params.init, seed=SEED)
        entered = space.enter(start)
        learnt = learning(space, params, map_kernel=map_kernel)
        rule = online.OnlineRule(
            map_kernel=MAP_KERNELS[learnt.map_kernel],
            best_match=BEST_MATCHES[params.best_match],
            learning=LEARNING_RULES[learnt.rule],
            annealing=ANNEALINGS[params.annealing],
            step=params.step,
            width=params.widths,
            reach=learnt.reach,
            repulsion=learnt.repulsion,
            length_scale=learnt.length_scale,
            unit=space.unit,
        )
        presented = ItemOrder(matrix.n_items, SEED)
        blocks: list[Ints] = []
        while (drawn := sum(map(len, blocks))) < n_steps:
            blocks.append(presented.of_steps(drawn, n_steps))
        return cls(
            entered=entered,
            items=layout.lay_out_items(space.items, space.observed),
            prototypes=layout.lay_out_prototypes(entered.coordinates.T),
            nodes=layout.lay_out_nodes(grid),
            rule=rule,
            order=np.concatenate(blocks),
            tallies=np.zeros((3, min(STRETCHES, n_steps))),
            work=layout.work_space(grid),
        )

    def run(self) -> None:
        """Take all steps; prototypes go on from where they are."""
        online.train_steps(
            self.items,
            self.prototypes,
            self.nodes,
            self.rule,
            self.order,
            0,
            self.order.size,
            self.tallies,
            self.work,
        )

    def leave(self) -> Floats:
        """The prototypes in the data space, shape (M, D)."""
        trained = self.prototypes[: self.entered.coordinates.shape[1], : self.work.d_O.size]
        return self.entered.leave(trained.T.astype(np.float64))
