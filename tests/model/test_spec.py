"""Declarations of parameters: what they read, allow and show."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.model.spec import (
    AUTOMATIC,
    Choice,
    FileName,
    FreeText,
    Number,
    Pair,
    Spec,
    Switch,
    TextList,
    param,
)

SHARE = Number(label="Share", help="h", low=0.0, high=1.0)
ABOVE = Number(label="Above", help="h", low=0.0, high=1.0, above=True)
COUNT = Number(label="Count", help="h", low=1, high=100, whole=True)
OPEN = Number(label="Open", help="h", low=1, high=100, whole=True, automatic="as it fits")
KIND = Choice(label="Kind", help="h", options={"one": "first", "two": "second"})
SWITCH = Switch(label="Switch", help="h")
SIZE = Pair(label="Size", help="h", first=COUNT, second=COUNT, separator="x")
NAME = FreeText(label="Name", help="h")
NAMES = TextList(label="Names", help="h")
OPEN_NAMES = TextList(label="Open names", help="h", automatic="all")
ANNEALED = Pair(label="Width", help="h", first=OPEN, second=ABOVE)


def named(value: Any) -> str:
    return value.label if isinstance(value, Spec) else repr(value)


def accepted(spec: Spec, value: Any) -> Any:
    """The normal value, or an error of the kind that Params reports."""
    normal = spec.normal(value)
    if not spec.allows(normal):
        raise ValueError(value)
    return normal


@pytest.mark.parametrize(
    ("spec", "value", "normal"),
    [
        (SHARE, 0, 0.0),
        (SHARE, 1, 1.0),
        (SHARE, np.float32(0.5), 0.5),
        (ABOVE, 1e-12, 1e-12),
        (COUNT, 3.0, 3),
        (COUNT, np.int64(7), 7),
        (OPEN, None, None),
        (OPEN, 5, 5),
        (KIND, "two", "two"),
        (SWITCH, True, True),
        (SWITCH, 0, False),
        (SWITCH, np.True_, True),
        (SIZE, [3, 4], (3, 4)),
        (SIZE, (3.0, 4.0), (3, 4)),
        (ANNEALED, [None, 0.5], (None, 0.5)),
        (ANNEALED, np.array([2.0, 0.5]), (2, 0.5)),
    ],
)
def test_that_a_value_takes_the_parameters_own_type(spec: Spec, value: Any, normal: Any) -> None:
    found = accepted(spec, value)
    assert found == normal
    assert type(found) is type(normal)


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        (SHARE, -1e-9),
        (SHARE, 1.0 + 1e-9),
        (SHARE, float("nan")),
        (SHARE, float("inf")),
        (SHARE, None),
        (SHARE, True),
        (SHARE, "0.5"),
        (SHARE, [0.5, 0.5]),
        (ABOVE, 0.0),
        (COUNT, 2.5),
        (COUNT, 0),
        (COUNT, 101),
        (COUNT, float("nan")),
        (COUNT, float("inf")),
        (COUNT, float("-inf")),
        (COUNT, 10**400),
        (SHARE, -(10**400)),
        (KIND, "three"),
        (KIND, 1),
        (KIND, None),
        (SWITCH, "yes"),
        (SWITCH, 2),
        (SWITCH, None),
        (SIZE, 3),
        (SIZE, (3,)),
        (SIZE, (3, 4, 5)),
        (SIZE, "3x4"),
        (SIZE, (3, None)),
        (SIZE, (float("inf"), 4)),
        (ANNEALED, (0.5, None)),
        (ANNEALED, (2, 0.0)),
    ],
    ids=named,
)
def test_that_a_value_out_of_bounds_or_kind_is_refused(spec: Spec, value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        accepted(spec, value)


@pytest.mark.parametrize(
    ("spec", "text", "value"),
    [
        (SHARE, " 0.25 ", 0.25),
        (SHARE, "1e-3", 0.001),
        (COUNT, "12", 12),
        (COUNT, "1e2", 100),
        (OPEN, AUTOMATIC, None),
        (OPEN, f" {AUTOMATIC} ", None),
        (KIND, " one ", "one"),
        (SWITCH, "Yes", True),
        (SWITCH, "off", False),
        (SWITCH, "1", True),
        (SIZE, "3x4", (3, 4)),
        (SIZE, "3 x 4", (3, 4)),
        (ANNEALED, "auto,0.4", (None, 0.4)),
    ],
)
def test_that_texts_are_read(spec: Spec, text: str, value: Any) -> None:
    assert spec.parse(text) == value


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (SHARE, ""),
        (SHARE, "a half"),
        (SHARE, AUTOMATIC),
        (COUNT, "2.5"),
        (COUNT, "inf"),
        (COUNT, "1e999"),
        (SWITCH, "maybe"),
        (SIZE, "3"),
        (SIZE, "3x4x5"),
        (SIZE, "3,4"),
        (SIZE, "infx4"),
        (ANNEALED, "0.4,auto"),
    ],
)
def test_that_texts_that_mean_nothing_are_value_errors(spec: Spec, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        spec.parse(text)


@given(st.floats(0.0, 1.0))
def test_that_a_number_shown_is_read_back_exactly(value: float) -> None:
    assert SHARE.parse(SHARE.show(value)) == value


@given(st.one_of(st.none(), st.integers(1, 100)), st.floats(0.0, 1.0, exclude_min=True))
def test_that_a_pair_shown_is_read_back_exactly(first: int | None, second: float) -> None:
    assert ANNEALED.parse(ANNEALED.show((first, second))) == (first, second)


def test_that_every_kind_shows_what_it_reads() -> None:
    for spec, values in ((SWITCH, [True, False]), (KIND, ["one", "two"]), (OPEN, [None, 3])):
        assert [spec.parse(spec.show(value)) for value in values] == values


@pytest.mark.parametrize("spec", [SHARE, ABOVE, COUNT, OPEN, KIND, SWITCH, SIZE, ANNEALED])
def test_that_bounds_are_said_in_words(spec: Spec) -> None:
    assert spec.bounds
    assert all(name in KIND.bounds for name in KIND.options)


def test_that_a_field_carries_its_declaration() -> None:
    field = param(0.5, SHARE)
    assert isinstance(field, dataclasses.Field)
    assert field.default == 0.5
    assert field.metadata["spec"] is SHARE


@pytest.mark.parametrize(
    ("spec", "text", "value"),
    [
        (NAME, "", ""),
        (NAME, " a,b ", " a,b "),
        (NAME, AUTOMATIC, None),
        (NAMES, "a, b", ("a", "b")),
        (NAMES, '"heat, 20 min",b,', ("heat, 20 min", "b")),
        (NAMES, "", ()),
        (NAMES, " , ", ()),
        (NAMES, '"", " x" ,y', ("", " x", "y")),
        (NAMES, 'the ""5""" tube, 3"', ('the ""5""" tube', '3"')),
        (NAMES, '"say ""yes"""', ('say "yes"',)),
        (NAMES, "two\nlines, b", ("two\nlines", "b")),
        (OPEN_NAMES, AUTOMATIC, None),
    ],
    ids=named,
)
def test_that_texts_are_read_as_a_person_writes_them(spec: Spec, text: str, value: Any) -> None:
    assert spec.parse(text) == value
    assert spec.allows(value)


