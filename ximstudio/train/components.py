"""Principal components, with missing values allowed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.parallel import check_here, one_thread
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix

ROUNDS = 200
CLOSE_ENOUGH = 1e-9
SMALL = 3000
"""Up to this many items or features, all eigenvectors are cheap; beyond, only the wanted ones."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Components:
    """Directions of largest variance, in descending order.

    Parameters
    ----------
    centre
        Mean, shape (D,).
    directions
        Orthonormal, shape (n, D), each turned so that its largest entry is positive.
    deviations
        Standard deviation of the items along each direction, shape (n,).
    shares
        Share of the total variance, shape (n,).
    positions
        Positions of the items along the directions, shape (N, n).
    """

    centre: Floats
    directions: Floats
    deviations: Floats
    shares: Floats
    positions: Floats


def principal_components(matrix: Matrix, n: int, *, rounds: int = ROUNDS) -> Components:
    """Compute the first n principal components; missing directions (rank < n) are zero.

    With missing values, find the plane nearest to the known ones: fill missing values from the
    plane and fit it again until it no longer changes (the EM algorithm for a low-rank approximation
    with 0/1 weights, Srebro & Jaakkola 2003), or for `rounds` rounds.
    """
    values = matrix.values
    if not matrix.n_missing:
        return _fit(values, n)
    blanks = matrix.missing
    filled = np.where(blanks, np.nanmean(values, axis=0), values)
    scale = float(np.nanstd(values - np.nanmean(values, axis=0))) or 1.0
    for _ in range(rounds):
        fitted = _fit(filled, n)
        plane = fitted.centre + fitted.positions @ fitted.directions
        change = np.abs(plane[blanks] - filled[blanks]).max()
        filled[blanks] = plane[blanks]
        if change <= CLOSE_ENOUGH * scale:
            break
    return _fit(filled, n)


def _fit(values: Floats, n: int) -> Components:
    n_items, n_features = values.shape
    centre = values.mean(axis=0)
    moved = values - centre
    squares, leading = _leading(moved, n)
    directions = np.zeros((n, n_features))
    real = squares > 1e-12 * squares.max()
    for row in np.flatnonzero(real):
        direction = leading[row] / np.linalg.norm(leading[row])
        directions[row] = direction * np.sign(direction[np.argmax(np.abs(direction))])
    variances = np.zeros(n)
    variances[: len(squares)][real] = squares[real] / n_items
    total = float((moved**2).sum()) / n_items
    return Components(
        centre=centre,
        directions=directions,
        deviations=np.sqrt(variances),
        shares=variances / total if total > 0 else variances,
        positions=moved @ directions.T,
    )


def _leading(moved: Floats, n: int) -> tuple[Floats, Floats]:
    """Largest eigenvalues of movedᵀ·moved in descending order, with vectors of any length."""
    with one_thread():
        return _leading_by_size(moved, n)


def _leading_by_size(moved: Floats, n: int) -> tuple[Floats, Floats]:
    n_items, n_features = moved.shape
    if min(n_items, n_features) > SMALL:
        from scipy.sparse.linalg import svds  # 0.2 s, only for large tables

        # Seeded, so that bits repeat; not constant, which is the one direction without variance.
        begin = np.random.default_rng(0).normal(size=min(n_items, n_features))
        _, lengths, vectors = svds(moved, k=n, v0=begin, tol=1e-8)
        order = np.argsort(-lengths)
        return np.asarray(lengths[order] ** 2), np.asarray(vectors[order])
    # The smaller of the two products has the same eigenvalues, largest last.
    by_features = n_features <= n_items
    product = moved.T @ moved if by_features else moved @ moved.T
    # Either takes seconds for a large table, and is repeated if values are missing.
    check_here()
    eigenvalues, vectors = np.linalg.eigh(product)
    check_here()
    leading = vectors[:, ::-1][:, :n].T
    if not by_features:
        leading = (moved.T @ leading.T).T
    return np.maximum(eigenvalues[::-1][:n], 0.0), leading
