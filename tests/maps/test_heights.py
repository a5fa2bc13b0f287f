"""Layers over the nodes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.maps.results import evidence_of
from tests.place.maps import FLAT_GRIDS, TORI, smooth_map
from tests.twins import FLAT
from ximstudio.maps import hits, layer_named, u_matrix
from ximstudio.maps.heights import u_star_matrix
from ximstudio.model import Grid, Lattice, Matrix, PrototypeMap
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
