"""Initial prototypes of a map of dissimilarities, as mixtures of the items."""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.parallel import one_thread
from ximstudio.model.arrays import Floats, Floats32
from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import UserError
from ximstudio.train.start import start_prototypes

DIMENSIONS = 3
"""Number of directions of the classical scaling: as many as a map can have."""
SMALL = 400
"""Up to this many items, all eigenvectors are cheap; beyond, only the wanted ones."""
SUM_TOLERANCE = 1e-4


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
