"""Description of a figure of the Planes view."""

from __future__ import annotations

from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.legend import FigureWords, map_panel
from ximstudio.views.features.state import FeaturesState


def describe_features(shown: Shown, plan: FigurePlan) -> FigureWords:
    """Describe the planes of the features."""
    assert isinstance(plan.state, FeaturesState)
    colours = str(plan.state.picture(shown).quantity)
    return FigureWords(panels=(map_panel(shown.run, "planes of the features", colours=colours),))
