"""Sweeps over parameters: which maps are made, and which of them are best."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ximstudio.measure.catalogue import Better, measure_named
from ximstudio.measure.sweep import MOST_MAPS, SweepAxis, pareto, suggested_values, sweep, variants
from ximstudio.model import Matrix, UserError
from ximstudio.model.arrays import Floats
from ximstudio.model.spec import Choice, Number, Spec, Switch
from ximstudio.train import METHODS, Method, method_named, train

SOM = method_named("som")
FEW = [measure_named(key) for key in ("trustworthiness", "quantisation_error")]
SHAPES = SweepAxis("shape", ((4, 4), (5, 3)))
PARAMETERS = [
    (method, name) for method in METHODS for name in method.params.specs() if name != "node_file"
]


def quick(**values: Any) -> Any:
    return SOM.params.from_values({"n_steps": 300, "shape": (4, 4)} | values)


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    return Matrix.from_array(np.random.default_rng(2).normal(size=(30, 5)))


def test_that_all_combinations_come_with_the_last_axis_fastest() -> None:
    made = variants(quick(), [SHAPES, SweepAxis("n_steps", (100, 200.0))])
    assert [dict(one.settings) for one in made] == [
        {"shape": (4, 4), "n_steps": 100},
        {"shape": (4, 4), "n_steps": 200},
        {"shape": (5, 3), "n_steps": 100},
        {"shape": (5, 3), "n_steps": 200},
    ]
    assert [one.params for one in made] == [quick(**one.settings) for one in made]
    assert made[2].name == "shape=5x3, n_steps=100"


@pytest.mark.parametrize(
    ("axes", "keys"),
    [
        ([], ["sweep.axes"]),
        (
            [SHAPES, *(SweepAxis(name, (9,)) for name in ("n_steps", "power", "softness"))],
            ["sweep.axes"],
        ),
        ([SweepAxis("shap", ((4, 4),))], ["parameter.unknown"]),
        ([SHAPES, SHAPES], ["sweep.axis_twice"]),
        ([SweepAxis("shape", ())], ["sweep.no_values"]),
        ([SweepAxis("power", (1, 0.0, "x"))], ["params.bounds", "params.bounds"]),
        ([SweepAxis("power", (1, 2, 1.0))], ["sweep.value_twice"]),
        ([SweepAxis("shape", ((4, 4), [4, 4]))], ["sweep.value_twice"]),
        ([SweepAxis("power", tuple(range(1, 12))), SweepAxis("n_steps", tuple(range(1, 11)))],
         ["sweep.too_many"]),
        ([SweepAxis("power", (0,)), SweepAxis("no", (1,)), SweepAxis("n_steps", (7, 7))],
         ["params.bounds", "parameter.unknown", "sweep.value_twice"]),
        ([SweepAxis("lattice", ("rectangular", "line")), SweepAxis("toroidal", (False, True))],
         ["params.not_joinable"]),
    ],
)  # fmt: skip
def test_that_what_cannot_be_swept_is_refused_with_all_its_problems(
    axes: list[SweepAxis], keys: list[str]
) -> None:
    with pytest.raises(UserError) as caught:
        variants(quick(), axes)
    assert list(caught.value.keys) == keys


def test_that_the_most_maps_are_allowed() -> None:
    tens = tuple(range(1, 11))
    assert (
        len(variants(quick(), [SweepAxis("power", tens), SweepAxis("n_steps", tens)])) == MOST_MAPS
    )


def test_that_a_sweep_keeps_the_map_of_every_variant(matrix: Matrix) -> None:
    axes = [SHAPES, SweepAxis("toroidal", (False, True))]
    *_, last = sweep(matrix, SOM, quick(), axes, seed=3, measures=FEW)
    made = variants(quick(), axes)
    assert [found.trial.params for found in last.found] == [one.params for one in made]
    assert [found.trial.name for found in last.found] == [one.name for one in made]
    for found in last.found:
        assert found.result is not None
        assert found.result.hash == train(matrix, SOM, found.trial.params, seed=3).hash
        assert not np.isnan(found.values).any()


def test_that_one_refused_map_does_not_end_a_sweep(matrix: Matrix) -> None:
    blank = matrix.values.copy()
    blank[0, 0] = np.nan
    axes = [SweepAxis("mapping", ("winner", "supervised", "shepard"))]
    *_, last = sweep(matrix.with_values(blank), SOM, quick(), axes, measures=FEW)
    keys = [[problem.key for problem in found.problems] for found in last.found]
    assert keys == [[], ["place.blanks"], []]


def test_that_an_unknown_label_is_refused_and_no_thread_is_begun(matrix: Matrix) -> None:
    before = set(threading.enumerate())
    with pytest.raises(UserError) as caught:
        next(sweep(matrix, SOM, quick(), [SHAPES], label="kind"))
    assert caught.value.keys == ("label.unknown",)
    assert set(threading.enumerate()) == before


def slow_pareto(values: Floats, better: list[Better]) -> list[bool]:
    """Map by map and measure by measure."""

    def betters(one: Floats, other: Floats) -> bool:
        gains = [
            (a - b) * (1 if way is Better.HIGHER else -1)
            for a, b, way in zip(one, other, better, strict=True)
            if way is not Better.NEITHER
        ]
        return all(gain >= 0 for gain in gains) and any(gain > 0 for gain in gains)

    def lacks(row: Floats) -> bool:
        return any(np.isnan(row[k]) for k, way in enumerate(better) if way is not Better.NEITHER)

    return [
        not lacks(row) and not any(betters(other, row) for other in values if not lacks(other))
        for row in values
    ]


@given(data=st.data(), n=st.integers(0, 9), m=st.integers(1, 4))
def test_that_the_front_is_that_of_the_slow_twin(data: st.DataObject, n: int, m: int) -> None:
    cells = st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan])
    values = data.draw(arrays(np.float64, (n, m), elements=cells))
    better = data.draw(st.lists(st.sampled_from(list(Better)), min_size=m, max_size=m))
    assert pareto(values, better).tolist() == slow_pareto(values, better)


def test_that_equal_maps_stay_and_maps_that_lack_a_measure_do_not() -> None:
    values = np.array([[1.0, 5.0], [1.0, 5.0], [0.9, 5.0], [0.5, 1.0], [np.nan, 0.0]])
    front = pareto(values, [Better.HIGHER, Better.LOWER])
    assert front.tolist() == [True, True, False, True, False]


def number(**bounds: Any) -> Number:
    return Number(label="", help="", **bounds)


def well(spec: Spec, values: tuple[Any, ...]) -> bool:
    """Whether all values are allowed, in the parameter's own type, and there is none twice."""
    return all(spec.allows(each) and spec.normal(each) == each for each in values) and len(
        set(values)
    ) == len(values)


