"""Batch self-organizing map: every epoch each prototype becomes a weighted mean of all items.

w_j = Σ_i h_{*(i),j} x_i / Σ_i h_{*(i),j}: the stationary state of TR 4 where nothing repels. The
sums go through the nodes: items are added up per winner (N·D), then one product with h (M²·D).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.batch import add_to_nodes, column_winners
from ximstudio.kernels.online import annealed
from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Floats, Floats32, Ints, frozen
from ximstudio.model.result import History, Result, Resume
from ximstudio.train.anchors import pinned
from ximstudio.train.complete import complete
from ximstudio.train.method import Checkpoint, Job
from ximstudio.train.online import ANNEALINGS
from ximstudio.train.space import FASTER_PRODUCTS, training_space
from ximstudio.train.start import start_prototypes

ITEMS_AT_ONCE = 512
PARTS = 8
"""Items are summed in this many parts, whatever the number of cores, so that bits repeat."""


@dataclass(frozen=True, kw_only=True, eq=False)
class NodeSums:
    """What the items say to their winners: shape (M, D), (M, D) or (M, 1), and (M,)."""

    values: Floats
    observed: Floats
    squares: Floats
    error: float


class BatchItems:
    """Items laid out for matrix products, with what is needed of them every epoch."""

    def __init__(self, values: Floats, observed: Floats | None) -> None:
        self.values = np.ascontiguousarray(values, dtype=np.float32)
        self.observed = None if observed is None else observed.astype(np.float32)
        self.squares = (values**2).sum(axis=1)
        self.weights = np.ones(len(values))
        if observed is not None:
            self.weights = values.shape[1] / observed.sum(axis=1)

    def distances(self, prototypes: Floats32, begin: int, end: int) -> Floats32:
        """d_E of all prototypes to some items, shape (M, items), on the observed features."""
        distances: Floats32 = prototypes @ (np.float32(-2.0) * self.values[begin:end].T)
        if self.observed is None:
            distances += (prototypes**2).sum(axis=1)[:, None]
        else:
            distances += (prototypes**2) @ self.observed[begin:end].T
        distances += self.squares[begin:end].astype(np.float32)
        return np.maximum(distances, np.float32(0.0), out=distances)

    def sums(self, prototypes: Floats32, smoothing: Floats32 | None) -> NodeSums:
        """Items added up per winner; with `smoothing` h the winner is Heskes' (TR 6)."""
        n_items, n_features = self.values.shape
        n_nodes = len(prototypes)
        parts = [
            (
                np.zeros((n_nodes, n_features)),
                np.zeros((n_nodes, 1 if self.observed is None else n_features)),
                np.zeros((n_nodes, 1)),
                np.zeros(1),
            )
            for _ in range(PARTS)
        ]
        cuts = np.linspace(0, n_items, PARTS + 1).astype(int)

        def add_up(number: int, _: int) -> None:
            values, observed, squares, error = parts[number]
            least = np.empty(ITEMS_AT_ONCE, dtype=np.float32)
            winners = np.empty(ITEMS_AT_ONCE, dtype=np.int64)
            for begin in range(cuts[number], cuts[number + 1], ITEMS_AT_ONCE):
                end = min(begin + ITEMS_AT_ONCE, cuts[number + 1])
                n = end - begin
                distances = self.distances(prototypes, begin, end)
                scores = distances if smoothing is None else smoothing @ distances
                column_winners(scores, least[:n], winners[:n])
                nearest = distances[winners[:n], np.arange(n)]
                error[0] += np.sqrt(nearest * self.weights[begin:end]).sum()
                self._add(begin, end, winners[:n], values, observed, squares)

        over_blocks(PARTS, 1, add_up)
        values, observed, squares, error = (sum(column) for column in zip(*parts, strict=True))
        return NodeSums(
            values=values, observed=observed, squares=squares[:, 0], error=error[0] / n_items
        )

    def _add(
        self, begin: int, end: int, winners: Ints, values: Floats, observed: Floats, squares: Floats
    ) -> None:
        ones = np.ones((end - begin, 1), dtype=np.float32)
        add_to_nodes(self.values[begin:end], winners, values)
        add_to_nodes(ones if self.observed is None else self.observed[begin:end], winners, observed)
        add_to_nodes(self.squares[begin:end, None].astype(np.float32), winners, squares)


def train_batch(job: Job) -> Iterator[Checkpoint]:
    """Checkpoints of a batch SOM, one per epoch."""
    params = job.params
    grid, n_epochs = params.grid, params.n_epochs
    work = float(n_epochs) * job.matrix.n_items * grid.n_nodes
    space = training_space(job.matrix, steps=work / FASTER_PRODUCTS)
    start = start_prototypes(job.matrix, grid, start=params.init, seed=job.seed, given=job.start)
    held = pinned(job.matrix, params)
    entered = space.enter(held.put(start))
    items = BatchItems(space.items, space.observed)
    epoch, prototypes = 0, entered.coordinates.astype(np.float32)
    tallies = np.zeros((3, n_epochs))
    if job.resume is not None:
        epoch, prototypes = job.resume.step, job.resume.prototypes.T.copy()
        tallies = job.resume.tallies.copy()
    annealing = ANNEALINGS[params.annealing]
    every = np.arange(grid.n_nodes)
    apart = grid.squared_distances(every, every)

    def checkpoint() -> Checkpoint:
        resume = Resume(
            step=epoch,
            origin=job.origin,
            prototypes=frozen(prototypes.T.copy()),
            tallies=frozen(tallies.copy()),
        )

        def result() -> Result:
            history = _history(resume, params.widths, annealing, space.unit)
            return complete(job, entered=entered, resume=resume, history=history, n_steps=n_epochs)

        return Checkpoint(step=epoch, n_steps=n_epochs, result=result)

    if epoch >= n_epochs:
        yield checkpoint()
    while epoch < n_epochs:
        sigma = annealed(annealing, params.widths, epoch / max(n_epochs - 1, 1))
        h = np.exp(apart / (-2.0 * sigma**2))
        heskes = params.best_match == "heskes"
        sums = items.sums(prototypes, h.astype(np.float32) if heskes else None)
        pulled, weight = h @ sums.values, h @ sums.observed
        w = prototypes.astype(np.float64)
        # ½ Σ_i Σ_j h_{*(i),j} |x_i − w_j|², from the sums alone.
        energy = (h @ sums.squares).sum() - 2.0 * (w * pulled).sum() + (w**2 * weight).sum()
        tallies[:, epoch] = sums.error, 0.5 * energy / job.matrix.n_items, 1.0
        # A node no item pulls at (h underflows) stays where it is.
        w = np.divide(pulled, weight, out=w, where=weight > 1e-30)
        w[held.nodes] = prototypes[held.nodes]
        prototypes = w.astype(np.float32)
        epoch += 1
        if epoch == n_epochs or job.chunk is None or epoch % job.chunk == 0:
            yield checkpoint()


def _history(resume: Resume, widths: tuple[float, float], annealing: int, unit: float) -> History:
    n_epochs = resume.tallies.shape[1]
    errors, costs, _ = resume.tallies[:, : resume.step]
    epochs = np.arange(resume.step)
    nothing = np.full(resume.step, np.nan)
    return History(
        step=epochs + 1,
        step_size=nothing,
        width=np.array([annealed(annealing, widths, t / max(n_epochs - 1, 1)) for t in epochs]),
        reach=nothing,
        quantisation_error=errors * unit,
        cost=costs * unit**2,
    )
