"""The sides that neighbouring cells share."""

from __future__ import annotations

import numpy as np
import pytest

from tests.structures import every_structure
from ximstudio.maps.cells import bounds, node_at, shifted, tiles
from ximstudio.maps.clusters import borders
from ximstudio.maps.mosaic import mosaic
from ximstudio.maps.sides import drawn_borders, sides
from ximstudio.model import Grid, Lattice
from ximstudio.model.arrays import Floats

NUDGE = 1e-3


@pytest.mark.parametrize(
    "grid",
    [Grid(9, 13, Lattice.RANDOM), Grid(8, 8, Lattice.DISC), Grid(2, 2, Lattice.RANDOM)],
    ids=str,
)
def test_that_sides_lie_in_the_middle_between_two_nodes_and_no_other_is_nearer(grid: Grid) -> None:
    layout = mosaic(grid)
    found = sides(layout)
    assert (found.pairs[:, 0] < found.pairs[:, 1]).all()
    assert len(np.unique(found.pairs, axis=0)) == len(found.pairs)
    apart = np.linalg.norm(found.lines[:, :, None] - layout.places, axis=3)
    left, right = (apart[np.arange(len(apart)), :, found.pairs[:, side]] for side in (0, 1))
    np.testing.assert_allclose(left, right, atol=1e-9)
    assert (left <= apart.min(axis=2) + 1e-9).all()


@pytest.mark.parametrize("lattice", [Lattice.RANDOM, Lattice.DISC])
def test_that_all_cells_that_touch_share_a_side(lattice: Lattice) -> None:
    layout = mosaic(Grid(9, 9, lattice))
    box = layout.bounds
    x, y = np.meshgrid(np.linspace(box[0], box[2], 800), np.linspace(box[1], box[3], 800))
    nodes = layout.node_at(x, y)
    across = np.concatenate(
        [
            np.stack([nodes[:, :-1], nodes[:, 1:]], axis=-1).reshape(-1, 2),
            np.stack([nodes[:-1], nodes[1:]], axis=-1).reshape(-1, 2),
        ]
    )
    across = np.sort(across[(across >= 0).all(axis=1)], axis=1)
    pairs, counts = np.unique(across[across[:, 0] != across[:, 1]], axis=0, return_counts=True)
    shared = set(map(tuple, sides(layout).pairs.tolist()))
    # Steps from corner to corner may meet two cells that touch in a point.
    assert {tuple(pair) for pair in pairs[counts > 2].tolist()} <= shared


def test_that_cells_that_meet_in_one_point_share_no_side_there() -> None:
    rows, columns = np.divmod(np.arange(20), 5)
    turn = np.array([[np.cos(0.3), np.sin(0.3)], [-np.sin(0.3), np.cos(0.3)]])
    places = np.column_stack([columns, rows]) @ turn
    places = places - places.min(axis=0)
    grid = Grid(1, 20, Lattice.TABLE, places=tuple(map(tuple, places.tolist())))
    found = sides(mosaic(grid))
    lengths = np.linalg.norm(found.lines[:, 1] - found.lines[:, 0], axis=1)
    assert lengths.min() > 1e-3
    # Those of a lattice of squares, and none between cells that meet at a corner.
    assert len(found.pairs) == 4 * 4 + 5 * 3


def cell_sides(grid: Grid, lines: Floats) -> tuple[np.ndarray, np.ndarray]:
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
    one, other = cell_sides(grid, lines)
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
