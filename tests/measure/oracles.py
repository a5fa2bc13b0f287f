"""Neighbours, ranks and co-ranking by their definitions, with all distances in one table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ximstudio.model.arrays import Floats, Ints


def table_of_distances(points: Floats, periods: Sequence[float] | None = None) -> Floats:
    """Squared distances between all points, feature by feature; blanks as if like the rest."""
    n_points, n_features = points.shape
    total = np.zeros((n_points, n_points))
    known = np.zeros((n_points, n_points))
    for c in range(n_features):
        apart = np.abs(points[:, None, c] - points[None, :, c])
        if periods is not None:
            apart = np.minimum(apart, periods[c] - apart)
        there = ~np.isnan(apart)
        total += np.where(there, apart, 0.0) ** 2
        known += there
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.where(known == n_features, total, total * (n_features / known))
    return np.where(known > 0, scaled, np.inf)


def table_of_ranks(distances: Floats) -> Ints:
    """Rank of j around i, 0 for i itself; of equally near ones the first in the table first."""
    apart = distances.copy()
    np.fill_diagonal(apart, -1.0)
    order = np.argsort(apart, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(len(apart)), apart.shape), axis=1)
    return ranks


def co_ranking_matrix(data: Ints, drawn: Ints) -> Ints:
    """Q of two tables of ranks, shape (N − 1, N − 1)."""
    n = len(data)
    q = np.zeros((n, n), dtype=np.int64)
    np.add.at(q, (data.ravel(), drawn.ravel()), 1)
    return q[1:, 1:]


def trustworthiness(data: Ints, drawn: Ints, k: int) -> float:
    """T(k) after Venna and Kaski, term by term."""
    n = len(data)
    total = sum(
        int(data[i, j]) - k
        for i in range(n)
        for j in range(n)
        if i != j and drawn[i, j] <= k and data[i, j] > k
    )
    return 1.0 - 2.0 * total / (n * k * (2 * n - 3 * k - 1))
