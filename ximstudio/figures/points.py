"""Items on paper: points stacked as on the screen, densities, and projected items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ximstudio.figures.images import unpacked
from ximstudio.figures.plot import MOST_VECTORS, WHITE, Plot
from ximstudio.figures.sheet import POINTS_PER_PIXEL
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.pictures.canvas import Overlaid
from ximstudio.pictures.colours import LIGHT, channels
from ximstudio.pictures.density import counts, density_pixels, density_table, smoothed
from ximstudio.pictures.point_looks import EDGE, HALO, dimmed_colours
from ximstudio.pictures.raster.cell_raster import FADED
from ximstudio.pictures.raster.frame import Bytes, RasterFrame
from ximstudio.pictures.torus import Torus

if TYPE_CHECKING:
    from matplotlib.collections import PathCollection

FINER = 2
"""Pixels of a density per pixel of the screen."""
COARSE = 128
"""Rows and columns of the lattice that determines the order of drawing."""
NEWCOMER = 14.0
"""Diagonal of projected items, in pixels on a canvas of full size."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PaperPoints:
    """Points to be drawn, with their appearance.

    Parameters
    ----------
    places, colours
        Where they lie, (N, 2), and their colours, (N, 3 or 4).
    size, opacity
        Diameter in pixels of the screen, and opacity.
    shown, chosen
        Masks of the visible points, and of those in front of the others in rings; None for all,
        and for no selection.
    torus
        The seams of a map that has any.
    ring
        Width of the rings, in pixels.
    edged
        Whether points have a thin edge: the middle of their colours is that of the paper.
    """

    places: Floats
    colours: Bytes
    size: float
    opacity: float = 1.0
    shown: Bools | None = None
    chosen: Bools | None = None
    torus: Torus | None = None
    edged: bool = False
    ring: float = HALO

    @property
    def wrapped(self) -> Floats:
        """Return where they lie on the map, (N, 2), inside its seams."""
        return self.places if self.torus is None else self.torus.wrapped(self.places)

    @property
    def seen(self) -> Bools:
        """Return a mask of the points that are drawn."""
        known: Bools = np.asarray(np.isfinite(self.places).all(axis=1))
        return known if self.shown is None else np.asarray(known & self.shown)


def draw_points(plot: Plot, points: PaperPoints) -> None:
    """Draw all points; selected ones in front of the others, which are then faint."""
    seen, colours = points.seen, points.colours
    chosen = points.chosen
    if chosen is None or not chosen.any():
        if points.edged:
            _edges(plot, points, seen)
        _layer(plot, points, seen, colours, opacity=points.opacity, label="items")
        return
    dimmed = dimmed_colours(colours, WHITE.astype(np.int64))
    _layer(plot, points, seen & ~chosen, dimmed, opacity=points.opacity, label="other items")
    front = seen & chosen
    ring = np.tile(WHITE.astype(np.uint8), (len(colours), 1))
    _layer(plot, points, front, ring, wider=2.0 * points.ring, zorder=2.2, label="rings")
    if points.edged:
        _edges(plot, points, front, zorder=2.25)
    _layer(plot, points, front, colours, zorder=2.3, label="chosen items")


def _edges(plot: Plot, points: PaperPoints, which: Bools, *, zorder: float = 1.9) -> None:
    edge = np.tile(np.array(channels(LIGHT.axis), dtype=np.uint8), (len(which), 1))
    style = {"opacity": points.opacity, "zorder": zorder}
    _layer(plot, points, which, edge, wider=EDGE, label="_edges", **style)


def _layer(
    plot: Plot,
    points: PaperPoints,
    which: Bools,
    colours: Bytes,
    *,
    label: str,
    wider: float = 0.0,
    opacity: float = 1.0,
    zorder: float = 2.0,
) -> None:
    """Draw points of one kind, and below them faint copies beyond the borders of a torus."""
    torus, places = points.torus, points.wrapped
    order = np.flatnonzero(which)
    order = order[_from_behind(places[order])]
    places, inks = places[order], np.array(colours[order, :3]) / 255.0
    size = (points.size + wider) * POINTS_PER_PIXEL
    crowded = len(order) > MOST_VECTORS
    for step in () if torus is None else torus.steps:
        faint = _scatter(plot, places + step, inks, size, crowded=crowded)
        faint.set(alpha=FADED * opacity, zorder=zorder - 0.05, label="_repeated items")
        _clip(plot, faint, torus)
    made = _scatter(plot, places, inks, size, crowded=crowded)
    made.set(alpha=opacity, zorder=zorder, label=label)
    _clip(plot, made, torus)