@pytest.mark.parametrize(
    ("spec", "value"),
    [(NAME, 1), (NAMES, "ab"), (NAMES, [1]), (NAMES, None), (NAMES, 3)],
    ids=named,
)
def test_that_what_is_no_text_is_refused(spec: Spec, value: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        accepted(spec, value)


@pytest.mark.parametrize("text", ['"a', 'b,"a', '"a"b', '"a" b,c', '"""'])
def test_that_quotes_that_do_not_close_are_value_errors(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        NAMES.parse(text)


HARD = st.sampled_from(["", " ", AUTOMATIC, '"', '""', ",", "\n", "\r\n", "a, b", ' "x" ', "a\tb"])


@given(st.lists(st.one_of(HARD, st.text(), st.text(alphabet='a ",\n\r\t'))).map(tuple))
def test_that_texts_are_shown_as_they_are_read(texts: tuple[str, ...]) -> None:
    for spec in (NAMES, OPEN_NAMES):
        assert spec.parse(spec.show(texts)) == texts


def test_that_no_file_is_an_empty_name() -> None:
    spec = FileName(label="File", help="h")
    assert spec.normal(None) == spec.parse("") == ""
    assert spec.parse(AUTOMATIC) == AUTOMATIC
    assert spec.allows(spec.normal("nodes.csv"))
    with pytest.raises(ValueError, match="7"):
        spec.normal(7)
