"""What is shown + how a view is set → a figure for paper, drawn without a screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from ximstudio.figures.compare import draw_compare
from ximstudio.figures.files import save_figure
from ximstudio.figures.heat_map import draw_heat_map
from ximstudio.figures.look import Look, on_paper
from ximstudio.figures.map import draw_map
from ximstudio.figures.map_figure import map_figure
from ximstudio.figures.plan import FigurePlan
from ximstudio.figures.planes import draw_planes
from ximstudio.figures.positions import draw_positions
from ximstudio.figures.quality import draw_quality
from ximstudio.model.params import known
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
    """The figure of a view as it is set; UserError where it would be empty."""
    known("figure", plan.state.view, FIGURES)
    picture = plan.state.picture(shown, plan.selection)
    with on_paper(plan.look):
        return FIGURES[plan.state.view](picture, plan)


__all__ = ["FIGURES", "FigurePlan", "Look", "figure_of", "map_figure", "save_figure"]
