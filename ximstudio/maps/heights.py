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
    return model.spacing


def hits(result: Result) -> Ints:
    """How many items every node wins, shape (M,)."""
    assert isinstance(result.model, PrototypeMap)
    assert result.winners is not None
    return np.bincount(result.winners, minlength=result.model.grid.n_nodes)
