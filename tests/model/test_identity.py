"""Data are recognised on another processor, and a changed value is not taken for rounding."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.model.arrays import Floats
from ximstudio.model.identity import DataIdentity, Likeness
from ximstudio.model.matrix import Matrix


def matrix_of(values: Floats) -> Matrix:
    return Matrix(
        values=values,
        item_ids=tuple(f"g{row}" for row in range(values.shape[0])),
        feature_names=tuple(f"s{column}" for column in range(values.shape[1])),
        item_labels={"kind": tuple("ab"[row % 2] for row in range(values.shape[0]))},
        source="table",
    )


def values_of(seed: int, shape: tuple[int, int] = (40, 7)) -> Floats:
    values = np.random.default_rng(seed).lognormal(2.0, 2.0, shape)
    values[3, 2] = np.nan
    return values


def rounded_otherwise(values: Floats, seed: int) -> Floats:
    """Every value one unit in the last place up, down or the same."""
    step = np.random.default_rng(seed).integers(-1, 2, values.shape)
    return np.where(step == 0, values, np.nextafter(values, np.where(step > 0, np.inf, -np.inf)))


@given(st.integers(0, 1000))
def test_that_the_last_bits_may_differ_elsewhere_and_not_here(seed: int) -> None:
    values = np.log2(1.0 + values_of(seed))
    centred = values - np.nanmean(values, axis=1, keepdims=True)
    identity = DataIdentity.of(matrix_of(centred))
    other = rounded_otherwise(values, seed + 1)
    otherwise = matrix_of(other - np.nanmean(other, axis=1, keepdims=True))
    assert identity.likeness(matrix_of(centred), elsewhere=True) is Likeness.SAME
    assert identity.likeness(otherwise, elsewhere=True) is Likeness.ROUNDED
    assert identity.likeness(otherwise, elsewhere=False) is Likeness.DIFFERENT


@given(st.integers(0, 1000), st.integers(0, 39), st.integers(0, 6), st.floats(1e-6, 1e3))
def test_that_one_changed_value_is_found(seed: int, row: int, column: int, change: float) -> None:
    values = np.log2(1.0 + values_of(seed))
    values[3, 2] = 1.0
    changed = values.copy()
    changed[row, column] += change
    identity = DataIdentity.of(matrix_of(values))
    assert identity.likeness(matrix_of(changed), elsewhere=True) is Likeness.DIFFERENT


def test_that_one_value_of_a_million_is_found_across_blocks_of_rows() -> None:
    values = np.random.default_rng(0).normal(size=(100_000, 10))
    identity = DataIdentity.of(matrix_of(values))
    for row in (0, 40_000, 99_999):
        changed = values.copy()
        changed[row, 5] += 1e-4
        assert identity.likeness(matrix_of(changed), elsewhere=True) is Likeness.DIFFERENT
        changed[row, 5] = np.nextafter(values[row, 5], np.inf)
        assert identity.likeness(matrix_of(changed), elsewhere=True) is Likeness.ROUNDED


@given(st.integers(0, 1000))
def test_that_values_that_change_places_are_found(seed: int) -> None:
    values = values_of(seed)
    rows = np.random.default_rng(seed).permutation(len(values))
    swapped = values[rows]
    expected = Likeness.SAME if (rows == np.arange(len(rows))).all() else Likeness.DIFFERENT
    identity = DataIdentity.of(matrix_of(values))
    assert identity.likeness(matrix_of(swapped), elsewhere=True) is expected


def test_that_names_labels_blanks_and_sizes_count() -> None:
    values = values_of(0)
    matrix = matrix_of(values)
    identity = DataIdentity.of(matrix)
    blank = values.copy()
    blank[0, 0] = np.nan
    zero = values.copy()
    zero[3, 2] = 0.0
    others = [
        replace(matrix, item_ids=("other", *matrix.item_ids[1:])),
        replace(matrix, feature_names=("other", *matrix.feature_names[1:])),
        replace(matrix, item_labels={"kind": ("b",) * 40}),
        matrix_of(blank),
        matrix_of(zero),
        matrix_of(values[1:]),
        matrix_of(values[:, 1:]),
        matrix_of(-values),
        matrix_of(values.T.copy()),
    ]
    for other in others:
        assert identity.likeness(other, elsewhere=True) is Likeness.DIFFERENT


def test_that_a_record_without_sums_decides_here_and_cannot_elsewhere() -> None:
    matrix = matrix_of(values_of(0))
    old = replace(DataIdentity.of(matrix), names="", sums=())
    other = matrix_of(values_of(1))
    assert old.likeness(matrix, elsewhere=True) is Likeness.SAME
    assert old.likeness(other, elsewhere=True) is Likeness.UNKNOWN
    assert old.likeness(other, elsewhere=False) is Likeness.DIFFERENT
    assert old.likeness(matrix.items(range(5)), elsewhere=True) is Likeness.DIFFERENT


def test_that_values_of_a_record_come_back() -> None:
    identity = DataIdentity.of(matrix_of(values_of(0)))
    assert DataIdentity.from_values(identity.as_values()) == identity
    first_edition = {"fingerprint": "f", "items": 3, "features": 2}
    assert DataIdentity.from_values(first_edition).sums == ()
    with pytest.raises(ValueError, match="could not convert"):
        DataIdentity.from_values({**identity.as_values(), "sums": ["x"]})
