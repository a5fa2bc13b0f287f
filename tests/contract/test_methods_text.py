"""Every parameter of every method: what is changed shows in the methods text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.contract.parameter_values import TEXTS, mattering, needed_with, others
from ximstudio.export.methods_text import methods_text
from ximstudio.export.wording.data_clauses import done, gerund
from ximstudio.export.wording.described import Described
from ximstudio.model import Matrix
from ximstudio.model.spec import FileName, TextList
from ximstudio.prepare.input import Input
from ximstudio.prepare.planned import Planned
from ximstudio.prepare.steps import STEPS
from ximstudio.train import METHODS, Method, train

PARAMETERS = [
    pytest.param(method, name, id=f"{method.key}-{name}")
    for method in METHODS
    for name in method.params.specs()
]


@pytest.fixture(scope="module")
def maps() -> dict[str, Described]:
    """A small map of every method."""
    rng = np.random.default_rng(3)
    matrix = Matrix.from_array(rng.normal(size=(24, 3)), source="table.csv")
    few: dict[str, Any] = {"n_steps": 20, "shape": (3, 4)}
    made = {}
    for method in METHODS:
        given = {name: few[name] for name in few if name in method.params.specs()}
        result = train(matrix, method, method.params(**given))
        # So that what places new items counts, too.
        projected = (("new.csv", 2),)
        made[method.key] = Described(
            result=result, matrix=matrix, input=Input(name="table.csv"), projected=projected
        )
    return made


@pytest.mark.parametrize(("method", "name"), PARAMETERS)
def test_that_a_changed_parameter_changes_the_text(
    maps: dict[str, Described], method: Method, name: str
) -> None:
    one = maps[method.key]
    before = mattering(method.params(), name)
    now = getattr(before.resolved(24), name)
    for value in others(name, method.params.specs()[name], now):
        after = before.replace(**({name: value} | needed_with(name, value)))
        texts = [
            methods_text([replace(one, result=replace(one.result, params=params))]).paragraphs
            for params in (before, after)
        ]
        assert texts[0] != texts[1], value


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_all_parameters_are_told_or_listed_as_left_out(
    maps: dict[str, Described], method: Method
) -> None:
    text = methods_text([maps[method.key]])
    (left_out,) = text.left_out.values()
    silent = maps[method.key].params.unused(new_items=True)
    usual = method.params().resolved(24)
    for name in left_out:
        assert name in silent or getattr(maps[method.key].params, name) == getattr(usual, name)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_every_method_is_introduced_with_a_citation(method: Method) -> None:
    assert method.introduction is not None
    assert method.introduction.works
    assert all(work.endswith(".") for work in method.introduction.works)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.key)
def test_that_what_a_step_did_can_be_said(step: Any) -> None:
    said = done(Planned(step=step, params=step.params()))
    assert "ing" in said.split(",")[0].split(" ")[0]
    assert step.name not in said


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        ("Drop", "dropping"),
        ("Keep", "keeping"),
        ("Bring", "bringing"),
        ("Exchange", "exchanging"),
        ("Fill", "filling"),
        ("Subtract", "subtracting"),
        ("Multiply", "multiplying"),
        ("Agree", "agreeing"),
        ("Clip", "clipping"),
        ("Show", "showing"),
    ],
)
def test_that_the_verb_of_a_step_follows_by(verb: str, expected: str) -> None:
    assert gerund(verb) == expected


def test_that_no_text_parameter_is_forgotten_here() -> None:
    declared = {
        name
        for method in METHODS
        for name, spec in method.params.specs().items()
        if isinstance(spec, TextList | FileName)
    }
    assert declared == set(TEXTS)
