"""Number of clusters: given by the user, or the one that separates the items best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.parallel import check_here, one_thread
from ximstudio.maps.clusters.clustering import Criterion
from ximstudio.maps.clusters.method import ClusterTask, FoundClusters
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.citations import Citations
from ximstudio.model.clauses import printed
from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.model.spec import Number, param

ROUSSEEUW = (
    "P. J. Rousseeuw, Silhouettes: a graphical aid to the interpretation and"
    " validation of cluster analysis, Journal of Computational and Applied Mathematics"
    " 20:53–65 (1987)."
)

SILHOUETTE = "mean silhouette of the items"
AT_ONCE = 2**21
"""Values that are looked at at once."""


@dataclass(frozen=True, kw_only=True)
class NumberParams(Params):
    """Into how many clusters the nodes are grouped."""

    n_clusters: int | None = param(
        None,
        Number(
            label="Number of clusters",
            symbol="k",
            help="Left open, it is the number with the largest mean silhouette: how much nearer"
            " items are to the mean of their own cluster than to that of the next one.",
            low=1,
            high=1000,
            whole=True,
            automatic="by the mean silhouette of the items",
        ),
    )
    most: int = param(
        20,
        Number(
            label="Largest number tried",
            help="Largest number of clusters among which the best is sought.",
            low=2,
            high=100,
            whole=True,
            advanced=True,
        ),
    )


def number_text(params: NumberParams, citations: Citations) -> str:
    """Tell whether the number was given, or what chose it."""
    if params.n_clusters is not None:
        return ", a number that was given"
    return (
        f", the number up to {printed(params.most)} with the largest mean silhouette of the items"
        f"{citations.of(ROUSSEEUW)}"
    )


def choose(task: ClusterTask, grouped: Callable[[int], Ints], most: int) -> FoundClusters:
    """The clusters of the number asked for, or else of the best one.

    `grouped` gives the cluster of every node, from 0 on, for a number from 1 to `most`.
    """
    wanted = task.params.n_clusters
    refuse_number(wanted, most)
    numbers = range(2, min(task.params.most, most) + 1)
    tried = {number: grouped(number) for number in numbers}
    if not tried:
        return FoundClusters(grouped(1))
    of_items = [np.unique(each[task.winners], return_inverse=True)[1] for each in tried.values()]
    values = mean_silhouettes(task.seen, of_items)
    best = wanted if wanted is not None else int(numbers[int(values.argmax())])
    return FoundClusters(
        tried[best] if best in tried else grouped(best),
        Criterion(
            name=SILHOUETTE,
            numbers=tuple(numbers),
            values=values,
            chosen=best if wanted is None else None,
        ),
    )


def refuse_number(wanted: int | None, most: int) -> None:
    """Refuse more clusters than there can be."""
    if wanted is not None and wanted > most:
        raise UserError(
            key="clusters.too_many",
            what=f"{wanted} clusters cannot be found on this map.",
            where="parameter 'n_clusters'",
            fields=("n_clusters",),
            way_out=f"Ask for at most {most}, or leave the number open.",
        )


def mean_silhouettes(seen: Matrix, groupings: Sequence[Ints]) -> Floats:
    """Mean simplified silhouette (b − a)/max(a, b) of all items, for each of several groupings.

    a is the distance of an item to the mean of its own cluster and b that to the nearest mean of
    another (Vendramin, Campello and Hruschka 2010). Other than with distances between all items it
    takes no N² of them; other than with nodes in the place of items, a cluster of one node is not
    perfect only because all its items are taken to be the same. An item alone in its cluster has
    0. Every cluster has a number from 0 on, and an item.

    Distances over n of D features that are known are scaled by √(D/n); a feature of which a cluster
    knows nothing has the mean of all items there.
    """
    with one_thread():
        if isinstance(seen, Dissimilarities):
            return np.array([_of_table(seen.table, each) for each in groupings])
        return _of_features(seen.values, groupings)


def _of_features(values: Floats, groupings: Sequence[Ints]) -> Floats:
    from scipy.sparse import csr_array  # 0.1 s

    n_items, n_features = values.shape
    sizes = [int(each.max(initial=-1)) + 1 for each in groupings]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    rows = np.concatenate(
        [each + begin for each, begin in zip(groupings, offsets[:-1], strict=True)]
    )
    columns = np.tile(np.arange(n_items), len(groupings))
    members = csr_array((np.ones(len(rows)), (columns, rows)), shape=(n_items, offsets[-1]))
    step = max(1, AT_ONCE // max(n_features, int(offsets[-1])))
    blocks = [slice(begin, begin + step) for begin in range(0, n_items, step)]
    sums, counts = np.zeros((offsets[-1], n_features)), np.zeros((offsets[-1], n_features))
    shift = _middle(values, blocks)
    for block in blocks:
        check_here()
        known = ~np.isnan(values[block])
        # Moved to the middle: sums of squares of values far from 0 would lose their digits.
        moved = np.where(known, values[block] - shift, 0.0)
        sums += members[block].T @ moved
        counts += members[block].T @ known.astype(np.float64)
    means = sums / np.maximum(counts, 1.0)
    totals = np.zeros(len(groupings))
    for block in blocks:
        check_here()
        known = ~np.isnan(values[block])
        moved = np.where(known, values[block] - shift, 0.0)
        lengths = np.einsum("if,if->i", moved, moved)[:, None]
        squares = lengths - 2.0 * (moved @ means.T) + known @ (means**2).T
        squares *= n_features / np.maximum(known.sum(axis=1), 1)[:, None]
        for number, each in enumerate(groupings):
            part = squares[:, offsets[number] : offsets[number + 1]]
            totals[number] += _scores(part, each[block], np.bincount(each)).sum()
    return np.asarray(totals / n_items)


def _middle(values: Floats, blocks: Sequence[slice]) -> Floats:
    """Mean of the known values of every feature."""
    total, count = np.zeros(values.shape[1]), np.zeros(values.shape[1])
    for block in blocks:
        total += np.nansum(values[block], axis=0)
        count += (~np.isnan(values[block])).sum(axis=0)
    return np.asarray(total / np.maximum(count, 1.0))


def _of_table(table: Floats, grouping: Ints) -> float:
    """The same from distances alone: d(x, mean) is the mean d to all less half that among them."""
    sizes = np.bincount(grouping)
    members = np.eye(len(sizes))[grouping] / sizes
    step = max(1, AT_ONCE // len(table))
    squares = np.empty((len(table), len(sizes)))
    for begin in range(0, len(table), step):
        check_here()
        squares[begin : begin + step] = table[begin : begin + step] ** 2 @ members
    squares -= 0.5 * np.einsum("ic,ic->c", members, squares)
    return float(_scores(squares, grouping, sizes).mean())


def _scores(squares: Floats, own: Ints, sizes: Ints) -> Floats:
    """Silhouettes from squared distances to all means, (n, k)."""
    rows = np.arange(len(own))
    distances = np.sqrt(np.maximum(squares, 0.0))
    a = distances[rows, own]
    distances[rows, own] = np.inf
    b = distances.min(axis=1)
    larger = np.maximum(a, b)
    scored = (sizes[own] > 1) & (larger > 0.0) & np.isfinite(b)
    return np.asarray(np.divide(b - a, larger, out=np.zeros(len(own)), where=scored))
