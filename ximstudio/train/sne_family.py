"""Common parts of t-SNE and SNE: openTSNE's affinities and gradients, and the descent.

The descent is implemented here, not by openTSNE, so that it can stop after any step: its state is
in `Descent`. Its steps are those of openTSNE's optimiser up to rounding (a test compares them).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ximstudio.kernels.parallel import n_threads
from ximstudio.model.arrays import Floats, frozen
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import Problem
from ximstudio.model.result import Result, Resume, TrainingHistory
from ximstudio.model.spec import Number, param
from ximstudio.place.neighbours import near_others
from ximstudio.place.params import ItemPlacingParams
from ximstudio.train.clock import STRETCHES, Clock, Stretches
from ximstudio.train.complete import history_of, item_result, mean_or_nan, taken_up
from ximstudio.train.method import Checkpoint, TrainingJob
from ximstudio.train.start import plane_positions, start_choice

BY_TREE = 10_000
"""Up to this many items repulsion is summed over a tree; beyond, interpolation is faster."""
ONE_THREAD = 2_000
"""Up to this many items, starting more threads takes longer than they save."""

MOMENTUM = 0.8
GAIN_ADDED, GAIN_KEPT, LEAST_GAIN = 0.2, 0.8, 0.01
SPREAD, SPREAD_OF_TWO = 1e-4, 1.0
"""Standard deviation of the start. Two items are each other's only neighbour wherever they lie:
nothing moves them apart, and exaggeration moves them together, so that they begin apart and
without it.
"""
JITTER = 0.01
"""Noise on the start, as a share of it: items on a line could never leave it."""
USUAL_PERPLEXITY = 30.0
NEIGHBOURS_PER_PERPLEXITY = 3
LONGEST_MOVE = 5.0


@dataclass(frozen=True, kw_only=True)
class SneParams(ItemPlacingParams):
    """Neighbourhoods in the data, and the descent."""

    perplexity: float | None = param(
        None,
        Number(
            label="Perplexity",
            symbol="u",
            help="Approximate number of neighbours of each item: more show the overall structure,"
            " fewer the details.",
            equation="van der Maaten and Hinton 2008",
            low=1.0,
            high=1e5,
            automatic=f"{USUAL_PERPLEXITY:g}, or a third of the other items if they are fewer",
        ),
    )
    n_steps: int = param(
        750,
        Number(
            label="Training steps",
            symbol="t",
            help="Number of steps of the descent; all items move at each of them.",
            low=1,
            high=1e9,
            whole=True,
        ),
    )
    exaggeration: float = param(
        12.0,
        Number(
            label="Early exaggeration",
            symbol="ρ",
            help="Factor by which neighbours attract each other more in the early phase, in which"
            " groups form.",
            equation="van der Maaten and Hinton 2008",
            low=1.0,
            high=1000.0,
            advanced=True,
        ),
    )
    early: float = param(
        0.33,
        Number(
            label="Early phase",
            help="Share of the steps that have exaggeration.",
            low=0.0,
            high=1.0,
            advanced=True,
        ),
    )
    rate: float = param(
        1.0,
        Number(
            label="Learning rate",
            symbol="ε",
            help="Size of the items' moves at each step. 1 suits tables of any size.",
            unit="× number of items, over the exaggeration",
            equation="Belkina et al. 2019",
            low=1e-6,
            high=1e4,
            advanced=True,
        ),
    )
    init: str = param("pca", start_choice(random="close together, at random"))

    def perplexity_for(self, n_items: int) -> float:
        """Perplexity, chosen if left open."""
        if self.perplexity is not None:
            return self.perplexity
        return max(1.0, min(USUAL_PERPLEXITY, (n_items - 1) / NEIGHBOURS_PER_PERPLEXITY))

    @property
    def degrees_of_freedom(self) -> float:
        """α of the map's kernel (1 + d/α)^(−α), d a squared distance; for subclasses."""
        raise NotImplementedError

    @property
    def longest_move(self) -> float:
        """Longest move of an item in one step.

        With a Gaussian, attraction grows with the distance, and few items, or one that attracts
        many, would jump over each other for ever: there it is about the width of the kernel.
        """
        return max(1.0, LONGEST_MOVE / max(1.0, self.degrees_of_freedom))

    def resolved(self, n_items: int) -> Self:
        return self.replace(perplexity=self.perplexity_for(n_items))


@dataclass(frozen=True, kw_only=True)
class TSneParams(SneParams):
    """The parameters of SNE and the tail of the map's kernel."""

    tail: float = param(
        1.0,
        Number(
            label="Degrees of freedom",
            symbol="α",
            help="Tail of the map's kernel: 1 is t-SNE, smaller values separate groups farther"
            ", 100 is SNE.",
            equation="Kobak et al. 2019",
            low=0.1,
            # For much larger values, openTSNE's powers overflow between distant items.
            high=100.0,
            advanced=True,
        ),
    )

    @property
    def degrees_of_freedom(self) -> float:
        return self.tail


@dataclass(frozen=True, kw_only=True, eq=False)
class Descent:
    """State of a descent, arrays of shape (N, 2)."""

    positions: Floats
    moves: Floats
    gains: Floats

    def step(self, gradient: Floats, rate: float, longest_move: float) -> Descent:
        """Take a step: gains grow where the direction stays the same, and moves have momentum."""
        turned = np.sign(self.moves) != np.sign(gradient)
        gains = np.where(turned, self.gains + GAIN_ADDED, self.gains * GAIN_KEPT + LEAST_GAIN)
        moves = MOMENTUM * self.moves - rate * gains * gradient
        lengths = np.linalg.norm(moves, axis=1)
        long = lengths > longest_move
        moves[long] /= lengths[long, None]
        moves[long] *= longest_move
        positions = self.positions + moves
        positions -= positions.mean(axis=0)
        return Descent(positions=positions, moves=moves, gains=gains)


