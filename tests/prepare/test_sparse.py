"""Sparse tables that would not fit into memory if they were written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from ximstudio.model import UserError
from ximstudio.model.table import Axis, Table
from ximstudio.prepare.recipe import Recipe, planned

N = 300_000


@pytest.fixture(scope="module")
def enormous() -> Table:
    """720 GB of zeros, and one count in every item."""
    names = tuple(str(number) for number in range(N))
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 100, size=N).astype(np.float64)
    places = (rng.integers(N // 100, size=N), np.arange(N + 1))
    values: csr_array[np.float64] = csr_array((counts, *places), shape=(N, N))
    return Table(values=values, items=Axis(names=names), features=Axis(names=names))


@pytest.mark.parametrize(
    ("key", "parameters"),
    [
        ("centre", {}),
        ("scale", {"how": "robust", "axis": "items"}),
        ("log2", {"offset": 0.5}),
        ("quantile", {}),
        ("impute", {"how": "nearest"}),
        ("equal_medians", {}),
    ],
)
def test_that_steps_that_cannot_leave_zeros_out_propose_to_filter(
    enormous: Table, key: str, parameters: dict[str, Any]
) -> None:
    with pytest.raises(UserError) as caught:
        Recipe.of(planned(key, **parameters)).prepare(enormous)
    assert caught.value.keys == ("load.too_large",)
    assert "'top'" in caught.value.problems[0].way_out


def test_that_the_usual_way_through_counts_needs_little_memory(enormous: Table) -> None:
    recipe = Recipe.of(
        planned("drop_constant"),
        planned("library_size", target=1e4),
        planned("log2"),
        planned("top", n=50),
        planned("scale"),
    )
    result = recipe.prepare(enormous)
    assert result.table.n_features == 50
    assert result.stages[0].after.n_features <= N // 100
    assert not result.table.is_sparse
    np.testing.assert_allclose(result.table.dense.std(axis=0, ddof=1), 1.0)
