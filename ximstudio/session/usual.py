"""The usual comparison: the report's methods on the same data, on maps of the same kind."""

from __future__ import annotations

from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.session.plan import Plan
from ximstudio.train import method_named

USUAL = ("pca", "som", "xom", "c-xim")
"""The methods of the report's table 1, from the simplest on."""
JOINING = ("t-sne", "umap")
"""Methods of other schools that are often asked for beside them."""
SHARED = ("shape", "lattice", "toroidal", "depth", "node_file", "metric", "symmetrise")
"""What makes maps comparable: their nodes, and how far apart items are taken to be."""


def usual_title() -> str:
    """Name of the usual comparison: "Compare" and the methods it trains."""
    return f"Compare {', '.join(method_named(key).name for key in USUAL)}"


def usual_plans(plan: Plan) -> tuple[Plan, ...]:
    """A plan for each of the usual methods, alike in what is shared with the present one."""
    return tuple(plan_alike(plan, key) for key in USUAL)


def plan_alike(plan: Plan, key: str) -> Plan:
    """The plan with another method: as a person left it, or on a map like the present one's."""
    other = plan.with_method(key)
    if key == plan.method_key or key in plan.parameters:
        return other
    return other.with_params(_sharing(other.params, plan.params))


def _sharing(params: Params, present: Params) -> Params:
    """Parameters with those of the present ones that both have, as far as they may be so."""
    for name in SHARED:
        if name in params.specs() and name in present.specs():
            try:
                params = params.replace(**{name: getattr(present, name)})
            except UserError:
                # Not every method has all choices, such as a table of distances.
                continue
    return params
