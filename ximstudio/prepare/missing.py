"""Missing values filled, by choice only: training itself can leave blanks blank."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix, some_of
from ximstudio.model.params import known
from ximstudio.model.problem import UserError

KEEP = "keep"

FILLINGS: Mapping[str, Callable[[Floats], Floats]] = MappingProxyType(
    {
        "mean": lambda values: np.asarray(np.nanmean(values, axis=0)),
        "median": lambda values: np.asarray(np.nanmedian(values, axis=0)),
        "zero": lambda values: np.zeros(values.shape[1]),
    }
)
"""What a blank of a feature is filled with: a function of the table, one number per feature."""


def fill_missing(matrix: Matrix, how: str) -> Matrix:
    """The matrix with its blanks filled feature by feature; "keep" leaves them blank."""
    known("filling", how, [KEEP, *FILLINGS])
    if how == KEEP or not matrix.n_missing:
        return matrix
    empty = np.flatnonzero(matrix.missing.all(axis=0))
    if len(empty) and how != "zero":
        raise UserError(
            key="prepare.empty_feature",
            what=f"{len(empty)} feature(s) have no value to take a {how} of.",
            where=f"{matrix.source}: {some_of([matrix.feature_names[column] for column in empty])}",
            way_out="Remove the features that are blank throughout.",
        )
    return matrix.with_values(np.where(matrix.missing, FILLINGS[how](matrix.values), matrix.values))
