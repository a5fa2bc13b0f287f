"""Ridges of maps: what they are, and in how many runs they come again."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.maps.results import evidence_of, result_of
from tests.place.maps import rough_map
from tests.structures import every_structure
from ximstudio.kernels.parallel import checking
from ximstudio.maps import LayerEvidence
from ximstudio.maps.ridges import (
    FEWEST_ITEMS,
    LEAST_SHARE,
    RidgeProminence,
    centres,
    cloud,
    permuted,
    ridge_shares,
    settled,
)
from ximstudio.model import Grid, Matrix, PrototypeMap
from ximstudio.model.arrays import Floats
from ximstudio.train import method_named, train


def slow_tree(places: Floats, evidence: LayerEvidence) -> list[tuple[int, int, float]]:
    """The minimum spanning tree over the nodes with items, by Prim's rule on a full table."""
    n_nodes = len(places)
    nearest = settled(evidence)
    steps = np.full((n_nodes, n_nodes), np.inf)
    for j, k in nearest[evidence.grid.edges].tolist():
        if j != k:
            steps[j, k] = steps[k, j] = np.sqrt(((places[j] - places[k]) ** 2).sum())
    filled = sorted(set(evidence.winners.tolist()))
    inside, tree = {filled[0]}, []
    while len(inside) < len(filled):
        height, j, k = min((steps[j, k], j, k) for j in inside for k in filled if k not in inside)
        tree.append((j, k, float(height)))
        inside.add(k)
    return tree


