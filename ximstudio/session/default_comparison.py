"""The usual comparison: the report's methods on the same data, on maps of the same kind."""

from __future__ import annotations

from collections.abc import Iterable

from ximstudio.model.metric import compared
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.session.plan import TrainingPlan
from ximstudio.train import method_named

USUAL = ("pca", "som", "xom", "c-xim")
"""The methods of the report's table 1, from the simplest on."""
JOINING = ("t-sne", "umap")
"""Methods of other schools that are often asked for beside them."""
METRIC = ("metric", "symmetrise")
"""How far apart items are taken to be: maps compare only where this is the same."""
SHARED = ("shape", "lattice", "toroidal", "depth", "node_file")
"""What else makes maps alike: their nodes."""


def usual_title() -> str:
    """Name of the usual comparison: "Compare" and the methods it trains."""
    return f"Compare {', '.join(method_named(key).name for key in USUAL)}"


def usual_plans(plan: TrainingPlan) -> tuple[TrainingPlan, ...]:
    """A plan for each of the usual methods, alike in what is shared with the present one."""
    return tuple(plan_alike(plan, key) for key in USUAL)


def plan_alike(plan: TrainingPlan, key: str) -> TrainingPlan:
    """The plan with another method, in the present metric.

    Its other settings are as the user left them, or else on a map like the present one's.
    """
    other = plan.with_method(key)
    if key == plan.method_key:
        return other
    names = METRIC if key in plan.parameters else (*METRIC, *SHARED)
    return other.with_params(_sharing(other.params, plan.params, names))


def in_one_metric(plan: TrainingPlan, other: TrainingPlan) -> bool:
    """Whether two plans compare items alike, so that measures of their maps compare."""
    return compared(plan.params) == compared(other.params)


def _sharing(params: Params, present: Params, names: Iterable[str]) -> Params:
    """Parameters with those of the present ones that both have, as far as they may be so."""
    for name in names:
        if name in params.specs() and name in present.specs():
            try:
                params = params.replace(**{name: getattr(present, name)})
            except UserError:
                # Not every method has all choices, such as a table of distances.
                continue
    return params
