"""A table before promises: both sides alike, places kept, sparse kept sparse."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from ximstudio.model import UserError
from ximstudio.model.matrix import Matrix
from ximstudio.model.table import FEATURES, ITEMS, Axis, Table

VALUES = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0]])


def table(values: Any = VALUES) -> Table:
    return Table(
        values=values,
        items=Axis(
            names=("a", "b"), labels={"class": ("x", "y")}, numbers=np.array([2, 5]), word="line"
        ),
        features=Axis(names=("cold", "heat", "heat"), labels={"batch": ("1", "2", "2")}),
        source="memory",
    )


def sparse_table() -> Table:
    return table(sparse.csr_array(np.array([[0.0, 2.0, 0.0], [np.nan, 0.0, 6.0]])))


@pytest.mark.parametrize("one", [table(), sparse_table()], ids=["dense", "sparse"])
def test_that_both_sides_are_taken_with_labels_and_places(one: Table) -> None:
    items = one.take(ITEMS, [1])
    assert items.items.names == ("b",)
    assert items.items.labels["class"] == ("y",)
    assert items.items.address(0) == "'b' (line 5)"
    np.testing.assert_array_equal(items.dense, one.dense[[1]])
    features = one.take(FEATURES, [2, 0])
    assert features.features.names == ("heat", "cold")
    assert features.features.labels["batch"] == ("2", "1")
    np.testing.assert_array_equal(features.dense, one.dense[:, [2, 0]])
    assert items.is_sparse == features.is_sparse == one.is_sparse


@pytest.mark.parametrize("one", [table(), sparse_table()], ids=["dense", "sparse"])
def test_that_exchanging_the_sides_twice_changes_nothing(one: Table) -> None:
    turned = one.transposed
    assert turned.items.names == one.features.names
    np.testing.assert_array_equal(turned.dense, one.dense.T)
    assert turned.is_sparse == one.is_sparse
    np.testing.assert_array_equal(turned.transposed.dense, one.dense)


def test_that_blanks_are_counted_in_both_kinds() -> None:
    assert table().n_missing == sparse_table().n_missing == 1


def test_that_values_cannot_be_written_to_and_the_callers_array_can() -> None:
    values = VALUES.copy()
    one = table(values)
    with pytest.raises(ValueError, match="read-only"):
        one.dense[0, 0] = 9
    values[0, 0] = 1


def test_that_sparse_values_cannot_be_written_to_and_the_callers_arrays_can() -> None:
    values = sparse.csr_array(VALUES)
    one = table(values)
    assert not isinstance(one.values, np.ndarray)
    for part in (one.values.data, one.values.indices, one.values.indptr):
        with pytest.raises(ValueError, match="read-only"):
            part[0] = 1
    for part in (values.data, values.indices, values.indptr):
        part[0] = part[0]


def test_that_a_sparse_cell_is_there_once_and_in_its_order() -> None:
    # Cell (a, heat) in two parts, both rows out of order, and room to spare at the end.
    parts = np.array([1.0, 5.0, 2.0, 4.0, 3.0, 9.0])
    values = sparse.csr_array((2, 3), dtype=np.float64)
    values.data, values.indices = parts, np.array([1, 0, 1, 2, 0, 0], dtype=np.int32)
    values.indptr = np.array([0, 3, 5], dtype=np.int32)
    one = table(values)
    assert not isinstance(one.values, np.ndarray)
    np.testing.assert_array_equal(one.dense, [[5, 3, 0], [3, 0, 4]])
    np.testing.assert_array_equal(one.stored, [5, 3, 3, 4])
    np.testing.assert_array_equal(one.values.indices, [0, 1, 0, 2])
    np.testing.assert_array_equal(values.data, parts)


def test_that_values_and_names_must_fit() -> None:
    with pytest.raises(ValueError, match="values"):
        table(VALUES.T)
    with pytest.raises(ValueError, match="labels"):
        Axis(names=("a",), labels={"class": ("x", "y")})


def test_that_a_matrix_makes_the_promises() -> None:
    with pytest.raises(UserError) as caught:
        table().matrix()
    assert caught.value.keys == ("matrix.duplicate_feature",)
    one = table().take(FEATURES, [0, 1])
    matrix = one.matrix()
    assert isinstance(matrix, Matrix)
    assert matrix.item_labels == {"class": ("x", "y")}
    back = Table.of(matrix)
    np.testing.assert_array_equal(back.dense, one.dense)
    assert back.items.labels == one.items.labels


def test_that_a_table_can_be_sent_to_another_process() -> None:
    one = pickle.loads(pickle.dumps(table()))
    assert one.items.address(1) == "'b' (line 5)"
    np.testing.assert_array_equal(one.dense, VALUES)
