"""Contract of problems: they name their fields as data, and nobody takes their sentences apart."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.parsed import parsed_modules
from ximstudio.load import Choices
from ximstudio.model import UserError
from ximstudio.model.params import Params
from ximstudio.model.problem import SettingsForm
from ximstudio.prepare.steps import STEPS
from ximstudio.train import METHODS


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
        assert problem.form is (
            SettingsForm.READING if params is Choices else SettingsForm.PARAMETERS
        )


def calls(tree: ast.Module) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def texts(node: ast.AST) -> str:
    found = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return " ".join(text for text in found if isinstance(text, str))


def test_that_problems_whose_address_names_a_parameter_have_it_in_their_fields() -> None:
    wrong = []
    for name, tree in parsed_modules().items():
        for call in calls(tree):
            given = {each.arg: each.value for each in call.keywords}
            if "where" in given and "parameter" in texts(given["where"]) and "fields" not in given:
                wrong.append(f"{name}:{call.lineno}")
    assert not wrong


TERMINAL = ("cli/", "commands/")
"""What only the command line shows."""
OPTION = re.compile(r"(?<![\w-])--[a-z]")
STYLE = {"report/style.py"}
"""CSS has words that look like options."""


def test_that_messages_of_the_core_and_the_window_name_no_options() -> None:
    wrong = []
    for name, tree in parsed_modules().items():
        if name.startswith(TERMINAL) or name in STYLE:
            continue
        documented = {id(each) for each in docstrings(tree)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or id(node) in documented:
                continue
            if isinstance(node.value, str) and OPTION.search(node.value):
                wrong.append(f"{name}:{node.lineno}: {node.value}")
    assert not wrong


def docstrings(tree: ast.Module) -> Iterator[ast.AST]:
    """Docstrings, also those of constants."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


SENTENCES = {"what", "where", "way_out", "address"}
TAKING_APART = {
    *("replace", "removeprefix", "removesuffix", "strip", "lstrip", "rstrip", "partition"),
    *("rpartition", "split", "rsplit", "splitlines", "startswith", "endswith", "find", "index"),
    *("upper", "lower", "capitalize", "translate"),
}
PATTERNS = {"match", "fullmatch", "search", "sub", "split", "findall", "finditer"}


def test_that_no_module_takes_the_sentences_of_a_problem_apart() -> None:
    wrong = []
    for name, tree in parsed_modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.expr) and taken_apart(node):
                wrong += [f"{name}:{node.lineno}: {ast.unparse(node)}"]
    assert not wrong


def taken_apart(node: ast.AST) -> bool:
    """Whether an expression cuts, searches or changes a sentence."""
    if isinstance(node, ast.Subscript):
        return is_sentence(node.value)
    if isinstance(node, ast.Compare):
        return any(isinstance(each, ast.In) for each in node.ops) and is_sentence(
            node.comparators[-1]
        )
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr in TAKING_APART and is_sentence(node.func.value):
        return True
    return node.func.attr in PATTERNS and any(map(is_sentence, node.args))


def is_sentence(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in SENTENCES
