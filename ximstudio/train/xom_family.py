"""Common parts of XOM, NE-XOM and t-NE-XOM: the driver of the kernels that move items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from ximstudio.kernels import online, xom
from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Floats, Floats32, frozen
from ximstudio.model.condition import Above, OneOf
from ximstudio.model.matrix import Matrix
from ximstudio.model.result import Result, Resume, TrainingHistory
from ximstudio.model.spec import Choice, Number, param
from ximstudio.place.params import ItemPlacingParams
from ximstudio.train.clock import FIRST_CHUNK, STRETCHES, Clock, Stretches
from ximstudio.train.complete import item_result, mean_or_nan, taken_up
from ximstudio.train.method import Checkpoint, TrainingJob
from ximstudio.train.online import ANNEALINGS
from ximstudio.train.params import OnlineParams, annealed
from ximstudio.train.space import TrainingSpace, training_space, typical_distance
from ximstudio.train.start import plane_positions, start_choice

SIDE = 10.0
"""Side of the map's square in the units of positions."""
MOST_IN_TABLE = 5000
"""Up to this many items, all distances are kept; beyond, rows are computed on demand."""
MOST_ROWS, DIFFERENCES = 64, 2**28
"""Rows of the table computed together, fewer if they cost more differences than this, so that the
user need not wait for them when stopping.
"""
SPREAD = 0.2
"""Standard deviation of the items along the first direction at the start, in sides."""

MAP_KERNELS = {
    "none": xom.NONE,
    "gaussian": xom.GAUSSIAN,
    "t": xom.STUDENT,
    "cauchy": xom.CAUCHY,
}
BLOCK = 4096
"""Number of points drawn together."""
DEVIATION = 0.2
"""Standard deviation of the normal hypothesis, in sides of the square that the others fill."""
STEPS_PER_ITEM = 20
FEWEST_STEPS = 20_000


@dataclass(frozen=True, kw_only=True)
class HypothesisParams(ItemPlacingParams):
    """Distribution of the drawn points, and start of the items."""

    hypothesis: str = param(
        "uniform",
        Choice(
            label="Structure hypothesis",
            symbol="v",
            help="Region from which points of the map are drawn: the shape that items will fill.",
            equation="TR section 2",
            options={
                "uniform": "anywhere in a square, equally often",
                "normal": "around the middle, more rarely farther out",
                "lattice": "on the nodes of a square lattice",
            },
        ),
    )
    lattice_side: int = param(
        20,
        Number(
            label="Nodes per side",
            help="Rows and columns of the lattice that points are drawn from.",
            low=2,
            high=10_000,
            whole=True,
            advanced=True,
            when=OneOf("hypothesis", "lattice"),
        ),
    )
    init: str = param("pca", start_choice(random="anywhere in the square, at random"))


@dataclass(frozen=True, kw_only=True)
class XomParams(HypothesisParams):
    """Training point by point."""

    n_steps: int | None = param(
        None,
        Number(
            label="Training steps",
            symbol="t",
            help="Number of points of the map that are drawn.",
            low=1,
            high=1e9,
            whole=True,
            automatic=f"the larger of {FEWEST_STEPS} and {STEPS_PER_ITEM} per item",
        ),
    )
    step: tuple[float, float] = param(
        (0.9, 0.05),
        annealed(
            label="Step size",
            symbol="ε",
            help="Share of the way to a drawn point that an item moves, at start and end.",
            equation="XOM; TR 25",
            high=1.0,
        ),
    )
    width: tuple[float, float] = param(
        (0.4, 0.3),
        annealed(
            label="Data width",
            symbol="σ",
            help="Width of the data neighbourhood that moves with the winner, at the start and at"
            " the end.",
            unit="× median distance between items",
            equation="XOM; TR 25",
            low=1e-6,
            high=1e6,
        ),
    )
    annealing: str = param("exponential", OnlineParams.specs()["annealing"])

    @property
    def rare(self) -> bool:
        return True

    def steps_for(self, n_items: int) -> int:
        """Number of steps, chosen if left open."""
        return self.n_steps or max(FEWEST_STEPS, STEPS_PER_ITEM * n_items)

    def resolved(self, n_items: int) -> Self:
        return self.replace(n_steps=self.steps_for(n_items))


@dataclass(frozen=True, kw_only=True)
class NeXomParams(XomParams):
    """Attraction by similarity in the data, repulsion by distance in the map."""

    width: tuple[float, float] = param((0.4, 0.2), XomParams.specs()["width"])
    repulsion: float = param(
        0.1,
        Number(
            label="Repulsion",
            symbol="η",
            help="Weight of repulsion against attraction: 0 gives XOM.",
            equation="NE-XOM; TR 24",
            low=0.0,
            high=0.95,
        ),
    )
    reach: tuple[float, float] = param(
        (0.3, 0.05),
        annealed(
            label="Map reach",
            symbol="γ",
            help="Reach of repulsion around a drawn point, at the start and at the end.",
            unit="× side of the map",
            equation="NE-XOM; TR 25",
            low=1e-6,
            high=1e3,
            when=Above("repulsion"),
        ),
    )


