"""A parameter without effect changes neither map nor methods text, whatever its value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.contract.parameter_values import mattering, others, switched
from ximstudio.export.methods_text import methods_text
from ximstudio.export.wording.described import Described
from ximstudio.model import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.problem import Severity, UserError
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input
from ximstudio.train import METHODS, Method, problems, train

FEW: dict[str, Any] = {"n_steps": 20, "shape": (3, 4), "n_epochs": 3, "block_items": 7}
N_ITEMS = 24
EACH = 12
"""Settings that are trained per method: some of all pairs of choices, spread evenly over them."""
REFUSED = {"toroidal", "node_file"}
"""Parameters whose other values cannot be trained where they have no effect, or need a file."""
CONDITIONAL = [method for method in METHODS if any(s.when for s in method.params.specs().values())]


@cache
def table(metric: str) -> Matrix:
    values = np.random.default_rng(3).normal(size=(N_ITEMS, 3))
    if metric != "precomputed":
        return Matrix.from_array(values, source="table.csv")
    apart = np.sqrt(((values[:, None] - values[None]) ** 2).sum(axis=2))
    names = tuple(f"item {number}" for number in range(N_ITEMS))
    return Matrix(values=apart, item_ids=names, feature_names=names, source="table.csv")


@pytest.fixture(autouse=True)
def node_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("nodes.csv").write_text("x,y\n0,0\n1,0\n0,1\n1,1\n", encoding="utf-8")


def table_for(params: MethodParams) -> Matrix:
    return table(getattr(params, "metric", ""))


def trained(method: Method, params: MethodParams) -> Result:
    return train(table_for(params), method, params)


def text(result: Result, params: MethodParams) -> tuple[str, ...]:
    one = Described(
        result=replace(result, params=params),
        matrix=table_for(params),
        input=Input(name="table.csv"),
    )
    return methods_text([one]).paragraphs


def settings(method: Method) -> list[MethodParams]:
    """Some settings of a method, among them one in which each parameter does not matter."""
    few = {name: value for name, value in FEW.items() if name in method.params.specs()}
    every = list(switched(method.params(**few)))
    found = every[:: max(1, len(every) // EACH)]
    seen: set[str] = set()
    for params in every:
        if not seen >= set(params.unused()):
            seen.update(params.unused())
            found.append(params)
    return found


def with_other(params: MethodParams, name: str) -> Iterator[MethodParams]:
    """The parameters with every other value of one that is allowed beside them."""
    for value in others(name, params.specs()[name], getattr(params.resolved(N_ITEMS), name)):
        with suppress(UserError):
            yield params.replace(**{name: value})


def trainable(method: Method, params: MethodParams) -> bool:
    return not any(
        each.severity is Severity.ERROR for each in problems(table_for(params), method, params)
    )


@pytest.mark.thorough
@pytest.mark.parametrize("method", CONDITIONAL, ids=lambda method: method.key)
def test_that_parameters_without_effect_change_neither_map_nor_text(method: Method) -> None:
    proven = set()
    for params in settings(method):
        if not trainable(method, params):
            continue
        result, others = trained(method, params), params
        for name in params.unused():
            # Some values are refused, which is an effect on none that is trained.
            for changed in with_other(others, name):
                if trainable(method, changed):
                    assert set(changed.unused()) == set(params.unused()), name
                    assert text(result, changed) == text(result, params), name
                    others = changed
                    proven.add(name)
        if others != params and trained(method, others).hash != result.hash:
            raise AssertionError(f"{culprits(method, params, result)} beside {params}")
    conditional = {name for name, spec in method.params.specs().items() if spec.when is not None}
    assert conditional <= proven | REFUSED


def culprits(method: Method, params: MethodParams, result: Result) -> list[str]:
    """The parameters that matter although they say that they do not."""
    return [
        name
        for name in params.unused()
        for changed in with_other(params, name)
        if trainable(method, changed) and trained(method, changed).hash != result.hash
    ]


@pytest.mark.parametrize("method", CONDITIONAL, ids=lambda method: method.key)
def test_that_every_parameter_matters_beside_some_others(method: Method) -> None:
    for name in method.params.specs():
        assert mattering(method.params(), name).matters(name)


def test_that_only_declared_parameters_and_properties_decide() -> None:
    for method in CONDITIONAL:
        params = method.params()
        for name, spec in params.specs().items():
            if spec.when is not None:
                assert spec.when.text
                assert isinstance(params.matters(name), bool)
