"""Colours of the classes of a label in the present theme."""

from __future__ import annotations

from ximstudio.maps.classes import Classes
from ximstudio.pictures import colouring as colours_in
from ximstudio.pictures.colouring import colour_rows
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.ui.widgets.drawing.legend import LegendEntry
from ximstudio.ui.widgets.look.theme import the_theme


def class_colours(classes: Classes) -> tuple[str, ...]:
    """Colour per class as "#rrggbb": its own, or grey for the rest and for missing ones."""
    return colours_in.class_colours(classes, the_theme().colours)


def class_colour(number: int) -> str:
    """Colour of a class by its number; after all are used, they repeat with changes."""
    return colours_in.class_colour(number, the_theme().colours)


def cluster_colours(n_clusters: int) -> tuple[str, ...]:
    """Colour per cluster, as items have it; grey for those after the largest."""
    return colours_in.cluster_colours(n_clusters, the_theme().colours)


def class_table(classes: Classes) -> Bytes:
    """Class colours as numbers, (K, 3)."""
    return colour_rows(class_colours(classes))


def legend_entries(classes: Classes) -> list[LegendEntry]:
    """Entries of a legend."""
    return [
        LegendEntry(name=name, colour=colour, count=count)
        for name, colour, count in zip(
            classes.names, class_colours(classes), classes.counts.tolist(), strict=True
        )
    ]
