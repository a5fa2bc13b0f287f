"""Order of the rows and columns of a heat map: by label, by clustering with a tree, by map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.kernels import linking
from ximstudio.kernels.parallel import check_here, one_thread
from ximstudio.maps.clusters.forest import Forest
from ximstudio.maps.drawn import drawn
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.directions import directions
from ximstudio.model.grid import Grid
from ximstudio.model.problem import UserError
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.model.structures import Cell
from ximstudio.model.words import grouped, natural

CURVE_BITS = 16
"""Hilbert's curve runs through 2 to this power rows and columns."""
MOST_ROWS = 6000
"""Maximum number of rows: 18 million distances, 144 MB."""
MOST_OPTIMAL = 300
"""Maximum number of rows for optimal leaf ordering.

scipy's search holds the GIL: 0.05 s for 300 rows, 0.2 s for 500 and 7 s for 2000, in which the
window would freeze.
"""
AT_ONCE = 2**23
"""Distances computed between two checks for cancellation."""
IN_ONE_STEP = 2**22
"""Distances computed in one step."""


def apart(values: Floats) -> Floats:
    """Distances √(2 − 2r) between the shapes of all pairs of rows: (0, 1), (0, 2), …, (1, 2), …

    Over the columns known of both, scaled up to the full number of columns. Rows without a
    common column, and rows that do not vary, count as uncorrelated: they are √2 apart.
    """
    table = _between(directions(values, centred=True))
    return np.where(np.isnan(table), np.sqrt(2.0), np.minimum(table, 2.0))


