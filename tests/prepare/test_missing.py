"""Blanks are filled only by choice."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.model import Matrix, UserError
from ximstudio.prepare import fill_missing

HOLED = Matrix.from_array([[1.0, np.nan], [2.0, 4.0], [6.0, 8.0]])


@pytest.mark.parametrize(("how", "filled"), [("mean", 6.0), ("median", 6.0), ("zero", 0.0)])
def test_that_a_blank_is_filled_from_its_feature(how: str, filled: float) -> None:
    np.testing.assert_array_equal(fill_missing(HOLED, how).values, [[1, filled], [2, 4], [6, 8]])


def test_that_keeping_changes_nothing() -> None:
    assert fill_missing(HOLED, "keep") is HOLED


def test_that_the_original_keeps_its_blanks() -> None:
    fill_missing(HOLED, "mean")
    assert np.isnan(HOLED.values[0, 1])


def test_that_an_empty_feature_has_no_mean() -> None:
    empty = Matrix.from_array([[1.0, np.nan], [2.0, np.nan]])
    with pytest.raises(UserError) as caught:
        fill_missing(empty, "mean")
    assert caught.value.keys == ("prepare.empty_feature",)
    np.testing.assert_array_equal(fill_missing(empty, "zero").values, [[1, 0], [2, 0]])


def test_that_an_unknown_filling_comes_with_a_proposal() -> None:
    with pytest.raises(UserError) as caught:
        fill_missing(HOLED, "meen")
    assert "'mean'" in caught.value.problems[0].way_out
