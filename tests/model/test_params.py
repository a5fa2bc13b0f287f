"""Sets of parameters: checked together, read from texts and values, proposals for misspellings."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.model import Params, Problem, UserError
from ximstudio.model.params import closest, known
from ximstudio.model.spec import Choice, Number, Pair, Switch, param


@dataclass(frozen=True, kw_only=True)
class Sample(Params):
    """Parameters to try things out on."""

    share: float = param(0.5, Number(label="Share", help="h", low=0.0, high=1.0))
    count: int | None = param(
        None, Number(label="Count", help="h", low=1, high=9, whole=True, automatic="chosen")
    )
    kind: str = param("one", Choice(label="Kind", help="h", options={"one": "", "two": ""}))
    joined: bool = param(False, Switch(label="Joined", help="h"))
    size: tuple[int, int] = param(
        (2, 3),
        Pair(
            label="Size",
            help="h",
            first=Number(label="rows", help="", low=1, high=9, whole=True),
            second=Number(label="columns", help="", low=1, high=9, whole=True),
            separator="x",
        ),
    )

    def conflicts(self) -> Iterable[Problem]:
        if self.joined and self.size[0] % 2:
            yield Problem(key="params.odd", what="w", where="x", way_out="y")


def refused(call: Any) -> UserError:
    with pytest.raises(UserError) as error:
        call()
    return error.value


samples = st.builds(
    Sample,
    share=st.floats(0.0, 1.0),
    count=st.none() | st.integers(1, 9),
    kind=st.sampled_from(["one", "two"]),
    size=st.tuples(st.integers(1, 9), st.integers(1, 9)),
)


@given(samples)
def test_that_values_survive_json(params: Sample) -> None:
    text = json.dumps(params.as_values(), allow_nan=False)
    assert Sample.from_values(json.loads(text)) == params


@given(samples)
def test_that_what_is_shown_can_be_written(params: Sample) -> None:
    specs = Sample.specs()
    texts = {name: specs[name].show(value) for name, value in params.as_values().items()}
    assert Sample.from_texts(texts) == params


def test_that_values_are_put_into_their_own_types() -> None:
    params = Sample(share=1, count=3.0, size=[4, 5])  # type: ignore[arg-type]
    assert params == Sample(share=1.0, count=3, size=(4, 5))
    assert isinstance(params.size, tuple)
    assert isinstance(params.share, float)
    assert isinstance(params.count, int)


def test_that_all_that_is_out_of_bounds_is_reported_together() -> None:
    error = refused(lambda: Sample(share=2.0, count=0, kind="three", joined="yes", size=(0, 1)))  # type: ignore[arg-type]
    assert error.keys == ("params.bounds",) * 5
    named = [problem.where for problem in error.problems]
    for name, where in zip(Sample.specs(), named, strict=True):
        assert name in where


@pytest.mark.parametrize("infinite", [float("inf"), float("-inf"), float("nan")])
def test_that_infinite_values_are_out_of_bounds(infinite: float) -> None:
    assert refused(lambda: Sample(share=infinite)).keys == ("params.bounds",)
    assert refused(lambda: Sample(count=infinite)).keys == ("params.bounds",)  # type: ignore[arg-type]
    assert refused(lambda: Sample(size=(infinite, 2))).keys == ("params.bounds",)  # type: ignore[arg-type]
    assert refused(lambda: Sample.from_texts({"count": str(infinite)})).keys == ("params.bounds",)


def test_that_texts_are_reported_together_with_unknown_names() -> None:
    error = refused(
        lambda: Sample.from_texts({"shar": "1", "share": "7", "count": "x", "size": "2"})
    )
    assert sorted(error.keys) == ["params.bounds"] * 3 + ["params.unknown"]


def test_that_values_are_reported_together_with_unknown_names() -> None:
    error = refused(lambda: Sample.from_values({"shar": 1, "share": 7.0}))
    assert sorted(error.keys) == ["params.bounds", "params.unknown"]


def test_that_a_misspelt_name_gets_the_nearest_one_proposed() -> None:
    for call in (
        lambda: Sample.from_texts({"shrae": "1"}),
        lambda: Sample.from_values({"shrae": 1}),
    ):
        error = refused(call)
        assert error.keys == ("params.unknown",)
        assert "'share'" in error.problems[0].way_out
    far = closest("zzzzzz", Sample.specs())
    assert all(name in far for name in Sample.specs())


def test_that_conflicts_are_looked_for_among_values_in_bounds_only() -> None:
    assert refused(lambda: Sample(joined=True, size=(3, 3))).keys == ("params.odd",)
    assert refused(lambda: Sample(joined=True, size=(3, 0))).keys == ("params.bounds",)
    assert Sample(joined=True, size=(4, 3)).joined
    assert refused(lambda: Sample(size=(3, 3)).replace(joined=True)).keys == ("params.odd",)


def test_that_replacing_checks_again_and_leaves_the_first_alone() -> None:
    params = Sample()
    assert params.replace(share=0.75).share == 0.75
    assert params.share == 0.5
    assert refused(lambda: params.replace(share=7)).keys == ("params.bounds",)


def test_that_defaults_and_declarations_come_in_the_order_declared() -> None:
    assert list(Sample.specs()) == ["share", "count", "kind", "joined", "size"]
    assert Sample.defaults() == Sample().as_values()


def test_that_parameters_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Sample().share = 0.1  # type: ignore[misc]


def test_that_names_are_known_or_refused_with_a_proposal() -> None:
    known("method", "som", ["som", "pca"])
    error = refused(lambda: known("method", "smo", iter(["som", "pca"])))
    assert error.keys == ("method.unknown",)
    assert "'som'" in error.problems[0].way_out


def test_that_a_set_without_parameters_is_fine() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Nothing(Params):
        pass

    assert Nothing().as_values() == {}
    assert refused(lambda: Nothing.from_texts({"a": "1"})).keys == ("params.unknown",)
    assert Nothing().resolved(10) == Nothing()
