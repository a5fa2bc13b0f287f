"""The plan of the next training, problems with it, and the plans of the default comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.metric import compared
from ximstudio.model.problem import Problem, UserError
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


USUAL = ("pca", "som", "xom", "c-xim")
"""The methods of the report's table 1, simplest first."""
JOINING = ("t-sne", "umap")
"""Other popular methods that can be added."""
METRIC = ("metric", "symmetrise")
"""Parameters of the metric: maps compare only if they are the same."""
SHARED = ("shape", "lattice", "toroidal", "depth", "node_file")
"""Parameters of the grid that the maps share as well."""


def usual_title() -> str:
    """Title of the default comparison: "Compare" and the names of its methods."""
    return f"Compare {', '.join(method_named(key).name for key in USUAL)}"


def usual_plans(plan: TrainingPlan) -> tuple[TrainingPlan, ...]:
    """Plan each default method with the metric and grid of the present plan."""
    return tuple(plan_alike(plan, key) for key in USUAL)


def plan_alike(plan: TrainingPlan, key: str) -> TrainingPlan:
    """Return the plan with another method and the present metric.

    Its other settings are those that the user left there; without any, the grid is the present one.
    """
    other = plan.with_method(key)
    if key == plan.method_key:
        return other
    names = METRIC if key in plan.parameters else (*METRIC, *SHARED)
    return other.with_params(_sharing(other.params, plan.params, names))


def in_one_metric(plan: TrainingPlan, other: TrainingPlan) -> bool:
    """Return whether two plans use the same metric, so that measures of their maps compare."""
    return compared(plan.params) == compared(other.params)


def _sharing(params: MethodParams, present: MethodParams, names: Iterable[str]) -> MethodParams:
    """Copy the named values of `present` to `params` where both have and allow them."""
    for name in names:
        if name in params.specs() and name in present.specs():
            try:
                params = params.replace(**{name: getattr(present, name)})
            except UserError:
                # Not every method has all options, such as a table of distances.
                continue
    return params
