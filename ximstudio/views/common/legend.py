"""Descriptions of figures: one per panel, and the words that several views use in them."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.maps.clusters import Clustering, clustering_named
from ximstudio.model.words import counted
from ximstudio.pictures.canvas import Overlaid
from ximstudio.session.run import Run
from ximstudio.session.shown import Shown
from ximstudio.train import method_named
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.planes_picture import PlanesPicture
from ximstudio.views.common.state import PlanesState


@dataclass(frozen=True, kw_only=True)
class PanelWords:
    """Description of one panel of a figure.

    Parameters
    ----------
    shows
        What is drawn, as the figure calls it: "U-matrix".
    letter
        Letter of the panel; '' where there is only one.
    colours
        What the colours mean: "distance to neighbouring prototypes"; '' if they mean nothing.
    marks
        What is drawn over it: "points are items at their positions"; '' for nothing.
    method, n_items
        Name of the method and number of items of the map; '' and None if there is no map.
    run
        Key of the run, which distinguishes maps of the same method; '' where there is only one.
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
        """Return method, number of items and run of the map."""
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
    """Return a name from the table in quotation marks."""
    return f"‘{name}’"


def joined(*marks: str) -> str:
    """Join the descriptions of everything drawn over a map; empty ones are left out."""
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
    # Hollow diamonds are items that resemble none of the map's own.
    unlike = "unlike those it was trained on"
    many = "the diamond is an item" if n_items == 1 else f"diamonds are {counted(n_items, 'item')}"
    text = f"{many} placed on the map after its training"
    if n_strange == n_items:
        return f"{text}, {unlike}"
    return f"{text}, {n_strange} of them (hollow) {unlike}" if n_strange else text


def n_chosen(shown: Shown, plan: FigurePlan) -> int:
    """Count the selected items of the table."""
    return int(plan.selection.mask(shown.matrix.item_ids).sum())


def chosen_words(shown: Shown, plan: FigurePlan) -> str:
    """Explain the marks of selected items; '' if none are selected."""
    number = n_chosen(shown, plan)
    if not number:
        return ""
    return f"{counted(number, 'selected item is', 'selected items are')} marked"


def describe_planes(shown: Shown, plan: FigurePlan) -> FigureWords:
    """Describe the planes of features, or portraits of samples or groups."""
    assert isinstance(plan.state, PlanesState)
    picture = plan.state.picture(shown)
    assert isinstance(picture, PlanesPicture)
    return FigureWords(
        panels=(map_panel(shown.run, plan.state.described, colours=picture.quantity),)
    )
