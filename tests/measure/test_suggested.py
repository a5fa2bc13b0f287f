"""Values that are suggested for a sweep."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.measure.suggested import suggested_values
from ximstudio.model.spec import Choice, Number, Spec, Switch
from ximstudio.train import METHODS, Method

PARAMETERS = [
    (method, name) for method in METHODS for name in method.params.specs() if name != "node_file"
]


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
