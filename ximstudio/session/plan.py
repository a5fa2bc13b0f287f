"""The plan of the next training: a method, its parameters, and problems with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.problem import Problem
from ximstudio.train import METHODS, Method, method_named, problems
from ximstudio.train.checks import few_problems, is_installed


@dataclass(frozen=True, kw_only=True)
class TrainingPlan:
    """A method, and the parameters of every method that the user has set."""

    method_key: str = METHODS[0].key
    parameters: Mapping[str, MethodParams] = field(default_factory=dict)
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))

    @property
    def method(self) -> Method:
        return method_named(self.method_key)

    @cached_property
    def params(self) -> MethodParams:
        """Parameters of the present method."""
        return self.parameters.get(self.method_key) or self.method.params()

    def with_method(self, key: str) -> TrainingPlan:
        """Return the plan with another method and the parameters that the user left there."""
        return replace(self, method_key=method_named(key).key)

    def with_params(self, params: MethodParams) -> TrainingPlan:
        """Return the plan with other parameters of the present method."""
        return replace(self, parameters={**self.parameters, self.method_key: params})


@dataclass(frozen=True, kw_only=True, eq=False)
class CheckedPlan:
    """A plan for a table with its problems, found in the background."""

    matrix: Matrix
    plan: TrainingPlan
    problems: tuple[Problem, ...]


def checked(matrix: Matrix, plan: TrainingPlan) -> CheckedPlan:
    """Check a plan."""
    found = problems(matrix, plan.method, plan.params)
    return CheckedPlan(matrix=matrix, plan=plan, problems=(*found, *few_problems(matrix)))


NOT_INSTALLED = "not installed"


def method_title(method: Method) -> str:
    """Name of a method: "UMAP", or "UMAP (not installed)"."""
    return method.name if is_installed(method) else f"{method.name} ({NOT_INSTALLED})"
