"""Watershed of the U-matrix: water rises from every valley, and clusters end where waters meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ximstudio.kernels.parallel import check_here
from ximstudio.maps.clusters.clustering import NOISE, ClusteredUnit, Criterion
from ximstudio.maps.clusters.forest import Forest
from ximstudio.maps.clusters.method import ClusterMethod, ClusterTask, FoundClusters
from ximstudio.maps.clusters.number import refuse_number
from ximstudio.maps.heights import u_matrix
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.params import Params
from ximstudio.model.spec import Choice, Number, param

DEPTH = "depth of the shallowest basin, share of all heights"


@dataclass(frozen=True, kw_only=True)
class WatershedParams(Params):
    """Number of basins to keep, and whether to look for valleys or hills."""

    n_clusters: int | None = param(
        None,
        Number(
            label="Number of clusters",
            symbol="k",
            help="The shallowest basins are joined to the next until so many are left. Left open,"
            " until all that are left are as deep as they have to be.",
            low=1,
            high=1000,
            whole=True,
            automatic="by the depth of basins",
        ),
    )
    depth: float = param(
        0.1,
        Number(
            label="Depth of a basin",
            help="How high water has to rise from the bottom of a basin before it runs over into"
            " the next. Shallower basins are no clusters of their own.",
            unit="× the range of all heights",
            low=0.0,
            high=1.0,
        ),
    )
    groups: str = param(
        "auto",
        Choice(
            label="Groups are",
            help="On a SOM the nodes of a group are close to each other; where nodes repel, those"
            " with items are far from the empty ones around them.",
            advanced=True,
            options={
                "auto": "where items are: in valleys, or on hills if items lie higher than nodes do"
                " in the mean",
                "valleys": "valleys of the U-matrix, as on a SOM",
                "hills": "hills of the U-matrix, as where nodes repel",
            },
        ),
    )


class Basins(NamedTuple):
    """Basins of the U-matrix: the bottom of every node, and the lowest passes between bottoms."""

    bottoms: Ints
    passes: dict[tuple[int, int], float]


class Merge(NamedTuple):
    """A basin that runs over into another, and how deep it was."""

    into: int
    basin: int
    depth: float


def basins(heights: Floats, edges: Ints) -> Basins:
    """The basin of every node: it goes with its lowest neighbour, unless it is lowest itself.

    Of equal heights the node with the smaller number counts as lower. The pass between two basins
    is the lowest of all ways over two neighbouring nodes.
    """
    rank = np.empty(len(heights), dtype=np.int64)
    rank[np.argsort(heights, kind="stable")] = np.arange(len(heights))
    lowest = rank.copy()
    left, right = edges.T
    np.minimum.at(lowest, left, rank[right])
    np.minimum.at(lowest, right, rank[left])
    order = np.argsort(rank)
    down = order[lowest]
    # Every step goes down, so that from twice as far each time all come to their bottom.
    while not np.array_equal(down, down[down]):
        down = down[down]
    passes: dict[tuple[int, int], float] = {}
    over = np.maximum(heights[left], heights[right])
    for j, k, height in zip(down[left].tolist(), down[right].tolist(), over.tolist(), strict=True):
        if j != k:
            pair = (min(j, k), max(j, k))
            passes[pair] = min(height, passes.get(pair, np.inf))
    return Basins(down, passes)


def overflows(heights: Floats, hits: Ints, found: Basins) -> Iterator[Merge]:
    """Basins that run over until none can: the shallowest first, and empty ones before it.

    A basin runs over its lowest pass, into what lies behind. It is as deep as the pass is above its
    bottom. One is left on every part of the map that is no neighbour of another.
    """
    items = np.bincount(found.bottoms, hits, len(heights))
    around: dict[int, dict[int, float]] = {int(each): {} for each in np.unique(found.bottoms)}
    for (j, k), height in found.passes.items():
        around[j][k] = around[k][j] = height
    bottoms = heights.tolist()
    while any(around.values()):
        check_here()
        basin, into, depth = min(
            ((each, *_way_out(bottoms, each, others)) for each, others in around.items() if others),
            key=lambda each: (items[each[0]] > 0, each[2], each[0]),
        )
        yield Merge(into, basin, depth)
        for other, height in around.pop(basin).items():
            del around[other][basin]
            if other != into:
                lower = min(height, around[into].get(other, np.inf))
                around[into][other] = around[other][into] = lower
        items[into] += items[basin]
        # One without items may be deeper than what it runs into.
        bottoms[into] = min(bottoms[into], bottoms[basin])


def _way_out(bottoms: list[float], basin: int, others: dict[int, float]) -> tuple[int, float]:
    """Return the basin that another runs over into, and its depth."""
    into = min(others, key=lambda other: (others[other], bottoms[other], other))
    return into, others[into] - bottoms[basin]


def _find(task: ClusterTask) -> FoundClusters:
    params = task.params
    heights = u_matrix(task.model)
    known = ~np.isnan(heights)
    edges = task.model.grid.edges
    # Among nodes with known heights, which are numbered anew.
    edges = (np.cumsum(known) - 1)[edges[known[edges].all(axis=1)]]
    heights, hits = heights[known], task.hits[known]
    if not hits.any():
        raise task.blanks
    on_hills = np.average(heights, weights=hits) > heights.mean()
    if params.groups == "hills" or (params.groups == "auto" and on_hills):
        heights = -heights
    found = basins(heights, edges)
    merges = list(overflows(heights, hits, found))
    filled = len({int(bottom) for bottom in found.bottoms[hits > 0]})
    # Blanks may cut the map into parts, which nothing joins; the rest of it is one.
    fewest = len({int(part) for part in _joined(found, merges).roots()[hits > 0]})
    range_of_all = float(np.ptp(heights)) or 1.0
    # Those without items have run over first, so that the last ones are all about items.
    empty = len(merges) - (filled - fewest)
    depths = np.array([merge.depth for merge in merges[empty:]])[::-1] / range_of_all
    refuse_number(params.n_clusters, filled)
    deep = depths >= params.depth
    automatic = filled if deep.all() else fewest + int(np.argmin(deep))
    number = max(params.n_clusters or automatic, fewest)
    numbers = _joined(found, merges[: empty + filled - number]).numbers()
    numbers[~np.isin(numbers, numbers[hits > 0])] = NOISE
    clusters = np.full(len(known), NOISE)
    clusters[known] = numbers
    if filled == fewest:
        return FoundClusters(clusters)
    return FoundClusters(
        clusters,
        Criterion(
            name=DEPTH,
            numbers=tuple(range(fewest + 1, filled + 1)),
            values=depths,
            chosen=automatic if params.n_clusters is None else None,
        ),
    )


def _joined(found: Basins, merges: Sequence[Merge]) -> Forest:
    """The basins after some of them have run over."""
    joined = Forest(len(found.bottoms))
    for node, bottom in enumerate(found.bottoms.tolist()):
        joined.join(bottom, node)
    for merge in merges:
        joined.join(merge.into, merge.basin)
    return joined


WATERSHED = ClusterMethod(
    key="watershed",
    name="Watershed",
    about="Valleys of the U-matrix, with their borders along its ridges; as many as are deep"
    " enough.",
    over=ClusteredUnit.NODES,
    params=WatershedParams,
    find=_find,
    reference="Vincent and Soille 1991; Costa and Netto 1999",
    in_text="the watershed transformation",
    works=(
        "L. Vincent and P. Soille, Watersheds in digital spaces: an efficient algorithm based"
        " on immersion simulations, IEEE Transactions on Pattern Analysis and Machine"
        " Intelligence 13:583–598 (1991).",
    ),
)