@pytest.mark.parametrize(
    ("method", "name"), PARAMETERS, ids=[f"{method.key} {name}" for method, name in PARAMETERS]
)
def test_that_every_parameter_has_suggestions_around_its_default(method: Method, name: str) -> None:
    spec, params = method.params.specs()[name], method.params().resolved(200)
    value = getattr(params, name)
    found = suggested_values(spec, value)
    assert value in found
    assert well(spec, found)
    if isinstance(spec, Number) and value is not None:
        assert len(found) == 4


@pytest.mark.parametrize(
    ("spec", "value", "expected"),
    [
        (number(low=1e-6, high=100), 1.0, (0.5, 1.0, 2.0, 4.0)),
        (number(low=1, high=1e9, whole=True), 12, (6, 12, 24, 48)),
        (number(low=1, high=1000, whole=True), 1, (1, 2, 4, 8)),
        (number(low=0, high=0.95), 0.25, (0.125, 0.25, 0.375, 0.5)),
        (number(low=0, high=1, above=True), 1.0, (0.125, 0.25, 0.5, 1.0)),
        (number(low=0, high=1e6, whole=True), 0, (0, 1, 2, 3)),
        (number(low=2, high=3, whole=True), 3, (2, 3)),
        (number(low=1, high=9, automatic="so"), None, (None,)),
    ],
)
def test_that_wide_bounds_go_by_factors_and_others_by_steps(
    spec: Number, value: Any, expected: tuple[Any, ...]
) -> None:
    assert suggested_values(spec, value) == expected


def test_that_both_parts_of_a_pair_move_together_and_open_ones_stay_open() -> None:
    specs = METHODS[0].params.specs()
    assert suggested_values(specs["shape"], (30, 30)) == ((21, 21), (30, 30), (42, 42), (60, 60))
    assert {start for start, _ in suggested_values(specs["width"], (None, 0.4))} == {None}


def test_that_choices_and_switches_are_suggested_whole() -> None:
    choice = Choice(label="", help="", options={"a": "", "b": "", "c": ""})
    assert suggested_values(choice, "b", n=2) == ("a", "b", "c")
    assert suggested_values(Switch(label="", help=""), True) == (False, True)


@given(
    low=st.floats(-1e3, 1e3),
    room=st.floats(0.5, 1e6),
    place=st.floats(0.0, 1.0),
    n=st.integers(1, 8),
    whole=st.booleans(),
    above=st.booleans(),
)
def test_that_suggestions_are_allowed_whole_and_hold_the_present_value(
    low: float, room: float, place: float, n: int, whole: bool, above: bool
) -> None:
    spec = number(low=low, high=low + room, whole=whole, above=above)
    value = low + place * room
    value = round(value) if whole else value
    if not spec.allows(value):
        return
    found = suggested_values(spec, value, n)
    assert value in found
    assert well(spec, found)
    assert list(found) == sorted(found)
    assert 1 <= len(found) <= n
