"""What is shown + how a view is set → a figure for paper, drawn without a screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from ximstudio.figures.compare import draw_compare
from ximstudio.figures.files import save_figure
from ximstudio.figures.heat_map import draw_heat_map
from ximstudio.figures.look import DOUBLE_MM, MIDDLE_MM, Look, on_paper
from ximstudio.figures.map import draw_map
from ximstudio.figures.map_figure import map_figure
from ximstudio.figures.plan import FigurePlan
from ximstudio.figures.planes import draw_planes
from ximstudio.figures.positions import draw_positions
from ximstudio.figures.quality import draw_quality
from ximstudio.figures.sheet import TOO_HIGH
from ximstudio.model.params import known
from ximstudio.model.problem import Problem, UserError
from ximstudio.pictures.states import (
    CompareState,
    FeaturesState,
    HeatMapState,
    MapState,
    PortraitsState,
    PositionsState,
    QualityState,
)
from ximstudio.session.shown import Shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Drawing: TypeAlias = "Callable[[Any, FigurePlan], Figure]"

FIGURES: Mapping[str, Drawing] = {
    MapState.view: draw_map,
    PositionsState.view: draw_positions,
    QualityState.view: draw_quality,
    FeaturesState.view: draw_planes,
    HeatMapState.view: draw_heat_map,
    PortraitsState.view: draw_planes,
    CompareState.view: draw_compare,
}
"""By the key of a view: how its picture is drawn on paper."""


def figure_of(shown: Shown, plan: FigurePlan) -> Figure:
    """The figure of a view as it is set; UserError where it would be empty, or leave the page."""
    known("figure", plan.state.view, FIGURES)
    picture = plan.state.picture(shown, plan.selection)
    try:
        return _drawn(picture, plan)
    except UserError as error:
        if error.keys != (TOO_HIGH,):
            raise
        raise UserError.of([_with_ways_out(error.problems[0], picture, plan)]) from None


def _drawn(picture: Any, plan: FigurePlan) -> Figure:
    with on_paper(plan.look):
        return FIGURES[plan.state.view](picture, plan)


def _with_ways_out(problem: Problem, picture: Any, plan: FigurePlan) -> Problem:
    """The problem of a figure that leaves the page, with what would help this one."""
    ways = ["a smaller type"]
    wider = (width for width in (MIDDLE_MM, DOUBLE_MM) if width > plan.look.width_mm)
    fitting = next((width for width in wider if _fits(picture, plan, width)), None)
    if fitting is not None:
        ways.append(f"a width of {fitting:g} mm")
    less = ", or leave out the table" if plan.table else ""
    return replace(problem, way_out=f"Choose {' or '.join(ways)}{less}.")


def _fits(picture: Any, plan: FigurePlan, width_mm: float) -> bool:
    """Whether the figure would be on a page if it were so wide."""
    try:
        _drawn(picture, replace(plan, look=replace(plan.look, width_mm=width_mm)))
    except UserError:
        return False
    return True


__all__ = ["FIGURES", "FigurePlan", "Look", "figure_of", "map_figure", "save_figure"]
