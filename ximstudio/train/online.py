"""Train item by item: the driver of the online kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ximstudio.kernels import lattice, layout, online, online_divergence
from ximstudio.kernels.divergence import KL, Force
from ximstudio.model.arrays import Floats, Floats32, Ints, frozen
from ximstudio.model.result import Result, Resume, TrainingHistory
from ximstudio.train.anchors import pinned
from ximstudio.train.clock import STRETCHES, Clock, Stretches
from ximstudio.train.complete import complete, mean_or_nan, refuse_divergence, taken_up
from ximstudio.train.method import Checkpoint, TrainingJob
from ximstudio.train.params import OnlineParams
from ximstudio.train.space import TrainingSpace, training_space
from ximstudio.train.start import start_prototypes

BLOCK = 4096
"""Approximate number of steps for which the order of items is drawn together."""

ANNEALINGS = {
    "exponential": online.EXPONENTIAL,
    "linear": online.LINEAR,
    "constant": online.CONSTANT,
}
BEST_MATCHES = {
    "distance": online.DISTANCE,
    "heskes": online.HESKES,
    "divergence": online.DIVERGENCE,
}
LEARNING_RULES = {"weighted": online.WEIGHTED, "gradient": online.GRADIENT}
MAP_KERNELS = {
    "gaussian": lattice.GAUSSIAN,
    "t": lattice.STUDENT,
    "cauchy": lattice.CAUCHY,
}
LOG_KERNELS: Mapping[str, Callable[[Floats, float], Floats]] = MappingProxyType(
    {
        "gaussian": lambda d, width: d / (-2.0 * width**2),
        "t": lambda d, width: -0.5 * (width + 1.0) * np.log1p(d / width),
        "cauchy": lambda d, width: -np.log1p(d / width**2),
    }
)
"""ln h of squared map distances; it is finite even where h underflows."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Learning:
    """Settings that distinguish the online methods.

    `reach` is in training units, and so are `reaches` of single items at equally spaced points of
    training, (N, points), which replace it if given.
    """

    map_kernel: str
    rule: str = "weighted"
    repulsion: float = 0.0
    reach: tuple[float, float] = (1.0, 1.0)
    length_scale: float = 1.0
    force: Force = KL
    reaches: Floats32 | None = None

    @property
    def repels(self) -> bool:
        """True if the reach matters: for other divergences attraction depends on it, too."""
        return self.rule == "gradient" or self.repulsion > 0.0 or self.force != KL


class ItemOrder:
    """The order in which items are presented: shuffled again after each round.

    Drawn per block of whole rounds, not per chunk: the length of a chunk follows the clock, and the
    map must not.
    """

    def __init__(self, n_items: int, seed: int) -> None:
        self.n_items = n_items
        self.seed = seed
        self.rounds = max(1, BLOCK // n_items)
        self._block = -1
        self._drawn = np.empty(0, dtype=np.int64)

    def of_steps(self, step: int, stop: int) -> Ints:
        """Items of steps step … stop − 1, or fewer if the block ends before."""
        length = self.rounds * self.n_items
        block, skip = divmod(step, length)
        if block != self._block:
            rng = np.random.default_rng([self.seed, block])
            rounds = [rng.permutation(self.n_items) for _ in range(self.rounds)]
            self._drawn = np.concatenate(rounds).astype(np.int64)
            self._block = block
        return self._drawn[skip : skip + stop - step]


def train_online(
    job: TrainingJob, learn: Callable[[TrainingSpace], Learning]
) -> Iterator[Checkpoint]:
    """Yield the checkpoints of an online training; chunks do not change its bits."""
    params: OnlineParams = job.params
    matrix, grid = job.matrix, params.grid
    n_steps = params.steps_for(matrix.n_items)
    space = training_space(matrix, steps=float(n_steps) * grid.n_nodes)
    start = start_prototypes(matrix, grid, start=params.init, seed=job.seed, given=job.start)
    held = pinned(matrix, params)
    entered = space.enter(held.put(start))
    learning = learn(space)
    rule = online.OnlineRule(
        map_kernel=MAP_KERNELS[learning.map_kernel],
        best_match=BEST_MATCHES[params.best_match],
        learning=LEARNING_RULES[learning.rule],
        annealing=ANNEALINGS[params.annealing],
        step=params.step,
        width=params.widths,
        reach=learning.reach,
        repulsion=learning.repulsion,
        length_scale=learning.length_scale,
        unit=space.unit,
        force=learning.force,
        pinned=held.nodes,
    )
    items = layout.lay_out_items(space.items, space.observed)
    if learning.reaches is not None:
        items = items._replace(reaches=learning.reaches)
    nodes, work = layout.lay_out_nodes(grid), layout.work_space(grid)
    shape = (space.items.shape[1], grid.n_nodes)
    step, tallies = taken_up(job, (3, min(STRETCHES, n_steps)), prototypes=shape)
    begin = entered.coordinates.T if job.resume is None else job.resume.prototypes
    prototypes = layout.lay_out_prototypes(begin)
    trained = prototypes[: shape[0], : shape[1]]

    def result(resume: Resume) -> Result:
        history = _history(learning, rule, resume, n_steps, space.unit)
        return complete(job, entered=entered, resume=resume, history=history, n_steps=n_steps)

    def checkpoint() -> Checkpoint:
        return job.checkpoint(
            result,
            step=step,
            n_steps=n_steps,
            prototypes=frozen(trained.copy()),
            tallies=frozen(tallies.copy()),
        )

    train_steps = online.train_steps if rule.force == KL else online_divergence.train_steps
    clock = Clock(job.chunk, last=job.last)
    presented = ItemOrder(matrix.n_items, job.seed)
    if step >= n_steps:
        yield checkpoint()
    while step < n_steps:
        stop = clock.next_stop(step, n_steps)
        with clock:
            while step < stop:
                order = presented.of_steps(step, stop)
                train_steps(items, prototypes, nodes, rule, order, step, n_steps, tallies, work)
                step += len(order)
        refuse_divergence(
            trained,
            where=f"before step {step}",
            way_out="Use a smaller step size; with the gradient rule, step/reach² must stay"
            " below 1.",
        )
        yield checkpoint()


def _history(
    learning: Learning, rule: online.OnlineRule, resume: Resume, n_steps: int, unit: float
) -> TrainingHistory:
    """Means over the stretches that training has reached."""
    reached, ends, counts = Stretches.until(resume.step, n_steps, resume.tallies.shape[1])
    errors, costs, measured = resume.tallies[:, reached]
    fractions = ends / n_steps
    # A divergence has no unit; the energy of a map without repulsion is a squared distance.
    cost_unit = 1.0 if learning.repels else unit**2

    def values(pair: tuple[float, float]) -> Floats:
        return np.array([online.annealed(rule.annealing, pair, f) for f in fractions])

    reach = np.full(len(counts), np.nan)
    if learning.reaches is not None:
        means = learning.reaches.mean(axis=0, dtype=np.float64)
        reach = unit * np.interp(fractions, np.linspace(0.0, 1.0, len(means)), means)
    elif learning.repels:
        reach = unit * values(rule.reach)
    return TrainingHistory(
        step=ends,
        step_size=values(rule.step),
        width=values(rule.width),
        reach=reach,
        quantisation_error=errors / counts * unit,
        cost=cost_unit * mean_or_nan(costs, measured),
    )
