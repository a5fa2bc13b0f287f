"""Missing values stay missing: they neither measure nor move anything."""

from __future__ import annotations

import numpy as np
import pytest

from tests import twins
from ximstudio.model import Matrix, PrototypeMap, Result, UserError
from ximstudio.model.arrays import Floats
from ximstudio.train import METHODS, method_named, train
from ximstudio.train.method import Method
from ximstudio.train.online import ItemOrder
from ximstudio.train.xim_family import XimParams


def with_blanks(share: float = 0.2, n_items: int = 40, n_features: int = 6) -> Floats:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n_items, n_features)) + 4.0 * rng.integers(0, 2, (n_items, 1))
    hidden = np.less(rng.random(values.shape), share)
    hidden[np.arange(n_items), rng.integers(0, n_features, n_items)] = False
    values[hidden] = np.nan
    return values


def small(method: Method, **changes: object) -> Result:
    wanted = {"shape": (5, 5), "n_steps": 600, **changes}
    known = {name: value for name, value in wanted.items() if name in method.params.specs()}
    return train(Matrix.from_array(with_blanks()), method, method.params.from_values(known))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_items_with_blanks_are_placed_and_the_model_has_none(method: Method) -> None:
    values = with_blanks()
    matrix = Matrix.from_array(values)
    result = small(method)
    assert np.isfinite(result.positions).all()
    assert np.array_equal(np.isnan(matrix.values), np.isnan(values))
    if isinstance(result.model, PrototypeMap):
        assert np.isfinite(result.model.prototypes).all()
        assert result.winners is not None
        nearest = [int(np.argmin(twins.data_distances(x, result.model.prototypes))) for x in values]
        assert result.winners.tolist() == nearest


def test_that_a_whole_training_with_blanks_follows_its_twin() -> None:
    values = with_blanks()
    n_steps = 400
    start = np.random.default_rng(1).normal(size=(25, 6))
    params = XimParams(
        shape=(5, 5),
        n_steps=n_steps,
        init="given",
        width=(2.0, 0.5),
        reach=(4.0, 1.0),
        reach_unit="data",
    )
    result = train(Matrix.from_array(values), method_named("c-xim"), params, seed=2, start=start)
    rule = twins.Rule(kernel="cauchy", width=(2.0, 0.5), reach=(4.0, 1.0))
    order = ItemOrder(len(values), 2).of_steps(0, n_steps)
    expected = twins.trained(rule, values, start, params.grid, order, n_steps)
    assert isinstance(result.model, PrototypeMap)
    np.testing.assert_allclose(result.model.prototypes, expected, rtol=0.0, atol=2e-4)


def test_that_a_feature_no_item_of_a_round_knows_is_left_where_it_began() -> None:
    """Of two items, the one presented in the only step does not know the second feature."""
    values = np.array([[1.0, np.nan, 3.0], [2.0, 5.0, 1.0]])
    seed = next(seed for seed in range(100) if ItemOrder(2, seed).of_steps(0, 1)[0] == 0)
    start = np.random.default_rng(3).normal(size=(4, 3))
    params = XimParams(shape=(2, 2), n_steps=1, init="given")
    model = train(
        Matrix.from_array(values), method_named("c-xim"), params, seed=seed, start=start
    ).model
    assert isinstance(model, PrototypeMap)
    np.testing.assert_allclose(model.prototypes[:, 1], start[:, 1], rtol=0.0, atol=1e-6)
    assert (np.abs(model.prototypes[:, [0, 2]] - start[:, [0, 2]]) > 1e-3).any()


def test_that_few_blanks_change_the_picture_little(yeast: Matrix) -> None:
    """Half a per cent of blanks more: pairwise map distances stay where they were."""
    rng = np.random.default_rng(4)
    more = yeast.values.copy()
    more[rng.random(more.shape) < 0.005] = np.nan
    params = XimParams(shape=(10, 10), n_steps=5000)
    pairs = np.triu_indices(yeast.n_items, 1)
    one, other = (
        twins.pair_distances(train(matrix, method_named("c-xim"), params).positions)[pairs]
        for matrix in (yeast, yeast.with_values(more))
    )
    assert np.corrcoef(one, other)[0, 1] > 0.95


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_items_and_features_without_any_value_are_refused(method: Method) -> None:
    for place, key in (
        ((3, slice(None)), "data.empty_item"),
        ((slice(None), 2), "data.empty_feature"),
    ):
        values = with_blanks()
        values[place] = np.nan
        with pytest.raises(UserError) as error:
            train(Matrix.from_array(values), method)
        assert error.value.keys == (key,)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_a_table_may_be_mostly_blank(method: Method) -> None:
    rng = np.random.default_rng(5)
    values = np.full((30, 12), np.nan)
    for row in values:
        row[rng.choice(12, 2, replace=False)] = rng.normal(size=2)
    values[:12][np.eye(12, dtype=bool)] = rng.normal(size=12)
    wanted = {"shape": (4, 4), "n_steps": 300}
    known = {name: value for name, value in wanted.items() if name in method.params.specs()}
    result = train(Matrix.from_array(values), method, method.params.from_values(known))
    assert np.isfinite(result.positions).all()
