"""Description of a figure of the Positions view."""

from __future__ import annotations

from dataclasses import replace

from ximstudio.pictures.set_classes import ALL, SET
from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.legend import (
    FigureWords,
    chosen_words,
    clusters_words,
    joined,
    map_panel,
    placed_words,
    quoted,
)
from ximstudio.views.positions.picture import CLUSTERS, LABEL, PositionsPicture, bar_name
from ximstudio.views.positions.state import PositionsState


def describe_positions(shown: Shown, plan: FigurePlan) -> FigureWords:
    """Describe the colours of the items, and what is drawn over them."""
    assert isinstance(plan.state, PositionsState)
    picture = plan.state.picture(shown)
    panel = map_panel(
        shown.run,
        "positions of the items on the map",
        colours=colour_words(picture),
        marks=joined(placed_words(picture.overlaid), chosen_words(shown, plan)),
    )
    return FigureWords(panels=(panel,))


def colour_words(picture: PositionsPicture) -> str:
    """Explain the colours of items."""
    run = picture.shown.run
    if picture.by == CLUSTERS and run is not None and run.clustering is not None:
        return clusters_words(run.clustering)
    if picture.by == SET:
        one = picture.option != ALL
        return f"members of the set {quoted(picture.option)}" if one else "members of sets"
    if picture.by == LABEL:
        return quoted(picture.option)
    if picture.option:
        picture = replace(picture, option=quoted(picture.option))
    return bar_name(picture)
