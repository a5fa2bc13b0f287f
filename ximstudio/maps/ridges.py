"""Ridges of a map that recur when it is retrained, and are higher than chance makes them.

Groups of items lie in valleys of the U-matrix, and a ridge is what has to be crossed from one to
another. Prototypes alone blur this: on a SOM those between two groups bridge the gap in small
steps, and where nodes repel the empty ones lie close together and the groups on hills. So here
every node stands where its items are in the mean, and an empty node where the nearest node with
items is, by their prototypes; the height between neighbours is how far apart they stand.

The *pass* between two nodes is the highest step on the lowest way between them. It divides two
valleys: all that can be reached below it from the one, and from the other. A ridge is *prominent*
by how many times its pass is as high as the median step in the higher of the two valleys, both by
the steps of lowest ways (the minimum spanning tree). A valley with fewer than `FEWEST_ITEMS` items
or `LEAST_SHARE` of all is no group but outliers, and nothing divides it.

Prominence has no unit, so that it can be compared with *null maps*: the same method on one `cloud`
with the means, spreads and correlations of the data but no groups. A ridge is there in a run if it
is more than `MARGIN` times as prominent as the most prominent one of a null map, in the median of
several. Runs differ in where they put things, so ridges are looked for between the same items:
those of two neighbouring nodes of the reference, each at the node of the run that has most of them.
`permuted` data are no measure here: where groups differ in single features, these alone divide them
still.

Tried on noise of 300 to 1000 items, the most any ridge had was a seventh of the runs; with long
tails (Student's t of 3 degrees of freedom) two fifths.

Limits: clusters whose centres are 7 to 8 standard deviations apart are divided in a part of the
runs only, and such as overlap are not. Features with long tails can thin out more than a cloud
does. Where a method does not depend on the seed, all runs on all items are one, and only runs on
parts of the items tell something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.parallel import check_here, one_thread
from ximstudio.maps.clusters.forest import Forest
from ximstudio.maps.layer import LayerEvidence
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.matrix import Matrix

FEWEST_ITEMS, LEAST_SHARE = 3, 0.03
"""Items that a valley holds at least: so many, and this share of all."""
MARGIN = 1.1
"""Least prominence of a ridge, as a multiple of that of null maps."""
MIXED = 1000
"""Items that those of a cloud are mixed of, if there are more."""
MADE_AT_ONCE = 1000
"""Items of a cloud that are made at once."""
AT_ONCE = 2**20
"""Distances between nodes that are taken at once."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Ridges:
    """The ridges between all neighbouring nodes of a map.

    Parameters
    ----------
    edges
        Pairs of neighbouring nodes, as `Grid.edges`, shape (E, 2).
    shares
        Share of the runs in which there is a ridge between the items of the two, shape (E,): 0
        between nodes that stand for the same items, NaN where fewer than half of the runs have
        items of both: a few tell nothing.
    heights
        How far apart the two stand, by the means of their items, shape (E,); see above.
    """

    edges: Ints
    shares: Floats
    heights: Floats

    def __post_init__(self) -> None:
        for array in (self.edges, self.shares, self.heights):
            frozen(array)


