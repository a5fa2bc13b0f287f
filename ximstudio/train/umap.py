"""UMAP: lay out a graph of neighbours in the data. Needs the package umap-learn.

The graph is umap-learn's, from exact neighbours by the program's distances; so is every step of the
layout. The loop over the steps is implemented here, because umap-learn's own neither reports
progress nor can be stopped. Random numbers are drawn per step from [seed, step], so that a layout
can stop after any step and continue with the same bits.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ximstudio.kernels.jit import keep, kernel
from ximstudio.kernels.parallel import unwarned
from ximstudio.model.arrays import Floats, Floats32, Ints, frozen
from ximstudio.model.clauses import Clause, MapContext, printed
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import Problem
from ximstudio.model.result import Result, Resume, TrainingHistory
from ximstudio.model.words import counted
from ximstudio.place.neighbours import near_others
from ximstudio.train.clock import STRETCHES, Clock, Stretches
from ximstudio.train.complete import history_of, item_result, refuse_other_shapes
from ximstudio.train.method import Checkpoint, Introduction, Method, Package, TrainingJob
from ximstudio.train.start import plane_positions
from ximstudio.train.umap_params import UmapParams
from ximstudio.train.wording.maps import item_start_clauses, metric_clauses, projection_clauses

MCINNES = (
    "L. McInnes, J. Healy and J. Melville, UMAP: Uniform Manifold Approximation and"
    " Projection for Dimension Reduction, arXiv:1802.03426 (2018)."
)

SIDE = 10.0
"""Length of the longer side of the start."""
JITTER = 1e-4
"""Noise on the start, as a share of its side: items on one spot or line could never leave it."""
SPREAD = 1.0

_turn = threading.Lock()
"""Serialises parts of umap-learn that run on numba's own threads, which abort the process if two of
our threads enter them together.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Graph:
    """Edges between neighbours: from, to, and the number of steps between two uses of each."""

    heads: Any
    tails: Any
    periods: Floats


@dataclass(frozen=True, eq=False)
class UmapLayout:
    """State of the layout: positions, and when every edge is due again."""

    positions: Floats32
    due: Floats
    repelled_until: Floats

    def moving(self) -> Floats:
        """Flatten the state to one row of numbers."""
        places = self.positions.ravel().astype(np.float64)
        return np.concatenate([places, self.due, self.repelled_until])

    @classmethod
    def of(cls, moving: Floats, n_items: int) -> UmapLayout:
        """Restore the layout from `moving`."""
        due, repelled_until = np.split(moving[2 * n_items :], 2)
        return cls(
            positions_of(moving, n_items).astype(np.float32), due.copy(), repelled_until.copy()
        )


def positions_of(moving: Floats, n_items: int) -> Floats:
    """Return the positions (N, 2), which come first."""
    return moving[: 2 * n_items].reshape(n_items, 2)


def train(job: TrainingJob) -> Iterator[Checkpoint]:
    """Yield the checkpoints of the layout; chunks do not change its bits."""
    params: UmapParams = job.params
    n_items = job.matrix.n_items
    n_steps = params.steps_for(n_items)
    if job.resume is not None and job.resume.step >= n_steps:
        yield _checkpoint(job, job.resume, n_steps)
        return
    graph = graph_of(job.matrix, params)
    between = graph.periods / params.negative_samples
    if job.resume is None:
        step = 0
        start = _start(job.matrix, params.init, job.seed)
        layout = UmapLayout(start, graph.periods.copy(), between.copy())
    else:
        moving = 2 * n_items + 2 * len(graph.periods)
        refuse_other_shapes((job.resume.moving, (moving,)))
        step, layout = job.resume.step, UmapLayout.of(job.resume.moving, n_items)
    clock = Clock(job.chunk, first=1, last=job.last)
    while step < n_steps:
        stop = clock.next_stop(step, n_steps)
        with clock:
            while step < stop:
                _take_step(layout, graph, between, params, seed=job.seed, step=step)
                step += 1
        resume = Resume(
            step=step,
            origin=job.origin,
            moving=frozen(layout.moving()),
            tallies=frozen(np.zeros((3, min(STRETCHES, n_steps)))),
        )
        yield _checkpoint(job, resume, n_steps)


def graph_of(matrix: Matrix, params: UmapParams) -> Graph:
    """Build the fuzzy graph of neighbours, without edges too weak to be used once."""
    n_items = matrix.n_items
    size = params.neighbours_for(n_items)
    own = np.arange(n_items)
    near, distances = near_others(matrix.values, size - 1)
    library = _library()
    with _turn:
        weights, _, _ = library.umap_.fuzzy_simplicial_set(
            matrix.values,
            size,
            np.random.RandomState(0),
            "euclidean",
            knn_indices=np.column_stack([own, near]),
            knn_dists=np.column_stack([np.zeros(n_items), distances]),
        )
    edges = weights.tocoo()
    n_steps = params.steps_for(n_items)
    kept = edges.data >= edges.data.max() / n_steps
    return Graph(
        heads=edges.row[kept],
        tails=edges.col[kept],
        periods=library.umap_.make_epochs_per_sample(edges.data[kept], n_steps),
    )


