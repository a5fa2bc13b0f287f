"""Tables of dissimilarities are read as what they are, or refused with a reason."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from tests import twins
from ximstudio.model import Matrix, UserError
from ximstudio.model.arrays import Floats
from ximstudio.model.dissimilarities import Dissimilarities

NAMES = tuple("abcdef")


def distances() -> Floats:
    return twins.pair_distances(np.random.default_rng(0).normal(size=(6, 3)))


def matrix(values: Any, items: Any = NAMES, features: Any = NAMES) -> Matrix:
    return Matrix(values=values, item_ids=tuple(items), feature_names=tuple(features))


def refusal(values: Any, **names: Any) -> tuple[str, ...]:
    with pytest.raises(UserError) as error:
        Dissimilarities.of(matrix(values, **names))
    return error.value.keys


def test_that_a_table_is_taken_as_it_is() -> None:
    given = matrix(distances())
    found = Dissimilarities.of(given)
    np.testing.assert_allclose(found.table, given.values, atol=1e-15)
    assert found.fingerprint == given.fingerprint
    left, right = np.triu_indices(6, 1)
    np.testing.assert_array_equal(found.pair_distances, given.values[left, right])
    assert found.median_distance == np.median(given.values[left, right])


def test_that_columns_are_matched_by_name() -> None:
    order = [3, 1, 5, 0, 2, 4]
    given = matrix(distances()[:, order], features=[NAMES[number] for number in order])
    found = Dissimilarities.of(given)
    np.testing.assert_allclose(found.table, distances(), atol=1e-15)
    np.testing.assert_allclose(found.values, given.values, atol=1e-15)
    assert found.feature_names == given.feature_names
    assert found.distances(np.array([0, 4]), np.array([2, 4])).tolist() == [distances()[0, 2], 0.0]


def test_that_a_square_without_names_is_taken_in_its_order() -> None:
    found = Dissimilarities.of(Matrix.from_array(distances()))
    np.testing.assert_allclose(found.table, distances(), atol=1e-15)


def test_that_items_may_have_been_left_out() -> None:
    found = Dissimilarities.of(matrix(distances()).items([4, 0, 2]))
    np.testing.assert_allclose(found.table, distances()[np.ix_([4, 0, 2], [4, 0, 2])])
    assert found.values.shape == (3, 6)


@pytest.mark.parametrize(
    ("symmetrise", "expected"), [("mean", 2.0), ("smaller", 1.0), ("larger", 3.0)]
)
def test_that_unequal_directions_are_joined_as_asked(symmetrise: str, expected: float) -> None:
    values = distances()
    values[1, 2], values[2, 1] = 1.0, 3.0
    assert refusal(values) == ("dissimilarities.asymmetric",)
    found = Dissimilarities.of(matrix(values), symmetrise=symmetrise)
    assert found.table[1, 2] == found.table[2, 1] == expected
    np.testing.assert_array_equal(found.table, found.table.T)
    untouched = np.ones((6, 6), dtype=bool)
    untouched[[1, 2], [2, 1]] = False
    np.testing.assert_allclose(found.table[untouched], values[untouched])


def test_that_what_rounding_leaves_is_no_reason_to_refuse() -> None:
    values = distances() + 1e-9 * np.random.default_rng(1).random((6, 6))
    found = Dissimilarities.of(matrix(values))
    np.testing.assert_array_equal(found.table, found.table.T)
    assert not np.diag(found.table).any()


def test_that_what_is_no_table_of_distances_is_refused() -> None:
    blank, negative, similar = distances(), distances(), 1.0 - 0.1 * distances()
    blank[2, 3] = np.nan
    negative[0, 5] = -0.5
    assert refusal(distances(), features=tuple("abcdeg")) == ("dissimilarities.names",)
    assert refusal(distances()[:, :4], features=NAMES[:4]) == ("dissimilarities.names",)
    assert refusal(blank) == ("dissimilarities.blank",)
    assert refusal(negative) == ("dissimilarities.negative",)
    assert refusal(similar) == ("dissimilarities.diagonal",)


def test_that_refusals_name_the_items() -> None:
    values = distances()
    values[1, 2] += 1.0
    with pytest.raises(UserError) as error:
        Dissimilarities.of(matrix(values))
    assert "'b'" in error.value.problems[0].where
    assert "'c'" in error.value.problems[0].where


def test_that_a_table_can_be_sent_to_another_process() -> None:
    found = Dissimilarities.of(matrix(distances()).items([4, 0, 2]))
    again = pickle.loads(pickle.dumps(found))
    assert isinstance(again, Dissimilarities)
    np.testing.assert_array_equal(again.table, found.table)
