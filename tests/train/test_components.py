"""Principal components, with and without blanks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ximstudio.model import LinearMap, Matrix
from ximstudio.model.arrays import Floats
from ximstudio.train import components, method_named, train
from ximstudio.train.components import principal_components

SHAPES = [(60, 7), (7, 60), (20, 20), (2, 5), (5, 1), (300, 3)]


def table(n_items: int, n_features: int, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    return np.asarray(rng.normal(size=(n_items, n_features)) * np.geomspace(5.0, 0.5, n_features))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_that_components_agree_with_a_singular_value_decomposition(shape: tuple[int, int]) -> None:
    values = table(*shape) + 7.0
    found = principal_components(Matrix.from_array(values), 2)
    moved = values - values.mean(axis=0)
    lengths, directions = np.linalg.svd(moved, full_matrices=False)[1:]
    n = min(2, shape[1], shape[0] - 1)
    overlap = np.abs((found.directions[:n] * directions[:n]).sum(axis=1))
    np.testing.assert_allclose(overlap, 1.0, atol=1e-9)
    np.testing.assert_allclose(found.deviations[:n], lengths[:n] / np.sqrt(shape[0]), rtol=1e-9)
    np.testing.assert_allclose(found.shares[:n], lengths[:n] ** 2 / (lengths**2).sum(), rtol=1e-9)
    np.testing.assert_allclose(found.positions, moved @ found.directions.T, atol=1e-9)
    assert np.abs(found.directions[n:]).max(initial=0.0) == 0.0
    assert np.abs(found.deviations[n:]).max(initial=0.0) == 0.0


@pytest.mark.parametrize("shape", [(60, 9), (9, 60), (30, 30)], ids=str)
def test_that_large_tables_have_the_components_of_small_ones(
    monkeypatch: pytest.MonkeyPatch, shape: tuple[int, int]
) -> None:
    """Large tables are searched for the leading components only; here 'large' begins early."""
    matrix = Matrix.from_array(table(*shape) + 7.0)
    small = principal_components(matrix, 2)
    monkeypatch.setattr(components, "SMALL", 5)
    large = principal_components(matrix, 2)
    np.testing.assert_allclose(large.directions, small.directions, atol=1e-6)
    np.testing.assert_allclose(large.deviations, small.deviations, rtol=1e-9)
    np.testing.assert_allclose(large.shares, small.shares, rtol=1e-9)


@pytest.mark.parametrize("small", [1, 3000])
def test_that_a_table_of_rank_one_has_one_component(
    monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    monkeypatch.setattr(components, "SMALL", small)
    values = np.outer(np.arange(12.0), [1.0, 2.0, 0.5, -1.0])
    found = principal_components(Matrix.from_array(values), 2)
    assert found.deviations[0] > 1.0
    assert found.deviations[1] == 0.0
    assert np.abs(found.directions[1]).max() == 0.0
    assert found.shares.tolist() == pytest.approx([1.0, 0.0])


@given(seed=st.integers(0, 1000))
@settings(max_examples=20)
def test_that_the_largest_entry_of_a_direction_is_positive(seed: int) -> None:
    found = principal_components(Matrix.from_array(table(20, 6, seed)), 2)
    largest = np.abs(found.directions).argmax(axis=1)
    assert (found.directions[[0, 1], largest] > 0.0).all()


@pytest.mark.parametrize("shape", [(80, 12), (15, 40)], ids=str)
@pytest.mark.parametrize("offset", [0.0, 1e6], ids=["around zero", "far from zero"])
def test_that_blanks_of_a_table_of_rank_two_are_recovered(
    shape: tuple[int, int], offset: float
) -> None:
    rng = np.random.default_rng(1)
    n_items, n_features = shape
    full = rng.normal(size=(n_items, 2)) @ rng.normal(size=(2, n_features))
    full += offset * rng.normal(size=n_features)
    values = full.copy()
    values[rng.random(shape) < 0.1] = np.nan
    found = principal_components(Matrix.from_array(values), 2)
    recovered = found.centre + found.positions @ found.directions
    np.testing.assert_allclose(recovered, full, rtol=0.0, atol=1e-6 * max(1.0, offset * 1e-6))
    exact = principal_components(Matrix.from_array(full), 2)
    np.testing.assert_allclose(found.directions, exact.directions, atol=1e-5)


def test_that_pca_places_items_with_blanks_where_the_full_table_would() -> None:
    rng = np.random.default_rng(2)
    full = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 9))
    values = full.copy()
    values[rng.random(full.shape) < 0.1] = np.nan
    pca = method_named("pca")
    complete, blank = (train(Matrix.from_array(table), pca) for table in (full, values))
    np.testing.assert_allclose(blank.positions, complete.positions, atol=1e-6)


def test_that_pca_is_the_projection_on_its_components() -> None:
    values = table(50, 8) + 3.0
    result = train(Matrix.from_array(values), method_named("pca"))
    assert isinstance(result.model, LinearMap)
    expected = (values - values.mean(axis=0)) @ result.model.components.T
    np.testing.assert_allclose(result.positions, expected, atol=1e-12)
    np.testing.assert_allclose(
        result.model.components @ result.model.components.T, np.eye(2), atol=1e-12
    )
    variances = result.positions.var(axis=0)
    np.testing.assert_allclose(result.model.explained, variances / values.var(axis=0).sum())
    assert variances[0] > variances[1]
    assert result.winners is None
    assert result.finished
    assert len(result.history.step) == 0


@pytest.mark.parametrize("scale", [1e-100, 1e-20, 1e20, 1e100])
def test_that_components_do_not_depend_on_the_scale(scale: float) -> None:
    values = table(30, 6)
    one = principal_components(Matrix.from_array(values), 2)
    other = principal_components(Matrix.from_array(values * scale), 2)
    np.testing.assert_allclose(other.directions, one.directions, atol=1e-9)
    np.testing.assert_allclose(other.deviations, one.deviations * scale, rtol=1e-9)
