"""Description of a figure of the Heat map view."""

from __future__ import annotations

from ximstudio.model.words import counted
from ximstudio.pictures.quantity import value_words
from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.legend import FigureWords, map_panel, n_chosen
from ximstudio.views.heat_map.picture import CHOSEN
from ximstudio.views.heat_map.state import HeatMapState


def describe_heat_map(shown: Shown, plan: FigurePlan) -> FigureWords:
    """Describe the rows, the columns and the values."""
    assert isinstance(plan.state, HeatMapState)
    some = plan.state.which == CHOSEN
    items = f"{n_chosen(shown, plan)} selected items" if some else "all items"
    shows = f"values of {items} in {counted(shown.matrix.n_features, 'feature')}"
    return FigureWords(panels=(map_panel(shown.run, shows, colours=value_words(shown)),))
