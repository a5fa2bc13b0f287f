"""HDBSCAN: clusters of items that lie densely on the map, and noise between them.

scikit-learn's holds the GIL throughout, 12 s for 50 000 items in which the window would be frozen,
and knows no torus. Here the long loop is a kernel; but for `contrast`, which scikit-learn lacks,
and for ties, which are broken in another order, the clusters are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ximstudio.kernels import spanning
from ximstudio.kernels.parallel import check_here
from ximstudio.maps.clusters.clustering import NOISE, ClusteredUnit
from ximstudio.maps.clusters.forest import Forest
from ximstudio.maps.clusters.method import ClusterMethod, ClusterTask, FoundClusters
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.params import Params
from ximstudio.model.result import PrototypeMap
from ximstudio.model.spec import Number, param

LEAST_ITEMS, SHARE = 5, 50
"""Defaults of the smallest cluster: a least number of items, and one in so many of all."""
MOST_NEIGHBOURS = 50
"""Default of the neighbours for a density: more take long and add little."""
AT_ONCE = 2**22
"""Distances between two questions whether to go on."""
ROOT = 0
TINY = 1e-9
"""Distances that differ by less than this share of the largest are treated as equal."""


@dataclass(frozen=True, kw_only=True)
class HdbscanParams(Params):
    """Density that makes a cluster; the number of clusters follows."""

    smallest: int | None = param(
        None,
        Number(
            label="Smallest cluster",
            help="Least number of items in a cluster.",
            unit="items",
            low=2,
            high=1_000_000,
            whole=True,
            automatic=f"one in {SHARE} items, at least {LEAST_ITEMS}",
        ),
    )
    neighbours: int | None = param(
        None,
        Number(
            label="Neighbours",
            symbol="k",
            help="The density at an item follows from its k nearest items, itself included. With"
            " larger k, more items are noise.",
            low=1,
            high=1_000_000,
            whole=True,
            automatic=f"as many as the smallest cluster has, at most {MOST_NEIGHBOURS}",
            advanced=True,
        ),
    )
    contrast: float | None = param(
        None,
        Number(
            label="Contrast",
            help="How many times closer together the items of a cluster are, on average, than"
            " where it ends. What is less dense than that may be chance, and is noise.",
            low=1.0,
            high=1000.0,
            automatic="1 + 1/√k",
            advanced=True,
        ),
    )
    grain: float | None = param(
        None,
        Number(
            label="Finest distance",
            help="Smaller distances count as equal, so that a cluster is not split into its nodes.",
            unit="grid units, or those of the positions",
            low=0.0,
            high=1e9,
            automatic="1 on a map with nodes, else 0",
            advanced=True,
        ),
    )


def dense_clusters(
    positions: Floats,
    *,
    periods: Floats,
    smallest: int,
    neighbours: int,
    grain: float = 0.0,
    contrast: float = 1.0,
) -> Ints:
    """The cluster of every item, −1 for noise; distances go the short way round a torus."""
    n_items = len(positions)
    if n_items < max(smallest, 2):
        return np.full(n_items, NOISE, dtype=np.int64)
    core = np.maximum(_core(positions, periods, min(neighbours, n_items)), grain) ** 2
    lengths = np.full(n_items, np.inf)
    sources = np.zeros(n_items, dtype=np.int64)
    outside = np.arange(1, n_items)
    left, right = np.empty(n_items - 1, np.int64), np.empty(n_items - 1, np.int64)
    squares = np.empty(n_items - 1)
    step, last = max(1, AT_ONCE // n_items), 0
    for begin in range(0, n_items - 1, step):
        check_here()
        end = min(begin + step, n_items - 1)
        last = spanning.grow(
            positions, periods, core, lengths, sources, outside, last, left, right, squares,
            begin, end,
        )  # fmt: skip
    check_here()
    lengths = np.sqrt(squares)
    return stable_clusters(left, right, lengths, smallest=smallest, contrast=contrast)


def _core(positions: Floats, periods: Floats, neighbours: int) -> Floats:
    """Distance of every item to its k-th nearest, itself the first."""
    from scipy.spatial import cKDTree  # 0.2 s

    joined = np.isfinite(periods)
    sides = np.where(joined, periods, 0.0)
    placed = positions.copy()
    placed[:, joined] %= periods[joined]
    # A remainder may be rounded up to the period itself.
    placed[:, joined] = np.where(placed[:, joined] < periods[joined], placed[:, joined], 0.0)
    tree = cKDTree(placed, boxsize=sides if joined.any() else None)
    core = np.empty(len(placed))
    step = max(1, AT_ONCE // (64 * neighbours))
    for begin in range(0, len(placed), step):
        check_here()
        found = tree.query(placed[begin : begin + step], k=[neighbours])
        core[begin : begin + step] = np.asarray(found[0])[:, 0]
    return core


def _find(task: ClusterTask) -> FoundClusters:
    result, params = task.result, task.params
    positions = np.ascontiguousarray(result.positions, dtype=np.float64)
    smallest = params.smallest or max(LEAST_ITEMS, len(positions) // SHARE)
    neighbours = params.neighbours or min(smallest, MOST_NEIGHBOURS)
    # A density estimated from k items scatters by about 1/√k of itself.
    contrast = params.contrast or 1.0 + neighbours**-0.5
    grain = params.grain
    if grain is None:
        grain = 1.0 if isinstance(result.model, PrototypeMap) else 0.0
    return FoundClusters(
        dense_clusters(
            positions,
            periods=np.asarray(result.periods),
            smallest=smallest,
            neighbours=neighbours,
            grain=grain,
            contrast=contrast,
        )
    )


HDBSCAN = ClusterMethod(
    key="hdbscan",
    name="HDBSCAN",
    about="Items that lie densely together on the map, whatever their shape; what lies scattered"
    " between belongs to no cluster. For maps without nodes, too.",
    over=ClusteredUnit.ITEMS,
    params=HdbscanParams,
    find=_find,
    reference="Campello, Moulavi and Sander 2013",
    in_text="HDBSCAN",
    works=(
        "R. J. G. B. Campello, D. Moulavi and J. Sander, Density-based clustering based on"
        " hierarchical density estimates, Advances in Knowledge Discovery and Data Mining"
        " (PAKDD 2013), Lecture Notes in Computer Science 7819:160–172 (2013).",
    ),
)


@dataclass(eq=False)
class _Branch:
    """A part of the tree while it holds enough items; λ = 1/distance at which it came up."""

    above: int
    birth: float
    size: int
    stability: float = 0.0
    below: list[int] = field(default_factory=list)


def stable_clusters(
    left: Ints, right: Ints, lengths: Floats, *, smallest: int, contrast: float = 1.0
) -> Ints:
    """The cluster of every item, −1 for noise, from the edges of a shortest tree over all items.

    As distances shrink the tree falls apart. A part lives from the distance at which it breaks off
    with at least `smallest` items down to that at which it breaks into two such parts. Of all ways
    to choose parts that have no item in common, that with the largest Σ (λ_out − λ_in) over items
    is taken, λ = 1/distance ("excess of mass", Campello, Moulavi, Sander 2013). The whole is no
    part, and neither is one in which λ_out is not in the mean at least `contrast` times λ_in:
    chance makes items lie a little more densely here than there, too.
    """
    n_items = len(lengths) + 1
    order = np.argsort(lengths, kind="stable")
    children, sizes = _merged(left[order].tolist(), right[order].tolist())
    longest = float(lengths.max(initial=0.0)) or 1.0
    rates = (1.0 / np.maximum(lengths[order], TINY * longest)).tolist()
    branches = [_Branch(above=-1, birth=0.0, size=n_items)]
    branch_of = [ROOT] * (2 * n_items - 1)
    fallen = [False] * (2 * n_items - 1)
    for merge in range(n_items - 2, -1, -1):
        parent, pair, rate = n_items + merge, children[merge], rates[merge]
        here = branch_of[parent]
        large = [sizes[child] >= smallest for child in pair]
        branch = branches[here]
        for child, enough in zip(pair, large, strict=True):
            branch_of[child], fallen[child] = here, fallen[parent] or not enough
            if fallen[parent]:
                continue
            if not enough or all(large):
                branch.stability += (rate - branch.birth) * sizes[child]
            if all(large):
                branch_of[child] = len(branches)
                branch.below.append(len(branches))
                branches.append(_Branch(above=here, birth=rate, size=sizes[child]))
    chosen = _chosen(branches, contrast)
    return np.array([chosen[branch_of[item]] for item in range(n_items)], dtype=np.int64)


def _merged(left: list[int], right: list[int]) -> tuple[list[tuple[int, int]], list[int]]:
    """Return what every edge joins, shortest first, and the sizes of items and joined parts.

    Edge e makes the part n + e of two parts.
    """
    n_items = len(left) + 1
    forest, sizes = Forest(2 * n_items - 1), [1] * n_items
    children = []
    for edge, (j, k) in enumerate(zip(left, right, strict=True)):
        pair = (forest.root(j), forest.root(k))
        children.append(pair)
        for part in pair:
            forest.join(n_items + edge, part)
        sizes.append(sizes[pair[0]] + sizes[pair[1]])
    return children, sizes


def _chosen(branches: list[_Branch], contrast: float) -> list[int]:
    """The cluster of every branch: its own number, that of the one it is part of, or −1."""
    best = [0.0] * len(branches)
    whole = [False] * len(branches)
    for number in range(len(branches) - 1, ROOT, -1):
        branch = branches[number]
        below = sum(best[child] for child in branch.below)
        dense = branch.stability >= (contrast - 1.0) * branch.size * branch.birth
        whole[number] = dense and branch.stability >= below
        best[number] = branch.stability if whole[number] else below
    clusters = [-1] * len(branches)
    for number in range(1, len(branches)):
        above = clusters[branches[number].above]
        clusters[number] = above if above >= 0 else (number if whole[number] else -1)
    return clusters
