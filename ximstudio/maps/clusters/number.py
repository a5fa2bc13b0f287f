"""Number of clusters: given by the user, or the one that separates the items best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ximstudio.maps.clusters.clustering import Criterion
from ximstudio.maps.clusters.method import ClusterTask, FoundClusters
from ximstudio.maps.clusters.separation import mean_silhouettes
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.citations import Citations
from ximstudio.model.clauses import printed
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.model.spec import Number, param

ROUSSEEUW = (
    "P. J. Rousseeuw, Silhouettes: a graphical aid to the interpretation and"
    " validation of cluster analysis, Journal of Computational and Applied Mathematics"
    " 20:53–65 (1987)."
)

SILHOUETTE = "mean silhouette of the items"


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
    values = silhouettes(task, tuple(tried.values()))
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


def silhouettes(task: ClusterTask, of_nodes: tuple[Ints, ...]) -> Floats:
    """The mean silhouette of the items for several groupings of the nodes."""
    of_items = [np.unique(each[task.winners], return_inverse=True)[1] for each in of_nodes]
    return mean_silhouettes(task.seen, of_items)


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
