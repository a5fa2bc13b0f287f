"""Marks in nodes on paper: shares of classes as pies, and pins of those fixed to an item."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ximstudio.figures.plot import MOST_VECTORS, WHITE, Plot
from ximstudio.figures.sheet import POINTS_PER_PIXEL
from ximstudio.maps.layout import Layout
from ximstudio.model.arrays import Floats
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.point_looks import LEAST_SHARE, RADIUS
from ximstudio.pictures.raster.cell_raster import FADED
from ximstudio.pictures.raster.frame import Bytes

LEAST_CELL = 3.4
"""Narrowest cells with pies, in points: print is finer than screens."""
EDGE = 0.6
"""Width of the lines between slices, in points, on large cells."""


def draw_pies(plot: Plot, layout: Layout, shares: Floats, colours: Bytes, sizes: Floats) -> None:
    """Draw shares (M, K) in K colours, each pie's area by its size from 0 to 1.

    Slices start at twelve o'clock and run clockwise, as on the screen.
    """
    if plot.unit < LEAST_CELL:
        return
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle, Patch, Wedge

    shares = np.where(shares < LEAST_SHARE, 0.0, shares)
    totals = shares.sum(axis=1)
    radii = RADIUS * layout.sizes * np.sqrt(sizes)
    ends = 360.0 * np.cumsum(shares, axis=1) / np.where(totals > 0.0, totals, 1.0)[:, None]
    slices: list[Patch] = []
    inks: list[Floats] = []
    for cell, node in enumerate(layout.nodes.tolist()):
        if not (totals[node] > 0.0 and radii[node] > 0.0):
            continue
        place = (float(layout.places[cell, 0]), float(layout.places[cell, 1]))
        begin = 0.0
        for number in np.flatnonzero(shares[node]).tolist():
            end = float(ends[node, number])
            if end - begin >= 360.0 - 1e-9:
                slices.append(Circle(place, radii[node]))
            else:
                # y points down, so angles grow clockwise.
                slices.append(Wedge(place, radii[node], begin - 90.0, end - 90.0))
            ink = colours[number].astype(np.float64)
            inks.append(FADED * ink + (1.0 - FADED) * WHITE if layout.repeated[cell] else ink)
            begin = end
    if not slices:
        return
    made = PatchCollection(
        slices,
        facecolors=np.array(inks) / 255.0,
        edgecolors=LIGHT.surface,
        linewidths=min(EDGE, 0.05 * plot.unit),
        zorder=1.5,
    )
    made.set_label("pies")
    made.set_rasterized(len(slices) > MOST_VECTORS)
    plot.axes.add_collection(made, autolim=False)


HEAD, STEM = 4.5, 7.0
"""Radius of a pin's head, and its height above the point; pixels of a screen."""
LEAST_SCALE = 0.6
LINE = 1.0
"""Width of the line that separates it from the cells, in pixels."""


def draw_pins(plot: Plot, layout: Layout, pins: Mapping[int, str]) -> None:
    """Draw a small pin in every pinned node, its point in the middle of the cell."""
    if not pins:
        return
    from matplotlib.path import Path

    round_head = np.linspace(np.radians(210.0), np.radians(-30.0), 24)
    head = np.column_stack([np.cos(round_head), np.sin(round_head)]) * HEAD + [0.0, STEM]
    outline = np.concatenate([[[0.0, 0.0]], head, [[0.0, 0.0]]])
    seen = np.isin(layout.nodes, list(pins)) & ~layout.repeated
    x, y = layout.places[seen].T
    # The largest coordinate of a marker is half of its size.
    size = 2.0 * (STEM + HEAD) * POINTS_PER_PIXEL * max(plot.scale, LEAST_SCALE)
    plot.axes.scatter(
        x,
        y,
        s=size**2,
        marker=Path(outline),
        color=LIGHT.accent,
        edgecolors=LIGHT.surface,
        linewidths=LINE * POINTS_PER_PIXEL,
        zorder=3.5,
        label="pins",
    )
