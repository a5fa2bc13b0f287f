"""Contract of the estimator of every method in METHODS."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import ximstudio.estimators as estimators
from ximstudio.estimators import CXIM, KERNELS, PCA, XIM, Estimator, class_name, estimator_of
from ximstudio.model import Matrix, PrototypeMap, UserError
from ximstudio.model.arrays import Floats
from ximstudio.train import METHODS, method_named, train
from ximstudio.train.method import Method
from ximstudio.train.params import MapParams

SMALL = {"shape": (4, 5), "n_steps": 600, "n_epochs": 6}


@pytest.fixture(params=METHODS, ids=lambda method: method.key)
def method(request: pytest.FixtureRequest) -> Method:
    found = request.param
    assert isinstance(found, Method)
    return found


@pytest.fixture
def items() -> Floats:
    rng = np.random.default_rng(0)
    return np.concatenate([rng.normal(size=(20, 6)), rng.normal(size=(20, 6)) + 4.0])


def small(method: Method) -> dict[str, Any]:
    """Parameters for a quick map, as far as the method has them."""
    return {name: value for name, value in SMALL.items() if name in method.params.specs()}


@pytest.mark.thorough
@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [estimator_of(method.key, **small(method), random_state=0) for method in METHODS]
)
def test_that_scikit_learns_own_checks_pass(estimator: Any, check: Any) -> None:
    check(estimator)


def test_that_every_method_has_a_class_under_the_letters_of_its_key(method: Method) -> None:
    name = class_name(method.key)
    assert name.isidentifier()
    assert name in estimators.__all__
    made = getattr(estimators, name)
    assert issubclass(made, Estimator)
    assert (made.__module__, made.__qualname__) == ("ximstudio.estimators", name)
    assert isinstance(estimator_of(method.key), made)


def test_that_names_follow_the_rule_and_are_unique() -> None:
    names = [class_name(method.key) for method in METHODS]
    assert len(set(names)) == len(names)
    assert [class_name(key) for key in ("c-xim", "t-ne-xom", "som")] == ["CXIM", "TNEXOM", "SOM"]
    with pytest.raises(UserError):
        estimator_of("no-such-method")


def test_that_arguments_and_defaults_are_the_declared_parameters(method: Method) -> None:
    estimator = estimator_of(method.key)
    arguments, declared = estimator.get_params(), method.params.defaults()
    if not isinstance(estimator, XIM):
        assert {name: arguments[name] for name in declared} == declared
        assert set(arguments) == {*declared, "random_state"}
        return
    shared = [method_named(key).params.defaults() for key in KERNELS.values()]
    assert set(arguments) == {"kernel", "random_state"}.union(*shared)
    for name, value in arguments.items():
        defaults = [defaults[name] for defaults in shared if name in defaults]
        assert value is None or name == "kernel" or set(defaults) == {value}


def test_that_only_the_first_argument_may_go_without_its_name(method: Method) -> None:
    signature = inspect.signature(type(estimator_of(method.key)))
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    assert set(kinds[1:]) <= {inspect.Parameter.KEYWORD_ONLY}
    with pytest.raises(TypeError):
        estimator_of(method.key, no_such_parameter=1)


def test_that_the_documentation_tells_every_parameter(method: Method) -> None:
    told = type(estimator_of(method.key)).__doc__ or ""
    for name, spec in method.params.specs().items():
        assert f"\n{name} : " in told
        assert spec.label in told
        assert spec.symbol in told
    assert "\nrandom_state : " in told
    assert ("prototypes_ : " in told) == (method.map_kernel is not None)


def test_that_fitting_is_training_with_the_same_seed(method: Method, items: Floats) -> None:
    params = method.params.from_values(small(method))
    expected = train(Matrix.from_array(items), method, params, seed=3)
    estimator = estimator_of(method.key, **small(method), random_state=3).fit(items)
    assert estimator.result_.hash == expected.hash
    assert estimator.result_.params == params
    np.testing.assert_array_equal(estimator.positions_, expected.positions)
    assert hasattr(estimator, "prototypes_") == isinstance(expected.model, PrototypeMap)


def test_that_every_parameter_reaches_the_method(method: Method, items: Floats) -> None:
    """Arguments that are out of bounds are refused by the method's own declarations."""
    for name in method.params.specs():
        wrong = object() if name != "init" else "nowhere"
        estimator = estimator_of(method.key, **{**small(method), name: wrong})
        with pytest.raises(UserError) as caught:
            estimator.fit(items)
        assert caught.value.keys == ("params.bounds",)
        assert f"'{name}'" in caught.value.problems[0].where


def test_that_estimators_are_cloned_changed_and_pickled(method: Method, items: Floats) -> None:
    estimator = estimator_of(method.key, **small(method), random_state=1)
    copied = clone(estimator)
    assert copied.get_params() == estimator.get_params()
    assert copied.set_params(random_state=2).random_state == 2
    fitted = estimator.fit(items)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(items[:7]), fitted.transform(items[:7]))


def test_that_new_items_are_placed_on_every_map(method: Method, items: Floats) -> None:
    estimator = estimator_of(method.key, **small(method), random_state=1).fit(items)
    placed = estimator.transform(items[5:9])
    np.testing.assert_allclose(placed, estimator.positions_[5:9], atol=1e-5)


def test_that_maps_with_prototypes_go_on_with_further_items(method: Method, items: Floats) -> None:
    estimator = estimator_of(method.key, **small(method), random_state=1)
    assert hasattr(estimator, "partial_fit") == issubclass(method.params, MapParams)
    if hasattr(estimator, "partial_fit"):
        first = estimator.partial_fit(items[::2]).result_
        second = estimator.partial_fit(items[1::2]).result_
        assert second.parent is not None
        assert second.parent.result_hash == first.hash


def test_that_the_family_gives_the_maps_of_its_members(items: Floats) -> None:
    sizes: dict[str, Any] = {"shape": (4, 5), "n_steps": 600, "random_state": 0}
    assert XIM("cauchy", **sizes).fit(items).result_.hash == CXIM(**sizes).fit(items).result_.hash


def test_that_an_estimator_of_no_method_says_so() -> None:
    with pytest.raises(TypeError):
        Estimator()
    assert PCA().get_params() == {"metric": "euclidean", "random_state": None}
