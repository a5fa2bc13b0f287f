"""Exact distances between items, and the order they give."""

from __future__ import annotations

import numpy as np
import pytest

from tests.measure.oracles import table_of_distances
from ximstudio.kernels.points import (
    COUNTED,
    UNRELATED,
    SpacePoints,
    all_distances,
    measure,
    precedes,
    sort_by_distance,
    squared_distance,
)
from ximstudio.model.arrays import Floats, Ints

FLAT = (np.inf, np.inf, np.inf)
TORUS = (4.0, 3.0, np.inf)


def points_of(places: Floats, periods: tuple[float, ...] = FLAT) -> SpacePoints:
    plain = not np.isnan(places).any() and bool(np.isinf(periods).all())
    # Numbers in the table run against the order in which the items are kept.
    return SpacePoints(places, np.array(periods), plain, np.arange(len(places))[::-1].copy())


def some_places(n_items: int = 41, *, blanks: bool = False) -> Floats:
    rng = np.random.default_rng(0)
    places = rng.uniform(0.0, 3.0, size=(n_items, 3))
    if blanks:
        places[rng.random(places.shape) < 0.3] = np.nan
        places[:, 0] = 1.0
    return places


def sorted_by_kernel(points: SpacePoints, distances: Floats) -> tuple[Floats, Ints, Ints]:
    d, items = distances.copy(), np.arange(len(distances))
    order = np.empty(len(distances), dtype=np.int64)
    sort_by_distance(points, d, items, order)
    return d, items, order


@pytest.mark.parametrize("blanks", [False, True])
@pytest.mark.parametrize("periods", [FLAT, TORUS])
def test_that_all_ways_to_measure_give_the_same_bits(
    blanks: bool, periods: tuple[float, ...]
) -> None:
    places = some_places(blanks=blanks)
    points = points_of(places, periods)
    n_items = len(places)
    rows, some = np.empty((1, n_items)), np.empty(n_items)
    all_distances(points, 7, rows)
    measure(points, 7, np.arange(n_items), some)
    one_by_one = [squared_distance(points, 7, j) for j in range(n_items)]
    assert rows[0].tolist() == some.tolist() == one_by_one
    np.testing.assert_allclose(some, table_of_distances(places, periods)[7], rtol=1e-12)


def test_that_items_without_a_common_feature_are_farther_than_all_others() -> None:
    points = points_of(np.array([[1.0, np.nan, np.nan], [np.nan, 1.0, 1.0]]))
    assert squared_distance(points, 0, 1) == UNRELATED


@pytest.mark.parametrize("n_items", [1, 20, COUNTED, COUNTED + 1, 400])
@pytest.mark.parametrize("levels", [2, 10**9])
def test_that_items_are_sorted_by_distance_and_then_by_number(n_items: int, levels: int) -> None:
    points = points_of(some_places(n_items))
    given = np.random.default_rng(n_items).integers(0, levels, n_items).astype(float)
    wanted = np.lexsort((points.original, given))
    d, items, order = sorted_by_kernel(points, given)
    assert items.tolist() == order.tolist() == wanted.tolist()
    assert d.tolist() == given[wanted].tolist()
    for a, b in zip(range(n_items - 1), range(1, n_items), strict=True):
        assert precedes(points, d[a], items[a], d[b], items[b])
        assert not precedes(points, d[b], items[b], d[a], items[a])
