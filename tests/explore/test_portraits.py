"""A map per sample."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.maps.results import matrix_of, result_of
from tests.place.maps import items_near, smooth_map
from ximstudio.explore.portraits import portraits
from ximstudio.model import Grid, Matrix, PrototypeMap, Result, UserError
from ximstudio.train import method_named, train


def shown() -> tuple[Result, Matrix]:
    model = smooth_map(Grid(4, 5))
    matrix = replace(
        matrix_of(items_near(model)),
        feature_labels={"condition": ("b", "a", "b", "", "a", "b", "a")},
    )
    return result_of(model, matrix), matrix


def test_that_a_portrait_is_a_plane_less_the_mean_of_every_node() -> None:
    result, matrix = shown()
    assert isinstance(result.model, PrototypeMap)
    found = portraits(result, matrix)
    prototypes = result.model.prototypes
    assert found.names == matrix.feature_names
    np.testing.assert_allclose(found.values, (prototypes - prototypes.mean(1, keepdims=True)).T)
    np.testing.assert_allclose(found.values.mean(axis=0), 0.0, atol=1e-12)
    assert found.reach == np.abs(found.values).max()


def test_that_a_group_s_portrait_is_the_mean_of_its_members() -> None:
    result, matrix = shown()
    single, found = portraits(result, matrix), portraits(result, matrix, "condition")
    assert found.names == ("b", "a")
    assert found.counts.tolist() == [3, 3]
    np.testing.assert_allclose(found.values[0], single.values[[0, 2, 5]].mean(axis=0))
    np.testing.assert_allclose(found.values[1], single.values[[1, 4, 6]].mean(axis=0))
    assert found.reach == np.abs(found.values).max() <= single.reach


def test_that_the_level_of_a_gene_is_not_seen() -> None:
    result, matrix = shown()
    assert isinstance(result.model, PrototypeMap)
    lifted = result.model.prototypes + np.arange(20.0)[:, None]
    other = replace(result, model=PrototypeMap(grid=result.model.grid, prototypes=lifted))
    np.testing.assert_allclose(
        portraits(other, matrix).values, portraits(result, matrix).values, atol=1e-9
    )


def test_that_flat_portraits_have_a_scale() -> None:
    result, matrix = shown()
    assert isinstance(result.model, PrototypeMap)
    flat = PrototypeMap(grid=result.model.grid, prototypes=np.ones((20, 7)))
    assert portraits(replace(result, model=flat), matrix).reach == 1.0


def test_that_an_unknown_label_and_other_data_are_refused() -> None:
    result, matrix = shown()
    with pytest.raises(UserError) as refused:
        portraits(result, matrix, "conditions")
    assert refused.value.keys == ("label.unknown",)
    with pytest.raises(UserError) as refused:
        portraits(result, Matrix.from_array(np.zeros((3, 2))))
    assert refused.value.keys == ("portraits.other_data",)


def test_that_maps_without_nodes_and_tables_of_distances_have_no_portraits() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(20, 4))
    matrix = Matrix.from_array(values)
    pca = method_named("pca")
    with pytest.raises(UserError) as refused:
        portraits(train(matrix, pca, pca.params()), matrix)
    assert refused.value.keys == ("portraits.no_nodes",)
    apart = np.sqrt(((values[:, None] - values[None]) ** 2).sum(axis=2))
    table = Matrix(values=apart, item_ids=matrix.item_ids, feature_names=matrix.item_ids)
    som = method_named("som")
    settings = {"shape": (3, 3), "metric": "precomputed", "algorithm": "batch"}
    result = train(table, som, som.params.from_values(settings))
    with pytest.raises(UserError) as refused:
        portraits(result, table)
    assert refused.value.keys == ("portraits.no_features",)
