"""The table of items and features."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.model import Matrix, UserError
from ximstudio.model.matrix import SHOWN, some_of


def small() -> Matrix:
    return Matrix(
        values=np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0]]),
        item_ids=("a", "b"),
        feature_names=("x", "y", "z"),
        item_labels={"kind": ("k1", "k2")},
        feature_labels={"batch": ("1", "1", "2")},
        source="here",
    )


def refused(**changes: object) -> tuple[str, ...]:
    parts = {
        "values": np.ones((2, 3)),
        "item_ids": ("a", "b"),
        "feature_names": ("x", "y", "z"),
        **changes,
    }
    with pytest.raises(UserError) as error:
        Matrix(**parts)  # type: ignore[arg-type]
    return error.value.keys


def test_that_a_matrix_keeps_a_copy_that_nobody_can_write_to() -> None:
    values = np.arange(6.0).reshape(2, 3)
    matrix = Matrix.from_array(values)
    values[0, 0] = 99.0
    assert matrix.values[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        matrix.values[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        matrix.missing[0, 0] = True
    with pytest.raises(TypeError):
        small().item_labels["kind"] = ("1", "2")  # type: ignore[index]


def test_that_labels_are_copied_too() -> None:
    labels = {"kind": ("k1", "k2")}
    matrix = Matrix(
        values=np.ones((2, 1)), item_ids=("a", "b"), feature_names=("x",), item_labels=labels
    )
    labels["more"] = ("1", "2")
    assert set(matrix.item_labels) == {"kind"}


def test_that_a_blank_is_nan_and_stays_nan() -> None:
    matrix = small()
    assert np.isnan(matrix.values[0, 1])
    assert matrix.n_missing == 1
    assert np.argwhere(matrix.missing).tolist() == [[0, 1]]


def test_that_the_size_and_numbered_names_are_right() -> None:
    matrix = Matrix.from_array(np.ones((2, 3)))
    assert (matrix.n_items, matrix.n_features) == (2, 3)
    assert matrix.item_ids == ("item 1", "item 2")
    assert matrix.feature_names == ("feature 1", "feature 2", "feature 3")


@pytest.mark.parametrize("numbers", [[[1, 2], [3, 4]], np.ones((2, 2), dtype=np.float32)])
def test_that_any_table_of_numbers_becomes_float64(numbers: object) -> None:
    assert Matrix.from_array(numbers).values.dtype == np.float64


def test_that_names_must_fit_the_numbers() -> None:
    assert refused(item_ids=("a",)) == ("matrix.shape",)
    assert refused(feature_names=("x",)) == ("matrix.shape",)
    assert refused(values=np.ones(6)) == ("matrix.shape",)
    assert refused(values=np.ones((2, 3, 1))) == ("matrix.shape",)


@pytest.mark.parametrize("values", [[1.0, 2.0, 3.0], 5.0, np.ones((2, 2, 2))])
def test_that_what_is_no_table_is_refused_with_a_key(values: object) -> None:
    with pytest.raises(UserError) as error:
        Matrix.from_array(values)
    assert error.value.keys == ("matrix.shape",)


def test_that_every_problem_is_reported_at_once() -> None:
    keys = refused(
        values=np.array([[1.0, np.inf, 2.0], [-np.inf, 1.0, 1.0]]),
        item_ids=("a", "a"),
        feature_names=("x", "y", "x"),
    )
    assert keys == ("matrix.duplicate_item", "matrix.duplicate_feature", "matrix.infinite")


@pytest.mark.parametrize(
    "labels",
    [{"item_labels": {"kind": ("k1",)}}, {"feature_labels": {"batch": ("1", "2")}}],
    ids=["items", "features"],
)
def test_that_labels_must_be_one_per_item_or_feature(labels: dict[str, object]) -> None:
    assert all(key.startswith("matrix.") for key in refused(**labels))


def test_that_transposing_exchanges_items_and_features_with_their_labels() -> None:
    matrix = small()
    turned = matrix.transposed
    assert np.array_equal(turned.values, matrix.values.T, equal_nan=True)
    assert turned.item_ids == matrix.feature_names
    assert dict(turned.item_labels) == dict(matrix.feature_labels)
    assert turned.transposed.fingerprint == matrix.fingerprint
    assert turned.source == "here"


@pytest.mark.parametrize("chosen", [[1], np.array([False, True]), slice(1, 2), [-1]])
def test_that_chosen_items_keep_their_names_and_labels(chosen: object) -> None:
    piece = small().items(np.arange(2)[chosen] if isinstance(chosen, slice) else chosen)
    assert piece.item_ids == ("b",)
    assert piece.item_labels["kind"] == ("k2",)
    assert piece.values.tolist() == [[4.0, 5.0, 6.0]]
    assert piece.feature_labels["batch"] == ("1", "1", "2")


def test_that_items_come_in_the_order_chosen() -> None:
    piece = small().items([1, 0])
    assert piece.item_ids == ("b", "a")
    assert piece.item_labels["kind"] == ("k2", "k1")


@pytest.mark.parametrize("none", [[], np.zeros(2, dtype=bool)], ids=["empty list", "empty mask"])
def test_that_no_items_may_be_chosen(none: object) -> None:
    piece = small().items(none)
    assert piece.item_ids == ()
    assert piece.values.shape == (0, 3)


def test_that_other_numbers_keep_names_and_labels() -> None:
    matrix = small().with_values(np.zeros((2, 3)))
    assert matrix.n_missing == 0
    assert matrix.item_ids == ("a", "b")
    assert matrix.item_labels["kind"] == ("k1", "k2")
    assert matrix.source == "here"


# Fingerprints -------------------------------------------------------------------------------------


def test_that_equal_data_have_equal_fingerprints() -> None:
    assert small().fingerprint == small().fingerprint
    assert len(small().fingerprint) == 64


@pytest.mark.parametrize(
    "change",
    [
        {"values": np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.1]])},
        {"values": np.array([[1.0, 0.0, 3.0], [4.0, 5.0, 6.0]])},
        {"item_ids": ("a", "c")},
        {"item_ids": ("b", "a")},
        {"feature_names": ("x", "y", "w")},
        {"item_labels": {"kind": ("k1", "k3")}},
        {"item_labels": {"sort": ("k1", "k2")}},
        {"item_labels": {}},
        {"feature_labels": {}},
    ],
    ids=str,
)
def test_that_any_change_changes_the_fingerprint(change: dict[str, object]) -> None:
    matrix = small()
    parts = {
        "values": matrix.values,
        "item_ids": matrix.item_ids,
        "feature_names": matrix.feature_names,
        "item_labels": matrix.item_labels,
        "feature_labels": matrix.feature_labels,
        **change,
    }
    assert Matrix(**parts).fingerprint != matrix.fingerprint  # type: ignore[arg-type]


def test_that_the_source_is_no_part_of_the_fingerprint() -> None:
    one, other = (Matrix.from_array(np.ones((2, 2)), source=source) for source in ("a", "b"))
    assert one.fingerprint == other.fingerprint


def test_that_labels_of_items_and_of_features_are_told_apart() -> None:
    parts = {"values": np.eye(2), "item_ids": ("a", "b"), "feature_names": ("x", "y")}
    labels = {"kind": ("1", "2")}
    of_items = Matrix(**parts, item_labels=labels)  # type: ignore[arg-type]
    of_features = Matrix(**parts, feature_labels=labels)  # type: ignore[arg-type]
    assert of_items.fingerprint != of_features.fingerprint


def test_that_names_are_told_apart_wherever_they_are_cut() -> None:
    one, other = (
        Matrix(values=np.ones((2, 1)), item_ids=ids, feature_names=("x",)).fingerprint
        for ids in (("a\0b", "c"), ("a", "b\0c"))
    )
    assert one != other


# Travelling ---------------------------------------------------------------------------------------


def test_that_a_matrix_travels_to_another_process() -> None:
    matrix = small()
    for other in (pickle.loads(pickle.dumps(matrix)), copy.deepcopy(matrix)):
        assert other.fingerprint == matrix.fingerprint
        assert not other.values.flags.writeable


@given(st.lists(st.text("abc", min_size=1, max_size=3), max_size=12))
def test_that_only_the_first_few_names_are_spelt_out(names: list[str]) -> None:
    text = some_of(names)
    shown = text.split("; ") if text else []
    assert len(shown) == min(len(names), SHOWN + 1)
    assert shown[:SHOWN] == names[:SHOWN]
