"""The legend of a planned figure: what its panels show, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ximstudio.export.legend_text import PanelWords, legend_text
from ximstudio.figures.parts import letter_of
from ximstudio.figures.pins import pins_of
from ximstudio.figures.plan import FigurePlan
from ximstudio.maps import Kind
from ximstudio.maps.clusters import Clustering, clustering_named
from ximstudio.model.result import PrototypeMap
from ximstudio.model.words import counted, in_words
from ximstudio.pictures import map as maps
from ximstudio.pictures import positions
from ximstudio.pictures.compare import CompareMemory, seen_as
from ximstudio.pictures.heat_map import CHOSEN
from ximstudio.pictures.memory import Memory
from ximstudio.pictures.overlaid import Overlaid, bordered
from ximstudio.pictures.quantity import value_words
from ximstudio.pictures.set_classes import ALL, SET
from ximstudio.pictures.states import (
    CompareState,
    HeatMapState,
    MapState,
    PlanesState,
    PositionsState,
    QualityState,
)
from ximstudio.pictures.states.compare import MAPS
from ximstudio.session.overview import kinds_in
from ximstudio.session.run import Run
from ximstudio.session.shown import Shown
from ximstudio.train import method_named

QUOTED = "‘{}’"
"""A name of the table in a sentence."""
MARKED = {
    maps.POINTS: "points are items, each in its place",
    maps.NODES: "points are items, each in its node",
    maps.HITS: "numbers count the items of a node",
}
"""What marks on a map are."""
SHADED = "Nodes are the darker, the farther they are from their neighbours."
"""What the ground of compared maps tells."""
PAGES = {
    "measures": "measures of the compared maps",
    "sweep": "measures of maps with other settings",
    "stability": "what of the map stays when it is made again",
}
"""What the pages of the compare view show, other than maps."""


def figure_legend(shown: Shown, plan: FigurePlan, *, number: int | None = 1) -> str:
    """What a figure shows: "Figure 1. Map of 186 genes by c-XIM. U-matrix; colours: ….".

    `number` is that of the figure in the paper, left out if None.
    """
    matrix = shown.matrix
    words = kinds_in(matrix)
    text = legend_text(plan.title, tuple(_panels(shown, plan)), number=number, words=words)
    return " ".join((text, *(in_words(said, *words) for said in _shared(shown, plan))))


def _shared(shown: Shown, plan: FigurePlan) -> Iterator[str]:
    """Sentences about all compared maps at once: they have one key."""
    state = plan.state
    if not isinstance(state, CompareState) or state.page != MAPS or not shown.compared:
        return
    colours, chosen = _compared_colours(shown, state), _chosen(shown, plan)
    if colours:
        yield f"Colours: {colours}."
    if any(isinstance(run.result.model, PrototypeMap) for run in shown.compared):
        yield SHADED
    if chosen:
        yield f"{chosen[:1].upper()}{chosen[1:]}."
    if plan.table:
        yield "Below: measures of the maps."


def _panels(shown: Shown, plan: FigurePlan) -> Iterator[PanelWords]:
    state, run = plan.state, shown.run
    if isinstance(state, CompareState):
        yield from _compared(shown, state)
    elif isinstance(state, MapState):
        yield _map(shown, state, plan)
    elif isinstance(state, PositionsState):
        picture = state.picture(shown)
        marks = _together(_newcomers(picture.overlaid), _chosen(shown, plan))
        yield _of(run, view="positions", colours=_colours(picture), marks=marks)
    elif isinstance(state, HeatMapState):
        chosen = f"{_n_chosen(shown, plan)} chosen items" if state.which == CHOSEN else "all items"
        shows = f"values of {chosen} in {counted(shown.matrix.n_features, 'feature')}"
        yield _of(run, view="heat_map", shows=shows, colours=value_words(shown))
    elif isinstance(state, PlanesState):
        yield _of(run, view=state.view, colours=str(state.picture(shown).quantity))
    elif isinstance(state, QualityState):
        yield PanelWords(view="quality")
    else:
        yield _of(run, view=state.view)


def _of(
    run: Run | None, *, view: str, shows: str = "", colours: str = "", marks: str = "",
    letter: str = "",
) -> PanelWords:  # fmt: skip
    """A panel with a map of a run."""
    return PanelWords(
        view=view,
        letter=letter,
        shows=shows,
        colours=colours,
        marks=marks,
        method="" if run is None else method_named(run.result.method).name,
        n_items=None if run is None else run.matrix.n_items,
        run="" if run is None else run.key,
    )


def _map(shown: Shown, state: MapState, plan: FigurePlan) -> PanelWords:
    picture = state.picture(shown)
    if picture.layer is None:
        return _of(shown.run, view="map")
    of = f" of {QUOTED.format(picture.option)}" if picture.option else ""
    pies = picture.layer.kind is Kind.SHARES
    colours = f"classes of {QUOTED.format(picture.label)}" if pies else maps.bar_name(picture)
    drawn = state.marks or maps.first_marks(picture)
    marks = MARKED.get(drawn, "")
    if not state.marks and not pies and maps.would_hide(picture):
        marks = f"the {counted(picture.matrix.n_items, 'item')}, too many for points, are not drawn"
    if picture.classes is not None and drawn in (maps.POINTS, maps.NODES):
        marks = f"{marks}, coloured by {QUOTED.format(picture.label)}"
    return _of(
        shown.run,
        view="map",
        shows=f"{picture.layer.name}{of}",
        colours=colours,
        marks=_together(
            marks,
            _borders(shown, picture.overlaid),
            _newcomers(picture.overlaid),
            _pins(shown),
            _chosen(shown, plan),
        ),
    )


def _together(*marks: str) -> str:
    """All that is drawn over a map, what there is of it."""
    return "; ".join(filter(None, marks))


def _borders(shown: Shown, overlaid: Overlaid) -> str:
    """What lines between cells are, if there are any."""
    clustering = bordered(shown)
    if clustering is None or not len(overlaid.borders):
        return ""
    return f"lines are borders of {_clusters(clustering)}"


def _clusters(clustering: Clustering) -> str:
    """So many clusters, and how they were found: "5 clusters (Ward)"."""
    way = clustering_named(clustering.method).name
    return f"{counted(len(clustering), 'cluster')} ({way})"


def _newcomers(overlaid: Overlaid) -> str:
    """What diamonds are, if there are any."""
    n_items, n_strange = len(overlaid.ids), int(overlaid.strange.sum())
    if not n_items:
        return ""
    # Hollow ones lie where nothing like them is.
    unlike = "unlike those it was trained on"
    many = "the diamond is an item" if n_items == 1 else f"diamonds are {counted(n_items, 'item')}"
    text = f"{many} placed on the map after its training"
    if n_strange == n_items:
        return f"{text}, {unlike}"
    return f"{text}, {n_strange} of them (hollow) {unlike}" if n_strange else text


def _pins(shown: Shown) -> str:
    """What pins are, if there are any."""
    n_pins = len(pins_of(shown.result))
    if not n_pins:
        return ""
    mark = counted(n_pins, "pin marks a node that was", "pins mark nodes that were each")
    return f"{mark} pinned to an item in training"


def _compared_colours(shown: Shown, state: CompareState) -> str:
    """What the colours of items tell on all compared maps."""
    by, option = state.wish(CompareMemory()).choice(shown)
    if by == positions.CLUSTERS:
        return "clusters of each map"
    wish = positions.PositionsWish(
        memory=Memory(), by=by, option=option, palettes=state.palettes, beside=True
    )
    return _colours(wish(seen_as(shown, shown.compared[0])))


def _colours(picture: positions.PositionsPicture) -> str:
    """What the colours of items tell."""
    run = picture.shown.run
    if picture.by == positions.CLUSTERS and run is not None and run.clustering is not None:
        return _clusters(run.clustering)
    if picture.by == SET:
        one = picture.option != ALL
        return f"members of the set {QUOTED.format(picture.option)}" if one else "members of sets"
    if picture.by == positions.LABEL:
        return QUOTED.format(picture.option)
    if picture.option:
        picture = replace(picture, option=QUOTED.format(picture.option))
    return positions.bar_name(picture)


def _compared(shown: Shown, state: CompareState) -> Iterator[PanelWords]:
    if state.page != MAPS:
        yield PanelWords(view="compare", shows=PAGES.get(state.page, ""))
        return
    for number, run in enumerate(shown.compared):
        yield _of(
            run, view="compare", letter=letter_of(number), shows=f"run {QUOTED.format(run.name)}"
        )


def _n_chosen(shown: Shown, plan: FigurePlan) -> int:
    return int(plan.selection.mask(shown.matrix.item_ids).sum())


def _chosen(shown: Shown, plan: FigurePlan) -> str:
    """What is marked, if anything is."""
    n_chosen = _n_chosen(shown, plan)
    if not n_chosen:
        return ""
    return f"{counted(n_chosen, 'chosen item is', 'chosen items are')} marked"