class RidgeProminence:
    """The valleys of one map, and how prominent the ridges between them are."""

    def __init__(self, evidence: LayerEvidence) -> None:
        self.settled = settled(evidence)
        """The node with items that stands for every node, itself if it has any, shape (M,)."""
        edges = self.settled[evidence.grid.edges]
        places = centres(evidence)
        self.heights = np.linalg.norm(places[edges[:, 0]] - places[edges[:, 1]], axis=1)
        """Distances between neighbours, shape (E,)."""
        self._grow(edges, np.bincount(evidence.winners, minlength=evidence.grid.n_nodes))

    @property
    def most_prominent(self) -> float:
        """The prominence of the most prominent ridge; 0 where there is none."""
        return float(self._prominence.max(initial=0.0))

    def prominence(self, left: Ints, right: Ints) -> Floats:
        """Return the prominence of ridges between pairs of nodes with items; 0 without a ridge."""
        one, other = np.sort([self._place[left], self._place[right]], axis=0)
        apart = one < other
        found = np.zeros(len(left))
        if apart.any():
            # The last of all unions between the places of two nodes is the one that joined them.
            between = np.stack([one[apart], other[apart]], axis=1).ravel()
            found[apart] = self._prominence[np.maximum.reduceat(self._joined_at, between)[::2]]
        return found

    def _grow(self, edges: Ints, hits: Ints) -> None:
        """Join nodes from the lowest step to the highest (Kruskal), and note what each joins."""
        fewest = max(FEWEST_ITEMS, LEAST_SHARE * hits.sum())
        forest = Forest(len(hits))
        valleys = {
            node: _Valley([node], [], [], int(hits[node])) for node in np.flatnonzero(hits).tolist()
        }
        prominence: list[float] = []
        order = np.argsort(self.heights, kind="stable")
        for (left, right), height in zip(
            edges[order].tolist(), self.heights[order].tolist(), strict=True
        ):
            one, other = forest.root(left), forest.root(right)
            if one == other:
                continue
            forest.join(one, other)
            joined, joining = valleys[one], valleys.pop(other)
            prominence.append(joined.divided_from(joining, height, fewest))
            valleys[one] = joined.union(joining, height, len(prominence) - 1)
        # Nodes in the order in which a walk through the tree of unions meets them.
        (whole,) = valleys.values()
        self._prominence = np.array(prominence)
        self._joined_at = np.array([*whole.joined_at, 0, 0], dtype=np.int64)
        self._place = np.zeros(len(hits), dtype=np.int64)
        self._place[whole.nodes] = np.arange(len(whole.nodes))


