"""The legend of a planned figure: what its panels show, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ximstudio.export.legend_text import PanelWords, legend_text
from ximstudio.figures.parts import letter_of
from ximstudio.figures.plan import FigurePlan
from ximstudio.maps import Kind
from ximstudio.model.result import PrototypeMap
from ximstudio.model.words import counted, in_words
from ximstudio.pictures import map as maps
from ximstudio.pictures import positions
from ximstudio.pictures.heat_map import CHOSEN
from ximstudio.pictures.memory import Memory
from ximstudio.pictures.quantity import value_words
from ximstudio.pictures.set_classes import SET
from ximstudio.pictures.states import (
    CompareState,
    HeatMapState,
    MapState,
    PlanesState,
    PositionsState,
    QualityState,
)
from ximstudio.pictures.states.compare import MAPS
from ximstudio.session.overview import kinds_of
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
    words = kinds_of(matrix.item_ids, matrix.feature_names)
    text = legend_text(plan.title, tuple(_panels(shown, plan)), number=number, words=words)
    return " ".join((text, *(in_words(said, *words) for said in _shared(shown, plan))))


def _shared(shown: Shown, plan: FigurePlan) -> Iterator[str]:
    """Sentences about all compared maps at once: they have one key."""
    state = plan.state
    if not isinstance(state, CompareState) or state.page != MAPS:
        return
    colours, chosen = _colours(shown, state), _chosen(shown, plan)
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
        marks = _chosen(shown, plan)
        yield _of(run, view="positions", colours=_colours(shown, state), marks=marks)
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
    if picture.classes is not None and drawn in (maps.POINTS, maps.NODES):
        marks = f"{marks}, coloured by {QUOTED.format(picture.label)}"
    return _of(
        shown.run,
        view="map",
        shows=f"{picture.layer.name}{of}",
        colours=colours,
        marks="; ".join(filter(None, (marks, _chosen(shown, plan)))),
    )


def _colours(shown: Shown, state: PositionsState | CompareState) -> str:
    """What the colours of items tell."""
    wish = positions.PositionsWish(
        memory=Memory(), by=state.by, option=state.option, palettes=state.palettes
    )
    picture = wish(shown)
    if picture.by == positions.CLUSTERS:
        return "clusters of the map"
    if picture.by == SET:
        return f"members of the set {QUOTED.format(picture.option)}"
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
