"""Placing by a small neural network."""

from __future__ import annotations

import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest

from tests import twins
from tests.place.maps import around, smooth_map
from ximstudio.kernels.parallel import side_by_side
from ximstudio.model import Grid, Lattice, PrototypeMap, UserError
from ximstudio.model.arrays import Floats
from ximstudio.place.items import place_values
from ximstudio.place.params import PlacingParams
from ximstudio.place.supervised import network

PARAMS = PlacingParams(mapping="supervised")


@pytest.mark.parametrize(
    "grid",
    [
        Grid(8, 8),
        Grid(6, 9, Lattice.HEXAGONAL),
        Grid(8, 10, toroidal=True),
        Grid(8, 7, Lattice.HEXAGONAL, toroidal=True),
    ],
    ids=str,
)
def test_that_the_network_reproduces_the_nodes_at_the_prototypes(grid: Grid) -> None:
    model = smooth_map(grid)
    placed = place_values(model, model.prototypes, PARAMS)
    apart = np.linalg.norm(around(grid, placed.positions, twins.node_places(grid)), axis=1)
    assert apart.mean() < 0.2
    assert apart.max() < 0.6
    assert placed.winners is not None
    assert placed.winners.tolist() == list(range(grid.n_nodes))


def test_that_items_between_prototypes_lie_between_their_nodes() -> None:
    model = smooth_map(Grid(8, 8))
    edges = model.grid.edges
    middle = (model.prototypes[edges[:, 0]] + model.prototypes[edges[:, 1]]) / 2.0
    expected = (model.grid.nodes[edges[:, 0]] + model.grid.nodes[edges[:, 1]]) / 2.0
    placed = place_values(model, middle, PARAMS)
    assert np.linalg.norm(placed.positions - expected, axis=1).mean() < 0.25


def test_that_unit_and_origin_of_the_data_do_not_matter() -> None:
    model = smooth_map(Grid(6, 6))
    other = PrototypeMap(grid=model.grid, prototypes=model.prototypes * 1e5 - 3e5)
    one = place_values(model, model.prototypes, PARAMS)
    two = place_values(other, other.prototypes, PARAMS)
    np.testing.assert_allclose(two.positions, one.positions, atol=0.1)


def test_that_the_same_map_places_the_same_way_again() -> None:
    one, other = smooth_map(Grid(6, 6)), smooth_map(Grid(6, 6))
    bits = [
        place_values(model, one.prototypes, PARAMS).positions.tobytes() for model in (one, other)
    ]
    assert bits[0] == bits[1]


def test_that_blanks_are_refused() -> None:
    model = smooth_map(Grid(4, 4))
    values = model.prototypes.copy()
    values[3, 1] = np.nan
    with pytest.raises(UserError) as error:
        place_values(model, values, PARAMS)
    assert error.value.keys == ("place.blanks",)


@pytest.mark.parametrize(
    "prototypes", [np.ones((9, 2)), np.arange(9.0)[:, None]], ids=["all equal", "one feature"]
)
def test_that_flat_prototypes_are_no_obstacle(
    prototypes: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> None:
    model = PrototypeMap(grid=Grid(3, 3), prototypes=prototypes)
    assert np.isfinite(place_values(model, prototypes, PARAMS).positions).all()


def test_that_networks_side_by_side_leave_warnings_as_they_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from sklearn.neural_network import MLPRegressor

    fit, met = MLPRegressor.fit, threading.Barrier(2)
    inside: list[int] = []

    def slow(regressor: MLPRegressor, *data: Floats) -> object:
        number = len(inside)
        inside.append(number)
        with suppress(threading.BrokenBarrierError):
            met.wait(0.5)
        # Whoever began later ends later, too.
        time.sleep(0.2 * number)
        return fit(regressor, *data)

    monkeypatch.setattr(MLPRegressor, "fit", slow)
    models = [smooth_map(Grid(5, columns)) for columns in (5, 6)]
    before = list(warnings.filters)
    with side_by_side(), ThreadPoolExecutor(2) as pool:
        list(pool.map(network, models))
    assert len(inside) == 2
    assert list(warnings.filters) == before
