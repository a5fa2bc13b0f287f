"""Contract of every method in METHODS."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from itertools import chain, pairwise
from typing import Any

import numpy as np
import pytest

from tests.structures import NODE_FILE, every_lattice
from ximstudio.model import (
    ItemMap,
    Lattice,
    LinearMap,
    Matrix,
    Params,
    PrototypeMap,
    Result,
    UserError,
)
from ximstudio.model.metric import in_metric
from ximstudio.model.spec import AUTOMATIC, Choice, FreeText, Number, Pair, Spec, Switch
from ximstudio.model.structures import BY_LATTICE
from ximstudio.place import MAPPINGS, mapping_named
from ximstudio.place.items import place_items
from ximstudio.place.params import PlacingParams
from ximstudio.train import METHODS, checkpoints, method_named, problems, train
from ximstudio.train.method import Method

pytestmark = pytest.mark.usefixtures("briefly_taught")

CLEAR_KEYS = {
    "data.too_small",
    "data.constant",
    "data.empty_item",
    "data.empty_feature",
    "data.scale",
    "params.reach_unit",
}
"""Refusals that say which data cannot be trained on, and why."""


WITH_GRID = [method for method in METHODS if "shape" in method.params.specs()]


@pytest.fixture(params=METHODS, ids=lambda method: method.key)
def method(request: pytest.FixtureRequest) -> Method:
    found = request.param
    assert isinstance(found, Method)
    return found


def variants(method: Method) -> Iterator[Params]:
    """Small parameters: the defaults, and every option of every choice."""
    specs = method.params.specs()
    wanted = {"shape": (4, 5), "n_steps": 150, "n_epochs": 6, "depth": 2, "node_file": NODE_FILE}
    small = {name: value for name, value in wanted.items() if name in specs}
    base = method.params.from_values(small)
    yield base
    for name, spec in specs.items():
        options: list[Any] = []
        if isinstance(spec, Choice):
            # What needs data of its own is tried elsewhere: see test_tables.py.
            elsewhere = {"given", "precomputed"}
            options = [option for option in spec.options if option not in elsewhere]
        elif isinstance(spec, Switch):
            options = [True, False]
        for option in options:
            if option != getattr(base, name):
                yield base.replace(**{name: option})


def small_params(method: Method) -> Params:
    return next(variants(method))


def data(*, blanks: bool = False) -> Matrix:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(30, 4)) + 4.0 * rng.integers(0, 2, (30, 1))
    if blanks:
        values[rng.random(values.shape) < 0.05] = np.nan
    return Matrix.from_array(values)


def arrays_of(result: Result) -> dict[str, Any]:
    """Every array a result hands out, by name."""
    found: dict[str, Any] = {"positions": result.positions}
    parts: list[object] = [result.model, result.history]
    if result.resume is not None:
        parts.append(result.resume)
    if result.winners is not None:
        found["winners"] = result.winners
    for part in parts:
        for field in fields(part):  # type: ignore[arg-type]
            value = getattr(part, field.name)
            if isinstance(value, np.ndarray):
                found[f"{type(part).__name__}.{field.name}"] = value
    return found


def n_axes_of(result: Result) -> int:
    """How many coordinates positions have."""
    return result.model.grid.n_axes if isinstance(result.model, PrototypeMap) else 2


def assert_complete(result: Result, matrix: Matrix, method: Method) -> None:
    assert result.method == method.key
    assert result.item_ids == matrix.item_ids
    assert result.feature_names == matrix.feature_names
    assert result.data_fingerprint == matrix.fingerprint
    assert result.positions.shape == (matrix.n_items, n_axes_of(result))
    assert result.positions.dtype == np.float64
    assert np.isfinite(result.positions).all()
    assert 0 < result.step <= result.n_steps
    if isinstance(result.model, PrototypeMap):
        n_nodes = result.model.grid.n_nodes
        assert result.model.prototypes.shape == (n_nodes, matrix.n_features)
        assert np.isfinite(result.model.prototypes).all()
        assert result.winners is not None
        assert result.winners.shape == (matrix.n_items,)
        assert result.winners.min() >= 0
        assert result.winners.max() < n_nodes
    elif isinstance(result.model, LinearMap):
        assert result.model.components.shape == (2, matrix.n_features)
        assert result.winners is None
    else:
        assert isinstance(result.model, ItemMap)
        seen = in_metric(matrix, result.params)
        assert result.model.items.fingerprint == seen.fingerprint
        np.testing.assert_array_equal(result.model.positions, result.positions)
        assert result.winners is None
    history = result.history
    lengths = {len(getattr(history, field.name)) for field in fields(history)}
    assert len(lengths) == 1


# Names --------------------------------------------------------------------------------------------


def test_that_keys_and_names_are_unique() -> None:
    assert len({method.key for method in METHODS}) == len(METHODS)
    assert len({method.name for method in METHODS}) == len(METHODS)
    for method in METHODS:
        assert method_named(method.key) is method
        assert method.summary
        assert method.equations


def test_that_an_unknown_method_gets_the_nearest_one_proposed() -> None:
    with pytest.raises(UserError) as error:
        method_named("c-xin")
    assert error.value.keys == ("method.unknown",)
    assert "'c-xim'" in error.value.problems[0].way_out


# Parameters ---------------------------------------------------------------------------------------


def numbers_of(spec: Spec) -> list[Number]:
    if isinstance(spec, Pair):
        return [spec.first, spec.second]
    return [spec] if isinstance(spec, Number) else []


def test_that_every_parameter_says_what_it_is(method: Method) -> None:
    specs = method.params.specs()
    assert len({spec.label for spec in specs.values()}) == len(specs)
    for spec in specs.values():
        assert spec.label
        assert spec.help
        assert spec.bounds
        # Where no equation defines it, the help is the reason: a sentence, not a word.
        assert spec.equation or len(spec.help.split()) >= 4
        if isinstance(spec, Choice):
            assert all(spec.options.values())
        for number in numbers_of(spec):
            assert number.low < number.high


def test_that_defaults_lie_within_their_bounds(method: Method) -> None:
    defaults = method.params.defaults()
    assert method.params() == method.params.from_values(defaults)
    for name, spec in method.params.specs().items():
        assert spec.allows(spec.normal(defaults[name]))


def test_that_parameters_survive_json_and_texts(method: Method) -> None:
    specs = method.params.specs()
    for params in chain([method.params()], variants(method)):
        text = json.dumps(params.as_values(), allow_nan=False)
        assert method.params.from_values(json.loads(text)) == params
        shown = {name: specs[name].show(value) for name, value in params.as_values().items()}
        assert method.params.from_texts(shown) == params


def test_that_resolved_parameters_train_the_same_map(method: Method) -> None:
    """What was chosen automatically can be written down and used again."""
    matrix = data()
    specs = method.params.specs()
    params = method.params.from_values({"shape": (3, 3)} if "shape" in specs else {})
    resolved = params.resolved(matrix.n_items)
    shown = [specs[name].show(value) for name, value in resolved.as_values().items()]
    assert not any(AUTOMATIC in text for text in shown)
    assert resolved.resolved(matrix.n_items) == resolved
    assert train(matrix, method, params).hash == train(matrix, method, resolved).hash


def out_of_bounds(method: Method) -> dict[str, Any]:
    """A value beyond its bounds for every parameter."""
    wrong: dict[str, Any] = {}
    for name, spec in method.params.specs().items():
        if isinstance(spec, Number):
            wrong[name] = spec.high + 1.0
        elif isinstance(spec, Pair):
            wrong[name] = (spec.first.high + 1.0, spec.second.high + 1.0)
        elif isinstance(spec, FreeText):
            wrong[name] = 1.0
        else:
            wrong[name] = "none of them"
    return wrong


@pytest.mark.parametrize("method", WITH_GRID, ids=lambda method: method.key)
def test_that_all_bounds_are_checked_at_once(method: Method) -> None:
    wrong = out_of_bounds(method)
    with pytest.raises(UserError) as error:
        method.params(**wrong)
    assert error.value.keys == ("params.bounds",) * len(wrong)


def test_that_every_number_is_bounded_on_both_sides(method: Method) -> None:
    for name, spec in method.params.specs().items():
        for place, number in enumerate(numbers_of(spec)):
            beyond = [number.low - 1.0, number.high + 1.0, np.nan, np.inf, -np.inf]
            beyond += [number.low] if number.above else []
            for value in beyond:
                pair: list[Any] = [4, 4] if isinstance(spec, Pair) else []
                if isinstance(spec, Pair) and method.params.defaults()[name] is not None:
                    pair = list(method.params.defaults()[name])
                if pair:
                    pair[place] = value
                with pytest.raises(UserError) as error:
                    method.params(**{name: pair or value})
                assert error.value.keys == ("params.bounds",)


def test_that_an_unknown_parameter_gets_the_nearest_one_proposed(method: Method) -> None:
    for name in method.params.specs():
        misspelt = name[:-1] + "§"
        with pytest.raises(UserError) as error:
            method.params.from_values({misspelt: 1})
        assert error.value.keys == ("params.unknown",)
        assert f"'{name}'" in error.value.problems[0].way_out
    with pytest.raises(UserError) as error:
        method.params.from_texts({"no such thing": "1"})
    assert error.value.keys == ("params.unknown",)


def reads_blanks(params: Params) -> bool:
    """Whether items with missing values are placed."""
    return not isinstance(params, PlacingParams) or mapping_named(params.mapping).reads_blanks


# Training -----------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_every_variant_trains_to_a_complete_result(method: Method, blanks: bool) -> None:
    matrix = data(blanks=blanks)
    for params in variants(method):
        if blanks and not reads_blanks(params):
            with pytest.raises(UserError) as error:
                train(matrix, method, params)
            assert error.value.keys == ("place.blanks",)
            continue
        result = train(matrix, method, params, seed=2)
        assert_complete(result, matrix, method)
        assert result.finished
        assert result.params == params
        assert result.seed == 2


def test_that_training_is_deterministic_and_does_not_follow_the_chunks(method: Method) -> None:
    matrix = data()
    for params in variants(method):
        hashes = set()
        for chunk in (None, 1, 7, 10_000):
            *_, last = checkpoints(matrix, method, params, seed=5, chunk=chunk)
            hashes.add(last.result().hash)
        assert len(hashes) == 1


def test_that_every_checkpoint_completes_at_any_time(method: Method) -> None:
    matrix = data()
    for params in variants(method):
        every = list(checkpoints(matrix, method, params, chunk=90))
        now = [checkpoint.result() for checkpoint in every]
        assert [checkpoint.step for checkpoint in every] == sorted(
            {checkpoint.step for checkpoint in every}
        )
        assert every[-1].step == every[-1].n_steps
        assert every[-1].fraction == 1.0
        for checkpoint, result in zip(every, now, strict=True):
            assert_complete(result, matrix, method)
            assert result.step == checkpoint.step
            assert result.n_steps == checkpoint.n_steps
            assert checkpoint.result().hash == result.hash


def test_that_a_checkpoint_completed_late_is_what_it_was(method: Method) -> None:
    matrix = data()
    for params in variants(method):
        steps = checkpoints(matrix, method, params, chunk=90)
        first = next(steps)
        then = first.result().hash
        *_, _ = chain([first], steps)
        assert first.result().hash == then


def test_that_training_ends_after_the_last_step_that_is_asked_for(method: Method) -> None:
    matrix = data()
    for params in variants(method):
        first, *more = checkpoints(matrix, method, params, seed=5, chunk=5)
        if not more:
            continue
        for chunk in (None, 2, 10_000):
            *_, last = checkpoints(matrix, method, params, seed=5, chunk=chunk, last=first.step)
            assert (last.step, last.n_steps) == (first.step, first.n_steps)
            assert last.result().hash == first.result().hash


def test_that_the_input_is_left_alone(method: Method) -> None:
    matrix = data(blanks=True)
    before = matrix.fingerprint
    values = matrix.values.tobytes()
    train(matrix, method, small_params(method))
    assert matrix.values.tobytes() == values
    assert Matrix.from_array(matrix.values).fingerprint == before


def test_that_outputs_cannot_be_written_to(method: Method) -> None:
    for params in variants(method):
        result = train(data(), method, params)
        writeable = [name for name, array in arrays_of(result).items() if array.flags.writeable]
        assert writeable == []


def test_that_results_share_no_memory_with_each_other_or_the_data(method: Method) -> None:
    matrix = data()
    every = [
        checkpoint.result()
        for checkpoint in checkpoints(matrix, method, small_params(method), chunk=100)
    ]
    for result in every:
        for array in arrays_of(result).values():
            assert not np.shares_memory(array, matrix.values)
    for one, other in pairwise(every):
        for name, array in arrays_of(one).items():
            assert not np.shares_memory(array, arrays_of(other)[name])


def test_that_training_says_nothing_of_good_data(method: Method) -> None:
    for params in variants(method):
        found = problems(data(), method, params)
        assert {problem.key for problem in found} <= {"params.overshoot", "params.far_items"}


# Data at the edge ---------------------------------------------------------------------------------


def trained_or_refused(values: Any, method: Method) -> Result | None:
    """The result, or None if the data were refused with a clear key."""
    matrix = Matrix.from_array(values)
    refused: tuple[str, ...] = ()
    try:
        result = train(matrix, method, small_params(method))
    except UserError as error:
        refused = error.keys
    if refused:
        assert set(refused) <= CLEAR_KEYS
        return None
    assert_complete(result, matrix, method)
    return result


def test_that_two_items_are_enough(method: Method) -> None:
    result = trained_or_refused([[1.0, 2.0, 3.0], [2.0, 0.0, 1.0]], method)
    assert result is not None
    apart = np.linalg.norm(result.positions[0] - result.positions[1])
    assert apart > 0.5


def test_that_one_feature_is_enough(method: Method) -> None:
    values = np.random.default_rng(0).normal(size=(40, 1))
    result = trained_or_refused(values, method)
    assert result is not None
    order = np.argsort(values[:, 0])
    steps = np.linalg.norm(np.diff(result.positions[order], axis=0), axis=1)
    shuffled = np.linalg.norm(np.diff(result.positions, axis=0), axis=1)
    assert steps.mean() < 0.5 * shuffled.mean()


def test_that_two_items_with_one_feature_are_enough(method: Method) -> None:
    assert trained_or_refused([[0.0], [1.0]], method) is not None


def test_that_some_constant_features_change_nothing(method: Method) -> None:
    values = data().values
    wider = np.column_stack([values, np.full(30, 7.0), np.zeros(30)])
    one, other = trained_or_refused(values, method), trained_or_refused(wider, method)
    assert one is not None
    assert other is not None
    np.testing.assert_allclose(other.positions, one.positions, atol=1e-3)


@pytest.mark.parametrize(
    ("values", "key"),
    [
        (np.full((8, 3), 2.0), "data.constant"),
        (np.tile([1.0, 2.0, 3.0], (8, 1)), "data.constant"),
        ([[1.0, 2.0, 3.0]], "data.too_small"),
        (np.ones((0, 3)), "data.too_small"),
        (np.ones((4, 0)), "data.too_small"),
    ],
    ids=["all constant", "all identical", "one item", "no items", "no features"],
)
def test_that_data_without_differences_are_refused(method: Method, values: Any, key: str) -> None:
    with pytest.raises(UserError) as error:
        train(Matrix.from_array(values), method, small_params(method))
    assert error.value.keys == (key,)


def test_that_many_equal_items_are_trained_or_refused_clearly(method: Method) -> None:
    values = np.tile(np.random.default_rng(3).normal(size=5), (20, 1))
    values[0] += 1.0
    trained_or_refused(values, method)


def test_that_items_on_a_line_are_trained(method: Method) -> None:
    values = np.outer(np.linspace(0.0, 1.0, 30), [1.0, -2.0, 0.5])
    assert trained_or_refused(values, method) is not None


def test_that_more_features_than_items_are_trained(method: Method) -> None:
    assert trained_or_refused(np.random.default_rng(4).normal(size=(5, 40)), method) is not None


@pytest.mark.thorough
@pytest.mark.parametrize("method", WITH_GRID, ids=lambda method: method.key)
@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (6, 1), (2, 2)])
@pytest.mark.parametrize("toroidal", [False, True])
@every_lattice
def test_that_the_smallest_maps_are_trained(
    method: Method, shape: tuple[int, int], toroidal: bool, lattice: Lattice
) -> None:
    changes = {"shape": shape, "toroidal": toroidal, "lattice": lattice.value, "depth": 1}
    if toroidal and not BY_LATTICE[lattice].joinable:
        with pytest.raises(UserError) as error:
            small_params(method).replace(**changes)
        assert error.value.keys == ("params.not_joinable",)
        return
    if toroidal and lattice == "hexagonal" and shape[0] % 2:
        with pytest.raises(UserError) as error:
            small_params(method).replace(**changes)
        assert error.value.keys == ("params.odd_torus",)
        return
    for rule in MAPPINGS:
        params = small_params(method).replace(**changes, mapping=rule.key)
        assert_complete(train(data(), method, params), data(), method)


def test_that_new_items_are_placed_on_every_map(method: Method) -> None:
    matrix = data()
    result = train(matrix, method, small_params(method))
    placed = place_items(result, matrix.items(range(5)))
    assert placed.positions.shape == (5, 2)
    np.testing.assert_allclose(placed.positions, result.positions[:5], atol=1e-5)


@pytest.mark.thorough
def test_that_a_stopped_training_goes_on_to_the_same_bits(method: Method) -> None:
    matrix = data(blanks=True)
    for params in variants(method):
        if not reads_blanks(params):
            continue
        every = list(checkpoints(matrix, method, params, chunk=5))
        whole = every[-1].result()
        if len(every) == 1:
            # What is done at once has nothing to go on with.
            assert whole.resume is None
            continue
        for stopped in (every[0], every[-1]):
            resume = stopped.result().resume
            assert resume is not None
            assert train(matrix, method, params, resume=resume).hash == whole.hash
