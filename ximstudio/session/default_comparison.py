"""Default comparison: the methods of the technical report on the same data and similar maps."""

from __future__ import annotations

from collections.abc import Iterable

from ximstudio.model.method_params import MethodParams
from ximstudio.model.metric import compared
from ximstudio.model.problem import UserError
from ximstudio.session.plan import TrainingPlan
from ximstudio.train import method_named

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
