"""Structure hypotheses without rows and columns, or bent: places, distances and neighbours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.structures import every_structure
from ximstudio.model import Grid, Lattice
from ximstudio.model.arrays import Floats
from ximstudio.model.structures import STRUCTURES
from ximstudio.model.structures import gabriel as gabriel_module
from ximstudio.model.structures.gabriel import compared, gabriel
from ximstudio.model.structures.hyperbolic import EDGE, SCALE, tessellation


def all_distances(grid: Grid) -> Floats:
    every = np.arange(grid.n_nodes)
    return np.sqrt(grid.squared_distances(every, every))


def lengths(grid: Grid) -> Floats:
    """Of all edges."""
    return all_distances(grid)[grid.edges[:, 0], grid.edges[:, 1]]


def reached(grid: Grid) -> set[int]:
    """The nodes that one comes to from the first, edge by edge."""
    found, waiting = {0}, [0]
    while waiting:
        here = waiting.pop()
        at = grid.edges[(grid.edges == here).any(axis=1)]
        more = set(at.ravel().tolist()) - found
        found |= more
        waiting += sorted(more)
    return found


# What all keep ------------------------------------------------------------------------------------


def test_that_every_lattice_has_one_structure() -> None:
    assert [structure.lattice for structure in STRUCTURES] == list(Lattice)
    assert all(structure.about for structure in STRUCTURES)


@every_structure
def test_that_distances_are_those_of_a_space(grid: Grid) -> None:
    apart = all_distances(grid)
    np.testing.assert_allclose(apart, apart.T, atol=1e-9)
    np.testing.assert_allclose(np.diag(apart), 0.0, atol=1e-9)
    assert (apart[~np.eye(grid.n_nodes, dtype=bool)] > 0.0).all()
    # Nobody gets anywhere sooner by way of a third.
    assert (apart[:, :, None] + apart[None, :, :] >= apart[:, None, :] - 1e-9).all()


@every_structure
def test_that_neighbours_are_pairs_in_order_and_hang_together(grid: Grid) -> None:
    edges = grid.edges.tolist()
    assert edges == sorted(edges)
    assert len({tuple(edge) for edge in edges}) == len(edges)
    assert all(0 <= left < right < grid.n_nodes for left, right in edges)
    assert reached(grid) == set(range(grid.n_nodes))


@every_structure
def test_that_neighbours_are_about_one_unit_apart(grid: Grid) -> None:
    found = lengths(grid)
    if grid.structure.cell.name in {"IN_CIRCLE", "IN_BOX", "AROUND"}:
        assert 0.4 < np.median(found) < 1.3
    else:
        np.testing.assert_allclose(found, 1.0, atol=1e-9)


@every_structure
def test_that_places_cannot_be_written_to_and_are_all_different(grid: Grid) -> None:
    assert not grid.nodes.flags.writeable
    assert not grid.edges.flags.writeable
    assert grid.nodes.shape == (grid.n_nodes, grid.n_axes)
    assert len(np.unique(grid.nodes.round(9), axis=0)) == grid.n_nodes
    assert len(grid.periods) == len(grid.origin) == grid.n_axes


@every_structure
def test_that_the_longer_side_is_about_the_largest_distance(grid: Grid) -> None:
    farthest = all_distances(grid).max()
    assert 0.5 * farthest <= grid.longer_side <= 2.0 * farthest + 1.0


@pytest.mark.parametrize("lattice", [each for each in Lattice if each is not Lattice.TABLE])
@pytest.mark.parametrize("n_nodes", [1, 2, 3])
def test_that_the_smallest_maps_have_all_there_is(lattice: Lattice, n_nodes: int) -> None:
    grid = Grid(1, n_nodes, lattice)
    assert grid.n_nodes == len(grid.nodes) == n_nodes
    assert all_distances(grid).shape == (n_nodes, n_nodes)
    assert reached(grid) == set(range(n_nodes))
    assert grid.longer_side >= 1.0


# Lines and rings ----------------------------------------------------------------------------------


def test_that_a_line_has_all_nodes_in_a_row() -> None:
    grid = Grid(3, 4, Lattice.LINE)
    np.testing.assert_array_equal(grid.nodes, [(x, 0.0) for x in range(12)])
    assert (grid.rows, grid.columns) == (1, 12)
    assert grid.edges.tolist() == [[j, j + 1] for j in range(11)]


@pytest.mark.parametrize("n_nodes", [3, 7, 12])
def test_that_distances_on_a_ring_are_arcs(n_nodes: int) -> None:
    grid = Grid(1, n_nodes, Lattice.RING)
    angles = np.arctan2(grid.nodes[:, 1], grid.nodes[:, 0])
    turns = np.abs(angles[:, None] - angles[None, :])
    arcs = np.minimum(turns, 2.0 * np.pi - turns) * np.hypot(*grid.nodes[0])
    np.testing.assert_allclose(all_distances(grid), arcs, atol=1e-9)
    assert np.bincount(grid.edges.ravel()).tolist() == [2] * n_nodes


def test_that_a_cylinder_is_joined_left_to_right_only() -> None:
    grid = Grid(3, 5, Lattice.CYLINDER)
    assert grid.periods == (5.0, np.inf)
    assert all_distances(grid)[0, 4] == 1.0
    assert all_distances(grid)[0, 10] == 2.0
    assert np.bincount(grid.edges.ravel()).tolist() == [3] * 5 + [4] * 5 + [3] * 5


# In space -----------------------------------------------------------------------------------------


def test_that_inner_nodes_of_a_block_have_six_neighbours() -> None:
    grid = Grid(3, 4, Lattice.CUBIC, depth=5)
    degrees = np.bincount(grid.edges.ravel()).reshape(5, 3, 4)
    assert (degrees[1:-1, 1:-1, 1:-1] == 6).all()
    assert degrees[0, 0, 0] == degrees[-1, -1, -1] == 3
    straight = np.linalg.norm(grid.nodes[:, None] - grid.nodes[None], axis=2)
    np.testing.assert_allclose(all_distances(grid), straight)


# Strewn -------------------------------------------------------------------------------------------


def slow_gabriel(places: Floats) -> list[list[int]]:
    """Pairs whose circle holds nobody else, by looking at all."""
    found = []
    for j in range(len(places)):
        later = np.arange(j + 1, len(places))
        middles, halves = (places[j] + places[later]) / 2.0, norm(places[j] - places[later]) / 2.0
        apart = norm(places[None] - middles[:, None])
        apart[:, j] = apart[np.arange(len(later)), later] = np.inf
        alone = (apart > halves[:, None] * (1.0 + 1e-9)).all(axis=1)
        found += [[j, k] for k in later[alone].tolist()]
    return found


def norm(steps: Floats) -> Floats:
    """Lengths along the last axis."""
    return np.asarray(np.linalg.norm(steps, axis=-1))


def strewn_places(kind: str, seed: int, n: int, axes: int) -> Floats:
    """Nodes at random, and where triangulations are not unique, or are none at all."""
    rng = np.random.default_rng(seed)
    anywhere = rng.normal(size=(n, axes))
    line = anywhere[:, :1] * rng.normal(size=axes)
    angles = rng.integers(0, 24, n) * (np.pi / 12.0)
    circle = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(n)])[:, :axes]
    return {
        "anywhere": anywhere,
        "far from 0": anywhere + 1e4,
        "on a lattice": rng.integers(0, 5, (n, axes)).astype(np.float64),
        "on a line": line,
        "nearly on a line": line + 1e-7 * anywhere,
        "on a level": anywhere * (np.arange(axes) < axes - 1),
        "on a circle": circle,
        "on a circle and in it": np.concatenate([circle, 0.3 * anywhere, 0.0 * circle[:1]]),
        "some twice": np.concatenate([anywhere, anywhere[::3], anywhere[::6]]),
        "all on one place": np.ones((n, axes)),
        "in groups": 1e2 * rng.integers(0, 3, (n, axes)) + 1e-1 * anywhere,
        "in tight groups": 1e4 * rng.integers(0, 3, (n, axes)) + 1e-3 * anywhere,
        "of every size": anywhere * 10.0 ** rng.uniform(-4.0, 2.0, (n, 1)),
    }[kind]


KINDS = [
    "anywhere",
    "far from 0",
    "on a lattice",
    "on a line",
    "nearly on a line",
    "on a level",
    "on a circle",
    "on a circle and in it",
    "some twice",
    "all on one place",
    "in groups",
    "in tight groups",
    "of every size",
]


@pytest.mark.parametrize("kind", KINDS)
@given(st.integers(0, 2**32), st.integers(1, 90), st.integers(2, 3))
@settings(max_examples=60)
def test_that_neighbours_are_those_of_gabriel(kind: str, seed: int, n: int, axes: int) -> None:
    places = strewn_places(kind, seed, n, axes)
    expected = slow_gabriel(places)
    assert gabriel(places).tolist() == expected
    assert compared(places).tolist() == expected


@pytest.mark.parametrize("axes", [2, 3])
def test_that_many_nodes_are_not_all_compared(axes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    many = {
        "random": rng.uniform(0.0, 2000.0 ** (1.0 / axes), (2000, axes)),
        "lattice": Grid(12, 12, Lattice.CUBIC, depth=12 if axes == 3 else 1).nodes[:, :axes],
        "disc": np.pad(Grid(1, 2000, Lattice.DISC).nodes, [(0, 0), (0, axes - 2)]),
    }
    expected = {name: compared(places).tolist() for name, places in many.items()}
    monkeypatch.setattr(gabriel_module, "compared", None)
    assert {name: gabriel(places).tolist() for name, places in many.items()} == expected


def test_that_far_groups_are_neighbours_by_their_nearest_nodes() -> None:
    rng = np.random.default_rng(0)
    places = rng.normal(size=(80, 2))
    places[40:, 0] += 100.0
    assert gabriel(places).tolist() == slow_gabriel(places)
    assert reached(Grid.of_places(places)) == set(range(80))


def test_that_a_lattice_given_as_a_table_has_no_diagonals() -> None:
    lattice = Grid(4, 6)
    assert Grid.of_places(lattice.nodes).edges.tolist() == lattice.edges.tolist()


def test_that_random_nodes_are_the_same_ones_every_time_and_fill_their_rectangle() -> None:
    grid, again = Grid(20, 30, Lattice.RANDOM), Grid(20, 30, Lattice.RANDOM)
    np.testing.assert_array_equal(grid.nodes, again.nodes)
    assert (np.abs(grid.nodes) <= [15.0, 10.0]).all()
    np.testing.assert_allclose(np.ptp(grid.nodes, axis=0), [30.0, 20.0], rtol=0.03)


def test_that_a_disc_is_round_and_evenly_filled() -> None:
    grid = Grid(20, 20, Lattice.DISC)
    distances = np.sort(np.hypot(*grid.nodes.T))
    np.testing.assert_allclose(distances, np.sqrt((np.arange(400) + 0.5) / np.pi))
    nearest = all_distances(grid) + 9.0 * np.eye(400)
    assert 0.8 < nearest.min() <= nearest.min(axis=1).max() < 1.15


# The hyperbolic plane -----------------------------------------------------------------------------


def test_that_hyperbolic_distances_are_those_of_the_poincare_disc() -> None:
    grid = Grid(10, 10, Lattice.HYPERBOLIC)
    z = (grid.nodes[:, 0] + 1j * grid.nodes[:, 1]) / SCALE
    moved = np.abs((z[:, None] - z[None]) / (1.0 - np.conj(z[:, None]) * z[None]))
    np.testing.assert_allclose(all_distances(grid), 2.0 * np.arctanh(moved) / EDGE, atol=1e-9)


def test_that_seven_triangles_meet_in_every_inner_node() -> None:
    grid = Grid(1, 85, Lattice.HYPERBOLIC)
    degrees = np.bincount(grid.edges.ravel(), minlength=85)
    # All neighbours of the first 29 are there: the middle, and two rings of 7 and 21.
    assert set(degrees[:29].tolist()) == {7}
    assert degrees.max() == 7
    sides = {tuple(edge) for edge in grid.edges.tolist()}
    triangles = {
        tuple(sorted((j, k, m))) for j, k in sides for m in range(k) if (m, j) in sides
        and ((m, k) in sides or (k, m) in sides)
    }  # fmt: skip
    assert sum(0 in triangle for triangle in triangles) == 7


def test_that_rings_of_the_tessellation_grow_as_they_should() -> None:
    """1, 7, 21, 56, 147: every ring is thrice the one before less the one before that."""
    found = tessellation(300)
    steps = {0: 0}
    for node in range(300):
        for other in found.around[node].tolist():
            steps[other] = min(steps.get(other, 99), steps[node] + 1)
    assert [sum(step == ring for step in steps.values()) for ring in range(5)] == [
        1,
        7,
        21,
        56,
        147,
    ]


def test_that_hyperbolic_nodes_are_the_nearest_to_the_middle() -> None:
    grid = Grid(1, 60, Lattice.HYPERBOLIC)
    more = Grid(1, 400, Lattice.HYPERBOLIC)
    np.testing.assert_allclose(grid.nodes, more.nodes[:60], atol=1e-9)
    distances = np.hypot(*more.nodes.T)
    assert (np.diff(distances) > -1e-8).all()
    assert distances.max() < SCALE
