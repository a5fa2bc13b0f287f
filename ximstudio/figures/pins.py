"""Pins on a map on paper: nodes that were fixed to an item during training."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ximstudio.figures.plot import Plot
from ximstudio.figures.sheet import POINTS_PER_PIXEL
from ximstudio.maps.layout import Layout
from ximstudio.model.result import Result
from ximstudio.pictures.colours import LIGHT

HEAD, STEM = 4.5, 7.0
"""Radius of a pin's head, and its height above the point; pixels of a screen."""
LEAST_SCALE = 0.6
LINE = 1.0
"""Width of the line that separates it from the cells, in pixels."""


def pins_of(result: Result) -> Mapping[int, str]:
    """Return items by the nodes that were pinned to them."""
    return result.params.anchored


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
