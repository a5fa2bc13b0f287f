"""Shepard's placing, and the winner."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import twins
from tests.place.maps import FLAT_GRIDS, TORI, around, items_near, rough_map, smooth_map
from ximstudio.model import Grid, Lattice, PrototypeMap
from ximstudio.model.arrays import Floats, Ints
from ximstudio.place.items import place_values
from ximstudio.place.params import PlacingParams


def nearest(model: PrototypeMap, values: Floats) -> list[int]:
    return [int(np.argmin(twins.data_distances(x, model.prototypes))) for x in values]


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize(("power", "neighbours"), [(4.0, 12), (2.0, 5), (1.0, 30), (8.5, 3)])
@pytest.mark.parametrize("grid", FLAT_GRIDS, ids=str)
def test_that_items_are_placed_as_the_twin_places_them(
    grid: Grid, power: float, neighbours: int, blanks: bool
) -> None:
    model = rough_map(grid)
    values = items_near(model, blanks=blanks)
    params = PlacingParams(power=power, neighbours=neighbours)
    placed = place_values(model, values, params)
    k = min(neighbours, grid.n_nodes)
    expected = [twins.shepard(grid, model.prototypes, x, power, k) for x in values]
    np.testing.assert_allclose(placed.positions, expected, rtol=0.0, atol=2e-5)
    assert placed.winners is not None
    assert placed.winners.tolist() == nearest(model, values)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("grid", TORI, ids=str)
def test_that_a_torus_is_placed_as_the_twin_places_it(grid: Grid, blanks: bool) -> None:
    model = smooth_map(grid)
    rng = np.random.default_rng(6)
    # Near the prototypes, so that no neighbour lies on the other side of the torus.
    values = model.prototypes + 0.05 * rng.normal(size=model.prototypes.shape)
    if blanks:
        values[1:, 5] = np.nan
    placed = place_values(model, values, PlacingParams(neighbours=4))
    expected = np.array([twins.shepard(grid, model.prototypes, x, 4.0, 4) for x in values])
    assert around(grid, placed.positions, expected).max() < 2e-5
    low, high = placed.positions.min(axis=0), placed.positions.max(axis=0)
    assert (low >= twins.torus_origin(grid)).all()
    assert (high < twins.torus_origin(grid) + twins.periods(grid)).all()


def shifted(grid: Grid, by_rows: int, by_columns: int) -> Ints:
    """For every node the one that lies so many rows and columns before it."""
    numbers = np.arange(grid.n_nodes).reshape(grid.rows, grid.columns)
    return np.roll(numbers, (by_rows, by_columns), axis=(0, 1)).ravel()


@pytest.mark.parametrize("neighbours", [4, 12, 1000])
@pytest.mark.parametrize("mapping", ["shepard", "softmax", "winner"])
@pytest.mark.parametrize(
    "grid",
    [
        Grid(5, 7, toroidal=True),
        Grid(4, 6, toroidal=True),
        Grid(6, 5, Lattice.HEXAGONAL, toroidal=True),
    ],
    ids=str,
)
def test_that_a_torus_has_no_seam(grid: Grid, mapping: str, neighbours: int) -> None:
    """When all nodes move on by one column or two rows, so do all items, wherever they lie."""
    params = PlacingParams(mapping=mapping, neighbours=neighbours, softness=0.5)
    for model in (rough_map(grid), smooth_map(grid)):
        values = items_near(model)
        before = place_values(model, values, params)
        assert before.winners is not None
        for by_rows, by_columns in ((0, 1), (2, 0), (2, 3)):
            order = shifted(grid, by_rows, by_columns)
            moved = PrototypeMap(grid=grid, prototypes=model.prototypes[order])
            after = place_values(moved, values, params)
            way = np.array([by_columns, by_rows * grid.row_height])
            expected = twins.wrapped(grid, before.positions + way)
            assert around(grid, after.positions, expected).max() < 1e-3
            assert np.array_equal(order[after.winners], before.winners)


@pytest.mark.parametrize("grid", [*FLAT_GRIDS, *TORI], ids=str)
def test_that_one_neighbour_is_the_winners_node(grid: Grid) -> None:
    model = rough_map(grid)
    values = items_near(model)
    alone = place_values(model, values, PlacingParams(neighbours=1))
    winner = place_values(model, values, PlacingParams(mapping="winner"))
    assert twins.winners_of(alone) == twins.winners_of(winner)
    assert around(grid, alone.positions, winner.positions).max() < 1e-9
    assert winner.winners is not None
    assert winner.winners.tolist() == nearest(model, values)
    assert np.array_equal(winner.positions, grid.nodes[winner.winners])


@pytest.mark.parametrize("far", [10.0, 1e3, 1e5])
@pytest.mark.parametrize("neighbours", [1, 12])
def test_that_items_far_from_all_prototypes_find_the_nearest(far: float, neighbours: int) -> None:
    """Distances of far items differ little: rounding must not choose the winner."""
    rng = np.random.default_rng(7)
    model = smooth_map(Grid(20, 20))
    size = float(np.linalg.norm(model.prototypes.std(axis=0)))
    directions = rng.normal(size=(200, model.prototypes.shape[1]))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    values = model.prototypes.mean(axis=0) + far * size * directions
    placed = place_values(model, values, PlacingParams(neighbours=neighbours))
    assert placed.winners is not None
    for x, winner in zip(values, placed.winners, strict=True):
        distances = np.sqrt(twins.data_distances(x, model.prototypes))
        # Nearest but for what float32 can tell apart at such a distance.
        assert distances[winner] - distances.min() < 4e-7 * distances.min()


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("size", [1e-20, 1.0, 1e20])
def test_that_unit_and_origin_do_not_matter(size: float, offset: float) -> None:
    model = rough_map(Grid(6, 6))
    values = items_near(model)
    reference = place_values(model, values, PlacingParams())
    other = PrototypeMap(grid=model.grid, prototypes=(model.prototypes + offset) * size)
    placed = place_values(other, (values + offset) * size, PlacingParams())
    assert twins.winners_of(placed) == twins.winners_of(reference)
    np.testing.assert_allclose(placed.positions, reference.positions, rtol=0.0, atol=1e-4)


@pytest.mark.parametrize("mapping", ["shepard", "softmax", "winner"])
@pytest.mark.parametrize("grid", [*FLAT_GRIDS, *TORI], ids=str)
def test_that_an_item_on_a_prototype_lies_on_its_node(grid: Grid, mapping: str) -> None:
    """And on no other image of it: items are drawn over their nodes."""
    model = rough_map(grid)
    params = PlacingParams(mapping=mapping, softness=0.01)
    placed = place_values(model, model.prototypes, params)
    assert placed.winners is not None
    assert placed.winners.tolist() == list(range(grid.n_nodes))
    np.testing.assert_allclose(placed.positions, grid.nodes, atol=1e-6)


def test_that_an_item_on_two_equal_prototypes_lies_between_their_nodes() -> None:
    prototypes = rough_map(Grid(5, 5)).prototypes.copy()
    prototypes[14] = prototypes[12]
    model = PrototypeMap(grid=Grid(5, 5), prototypes=prototypes)
    placed = place_values(model, prototypes[12:13], PlacingParams())
    assert placed.winners is not None
    assert placed.winners.tolist() == [12]
    np.testing.assert_allclose(placed.positions, [[3.0, 2.0]], atol=1e-6)


def test_that_equal_prototypes_everywhere_are_no_obstacle() -> None:
    model = PrototypeMap(grid=Grid(3, 3), prototypes=np.ones((9, 2)))
    for mapping in ("shepard", "softmax", "winner"):
        placed = place_values(
            model, np.array([[1.0, 1.0], [5.0, 2.0]]), PlacingParams(mapping=mapping)
        )
        assert np.isfinite(placed.positions).all()
        assert placed.winners is not None
        assert placed.winners.tolist() == [0, 0]


@given(seed=st.integers(0, 500), neighbours=st.integers(1, 60), power=st.floats(0.5, 16.0))
@settings(max_examples=30)
def test_that_items_never_leave_the_hull_of_the_nodes(
    seed: int, neighbours: int, power: float
) -> None:
    model = rough_map(Grid(5, 8))
    values = 10.0 * np.random.default_rng(seed).normal(size=(20, model.prototypes.shape[1]))
    placed = place_values(model, values, PlacingParams(neighbours=neighbours, power=power))
    assert (placed.positions >= -1e-9).all()
    assert (placed.positions <= np.array([7.0, 4.0]) + 1e-9).all()


@pytest.mark.parametrize("n_items", [0, 1, 255, 256, 257, 8193])
def test_that_blocks_of_items_are_placed_one_by_one_or_together(n_items: int) -> None:
    model = rough_map(Grid(6, 6))
    values = items_near(model, max(n_items, 1))[:n_items]
    together = place_values(model, values, PlacingParams())
    assert together.positions.shape == (n_items, 2)
    for row in range(0, n_items, max(1, n_items // 20)):
        alone = place_values(model, values[row : row + 1], PlacingParams())
        np.testing.assert_allclose(alone.positions[0], together.positions[row], atol=1e-5)
        assert alone.winners is not None
        assert together.winners is not None
        assert alone.winners[0] == together.winners[row]


def test_that_items_with_blanks_beside_do_not_move_complete_ones() -> None:
    model = rough_map(Grid(6, 6))
    values = items_near(model)
    beside = np.vstack([values, values[:1]])
    beside[-1, 0] = np.nan
    alone, among = (place_values(model, each, PlacingParams()) for each in (values, beside))
    np.testing.assert_allclose(among.positions[:-1], alone.positions, atol=1e-5)


def test_that_placing_twice_gives_the_same_bits() -> None:
    model = rough_map(Grid(12, 12))
    values = items_near(model, 5000)
    for mapping in ("shepard", "softmax", "winner"):
        one, other = (place_values(model, values, PlacingParams(mapping=mapping)) for _ in range(2))
        assert one.positions.tobytes() == other.positions.tobytes()
