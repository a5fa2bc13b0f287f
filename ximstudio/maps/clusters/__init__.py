"""Map → clusters of its nodes or items. `CLUSTERINGS` lists every way there is to find them."""

from __future__ import annotations

from ximstudio.maps.clusters import hdbscan, k_means, ward, watershed
from ximstudio.maps.clusters.clustering import (
    NOISE,
    ClusteredUnit,
    Clustering,
    Criterion,
    as_sets,
    by_size,
    default_names,
    items_of,
)
from ximstudio.maps.clusters.method import ClusterMethod, ClusterTask
from ximstudio.maps.sides import borders
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.model.registry import named
from ximstudio.model.result import PrototypeMap, Result

CLUSTERINGS: tuple[ClusterMethod, ...] = (
    ward.WARD,
    k_means.K_MEANS,
    watershed.WATERSHED,
    hdbscan.HDBSCAN,
)


def clustering_named(key: str) -> ClusterMethod:
    """The way with this key; unknown ones are refused with a proposal."""
    return named("clustering", key, CLUSTERINGS)


def clusterings_of(result: Result) -> tuple[ClusterMethod, ...]:
    """The ways that can be gone on this map: without nodes only those by positions."""
    has_nodes = isinstance(result.model, PrototypeMap)
    return tuple(way for way in CLUSTERINGS if has_nodes or way.over is ClusteredUnit.ITEMS)


def find_clusters(
    result: Result,
    matrix: Matrix,
    *,
    way: ClusterMethod,
    params: Params | None = None,
    seed: int = 0,
) -> Clustering:
    """The clusters of a map of these items, those with most items first."""
    if matrix.item_ids != result.item_ids or matrix.feature_names != result.feature_names:
        raise UserError(
            key="clusters.other_data",
            what="The items or features are not those that the map was trained on.",
            where=matrix.source,
            way_out="Give the table that the map was trained on.",
        )
    params = way.params() if params is None else params
    task = ClusterTask(result=result, matrix=matrix, params=params, seed=seed)
    found = way.find(task)
    weights = task.hits if way.over is ClusteredUnit.NODES else None
    clusters = by_size(found.clusters, weights)
    return Clustering(
        method=way.key,
        params=params,
        seed=seed,
        over=way.over,
        clusters=clusters,
        names=default_names(int(clusters.max(initial=NOISE)) + 1),
        criterion=found.criterion,
    )


__all__ = [
    "CLUSTERINGS",
    "NOISE",
    "ClusterMethod",
    "ClusteredUnit",
    "Clustering",
    "Criterion",
    "as_sets",
    "borders",
    "clustering_named",
    "clusterings_of",
    "find_clusters",
    "items_of",
]
