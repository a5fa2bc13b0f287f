"""Transformations of single values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from tests.prepare.tables import done, sparse, table_of
from ximstudio.model import UserError

N = np.nan
COUNTS = table_of([[0, 1, N], [3, 7, 1023]])


def refusal(table: Any, key: str, **parameters: Any) -> UserError:
    with pytest.raises(UserError) as caught:
        done(table, key, **parameters)
    return caught.value


def test_that_logarithms_of_counts_plus_one_are_exact() -> None:
    for table in (COUNTS, sparse(COUNTS)):
        np.testing.assert_array_equal(done(table, "log2").dense, [[0, 1, N], [2, 3, 10]])


def test_that_another_offset_is_added_first() -> None:
    for table in (COUNTS, sparse(COUNTS)):
        found = done(table, "log2", offset=0.25).dense
        np.testing.assert_allclose(found, np.log2(COUNTS.dense + 0.25), rtol=1e-15)


def test_that_values_without_a_logarithm_are_refused_with_their_addresses() -> None:
    error = refusal(table_of([[1, -1], [-3, 0]]), "log2")
    assert error.keys == ("prepare.no_logarithm",)
    assert "item 'a', feature 'B'; item 'b', feature 'A'" in error.problems[0].where
    assert error.problems[0].what.startswith("2 values")


def test_that_zeros_a_sparse_table_does_not_hold_have_no_logarithm_either() -> None:
    error = refusal(sparse(COUNTS), "log2", offset=0)
    assert error.keys == ("prepare.no_logarithm",)
    assert "item 'a', feature 'A'" in error.problems[0].where


def test_that_the_inverse_hyperbolic_sine_has_its_cofactor() -> None:
    table = table_of([[0, 5, -10], [N, 1e4, 0]])
    for thin in (table, sparse(table)):
        found = done(thin, "arcsinh", cofactor=10).dense
        np.testing.assert_allclose(found, np.arcsinh(table.dense / 10), rtol=1e-15)


def test_that_square_roots_of_negative_values_are_refused() -> None:
    table = table_of([[4, N], [0, 2.25]])
    np.testing.assert_array_equal(done(table, "square_root").dense, [[2, N], [0, 1.5]])
    error = refusal(table_of([[4, N], [-1, 2.25]]), "square_root")
    assert error.keys == ("prepare.negative",)
    assert "item 'b', feature 'A'" in error.problems[0].where


def test_that_a_sparse_cell_in_two_parts_has_the_logarithm_of_their_sum() -> None:
    parts: csr_array[np.float64] = csr_array(
        (np.array([1.0, 2.0, 3.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2)
    )
    table = table_of([[0, 0], [0, 0]]).with_values(parts)
    np.testing.assert_array_equal(done(table, "log2").dense, [[2, 0], [0, 2]])
