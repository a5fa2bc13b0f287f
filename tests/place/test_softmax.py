"""Placing by normalised radial basis functions."""

from __future__ import annotations

import numpy as np
import pytest

from tests import twins
from tests.place.maps import FLAT_GRIDS, TORI, around, items_near, rough_map, smooth_map
from ximstudio.model import Grid, PrototypeMap
from ximstudio.place.items import place_values
from ximstudio.place.params import PlacingParams


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("softness", [0.2, 0.7, 3.0])
@pytest.mark.parametrize("grid", [*FLAT_GRIDS, *TORI], ids=str)
def test_that_items_are_placed_as_the_twin_places_them(
    grid: Grid, softness: float, blanks: bool
) -> None:
    for model in (rough_map(grid), smooth_map(grid)):
        values = items_near(model, blanks=blanks)
        placed = place_values(model, values, PlacingParams(mapping="softmax", softness=softness))
        expected = twins.softmax(grid, model.prototypes, values, softness)
        assert around(grid, placed.positions, expected).max() < 1e-3
        nearest = [int(np.argmin(twins.data_distances(x, model.prototypes))) for x in values]
        assert placed.winners is not None
        assert placed.winners.tolist() == nearest


@pytest.mark.parametrize("softness", [1e-3, 0.02])
def test_that_a_hard_softmax_is_the_winners_node(softness: float) -> None:
    """Down to the smallest softness allowed, on a map with the usual number of nodes."""
    model = smooth_map(Grid(30, 30))
    rng = np.random.default_rng(0)
    apart = np.median(np.linalg.norm(np.diff(model.prototypes.reshape(30, 30, -1), axis=1), axis=2))
    values = model.prototypes + 0.1 * apart * rng.normal(size=model.prototypes.shape) / np.sqrt(7)
    placed = place_values(model, values, PlacingParams(mapping="softmax", softness=softness))
    expected = twins.softmax(model.grid, model.prototypes, values, softness)
    np.testing.assert_allclose(placed.positions, expected, rtol=0.0, atol=0.01)


def test_that_a_soft_softmax_is_the_middle_of_the_map() -> None:
    model = rough_map(Grid(6, 9))
    placed = place_values(
        model, items_near(model), PlacingParams(mapping="softmax", softness=1000.0)
    )
    np.testing.assert_allclose(placed.positions, [[4.0, 2.5]] * 60, atol=1e-3)


def test_that_a_single_node_takes_all_items() -> None:
    model = PrototypeMap(grid=Grid(1, 1), prototypes=np.zeros((1, 3)))
    placed = place_values(model, np.eye(3), PlacingParams(mapping="softmax"))
    assert np.array_equal(placed.positions, np.zeros((3, 2)))
