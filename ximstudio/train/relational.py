"""Relational and median training: maps of items from their dissimilarities alone.

The rules are those of training in epochs (TR 26, damped), on the coefficients of prototypes that
are mixtures of items; on a table of Euclidean distances the map equals that of the features.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ximstudio.kernels.online import annealed
from ximstudio.kernels.parallel import one_thread, over_blocks
from ximstudio.model.arrays import Floats, Floats32, frozen
from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import UserError
from ximstudio.model.relational import RelationalMap, signed_root
from ximstudio.model.result import Result, Resume, TrainingHistory
from ximstudio.place.relational import place_measured
from ximstudio.train.complete import history_of, taken_up
from ximstudio.train.method import Checkpoint, Method, TrainingJob
from ximstudio.train.online import ANNEALINGS, LOG_KERNELS
from ximstudio.train.relational_epoch import (
    ITEMS_AT_ONCE,
    Medians,
    Mixtures,
    Moment,
    epoch,
)
from ximstudio.train.space import unit_of
from ximstudio.train.start import start_prototypes
from ximstudio.train.xim_family import XimParams

PROTOTYPES: dict[str, type[Mixtures] | type[Medians]] = {"relational": Mixtures, "median": Medians}
DIMENSIONS = 3
"""Number of directions of the classical scaling: as many as a map can have."""
SMALL = 400
"""Up to this many items, all eigenvectors are cheap; beyond, only the wanted ones."""
SUM_TOLERANCE = 1e-4


def train_relational(job: TrainingJob, method: Method) -> Iterator[Checkpoint]:
    """Yield a checkpoint per epoch of a training on dissimilarities."""
    params, data = job.params, job.matrix
    assert isinstance(data, Dissimilarities)
    assert method.map_kernel is not None
    grid, n_epochs = params.grid, params.planned_steps(data.n_items)
    schedule = Schedule(params, data, kernel=method.map_kernel)
    table = squared_table(data, schedule.unit)
    shape = (data.n_items, grid.n_nodes)
    epochs, tallies = taken_up(job, (3, n_epochs), prototypes=shape)
    if job.resume is None:
        begin = start_coefficients(
            table, data, grid, start=params.init, seed=job.seed, given=job.start
        )
    else:
        begin = job.resume.prototypes
    prototypes = PROTOTYPES[params.relational](table, begin)
    room = np.empty(shape, dtype=np.float32)

    def result(resume: Resume) -> Result:
        return _result(job, data, resume, schedule.history(resume), n_steps=n_epochs)

    def checkpoint() -> Checkpoint:
        return job.checkpoint(
            result,
            step=epochs,
            n_steps=n_epochs,
            prototypes=frozen(prototypes.coefficients.copy()),
            tallies=frozen(tallies.copy()),
        )

    if epochs >= n_epochs:
        yield checkpoint()
    while epochs < n_epochs:
        tallies[:, epochs] = *epoch(prototypes, schedule.moment(epochs), room), 1.0
        epochs += 1
        if epochs == n_epochs or job.is_looked_at(epochs):
            yield checkpoint()


class Schedule:
    """Settings of every epoch; `unit` is the length of one training unit in data units."""

    def __init__(self, params: Any, data: Dissimilarities, *, kernel: str) -> None:
        self.params, self.unit = params, unit_of(data)
        self.relaxation = params.relaxation_of(data.n_items)
        self.log_kernel = LOG_KERNELS[kernel]
        self.annealing = ANNEALINGS[params.annealing]
        grid, every = params.grid, np.arange(params.grid.n_nodes)
        self.apart = grid.squared_distances(every, every) / params.length_scale**2
        self.attraction, self.repulsion, self.reach = 1.0, 0.0, None
        if isinstance(params, XimParams):
            literal = params.rule == "gradient"
            # The factor 1/γ² of the gradient cancels in the damped rule.
            self.attraction = 1.0 if literal else 1.0 - params.repulsion
            self.repulsion = 1.0 if literal else params.repulsion
            scale = data.median_distance if params.reach_unit == "median" else 1.0
            self.reach = (params.reach[0] * scale, params.reach[1] * scale)
        by_divergence = params.relational == "median" and self.repulsion > 0.0
        self.match = "divergence" if by_divergence else params.best_match

    def at(self, pair: tuple[float, float], number: int) -> float:
        """Annealed value in epoch `number`."""
        fraction = min(1.0, number / max(self.params.n_epochs - 1, 1))
        return annealed(self.annealing, pair, fraction)

    def moment(self, number: int) -> Moment:
        """Settings of epoch `number`, counted from 0."""
        log_h = self.log_kernel(self.apart, self.at(self.params.widths, number))
        h = np.exp(log_h)
        return Moment(
            h=h.astype(np.float32),
            own=(h * (log_h - 1.0)).sum(axis=1),
            reach=None if self.reach is None else self.at(self.reach, number) / self.unit,
            attraction=self.attraction,
            repulsion=self.repulsion,
            match=self.match,
            relaxation=self.relaxation,
        )

    def history(self, resume: Resume) -> TrainingHistory:
        """History of training up to `resume`, one entry per epoch."""
        epochs = np.arange(resume.step)
        errors, costs, _ = resume.tallies[:, : resume.step]
        nothing = np.full(resume.step, np.nan)

        def values(pair: tuple[float, float]) -> Floats:
            return np.array([self.at(pair, number) for number in range(resume.step)])

        repels = self.reach is not None and self.repulsion > 0.0
        return history_of(
            epochs + 1,
            width=values(self.params.widths),
            reach=values(self.reach) if self.reach is not None and repels else nothing,
            quantisation_error=errors * self.unit,
            # A divergence has no unit; the energy of a map without repulsion is a squared distance.
            cost=costs * (1.0 if repels else self.unit**2),
        )


def squared_table(data: Dissimilarities, unit: float) -> Floats32:
    """Δ in training units, shape (N, N)."""
    squares = np.empty((data.n_items, data.n_items), dtype=np.float32)

    def square(begin: int, end: int) -> None:
        squares[begin:end] = (data.table[begin:end] / unit) ** 2

    over_blocks(data.n_items, ITEMS_AT_ONCE, square)
    return squares


def relational_map(data: Dissimilarities, grid: Grid, coefficients: Floats) -> RelationalMap:
    """Build the map whose prototypes are mixtures of the items by `coefficients` (N, M)."""
    mixed = np.empty((data.n_features, grid.n_nodes))

    def mix(begin: int, end: int) -> None:
        # Features are as far from the items as the items are from them.
        np.matmul((data.values[:, begin:end] ** 2).T, coefficients, out=mixed[begin:end])

    over_blocks(data.n_features, ITEMS_AT_ONCE, mix)
    offsets = 0.5 * np.einsum("ij,ij->j", coefficients, mixed[data.columns])
    along_features = np.zeros((grid.n_nodes, data.n_features))
    along_features[:, data.columns] = coefficients.T
    return RelationalMap(
        grid=grid,
        prototypes=frozen(signed_root(mixed - offsets).T.copy()),
        coefficients=frozen(along_features),
    )


def _result(
    job: TrainingJob,
    data: Dissimilarities,
    resume: Resume,
    history: TrainingHistory,
    *,
    n_steps: int,
) -> Result:
    coefficients = resume.prototypes.astype(np.float64)
    model = relational_map(data, job.params.grid, coefficients)
    placed = place_measured(
        model, data.values, job.params, lambda some: model.squares[:, data.columns[some]].T
    )
    return job.result(
        model,
        placed.positions,
        winners=placed.winners,
        history=history,
        n_steps=n_steps,
        resume=resume,
    )


def start_coefficients(
    table: Floats32,
    data: Dissimilarities,
    grid: Grid,
    *,
    start: str,
    seed: int,
    given: Floats | None = None,
) -> Floats32:
    """αᵀ before the first epoch, shape (N, M); `table` holds the squared dissimilarities."""
    if start == "given" or given is not None:
        chosen = start_prototypes(data, grid, start=start, seed=seed, given=given)
        return _given(chosen, data)
    if start == "items":
        # Drawn as by every other method: see start_prototypes.
        rng = np.random.default_rng([seed, 0, 1])
        rows = rng.choice(data.n_items, grid.n_nodes, replace=grid.n_nodes > data.n_items)
        alpha = np.zeros((data.n_items, grid.n_nodes), dtype=np.float32)
        alpha[rows, np.arange(grid.n_nodes)] = 1.0
        return alpha
    coordinates = classical_scaling(table)
    plane = Matrix.from_array(coordinates, source=data.source)
    places = start_prototypes(plane, grid, start=start, seed=seed)
    return mixtures_at(coordinates, places)


def mixtures_at(coordinates: Floats, places: Floats) -> Floats32:
    """Mixtures of the items at `places` (M, c) of their classical scaling, shape (N, M).

    Coordinates along the directions are orthogonal and centred, so α_ji = 1/N + Σ_c p_jc y_ic/λ_c.
    """
    variances = (coordinates**2).sum(axis=0)
    scaled = np.divide(
        coordinates, variances, out=np.zeros_like(coordinates), where=variances > 0.0
    )
    return np.asarray(1.0 / len(coordinates) + scaled @ places.T, dtype=np.float32)


def classical_scaling(table: Floats32) -> Floats:
    """Coordinates of the items along their leading directions (Torgerson 1952), shape (N, c).

    The eigenvectors of −½ J Δ J, scaled by the square roots of their eigenvalues, each turned so
    that its largest entry is positive; 0 where there is no such direction.
    """
    n_items = len(table)
    with one_thread():
        values, vectors = _leading(table, min(DIMENSIONS, n_items))
    coordinates = np.zeros((n_items, DIMENSIONS))
    for column, (value, vector) in enumerate(zip(values, vectors.T, strict=True)):
        if value > 1e-6 * values[0]:
            turn = np.sign(vector[np.argmax(np.abs(vector))])
            coordinates[:, column] = turn * np.sqrt(value) * (vector - vector.mean())
    return coordinates


def _leading(table: Floats32, n: int) -> tuple[Floats, Floats]:
    """Largest eigenvalues of −½ J Δ J in descending order, with vectors in columns."""
    n_items = len(table)
    if n_items <= SMALL:
        squares = table.astype(np.float64)
        centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
        values, vectors = np.linalg.eigh(-0.5 * centred)
    else:
        from scipy.sparse.linalg import LinearOperator, eigsh  # 0.2 s, only for large tables

        def multiply(vector: Floats) -> Floats:
            moved = vector.ravel() - vector.mean()
            product = -0.5 * (table @ moved.astype(np.float32)).astype(np.float64)
            return np.asarray(product - product.mean())

        operator = LinearOperator((n_items, n_items), matvec=multiply, dtype=np.float64)
        # Seeded, so that bits repeat.
        begin = np.random.default_rng(0).normal(size=n_items)
        values, vectors = eigsh(operator, k=n, which="LA", v0=begin, tol=1e-5)
    order = np.argsort(-values)[:n]
    return np.asarray(values[order]), np.asarray(vectors[:, order])


def _given(coefficients: Floats, data: Dissimilarities) -> Floats32:
    """Check the user's mixtures, shape (M, K) along the features."""
    chosen = coefficients[:, data.columns]
    if (np.abs(chosen.sum(axis=1) - 1.0) > SUM_TOLERANCE).any():
        raise UserError(
            key="start.coefficients",
            what="Start weights must sum to 1 in every row.",
            where="parameter 'init'",
            fields=("init",),
            way_out="Use coefficients.csv of an earlier run on this table, or another start.",
        )
    return np.ascontiguousarray(chosen.T, dtype=np.float32)
