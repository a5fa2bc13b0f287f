"""Every parameter of every method: what is changed shows in the methods text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ximstudio.export.methods_text import methods_text
from ximstudio.export.wording.data_clauses import done
from ximstudio.export.wording.described import Described
from ximstudio.export.wording.idle import idle
from ximstudio.export.wording.method_clauses import INTRODUCTIONS
from ximstudio.export.wording.references import REFERENCES
from ximstudio.model import Matrix
from ximstudio.model.spec import Choice, FileName, Number, Pair, Spec, Switch, TextList
from ximstudio.prepare.input import Input
from ximstudio.prepare.planned import Planned
from ximstudio.prepare.steps import STEPS
from ximstudio.train import METHODS, Method, train

EPOCHS = {"algorithm": "batch"}
NEEDED: dict[str, dict[str, Any]] = {
    "depth": {"lattice": "cubic"},
    "node_file": {"lattice": "table", "node_file": "nodes.csv"},
    "symmetrise": {"metric": "precomputed"},
    "relational": {"metric": "precomputed"},
    "softness": {"mapping": "softmax"},
    "n_epochs": EPOCHS,
    "relaxation": EPOCHS,
    "first_share": EPOCHS,
    "settling": EPOCHS,
    "tolerance": EPOCHS,
    "block_items": {"algorithm": "mini-batch"},
    "fixed_point": EPOCHS,
    "repelled_by": EPOCHS,
    "repelling_share": EPOCHS,
    "reach_neighbours": {"reach_from": "neighbours"},
    "order": {"divergence": "beta"},
    "lattice_side": {"hypothesis": "lattice"},
}
"""Beside which others a parameter plays a part, where it does not by default."""
TEXTS: dict[str, Any] = {"anchors": ("0=item 3",), "node_file": "others.csv"}

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
        brought = (("new.csv", 2),)
        made[method.key] = Described(
            result=result, matrix=matrix, input=Input(name="table.csv"), brought=brought
        )
    return made


def others(name: str, spec: Spec, now: Any) -> Iterator[Any]:
    """Values that a parameter could have as well."""
    if name in TEXTS:
        yield TEXTS[name]
    elif isinstance(spec, Choice):
        yield from (option for option in spec.options if option != now)
    elif isinstance(spec, Switch):
        yield not now
    elif isinstance(spec, Pair):
        start = next(others(name, spec.first, now[0]))
        end = next(others(name, spec.second, now[1]))
        yield from ((start, now[1]), (now[0], end))
    else:
        assert isinstance(spec, Number)
        middle = 1.0 if now is None else now
        wished = [middle * 0.5, middle * 1.5, middle + 1, spec.high, spec.low]
        rounded = [round(value) if spec.whole else value for value in wished]
        yield next(value for value in rounded if spec.allows(value) and value != now)


@pytest.mark.parametrize(("method", "name"), PARAMETERS)
def test_that_a_changed_parameter_changes_the_text(
    maps: dict[str, Described], method: Method, name: str
) -> None:
    one = maps[method.key]
    context = NEEDED.get(name, {})
    before = method.params(**(context if context.keys() <= method.params.specs().keys() else {}))
    now = getattr(before.resolved(24), name)
    assert name not in idle(before, n_brought=2)
    for value in others(name, method.params.specs()[name], now):
        after = before.replace(**({name: value} | needed_with(name, value)))
        texts = [
            methods_text([replace(one, result=replace(one.result, params=params))]).paragraphs
            for params in (before, after)
        ]
        assert texts[0] != texts[1], value


def needed_with(name: str, value: Any) -> dict[str, Any]:
    """What else has to be said for this value to be allowed."""
    return {"node_file": "nodes.csv"} if (name, value) == ("lattice", "table") else {}


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_all_parameters_are_told_or_listed_as_left_out(
    maps: dict[str, Described], method: Method
) -> None:
    text = methods_text([maps[method.key]])
    (left_out,) = text.left_out.values()
    silent = idle(maps[method.key].params, n_brought=2)
    usual = method.params().resolved(24)
    for name in left_out:
        assert name in silent or getattr(maps[method.key].params, name) == getattr(usual, name)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_every_method_is_introduced_with_a_citation(method: Method) -> None:
    assert set(INTRODUCTIONS[method.key].cite) <= set(REFERENCES)
    assert INTRODUCTIONS[method.key].cite


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.key)
def test_that_what_a_step_did_can_be_said(step: Any) -> None:
    said = done(Planned(step=step, params=step.params()))
    assert "ing" in said.split(",")[0].split(" ")[0]
    assert step.name not in said


def test_that_no_text_parameter_is_forgotten_here() -> None:
    declared = {
        name
        for method in METHODS
        for name, spec in method.params.specs().items()
        if isinstance(spec, TextList | FileName)
    }
    assert declared == set(TEXTS)
