"""Missing and infinite values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.impute import KNNImputer, SimpleImputer

from tests.prepare.tables import done, holed, sparse, table_of
from ximstudio.model import UserError
from ximstudio.model.arrays import Floats
from ximstudio.prepare.recipe import Recipe, planned

N = np.nan


def random_holed(n_items: int, n_features: int, share: float, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_items, n_features))
    values[rng.random(values.shape) < share] = N
    return table_of(values, items=[f"i{number}" for number in range(n_items)])


def test_that_infinite_values_become_missing_and_are_counted() -> None:
    table = table_of([[1, np.inf], [-np.inf, 0]])
    for thin in (table, sparse(table)):
        result = Recipe.of(planned("infinite")).prepare(thin)
        np.testing.assert_array_equal(result.table.dense, [[1, N], [N, 0]])
        assert [note.key for note in result.notes] == ["prepare.blanked"]
        assert result.stages[0].before.infinite == 2
        assert result.stages[0].after.missing == 2


@pytest.mark.parametrize("how", ["mean", "median"])
def test_that_blanks_are_filled_as_scikit_learn_fills_them(how: str) -> None:
    expected = SimpleImputer(strategy=how).fit_transform(holed().dense)
    np.testing.assert_allclose(done(holed(), "impute", how=how).dense, expected, rtol=1e-14)
    np.testing.assert_allclose(
        done(holed().transposed, "impute", how=how, axis="items").dense, expected.T, rtol=1e-14
    )


def test_that_zero_fills_with_zero_and_keep_keeps() -> None:
    table = table_of([[1, N], [2, 4]])
    np.testing.assert_array_equal(done(table, "impute", how="zero").dense, [[1, 0], [2, 4]])
    assert done(table, "impute", how="keep") is table


@pytest.mark.parametrize(("k", "share"), [(1, 0.1), (3, 0.3), (5, 0.6), (200, 0.2)])
def test_that_the_nearest_are_those_of_scikit_learn(k: int, share: float) -> None:
    table = random_holed(150, 9, share)
    expected = KNNImputer(n_neighbors=k).fit_transform(table.dense)
    np.testing.assert_allclose(
        done(table, "impute", how="nearest", k=k).dense, expected, rtol=1e-12, atol=1e-12
    )


def test_that_new_items_are_filled_from_the_first_ones_only() -> None:
    first, new = random_holed(80, 6, 0.2), random_holed(30, 6, 0.4, seed=1)
    frozen = Recipe.of(planned("impute", how="nearest", k=4)).prepare(first).frozen
    expected = KNNImputer(n_neighbors=4).fit(first.dense).transform(new.dense)
    np.testing.assert_allclose(frozen.apply(new).table.dense, expected, rtol=1e-12, atol=1e-12)


def test_that_the_nearest_are_found_whatever_the_unit() -> None:
    table = random_holed(60, 5, 0.2)
    plain = done(table, "impute", how="nearest", k=3).dense
    for factor in (1e60, 1e-60, 1e250, 1e-250):
        scaled = table.with_values(table.dense * factor)
        found = done(scaled, "impute", how="nearest", k=3).dense
        np.testing.assert_allclose(found, plain * factor, rtol=1e-12)


def test_that_an_item_without_values_gets_the_means() -> None:
    table = table_of([[1, 2], [3, 6], [N, N]])
    np.testing.assert_array_equal(done(table, "impute", how="nearest").dense[2], [2, 4])


@pytest.mark.parametrize("how", ["mean", "median", "nearest"])
def test_that_an_empty_feature_has_nothing_to_be_filled_with(how: str) -> None:
    with pytest.raises(UserError) as caught:
        done(table_of([[1, N], [2, N]]), "impute", how=how)
    assert caught.value.keys == ("prepare.empty_line",)


@pytest.mark.parametrize("how", ["mean", "median"])
def test_that_new_blanks_get_the_first_tables_fillings(how: str) -> None:
    frozen = (
        Recipe.of(planned("impute", how=how)).prepare(table_of([[1, 2], [2, 4], [6, 9]])).frozen
    )
    filling = {"mean": [3, 5], "median": [2, 4]}[how]
    np.testing.assert_array_equal(
        frozen.apply(table_of([[N, N], [7, N]])).table.dense,
        [
            filling,
            [7, filling[1]],
        ],
    )


def test_that_infinite_values_are_refused_where_a_mean_is_needed() -> None:
    table = table_of([[1, np.inf, N], [2, 3, 4]])
    for key, parameters in (
        ("impute", {"how": "mean"}),
        ("impute", {"how": "nearest"}),
        ("top", {"n": 1}),
        ("scale", {}),
        ("centre", {"axis": "items"}),
        ("library_size", {}),
        ("quantile", {}),
        ("equal_medians", {}),
        ("pca", {"n": 1}),
    ):
        with pytest.raises(UserError) as caught:
            done(table, key, **parameters)
        assert caught.value.keys == ("prepare.infinite",)
        assert "item 'a', feature 'B'" in caught.value.problems[0].where


def exactly_filled(values: Floats, k: int) -> Floats:
    """Blanks filled from the nearest items, pair by pair, in plain differences."""
    found = values.copy()
    for row, item in enumerate(values):
        away = values - item
        common = (~np.isnan(away)).sum(axis=1)
        distances = np.where(common > 0, np.nansum(away**2, axis=1) / np.maximum(common, 1), N)
        for column in np.flatnonzero(np.isnan(item)):
            has = np.flatnonzero(~np.isnan(values[:, column]) & (common > 0))
            near = has[np.argsort(distances[has], kind="stable")[:k]]
            found[row, column] = values[near, column].mean()
    return found


def clustered(rng: np.random.Generator) -> Floats:
    return np.asarray(rng.normal(size=(5, 8))[rng.integers(5, size=150)] * 3)


def one_huge_cell(rng: np.random.Generator) -> Floats:
    values = clustered(rng) + rng.normal(size=(150, 8)) * 0.1
    values[7, 3] = 1e9
    return values


def one_absurd_cell(rng: np.random.Generator) -> Floats:
    values = clustered(rng) + rng.normal(size=(150, 8)) * 0.1
    values[7, 3] = 1e200
    return values


def far_apart(rng: np.random.Generator) -> Floats:
    values = rng.normal(size=(150, 8))
    values[75:] += 1e7
    return values


def of_all_sizes(rng: np.random.Generator) -> Floats:
    return np.asarray(np.exp(rng.normal(size=(150, 1)) * 6 + rng.normal(size=(150, 8)) * 0.01))


def many_ties(rng: np.random.Generator) -> Floats:
    return rng.integers(2, size=(150, 8)).astype(np.float64)


@pytest.mark.parametrize(
    "made", [one_huge_cell, one_absurd_cell, far_apart, of_all_sizes, many_ties]
)
def test_that_the_nearest_are_exact_however_the_values_lie(
    made: Callable[[np.random.Generator], Floats],
) -> None:
    rng = np.random.default_rng(4)
    values = made(rng)
    blank = rng.random(values.shape) < 0.1
    blank[7] = False
    values[blank] = N
    table = table_of(values, items=[f"i{number}" for number in range(150)])
    found = done(table, "impute", how="nearest", k=3).dense
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(found, exactly_filled(values, 3), rtol=1e-12)
