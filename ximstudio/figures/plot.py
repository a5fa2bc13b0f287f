"""A map on paper: a rectangle of the page that shows part of a drawing, with cells and lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.sheet import (
    MM_PER_POINT,
    POINTS_PER_PIXEL,
    PaperSheet,
    refuse_narrow,
    text_width,
)
from ximstudio.maps.box import Box
from ximstudio.maps.drawn import LayerPanel, panel_names
from ximstudio.maps.layout import Layout, OrientedCells
from ximstudio.model.arrays import Bools, Floats
from ximstudio.pictures.colours import LIGHT, channels
from ximstudio.pictures.point_looks import ROOMY
from ximstudio.pictures.raster.cell_raster import FADED
from ximstudio.pictures.raster.frame import Bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import Collection as Artists

MOST_VECTORS = 5000
"""More cells or points than this become an image in the file; all else stays vector."""
OVERLAP, OVERLAP_SHARE = 0.6, 0.15
"""By how many points neighbouring cells overlap at the most, so that no viewer shows white lines
between them; and by which share of a cell."""
SELECTED, SELECTED_HALO, BORDER, LINE_HALO = 2.0, 2.4, 2.2, 2.4
"""Widths of outlines and borders, and the additional width of their halos; screen pixels."""
LEAST_SCALE = 0.3
LINE_HALO_OPACITY = 170.0 / 255.0
WHITE = np.array(channels(LIGHT.surface), dtype=np.float64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Plot:
    """Axes, their place on the page, and the part of the drawing that they show.

    Parameters
    ----------
    axes, box
        The axes, and their rectangle in millimetres of the page.
    sight
        The visible part: left, top, right and bottom in coordinates of the drawing.
    upright
        Whether y grows upwards, as along axes; on maps it grows downwards.
    """

    sheet: PaperSheet
    axes: Axes
    box: Box
    sight: Box
    upright: bool = False

    @classmethod
    def on(
        cls, sheet: PaperSheet, sight: Box, box: Box, *, upright: bool = False, label: str = ""
    ) -> Plot:
        """Show part of a drawing as large as fits into the top of a rectangle."""
        refuse_narrow(box.right - box.left)
        wide, high = sight.right - sight.left, sight.bottom - sight.top
        scale = min((box.right - box.left) / wide, (box.bottom - box.top) / high)
        left = 0.5 * (box.left + box.right - scale * wide)
        own = Box(left, box.top, left + scale * wide, box.top + scale * high)
        axes = sheet.axes(own, label=label)
        axes.set_xlim(sight.left, sight.right)
        axes.set_frame_on(False)
        made = cls(sheet=sheet, axes=axes, box=own, sight=sight, upright=upright)
        axes.set_ylim(*made.ends)
        return made

    @property
    def ends(self) -> tuple[float, float]:
        """Return y at the bottom, and at the top."""
        top, bottom = self.sight.top, self.sight.bottom
        return (top, bottom) if self.upright else (bottom, top)

    @property
    def unit(self) -> float:
        """Return the length of a unit of the drawing, in points."""
        across = (self.box.right - self.box.left) / MM_PER_POINT
        return across / (self.sight.right - self.sight.left)

    @property
    def side(self) -> float:
        """Return the shorter side in pixels of a screen."""
        short = min(self.box.right - self.box.left, self.box.bottom - self.box.top)
        return short / MM_PER_POINT / POINTS_PER_PIXEL

    @property
    def scale(self) -> float:
        """Return the scale of marks relative to a full screen: paper is seen from nearby."""
        return min(max(self.side / ROOMY, LEAST_SCALE), 1.0)

    def spots(self, places: Floats) -> Floats:
        """Convert places of the drawing to points from the upper left corner, y down."""
        away = (places - np.array([self.sight.left, self.sight.top])) * self.unit
        if self.upright:
            away[:, 1] = self.room.bottom - away[:, 1]
        return np.asarray(away)

    @property
    def room(self) -> Box:
        """Return the axes in points from their upper left corner."""
        high = (self.sight.bottom - self.sight.top) * self.unit
        return Box(0.0, 0.0, (self.sight.right - self.sight.left) * self.unit, high)

    def place(self, spot: Sequence[float]) -> tuple[float, float]:
        """Convert a spot in points to millimetres on the page."""
        x, y = spot
        return self.box.left + x * MM_PER_POINT, self.box.top + y * MM_PER_POINT


def with_margin(box: Box, share: float) -> Box:
    """Enlarge a rectangle on all sides by this share of its longer side."""
    more = share * box.longer_side
    return Box(box.left - more, box.top - more, box.right + more, box.bottom + more)


def not_flat(box: Box, least: float) -> Box:
    """Enlarge a rectangle until its shorter side is at least this share of the longer."""
    long = box.longer_side
    across = max(least * long - (box.right - box.left), 0.0) / 2.0
    down = max(least * long - (box.bottom - box.top), 0.0) / 2.0
    return Box(box.left - across, box.top - down, box.right + across, box.bottom + down)


def draw_cells(plot: Plot, layout: Layout, colours: Bytes) -> Artists:
    """Draw the cells of a map in the colours of their nodes, (M, 3 or 4).

    Without opacity they have the colour of nodes without a value; repeated ones are faint.
    """
    from matplotlib.collections import PolyCollection

    known = np.array(colours[:, :3], dtype=np.float64)
    if colours.shape[1] == 4:
        known[colours[:, 3] == 0] = channels(LIGHT.empty)
    drawn = known[layout.nodes]
    drawn[layout.repeated] = FADED * drawn[layout.repeated] + (1.0 - FADED) * WHITE
    # Cells beyond the border first, because their edges overlap those of the map.
    order = np.argsort(~layout.repeated, kind="stable")
    if isinstance(layout, OrientedCells):
        cells = [layout.turned(corners) for corners in layout.straight.cells]
    else:
        cells = list(layout.cells)
    shapes = PolyCollection(
        [cells[number] for number in order.tolist()],
        facecolors=drawn[order] / 255.0,
        edgecolors=drawn[order] / 255.0,
        linewidths=min(OVERLAP, OVERLAP_SHARE * plot.unit),
        joinstyle="round",
        zorder=1.0,
    )
    shapes.set_label("cells")
    shapes.set_rasterized(len(order) > MOST_VECTORS)
    plot.axes.add_collection(shapes, autolim=False)
    return shapes


def draw_outline(plot: Plot, layout: Layout, nodes: Bools) -> None:
    """Draw a line around selected nodes, (M,), with a halo to contrast with any colour."""
    if nodes.any():
        _lines(plot, layout.outline(nodes), SELECTED, SELECTED_HALO, 1.0, label="selection")


def draw_lines(plot: Plot, groups: Sequence[tuple[float, Floats]], *, label: str) -> None:
    """Draw lines (S, 2, 2) of these widths, in pixels of the screen, each in a halo."""
    for width, lines in groups:
        if len(lines):
            _lines(plot, lines, width, LINE_HALO, LINE_HALO_OPACITY, label=label)


def _lines(
    plot: Plot, lines: Floats, width: float, halo: float, opacity: float, *, label: str
) -> None:
    from matplotlib.collections import LineCollection

    styles = ((LIGHT.surface, width + halo, opacity, 3.0), (LIGHT.text, width, 1.0, 3.1))
    for number, (colour, wide, alpha, zorder) in enumerate(styles):
        made = LineCollection(
            list(lines),
            colors=colour,
            linewidths=line_scale(plot.side) * wide * POINTS_PER_PIXEL,
            capstyle="round",
            alpha=alpha,
            zorder=zorder,
        )
        made.set_label(label if number else f"_{label} halo")
        plot.axes.add_collection(made, autolim=False)


def line_scale(side: float) -> float:
    """Return how much thinner lines are on a small map."""
    return min(max(side / ROOMY, 0.5), 1.0)


def draw_layers(plot: Plot, panels: tuple[LayerPanel, ...]) -> None:
    """Draw a thin frame around every layer of a map in space, and its number above it."""
    from matplotlib.patches import Rectangle

    if not panels:
        return
    sheet, size = plot.sheet, plot.sheet.small
    frame = panels[0].frame
    room = (frame.right - frame.left) * plot.unit * MM_PER_POINT
    names = panel_names(panels, lambda text: text_width(text, size=size) <= room)
    if panels[0].above * plot.unit < size:
        names = ("",) * len(panels)
    for panel, name in zip(panels, names, strict=True):
        left, top, right, bottom = panel.frame
        edge = Rectangle((left, top), right - left, bottom - top, fill=False, zorder=0.5)
        edge.set(edgecolor=LIGHT.border_strong, linewidth=0.5)
        edge.set_label("layer")
        plot.axes.add_patch(edge)
        if name:
            x, y = plot.place(plot.spots(np.array([[left, top]]))[0].tolist())
            above = y - 0.6 * size * MM_PER_POINT
            sheet.text(x, above, name, size=size, colour=LIGHT.muted, role="layer name")
