"""Boxes around blocks of items on the map, and what is near enough to be measured."""

from __future__ import annotations

import numpy as np
import pytest

from tests.measure.oracles import table_of_distances
from ximstudio.kernels.map_neighbours import boxes_within, gather_on_map
from ximstudio.kernels.nearest import BLOCK
from ximstudio.kernels.points import SpacePoints
from ximstudio.measure.ranks import boxes_of, points_of
from ximstudio.model.arrays import Floats

N_ITEMS = 7 * BLOCK + 5
PERIODS = {"plane": (np.inf, np.inf), "torus": (4.0, 4.0)}


def places() -> Floats:
    """Items along a line that winds once around the torus, so that blocks are small."""
    rng = np.random.default_rng(0)
    along = np.linspace(0.0, 4.0, N_ITEMS, endpoint=False)
    return np.column_stack([along, rng.uniform(0.0, 0.5, N_ITEMS)])


def on_map(kind: str) -> tuple[SpacePoints, Floats]:
    points = points_of(places(), PERIODS[kind], np.arange(N_ITEMS))
    return points, table_of_distances(points.places, tuple(points.periods))


@pytest.mark.parametrize("kind", PERIODS)
@pytest.mark.parametrize("reach", [0.0, 1e-3, 0.05, 10.0])
def test_that_no_item_within_reach_is_left_out(kind: str, reach: float) -> None:
    points, distances = on_map(kind)
    boxes = boxes_of(points.places)
    blocks = np.empty(8, dtype=np.int32)
    for i in range(N_ITEMS):
        found = blocks[: boxes_within(points, boxes, i, reach, blocks)]
        assert np.all(np.isin(np.flatnonzero(distances[i] <= reach) // BLOCK, found))


def test_that_boxes_far_away_are_left_out_unless_the_way_round_is_short() -> None:
    blocks = np.empty(8, dtype=np.int32)
    found = {}
    for kind in PERIODS:
        points, _ = on_map(kind)
        n_blocks = boxes_within(points, boxes_of(points.places), 0, 1e-3, blocks)
        found[kind] = blocks[:n_blocks].tolist()
    assert found == {"plane": [0], "torus": [0, 7]}


@pytest.mark.parametrize("kind", PERIODS)
def test_that_what_is_gathered_is_measured_and_the_item_itself_is_far_away(kind: str) -> None:
    points, distances = on_map(kind)
    boxes = boxes_of(points.places)
    near = np.full(8 * BLOCK, np.nan, dtype=np.float32)
    blocks = np.empty(8, dtype=np.int32)
    n_blocks = gather_on_map(points, boxes, 40, 0.05, near, blocks)
    chosen = np.isin(np.arange(8 * BLOCK) // BLOCK, blocks[:n_blocks])
    assert 0 < n_blocks < 8
    assert np.isnan(near[~chosen]).all()
    wanted = distances[40].astype(np.float32)
    wanted[40] = np.inf
    np.testing.assert_allclose(near[:N_ITEMS][chosen[:N_ITEMS]], wanted[chosen[:N_ITEMS]], 1e-6)
