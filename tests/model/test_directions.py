"""Angles between items become distances, blanks or not."""

from __future__ import annotations

import numpy as np
import pytest

from tests import twins
from ximstudio.model.arrays import Floats
from ximstudio.model.directions import directions, without_direction


def cloud(n_items: int = 20, n_features: int = 7) -> Floats:
    return np.random.default_rng(1).normal(2.0, 3.0, size=(n_items, n_features))


def test_that_squared_distances_are_those_of_correlation() -> None:
    values = cloud()
    found = twins.pair_distances(directions(values, centred=True)) ** 2
    np.testing.assert_allclose(found, 2.0 - 2.0 * np.corrcoef(values), atol=1e-12)


def test_that_squared_distances_are_those_of_the_cosine() -> None:
    values = cloud()
    length = np.linalg.norm(values, axis=1)
    cosine = values @ values.T / np.outer(length, length)
    found = twins.pair_distances(directions(values, centred=False)) ** 2
    np.testing.assert_allclose(found, 2.0 - 2.0 * cosine, atol=1e-12)


def test_that_level_and_strength_do_not_count() -> None:
    values = cloud()
    one = directions(values, centred=True)
    np.testing.assert_allclose(directions(5.0 * values + 40.0, centred=True), one, atol=1e-12)
    other = directions(values, centred=False)
    np.testing.assert_allclose(directions(5.0 * values, centred=False), other, atol=1e-12)
    assert not np.allclose(directions(values + 40.0, centred=False), other, atol=0.01)


@pytest.mark.parametrize("centred", [True, False])
def test_that_blanks_stay_and_the_rest_is_measured_by_itself(centred: bool) -> None:
    values = cloud()
    values[3, [1, 4]] = np.nan
    found = directions(values, centred=centred)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(values))
    alone = directions(values[3:4, ~np.isnan(values[3])], centred=centred)
    # As long as 5 of 7 features of an item of length 1 are.
    np.testing.assert_allclose(found[3][~np.isnan(values[3])], alone[0] * np.sqrt(5 / 7))
    np.testing.assert_array_equal(found[:3], directions(values[:3], centred=centred))


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_that_items_without_a_direction_are_told(size: float) -> None:
    values = size * cloud(5)
    values[1] = 0.1 * size
    values[2] = 0.0
    values[3, 1:] = np.nan
    nowhere = without_direction(directions(values, centred=True))
    assert nowhere.tolist() == [False, True, True, True, False]
    nowhere = without_direction(directions(values, centred=False))
    assert nowhere.tolist() == [False, False, True, False, False]
