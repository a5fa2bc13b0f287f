"""Colours of numbers, of nodes and of the classes of items, in a set of named colours."""

from __future__ import annotations

import numpy as np

from ximstudio.maps.classes import MOST_CLASSES, Classes
from ximstudio.maps.palettes import coloured
from ximstudio.model.arrays import Bools, Floats
from ximstudio.pictures.colours import Colours, channels, mixed
from ximstudio.pictures.raster.frame import Bytes

INKS = ("#FFFFFF", "#12151B")
"""On dark cells, and on light ones."""
EVEN = 0.179
"""Luminance on which both inks have the same contrast."""
SHADES = 64
EXTREMES = (2.0, 98.0)
"""Percentiles of the heights between which colours change, so that one ridge hides no others."""
FARTHER = 0.5
"""Share by which colours of a second round are moved towards the colour of text."""
GREYS = (0.35, 0.65)
"""Grey of other classes and of items without a label, between text and surface."""


def colours_of(values: Floats, table: Bytes, *, low: float, high: float) -> Bytes:
    """Colours (n, 4) from a table (k, 3) between `low` and `high`; no opacity where NaN.

    MapItem draws transparent nodes in the theme's colour for blanks, so that colours stay valid
    when the theme changes.
    """
    opaque = np.where(np.isnan(values), 0, 255).astype(np.uint8)
    return np.column_stack([coloured(values, table, low=low, high=high, blank=(0, 0, 0)), opaque])


def colour_rows(colours: tuple[str, ...]) -> Bytes:
    """Return colours as numbers, (K, 3)."""
    return np.array([channels(colour) for colour in colours], dtype=np.uint8).reshape(-1, 3)


def are_light(colours: Bytes) -> Bools:
    """Return whether the second ink is more legible on each of these colours, (n, 3 or more)."""
    return np.asarray(luminances(colours) > EVEN)


def luminances(colours: Bytes) -> Floats:
    """Return the relative luminance of colours (n, 3 or more), by WCAG: 0 black, 1 white."""
    shares = colours[:, :3] / 255.0
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def node_shades(spacing: Floats, colours: Colours) -> Bytes:
    """Return a faint shade for every node, (M, 3), by how far its prototype is from its neighbours.

    Valleys fade into the window, ridges stand out slightly: they lie below the items.
    """
    ends = colours.sunken, mixed(colours.border_strong, colours.axis, 0.35)
    shades = colour_rows(tuple(mixed(*ends, k) for k in np.linspace(0.0, 1.0, SHADES).tolist()))
    low, high = np.percentile(spacing, EXTREMES)
    share = np.clip((spacing - low) / max(high - low, 1e-12), 0.0, 1.0)
    return np.asarray(shades[np.rint(share * (SHADES - 1)).astype(np.int64)])


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
    own = tuple(class_colour(number, colours) for number in range(n_own))
    return own + (n_clusters - n_own) * (mixed(colours.muted, colours.surface, GREYS[0]),)