def train_sne(job: TrainingJob) -> Iterator[Checkpoint]:
    """Yield the checkpoints of the descent; chunks do not change its bits."""
    params: SneParams = job.params
    n_items, n_steps = job.matrix.n_items, params.n_steps
    n_early = round(params.early * n_steps) if n_items > 2 else 0
    step, tallies = taken_up(job, (3, min(STRETCHES, n_steps)), moving=(3, n_items, 2))
    if job.resume is None:
        descent = _start(job.matrix, params.init, job.seed)
    else:
        positions, moves, gains = job.resume.moving
        descent = Descent(positions=positions.copy(), moves=moves, gains=gains)

    def result(resume: Resume) -> Result:
        history = _history(resume, n_steps)
        return item_result(job, resume.moving[0], resume=resume, history=history, n_steps=n_steps)

    def checkpoint() -> Checkpoint:
        return job.checkpoint(
            result,
            step=step,
            n_steps=n_steps,
            moving=frozen(np.stack([descent.positions, descent.moves, descent.gains])),
            tallies=frozen(tallies.copy()),
        )

    if step >= n_steps:
        yield checkpoint()
        return
    affinities = affinities_of(job.matrix, params.perplexity_for(n_items))
    slope = Slope(affinities, params.degrees_of_freedom, n_items)
    exaggerated = Slope(affinities * params.exaggeration, params.degrees_of_freedom, n_items)
    stretches = tallies.shape[1]
    cost_every = max(1, n_steps // stretches)
    clock = Clock(job.chunk, first=1, last=job.last)
    while step < n_steps:
        stop = clock.next_stop(step, n_steps)
        with clock:
            while step < stop:
                factor = params.exaggeration if step < n_early else 1.0
                forces = exaggerated if step < n_early else slope
                gradient, cost = forces.at(descent.positions, with_cost=step % cost_every == 0)
                if step % cost_every == 0:
                    stretch = min(step * stretches // n_steps, stretches - 1)
                    # For the true affinities, not the exaggerated ones.
                    tallies[1, stretch] += cost / factor - np.log(factor)
                    tallies[2, stretch] += 1.0
                rate = params.rate * n_items / factor
                descent = descent.step(gradient, rate, params.longest_move)
                step += 1
        yield checkpoint()


class Slope:
    """Gradient of the divergence between neighbourhoods in the data and in the map."""

    def __init__(self, affinities: Any, degrees_of_freedom: float, n_items: int) -> None:
        # Imported late: scikit-learn takes a second.
        from openTSNE import tsne

        self.affinities = affinities
        self.degrees_of_freedom = degrees_of_freedom
        self.by_tree = n_items < BY_TREE
        self.one_thread = n_items < ONE_THREAD
        self._of = tsne.kl_divergence_bh if self.by_tree else tsne.kl_divergence_fft

    def at(self, positions: Floats, *, with_cost: bool) -> tuple[Floats, float]:
        """Gradient at these positions and, if asked for, the divergence itself."""
        # Threads would sum the divergence in random order; one thread repeats its bits.
        alone = self.one_thread or with_cost
        cost, gradient = self._of(
            positions,
            self.affinities,
            dof=self.degrees_of_freedom,
            bh_params={"theta": 0.5},
            fft_params={
                "n_interpolation_points": 3,
                "min_num_intervals": 50,
                "ints_in_interval": 1,
            },
            n_jobs=1 if alone else n_threads(),
            should_eval_error=with_cost,
        )
        return np.asarray(gradient), float(cost)


def affinities_of(matrix: Matrix, perplexity: float) -> Any:
    """Affinities between items as a sparse matrix that sums to 1.

    Neighbours are exact, and distances those of the program, including missing values.
    """
    from openTSNE.affinity import PerplexityBasedNN
    from openTSNE.nearest_neighbors import PrecomputedNeighbors

    n_items = matrix.n_items
    k = min(n_items - 1, int(NEIGHBOURS_PER_PERPLEXITY * perplexity))
    index = PrecomputedNeighbors(*near_others(matrix.values, k))
    return PerplexityBasedNN(perplexity=perplexity, knn_index=index, n_jobs=1).P


def sne_problems(matrix: Matrix, params: SneParams) -> Iterable[Problem]:
    """Report a perplexity that needs more neighbours than there are."""
    others = matrix.n_items - 1
    if params.perplexity is not None and params.perplexity > max(others, 1):
        yield Problem(
            key="params.perplexity",
            what=f"Each item has {others} others, fewer than the perplexity of"
            f" {params.perplexity:g} requires.",
            where="parameter 'perplexity'",
            fields=("perplexity",),
            way_out=f"Use at most {others}, better {max(1, others // 3)}; or leave it open.",
        )


def _start(matrix: Matrix, init: str, seed: int) -> Descent:
    """Place items close together before the first step, at rest."""
    noise = np.random.default_rng([seed, 0, 1]).normal(size=(matrix.n_items, 2))
    places = noise if init == "random" else plane_positions(matrix) + JITTER * noise
    spread = SPREAD if matrix.n_items > 2 else SPREAD_OF_TWO
    return Descent(
        positions=np.ascontiguousarray(spread * places),
        moves=np.zeros_like(places),
        gains=np.ones_like(places),
    )


def _history(resume: Resume, n_steps: int) -> TrainingHistory:
    """Divergence over the stretches that the descent has reached."""
    reached, ends, _ = Stretches.until(resume.step, n_steps, resume.tallies.shape[1])
    _, costs, measured = resume.tallies[:, reached]
    return history_of(ends, cost=mean_or_nan(costs, measured))
