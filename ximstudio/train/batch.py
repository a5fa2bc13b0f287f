"""Train in epochs: all items together, or block by block (TR 26, TR 27).

An epoch moves prototypes towards the stationary condition TR 26. With f = (1−η) a − η b it is
Σ_i f_ij (x_i − w_j) = 0. Taken literally as a fixed point it divides by Σ_i f_ij (TR 27), which
need not be positive; dividing by Σ_i (1−η) a + η b instead leads to the same stationary states and
is stable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ximstudio.kernels.divergence import KL
from ximstudio.kernels.online import NONE, annealed
from ximstudio.kernels.parallel import one_thread
from ximstudio.model.arrays import Floats, Floats32, Ints, frozen
from ximstudio.model.result import Result, Resume, TrainingHistory
from ximstudio.train.anchors import pinned
from ximstudio.train.batch_items import ITEMS_AT_ONCE, BatchItems
from ximstudio.train.batch_params import BatchParams, BatchXimParams
from ximstudio.train.batch_sums import MapTable, Presentation, Sums, Workplace, force_sums
from ximstudio.train.complete import complete, history_of, refuse_divergence, refuse_other_shapes
from ximstudio.train.divergence_sums import divergence_sums
from ximstudio.train.method import Checkpoint, TrainingJob
from ximstudio.train.online import ANNEALINGS, MAP_KERNELS, Learning
from ximstudio.train.space import FASTER_PRODUCTS, TrainingSpace, training_space
from ximstudio.train.start import start_prototypes

TALLIES = 4
"""Recorded for every epoch: error, cost, number of stalled nodes, farthest move."""
ALL_ITEMS_FROM = 0.8
"""Share of the epochs after which all items take part, and all of them repel."""
SHUFFLE = 2
"""Key that separates the shuffle for a share of the items from other uses of the seed."""
NOTHING = 1e-30
"""Sums of forces up to this count as 0: h underflows far from all winners."""
ROUNDING = 1e-6
"""Differences of sums up to this share of them count as rounding, not as positive."""


def train_batch(
    job: TrainingJob, learn: Callable[[TrainingSpace], Learning]
) -> Iterator[Checkpoint]:
    """Yield a checkpoint per epoch; the bits are the same on any number of cores."""
    params: BatchParams = job.params
    matrix, grid = job.matrix, params.grid
    planned = params.planned_steps(matrix.n_items)
    work = float(planned) * matrix.n_items * grid.n_nodes
    space = training_space(matrix, steps=work / FASTER_PRODUCTS)
    start = start_prototypes(matrix, grid, start=params.init, seed=job.seed, given=job.start)
    held = pinned(matrix, params)
    entered = space.enter(held.put(start))
    epochs = Epochs(job, space, learn(space), held.nodes)
    epoch, prototypes = 0, entered.coordinates.astype(np.float32)
    tallies = np.zeros((TALLIES, planned))
    if job.resume is not None:
        refuse_other_shapes(
            (job.resume.prototypes, prototypes.T.shape),
            (job.resume.tallies, (TALLIES, min(job.resume.step, planned))),
        )
        epoch, prototypes = job.resume.step, job.resume.prototypes.T.copy()
        tallies[:, :epoch] = job.resume.tallies

    def checkpoint() -> Checkpoint:
        n_steps = epoch if epochs.rest_after(epoch, tallies) else planned

        def result(resume: Resume) -> Result:
            history = epochs.history(resume.tallies)
            return complete(job, entered=entered, resume=resume, history=history, n_steps=n_steps)

        return job.checkpoint(
            result,
            step=epoch,
            n_steps=n_steps,
            prototypes=frozen(prototypes.T.copy()),
            tallies=frozen(tallies[:, :epoch].copy()),
        )

    while epoch < planned and not epochs.rest_after(epoch, tallies):
        with one_thread():
            prototypes, tallies[:, epoch] = epochs.after(epoch, prototypes)
        epoch += 1
        last = epoch == planned or epochs.rest_after(epoch, tallies)
        if last or job.is_looked_at(epoch):
            yield checkpoint()
        if last:
            return
    yield checkpoint()


class Epochs:
    """The epochs of one training, each computed from its number and the prototypes before it."""

    def __init__(
        self, job: TrainingJob, space: TrainingSpace, learning: Learning, pinned_nodes: Ints = NONE
    ) -> None:
        self.params: BatchParams = job.params
        self.learning, self.unit, self.median = learning, space.unit, space.median
        self.seed, self.pinned = job.seed, pinned_nodes
        self.annealing = ANNEALINGS[self.params.annealing]
        self.mini = self.params.algorithm == "mini-batch"
        self.items = BatchItems.of(space.items, space.observed, learning.reaches)
        n_items = len(self.items)
        self.first_share = 1.0 if self.mini else self.params.first_share_of(n_items)
        self.repelling_share = 1.0
        if isinstance(self.params, BatchXimParams):
            self.repelling_share = self.params.repelling_share_of(n_items)
        if min(self.first_share, self.repelling_share) < 1.0:
            rng = np.random.default_rng([self.seed, 0, SHUFFLE])
            self.items = self.items.some(rng.permutation(n_items))
        self.relaxation = self.params.relaxation_of(n_items)
        self.rule = RULES[getattr(self.params, "fixed_point", "damped")]
        # The gradient's factor 1/γ² is the same in numerator and denominator.
        self.repulsion = 0.5 if learning.rule == "gradient" else learning.repulsion
        self.place = Workplace(self.params.grid.n_nodes, self.items, repels=learning.repels)
        self.table = MapTable(
            self.params.grid,
            kernel=MAP_KERNELS[learning.map_kernel],
            length_scale=learning.length_scale,
            logarithms=learning.force != KL,
        )

    def after(self, epoch: int, prototypes: Floats32) -> tuple[Floats32, Floats]:
        """Return the prototypes after an epoch, and its tallies."""
        repels, match = self.learning.repels, self.params.best_match
        how = Presentation(
            best_match=match,
            reach=self._annealed(self.learning.reach, epoch),
            fraction=self._fraction(epoch),
            repels=repels,
            by_means=getattr(self.params, "repelled_by", "items") == "means",
            turn=epoch,
            force=self.learning.force,
            gradient=self.learning.rule == "gradient",
        )
        own = repels or match == "divergence"
        self.table.set_width(self._annealed(self.params.widths, epoch), own=own)
        before, tally, n_presented = prototypes, np.zeros(TALLIES), 0
        for items in self.presented(epoch):
            turns = self._turns(epoch, len(items))
            sums = self._sums(items, prototypes, replace(how, turns=turns))
            prototypes, n_stalled = self.rule(
                items, prototypes, sums, repulsion=self.repulsion, relaxation=self.relaxation
            )
            prototypes[self.pinned] = before[self.pinned]
            tally[:2] += len(items) * np.array([sums.error, sums.cost])
            tally[2] = max(tally[2], n_stalled)
            n_presented += len(items)
        tally[:2] /= n_presented
        tally[3] = np.sqrt(((prototypes - before) ** 2).sum(axis=1).max())
        refuse_divergence(
            prototypes,
            where=f"epoch {epoch + 1}",
            way_out="Use the damped rule, or a smaller relaxation.",
        )
        return prototypes, tally

    def _sums(self, items: BatchItems, prototypes: Floats32, how: Presentation) -> Sums:
        if how.force != KL:
            return divergence_sums(items, prototypes, table=self.table, how=how)
        return force_sums(items, prototypes, table=self.table, how=how, place=self.place)

    def presented(self, epoch: int) -> Iterator[BatchItems]:
        """Yield the items of an epoch: all, a rising share of them, or all in random blocks."""
        n_items = len(self.items)
        if not self.mini:
            yield self.items.some(slice(0, max(1, round(self._share(epoch) * n_items))))
            return
        order = np.random.default_rng([self.seed, epoch]).permutation(n_items)
        n_blocks = -(-n_items // self.params.block_items)
        for block in np.array_split(order, n_blocks):
            yield self.items.some(block)

    def rest_after(self, epoch: int, tallies: Floats) -> bool:
        """Return whether annealing has ended, and nothing moved in the last epoch."""
        if epoch == 0 or self.params.tolerance == 0.0 or self._share(epoch - 1) < 1.0:
            return False
        widths = [self._annealed(self.params.widths, t) for t in (epoch - 1, epoch)]
        reaches = [self._reach(t) for t in (epoch - 1, epoch)]
        over = widths[0] == widths[1] and reaches[0] == reaches[1]
        return bool(over and tallies[3, epoch - 1] <= self.params.tolerance * self.median)

    def history(self, tallies: Floats) -> TrainingHistory:
        """History of training, one entry per epoch."""
        errors, costs, stalled, _ = tallies
        epochs = range(tallies.shape[1])
        nothing = np.full(len(epochs), np.nan)
        repels = self.learning.repels
        counts = getattr(self.params, "fixed_point", "damped") == "literal"
        return history_of(
            np.arange(1, len(epochs) + 1),
            width=np.array([self._annealed(self.params.widths, t) for t in epochs]),
            reach=np.array([self._reach(t) for t in epochs]) * self.unit if repels else nothing,
            quantisation_error=errors * self.unit,
            # A divergence has no unit; the energy of a map without repulsion is a squared distance.
            cost=costs.copy() if repels else costs * self.unit**2,
            stalled=stalled.copy() if counts else nothing,
        )

    def _fraction(self, epoch: int) -> float:
        """Progress of the annealing: 0 in the first epoch, 1 from the last before settling on."""
        return min(1.0, epoch / max(self.params.n_epochs - 1, 1))

    def _reach(self, epoch: int) -> float:
        """γ in training units; the mean of all items where each has its own."""
        reaches, fraction = self.learning.reaches, self._fraction(epoch)
        if reaches is None:
            return self._annealed(self.learning.reach, epoch)
        points = np.linspace(0.0, 1.0, reaches.shape[1])
        return float(np.interp(fraction, points, reaches.mean(axis=0, dtype=np.float64)))

    def _share(self, epoch: int) -> float:
        """Share of items that an epoch presents."""
        return float(min(1.0, self.first_share ** (1.0 - self._towards_all(epoch))))

    def _turns(self, epoch: int, n_presented: int) -> int:
        """Number of turns in which items repel in an epoch, at least a block at a time."""
        if self._towards_all(epoch) >= 1.0:
            return 1
        n_repelling = max(self.repelling_share * len(self.items), ITEMS_AT_ONCE)
        return max(1, int(n_presented / n_repelling))

    def _towards_all(self, epoch: int) -> float:
        """Progress towards the epoch from which all items take part and repel; 1 there."""
        done = self._fraction(epoch) if self.params.n_epochs > 1 else 1.0
        return done / ALL_ITEMS_FROM

    def _annealed(self, pair: tuple[float, float], epoch: int) -> float:
        return float(annealed(self.annealing, pair, self._fraction(epoch)))


class Moved(NamedTuple):
    """Prototypes after an epoch (M, D), and the number of those that had to stay."""

    prototypes: Floats32
    n_stalled: int


def damped(
    items: BatchItems, prototypes: Floats32, sums: Sums, *, repulsion: float, relaxation: float
) -> Moved:
    """w_j + λ Σ_i f_ij (x_i − w_j) / Σ_i ((1−η) a_ij + η b_ij); prototypes without force stay."""
    pulled, pushed = _weighted(sums, repulsion)
    force, total = pulled - pushed, (pulled + pushed)[:, items.known]
    w = prototypes.astype(np.float64)
    step = force[:, : items.n_features] - force[:, items.known] * w
    some = np.broadcast_to(total > NOTHING, w.shape)
    step = np.divide(step, total, out=np.zeros_like(w), where=some)
    return Moved((w + relaxation * step).astype(np.float32), 0)


def literal(
    items: BatchItems, prototypes: Floats32, sums: Sums, *, repulsion: float, relaxation: float
) -> Moved:
    """w_j = Σ_i f_ij x_i / Σ_i f_ij (TR 27), or a share λ of the way there.

    Prototypes whose Σ_i f_ij is not positive stay, and are counted.
    """
    pulled, pushed = _weighted(sums, repulsion)
    force, total = pulled - pushed, (pulled + pushed)[:, items.known]
    w = prototypes.astype(np.float64)
    weight = force[:, items.known]
    positive = (weight > ROUNDING * total) & (total > NOTHING)
    goal = np.divide(
        force[:, : items.n_features],
        weight,
        out=w.copy(),
        where=np.broadcast_to(positive, w.shape),
    )
    return Moved(
        (w + relaxation * (goal - w)).astype(np.float32), int((~positive).any(axis=1).sum())
    )


RULES = {"damped": damped, "literal": literal}


def _weighted(sums: Sums, repulsion: float) -> tuple[Floats, Floats]:
    return (
        (1.0 - repulsion) * sums.pulled.astype(np.float64),
        repulsion * sums.pushed.astype(np.float64),
    )
