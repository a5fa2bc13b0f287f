"""Colours of the classes of a label in the present theme."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.classes import Classes
from ximstudio.ui.drawing.frame import Bytes
from ximstudio.ui.drawing.legend import LegendEntry
from ximstudio.ui.look.colours import channels, mixed
from ximstudio.ui.look.theme import the_theme

FARTHER = 0.5
"""How far colours of a second round are moved from those of the first, towards the text's."""
GREYS = (0.35, 0.65)
"""Other classes and items without a label: between the colours of text and surface."""


def class_colours(classes: Classes) -> tuple[str, ...]:
    """A colour per class as "#rrggbb": its own, or a grey for the rest and for those without."""
    theme = the_theme().colours
    own = [class_colour(number) for number in classes.colours or range(classes.n_own)]
    n_rest = len(classes.names) - classes.n_own
    rest = [mixed(theme.muted, theme.surface, share) for share in GREYS[:n_rest]]
    return (*own, *rest)


def class_colour(number: int) -> str:
    """The colour of a class by its number; after all were given they come again, changed."""
    theme = the_theme().colours
    rounds, place = divmod(number, len(theme.classes))
    first = theme.classes[place]
    return first if not rounds else mixed(first, theme.text, FARTHER)


def class_table(classes: Classes) -> Bytes:
    """The same colours as numbers, (K, 3)."""
    return colour_rows(class_colours(classes))


def colour_rows(colours: tuple[str, ...]) -> Bytes:
    """Colours as numbers, (K, 3)."""
    return np.array([channels(colour) for colour in colours], dtype=np.uint8).reshape(-1, 3)


def legend_entries(classes: Classes) -> list[LegendEntry]:
    """What a legend lists."""
    return [
        LegendEntry(name=name, colour=colour, count=count)
        for name, colour, count in zip(
            classes.names, class_colours(classes), classes.counts.tolist(), strict=True
        )
    ]
