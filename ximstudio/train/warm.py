"""Warm starts: prototypes that reproduce an earlier map on another grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Matrix, some_of
from ximstudio.model.method_params import MethodParams
from ximstudio.model.metric import PRECOMPUTED, in_metric, metric_of
from ximstudio.model.problem import UserError
from ximstudio.model.result import LinearMap, PrototypeMap, Result
from ximstudio.model.words import counted

POWER = 4.0
NODES_AROUND = 8
"""Shepard's interpolation between earlier nodes: p of the weights d^(−p), and number of nodes."""
ITEMS_AROUND = 12
"""Items per node if the earlier map has no nodes."""
NARROWEST = 1.0
"""Smallest side of a part of a map, in grid units: all items may lie on one node."""


def start_from(
    result: Result, matrix: Matrix, params: MethodParams, *, around: Floats | None = None
) -> Floats:
    """`prototypes_from` for a training with these parameters; both must have the same metric."""
    earlier, later = metric_of(result.params), metric_of(params)
    if PRECOMPUTED in (earlier, later):
        raise UserError(
            key="warm.table",
            what="Prototypes of a table of distances are mixtures of its items, and cannot be taken"
            " over by another map.",
            where="parameter 'metric' of the earlier or the new map",
            fields=("metric",),
            way_out="Train a new map; one of the same size and table can start with the earlier"
            " run's coefficients.csv.",
        )
    if earlier != later:
        raise UserError(
            key="warm.metric",
            what=f"The earlier map uses {earlier} distances, the new one {later} distances.",
            where="parameter 'metric'",
            fields=("metric",),
            way_out=f"Use {earlier} distances, or train a new map.",
        )
    grid = params.sized(matrix.n_items).grid
    assert grid is not None
    return prototypes_from(result, in_metric(matrix, params), grid, around=around)


def prototypes_from(
    result: Result, matrix: Matrix, grid: Grid, *, around: Floats | None = None
) -> Floats:
    """Prototypes for the nodes of `grid`, shape (M, D), in the order of the matrix's features.

    The grid is stretched over the earlier map, and every node takes what the earlier map has at its
    place: the interpolated prototypes of its nodes, the plane itself of a projection, or the mean
    of the items there. The same grid gets the same prototypes, to the last bit.

    Parameters
    ----------
    result
        The earlier map.
    matrix
        The data to train on. Features are matched by name; for a map without nodes, some items must
        be those of the earlier map.
    grid
        The new nodes.
    around
        Positions on the earlier map, shape (n, d): the grid covers only the part in which they lie.
    """
    # Any kind of map: those with neither nodes nor a plane have items.
    model: object = result.model
    columns = columns_named(matrix.feature_names, result.feature_names, source=matrix.source)
    if isinstance(model, PrototypeMap) and around is None and grid == model.grid:
        return frozen(model.prototypes[:, columns])
    region = whole_of(result) if around is None else part_of_map(result, around)
    places = laid_over(grid, region)
    if isinstance(model, PrototypeMap):
        prototypes = _between(places, model.grid.nodes, region.periods) @ model.prototypes
        return frozen(np.asarray(prototypes[:, columns]))
    if isinstance(model, LinearMap):
        return frozen((model.centre + places @ model.components)[:, columns])
    return frozen(_means_of_items(result, matrix, places, region.periods))