@dataclass(frozen=True)
class _Valley:
    """Nodes that can be reached from each other, the union between each and the next, and steps."""

    nodes: list[int]
    joined_at: list[int]
    steps: list[float]
    n_items: int

    def divided_from(self, other: _Valley, height: float, fewest: float) -> float:
        if min(self.n_items, other.n_items) < fewest:
            return 0.0
        typical = max(self.typical, other.typical)
        return height / typical if typical > 0.0 else 0.0

    @property
    def typical(self) -> float:
        """Median step, 0 within one node."""
        return self.steps[len(self.steps) // 2] if self.steps else 0.0

    def union(self, other: _Valley, height: float, number: int) -> _Valley:
        return _Valley(
            [*self.nodes, *other.nodes],
            [*self.joined_at, number, *other.joined_at],
            [*sorted([*self.steps, *other.steps]), height],
            self.n_items + other.n_items,
        )


def ridge_shares(
    reference: LayerEvidence, runs: Sequence[LayerEvidence], nulls: Sequence[LayerEvidence]
) -> Ridges:
    """In which share of the runs there is a ridge between neighbouring nodes of the reference.

    All come with the items they were trained on, which have features; the structure may be any.
    Items of runs are found by their ids, so that runs on parts of the items count where they have
    items of both nodes.
    """
    here = RidgeProminence(reference)
    by_chance = float(np.median([RidgeProminence(null).most_prominent for null in nulls]))
    # A pass is never lower than what it divides: on a null map without ridges it is as high.
    chance = MARGIN * max(1.0, by_chance)
    edges = reference.grid.edges
    left, right = here.settled[edges].T
    rows = {name: row for row, name in enumerate(reference.result.item_ids)}
    there, looked = np.zeros((2, len(edges)))
    for run in runs:
        check_here()
        homes = _homes(reference, run, rows)
        known = (homes[left] >= 0) & (homes[right] >= 0)
        prominence = RidgeProminence(run).prominence(homes[left[known]], homes[right[known]])
        there[known] += prominence > chance
        looked += known
    shares = np.full(len(edges), np.nan)
    np.divide(there, looked, out=shares, where=2 * looked >= max(len(runs), 1))
    return Ridges(edges=edges, shares=shares, heights=here.heights)


def permuted(matrix: Matrix, seed: int) -> Matrix:
    """The same features, each with its values in an order of its own: nothing goes with anything.

    Blanks stay where they are, so that no item is left without a value. Names stay; labels of items
    are dropped, as they would tell of other items.
    """
    moved = np.random.default_rng(seed).permuted(matrix.values, axis=0).T
    values = matrix.values.copy()
    # Feature by feature: there are as many known values to be had as known cells.
    values.T[~matrix.missing.T] = moved[~np.isnan(moved)]
    return _unlabelled(matrix, values)


def cloud(matrix: Matrix, seed: int) -> Matrix:
    """One group without any inside: normal, with the means, spreads and correlations of the data.

    Every item is a random mixture of all, or of `MIXED` of them. Blanks are where they were, and
    count as the mean. Names stay; labels of items are dropped.
    """
    rng = np.random.default_rng(seed)
    values, blank = matrix.values, matrix.missing
    known = np.maximum((~blank).sum(axis=0), 1)
    middle = np.where(blank, 0.0, values).sum(axis=0) / known
    apart = np.where(blank, 0.0, values - middle)
    mixed = apart
    if len(apart) > MIXED:
        mixed = apart[rng.choice(len(apart), MIXED, replace=False)]
        mixed = mixed - mixed.mean(axis=0)
    mixed = mixed / np.sqrt(max(len(mixed) - 1, 1))
    made = np.empty_like(apart)
    for begin in range(0, len(made), MADE_AT_ONCE):
        check_here()
        some = made[begin : begin + MADE_AT_ONCE]
        weights = rng.normal(size=(len(some), len(mixed)))
        with one_thread():
            some[:] = middle + weights @ mixed
    return _unlabelled(matrix, np.where(blank, np.nan, made))


def _unlabelled(matrix: Matrix, values: Floats) -> Matrix:
    """The same names with other numbers, and without labels of items."""
    return Matrix(
        values=values,
        item_ids=matrix.item_ids,
        feature_names=matrix.feature_names,
        feature_labels=matrix.feature_labels,
        source=matrix.source,
        item_kind=matrix.item_kind,
        feature_kind=matrix.feature_kind,
    )


def settled(evidence: LayerEvidence) -> Ints:
    """The nearest node with items of every node, by prototypes; itself if it has any, (M,)."""
    prototypes = evidence.model.prototypes
    # Around the middle, where sums of squares lose fewest digits.
    prototypes = prototypes - prototypes.mean(axis=0)
    filled = np.unique(evidence.winners)
    nearest = np.arange(len(prototypes))
    empty = np.setdiff1d(nearest, filled)
    there = prototypes[filled]
    squares = np.einsum("kf,kf->k", there, there)
    at_once = max(1, AT_ONCE // len(filled))
    for begin in range(0, len(empty), at_once):
        check_here()
        some = empty[begin : begin + at_once]
        with one_thread():
            products = prototypes[some] @ there.T
        # Squared distances, but for what a node's own square adds.
        nearest[some] = filled[np.argmin(squares - 2.0 * products, axis=1)]
    return nearest


def centres(evidence: LayerEvidence) -> Floats:
    """Mean of the items of every node, shape (M, D): its prototype where nothing is known."""
    values, winners = evidence.seen.values, evidence.winners
    order = np.argsort(winners, kind="stable")
    filled, starts = np.unique(winners[order], return_index=True)
    known = ~np.isnan(values)
    counts = np.add.reduceat(known[order], starts, axis=0, dtype=np.float64)
    totals = np.add.reduceat(np.where(known, values, 0.0)[order], starts, axis=0)
    places = evidence.model.prototypes.copy()
    places[filled] = np.divide(totals, counts, out=places[filled], where=counts > 0)
    return places


def _homes(reference: LayerEvidence, run: LayerEvidence, rows: dict[str, int]) -> Ints:
    """The node of a run that has most items of every node of the reference; −1 where none has."""
    homes = np.full(reference.grid.n_nodes, -1)
    pairs = [(rows[name], row) for row, name in enumerate(run.result.item_ids) if name in rows]
    if not pairs:
        return homes
    here, there = np.array(pairs, dtype=np.int64).T
    n_nodes = run.grid.n_nodes
    met = reference.winners[here] * n_nodes + run.winners[there]
    met, counts = np.unique(met, return_counts=True)
    # Of nodes with equally many the first: it is written last.
    order = np.lexsort((-met, counts))
    homes[met[order] // n_nodes] = met[order] % n_nodes
    return homes
