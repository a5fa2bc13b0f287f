"""Layers over the nodes of a map: the U-matrix and the number of items per node."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.result import PrototypeMap, Result


def u_matrix(model: PrototypeMap) -> Floats:
    """Mean distance of every prototype to those of its neighbours on the map, shape (M,).

    Ridges are borders between groups, valleys are groups; neighbours across the seam of a torus
    count like all others.
    """
    left, right = model.grid.edges.T
    apart = np.linalg.norm(model.prototypes[left] - model.prototypes[right], axis=1)
    n_nodes = model.grid.n_nodes
    total = np.bincount(left, apart, n_nodes) + np.bincount(right, apart, n_nodes)
    count = np.bincount(left, minlength=n_nodes) + np.bincount(right, minlength=n_nodes)
    return np.asarray(total / np.maximum(count, 1))


def hits(result: Result) -> Ints:
    """How many items every node wins, shape (M,)."""
    assert isinstance(result.model, PrototypeMap)
    assert result.winners is not None
    return np.bincount(result.winners, minlength=result.model.grid.n_nodes)
