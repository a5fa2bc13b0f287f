"""Neighbours among nodes at arbitrary positions, by Gabriel's rule."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Bools, Floats, Ints

TOUCHING = 1e-9
"""Tolerance, as a share of the radius, within which a node outside of a circle counts as on it."""
FLAT = 1e-9
"""Places whose breadth is less than this share of their length lie on a line or in a plane."""
CLOSEST = 1e-6
"""Places nearer than this share of the map are too close for a triangulation, by rounding."""
NEAREST = 8
"""Number of nearest places that are examined in addition to the triangulation."""
FEW = 24
"""Number of places up to which all are compared at once, and of nearest ones that settle nearly all
neighbours.
"""


def gabriel(places: Floats) -> Ints:
    """Return pairs of places between which no other place lies, in order, shape (E, 2).

    Two are neighbours if the circle (or sphere) that has them at opposite ends holds no other, on
    itself included (Gabriel and Sokal 1969): the squares of a lattice have no diagonals, borders no
    long chords, and all nodes are connected. So of three nodes on one place none has a neighbour,
    and two have only each other.
    """
    distinct, nodes, shared, counts = np.unique(
        places, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    pairs = _candidates(distinct)
    if pairs is None:
        return compared(places)
    pairs = pairs[(counts[pairs] == 1).all(axis=1)]
    pairs = pairs[_empty(distinct, pairs)]
    by_place = np.argsort(shared.ravel(), kind="stable")
    twice = by_place[np.repeat(counts == 2, counts)].reshape(-1, 2)
    return np.unique(np.sort(np.concatenate([nodes[pairs], twice]), axis=1), axis=0)


def _candidates(places: Floats) -> Ints | None:
    """Return pairs of distinct places that contain all neighbours; None if all pairs must be
    compared.

    A circle that holds no other place makes its ends neighbours in Delaunay's triangulation, too.
    """
    moved = places - places.mean(axis=0)
    _, lengths, directions = np.linalg.svd(moved, full_matrices=False)
    axes = directions[lengths > FLAT * lengths[0]]
    if len(axes) < 2:
        order = np.argsort(moved @ directions[0], kind="stable")
        return np.column_stack([order[:-1], order[1:]])
    if len(places) <= FEW:
        return None
    # Imported late: scipy takes 0.2 s, and few maps need it. The model needs it nowhere else.
    from scipy.spatial import Delaunay, QhullError, cKDTree

    apart, near = map(np.asarray, cKDTree(places).query(places, k=NEAREST + 1))
    if apart[:, 1].min() < CLOSEST * np.abs(moved).max():
        return None
    try:
        found = Delaunay(moved @ axes.T)
    except QhullError:
        return None
    if len(found.coplanar):
        return None
    corners = found.simplices.astype(np.int64)
    ends = np.column_stack(np.triu_indices(corners.shape[1], 1))
    # It is rounded in units of the whole map. Neighbours that are missed for that are among the
    # nearest.
    here = np.repeat(np.arange(len(places)), NEAREST)
    nearest = np.column_stack([here, near[:, 1:].ravel()])
    pairs = np.concatenate([corners[:, ends].reshape(-1, 2), nearest])
    return np.unique(np.sort(pairs, axis=1), axis=0)


def _empty(places: Floats, pairs: Ints) -> Bools:
    """Return whether the circle between both of a pair holds no third place."""
    from scipy.spatial import cKDTree

    left, right = places[pairs[:, 0]], places[pairs[:, 1]]
    radius = 0.5 * np.linalg.norm(right - left, axis=1)
    # The ends themselves are the nearest to the middle, unless another place lies between them.
    apart = np.asarray(cKDTree(places).query(0.5 * (left + right), k=3)[0])
    return np.asarray(apart[:, 2] > radius * (1.0 + TOUCHING))


def compared(places: Floats) -> Ints:
    """Return what `gabriel` returns, by comparing all with all: O(M²) for any places.

    Every place in that circle is nearer to either end than the other end is. So the nearest nodes
    settle the pairs among them; the few far pairs that remain open are compared with all.
    """
    pairs: list[Ints] = []
    for node, place in enumerate(places):
        steps = places - place
        squares = np.einsum("jc,jc->j", steps, steps)
        near = np.argpartition(squares, min(FEW, len(places) - 1))[: FEW + 1]
        near = near[near != node]
        # Each pair once, from the lesser node.
        later = np.arange(node + 1, len(places))
        others = later[_open(later, near, steps, squares)]
        # As far as the farthest of the nearest, too: another one may lie on the same place.
        far = others[squares[others] >= squares[near].max(initial=0.0) * (1.0 - TOUCHING)]
        if len(far):
            every = np.delete(np.arange(len(places)), node)
            others = np.setdiff1d(others, far[~_open(far, every, steps, squares)])
        pairs.append(np.column_stack([np.full(len(others), node), others]))
    return np.concatenate(pairs).astype(np.int64)


def _open(targets: Ints, between: Ints, steps: Floats, squares: Floats) -> Bools:
    """Return whether no place of `between` lies in the circle around the step to each target."""
    along = steps[between] @ steps[targets].T + 0.5 * TOUCHING * squares[targets]
    within = along >= squares[between, None]
    # The target itself is on the circle.
    return np.asarray(within.sum(axis=0) == np.isin(targets, between))
