"""Planes: which look alike, and which is called so; and portraits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.maps.results import matrix_of, result_of
from tests.place.maps import items_near, smooth_map
from ximstudio.explore import planes as explored
from ximstudio.explore.planes import correlations_with, names_with, portraits, similarity_order
from ximstudio.model import Grid, Matrix, PrototypeMap, Result, UserError
from ximstudio.model.arrays import Floats, Ints
from ximstudio.train import method_named, train


def of_kinds(n_each: int = 8) -> tuple[Floats, Ints]:
    """Planes of three kinds, shuffled, and the kind of each."""
    rng = np.random.default_rng(0)
    shapes, kinds = rng.normal(size=(3, 30)), rng.permutation(np.repeat(np.arange(3), n_each))
    noise = 0.1 * rng.normal(size=(len(kinds), 30))
    return shapes[kinds] * rng.uniform(1, 3, (len(kinds), 1)) + noise, kinds


@pytest.mark.parametrize("by", ["tree", "projection", "projection of some"])
@pytest.mark.parametrize("n_blanks", [0, 40])
def test_that_planes_of_one_kind_are_neighbours(
    by: str, n_blanks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if by != "tree":
        monkeypatch.setattr(explored, "MOST_IN_TREE", 5)
    if by == "projection of some":
        monkeypatch.setattr(explored, "MOST_ACROSS", 15)
    planes, kinds = of_kinds()
    planes.flat[np.random.default_rng(1).permutation(planes.size)[:n_blanks]] = np.nan
    order = similarity_order(planes)
    assert sorted(order.tolist()) == list(range(24))
    assert (np.diff(kinds[order]) != 0).sum() == 2


def test_that_flat_planes_come_last() -> None:
    planes, _ = of_kinds()
    planes[[3, 7]] = 2.0
    order = similarity_order(planes)
    assert order[-2:].tolist() == [3, 7]
    assert sorted(order.tolist()) == list(range(24))


def test_that_correlations_are_those_of_numpy() -> None:
    planes, _ = of_kinds()
    expected = np.asarray(np.corrcoef(planes))[5]
    np.testing.assert_allclose(correlations_with(planes, 5), expected, atol=1e-9)


def test_that_a_plane_that_does_not_vary_correlates_with_none() -> None:
    planes, _ = of_kinds()
    planes[2] = -1.0
    found = correlations_with(planes, 5)
    assert np.isnan(found[2])
    assert found[5] == pytest.approx(1.0)
    assert np.isfinite(np.delete(found, 2)).all()


def test_that_names_are_found_whatever_their_letters_and_the_best_first() -> None:
    names = ("heat shock", "Shock", "cold", "shocking", "HEAT")
    assert names_with(names, "shock") == (1, 3, 0)
    assert names_with(names, " heat ") == (4, 0)
    assert names_with(names, "x") == ()
    assert names_with(names, "") == (0, 1, 2, 3, 4)


def test_that_very_many_planes_are_ordered() -> None:
    rng = np.random.default_rng(1)
    planes = rng.normal(size=(20_000, 9))
    order = similarity_order(planes)
    assert sorted(order.tolist()) == list(range(20_000))
    alike = np.diag(np.asarray(np.corrcoef(planes[order[:200]])), 1).mean()
    assert alike > 0.1


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
