"""The noun itself: numbers, names, sets, and how many clusters there are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.maps.clusters.planted import agreement, mapped, planted
from ximstudio.maps.clusters import clustering_named, find_clusters, items_of
from ximstudio.maps.clusters.clustering import by_size
from ximstudio.maps.clusters.number import mean_silhouettes
from ximstudio.model import Matrix, PrototypeMap, Result, UserError
from ximstudio.model.arrays import Ints


@given(arrays(np.int64, st.integers(0, 30), elements=st.integers(-1, 6)))
def test_that_numbering_by_size_keeps_the_groups(clusters: Ints) -> None:
    numbered = by_size(clusters)
    pairs = set(zip(clusters.tolist(), numbered.tolist(), strict=True))
    assert len(pairs) == len(set(clusters.tolist())) == len(set(numbered.tolist()))
    assert ((clusters < 0) == (numbered < 0)).all()
    sizes = np.bincount(numbered[numbered >= 0])
    assert (np.diff(sizes) <= 0).all()
    assert (sizes > 0).all()


def test_that_a_cluster_can_be_renamed_but_not_like_another() -> None:
    clustering = find_clusters(mapped("som"), planted()[0], way=clustering_named("ward"))
    renamed = clustering.renamed(1, "  Ribosome ")
    assert renamed.names[:2] == ("Cluster 1", "Ribosome")
    assert clustering.names[1] == "Cluster 2"
    for wrong in ("Cluster 1", "   "):
        with pytest.raises(UserError) as refused:
            renamed.renamed(2, wrong)
        assert refused.value.keys == ("clusters.name",)
    assert renamed.renamed(1, "Ribosome").names == renamed.names


@pytest.mark.parametrize("key", ["ward", "k_means", "watershed"])
@pytest.mark.parametrize("number", [1, 2, 4])
def test_that_as_many_clusters_are_found_as_a_person_asks_for(key: str, number: int) -> None:
    way = clustering_named(key)
    params = way.params.from_values({"n_clusters": number})
    clustering = find_clusters(mapped("som"), planted()[0], way=way, params=params)
    assert len(clustering) == number
    assert clustering.criterion is not None
    assert clustering.criterion.chosen is None


@pytest.mark.parametrize("key", ["ward", "k_means", "watershed"])
def test_that_more_clusters_than_nodes_with_items_are_refused(key: str) -> None:
    way = clustering_named(key)
    params = way.params.from_values({"n_clusters": 145})
    with pytest.raises(UserError) as refused:
        find_clusters(mapped("som"), planted()[0], way=way, params=params)
    assert refused.value.keys == ("clusters.too_many",)


def with_blanks(nodes: list[int] | slice) -> Result:
    """A map some of whose prototypes have a blank."""
    result = mapped("som")
    assert isinstance(result.model, PrototypeMap)
    prototypes = result.model.prototypes.copy()
    prototypes[nodes, 1] = np.nan
    return replace(result, model=PrototypeMap(grid=result.model.grid, prototypes=prototypes))


@pytest.mark.parametrize("key", ["ward", "k_means"])
def test_that_prototypes_with_blanks_are_refused(key: str) -> None:
    with pytest.raises(UserError) as refused:
        find_clusters(with_blanks([3]), planted()[0], way=clustering_named(key))
    assert refused.value.keys == ("clusters.blanks",)


def test_that_prototypes_with_blanks_are_in_no_basin_and_all_others_are() -> None:
    way, matrix = clustering_named("watershed"), planted()[0]
    whole = find_clusters(mapped("som"), matrix, way=way)

    some = find_clusters(with_blanks([3, 40]), matrix, way=way)

    assert np.flatnonzero(some.clusters < 0).tolist() == [3, 40]
    assert len(some) == len(whole) > 1
    assert agreement(some.clusters, whole.clusters) > 0.9


def test_that_parts_that_blanks_cut_off_are_clusters_if_they_have_items() -> None:
    way, matrix = clustering_named("watershed"), planted()[0]
    row = slice(5 * 12, 6 * 12)
    cut = with_blanks(row)

    found = find_clusters(cut, matrix, way=way, params=way.params.from_values({"n_clusters": 1}))

    assert (found.clusters[row] == -1).all()
    assert len(found) == 2
    assert len({*found.clusters[: 5 * 12].tolist()}) == 1
    with pytest.raises(UserError) as refused:
        find_clusters(with_blanks(slice(None)), matrix, way=way)
    assert refused.value.keys == ("clusters.blanks",)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_silhouettes_are_those_of_a_slow_loop(blanks: bool) -> None:
    rng = np.random.default_rng(0)
    values = 100.0 + rng.normal(size=(40, 6))
    if blanks:
        values[rng.random(values.shape) < 0.2] = np.nan
    groupings = [np.arange(40) % number for number in (2, 3, 7)]
    groupings.append(np.minimum(np.arange(40), 2))
    slow = []
    for grouping in groupings:
        overall = np.nanmean(values, axis=0)
        means = []
        for each in np.unique(grouping):
            members = values[grouping == each]
            unknown = np.isnan(members).all(axis=0)
            means.append(np.where(unknown, overall, np.nansum(members, axis=0)))
            means[-1][~unknown] = np.nanmean(members[:, ~unknown], axis=0)
        scores = []
        for item, own in zip(values, grouping, strict=True):
            apart = np.sqrt([np.nanmean((item - mean) ** 2) for mean in means])
            a, b = apart[own], np.delete(apart, own).min()
            scores.append((b - a) / max(a, b) if (grouping == own).sum() > 1 else 0.0)
        slow.append(np.mean(scores))
    np.testing.assert_allclose(mean_silhouettes(Matrix.from_array(values), groupings), slow)


def test_that_silhouettes_of_a_table_are_those_of_the_features_behind_it() -> None:
    from ximstudio.model.dissimilarities import Dissimilarities

    rng = np.random.default_rng(1)
    values = rng.normal(size=(30, 4))
    names = tuple(f"g{number}" for number in range(30))
    table = np.sqrt(((values[:, None] - values[None]) ** 2).sum(axis=2))
    seen = Dissimilarities.of(Matrix(values=table, item_ids=names, feature_names=names))
    groupings = [np.arange(30) % number for number in (2, 5)]
    expected = mean_silhouettes(Matrix.from_array(values), groupings)
    np.testing.assert_allclose(mean_silhouettes(seen, groupings), expected)


def test_that_a_map_with_one_node_is_one_cluster() -> None:
    from ximstudio.train import method_named, train

    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(9, 3)))
    som = method_named("som")
    result = train(matrix, som, som.params.from_values({"shape": (1, 1), "n_steps": 10}))
    for key in ("ward", "k_means", "watershed"):
        clustering = find_clusters(result, matrix, way=clustering_named(key))
        assert items_of(clustering, result.winners).tolist() == [0] * 9


def test_that_agreement_is_one_for_the_same_groups_and_small_by_chance() -> None:
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 4, 400)
    assert agreement(groups, 3 - groups) == pytest.approx(1.0)
    assert abs(agreement(groups, rng.integers(0, 4, 400))) < 0.05