def _scatter(
    plot: Plot, places: Floats, inks: Floats, size: float, *, crowded: bool
) -> PathCollection:
    return plot.axes.scatter(
        places[:, 0], places[:, 1], s=size**2, c=inks, linewidths=0.0, rasterized=crowded
    )


def _from_behind(places: Floats) -> Ints:
    """Return the order in which the screen draws places: row by row of a coarse lattice."""
    if not len(places):
        return np.empty(0, dtype=np.int64)
    low, span = places.min(axis=0), np.ptp(places, axis=0)
    share = np.divide(places - low, span, out=np.zeros_like(places), where=span > 0.0)
    column, row = np.minimum(share * COARSE, COARSE - 1).astype(np.int64).T
    return np.argsort(row * COARSE + column, kind="stable")


def _clip(plot: Plot, made: Any, torus: Torus | None) -> None:
    """Clip what lies beyond the borders of a torus, and of its visible part."""
    from matplotlib.patches import Rectangle

    if torus is None:
        return
    left, top, right, bottom = torus.bounds
    sight = plot.sight
    left, right = max(left, sight.left), min(right, sight.right)
    top, bottom = max(top, sight.top), min(bottom, sight.bottom)
    within = Rectangle((left, top), right - left, bottom - top, transform=plot.axes.transData)
    made.set_clip_path(within)


def draw_density(plot: Plot, places: Floats, which: Bools) -> None:
    """Draw the density of items on a logarithmic colour scale, as fine as paper shows."""
    scale = plot.unit / POINTS_PER_PIXEL * FINER
    sight = plot.sight
    width = round((sight.right - sight.left) * scale)
    height = round((sight.bottom - sight.top) * scale)
    upwards = -1.0 if plot.upright else 1.0
    frame = RasterFrame(
        width=width,
        height=height,
        scale_x=scale,
        scale_y=upwards * scale,
        offset_x=-sight.left * scale,
        offset_y=sight.bottom * scale if plot.upright else -sight.top * scale,
        ratio=1.0,
    )
    x, y = places[which].T
    # Same density and smoothness for the finer pixels as on the screen.
    found = smoothed(counts(frame, x, y), FINER**2) * np.float32(FINER**2)
    pixels = density_pixels(found, density_table(LIGHT))
    made = plot.axes.imshow(
        unpacked(pixels),
        extent=(sight.left, sight.right, *plot.ends),
        aspect="auto",
        interpolation="nearest",
        zorder=2.0,
    )
    made.set_label("density")
    plot.axes.set_xlim(sight.left, sight.right)
    plot.axes.set_ylim(*plot.ends)


def draw_projected(plot: Plot, overlaid: Overlaid, torus: Torus | None, *, scale: float) -> None:
    """Draw projected items as diamonds, hollow ones for those unlike the map's items."""
    places = overlaid.places if torus is None else torus.wrapped(overlaid.places)
    size = (scale * NEWCOMER * POINTS_PER_PIXEL / np.sqrt(2.0)) ** 2
    kinds: tuple[tuple[Ints, str, str, float, str], ...] = (
        (np.flatnonzero(~overlaid.strange), LIGHT.accent, LIGHT.surface, 1.5, "newcomers"),
        (np.flatnonzero(overlaid.strange), LIGHT.surface, LIGHT.warning, 2.5, "strange newcomers"),
    )
    for which, fill, edge, line, label in kinds:
        if len(which):
            plot.axes.scatter(
                places[which, 0],
                places[which, 1],
                s=size,
                marker="D",
                color=fill,
                edgecolors=edge,
                linewidths=scale * line * POINTS_PER_PIXEL,
                zorder=4.0,
                label=label,
            )
