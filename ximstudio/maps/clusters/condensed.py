"""Select clusters from a tree of items: the parts that persist longest as distances shrink."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ximstudio.maps.clusters.forest import Forest
from ximstudio.model.arrays import Floats, Ints

ROOT = 0
TINY = 1e-9
"""Distances that differ by less than this share of the largest are treated as equal."""


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
