"""Colours of the classes of a label, in a set of named colours."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.classes import MOST_CLASSES, Classes
from ximstudio.model.arrays import frozen
from ximstudio.pictures.colours import Colours, channels, mixed
from ximstudio.pictures.raster.frame import Bytes

FARTHER = 0.5
"""Share by which colours of a second round are moved towards the colour of text."""
GREYS = (0.35, 0.65)
"""Grey of other classes and of items without a label, between text and surface."""


def class_colours(classes: Classes, colours: Colours) -> tuple[str, ...]:
    """Return a colour per class as "#rrggbb": its own, or grey for the rest and for blanks."""
    own = [class_colour(number, colours) for number in classes.colours or range(classes.n_own)]
    n_rest = len(classes.names) - classes.n_own
    rest = [mixed(colours.muted, colours.surface, share) for share in GREYS[:n_rest]]
    return (*own, *rest)


def class_colour(number: int, colours: Colours) -> str:
    """Return the colour of a class by its number; when used up, they recur with a change."""
    rounds, place = divmod(number, len(colours.classes))
    first = colours.classes[place]
    return first if not rounds else mixed(first, colours.text, FARTHER)


def cluster_colours(n_clusters: int, colours: Colours) -> tuple[str, ...]:
    """Return a colour per cluster, as of its items; grey for those after the largest."""
    n_own = min(n_clusters, MOST_CLASSES)
    names = tuple(map(str, range(n_own + (n_clusters > n_own))))
    empty = frozen(np.zeros(0, dtype=np.int64))
    classes = Classes(names=names, counts=empty, codes=empty, n_own=n_own)
    given = class_colours(classes, colours)
    return tuple(given[min(number, n_own)] for number in range(n_clusters))


def colour_rows(colours: tuple[str, ...]) -> Bytes:
    """Return colours as numbers, (K, 3)."""
    return np.array([channels(colour) for colour in colours], dtype=np.uint8).reshape(-1, 3)