def columns_named(wanted: tuple[str, ...], names: tuple[str, ...], *, source: str) -> Ints:
    """Return indices of the wanted features in an earlier map; refuse if one is absent."""
    there = {name: number for number, name in enumerate(names)}
    absent = [name for name in wanted if name not in there]
    if absent:
        raise UserError(
            key="warm.features",
            what=f"{counted(len(absent), 'feature is', 'features are')} not on the earlier map.",
            where=f"{source}: {some_of(absent)}",
            way_out="Use data with the features of the earlier map, under the same names.",
        )
    return np.array([there[name] for name in wanted], dtype=np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Region:
    """A part of a map, or all of it, axis by axis.

    Parameters
    ----------
    low, high
        Start and end; on a joined axis the end may lie beyond one period.
    periods
        Length after which the map repeats, infinite where it does not.
    closed
        Whether it goes all the way round a joined axis.
    """

    low: Floats
    high: Floats
    periods: Floats
    closed: tuple[bool, ...]


def whole_of(result: Result) -> Region:
    """Return the extent of a map: from its first to its last nodes, or the spread of its items.

    Without nodes, a box in which evenly spread places have the variance of the items, because the
    outermost item does not define the size of a map.
    """
    periods = np.asarray(result.periods)
    if isinstance(result.model, PrototypeMap):
        nodes = result.model.grid.nodes
        low, high = nodes.min(axis=0), nodes.max(axis=0)
    else:
        middle, reach = result.positions.mean(axis=0), np.sqrt(3.0) * result.positions.std(axis=0)
        low, high = middle - reach, middle + reach
    return Region(low=low, high=high, periods=periods, closed=tuple(np.isfinite(periods).tolist()))


def part_of_map(result: Result, positions: Floats) -> Region:
    """Return the part of a map with these positions; on a joined axis, the shortest way round."""
    periods = np.asarray(result.periods)
    sides = [_shortest(places, period) for places, period in zip(positions.T, periods, strict=True)]
    low, high = np.array(sides).T
    if isinstance(result.model, PrototypeMap):
        lacking = np.maximum(NARROWEST - (high - low), 0.0)
        low, high = low - 0.5 * lacking, high + 0.5 * lacking
    return Region(low=low, high=high, periods=periods, closed=(False,) * len(periods))


def _shortest(places: Floats, period: float) -> tuple[float, float]:
    """Start and end of the shortest stretch that contains all places."""
    if not np.isfinite(period):
        return float(places.min()), float(places.max())
    ordered = np.sort(places % period)
    gaps = np.diff(ordered, append=ordered[0] + period)
    # It begins after the widest gap and ends before it.
    last = int(np.argmax(gaps))
    begin = float(ordered[(last + 1) % len(ordered)])
    return begin, begin + period - float(gaps[last])


def laid_over(grid: Grid, region: Region) -> Floats:
    """Positions of a grid's nodes in another map when it is stretched over a region of it.

    A joined axis goes round a joined one. Over an open one it is folded, both halves on top of each
    other, so that its seam does not tear neighbours apart. Along an axis on which the grid has no
    extent, it lies in the middle.
    """
    places = np.empty((grid.n_nodes, len(region.low)))
    for axis in range(places.shape[1]):
        low, high = region.low[axis], region.high[axis]
        shares = np.full(grid.n_nodes, 0.5)
        if axis < grid.nodes.shape[1] and np.ptp(grid.nodes[:, axis]) > 0:
            along = grid.nodes[:, axis] - grid.nodes[:, axis].min()
            period = grid.periods[axis]
            if np.isfinite(period) and region.closed[axis]:
                shares, high = along / period, low + region.periods[axis]
            elif np.isfinite(period):
                shares = np.abs(1.0 - 2.0 * along / period)
            else:
                shares = along / along.max()
        places[:, axis] = low + shares * (high - low)
    return places


def _nearest(places: Floats, points: Floats, periods: Floats, k: int) -> tuple[Floats, Ints]:
    """Distances to the k nearest points and their numbers, both of shape (len(places), k)."""
    from scipy.spatial import cKDTree  # 0.1 s, only for warm starts

    joined = np.isfinite(periods)
    box = np.where(joined, periods, 0.0)

    def within(array: Floats) -> Floats:
        # A value just below 0 becomes exactly one period by rounding.
        inside = np.where(joined, array % np.where(joined, periods, 1.0), array)
        return np.where(joined & (inside >= box), 0.0, inside)

    tree = cKDTree(within(points), boxsize=box if joined.any() else None)
    distances, numbers = tree.query(within(places), k=range(1, min(k, len(points)) + 1))
    return np.asarray(distances), np.asarray(numbers)


def _between(places: Floats, nodes: Floats, periods: Floats) -> Any:
    """Weights of the nodes at each place by Shepard's rule, sparse, shape (places, nodes)."""
    distances, numbers = _nearest(places, nodes, periods, NODES_AROUND)
    nearest = distances[:, :1]
    # In units of the nearest distance, so that no power overflows; on a node only that node counts.
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = np.where(nearest > 0, (nearest / distances) ** POWER, distances == 0)
    return _sparse(weights, numbers, len(nodes))


def _means_of_items(result: Result, matrix: Matrix, places: Floats, periods: Floats) -> Floats:
    """Means of the items around each place without missing values; nearer ones have more weight."""
    rows = {name: row for row, name in enumerate(matrix.item_ids)}
    known = [(rows[name], row) for row, name in enumerate(result.item_ids) if name in rows]
    if not known:
        raise UserError(
            key="warm.items",
            what="A map without nodes can only be a start for its own items.",
            where=f"{matrix.source}: none of its items is on the earlier map",
            way_out="Train on some of its items too, or start from a map with nodes.",
        )
    here, there = np.array(known).T
    distances, numbers = _nearest(places, result.positions[there], periods, ITEMS_AROUND)
    farthest = distances[:, -1:]
    weights = np.exp(-2.0 * (distances / np.where(farthest > 0, farthest, 1.0)) ** 2)
    average = _sparse(weights, numbers, len(there))
    values = matrix.values[here]
    observed = ~np.isnan(values)
    usual = np.nanmean(matrix.values, axis=0)
    sums, shares = average @ np.where(observed, values, 0.0), average @ observed.astype(np.float64)
    return np.asarray(np.where(shares > 0, sums / np.where(shares > 0, shares, 1.0), usual))


def _sparse(weights: Floats, numbers: Ints, n_columns: int) -> Any:
    """Sparse matrix of weights that add up to 1 in every row."""
    from scipy.sparse import csr_array

    shares = weights / weights.sum(axis=1, keepdims=True)
    ends = np.arange(len(shares) + 1) * shares.shape[1]
    return csr_array((shares.ravel(), numbers.ravel(), ends), shape=(len(shares), n_columns))
