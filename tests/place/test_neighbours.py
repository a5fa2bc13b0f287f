"""Items placed between trained items: by Shepard's rule, blanks on both sides."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.model import ItemMap, Matrix
from ximstudio.model.arrays import Floats
from ximstudio.place.items import place_values
from ximstudio.place.neighbours import nearest_items
from ximstudio.place.params import ItemPlacingParams


def holed(n_items: int, seed: int, share: float = 0.3) -> Floats:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_items, 6)) + 50.0
    hidden = rng.random(values.shape) < share
    hidden[np.arange(n_items), rng.integers(0, 6, n_items)] = False
    values[hidden] = np.nan
    return values


def twin_distance(one: Floats, other: Floats) -> float:
    known = ~np.isnan(one) & ~np.isnan(other)
    if not known.any():
        return float(np.inf)
    return float(np.sqrt(((one - other)[known] ** 2).sum() * len(one) / known.sum()))


@pytest.mark.parametrize("share", [0.0, 0.3], ids=["complete", "blanks"])
def test_that_the_nearest_items_are_those_of_a_slow_search(share: float) -> None:
    values, others = holed(20, 1, share), holed(90, 2, share)
    found = nearest_items(values, others, 5)
    for row, item in enumerate(values):
        distances = np.array([twin_distance(item, other) for other in others])
        np.testing.assert_array_equal(found.items[row], np.argsort(distances, kind="stable")[:5])
        np.testing.assert_allclose(found.distances[row], np.sort(distances)[:5], rtol=1e-12)


def test_that_an_item_can_be_passed_over() -> None:
    values = holed(30, 3)
    own = np.arange(30)
    found = nearest_items(values, values, 40, excluding=own)
    assert found.items.shape == (30, 29)
    assert not (found.items == own[:, None]).any()


@pytest.mark.parametrize("k", [10, 30, 39])
def test_that_an_item_is_passed_over_where_many_share_no_feature_with_it(k: int) -> None:
    values = np.random.default_rng(4).normal(size=(40, 6))
    values[:20, 3:] = values[20:, :3] = np.nan
    own = np.arange(40)
    found = nearest_items(values, values, k, excluding=own)
    assert not (found.items == own[:, None]).any()
    for row in own:
        distances = np.array([twin_distance(values[row], other) for other in values])
        expected = np.sort(np.delete(distances, row))[:k]
        np.testing.assert_allclose(found.distances[row], expected, rtol=1e-12)


def a_map(values: Floats) -> ItemMap:
    positions = np.random.default_rng(5).normal(size=(len(values), 2))
    return ItemMap(items=Matrix.from_array(values), positions=positions)


def test_that_items_lie_where_a_slow_twin_puts_them() -> None:
    model, new = a_map(holed(60, 6)), holed(9, 7)
    params = ItemPlacingParams(power=3.0, neighbours=7)
    placed = place_values(model, new, params)
    assert placed.winners is None
    for item, position in zip(new, placed.positions, strict=True):
        distances = np.array([twin_distance(item, other) for other in model.items.values])
        near = np.argsort(distances, kind="stable")[:7]
        weights = distances[near] ** -3.0
        expected = (weights[:, None] * model.positions[near]).sum(axis=0) / weights.sum()
        np.testing.assert_allclose(position, expected, rtol=1e-9, atol=1e-12)


def test_that_a_trained_item_lands_on_its_own_position() -> None:
    # Few blanks: an item may lie at no distance from one with which it shares little.
    model = a_map(holed(60, 8, 0.1))
    placed = place_values(model, model.items.values, ItemPlacingParams())
    np.testing.assert_array_equal(placed.positions, model.positions)


def test_that_an_item_far_away_or_alone_still_has_a_place() -> None:
    values = np.array([[0.0, np.nan], [np.nan, 1.0], [2.0, np.nan]])
    model = a_map(values)
    new = np.array([[1e150, np.nan], [np.nan, -3.0]])
    placed = place_values(model, new, ItemPlacingParams())
    assert np.isfinite(placed.positions).all()
    np.testing.assert_allclose(placed.positions[1], model.positions[1])
