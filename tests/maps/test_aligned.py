"""One map brought to another: what was done to it is found, on grids exactly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.maps.results import matrix_of, result_of
from tests.maps.turns import FLIPS, short, turned_grids, turned_table
from tests.place.maps import items_near, smooth_map
from tests.structures import every_structure
from ximstudio.maps.aligned import (
    EQUAL,
    aligned,
    best_of,
    best_orientation,
    correlations,
    short_ways,
)
from ximstudio.maps.cells import node_at, shifted
from ximstudio.maps.drawn import drawn
from ximstudio.maps.orientation import UNTURNED, Orientation
from ximstudio.measure.alignment import align
from ximstudio.model import Grid, ItemMap, Lattice, Matrix, PrototypeMap, Result, TrainingHistory
from ximstudio.model.arrays import Floats
from ximstudio.train import method_named, train

FLAT = Grid(5, 7)
HONEYCOMB = Grid(6, 5, Lattice.HEXAGONAL)
TORUS = Grid(5, 7, toroidal=True)
ROUND = Grid(6, 5, Lattice.HEXAGONAL, toroidal=True)
SQUARE = Grid(6, 6, toroidal=True)
CYLINDER = Grid(4, 7, Lattice.CYLINDER)
GRIDS = [FLAT, HONEYCOMB, TORUS, ROUND, SQUARE, CYLINDER]
every_grid = pytest.mark.parametrize("grid", GRIDS, ids=str)
seeds = st.integers(0, 2**32 - 1)


def map_with(grid: Grid, positions: Floats) -> Result:
    """A map with items at these positions."""
    params = method_named("som").params()
    return Result(
        method="som",
        params=params,
        seed=0,
        data_fingerprint="",
        item_ids=tuple(f"item {number}" for number in range(len(positions))),
        feature_names=("feature",),
        model=PrototypeMap(grid=grid, prototypes=np.arange(float(grid.n_nodes))[:, None]),
        winners=node_at(grid, *drawn(grid, positions).T),
        positions=positions,
        history=TrainingHistory.empty(),
        step=1,
        n_steps=1,
    )


def strewn(grid: Grid, seed: int, n_items: int = 80) -> Floats:
    """Items around nodes, and at least one in every corner of the map."""
    rng = np.random.default_rng(seed)
    nodes = np.concatenate([np.arange(grid.n_nodes), rng.integers(0, grid.n_nodes, n_items)])
    return np.asarray(grid.nodes[nodes] + rng.uniform(-0.2, 0.2, (len(nodes), grid.n_axes)))


def permuted(result: Result, turn: Orientation) -> Result:
    """The same items on squares whose prototypes are turned by numpy."""
    assert isinstance(result.model, PrototypeMap)
    grid = result.model.grid
    table = turned_table(np.arange(grid.n_nodes).reshape(grid.rows, grid.columns), turn)
    rows, columns = table.shape
    model = PrototypeMap(
        grid=replace(grid, rows=rows, columns=columns),
        prototypes=result.model.prototypes[table.ravel()],
    )
    return result_of(model, matrix_of(items_near(smooth_map(grid))))


def trained(grid: Grid) -> Result:
    """Items near smooth prototypes, as training would leave them."""
    model = smooth_map(grid)
    return result_of(model, matrix_of(items_near(model)))


@given(turned_grids().filter(lambda case: min(case[0].rows, case[0].columns) > 2), seeds)
def test_that_every_turn_is_found_again(case: tuple[Grid, Orientation], seed: int) -> None:
    grid, turn = case
    result = map_with(grid, strewn(grid, seed))
    onto = turn.moved(result.positions, grid)
    found = best_orientation(result, onto)
    assert found == replace(turn, rows=turn.rows % grid.rows, columns=turn.columns % grid.columns)
    scaled = aligned(result, result.item_ids, 3.0 * onto - [40.0, 2.0])
    assert scaled.turn == found
    np.testing.assert_allclose(scaled.positions, onto, atol=1e-9)


@pytest.mark.parametrize("grid", [FLAT, Grid(6, 6), TORUS, SQUARE], ids=str)
@given(st.sampled_from(FLIPS), st.integers(0, 6), st.integers(0, 6))
def test_that_prototypes_turned_by_numpy_are_turned_back(
    grid: Grid, flip: Orientation, rows: int, columns: int
) -> None:
    turn = replace(flip, rows=rows, columns=columns) if grid.toroidal else flip
    reference = trained(grid)
    other = permuted(reference, turn)
    back = aligned(other, reference.item_ids, reference.positions, onto_grid=grid)
    apart = back.positions - reference.positions
    assert np.abs(short(grid, apart)).max() < 1e-9
    assert isinstance(other.model, PrototypeMap)
    assert reference.winners is not None
    assert other.winners is not None
    assert back.turn is not None
    places = back.turn.moved(other.model.grid.nodes, other.model.grid)
    np.testing.assert_allclose(
        short(grid, places[other.winners] - grid.nodes[reference.winners]), 0.0, atol=1e-9
    )


@given(
    st.sampled_from([(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]),
    st.integers(0, 5),
    st.integers(0, 4),
)
def test_that_prototypes_of_a_round_honeycomb_are_turned_back(
    flips: tuple[float, float], rows: int, columns: int
) -> None:
    reference = trained(ROUND)
    assert isinstance(reference.model, PrototypeMap)
    # Around node 0 every flip carries the lattice over itself.
    to = node_at(ROUND, *(ROUND.nodes * flips).T)
    prototypes = np.empty_like(reference.model.prototypes)
    prototypes[to] = reference.model.prototypes
    model = PrototypeMap(grid=ROUND, prototypes=shifted(ROUND, prototypes, rows, columns))
    other = result_of(model, matrix_of(items_near(smooth_map(ROUND))))
    back = aligned(other, reference.item_ids, reference.positions, onto_grid=ROUND)
    apart = short(ROUND, back.positions - reference.positions)
    assert np.abs(apart).max() < 1e-9


@pytest.mark.parametrize(
    ("grid", "turn"),
    [
        (Grid(6, 5, Lattice.HEXAGONAL), Orientation(flipped_x=True, flipped_y=True)),
        (Grid(5, 6, Lattice.HEXAGONAL), Orientation(flipped_y=True)),
    ],
    ids=["half a turn", "upside down"],
)
def test_that_prototypes_of_a_honeycomb_with_borders_are_turned_back(
    grid: Grid, turn: Orientation
) -> None:
    reference = trained(grid)
    assert isinstance(reference.model, PrototypeMap)
    to = node_at(grid, *turn.moved(grid.nodes, grid).T)
    prototypes = np.empty_like(reference.model.prototypes)
    prototypes[to] = reference.model.prototypes
    model = PrototypeMap(grid=grid, prototypes=prototypes)
    other = result_of(model, matrix_of(items_near(smooth_map(grid))))
    back = aligned(other, reference.item_ids, reference.positions, onto_grid=grid)
    assert back.turn == turn
    np.testing.assert_allclose(back.positions, reference.positions, atol=1e-9)


@every_grid
@given(st.sampled_from(FLIPS), st.integers(0, 6), st.integers(0, 6), seeds)
def test_that_noise_and_missing_items_do_not_change_the_turn(
    grid: Grid, flip: Orientation, rows: int, columns: int, seed: int
) -> None:
    sideways, upright = grid.joined
    turn = replace(flip, rows=rows % grid.rows * upright, columns=columns % grid.columns * sideways)
    result = map_with(grid, strewn(grid, seed, 300))
    rng = np.random.default_rng(seed)
    onto = turn.moved(result.positions, grid)
    noisy = onto + rng.normal(scale=0.1, size=onto.shape)
    kept = rng.permutation(len(onto))[: len(onto) * 2 // 3]
    ids = [result.item_ids[number] for number in kept]
    back = aligned(result, [*ids, "of no other map"], np.append(noisy[kept], [[9.0, 9.0]], axis=0))
    assert back.turn == turn
    np.testing.assert_allclose(back.positions, onto, atol=1e-9)


@pytest.mark.parametrize("round_trip", [False, True], ids=["as drawn", "short way round"])
@every_grid
def test_that_a_map_stays_as_it_is_beside_itself(grid: Grid, round_trip: bool) -> None:
    result = map_with(grid, strewn(grid, 0))
    found = best_orientation(result, result.positions, onto_grid=grid if round_trip else None)
    assert found == UNTURNED


@every_structure
def test_that_every_structure_is_turned_back_where_its_drawing_is_a_plane(grid: Grid) -> None:
    result = map_with(grid, strewn(grid, 1))
    places = drawn(grid, result.positions)
    for flip in FLIPS:
        onto = flip.moved(places, grid)
        back = aligned(result, result.item_ids, onto)
        if grid.n_axes == 2:
            apart = (back.positions - back.positions.mean(axis=0)) - (onto - onto.mean(axis=0))
            np.testing.assert_allclose(apart, 0.0, atol=1e-9)
        else:
            assert back.turn == UNTURNED
            np.testing.assert_array_equal(back.positions, places)


@every_grid
def test_that_no_turn_agrees_better(grid: Grid) -> None:
    rng = np.random.default_rng(2)
    result = map_with(grid, strewn(grid, 2))
    onto = rng.normal(size=result.positions.shape)
    around = onto - onto.mean(axis=0)
    rows, columns = (
        size if joined else 1
        for size, joined in zip((grid.rows, grid.columns), grid.joined[::-1], strict=True)
    )
    tried = {}
    for flip in FLIPS:
        for row in range(rows):
            for column in range(columns):
                turn = replace(flip, rows=row, columns=column)
                there = turn.moved(result.positions, grid)
                there = there - there.mean(axis=0)
                size = np.sqrt((there**2).sum() * (around**2).sum())
                tried[turn] = float((there * around).sum() / size)
    scores = correlations(grid, result.positions, onto)
    for turn, score in tried.items():
        flip = replace(turn, rows=0, columns=0)
        assert scores[flip][turn.rows, turn.columns] == pytest.approx(score, abs=1e-9)
    assert tried[best_orientation(result, onto)] == pytest.approx(max(tried.values()), abs=1e-9)


@pytest.mark.parametrize("grid", [TORUS, ROUND, SQUARE], ids=str)
def test_that_ways_round_a_torus_are_the_short_ones(grid: Grid) -> None:
    rng = np.random.default_rng(3)
    positions = strewn(grid, 3)
    onto = np.asarray(grid.origin + rng.random(positions.shape) * grid.periods)
    scores = short_ways(grid, grid, positions, onto)
    assert len(scores) == (8 if grid is SQUARE else 4)
    for flip, of_flip in scores.items():
        for row, column in ((0, 0), (1, 0), (2, 3), (grid.rows - 1, grid.columns - 1)):
            there = replace(flip, rows=row, columns=column).moved(positions, grid)
            squares = (short(grid, onto - there) ** 2).sum(axis=1).mean()
            expected = -squares / np.dot(grid.periods, grid.periods)
            assert of_flip[row, column] == pytest.approx(expected, abs=1e-12)


def test_that_a_cylinder_is_compared_round_about_and_upright() -> None:
    result = map_with(CYLINDER, strewn(CYLINDER, 4))
    for turn in (
        Orientation(columns=5),
        Orientation(flipped_y=True, columns=2),
        Orientation(flipped_x=True),
    ):
        onto = turn.moved(result.positions, CYLINDER)
        # Cut elsewhere, it is the same cylinder.
        onto[:, 0] += 3.0 * CYLINDER.columns
        assert best_orientation(result, onto, onto_grid=CYLINDER) == turn


@every_grid
def test_that_a_map_with_all_items_in_one_point_stays_as_it_is(grid: Grid) -> None:
    cloud = strewn(grid, 5)
    point = np.broadcast_to(grid.nodes[3], cloud.shape) * 1.0
    assert best_orientation(map_with(grid, point), cloud) == UNTURNED
    assert best_orientation(map_with(grid, cloud), point) == UNTURNED
    assert best_orientation(map_with(grid, point), point, onto_grid=grid) == UNTURNED


def test_that_a_torus_with_all_items_in_one_node_is_moved_over_them() -> None:
    here, there = (np.broadcast_to(TORUS.nodes[node], (9, 2)) * 1.0 for node in (3, 3 + 2 * 7 - 1))
    assert best_orientation(map_with(TORUS, here), there, onto_grid=TORUS) == Orientation(
        rows=2, columns=6
    )


@every_grid
def test_that_a_map_without_common_items_stays_as_it_is(grid: Grid) -> None:
    result = map_with(grid, strewn(grid, 6))
    alone = aligned(result, ["somebody"], np.array([[1.0, 2.0]]), onto_grid=grid)
    assert alone.turn == UNTURNED
    np.testing.assert_array_equal(alone.positions, result.positions)
    nobody = aligned(result, [], np.empty((0, 2)))
    assert nobody.turn == UNTURNED


def test_that_chosen_items_decide() -> None:
    result = map_with(FLAT, strewn(FLAT, 7))
    half = np.arange(len(result.positions)) % 2 == 0
    there = Orientation(flipped_x=True).moved(result.positions, FLAT)
    onto = np.where(half[:, None], there, result.positions)
    assert best_orientation(result, onto, half) == Orientation(flipped_x=True)
    assert best_orientation(result, onto, ~half) == UNTURNED


def test_that_of_turns_that_agree_as_well_the_least_is_taken() -> None:
    shape = (2, 5, 7)
    even = {Orientation(flipped_x=True): np.zeros(shape[1:]), UNTURNED: np.zeros(shape[1:])}
    assert best_of(TORUS, even) == UNTURNED
    even[UNTURNED][:, :] = -1.0
    even[UNTURNED][2, 0] = even[UNTURNED][4, 0] = 0.5 * EQUAL
    assert best_of(TORUS, even) == Orientation(flipped_x=True)
    even[Orientation(flipped_x=True)] -= 1.0
    assert best_of(TORUS, even) == Orientation(rows=4)


@given(seeds, st.floats(0.0, 2.0 * np.pi), st.sampled_from([1.0, -1.0]))
def test_that_a_projection_is_turned_exactly_onto_another(
    seed: int, angle: float, mirror: float
) -> None:
    values = np.random.default_rng(seed).normal(size=(30, 5))
    result = train(Matrix.from_array(values * [5.0, 3.0, 1.0, 1.0, 1.0]), method_named("pca"))
    places = result.positions[:, :2]
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    onto = places * [1.0, mirror] @ turn + [3.0, -4.0]
    order = np.random.default_rng(seed).permutation(30)
    back = aligned(result, [result.item_ids[number] for number in order[:20]], onto[order[:20]])
    assert back.turn is None
    np.testing.assert_allclose(back.positions, onto, atol=1e-9)


@every_grid
def test_that_maps_with_and_without_nodes_are_brought_to_each_other(grid: Grid) -> None:
    result = map_with(grid, strewn(grid, 8))
    turn = Orientation(flipped_x=True, swapped=True)
    model = ItemMap(items=Matrix.from_array(result.positions), positions=result.positions)
    free = replace(result, model=model, winners=None)
    onto = turn.moved(result.positions, grid)
    assert aligned(result, free.item_ids, onto).turn == turn
    back = aligned(free, result.item_ids, onto, onto_grid=grid)
    assert back.turn is None
    np.testing.assert_array_equal(back.positions, align(result.positions, onto))
