"""Centring, scaling, and principal components."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.sparse import random_array
from sklearn.decomposition import PCA
from sklearn.preprocessing import MinMaxScaler, normalize

from tests.prepare.tables import complete, done, holed, sparse, table_of
from ximstudio.model import UserError
from ximstudio.model.arrays import Floats
from ximstudio.model.table import Axis, Table
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.prepare.steps import pca

N = np.nan


def by_column(how: str, values: Floats) -> Floats:
    """What other libraries make of the columns."""
    if how == "z":
        return np.asarray(stats.zscore(values, axis=0, ddof=1, nan_policy="omit"))
    if how == "range":
        return np.asarray(MinMaxScaler().fit_transform(values))
    if how == "length":
        return np.asarray(values / np.linalg.norm(np.nan_to_num(values), axis=0))
    middle = np.nanmedian(values, axis=0)
    mad = stats.median_abs_deviation(values, axis=0, scale="normal", nan_policy="omit")
    return np.asarray((values - middle) / mad)


@pytest.mark.parametrize("how", ["z", "range", "length", "robust"])
def test_that_scaled_values_are_those_of_other_libraries(how: str) -> None:
    values = np.random.default_rng(1).gamma(2.0, size=(30, 4))
    values[np.random.default_rng(2).random(values.shape) < 0.2] = N
    table = table_of(values, items=[f"i{number}" for number in range(30)])
    expected = by_column(how, values)
    # SciPy spells the constant out to more digits than 1.4826 has.
    rtol = 1e-4 if how == "robust" else 1e-12
    np.testing.assert_allclose(done(table, "scale", how=how).dense, expected, rtol=rtol, atol=1e-9)
    turned = done(table.transposed, "scale", how=how, axis="items").dense
    np.testing.assert_allclose(turned, expected.T, rtol=rtol, atol=1e-9)


def test_that_unit_length_is_scikit_learns() -> None:
    found = done(sparse(complete()), "scale", how="length", axis="items")
    np.testing.assert_allclose(found.dense, normalize(complete().dense), rtol=1e-14)


@pytest.mark.parametrize("how", ["mean", "median"])
def test_that_the_centre_becomes_zero(how: str) -> None:
    of: Any = {"mean": np.nanmean, "median": np.nanmedian}[how]
    found = done(holed(), "centre", how=how).dense
    np.testing.assert_allclose(of(found, axis=0), 0, atol=1e-14)
    found = done(holed(), "centre", how=how, axis="items").dense
    np.testing.assert_allclose(of(found, axis=1), 0, atol=1e-14)


@pytest.mark.parametrize("how", ["z", "robust", "range"])
def test_that_what_does_not_vary_is_centred_and_told(how: str) -> None:
    # The mean of three times 0.1 is not 0.1.
    table = table_of([[0.1, 1, N, 5], [0.1, 2, N, N], [0.1, 3, N, N]])
    result = Recipe.of(planned("scale", how=how)).prepare(table)
    np.testing.assert_allclose(result.table.dense[:, 0], 0, atol=1e-16)
    np.testing.assert_array_equal(result.table.dense[:, 3], [0, N, N])
    assert [note.key for note in result.notes] == ["prepare.no_spread"]
    assert "'A'; 'C'; 'D'" in result.notes[0].where


@pytest.mark.parametrize("centre", [True, False])
def test_that_the_standard_deviation_stands_in_for_a_median_deviation_of_zero(centre: bool) -> None:
    column = np.array([1000.0, 2000, 3000, *[0] * 7])
    table = table_of(np.column_stack([column, np.full(10, 4.0), np.arange(10.0)]))
    for thin in (table, sparse(table)):
        result = Recipe.of(planned("scale", how="robust", centre=centre)).prepare(thin)
        np.testing.assert_allclose(result.table.dense[:, 0], column / column.std(ddof=1))
        keys = ["prepare.no_spread", "prepare.no_robust_spread"]
        for told in (result.notes, result.frozen.apply(thin).notes):
            assert [note.key for note in told] == keys
            assert [note.where.split()[-1] for note in told] == ["'B'", "'A'"]


def test_that_new_items_are_scaled_by_the_first_ones() -> None:
    frozen = Recipe.of(planned("scale", how="range")).prepare(table_of([[0, 5], [10, 7]])).frozen
    np.testing.assert_array_equal(frozen.apply(table_of([[20, 6]])).table.dense, [[2, 0.5]])


def test_that_new_items_are_scaled_by_themselves_item_by_item() -> None:
    frozen = Recipe.of(planned("scale", axis="items")).prepare(table_of([[0, 5], [10, 7]])).frozen
    found = frozen.apply(table_of([[20, 40]])).table.dense
    np.testing.assert_allclose(found, [[-np.sqrt(0.5), np.sqrt(0.5)]])


def assert_same_components(found: Floats, values: Floats, n: int) -> None:
    expected = PCA(n, svd_solver="full").fit_transform(values)
    signs = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found, expected * signs, rtol=1e-6, atol=1e-6)


def some(n_items: int, n_features: int) -> Table:
    values = random_array((n_items, n_features), density=0.3, rng=np.random.default_rng(5))
    return Table(
        values=values.toarray() * np.linspace(1, 4, n_features),
        items=Axis(names=tuple(f"i{number}" for number in range(n_items))),
        features=Axis(names=tuple(f"f{number}" for number in range(n_features))),
    )


@pytest.mark.parametrize("shape", [(60, 12), (12, 60)])
@pytest.mark.parametrize("thin", [False, True])
@pytest.mark.parametrize("small", [3000, 5])
def test_that_components_are_scikit_learns(
    shape: tuple[int, int], thin: bool, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pca, "SMALL", small)
    table = some(*shape)
    found = done(sparse(table) if thin else table, "pca", n=4)
    assert found.features.names == ("PC 1", "PC 2", "PC 3", "PC 4")
    assert found.items.names == table.items.names
    assert_same_components(found.dense, table.dense, 4)
    shares = [float(text) for text in found.features.labels["share of variance"]]
    np.testing.assert_allclose(shares, PCA(4).fit(table.dense).explained_variance_ratio_, rtol=1e-3)


def test_that_the_sign_of_a_component_is_that_of_its_largest_loading() -> None:
    table = some(60, 12)
    frozen = Recipe.of(planned("pca", n=4)).prepare(table).frozen
    (remembered,) = frozen.remembered
    for direction in remembered["directions"]:
        assert direction[np.argmax(np.abs(direction))] > 0
    mirrored = Recipe.of(planned("pca", n=4)).prepare(table.with_values(-table.dense)).frozen
    np.testing.assert_allclose(
        mirrored.remembered[0]["directions"], remembered["directions"], atol=1e-9
    )


def test_that_new_items_are_placed_along_the_first_ones_components() -> None:
    table = some(60, 12)
    frozen = Recipe.of(planned("pca", n=3)).prepare(table.take("items", range(40))).frozen
    fitted = PCA(3, svd_solver="full").fit(table.dense[:40])
    expected = np.abs(fitted.transform(table.dense[40:]))
    found = np.abs(frozen.apply(table.take("items", range(40, 60))).table.dense)
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-9)


def test_that_components_of_no_variance_are_zero() -> None:
    table = table_of(np.outer(np.arange(5.0), [1, 2, 3]))
    found = done(table, "pca", n=3).dense
    np.testing.assert_allclose(found[:, 0], (np.arange(5.0) - 2) * np.sqrt(14))
    np.testing.assert_array_equal(found[:, 1:], 0)


@pytest.mark.parametrize("small", [3000, 5])
@pytest.mark.parametrize("thin", [False, True])
@pytest.mark.parametrize("factor", [1e200, 1e-200, 1e-300])
def test_that_components_do_not_depend_on_the_unit(
    factor: float, thin: bool, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pca, "SMALL", small)
    table = some(60, 12)
    scaled = table.with_values(table.dense * factor)
    found = done(sparse(scaled) if thin else scaled, "pca", n=3)
    expected = done(table, "pca", n=3)
    np.testing.assert_allclose(found.dense / factor, expected.dense, rtol=1e-7, atol=1e-7)
    assert dict(found.features.labels) == dict(expected.features.labels)


@pytest.mark.parametrize("shape", [(60, 12), (12, 60)])
@pytest.mark.parametrize("small", [3000, 5])
def test_that_components_of_sparse_values_far_from_zero_are_those_of_dense_ones(
    shape: tuple[int, int], small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pca, "SMALL", small)
    table = some(*shape)
    far = table.with_values(table.dense + 1e7)
    for each in (far, sparse(far)):
        found = done(each, "pca", n=3).dense
        np.testing.assert_allclose(found, done(table, "pca", n=3).dense, atol=1e-6)


@pytest.mark.parametrize("thin", [False, True])
@pytest.mark.parametrize(("shape", "n"), [((60, 12), 12), ((60, 12), 11), ((12, 60), 11)])
def test_that_all_components_of_a_large_table_can_be_had(
    shape: tuple[int, int], n: int, thin: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pca, "SMALL", 5)
    table = some(*shape)
    found = done(sparse(table) if thin else table, "pca", n=n)
    assert_same_components(found.dense, table.dense, n)


def test_that_blocks_do_not_change_the_components(monkeypatch: pytest.MonkeyPatch) -> None:
    for table in (some(60, 12), some(12, 60)):
        whole = done(table, "pca", n=4).dense
        monkeypatch.setattr(pca, "BLOCK", 100)
        np.testing.assert_allclose(done(table, "pca", n=4).dense, whole, atol=1e-12)
        monkeypatch.undo()


@pytest.mark.parametrize("small", [3000, 5])
def test_that_a_table_that_does_not_vary_has_no_positions(
    small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pca, "SMALL", small)
    for value in (0.0, 3.0):
        found = done(table_of(np.full((20, 12), value)), "pca", n=2)
        np.testing.assert_array_equal(found.dense, 0)
        assert found.features.labels["share of variance"] == ("0", "0")


def test_that_components_that_are_not_found_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise np.linalg.LinAlgError("no convergence")

    monkeypatch.setattr(pca, "_leading_of_features", fails)
    with pytest.raises(UserError) as caught:
        done(some(60, 12), "pca", n=2)
    assert caught.value.keys == ("prepare.no_components",)


@pytest.mark.parametrize(
    ("table", "n", "key"),
    [
        (table_of([[1, N], [2, 3], [4, 5]]), 1, "prepare.blanks"),
        (table_of([[1, 2], [2, 3]]), 2, "prepare.too_many_components"),
        (table_of([[1, 2]]), 1, "prepare.too_many_components"),
    ],
)
def test_that_components_that_do_not_exist_are_refused(table: Table, n: int, key: str) -> None:
    with pytest.raises(UserError) as caught:
        done(table, "pca", n=n)
    assert caught.value.keys == (key,)
