"""Descriptions of figures: one per panel, and the words that several views use in them."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.maps.clusters import Clustering, clustering_named
from ximstudio.model.words import counted
from ximstudio.pictures.overlaid import Overlaid
from ximstudio.session.run import Run
from ximstudio.session.shown import Shown
from ximstudio.train import method_named
from ximstudio.views.common.figure_plan import FigurePlan


@dataclass(frozen=True, kw_only=True)
class PanelWords:
    """Description of one panel of a figure.

    Parameters
    ----------
    shows
        What is drawn, as the figure calls it: "U-matrix".
    letter
        As it stands in the panel; '' where there is only one.
    colours
        What the colours mean: "distance to neighbouring prototypes"; '' if they mean nothing.
    marks
        What is drawn over it: "points are items, each in its place"; '' for nothing.
    method, n_items
        Which method made the map, and of how many items; '' and None if it is no map.
    run
        Tells maps apart that are of the same method; '' where there is one only.
    """

    shows: str
    letter: str = ""
    colours: str = ""
    marks: str = ""
    method: str = ""
    n_items: int | None = None
    run: str = ""

    @property
    def of(self) -> tuple[str, int | None, str]:
        """Whose map it is."""
        return (self.method, self.n_items, self.run)


@dataclass(frozen=True, kw_only=True)
class FigureWords:
    """Description of a figure: its panels in order, and sentences about all of them."""

    panels: tuple[PanelWords, ...]
    shared: tuple[str, ...] = ()


def map_panel(
    run: Run | None, shows: str, *, colours: str = "", marks: str = "", letter: str = ""
) -> PanelWords:
    """Describe a panel with the map of a run."""
    return PanelWords(
        shows=shows,
        letter=letter,
        colours=colours,
        marks=marks,
        method="" if run is None else method_named(run.result.method).name,
        n_items=None if run is None else run.matrix.n_items,
        run="" if run is None else run.key,
    )


def quoted(name: str) -> str:
    """Return a name from the table as it stands in a sentence."""
    return f"‘{name}’"


def joined(*marks: str) -> str:
    """Join the descriptions of all that is drawn over a map, as far as there are any."""
    return "; ".join(filter(None, marks))


def clusters_words(clustering: Clustering) -> str:
    """Return the number of clusters and how they were found: "5 clusters (Ward)"."""
    way = clustering_named(clustering.method).name
    return f"{counted(len(clustering), 'cluster')} ({way})"


def placed_words(overlaid: Overlaid) -> str:
    """Explain the diamonds; '' if there are none."""
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


def n_chosen(shown: Shown, plan: FigurePlan) -> int:
    """Count the chosen items that the table has."""
    return int(plan.selection.mask(shown.matrix.item_ids).sum())


def chosen_words(shown: Shown, plan: FigurePlan) -> str:
    """Explain the marks of chosen items; '' if none are chosen."""
    number = n_chosen(shown, plan)
    if not number:
        return ""
    return f"{counted(number, 'chosen item is', 'chosen items are')} marked"