def _take_step(
    layout: UmapLayout, graph: Graph, between: Floats, params: UmapParams, *, seed: int, step: int
) -> None:
    """Process all edges that are due: they attract, and random items repel."""
    n_items = len(layout.positions)
    n_steps = params.steps_for(n_items)
    a, b = _curve(params.least_distance)
    limits = np.iinfo(np.int32)
    chance: Ints = np.random.default_rng([seed, step]).integers(
        limits.min, limits.max, size=(n_items, 3)
    )
    nothing = np.zeros(1, dtype=np.float32)
    _epoch()(
        layout.positions,
        layout.positions,
        graph.heads,
        graph.tails,
        n_items,
        graph.periods,
        a,
        b,
        chance,
        1.0,
        2,
        True,
        rate_at(step, n_steps) * params.rate,
        between,
        layout.repelled_until,
        layout.due,
        step,
        False,
        *(nothing, nothing, 0, 0, 0, 0, nothing, nothing, 0),
    )


def rate_at(step: int, n_steps: int) -> float:
    """Share of the learning rate at a step: umap-learn begins to lower it after the second."""
    return 1.0 - max(step - 1, 0) / n_steps


@cache
def _library() -> Any:
    """Import umap-learn, which takes seconds, and more to compile its cached loops."""
    # It warns of a package that only another of its methods needs.
    with unwarned():
        import umap
        import umap.layouts
    keep(umap.umap_.smooth_knn_dist, umap.umap_.compute_membership_strengths)
    return umap


@cache
def _epoch() -> Any:
    """One epoch of umap-learn's layout, compiled like our kernels, which release the GIL."""
    return kernel(_library().layouts._optimize_layout_euclidean_single_epoch)


@cache
def _curve(least_distance: float) -> tuple[float, float]:
    """Return the two parameters of the map's kernel 1/(1 + a d^2b) for this minimum distance."""
    a, b = _library().umap_.find_ab_params(SPREAD, least_distance)
    return float(a), float(b)


def _start(matrix: Matrix, init: str, seed: int) -> Floats32:
    """Place items in a square before the first step."""
    rng = np.random.default_rng([seed, 0, 1])
    places: Floats = rng.random((matrix.n_items, 2))
    if init == "pca":
        places = plane_positions(matrix)
    places = places - places.min(axis=0)
    places *= SIDE / (float(places.max()) or 1.0)
    places += JITTER * SIDE * rng.normal(size=places.shape)
    return np.ascontiguousarray(places, dtype=np.float32)


def _checkpoint(job: TrainingJob, resume: Resume, n_steps: int) -> Checkpoint:
    def result() -> Result:
        places = positions_of(resume.moving, job.matrix.n_items)
        history = _history(job.params, resume, n_steps)
        return item_result(job, places, resume=resume, history=history, n_steps=n_steps)

    return Checkpoint(step=resume.step, n_steps=n_steps, result=result)


def _history(params: UmapParams, resume: Resume, n_steps: int) -> TrainingHistory:
    """History of the learning rate; the layout itself measures nothing."""
    _, ends, _ = Stretches.until(resume.step, n_steps, resume.tallies.shape[1])
    rates = [params.rate * rate_at(int(end) - 1, n_steps) for end in ends]
    return history_of(ends, step_size=np.array(rates))


def umap_problems(matrix: Matrix, params: UmapParams) -> Iterable[Problem]:
    """Report a neighbourhood that needs more items than there are."""
    wanted = params.graph_neighbours
    if wanted is not None and wanted > max(matrix.n_items, 2):
        yield Problem(
            key="params.graph_neighbours",
            what=f"There are {matrix.n_items} items, fewer than the {wanted} of a neighbourhood.",
            where="parameter 'graph_neighbours'",
            fields=("graph_neighbours",),
            way_out=f"Use at most {matrix.n_items}; or leave it open.",
        )


def umap_clauses(context: MapContext) -> Iterator[Clause]:
    """Graph and layout of UMAP."""
    params = context.params
    yield Clause(
        text=f"The graph joined every item to its {printed(params.graph_neighbours)} nearest,"
        " itself among them, by exact distances.",
        names=("graph_neighbours",),
    )
    yield Clause(
        text=f"Its layout took {counted(params.n_steps, 'epoch')} with a minimum distance of"
        f" {printed(params.least_distance)}, a learning rate falling linearly from"
        f" {printed(params.rate)} to 0, and"
        f" {counted(params.negative_samples, 'repelling item')} drawn at random for every"
        " neighbour.",
        names=("n_steps", "least_distance", "rate", "negative_samples"),
    )


METHOD = Method(
    key="umap",
    name="UMAP",
    summary="Shows tight groups quickly, common for single cells; distances between groups mean"
    " little.",
    equations="McInnes, Healy and Melville 2018, by umap-learn",
    introduction=Introduction(
        what="uniform manifold approximation and projection, as implemented in umap-learn",
        works=(MCINNES,),
    ),
    params=UmapParams,
    clauses=(metric_clauses, umap_clauses, item_start_clauses, projection_clauses),
    package=Package(module="umap", distribution="umap-learn", requirement="umap-learn>=0.5.7,<0.6"),
    train=train,
    problems=umap_problems,
)