def train_xom(job: TrainingJob, *, map_kernel: str) -> Iterator[Checkpoint]:
    """Yield the checkpoints of a member of the family; chunks do not change its bits."""
    params: XomParams = job.params
    matrix = job.matrix
    n_steps = params.steps_for(matrix.n_items)
    # Filling a table of distances costs less than finding the span of the items.
    turn = False if matrix.n_items <= MOST_IN_TABLE else None
    space = training_space(matrix, steps=float(n_steps) * matrix.n_items, turn=turn)
    rule = _rule(params, typical_distance(matrix) / space.unit, map_kernel=map_kernel)
    items = lay_out(space)
    work = xom.XomScratch(*(np.empty(matrix.n_items, dtype=np.float32) for _ in range(4)))
    step, tallies = taken_up(job, (3, min(STRETCHES, n_steps)), moving=(2, matrix.n_items))
    if job.resume is None:
        positions = start_positions(matrix, params.init, job.seed)
    else:
        positions = job.resume.moving.astype(np.float32)

    def result(resume: Resume) -> Result:
        history = _history(rule, resume, n_steps, space.unit)
        places = SIDE * resume.moving.T
        return item_result(job, places, resume=resume, history=history, n_steps=n_steps)

    def checkpoint() -> Checkpoint:
        return job.checkpoint(
            result,
            step=step,
            n_steps=n_steps,
            moving=frozen(positions.astype(np.float64)),
            tallies=frozen(tallies.copy()),
        )

    # A row computed on demand may take as long as a whole chunk.
    first = FIRST_CHUNK if items.table.size else 1
    clock = Clock(job.chunk, first, last=job.last)
    drawn = Points(params.hypothesis, params.lattice_side, job.seed)
    if step >= n_steps:
        yield checkpoint()
    while step < n_steps:
        stop = clock.next_stop(step, n_steps)
        with clock:
            while step < stop:
                points = drawn.of_steps(step, stop)
                xom.train_steps(items, positions, points, rule, step, n_steps, tallies, work)
                step += len(points)
        yield checkpoint()


def _rule(params: XomParams, unit: float, *, map_kernel: str) -> xom.XomRule:
    """Return the rule in training units; without repulsion there is no map kernel."""
    repulsion, reach = 0.0, (1.0, 1.0)
    if isinstance(params, NeXomParams):
        repulsion, reach = params.repulsion, params.reach
    start, end = params.width
    return xom.XomRule(
        map_kernel=MAP_KERNELS[map_kernel],
        annealing=ANNEALINGS[params.annealing],
        step=params.step,
        width=(start * unit, end * unit),
        reach=reach,
        repulsion=repulsion,
    )


def lay_out(space: TrainingSpace) -> xom.XomItems:
    """Lay out items feature by feature, with a table of all distances if they are not too many."""
    values = np.ascontiguousarray(space.items.T, dtype=np.float32)
    observed = np.empty((0, 0), dtype=np.float32)
    if space.observed is not None:
        observed = np.ascontiguousarray(space.observed.T, dtype=np.float32)
    n_items = values.shape[1]
    items = xom.XomItems(values, observed, np.empty((0, 0), dtype=np.float32))
    if n_items > MOST_IN_TABLE:
        return items
    table = np.empty((n_items, n_items), dtype=np.float32)

    def fill(begin: int, end: int) -> None:
        xom.distance_rows(items, begin, table[begin:end])

    rows = min(max(DIFFERENCES // values.size, 1), MOST_ROWS)
    over_blocks(n_items, rows, fill)
    return items._replace(table=table)


def start_positions(matrix: Matrix, init: str, seed: int) -> Floats32:
    """Positions before the first step in a square of side 1, shape (2, N)."""
    if init == "random":
        # Keys differ from those of the drawn points, which are [seed, block].
        places: Floats = np.random.default_rng([seed, 0, 1]).random((matrix.n_items, 2))
    else:
        # No farther out than points are drawn: nothing would bring an item back from there.
        places = np.clip(0.5 + SPREAD * plane_positions(matrix), 0.0, 1.0)
    return np.ascontiguousarray(places.T, dtype=np.float32)


def _history(rule: xom.XomRule, resume: Resume, n_steps: int, unit: float) -> TrainingHistory:
    """Means over the stretches that training has reached, with lengths in map units."""
    reached, ends, counts = Stretches.until(resume.step, n_steps, resume.tallies.shape[1])
    errors, costs, measured = resume.tallies[:, reached]
    repels = rule.map_kernel != xom.NONE

    def values(pair: tuple[float, float]) -> Floats:
        return np.array([online.annealed(rule.annealing, pair, end / n_steps) for end in ends])

    return TrainingHistory(
        step=ends,
        step_size=values(rule.step),
        width=values(rule.width) * unit,
        reach=values(rule.reach) * SIDE if repels else np.full(len(ends), np.nan),
        quantisation_error=errors / counts * SIDE,
        # A divergence has no unit; the energy of a map without repulsion is a squared distance.
        cost=mean_or_nan(costs, measured) * (1.0 if repels else SIDE**2),
    )


class Points:
    """The points of every step, in a square of side 1.

    Drawn per block, not per chunk: the length of a chunk follows the clock, and the map must not.
    """

    def __init__(self, hypothesis: str, lattice_side: int, seed: int) -> None:
        self.hypothesis = hypothesis
        self.lattice_side = lattice_side
        self.seed = seed
        self._block = -1
        self._drawn = np.empty((0, 2), dtype=np.float32)

    def of_steps(self, step: int, stop: int) -> Floats32:
        """Points of steps step … stop − 1, or fewer if the block ends before; shape (steps, 2)."""
        block, skip = divmod(step, BLOCK)
        if block != self._block:
            rng = np.random.default_rng([self.seed, block])
            self._drawn = self._draw(rng).astype(np.float32)
            self._block = block
        return self._drawn[skip : skip + stop - step]

    def _draw(self, rng: np.random.Generator) -> Floats:
        if self.hypothesis == "normal":
            return np.asarray(0.5 + DEVIATION * rng.normal(size=(BLOCK, 2)))
        if self.hypothesis == "lattice":
            nodes = rng.integers(self.lattice_side, size=(BLOCK, 2))
            return np.asarray((nodes + 0.5) / self.lattice_side)
        return np.asarray(rng.random((BLOCK, 2)))
