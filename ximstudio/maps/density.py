"""Count items around every prototype, exactly, from rough distances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Bools, Floats, Floats32, Ints
from ximstudio.model.distances import distances_between
from ximstudio.model.relational import RelationalMap

PARETO_SHARE = 0.2013
"""Share of the data that the median sphere is to hold: the least part of a set that tells most
about it (Ultsch 2003)."""
SAMPLE = 512
"""Items among which the radius is looked for: all, or as many chosen at random."""
MIDDLE = 64
"""Prototypes whose median is the centre that sizes are measured from."""
SHARE = 1024
"""Items that one core takes at a time."""
ROUGH = 2**18
"""Rough distances held at once: few enough to stay in the cache."""
MOST_ITEMS = 255
"""Items counted at once: as many as a byte can count."""


def pareto_radius(values: Floats, *, seed: int = 0, table: Floats | None = None) -> float:
    """Radius at which the median sphere around an item holds 20.13 % of the others (Ultsch 2003).

    A sphere holds that share from the item's own quantile of distances on, so half of all spheres
    do from the median of these quantiles on. Of many items, a sample is looked at. Where that many
    items are the same, it is the least distance between two that are not. Distances are those of
    the values, or of a `table` (N, N).
    """
    n_items = len(values)
    chosen = np.arange(n_items)
    if n_items > SAMPLE:
        rng = np.random.default_rng(seed)
        chosen = np.sort(rng.choice(n_items, SAMPLE, replace=False))
    if table is None:
        apart = _distances_to_others(values[chosen])
    else:
        apart = _without_itself(table[np.ix_(chosen, chosen)])
    apart = apart[~np.isnan(apart).all(axis=1)]
    if not apart.size:
        return 0.0
    quantile = np.nanquantile if np.isnan(apart).any() else np.quantile
    radius = float(np.median(quantile(apart, PARETO_SHARE, axis=1)))
    if radius == 0.0:
        radius = float(np.min(apart, where=apart > 0.0, initial=np.inf))
    return radius if np.isfinite(radius) else 0.0


def count_within(values: Floats, prototypes: Floats, radius: float) -> Ints:
    """Count the items within `radius` of every prototype, shape (M,).

    Distances over n known features are scaled by √(D/n). Products of matrices in float32
    decide within or beyond, except for the few pairs that rounding leaves in doubt: these are
    measured by differences, so the counts are exact and the same on any number of cores.
    """
    # One table, so that all distances follow one rule.
    everything = np.vstack([values, prototypes])
    rough = _Rough.of(values, prototypes, radius)
    n_items, n_nodes = len(values), len(prototypes)
    at_once = min(max(1, ROUGH // n_nodes), MOST_ITEMS)
    counts = np.zeros((-(-n_items // SHARE), n_nodes), dtype=np.int64)

    def count(begin: int, end: int) -> None:
        own = counts[begin // SHARE]
        # Room for one block, used again: fresh pages cost more than sums.
        excess = np.empty((at_once, n_nodes), dtype=np.float32)
        within, doubtful = np.empty((2, at_once, n_nodes), dtype=np.bool_)
        in_doubt = []
        for start in range(begin, end, at_once):
            n = min(at_once, end - start)
            rough.compare(start, excess[:n], within[:n], doubtful[:n])
            own += np.add.reduce(within[:n].view(np.uint8), axis=0, dtype=np.uint8)
            in_doubt.append(start * n_nodes + np.flatnonzero(doubtful[:n]))
        items, nodes = np.divmod(np.concatenate(in_doubt), n_nodes)
        near = distances_between(everything, rough.order[items], n_items + nodes) <= radius
        own += np.bincount(nodes[near], minlength=n_nodes)

    over_blocks(n_items, SHARE, count)
    return np.asarray(counts.sum(axis=0))


def count_related(rows: Floats, model: RelationalMap, radius: float) -> Ints:
    """The same for items that are given by their dissimilarities to those that were trained on."""
    counts = np.zeros((-(-len(rows) // SHARE), model.grid.n_nodes), dtype=np.int64)

    def count(begin: int, end: int) -> None:
        within = model.squared_distances(rows[begin:end]) <= radius**2
        counts[begin // SHARE] = within.sum(axis=0)

    over_blocks(len(rows), SHARE, count)
    return np.asarray(counts.sum(axis=0))


@dataclass(frozen=True, kw_only=True, eq=False)
class _Rough:
    """Factors whose product is d² − r² of items and prototypes, in units of the radius r.

    d² − r² = |w|² − 2 x·w + (|x|² − r²); with blanks on the observed features, and n/D of r².
    Items are in the order of their size, so that the error of rounding is much the same for all of
    a block, and no item or prototype far from all others puts the rest in doubt.
    """

    order: Ints
    left: Floats32
    right: Floats32
    item_errors: Floats
    node_errors: Floats

    @classmethod
    def of(cls, values: Floats, prototypes: Floats, radius: float) -> _Rough:
        unit = radius if radius > 0.0 else 1.0
        # Any middle will do, and the median of all takes long.
        centre = np.median(prototypes[:: max(1, len(prototypes) // MIDDLE)], axis=0)
        with np.errstate(over="ignore", invalid="ignore"):
            items, nodes = (values - centre) / unit, (prototypes - centre) / unit
            blank = np.isnan(items)
            items[blank] = 0.0
            item_squares = np.einsum("if,if->i", items, items)
            node_squares = np.einsum("jf,jf->j", nodes, nodes)
            order = np.argsort(item_squares, kind="stable")
            limits = (radius / unit) ** 2 * (1.0 - blank.mean(axis=1))
            sizes = _sizes(blank[order])
            left = np.column_stack([items[order], sizes, (item_squares - limits)[order]])
            squares = nodes**2 if sizes.shape[1] > 1 else node_squares[:, None]
            right = np.vstack([-2.0 * nodes.T, squares.T, np.ones(len(nodes))])
            # Rounding of a float32 sum, of its terms and its factors; |x||w| ≤ (|x|² + |w|²)/2.
            precision = 2.0 * (len(right) + 16) * 2.0**-24
            return cls(
                order=order,
                left=left.astype(np.float32),
                right=right.astype(np.float32),
                item_errors=precision * (item_squares[order] + 1.0),
                node_errors=precision * node_squares,
            )

    def compare(self, start: int, excess: Floats32, within: Bools, doubtful: Bools) -> None:
        """Return which prototypes are within the radius of some items, and which are in doubt."""
        stop = start + len(excess)
        with np.errstate(over="ignore", invalid="ignore"):
            np.matmul(self.left[start:stop], self.right, out=excess)
            # The last item of the block is the largest.
            errors = (self.item_errors[stop - 1] + self.node_errors).astype(np.float32)
        np.less(excess, -errors, out=within)
        np.greater(excess, errors, out=doubtful)
        # Neither within nor beyond; also where the product overflowed and is no number.
        np.equal(within, doubtful, out=doubtful)


def _sizes(blank: Bools) -> Floats:
    """Return the factors for squares of prototypes: observed features, or 1 for their sum."""
    return (~blank).astype(np.float64) if blank.any() else np.ones((len(blank), 1))


def _distances_to_others(values: Floats) -> Floats:
    """Distances of every item to all others, shape (N, N − 1)."""
    n_items = len(values)
    left, right = np.triu_indices(n_items, 1)
    apart = np.empty((n_items, n_items))
    apart[left, right] = apart[right, left] = distances_between(values, left, right)
    return _without_itself(apart)


def _without_itself(apart: Floats) -> Floats:
    n_items = len(apart)
    return apart[~np.eye(n_items, dtype=np.bool_)].reshape(n_items, -1)
