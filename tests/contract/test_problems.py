"""Contract of problems: they name their fields as data, and nobody takes their sentences apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ximstudio
from ximstudio.load import Choices
from ximstudio.model import UserError
from ximstudio.model.params import Params
from ximstudio.model.problem import Form
from ximstudio.prepare.steps import STEPS
from ximstudio.train import METHODS

PACKAGE = Path(ximstudio.__file__).parent


def all_params() -> Iterator[Any]:
    for method in METHODS:
        yield pytest.param(method.params, id=method.key)
    for step in STEPS:
        yield pytest.param(step.params, id=step.key)
    yield pytest.param(Choices, id="reading")


@pytest.mark.parametrize("params", [*all_params()])
def test_that_the_problem_of_a_bad_parameter_names_it_in_its_fields(params: type[Params]) -> None:
    for name in params.specs():
        with pytest.raises(UserError) as caught:
            params(**{name: object()})
        (problem,) = caught.value.problems
        assert problem.fields == (name,)
        assert problem.form is (Form.READING if params is Choices else Form.PARAMETERS)


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text("utf-8"))


def calls(tree: ast.Module) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def texts(node: ast.AST) -> str:
    found = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return " ".join(text for text in found if isinstance(text, str))


def test_that_problems_whose_address_names_a_parameter_have_it_in_their_fields() -> None:
    wrong = []
    for name, tree in modules():
        for call in calls(tree):
            given = {each.arg: each.value for each in call.keywords}
            if "where" in given and "parameter" in texts(given["where"]) and "fields" not in given:
                wrong.append(f"{name}:{call.lineno}")
    assert not wrong
