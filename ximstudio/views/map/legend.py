"""Description of a figure of the Map view."""

from __future__ import annotations

from ximstudio.maps import LayerKind
from ximstudio.model.words import counted
from ximstudio.pictures.canvas import Overlaid, bordered
from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.legend import (
    FigureWords,
    PanelWords,
    chosen_words,
    clusters_words,
    joined,
    map_panel,
    placed_words,
    quoted,
)
from ximstudio.views.map.picture import HITS, NODES, POINTS, bar_name, first_marks, would_hide
from ximstudio.views.map.state import MapState

MARKED = {
    POINTS: "points are items at their positions",
    NODES: "points are items within their nodes",
    HITS: "numbers are the items per node",
}
"""Descriptions of the marks on a map."""


def describe_map(shown: Shown, plan: FigurePlan) -> FigureWords:
    """Describe the layer, the marks, and what is drawn over them."""
    assert isinstance(plan.state, MapState)
    return FigureWords(panels=(_panel(shown, plan.state, plan),))


def _panel(shown: Shown, state: MapState, plan: FigurePlan) -> PanelWords:
    picture = state.picture(shown)
    if picture.layer is None:
        return map_panel(shown.run, "nodes of the map")
    of = f" of {quoted(picture.option)}" if picture.option else ""
    pies = picture.layer.kind is LayerKind.SHARES
    drawn = state.marks or first_marks(picture)
    marks = MARKED.get(drawn, "")
    if not state.marks and not pies and would_hide(picture):
        marks = f"the {counted(picture.matrix.n_items, 'item')}, too many for points, are not drawn"
    if picture.classes is not None and drawn in (POINTS, NODES):
        marks = f"{marks}, coloured by {quoted(picture.label)}"
    return map_panel(
        shown.run,
        f"{picture.layer.name}{of}",
        colours=f"classes of {quoted(picture.label)}" if pies else bar_name(picture),
        marks=joined(
            marks,
            _borders(shown, picture.overlaid),
            placed_words(picture.overlaid),
            _pins(shown),
            chosen_words(shown, plan),
        ),
    )


def _borders(shown: Shown, overlaid: Overlaid) -> str:
    """Explain the lines between cells; '' if there are none."""
    clustering = bordered(shown)
    if clustering is None or not len(overlaid.borders):
        return ""
    return f"lines are borders of {clusters_words(clustering)}"


def _pins(shown: Shown) -> str:
    """Explain the pins; '' if there are none."""
    n_pins = len(shown.result.params.anchored)
    if not n_pins:
        return ""
    mark = counted(n_pins, "pin marks a node that was", "pins mark nodes that were each")
    return f"{mark} pinned to an item in training"
