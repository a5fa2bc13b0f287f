"""Nearest node of every point, by walking from neighbour to neighbour."""

from __future__ import annotations

from typing import NamedTuple

from ximstudio.kernels.jit import kernel
from ximstudio.model.arrays import Floats, Ints, Ints32

AHEAD = 8
"""Number of pixels skipped at once."""


class NodeGraph(NamedTuple):
    """Positions r_j and neighbours of nodes: those of j are around[begins_j : begins_j+1].

    The nearest to a point is the one with the least weights_j |p − r_j|².
    """

    x: Floats
    y: Floats
    weights: Floats
    begins: Ints
    around: Ints


class CellLimits(NamedTuple):
    """Limits of cells, if not other cells: infinite, or `inner` 0, where there is none.

    `width`, `height` and `reach` limit a cell around its node: to the sides, up and down, and all
    around. `inner` and `outer`, `across` and `down` limit the map around its centre, which is 0:
    all around, to the sides, and up and down. Places from number `n_nodes` on lie beside the map.
    """

    width: float
    height: float
    reach: float
    inner: float
    outer: float
    across: float
    down: float
    n_nodes: int


@kernel
def nearest(graph: NodeGraph, x: float, y: float, begin: int) -> int:
    """Find the place nearest to a point, by steps to neighbours that are nearer.

    Where neighbours are those of a Delaunay triangulation, the one that is nearer than all its
    neighbours is the nearest of all; likewise on the hyperbolic plane, where weights are 1/(1 −
    |r_j|²).
    """
    best, here = begin, -1
    dx, dy = x - graph.x[best], y - graph.y[best]
    least = graph.weights[best] * (dx * dx + dy * dy)
    while here != best:
        here = best
        for e in range(graph.begins[here], graph.begins[here + 1]):
            j = graph.around[e]
            dx, dy = x - graph.x[j], y - graph.y[j]
            d = graph.weights[j] * (dx * dx + dy * dy)
            if d < least:
                least, best = d, j
    return best


@kernel
def within(graph: NodeGraph, limits: CellLimits, x: float, y: float, node: int) -> bool:
    """Return whether a point lies in the cell of the place it is nearest to."""
    if node >= limits.n_nodes:
        return False
    dx, dy = abs(x - graph.x[node]), abs(y - graph.y[node])
    if dx > limits.width or dy > limits.height or dx * dx + dy * dy > limits.reach**2:
        return False
    if abs(x) > limits.across or abs(y) > limits.down:
        return False
    square = x * x + y * y
    return bool(limits.inner**2 <= square <= limits.outer**2)


@kernel
def cells_at(graph: NodeGraph, limits: CellLimits, x: Floats, y: Floats, out: Ints32) -> None:
    """out_i: the node whose cell holds the point (x_i, y_i), −1 where there is none."""
    best = 0
    for i in range(x.size):
        best = nearest(graph, x[i], y[i], best)
        out[i] = best if within(graph, limits, x[i], y[i], best) else -1


@kernel
def cells_over(graph: NodeGraph, limits: CellLimits, x: Floats, y: Floats, out: Ints32) -> None:
    """out_ij: the node whose cell holds the pixel (x_j, y_i), n_nodes where there is none.

    Every walk begins where the one before ended. Cells are convex: where both ends of a stretch of
    pixels have the same nearest place, so have all between. (On the hyperbolic plane sides are
    curved, but over so few pixels by much less than one.)
    """
    first = 0
    for i in range(y.size):
        first = nearest(graph, x[0], y[i], first)
        best = first
        for begin in range(0, x.size, AHEAD):
            end = min(begin + AHEAD, x.size)
            last = nearest(graph, x[end - 1], y[i], best)
            same = last == best
            for j in range(begin, end):
                if not same:
                    best = nearest(graph, x[j], y[i], best)
                out[i, j] = best if within(graph, limits, x[j], y[i], best) else limits.n_nodes
