"""Five planted groups and maps of them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ximstudio.model import Matrix, Result
from ximstudio.model.arrays import Floats, Ints
from ximstudio.train import method_named, train

N_GROUPS = 5


def planted(seed: int = 0, n_each: int = 60) -> tuple[Matrix, Ints]:
    """Items of five Gaussian groups, well apart, and the group of each."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(N_GROUPS), n_each)
    centres = 6.0 * rng.normal(size=(N_GROUPS, 10))
    values = centres[truth] + rng.normal(size=(len(truth), 10))
    return Matrix.from_array(values), truth


@lru_cache(maxsize=8)
def mapped(method: str = "c-xim", seed: int = 0, **settings: object) -> Result:
    """The planted groups on a map of 12 × 12 nodes."""
    way = method_named(method)
    shape = {"shape": (12, 12)} if way.map_kernel is not None else {}
    return train(planted(seed)[0], way, way.params.from_values({**shape, **settings}))


def agreement(one: NDArray[np.integer], other: NDArray[np.integer]) -> float:
    """The adjusted Rand index (Hubert and Arabie 1985): 1 for the same groups, 0 by chance."""
    table = np.zeros((one.max() + 2, other.max() + 2))
    np.add.at(table, (one, other), 1)

    def pairs(counts: Floats) -> float:
        return float((counts * (counts - 1) / 2).sum())

    rows, columns = pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    by_chance = rows * columns / pairs(np.array([float(len(one))]))
    return (pairs(table) - by_chance) / (0.5 * (rows + columns) - by_chance)