def slow_prominence(tree: list[tuple[int, int, float]], hits: Any, one: int, other: int) -> float:
    """Raise the water until the two meet, and look at what it divided before."""

    def reached(node: int, level: float) -> tuple[set[int], list[float]]:
        valley = {node}
        while True:
            more = {
                k for edge in tree if edge[2] < level for k in edge[:2] if valley & set(edge[:2])
            }
            if more <= valley:
                steps = [height for j, k, height in tree if {j, k} <= valley and height < level]
                return valley, sorted(steps)
            valley |= more

    pass_ = min(
        height for *_, height in tree if other in reached(one, np.nextafter(height, np.inf))[0]
    )
    valleys = [reached(node, pass_) for node in (one, other)]
    fewest = max(FEWEST_ITEMS, LEAST_SHARE * hits.sum())
    if min(hits[list(nodes)].sum() for nodes, _ in valleys) < fewest:
        return 0.0
    typical = max(steps[len(steps) // 2] if steps else 0.0 for _, steps in valleys)
    return pass_ / typical if typical else 0.0


@every_structure
def test_that_prominence_is_that_of_the_slow_twin_on_every_structure(grid: Grid) -> None:
    evidence = evidence_of(rough_map(grid), n_items=50)
    landscape = RidgeProminence(evidence)
    hits = np.bincount(evidence.winners, minlength=grid.n_nodes)
    tree = slow_tree(centres(evidence), evidence)
    filled = np.flatnonzero(hits)
    left, right = (part.ravel() for part in np.meshgrid(filled, filled))
    expected = [
        0.0 if j == k else slow_prominence(tree, hits, j, k)
        for j, k in zip(left.tolist(), right.tolist(), strict=True)
    ]
    np.testing.assert_allclose(landscape.prominence(left, right), expected)
    assert landscape.most_prominent == pytest.approx(max(expected))


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_nodes_stand_where_their_items_are_and_empty_ones_at_the_nearest(
    blanks: bool,
) -> None:
    evidence = evidence_of(rough_map(Grid(6, 7)), n_items=25, blanks=blanks)
    places, nearest = centres(evidence), settled(evidence)
    values, prototypes = evidence.items.values, evidence.model.prototypes
    filled = sorted(set(evidence.winners.tolist()))
    assert 1 < len(filled) < 42
    for node in range(42):
        members = values[evidence.winners == node]
        if len(members):
            known = ~np.isnan(members).all(axis=0)
            np.testing.assert_allclose(places[node, known], np.nanmean(members[:, known], axis=0))
            np.testing.assert_array_equal(places[node, ~known], prototypes[node, ~known])
        apart = [np.linalg.norm(prototypes[node] - prototypes[other]) for other in filled]
        assert nearest[node] == filled[int(np.argmin(apart))]


def row_of_nodes(values: list[float], at: list[float]) -> LayerEvidence:
    """A line of nodes with prototypes at these numbers, and items at those."""
    model = PrototypeMap(
        grid=Grid(1, len(values)), prototypes=np.array(values, dtype=float)[:, None]
    )
    matrix = Matrix.from_array(np.array(at)[:, None])
    return LayerEvidence(result=result_of(model, matrix), matrix=matrix)


def test_that_a_gap_bridged_by_empty_nodes_is_as_high_as_it_is_wide() -> None:
    bridged = row_of_nodes([0, 1, 2, 5, 8, 10, 11, 12], [0, 0, 1, 1, 2, 2, 10, 10, 11, 11, 12, 12])
    landscape = RidgeProminence(bridged)
    np.testing.assert_allclose(landscape.heights, [1, 1, 0, 8, 0, 1, 1])
    assert landscape.prominence(np.array([1, 0, 0]), np.array([6, 2, 0])).tolist() == [8, 0, 0]


def test_that_outliers_are_no_group() -> None:
    crowd = [float(number) for number in range(10) for _ in range(10)]
    for n_far, prominent in ((2, False), (12, True)):
        evidence = row_of_nodes(
            [*map(float, range(10)), 30.0, 31.0], [*crowd, 30.0, *[31.0] * n_far]
        )
        found = RidgeProminence(evidence).prominence(np.array([4]), np.array([10]))
        assert bool(found[0] > 1.0) is prominent


def planted(n_items: int = 240, n_features: int = 10, n_clusters: int = 4) -> tuple[Matrix, Any]:
    """Clusters with 12 standard deviations between their centres, and which item is in which.

    Each has a feature that marks it, so that even `permuted` data fall into clusters.
    """
    kinds = np.arange(n_items) % n_clusters
    centre = 12.0 / np.sqrt(2.0) * np.eye(n_clusters, n_features)
    values = centre[kinds] + np.random.default_rng(1).normal(size=(n_items, n_features))
    return Matrix.from_array(values), kinds


def trained(matrix: Matrix, key: str, seed: int, settings: dict[str, Any]) -> LayerEvidence:
    method = method_named(key)
    result = train(matrix, method, method.params.from_values(settings), seed=seed)
    return LayerEvidence(result=result, matrix=matrix)


KINDS: list[tuple[str, dict[str, Any]]] = [
    ("som", {"shape": (10, 10)}),
    ("c-xim", {"shape": (10, 10), "lattice": "hexagonal", "toroidal": True}),
    ("t-xim", {"shape": (9, 9), "lattice": "disc"}),
]


def shares_of(matrix: Matrix, key: str, settings: dict[str, Any]) -> tuple[LayerEvidence, Floats]:
    reference = trained(matrix, key, 0, settings)
    runs = [trained(matrix, key, seed, settings) for seed in range(1, 6)]
    nulls = [trained(cloud(matrix, seed), key, seed, settings) for seed in range(3)]
    found = ridge_shares(reference, runs, nulls)
    np.testing.assert_array_equal(found.edges, reference.grid.edges)
    return reference, found.shares


@pytest.mark.parametrize(("key", "settings"), KINDS, ids=[key for key, _ in KINDS])
def test_that_ridges_between_planted_clusters_are_in_all_runs_and_no_others_are(
    key: str, settings: dict[str, Any]
) -> None:
    matrix, kinds = planted()
    reference, shares = shares_of(matrix, key, settings)
    # By construction no node has items of two clusters.
    kind = np.full(reference.grid.n_nodes, -1)
    kind[reference.winners] = kinds
    np.testing.assert_array_equal(kind[reference.winners], kinds)
    left, right = kind[settled(reference)][reference.grid.edges].T
    assert (left != right).any()
    assert (shares[left != right] >= 0.95).all()
    assert (shares[left == right] < 0.5).all()


@pytest.mark.parametrize(("key", "settings"), KINDS, ids=[key for key, _ in KINDS])
@pytest.mark.parametrize("noise", ["normal", "uniform"])
def test_that_noise_has_no_ridges(key: str, settings: dict[str, Any], noise: str) -> None:
    values = getattr(np.random.default_rng(3), noise)(size=(240, 10))
    _, shares = shares_of(Matrix.from_array(values), key, settings)
    assert (shares < 0.5).all()


def test_that_runs_on_parts_of_the_items_are_matched_by_ids() -> None:
    matrix, kinds = planted(80)
    key, settings = KINDS[0]
    reference = trained(matrix, key, 0, settings)
    nulls = [trained(cloud(matrix, 0), key, 0, settings)]
    some = np.random.default_rng(0).permutation(np.flatnonzero(kinds != 2))
    run = trained(matrix.items(some), key, 1, settings)
    shares = ridge_shares(reference, [run], nulls).shares
    kind = np.full(100, -1)
    kind[reference.winners] = kinds
    left, right = kind[settled(reference)][reference.grid.edges].T
    lacking = (left == 2) | (right == 2)
    np.testing.assert_array_equal(np.isnan(shares), lacking)
    np.testing.assert_array_equal(shares[~lacking] > 0, (left != right)[~lacking])


def test_that_shares_are_known_only_where_half_of_the_runs_have_items_of_both() -> None:
    whole = row_of_nodes([0.0, 1.0, 9.0, 10.0], [0.0, 1.0, 9.0, 10.0] * 4)
    nulls = [row_of_nodes([0.0], [0.0, 1.0])]
    # The two on the right are in runs without a part of the items no more.
    left = np.arange(16)[np.arange(16) % 4 < 2]
    matrix = Matrix.from_array(np.array([0.0, 1.0, 9.0, 10.0] * 4)[:, None]).items(left)
    part = LayerEvidence(result=result_of(whole.model, matrix), matrix=matrix)
    for runs, known in (([whole, part, part], False), ([whole, part], True)):
        shares = ridge_shares(whole, runs, nulls).shares
        right = (whole.grid.edges >= 2).any(axis=1)
        assert right.any()
        assert (np.isnan(shares) == (right & (not known))).all()
        assert not known or shares.max() == 1.0


def test_that_a_null_map_without_any_ridge_lets_nothing_pass_but_ridges() -> None:
    even = row_of_nodes([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0] * 5)
    assert (ridge_shares(even, [even], [row_of_nodes([0.0], [0.0, 1.0])]).shares == 0.0).all()


def test_that_permuting_keeps_every_feature_and_nothing_between_them() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(200, 1)) + 0.01 * rng.normal(size=(200, 4))
    values[rng.random(values.shape) < 0.1] = np.nan
    matrix = replace(
        Matrix.from_array(values),
        item_labels={"kind": ("a",) * 200},
        feature_labels={"unit": ("s",) * 4},
    )
    null = permuted(matrix, 7)
    np.testing.assert_array_equal(np.sort(null.values, axis=0), np.sort(values, axis=0))
    np.testing.assert_array_equal(np.isnan(null.values), np.isnan(values))
    assert (null.values != values)[~np.isnan(values)].mean() > 0.9
    assert (null.item_ids, null.feature_names) == (matrix.item_ids, matrix.feature_names)
    assert (null.item_labels, null.feature_labels) == ({}, matrix.feature_labels)
    known = null.values[~np.isnan(null.values).any(axis=1)]
    between = np.corrcoef(known.T) - np.eye(4)
    assert np.abs(between).max() < 0.4
    assert null.fingerprint == permuted(matrix, 7).fingerprint != permuted(matrix, 8).fingerprint


@pytest.mark.parametrize("n_items", [300, 2500])
def test_that_a_cloud_varies_as_the_data_do_but_has_no_groups(n_items: int) -> None:
    matrix, _ = planted(n_items)
    values = matrix.values.copy()
    values[::7, 2] = np.nan
    null = cloud(matrix.with_values(values), 3)
    np.testing.assert_array_equal(np.isnan(null.values), np.isnan(values))
    whole = cloud(matrix, 3).values
    expected = np.cov(matrix.values.T)
    assert np.abs(np.cov(whole.T) - expected).max() < 0.25 * expected.max()
    assert np.abs(whole.mean(axis=0) - matrix.values.mean(axis=0)).max() < 0.15 * expected.max()
    # Of two clusters as far apart nothing lies in the middle; a cloud is densest there.
    middle = np.linalg.norm(matrix.values - matrix.values.mean(axis=0), axis=1)
    around = np.linalg.norm(whole - whole.mean(axis=0), axis=1)
    assert np.quantile(around, 0.05) < 0.9 * np.quantile(middle, 0.05)
    assert (null.item_ids, null.feature_names) == (matrix.item_ids, matrix.feature_names)
    assert null.fingerprint == cloud(matrix.with_values(values), 3).fingerprint


def test_that_a_cloud_is_made_piece_by_piece_and_may_be_ended() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(20_000, 3)))
    asked: list[int] = []
    tracemalloc.start()
    with checking(lambda: asked.append(1)):
        cloud(matrix, 0)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # All weights at once would be 160 MB.
    assert most < 40e6
    assert len(asked) >= 20

    def enough() -> None:
        raise KeyError

    with pytest.raises(KeyError), checking(enough):
        cloud(matrix, 0)
