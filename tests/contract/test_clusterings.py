"""Contract of every entry of CLUSTERINGS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tests.maps.clusters.planted import N_GROUPS, agreement, mapped, planted
from ximstudio.kernels.parallel import checking
from ximstudio.maps.cells import shifted, shifted_positions
from ximstudio.maps.clusters import (
    CLUSTERINGS,
    ClusteredUnit,
    ClusterMethod,
    as_sets,
    clustering_named,
    clusterings_of,
    find_clusters,
    items_of,
)
from ximstudio.model import Matrix, PrototypeMap, Result, UserError
from ximstudio.model.params import Params

every_way = pytest.mark.parametrize("way", CLUSTERINGS, ids=lambda way: way.key)
MAPS: dict[str, Callable[[], Result]] = {
    "c-xim": mapped,
    "torus": lambda: mapped(toroidal=True),
    "hexagons": lambda: mapped(lattice="hexagonal"),
    "strewn": lambda: mapped(lattice="disc"),
    "som": lambda: mapped("som"),
}


class TooLongError(Exception):
    """A person wants no more."""


@every_way
def test_that_every_way_says_all_about_itself(way: ClusterMethod) -> None:
    for text in (way.name, way.about, way.reference):
        assert text.strip() == text != ""
    assert way.about.endswith(".")
    assert clustering_named(way.key) is way
    assert issubclass(way.params, Params)
    assert way.params.from_values(way.params().as_values()) == way.params()


def test_that_an_unknown_way_is_refused() -> None:
    with pytest.raises(UserError) as refused:
        clustering_named("wards")
    assert refused.value.keys == ("clustering.unknown",)


@every_way
@pytest.mark.parametrize("where", list(MAPS))
def test_that_five_planted_groups_are_found_and_their_number_is_five(
    way: ClusterMethod, where: str
) -> None:
    result, (matrix, truth) = MAPS[where](), planted()
    clustering = find_clusters(result, matrix, way=way)
    assert len(clustering) == N_GROUPS
    assert agreement(truth, items_of(clustering, result.winners)) >= 0.95
    if clustering.criterion is not None:
        assert clustering.criterion.chosen == N_GROUPS
        assert len(clustering.criterion.numbers) == len(clustering.criterion.values)


@every_way
def test_that_clusters_are_numbered_by_falling_size_and_none_is_empty(way: ClusterMethod) -> None:
    result, (matrix, _) = mapped("som", 1), planted(1)
    clustering = find_clusters(result, matrix, way=way)
    of_item = items_of(clustering, result.winners)
    sizes = np.bincount(of_item[of_item >= 0], minlength=len(clustering))
    assert (np.diff(sizes) <= 0).all()
    assert (sizes > 0).all()
    sets = as_sets(clustering, result.item_ids, result.winners)
    assert [len(each) for each in sets] == sizes.tolist()
    for cluster, each in enumerate(sets):
        assert set(each.members) == {
            result.item_ids[item] for item in np.flatnonzero(of_item == cluster)
        }


@every_way
def test_that_the_same_seed_gives_the_same_clusters(way: ClusterMethod) -> None:
    result, (matrix, _) = mapped("som"), planted()
    first, second = (find_clusters(result, matrix, way=way, seed=3) for _ in range(2))
    np.testing.assert_array_equal(first.clusters, second.clusters)
    assert first.names == second.names


@every_way
def test_that_clusters_move_with_a_torus(way: ClusterMethod) -> None:
    result, (matrix, _) = mapped(toroidal=True), planted()
    assert isinstance(result.model, PrototypeMap)
    assert result.winners is not None
    grid = result.model.grid
    to = shifted(grid, np.arange(grid.n_nodes), 4, 7)
    moved = np.empty(grid.n_nodes, dtype=np.int64)
    moved[to] = np.arange(grid.n_nodes)
    elsewhere = replace(
        result,
        model=PrototypeMap(grid=grid, prototypes=shifted(grid, result.model.prototypes, 4, 7)),
        winners=moved[result.winners],
        positions=shifted_positions(grid, result.positions, 4, 7),
    )
    before, after = (
        items_of(find_clusters(each, matrix, way=way), each.winners) for each in (result, elsewhere)
    )
    assert agreement(before, after) == pytest.approx(1.0)


@every_way
def test_that_neither_the_unit_nor_the_level_of_the_data_matters(way: ClusterMethod) -> None:
    result, (matrix, _) = mapped("som"), planted()
    assert isinstance(result.model, PrototypeMap)
    values, prototypes = (1e3 + 5.0 * each for each in (matrix.values, result.model.prototypes))
    other = replace(result, model=PrototypeMap(grid=result.model.grid, prototypes=prototypes))
    before = find_clusters(result, matrix, way=way)
    after = find_clusters(other, matrix.with_values(values), way=way)
    np.testing.assert_array_equal(before.clusters, after.clusters)


@every_way
def test_that_maps_without_nodes_are_grouped_by_positions_or_refused(way: ClusterMethod) -> None:
    result, (matrix, truth) = mapped("pca"), planted()
    assert (way in clusterings_of(result)) == (way.over is ClusteredUnit.ITEMS)
    if way.over is ClusteredUnit.ITEMS:
        found = find_clusters(result, matrix, way=way)
        assert found.over is ClusteredUnit.ITEMS
        assert len(found.clusters) == len(truth)
        return
    with pytest.raises(UserError) as refused:
        find_clusters(result, matrix, way=way)
    assert refused.value.keys == ("clusters.no_nodes",)


@every_way
def test_that_other_data_than_the_map_s_are_refused(way: ClusterMethod) -> None:
    with pytest.raises(UserError) as refused:
        find_clusters(mapped("som"), Matrix.from_array(np.zeros((3, 2))), way=way)
    assert refused.value.keys == ("clusters.other_data",)


@every_way
def test_that_a_person_may_end_it(way: ClusterMethod) -> None:
    def check() -> None:
        raise TooLongError

    with checking(check), pytest.raises(TooLongError):
        find_clusters(mapped("som"), planted()[0], way=way)


@every_way
def test_that_blanks_in_the_data_do_not_hide_the_groups(way: ClusterMethod) -> None:
    matrix, truth = planted(2)
    values = matrix.values.copy()
    values[np.random.default_rng(0).random(values.shape) < 0.1] = np.nan
    blank = matrix.with_values(values)
    result = _trained(blank, {"shape": (10, 10)})
    clustering = find_clusters(result, blank, way=way)
    assert agreement(truth, items_of(clustering, result.winners)) >= 0.9


@every_way
def test_that_groups_are_found_from_a_table_of_distances_alone(way: ClusterMethod) -> None:
    matrix, truth = planted(0, 25)
    apart = matrix.values[:, None] - matrix.values[None]
    table = Matrix(
        values=np.sqrt((apart**2).sum(axis=2)),
        item_ids=matrix.item_ids,
        feature_names=matrix.item_ids,
    )
    result = _trained(table, {"shape": (8, 8), "metric": "precomputed", "algorithm": "batch"})
    clustering = find_clusters(result, table, way=way)
    assert len(clustering) == N_GROUPS
    assert agreement(truth, items_of(clustering, result.winners)) >= 0.95


def _trained(matrix: Matrix, settings: dict[str, object]) -> Result:
    from ximstudio.train import method_named, train

    som = method_named("som")
    return train(matrix, som, som.params.from_values(settings))