def _between(values: Floats) -> Floats:
    n_rows, n_columns = values.shape
    known = (~np.isnan(values)).astype(np.float64)
    filled = np.where(known > 0.0, values, 0.0)
    squares = filled**2
    complete = bool(known.all())
    found = np.empty(n_rows * (n_rows - 1) // 2)
    step, place = max(1, IN_ONE_STEP // max(n_rows, 1)), 0
    with one_thread():
        for begin in range(0, n_rows, step):
            check_here()
            rows = slice(begin, begin + step)
            total = -2.0 * (filled[rows] @ filled.T)
            if complete:
                lengths = squares.sum(axis=1)
                total += lengths[rows, None] + lengths
            else:
                total += squares[rows] @ known.T + known[rows] @ squares.T
                count = known[rows] @ known.T
                total *= n_columns / np.where(count > 0.0, count, np.nan)
            for row in range(begin, min(begin + step, n_rows)):
                part = total[row - begin, row + 1 :]
                found[place : place + len(part)] = part
                place += len(part)
    return np.sqrt(np.maximum(found, 0.0, out=found), out=found)


@dataclass(frozen=True, kw_only=True, eq=False)
class Tree:
    """The merges of rows, and an order in which branches do not cross.

    Parameters
    ----------
    merges
        (n − 1, 4) as in scipy: the two that are merged, their distance, and the number of rows
        then. Merge m creates number n + m.
    order
        Rows from the first to the last, shape (n,).
    """

    merges: Floats
    order: Ints

    @property
    def lines(self) -> Floats:
        """Lines of its drawing, shape (3 (n − 1), 2, 2): places along the order, and heights.

        Row order[p] is at place p and height 0. Every merge has two uprights and a crossbar.
        """
        n_rows, n_merges = len(self.order), len(self.merges)
        places, heights = np.empty(n_rows + n_merges), np.zeros(n_rows + n_merges)
        places[self.order] = np.arange(n_rows)
        lines = np.empty((n_merges, 3, 2, 2))
        for merge, (j, k) in enumerate(self.merges[:, :2].astype(np.int64).tolist()):
            top = float(self.merges[merge, 2])
            ends = ((places[part], heights[part]) for part in (j, k))
            (first, low), (second, high) = sorted(ends)
            lines[merge] = [
                [[first, low], [first, top]],
                [[first, top], [second, top]],
                [[second, top], [second, high]],
            ]
            places[n_rows + merge], heights[n_rows + merge] = 0.5 * (first + second), top
        return frozen(lines.reshape(-1, 2, 2))


def tree_of(values: Floats) -> Tree:
    """Cluster all rows by their correlations; more than `MOST_ROWS` rows are refused.

    The distance of groups is the mean distance of their rows (average linkage).
    Up to `MOST_OPTIMAL` rows, the order has the smallest sum of distances between neighbours that
    the tree allows (Bar-Joseph, Gifford and Jaakkola 2001). Above, each two branches are turned so
    that the rows that meet are as near as possible (Gruvaeus and Wainer 1972).
    """
    n_rows = len(values)
    if n_rows > MOST_ROWS:
        raise UserError(
            key="order.too_many",
            what=f"Clustering orders at most {grouped(MOST_ROWS)} rows or columns.",
            where=f"{grouped(n_rows)} of them",
            way_out="Select fewer, or order them by the map.",
        )
    if n_rows < 2:
        return Tree(merges=frozen(np.empty((0, 4))), order=frozen(np.arange(n_rows)))
    table = apart(values)
    merges = linked(table)
    return Tree(merges=frozen(merges), order=frozen(_order(merges, table)))


def linked(table: Floats) -> Floats:
    """All merges by rising distance, shape (n − 1, 4), from the distances of all pairs of n rows.

    Like `scipy.cluster.hierarchy.linkage`, which holds the GIL: 6 s for 6000 rows (ADR 27).
    """
    n_rows = round((1.0 + np.sqrt(1.0 + 8.0 * len(table))) / 2.0)
    left, right = np.empty(n_rows - 1, np.int64), np.empty(n_rows - 1, np.int64)
    heights, sizes = np.empty(n_rows - 1), np.ones(n_rows, dtype=np.int64)
    chain, n_chain, working = np.empty(n_rows, dtype=np.int64), 0, table.copy()
    step = max(1, AT_ONCE // n_rows)
    for begin in range(0, n_rows - 1, step):
        check_here()
        end = min(begin + step, n_rows - 1)
        n_chain = linking.link(working, sizes, chain, n_chain, left, right, heights, begin, end)
    return _numbered(left, right, heights)


def _numbered(left: Ints, right: Ints, heights: Floats) -> Floats:
    """Sort merges by height, and number the clusters that they merge."""
    n_rows = len(heights) + 1
    forest, sizes = Forest(2 * n_rows - 1), [1] * n_rows
    merges = np.empty((n_rows - 1, 4))
    for number, merge in enumerate(np.argsort(heights, kind="stable").tolist()):
        j, k = sorted((forest.root(int(left[merge])), forest.root(int(right[merge]))))
        for part in (j, k):
            forest.join(n_rows + number, part)
        sizes.append(sizes[j] + sizes[k])
        merges[number] = (j, k, heights[merge], sizes[-1])
    return merges


def _order(merges: Floats, table: Floats) -> Ints:
    n_rows = len(merges) + 1
    if n_rows <= MOST_OPTIMAL:
        from scipy.cluster.hierarchy import leaves_list, optimal_leaf_ordering  # 0.3 s

        return np.asarray(leaves_list(optimal_leaf_ordering(merges, table)), dtype=np.int64)

    def between(j: int, k: int) -> float:
        j, k = min(j, k), max(j, k)
        return float(table[n_rows * j - j * (j + 1) // 2 + k - j - 1])

    branches: dict[int, list[int]] = {row: [row] for row in range(n_rows)}
    for merge, (j, k) in enumerate(merges[:, :2].astype(np.int64).tolist()):
        one, other = branches.pop(j), branches.pop(k)
        # The ends that meet: the last of one and the first of the other, or either turned round.
        turned = min(
            ((i, o) for i in (False, True) for o in (False, True)),
            key=lambda turn: between(one[0 if turn[0] else -1], other[-1 if turn[1] else 0]),
        )
        if turned[0]:
            one.reverse()
        if turned[1]:
            other.reverse()
        one += other
        branches[n_rows + merge] = one
    return np.array(branches.popitem()[1], dtype=np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class HeatOrder:
    """Row (or column) numbers in drawing order, and the tree behind it, if any."""

    order: Ints
    tree: Tree | None = None

    def __len__(self) -> int:
        return len(self.order)


def by_label(texts: Sequence[str]) -> HeatOrder:
    """Sort by a label, numerically where possible; rows without a text come last."""
    try:
        numbers = [float(text) if text.strip() else np.inf for text in texts]
        # NaN counts as missing.
        keys_of = [np.inf if np.isnan(number) else number for number in numbers]
        order = sorted(range(len(texts)), key=keys_of.__getitem__)
    except ValueError:
        keys = [(not text.strip(), natural(text)) for text in texts]
        order = sorted(range(len(texts)), key=keys.__getitem__)
    return HeatOrder(order=frozen(np.array(order, dtype=np.int64)))


def by_clustering(values: Floats) -> HeatOrder:
    """Order rows so that similar ones are adjacent, with their tree; transpose for columns.

    More than `tree.MOST_ROWS` rows are refused.
    """
    tree = tree_of(values)
    return HeatOrder(order=tree.order, tree=tree)


def by_map(result: Result, items: Ints) -> HeatOrder:
    """Order items along the map, so that neighbours in the order are neighbours on the map.

    Row by row in alternating direction where nodes lie in rows; along a line or ring; elsewhere
    along Hilbert's curve through the nodes, or through the positions where there are no nodes.
    Items of one node stay as given.
    """
    model = result.model
    if isinstance(model, PrototypeMap) and result.winners is not None:
        walk = _walk(model.grid)
        if walk is not None:
            return HeatOrder(order=frozen(np.argsort(walk[result.winners[items]], kind="stable")))
        places = drawn(model.grid, model.grid.nodes)[result.winners[items]]
    else:
        places = drawn(None, result.positions)[items]
    return HeatOrder(order=frozen(np.argsort(along_curve(places), kind="stable")))


def _walk(grid: Grid) -> Ints | None:
    """Rank of every node along the walk; None where nodes do not lie in rows."""
    if grid.structure.cell in (Cell.BAR, Cell.SECTOR):
        return np.arange(grid.n_nodes)
    if not grid.structure.in_rows:
        return None
    row, column = np.divmod(np.arange(grid.n_nodes), grid.columns)
    back = row % 2 == 1
    return np.asarray(row * grid.columns + np.where(back, grid.columns - 1 - column, column))


def along_curve(places: Floats) -> Ints:
    """Rank of places (n, 2) along Hilbert's curve through their square."""
    if not len(places):
        return np.empty(0, dtype=np.int64)
    low = places.min(axis=0)
    side = float((places.max(axis=0) - low).max()) or 1.0
    last = 2**CURVE_BITS - 1
    x, y = np.minimum((places - low) / side * (last + 1), last).astype(np.int64).T
    along = np.zeros(len(places), dtype=np.int64)
    for bit in range(CURVE_BITS - 1, -1, -1):
        half = 1 << bit
        right, up = (x & half) > 0, (y & half) > 0
        along += half * half * ((3 * right) ^ up)
        # A quarter is the whole again, turned: the lower two along the diagonal.
        flip = ~up & right
        x, y = np.where(flip, last - x, x), np.where(flip, last - y, y)
        x, y = np.where(up, x, y), np.where(up, y, x)
    return along
