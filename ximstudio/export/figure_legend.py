"""The legend of a planned figure, joined from the descriptions of its panels."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.model.clauses import listed
from ximstudio.model.words import counted, in_words
from ximstudio.session.shown import Shown
from ximstudio.session.words import kinds_in
from ximstudio.views import view_named
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.legend import PanelWords


def figure_legend(shown: Shown, plan: FigurePlan, *, number: int | None = 1) -> str:
    """Write the legend: "Figure 1. Map of 186 genes by c-XIM. U-matrix; colours: ….".

    `number` is that of the figure in the paper, left out if None.
    """
    panels, words = view_named(plan.state.view).describe(shown, plan), kinds_in(shown.matrix)
    text = legend_text(plan.title, panels.panels, number=number, words=words)
    return " ".join((text, *(in_words(said, *words) for said in panels.shared)))


def legend_text(
    title: str,
    panels: Sequence[PanelWords],
    *,
    number: int | None = 1,
    words: tuple[str, str] = ("item", "feature"),
) -> str:
    """Write the text under a figure: Figure 1. Map of 186 genes by c-XIM. (a) U-matrix; colours: …

    What all panels share is stated once: method and number of items. `words` are those for one item
    and one feature, and `number` is left out if None.
    """
    maps = list(dict.fromkeys(panel.of for panel in panels if panel.method))
    head = [] if number is None else [f"Figure {number}."]
    if title:
        head.append(f"{title.rstrip('.')}.")
    own = [f"{_maps(maps)}."] if maps else []
    sizes, methods = ({one[part] for one in maps} for part in (1, 0))
    every = all(panel.method for panel in panels)
    own += [
        _panel(panel, sized=len(sizes) > 1 or not every, named=len(methods) > 1 or not every)
        for panel in panels
    ]
    # A title is the user's own text, in which "item" means item.
    return " ".join([*head, in_words(" ".join(own), *words)])


def _maps(maps: Sequence[tuple[str, int | None, str]]) -> str:
    """Describe the maps: "Maps of 186 items by SOM and c-XIM"."""
    sizes = {n_items for _, n_items, _ in maps}
    methods = listed(list(dict.fromkeys(method for method, _, _ in maps)))
    what = "Map" if len(maps) == 1 else "Maps"
    (first, *more) = sizes
    return f"{what}{_of(None if more else first)} by {methods}"


def _of(n_items: int | None) -> str:
    return "" if n_items is None else f" of {counted(n_items, 'item')}"


def _panel(panel: PanelWords, *, sized: bool, named: bool) -> str:
    """Describe one panel, with the size of its map and its method if panels differ in them."""
    text = panel.shows[:1].upper() + panel.shows[1:]
    of = _of(panel.n_items) if sized else ""
    by = f" by {panel.method}" if named else ""
    if panel.method and (of or by):
        text += f" (map{of}{by})"
    if panel.colours:
        text += f"; colours: {panel.colours}"
    if panel.marks:
        text += f"; {panel.marks}"
    letter = f"({panel.letter}) " if panel.letter else ""
    return f"{letter}{text.rstrip('.')}."
