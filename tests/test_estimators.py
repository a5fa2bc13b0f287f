"""XIM and SOM keep their interface and give the command line's maps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from ximstudio.estimators import SOM, XIM
from ximstudio.model import Matrix, UserError
from ximstudio.train import method_named, train

SMALL: dict[str, Any] = {"shape": (5, 6), "n_steps": 1500, "random_state": 0}


@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [
        XIM(**SMALL),
        XIM("t", **SMALL),
        XIM("gaussian", best_match="divergence", lattice="hexagonal", **SMALL),
        SOM(**SMALL),
        SOM(shape=(5, 6), algorithm="batch", n_epochs=10, random_state=0),
    ]
)
def test_that_scikit_learns_own_checks_pass(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.fixture
def items() -> Any:
    rng = np.random.default_rng(0)
    return np.concatenate([rng.normal(size=(20, 6)), rng.normal(size=(20, 6)) + 4.0])


def test_that_a_fitted_estimator_shows_what_it_learnt(items: Any) -> None:
    estimator = XIM(**SMALL).fit(items)
    assert estimator.prototypes_.shape == (30, 6)
    assert estimator.nodes_.shape == (30, 2)
    assert estimator.winners_.shape == (40,)
    assert estimator.positions_.shape == (40, 2)
    assert estimator.history_.step[-1] == 1500
    assert list(estimator.get_feature_names_out()) == ["xim0", "xim1"]


def test_that_training_items_placed_again_lie_where_they_did(items: Any) -> None:
    estimator = XIM(**SMALL).fit(items)
    np.testing.assert_array_equal(estimator.transform(items), estimator.positions_)
    np.testing.assert_array_equal(estimator.transform(items[7:9]), estimator.positions_[7:9])


def test_that_the_kernel_chooses_the_method(items: Any) -> None:
    for kernel, key in {"cauchy": "c-xim", "t": "t-xim", "gaussian": "xim"}.items():
        estimator = XIM(kernel, **SMALL).fit(items)
        method = method_named(key)
        params = method.params.from_values({"shape": (5, 6), "n_steps": 1500})
        result = train(Matrix.from_array(items), method, params, seed=0)
        assert estimator.result_.hash == result.hash


def test_that_defaults_are_those_of_the_methods() -> None:
    for estimator, key in (
        (XIM(), "c-xim"),
        (XIM("t"), "t-xim"),
        (XIM("gaussian"), "xim"),
        (SOM(), "som"),
    ):
        defaults = method_named(key).params.defaults()
        for name, value in estimator.get_params().items():
            if name in defaults and value is not None:
                assert value == defaults[name], name


def test_that_every_parameter_of_the_methods_can_be_set() -> None:
    for estimator, keys in ((XIM(), ("c-xim", "t-xim", "xim")), (SOM(), ("som",))):
        for key in keys:
            assert set(method_named(key).params.specs()) <= set(estimator.get_params())


def test_that_a_start_can_be_given(items: Any) -> None:
    start = np.random.default_rng(1).normal(size=(30, 6))
    still = XIM(shape=(5, 6), n_steps=1, step=(1e-9, 1e-9), init=start).fit(items)
    np.testing.assert_allclose(still.prototypes_, start, atol=1e-5)
    with pytest.raises(UserError) as caught:
        XIM(shape=(5, 6), init=start[:3]).fit(items)
    assert caught.value.keys == ("start.unfit",)


def test_that_the_result_of_another_map_is_a_start(items: Any) -> None:
    first = XIM(**SMALL).fit(items)
    still: dict[str, Any] = {"n_steps": 1, "step": (1e-9, 1e-9), "init": first.result_}
    same = clone(XIM(shape=(5, 6), **still)).fit(items)
    np.testing.assert_allclose(same.prototypes_, first.prototypes_, atol=1e-5)
    finer = SOM(shape=(9, 11), **still).fit(items)
    moved = np.abs(finer.positions_ / [10, 8] - first.positions_ / [5, 4])
    assert np.median(moved) < 0.1


def test_that_a_map_takes_in_further_items_and_keeps_its_layout(items: Any) -> None:
    rng = np.random.default_rng(5)
    further = rng.normal(size=(12, 6)) * 0.5 + [0, 0, 0, 0, 4, -4]
    estimator = XIM(**SMALL).partial_fit(items)
    before, unfit = estimator.transform(items), np.array(estimator.prototypes_)
    assert estimator.result_.hash == XIM(**SMALL).fit(items).result_.hash
    estimator.partial_fit(further)
    assert estimator.positions_.shape == (12, 2)
    moved = np.linalg.norm(estimator.transform(items) - before, axis=1)
    assert np.median(moved) < 0.05 * 6

    def error(prototypes: Any) -> float:
        apart = ((further[:, None] - prototypes[None]) ** 2).sum(axis=2)
        return float(np.sqrt(apart.min(axis=1)).mean())

    assert error(estimator.prototypes_) < 0.8 * error(unfit)
    estimator.partial_fit(further[::-1])
    assert error(estimator.prototypes_) < 0.8 * error(unfit)


def test_that_no_seed_gives_another_map_each_time_and_a_generator_goes_on(items: Any) -> None:
    free = clone(XIM(**SMALL)).set_params(random_state=None, init="random")
    assert free.fit(items).result_.hash != free.fit(items).result_.hash
    rng = np.random.RandomState(0)
    first = free.set_params(random_state=rng).fit(items).result_.hash
    assert free.fit(items).result_.hash != first


def test_that_wrong_arguments_are_refused_with_their_keys(items: Any) -> None:
    for estimator, key in (
        (XIM("triangle"), "kernel.unknown"),
        (XIM(repulsion=3.0), "params.bounds"),
        (XIM(shape=(5, 5), lattice="hexagonal", toroidal=True), "params.odd_torus"),
        (SOM(best_match="divergence"), "params.bounds"),
    ):
        with pytest.raises(UserError) as caught:
            estimator.fit(items)
        assert caught.value.keys == (key,)


def test_that_an_overshooting_rule_warns(items: Any) -> None:
    risky = XIM(shape=(3, 3), rule="gradient", step=(0.9, 0.9), reach=(0.5, 0.5), n_steps=1)
    with pytest.warns(UserWarning, match="overshoots"):
        risky.set_params(reach_unit="data").fit(items)


def test_that_items_with_blanks_are_trained_on_and_placed(items: Any) -> None:
    items[3, 2] = np.nan
    estimator = XIM(**SMALL).fit(items)
    assert np.isfinite(estimator.positions_).all()
    assert np.isnan(items[3, 2])


@pytest.mark.parametrize("kind", [float, np.float32, int])
def test_that_what_a_mask_hides_is_missing(items: Any, kind: type) -> None:
    values = np.round(items * 9).astype(kind)
    hidden = np.random.default_rng(1).random(values.shape) < 0.1
    blank = np.where(hidden, np.nan, values)
    masked = np.ma.MaskedArray(np.where(hidden, 77, values), mask=hidden)
    one, other = XIM(**SMALL).fit(blank), XIM(**SMALL).fit(masked)
    np.testing.assert_array_equal(one.positions_, other.positions_)
    np.testing.assert_array_equal(one.transform(blank), other.transform(masked))
    again = one.partial_fit(blank).positions_
    np.testing.assert_array_equal(again, other.partial_fit(masked).positions_)
    assert Matrix.from_array(masked).n_missing == hidden.sum()
