"""History of training."""

from __future__ import annotations

import numpy as np
import pytest

from tests import twins
from ximstudio.kernels.online import COST_EVERY
from ximstudio.model import Matrix
from ximstudio.train import checkpoints, method_named, train
from ximstudio.train.clock import STRETCHES
from ximstudio.train.online import ItemOrder
from ximstudio.train.params import OnlineParams

RULES = {
    "xim": twins.Rule(kernel="gaussian", width=(2.0, 0.6), reach=(4.0, 2.0)),
    "t-xim": twins.Rule(kernel="t", width=(1.0, 6.0), reach=(4.0, 2.0)),
    "c-xim": twins.Rule(kernel="cauchy", width=(2.0, 0.6), reach=(4.0, 2.0)),
    "som": twins.Rule(kernel="gaussian", width=(2.0, 0.6), repulsion=0.0),
}


def params_of(key: str, **changes: object) -> OnlineParams:
    rule = RULES[key]
    wanted = {
        "shape": (4, 5),
        "init": "given",
        "width": rule.width,
        "reach": rule.reach,
        "reach_unit": "data",
        **changes,
    }
    method = method_named(key)
    params = method.params.from_values(
        {name: value for name, value in wanted.items() if name in method.params.specs()}
    )
    assert isinstance(params, OnlineParams)
    return params


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("key", RULES)
def test_that_error_and_cost_are_means_over_stretches(key: str, blanks: bool) -> None:
    rng = np.random.default_rng(0)
    values = 3.0 * rng.normal(size=(25, 4)) + 10.0
    if blanks:
        hidden = rng.random(values.shape) < 0.2
        hidden[:, 1] = False
        values[hidden] = np.nan
    start = 10.0 + 3.0 * rng.normal(size=(20, 4))
    n_steps = STRETCHES * COST_EVERY
    params = params_of(key, n_steps=n_steps)
    history = train(
        Matrix.from_array(values), method_named(key), params, seed=1, start=start
    ).history
    order = ItemOrder(25, 1).of_steps(0, n_steps)
    steps = twins.online_training(RULES[key], values, start, params.grid, order, n_steps)
    errors = np.array([step.error for step in steps]).reshape(STRETCHES, -1).mean(axis=1)
    costs = np.array([step.cost for step in steps])[::COST_EVERY]
    np.testing.assert_allclose(history.quantisation_error, errors, rtol=2e-3)
    np.testing.assert_allclose(history.cost, costs, rtol=5e-3)
    assert history.step.tolist() == [COST_EVERY * (s + 1) for s in range(STRETCHES)]
    for ours, pair in ((history.step_size, params.step), (history.width, params.widths)):
        expected = [twins.annealed("exponential", pair, t / n_steps) for t in history.step]
        np.testing.assert_allclose(ours, expected, rtol=1e-12)
    if key == "som":
        assert np.isnan(history.reach).all()
    else:
        expected = [twins.annealed("exponential", (4.0, 2.0), t / n_steps) for t in history.step]
        np.testing.assert_allclose(history.reach, expected, rtol=1e-12)


@pytest.mark.parametrize("n_steps", [1, 2, 63, 64, 65, 1000])
def test_that_stretches_cover_every_step_once(n_steps: int) -> None:
    values = np.random.default_rng(1).normal(size=(10, 3))
    params = params_of("c-xim", n_steps=n_steps, init="pca")
    history = train(Matrix.from_array(values), method_named("c-xim"), params).history
    assert history.step[-1] == n_steps
    assert len(history.step) == min(STRETCHES, n_steps)
    lengths = np.diff([0, *history.step])
    assert lengths.sum() == n_steps
    assert lengths.max() - lengths.min() <= 1
    assert np.isfinite(history.quantisation_error).all()


def test_that_an_early_checkpoint_has_the_beginning_of_the_history() -> None:
    values = np.random.default_rng(2).normal(size=(10, 3))
    params = params_of("c-xim", n_steps=1280, init="pca")
    parts = [
        checkpoint.result().history
        for checkpoint in checkpoints(
            Matrix.from_array(values), method_named("c-xim"), params, chunk=320
        )
    ]
    assert [history.step[-1] for history in parts] == [320, 640, 960, 1280]
    whole = parts[-1]
    for history in parts:
        n = len(history.step)
        assert np.array_equal(history.quantisation_error, whole.quantisation_error[:n])
        assert np.array_equal(history.cost, whole.cost[:n])


def test_that_a_stretch_cut_in_the_middle_counts_what_was_presented() -> None:
    values = np.random.default_rng(3).normal(size=(10, 3))
    params = params_of("som", n_steps=6400, init="pca")
    history = (
        next(checkpoints(Matrix.from_array(values), method_named("som"), params, chunk=150))
        .result()
        .history
    )
    assert history.step.tolist() == [100, 150]
    assert (history.quantisation_error > 0.0).all()


@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_that_errors_are_in_data_units_and_divergences_have_none(scale: float) -> None:
    values = np.random.default_rng(4).normal(size=(30, 3))
    histories = {}
    for key in ("som", "c-xim"):
        params = params_of(key, n_steps=640, init="pca", reach_unit="median", reach=(2.0, 0.5))
        histories[key] = [
            train(Matrix.from_array(values * factor), method_named(key), params).history
            for factor in (1.0, scale)
        ]
    for one, other in histories.values():
        np.testing.assert_allclose(
            other.quantisation_error, one.quantisation_error * scale, rtol=1e-3
        )
    one, other = histories["som"]
    np.testing.assert_allclose(other.cost, one.cost * scale**2, rtol=1e-3)
    one, other = histories["c-xim"]
    np.testing.assert_allclose(other.cost, one.cost, rtol=1e-3)
    np.testing.assert_allclose(other.reach, one.reach * scale, rtol=1e-6)
