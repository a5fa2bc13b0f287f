"""Description of a figure of the Quality view."""

from __future__ import annotations

from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.legend import FigureWords, PanelWords


def describe_quality(shown: Shown, plan: FigurePlan) -> FigureWords:  # noqa: ARG001
    """Describe the measures of the runs."""
    return FigureWords(panels=(PanelWords(shows="quality of the map"),))
