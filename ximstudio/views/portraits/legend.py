"""Description of a figure of the Portraits view."""

from __future__ import annotations

from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.legend import FigureWords, map_panel
from ximstudio.views.portraits.state import PortraitsState


def describe_portraits(shown: Shown, plan: FigurePlan) -> FigureWords:
    """Describe the portraits of samples or groups."""
    assert isinstance(plan.state, PortraitsState)
    colours = str(plan.state.picture(shown).quantity)
    return FigureWords(panels=(map_panel(shown.run, "portraits on the map", colours=colours),))
