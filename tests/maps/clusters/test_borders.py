"""Borders between clusters, on maps of every shape."""

from __future__ import annotations

import numpy as np
import pytest

from tests.structures import every_structure
from ximstudio.maps.cells import bounds, node_at, shifted, tiles
from ximstudio.maps.clusters import borders
from ximstudio.maps.clusters.borders import drawn_borders
from ximstudio.model import Grid, Lattice
from ximstudio.model.arrays import Floats

NUDGE = 1e-3


def sides(grid: Grid, lines: Floats) -> tuple[np.ndarray, np.ndarray]:
    """The nodes right beside the middle of every line."""
    middles = lines.mean(axis=1)
    along = lines[:, 1] - lines[:, 0]
    across = np.column_stack([-along[:, 1], along[:, 0]])
    across *= NUDGE / np.hypot(*across.T)[:, None]
    one, other = middles + across, middles - across
    return node_at(grid, *one.T), node_at(grid, *other.T)


@every_structure
def test_that_every_border_has_different_clusters_on_its_sides(grid: Grid) -> None:
    clusters = np.random.default_rng(0).integers(0, 3, grid.n_nodes)
    lines = borders(grid, clusters)
    assert lines.shape[1:] == (2, 2)
    assert len(lines) > 0
    one, other = sides(grid, lines)
    assert (one >= 0).all()
    assert (other >= 0).all()
    assert (clusters[one] != clusters[other]).all()


@every_structure
def test_that_one_cluster_has_no_borders(grid: Grid) -> None:
    assert borders(grid, np.zeros(grid.n_nodes, dtype=np.int64)).shape == (0, 2, 2)


@every_structure
def test_that_no_border_is_missing(grid: Grid) -> None:
    clusters = np.random.default_rng(1).integers(0, 3, grid.n_nodes)
    box = bounds(grid)
    rng = np.random.default_rng(2)
    places = rng.uniform((box.left, box.top), (box.right, box.bottom), (4000, 2))
    steps = 0.02 * rng.normal(size=places.shape)
    here, there = node_at(grid, *places.T), node_at(grid, *(places + steps).T)
    inside = (here >= 0) & (there >= 0)
    crossing = inside & (clusters[here] != clusters[there])
    assert crossing.any()
    lines = borders(grid, clusters)
    for place in places[crossing]:
        assert distance_to(lines, place) < 0.1


def distance_to(lines: Floats, place: Floats) -> float:
    along = lines[:, 1] - lines[:, 0]
    share = ((place - lines[:, 0]) * along).sum(axis=1) / (along**2).sum(axis=1)
    nearest = lines[:, 0] + np.clip(share, 0.0, 1.0)[:, None] * along
    return float(np.hypot(*(nearest - place).T).min())


def test_that_a_border_of_two_squares_is_their_common_side() -> None:
    lines = borders(Grid(1, 2), np.array([0, 1]))
    assert sorted(map(tuple, lines[0].tolist())) == [(0.5, -0.5), (0.5, 0.5)]
    assert len(lines) == 1


def test_that_a_border_along_a_seam_is_drawn_on_both_sides() -> None:
    clusters = np.repeat([0, 1], 2)
    flat = borders(Grid(1, 4), clusters)
    ring = borders(Grid(1, 4, Lattice.CYLINDER), clusters)
    assert sorted(flat[:, 0, 0].tolist()) == [1.5]
    assert sorted(ring[:, 0, 0].tolist()) == [-0.5, 1.5, 3.5]


@pytest.mark.parametrize("lattice", [Lattice.RECTANGULAR, Lattice.HEXAGONAL], ids=str)
def test_that_borders_move_with_a_torus(lattice: Lattice) -> None:
    grid = Grid(6, 7, lattice, toroidal=True)
    clusters = np.random.default_rng(3).integers(0, 3, grid.n_nodes)
    moved = drawn_borders(tiles(grid, rows=2, columns=3), clusters)
    other = borders(grid, shifted(grid, clusters, 2, 3))
    assert rounded(moved) == rounded(other)


def rounded(lines: Floats) -> set[tuple[float, ...]]:
    return {tuple(np.round(line[np.lexsort(line.T)].ravel(), 6).tolist()) for line in lines}
