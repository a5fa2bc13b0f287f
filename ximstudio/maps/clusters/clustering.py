"""Clusters of a map: a number for every node or item, and a name for every cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.named_set import NamedSet
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError

NOISE = -1
"""The number of what belongs to no cluster."""


class ClusteredUnit(StrEnum):
    """Unit that is clustered: nodes or items."""

    NODES = "nodes"
    ITEMS = "items"


@dataclass(frozen=True, kw_only=True, eq=False)
class Criterion:
    """Values of a criterion for every number of clusters, for a plot.

    Parameters
    ----------
    name
        Name of the values, for the axis of a plot.
    numbers, values
        Numbers of clusters that were tried, increasing, and the value of each.
    chosen
        The number that it determined; None where the user gave the number.
    """

    name: str
    numbers: tuple[int, ...]
    values: Floats
    chosen: int | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Clustering:
    """The clusters of a map, the one with most items first, and how they were found.

    Parameters
    ----------
    method, params, seed
        Key of the entry in CLUSTERINGS that made it, with what settings.
    over
        Whether nodes or items are given a cluster.
    clusters
        The cluster of every node, shape (M,), or of every item, shape (N,); −1 for none.
    names
        Names of the clusters, from cluster 0 on.
    criterion
        The criterion for the number of clusters; None where there is none.
    """

    method: str
    params: Params
    seed: int
    over: ClusteredUnit
    clusters: Ints
    names: tuple[str, ...]
    criterion: Criterion | None = None

    def __len__(self) -> int:
        return len(self.names)

    def renamed(self, cluster: int, name: str) -> Clustering:
        """The same clusters, one of them under another name, which no other may have."""
        name = name.strip()
        others = {each for number, each in enumerate(self.names) if number != cluster}
        if not name or name in others:
            raise UserError(
                key="clusters.name",
                what=f"There is a cluster '{name}' already." if name else "The name is empty.",
                where=f"cluster '{self.names[cluster]}'",
                way_out="Give it a name of its own.",
            )
        names = tuple(name if number == cluster else each for number, each in enumerate(self.names))
        return replace(self, names=names)


def by_size(clusters: Ints, weights: Ints | None = None) -> Ints:
    """The same clusters numbered by falling weight, then by who comes first; −1 stays.

    Every node or item weighs 1 unless `weights` say otherwise.
    """
    inside = clusters >= 0
    if not inside.any():
        return frozen(np.full(len(clusters), NOISE, dtype=np.int64))
    found, first, codes = np.unique(clusters[inside], return_index=True, return_inverse=True)
    weight = np.bincount(codes, None if weights is None else weights[inside], len(found))
    numbers = np.empty(len(found), dtype=np.int64)
    numbers[np.lexsort((first, -weight))] = np.arange(len(found))
    numbered = np.full(len(clusters), NOISE, dtype=np.int64)
    numbered[inside] = numbers[codes]
    return frozen(numbered)


def default_names(n_clusters: int) -> tuple[str, ...]:
    """Cluster 1, Cluster 2, …"""
    return tuple(f"Cluster {number}" for number in range(1, n_clusters + 1))


def items_of(clustering: Clustering, winners: Ints | None) -> Ints:
    """The cluster of every item, shape (N,): its own, or that of its node; −1 for none."""
    if clustering.over is ClusteredUnit.ITEMS:
        return clustering.clusters
    assert winners is not None
    return clustering.clusters[winners]


def as_sets(
    clustering: Clustering, item_ids: Sequence[str], winners: Ints | None
) -> tuple[NamedSet, ...]:
    """The items of every cluster under its name, the largest first; those of none are in no set."""
    of_item = items_of(clustering, winners)
    sizes = np.bincount(of_item[of_item >= 0], minlength=len(clustering))
    order = np.argsort(of_item, kind="stable")
    ends = np.searchsorted(of_item[order], np.arange(len(clustering)), side="right")
    return tuple(
        NamedSet.of(
            clustering.names[cluster],
            (item_ids[item] for item in order[ends[cluster] - sizes[cluster] : ends[cluster]]),
            note="Cluster of the map",
        )
        for cluster in np.argsort(-sizes, kind="stable").tolist()
        if sizes[cluster]
    )
