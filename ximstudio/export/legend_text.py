"""The legend under a figure, from what its panels show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ximstudio.export.wording.clauses import listed
from ximstudio.model.words import counted, in_words

VIEWS: Mapping[str, str] = MappingProxyType(
    {
        "map": "nodes of the map",
        "positions": "positions of the items on the map",
        "quality": "how far the map is to be believed",
        "features": "planes of the features",
        "heat_map": "heat map of the items",
        "portraits": "portraits on the map",
        "compare": "maps side by side",
    }
)
"""What a view shows where a panel has no better name; by the view's key."""


@dataclass(frozen=True, kw_only=True)
class PanelWords:
    """What is to be said about one panel of a figure.

    Parameters
    ----------
    view
        The key of the view that it is drawn after, such as "map".
    letter
        As it stands in the panel; '' where there is only one.
    shows
        What is drawn, as the figure calls it: "U-matrix"; '' for what the view is.
    colours
        What the colours mean: "distance to neighbouring prototypes"; '' if they mean nothing.
    marks
        What is drawn over it: "points are items, each in its place"; '' for nothing.
    method, n_items
        Which method made the map, and of how many items; '' and None if it is no map.
    run
        Tells maps apart that are of the same method; '' where there is one only.
    """

    view: str
    letter: str = ""
    shows: str = ""
    colours: str = ""
    marks: str = ""
    method: str = ""
    n_items: int | None = None
    run: str = ""

    @property
    def of(self) -> tuple[str, int | None, str]:
        """Whose map it is."""
        return (self.method, self.n_items, self.run)


def legend_text(
    title: str,
    panels: Sequence[PanelWords],
    *,
    number: int | None = 1,
    words: tuple[str, str] = ("item", "feature"),
) -> str:
    """The text under a figure: Figure 1. Map of 186 genes by c-XIM. (a) U-matrix; colours: …

    What all panels share is said once: whose maps they are, and of how many items. `words` are what
    one item and one feature are called, and `number` is left out if None.
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
    # A title is a person's, and says "item" where it means it.
    return " ".join([*head, in_words(" ".join(own), *words)])


def _maps(maps: Sequence[tuple[str, int | None, str]]) -> str:
    """Whose maps are shown: "Maps of 186 items by SOM and c-XIM"."""
    sizes = {n_items for _, n_items, _ in maps}
    methods = listed(list(dict.fromkeys(method for method, _, _ in maps)))
    what = "Map" if len(maps) == 1 else "Maps"
    (first, *more) = sizes
    return f"{what}{_of(None if more else first)} by {methods}"


def _of(n_items: int | None) -> str:
    return "" if n_items is None else f" of {counted(n_items, 'item')}"


def _panel(panel: PanelWords, *, sized: bool, named: bool) -> str:
    """What one panel shows; with the size of its map and its method where panels differ in them."""
    shows = panel.shows or VIEWS.get(panel.view, panel.view.replace("_", " "))
    text = shows[:1].upper() + shows[1:]
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
