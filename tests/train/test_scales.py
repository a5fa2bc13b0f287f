"""The map does not depend on the unit or the origin of the data."""

from __future__ import annotations

import numpy as np
import pytest

from tests import twins
from ximstudio.model import LinearMap, Matrix, PrototypeMap, Result
from ximstudio.model.arrays import Floats
from ximstudio.train import METHODS, method_named, train
from ximstudio.train.method import Method

CHANGES = {
    "times 1e-20": (1e-20, 0.0),
    "times 1e20": (1e20, 0.0),
    "plus 1e6": (1.0, 1e6),
    "times 1e-100": (1e-100, 0.0),
    "times 1e100": (1e100, 0.0),
}


def data(*, blanks: bool) -> Floats:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(60, 6)) @ rng.normal(size=(6, 6)) + 6.0 * rng.integers(0, 3, (60, 1))
    # Multiples of 2^−20 stay exact when 1e6 is added.
    values = np.round(values * 2.0**20) / 2.0**20
    if blanks:
        values[rng.random(values.shape) < 0.05] = np.nan
    return values


def trained(method: Method, values: Floats, options: dict[str, object]) -> Result:
    # Descents without nodes are chaotic: a last digit that differs is a first one in the end.
    wanted = {"shape": (6, 6), "n_steps": 1500 if method.map_kernel else 15, **options}
    known = {name: value for name, value in wanted.items() if name in method.params.specs()}
    return train(Matrix.from_array(values), method, method.params.from_values(known), seed=1)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_unit_and_origin_of_the_data_do_not_change_the_map(
    method: Method, blanks: bool, change: str
) -> None:
    scale, offset = CHANGES[change]
    values = data(blanks=blanks)
    for options in ({}, {"algorithm": "batch", "n_epochs": 10}):
        if options and "algorithm" not in method.params.specs():
            continue
        one = trained(method, values, options)
        other = trained(method, values * scale + offset, options)
        if isinstance(one.model, PrototypeMap):
            assert isinstance(other.model, PrototypeMap)
            assert twins.winners_of(one) == twins.winners_of(other)
            np.testing.assert_allclose(other.positions, one.positions, atol=1e-3)
            back = (other.model.prototypes - offset) / scale
            np.testing.assert_allclose(back, one.model.prototypes, atol=1e-3)
        elif isinstance(one.model, LinearMap):
            np.testing.assert_allclose(other.positions, one.positions * scale, atol=1e-5 * scale)
        else:
            np.testing.assert_allclose(other.positions, one.positions, atol=1e-3)


@pytest.mark.parametrize("factor", [1e-25, 1e25])
@pytest.mark.parametrize("algorithm", ["online", "batch"])
def test_that_a_som_of_mostly_equal_items_does_not_depend_on_the_unit(
    algorithm: str, factor: float
) -> None:
    """More than half of all pairs are the same, so their median distance is no unit."""
    rng = np.random.default_rng(2)
    values = np.zeros((40, 4))
    values[:10] = rng.normal(size=(10, 4))
    som = method_named("som")
    options: dict[str, object] = {"algorithm": algorithm, "n_epochs": 10}
    one, other = (trained(som, values * unit, options) for unit in (1.0, factor))
    assert twins.winners_of(one) == twins.winners_of(other)


@pytest.mark.parametrize("far", [1e3, 1e6, 1e8])
@pytest.mark.parametrize("key", ["som", "c-xim"])
def test_that_one_value_far_off_leaves_the_winners_of_the_others_right(
    key: str, far: float
) -> None:
    """Prototypes that follow it must not take the precision of all others away."""
    values = data(blanks=False)
    values[0, 0] += far
    result = trained(method_named(key), values, {"init": "items"})
    assert isinstance(result.model, PrototypeMap)
    for x, winner in zip(values, twins.winners_of(result), strict=True):
        distances = np.sqrt(twins.data_distances(x, result.model.prototypes))
        assert distances[winner] <= distances.min() * (1.0 + 1e-3) + 1e-6


@pytest.mark.parametrize("spread", [1e3, 1e6])
def test_that_features_of_very_different_size_are_trained(spread: float) -> None:
    values = data(blanks=False) * np.geomspace(1.0, spread, 6)
    result = trained(method_named("c-xim"), values, {})
    assert np.isfinite(result.positions).all()
    assert result.winners is not None
    assert len(set(result.winners.tolist())) > 5
