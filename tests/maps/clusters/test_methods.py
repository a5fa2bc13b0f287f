"""Ward, watershed and HDBSCAN against slow or other people's twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.cluster import HDBSCAN

from tests.maps.clusters.planted import agreement
from tests.structures import every_structure
from ximstudio.maps.clusters.hdbscan import dense_clusters
from ximstudio.maps.clusters.ward import ward_merges
from ximstudio.maps.clusters.watershed import basins, overflows
from ximstudio.model import Grid
from ximstudio.model.arrays import Ints

FLAT = np.array([np.inf, np.inf])


def cut(prototypes: np.ndarray, hits: Ints, edges: Ints, number: int) -> Ints:
    regions, merges = ward_merges(prototypes, hits, edges)
    for j, k in merges[: len(merges) + 1 - number]:
        regions.join(j, k)
    return regions.numbers()


def test_that_ward_on_a_map_where_all_are_neighbours_is_that_of_scipy() -> None:
    prototypes = np.random.default_rng(0).normal(size=(25, 4))
    everywhere = np.array(np.triu_indices(25, 1)).T
    for number in (2, 5, 11):
        found = cut(prototypes, np.ones(25, dtype=np.int64), everywhere, number)
        expected = fcluster(linkage(prototypes, "ward"), number, "maxclust")
        assert agreement(found, expected) == pytest.approx(1.0)


def test_that_a_node_with_many_items_is_as_many_nodes_with_one() -> None:
    rng = np.random.default_rng(1)
    prototypes, hits = rng.normal(size=(12, 3)), rng.integers(1, 5, 12)
    everywhere = np.array(np.triu_indices(12, 1)).T
    repeated = np.repeat(prototypes, hits, axis=0)
    expected = fcluster(linkage(repeated, "ward"), 4, "maxclust")
    found = cut(prototypes, hits, everywhere, 4)
    assert agreement(np.repeat(found, hits), expected) == pytest.approx(1.0)


@every_structure
@pytest.mark.parametrize("number", [1, 3, 5])
def test_that_every_ward_cluster_is_one_piece_of_the_map_and_has_items(
    grid: Grid, number: int
) -> None:
    rng = np.random.default_rng(2)
    prototypes, hits = rng.normal(size=(grid.n_nodes, 3)), rng.integers(0, 3, grid.n_nodes)
    clusters = cut(prototypes, hits, grid.edges, number)
    assert clusters.max() + 1 == number
    for cluster in range(number):
        inside = set(np.flatnonzero(clusters == cluster).tolist())
        assert hits[list(inside)].sum() > 0
        assert pieces(inside, grid.edges) == 1


def pieces(nodes: set[int], edges: Ints) -> int:
    left, count = set(nodes), 0
    while left:
        count += 1
        waiting = [left.pop()]
        while waiting:
            here = waiting.pop()
            near = {int(node) for edge in edges if here in edge for node in edge} & left
            left -= near
            waiting += near
    return count


@every_structure
def test_that_water_runs_down_to_the_bottom_of_every_basin(grid: Grid) -> None:
    heights = np.random.default_rng(3).random(grid.n_nodes)
    found = basins(heights, grid.edges)
    for node in range(grid.n_nodes):
        here = node
        while True:
            near = [int(other) for edge in grid.edges if here in edge for other in edge]
            lowest = min([*near, here], key=lambda each: heights[each])
            if lowest == here:
                break
            here = lowest
        assert found.bottoms[node] == here


def test_that_the_shallowest_basin_runs_over_first_and_empty_ones_before_it() -> None:
    heights = np.array([0.0, 5.0, 3.0, 4.0, 1.0, 9.0, 0.0])
    line = np.column_stack([np.arange(6), np.arange(1, 7)])
    found = basins(heights, line)
    assert found.bottoms.tolist() == [0, 0, 2, 4, 4, 6, 6]
    full = list(overflows(heights, np.ones(7, dtype=np.int64), found))
    assert [(each.basin, each.into, each.depth) for each in full] == [
        (2, 4, 1.0),
        (4, 0, 4.0),
        (0, 6, 9.0),
    ]
    hits = np.array([1, 0, 1, 0, 1, 0, 0])
    first = next(overflows(heights, hits, found))
    assert (first.basin, first.into) == (6, 4)


def test_that_dense_clusters_are_those_of_scikit_learn_where_nothing_ties() -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        positions = rng.normal(size=(300, 2)) + 4.0 * rng.integers(0, 3, (300, 2))
        found = dense_clusters(positions, periods=FLAT, smallest=8, neighbours=1)
        theirs = HDBSCAN(min_cluster_size=8, min_samples=1, copy=True).fit(positions).labels_
        pairs = set(zip(found.tolist(), theirs.tolist(), strict=True))
        assert len(pairs) == len(set(found.tolist())) == len(set(theirs.tolist())) > 1


def test_that_dense_clusters_are_nearly_those_of_scikit_learn_where_distances_tie() -> None:
    rng = np.random.default_rng(5)
    positions = rng.normal(size=(500, 2)) + 7.0 * rng.integers(0, 3, 500)[:, None]
    found = dense_clusters(positions, periods=FLAT, smallest=10, neighbours=10)
    theirs = HDBSCAN(min_cluster_size=10, copy=True).fit(positions).labels_
    assert agreement(found, theirs) > 0.98


@pytest.mark.parametrize("n_items", [400, 2000])
def test_that_pure_noise_is_noise(n_items: int) -> None:
    for seed in range(3):
        positions = np.random.default_rng(seed).uniform(size=(n_items, 2))
        k = n_items // 50
        found = dense_clusters(
            positions, periods=FLAT, smallest=k, neighbours=k, contrast=1.0 + k**-0.5
        )
        assert (found < 0).mean() > 0.9


def test_that_a_dense_group_is_one_across_the_seams_of_a_torus() -> None:
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 3, 300)
    places = np.array([[0.0, 0.0], [5.0, 5.0], [0.0, 5.0]])[truth] + 0.3 * rng.normal(size=(300, 2))
    on_torus = np.mod(places, 10.0)
    periods = np.array([10.0, 10.0])
    found = dense_clusters(on_torus, periods=periods, smallest=10, neighbours=10)
    assert agreement(truth, found) > 0.98
    cut_open = dense_clusters(on_torus, periods=FLAT, smallest=10, neighbours=10)
    assert cut_open.max() > found.max()


def test_that_items_nearer_than_the_grain_are_not_told_apart() -> None:
    places = np.repeat([[0.0, 0.0], [1.0, 0.0], [9.0, 9.0], [9.0, 8.0]], 20, axis=0)
    fine = dense_clusters(places, periods=FLAT, smallest=5, neighbours=5)
    coarse = dense_clusters(places, periods=FLAT, smallest=5, neighbours=5, grain=1.0)
    assert len(np.unique(fine)) == 4
    assert len(np.unique(coarse)) == 2
    assert (coarse >= 0).all()


@given(st.integers(0, 7), st.integers(2, 6))
def test_that_few_items_are_noise(n_items: int, smallest: int) -> None:
    positions = np.random.default_rng(n_items).normal(size=(n_items, 2))
    found = dense_clusters(positions, periods=FLAT, smallest=smallest, neighbours=smallest)
    assert len(found) == n_items
    if n_items < 2 * smallest:
        assert (found == -1).all()


def test_that_a_node_without_items_goes_with_the_nearest_along_the_map() -> None:
    prototypes = np.array([[0.0], [1.0], [2.0], [3.0], [10.0]])
    line = np.column_stack([np.arange(4), np.arange(1, 5)])
    assert cut(prototypes, np.array([5, 0, 0, 0, 5]), line, 2).tolist() == [0, 0, 0, 0, 1]
    assert cut(prototypes, np.array([5, 0, 0, 5, 0]), line, 2).tolist() == [0, 0, 1, 1, 1]
