"""Layers over the nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tests import twins
from tests.maps.results import evidence_of, members_of
from tests.place.maps import FLAT_GRIDS, TORI, rough_map, smooth_map
from tests.twins import FLAT
from ximstudio.maps import LayerEvidence, hits, layer_named, u_matrix
from ximstudio.maps.heights import item_errors, u_star_matrix
from ximstudio.measure.neighbourhoods import continuity, trustworthiness
from ximstudio.measure.ranks import Ranks
from ximstudio.model import Grid, Lattice, Matrix, PrototypeMap
from ximstudio.model.arrays import Floats
from ximstudio.train import method_named, train


@pytest.mark.parametrize("lattice", FLAT)
@pytest.mark.parametrize("toroidal", [False, True])
def test_that_the_u_matrix_is_the_mean_distance_to_all_nodes_one_step_away(
    lattice: Lattice, toroidal: bool
) -> None:
    grid = Grid(4, 5, lattice, toroidal)
    prototypes = np.random.default_rng(0).normal(size=(20, 3))
    every = np.arange(20)
    near = np.isclose(grid.squared_distances(every, every), 1.0)
    expected = [
        np.mean([np.linalg.norm(prototypes[j] - prototypes[k]) for k in np.flatnonzero(near[j])])
        for j in every
    ]
    found = u_matrix(PrototypeMap(grid=grid, prototypes=prototypes))
    np.testing.assert_allclose(found, expected)


def test_that_prototypes_with_blanks_have_no_height_and_count_for_none() -> None:
    prototypes = np.array([[0.0, 0.0], [np.nan, 5.0], [1.0, 0.0], [4.0, 4.0]])
    heights = u_matrix(PrototypeMap(grid=Grid(2, 2), prototypes=prototypes))
    np.testing.assert_array_equal(heights, [1.0, np.nan, 3.0, 5.0])


def test_that_a_map_of_one_node_is_flat() -> None:
    model = PrototypeMap(grid=Grid(1, 1), prototypes=np.ones((1, 3)))
    np.testing.assert_array_equal(u_matrix(model), [0.0])


def test_that_a_border_between_two_groups_is_a_ridge() -> None:
    prototypes = np.repeat([0.0, 1.0], 18)[:, None]
    heights = u_matrix(PrototypeMap(grid=Grid(6, 6), prototypes=prototypes)).reshape(6, 6)
    assert (heights[2:4] > 0).all()
    assert (heights[[0, 1, 4, 5]] == 0).all()


def test_that_hits_count_every_item_once() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(30, 4)))
    som = method_named("som")
    result = train(matrix, som, som.params.from_values({"shape": (3, 4), "n_steps": 500}))
    assert result.winners is not None
    counts = hits(result)
    assert counts.sum() == 30
    assert all(counts[node] == (result.winners == node).sum() for node in range(12))


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("grid", [*FLAT_GRIDS, *TORI], ids=str)
def test_that_the_u_star_matrix_scales_heights_by_density(grid: Grid, blanks: bool) -> None:
    evidence = evidence_of(smooth_map(grid), blanks=blanks)
    heights, density = u_matrix(evidence.model), evidence.density
    assert density.max() > density.mean()
    slow = [
        height * ((p - density.mean()) / (density.mean() - density.max()) + 1.0)
        for height, p in zip(heights, density, strict=True)
    ]
    np.testing.assert_allclose(layer_named("u_star_matrix").of(evidence, ""), slow, atol=1e-12)


def test_that_heights_vanish_where_the_data_are_densest_and_stay_at_mean_density() -> None:
    heights = np.array([3.0, 4.0, 5.0, 6.0])
    found = u_star_matrix(heights, np.array([0.0, 8.0, 4.0, 4.0]))
    np.testing.assert_allclose(found, [6.0, 0.0, 5.0, 6.0])


def test_that_even_density_leaves_the_heights() -> None:
    heights = np.array([3.0, 4.0])
    np.testing.assert_array_equal(u_star_matrix(heights, np.array([7.0, 7.0])), heights)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("grid", [*FLAT_GRIDS, *TORI], ids=str)
def test_that_the_quantisation_error_is_the_mean_distance_of_a_nodes_items(
    grid: Grid, blanks: bool
) -> None:
    evidence = evidence_of(rough_map(grid, offset=1e6), blanks=blanks)
    found = layer_named("quantisation_error").of(evidence, "")
    for node, items in enumerate(members_of(evidence)):
        prototype = evidence.model.prototypes[node : node + 1]
        apart = [
            np.sqrt(twins.data_distances(evidence.items.values[item], prototype)[0])
            for item in items
        ]
        if items:
            assert found[node] == pytest.approx(np.mean(apart))
        else:
            assert np.isnan(found[node])


def test_that_item_errors_are_those_of_the_measures() -> None:
    evidence = evidence_of(smooth_map(Grid(5, 4)), blanks=True)
    best = evidence.measured.best_nodes
    assert best is not None
    np.testing.assert_allclose(item_errors(evidence), best.distances)


@pytest.mark.parametrize(("key", "curve"), [("trust", trustworthiness), ("continuity", continuity)])
def test_that_a_map_is_believed_as_far_as_its_nodes_are(
    key: str, curve: Callable[[Ranks], Floats]
) -> None:
    evidence = evidence_of(smooth_map(Grid(5, 4)))
    found = layer_named(key).of(evidence, "")
    hits = np.array([len(items) for items in members_of(evidence)])
    assert (np.isnan(found) == (hits == 0)).all()
    mean = np.nansum(found * hits) / hits.sum()
    assert mean == pytest.approx(curve(evidence.measured.ranks).mean())


def test_that_a_torn_group_is_seen_at_its_nodes_only() -> None:
    rng = np.random.default_rng(0)
    values = np.repeat(10.0 * np.eye(4, 7), 20, axis=0) + 0.1 * rng.normal(size=(80, 7))
    evidence = evidence_of(smooth_map(Grid(1, 8)), n_items=80)
    matrix = evidence.items.with_values(values)
    winners = np.repeat([0, 2, 4, 6], 20)
    # The last group lies half beside the first and half at the other end.
    winners[70:] = 1
    positions = np.column_stack([winners, np.zeros(80)]) + 0.05 * rng.normal(size=(80, 2))
    torn = replace(evidence.result, winners=winners, positions=positions)
    found = layer_named("continuity").of(LayerEvidence(result=torn, matrix=matrix), "")
    assert min(found[2], found[4]) > max(found[1], found[6])
