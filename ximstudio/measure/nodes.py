"""Measures of nodes: quantisation, topographic errors and the use of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.parallel import check_here
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap
from ximstudio.train.complete import mean_or_nan

DISTANCES = 2**18
"""Number of distances of items to prototypes taken at once: few enough to stay in the cache."""
PATHS = 2**16
"""Number of paths between nodes searched at once: scipy holds the GIL meanwhile."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BestNodes:
    """The two nodes whose prototypes are nearest to each item, all of shape (N,).

    Parameters
    ----------
    winners, seconds
        The nodes; on a map of one node it is both.
    distances, second_distances
        Distances of their prototypes from the item. The first is the item's quantisation error.
    """

    winners: Ints
    seconds: Ints
    distances: Floats
    second_distances: Floats


def best_nodes(model: PrototypeMap, values: Floats, winners: Ints) -> BestNodes:
    """Find the two best nodes of items whose winners are known."""
    n_items, n_nodes = len(values), model.grid.n_nodes
    seconds = np.empty(n_items, dtype=np.int64)
    squares, second_squares = np.empty(n_items), np.empty(n_items)
    for items in item_blocks(n_items, n_nodes):
        apart = squared_distances(values[items], model)
        rows = np.arange(len(apart))
        squares[items] = apart[rows, winners[items]]
        apart[rows, winners[items]] = np.inf
        seconds[items] = apart.argmin(axis=1)
        # A single node is also the second.
        apart[rows, winners[items]] = squares[items]
        second_squares[items] = apart[rows, seconds[items]]
    return BestNodes(
        winners=winners,
        seconds=seconds,
        distances=np.sqrt(np.maximum(squares, 0.0)),
        second_distances=np.sqrt(np.maximum(second_squares, 0.0)),
    )


def topographic_errors(grid: Grid, best: BestNodes) -> Floats:
    """1 for items whose best two nodes are not neighbours on the map, else 0 (Kiviluoto 1996).

    Neighbours are those of `Grid.edges`, seams included: four on a rectangular and six on a
    hexagonal lattice. The mean over all items is the topographic error of the map.
    """
    return _astray(grid, best).astype(np.float64)


def kaski_lagus(model: PrototypeMap, best: BestNodes) -> Floats:
    """Distance to the best prototype and on along the map to the second (Kaski & Lagus 1996).

    The path along the map is the shortest over neighbouring nodes, each step as long as the
    distance of their prototypes. It is short on a map that neither folds nor tears.
    """
    from scipy.sparse import csr_array  # 0.3 s, and measures are looked up without
    from scipy.sparse.csgraph import dijkstra

    grid = model.grid
    # No path is shorter than the straight one, so neighbours need no search.
    ways = model.apart(best.winners, best.seconds)
    astray = np.flatnonzero(_astray(grid, best))
    left, right = grid.edges.T
    shape = (grid.n_nodes, grid.n_nodes)
    graph = csr_array((model.apart(left, right), (left, right)), shape=shape)
    sources, which = np.unique(best.winners[astray], return_inverse=True)
    at_once = max(1, PATHS // grid.n_nodes)
    for begin in range(0, len(sources), at_once):
        check_here()
        paths = dijkstra(graph, directed=False, indices=sources[begin : begin + at_once])
        here = (which >= begin) & (which < begin + at_once)
        ways[astray[here]] = paths[which[here] - begin, best.seconds[astray[here]]]
    return best.distances + ways


def hit_entropy(winners: Ints, n_nodes: int) -> float:
    """Σ p ln(1/p) over the shares p of items per node, divided by ln of the lesser of N and M.

    0 where one node of several wins all items, 1 where they are spread as evenly as possible.
    """
    most = min(len(winners), n_nodes)
    if most <= 1:
        return 1.0
    counts = np.bincount(winners)
    shares = counts[counts > 0] / len(winners)
    return float((shares * np.log(1.0 / shares)).sum() / np.log(most))


def empty_nodes(winners: Ints, n_nodes: int) -> int:
    """Return the number of nodes that win no item."""
    return n_nodes - len(np.unique(winners))


def per_node(values: Floats, winners: Ints, n_nodes: int) -> Floats:
    """Return the mean of a value over the items of each node, shape (M,); NaN where it wins none.

    Items with NaN are skipped.
    """
    known = ~np.isnan(values)
    totals = np.asarray(np.bincount(winners[known], values[known], n_nodes), dtype=np.float64)
    counts = np.asarray(np.bincount(winners[known], minlength=n_nodes), dtype=np.float64)
    return mean_or_nan(totals, counts)


def squared_distances(values: Floats, model: PrototypeMap) -> Floats:
    """d_E of items to all prototypes, shape (N, M), scaled by D/n where n features are known.

    By differences: products would lose digits of items close together and far from zero.
    """
    if isinstance(model, RelationalMap):
        return model.squared_distances(values)
    from scipy.spatial.distance import cdist  # 0.2 s

    prototypes = model.prototypes
    known = ~np.isnan(values)
    whole = known.all(axis=1)
    squares = np.empty((len(values), len(prototypes)))
    squares[whole] = cdist(values[whole], prototypes, "sqeuclidean")
    for item in np.flatnonzero(~whole):
        weights = known[item] * (values.shape[1] / known[item].sum())
        filled = np.where(known[item], values[item], 0.0)
        squares[item] = cdist(filled[None], prototypes, "sqeuclidean", w=weights)[0]
    return squares


def item_blocks(n_items: int, n_nodes: int) -> Iterator[slice]:
    """Yield the items in blocks whose distances to all nodes fit into memory."""
    at_once = max(1, DISTANCES // n_nodes)
    for begin in range(0, n_items, at_once):
        check_here()
        yield slice(begin, min(begin + at_once, n_items))


def _astray(grid: Grid, best: BestNodes) -> Bools:
    """Return the mask of items whose two best nodes differ and are not neighbours."""
    nodes = np.column_stack([best.winners, best.seconds])
    # Both as one number per pair, the lesser node first.
    pairs = nodes.min(axis=1) * grid.n_nodes + nodes.max(axis=1)
    neighbours = grid.edges[:, 0] * grid.n_nodes + grid.edges[:, 1]
    return np.asarray((best.winners != best.seconds) & ~np.isin(pairs, neighbours))
