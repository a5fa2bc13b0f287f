"""The figure of a view as it is set, drawn without a screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ximstudio.figures.look import DOUBLE_MM, MIDDLE_MM, Look, on_paper
from ximstudio.figures.sheet import TOO_HIGH
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.selection import Selection
from ximstudio.session.shown import Shown
from ximstudio.views import state_named, view_named
from ximstudio.views.common.figure_plan import FigurePlan

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure_of(shown: Shown, plan: FigurePlan) -> Figure:
    """Draw the figure of a view; UserError where it would be empty, or leave the page."""
    picture = plan.state.picture(shown, plan.selection)
    try:
        return _drawn(picture, plan)
    except UserError as error:
        if error.keys != (TOO_HIGH,):
            raise
        raise UserError.of([_with_ways_out(error.problems[0], picture, plan)]) from None


def figure_plan_from(values: Mapping[str, Any]) -> FigurePlan:
    """Read a plan from plain values; KeyError, TypeError or UserError if they are none."""
    return FigurePlan(
        state=state_named(str(values["view"]), values["state"]),
        selection=Selection.of(map(str, values["selection"])),
        look=Look.from_values(values["look"]),
        title=str(values["title"]),
        table=bool(values["table"]),
        # Older figures lack it.
        dots=bool(values.get("dots", False)),
    )


def _drawn(picture: object, plan: FigurePlan) -> Figure:
    with on_paper(plan.look):
        return view_named(plan.state.view).draw(picture, plan)


def _with_ways_out(problem: Problem, picture: object, plan: FigurePlan) -> Problem:
    """Add ways out to the problem of a figure that leaves the page."""
    ways = ["a smaller type"]
    wider = (width for width in (MIDDLE_MM, DOUBLE_MM) if width > plan.look.width_mm)
    fitting = next((width for width in wider if _fits(picture, plan, width)), None)
    if fitting is not None:
        ways.append(f"a width of {fitting:g} mm")
    less = ", or leave out the table" if plan.table else ""
    return replace(problem, way_out=f"Choose {' or '.join(ways)}{less}.")


def _fits(picture: object, plan: FigurePlan, width_mm: float) -> bool:
    """Return whether the figure would be on a page if it were so wide."""
    try:
        _drawn(picture, replace(plan, look=replace(plan.look, width_mm=width_mm)))
    except UserError:
        return False
    return True
