"""Description of a figure of the Compare view."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.figures.parts import letter_of
from ximstudio.model.result import PrototypeMap
from ximstudio.pictures.cache import PictureCache
from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.legend import FigureWords, PanelWords, chosen_words, map_panel, quoted
from ximstudio.views.compare.picture import CompareMemory, seen_as
from ximstudio.views.compare.state import MAPS, MEASURES, STABILITY, SWEEP, CompareState
from ximstudio.views.positions.legend import colour_words
from ximstudio.views.positions.picture import CLUSTERS, PositionsRequest
from ximstudio.views.positions.state import PositionsState

SHADED = "Darker nodes are farther from their neighbours."
"""Explanation of the shaded nodes of compared maps."""
PAGES = {
    MEASURES: "measures of the compared maps",
    SWEEP: "measures of maps with other settings",
    STABILITY: "stability of the map when it is retrained",
}
"""Descriptions of the pages other than that of maps."""


def describe_compare(shown: Shown, plan: FigurePlan) -> FigureWords:
    """Describe the page: maps have a panel each and share one key."""
    state = plan.state
    assert isinstance(state, CompareState)
    if state.page != MAPS:
        return FigureWords(panels=(PanelWords(shows=PAGES.get(state.page, "maps side by side")),))
    panels = tuple(
        map_panel(run, f"run {quoted(run.name)}", letter=letter_of(number))
        for number, run in enumerate(shown.compared)
    )
    return FigureWords(panels=panels, shared=tuple(_shared(shown, state, plan)))


def _shared(shown: Shown, state: CompareState, plan: FigurePlan) -> Iterator[str]:
    """Describe what all compared maps have in common."""
    if not shown.compared:
        return
    colours, chosen = _colours(shown, state), chosen_words(shown, plan)
    if colours:
        yield f"Colours: {colours}."
    if any(isinstance(run.result.model, PrototypeMap) for run in shown.compared):
        yield SHADED
    if chosen:
        yield f"{chosen[:1].upper()}{chosen[1:]}."
    if plan.table:
        yield "Below: measures of the maps."


def _colours(shown: Shown, state: CompareState) -> str:
    """Explain the colours of items on all compared maps."""
    by, option = state.request(CompareMemory()).choice(shown)
    if by == CLUSTERS:
        return "clusters of each map"
    items = PositionsState(by=by, option=option, palettes=state.palettes)
    request = PositionsRequest(memory=PictureCache(), state=items, beside=True)
    return colour_words(request(seen_as(shown, shown.compared[0])))
