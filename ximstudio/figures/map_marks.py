"""Marks on a map on paper: names and numbers as far as they fit, pies of classes, and pins."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ximstudio.figures.plot import MOST_VECTORS, WHITE, Plot
from ximstudio.figures.sheet import MM_PER_POINT, POINTS_PER_PIXEL, SMALLEST, cut, text_width
from ximstudio.maps.box import Box
from ximstudio.maps.labels import ABOVE, BESIDE, placed
from ximstudio.maps.layout import Layout
from ximstudio.model.arrays import Floats, Ints
from ximstudio.pictures.colouring import INKS, are_light
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.map_texts import MapTexts
from ximstudio.pictures.point_looks import LEAST_SHARE, RADIUS
from ximstudio.pictures.raster.cell_raster import FADED
from ximstudio.pictures.raster.frame import Bytes

HALO = 1.6
"""Width of the halo around letters, in points."""
GAP = 3.0
"""Least distance from a place to its text, in points."""
HEIGHT = 1.15
"""Height of a line, in sizes of the type."""
MOST_WIDTH, LEAST_WIDTH = 0.45, 48.0
"""Texts are cut that are wider than this share of the map, but not below so many points."""
MOST, MOST_TRIED = 120, 400
"""Most texts, and most that are tried: the most important visible ones."""
SHARE = 0.52
"""Height of numbers, relative to that of a cell."""
LEAST_CELL = 3.0
"""Cells smaller than this, in points, have no numbers."""
ABOVE_ALL = 6.0
"""Texts are drawn above all axes."""


def draw_names(plot: Plot, texts: MapTexts, anchors: Floats, *, gap: float, edges: Box) -> None:
    """Write names at their places, within the map's edges; `gap` is in points."""
    if not texts.texts:
        return
    size = plot.sheet.look.font_size if texts.strong else plot.sheet.small
    room = _within(plot, edges)
    spots = plot.spots(anchors)
    x, y = spots.T
    inside = (x > room.left) & (x < room.right) & (y > room.top) & (y < room.bottom)
    tried = np.flatnonzero(inside)
    tried = tried[np.argsort(-texts.priority[tried], kind="stable")][:MOST_TRIED]
    widest = max(MOST_WIDTH * (room.right - room.left), LEAST_WIDTH) * MM_PER_POINT
    names = [cut(texts.texts[n], widest, size=size, bold=texts.strong) for n in tried.tolist()]
    spots = spots[tried]

    def size_of(text: str) -> tuple[float, float]:
        wide = text_width(text, size=size, bold=texts.strong) / MM_PER_POINT
        return wide, HEIGHT * size

    fitted = placed(
        names,
        spots,
        size_of,
        bounds=room,
        sides=ABOVE if texts.strong else BESIDE[:4],
        gap=max(gap, GAP),
        spacing=1.0,
        most=MOST,
    )
    middles = spots[fitted.kept] + fitted.offsets
    for middle, number in zip(middles.tolist(), fitted.kept.tolist(), strict=True):
        _write(plot, names[number], middle, size=size, bold=texts.strong)


def _write(plot: Plot, text: str, spot: list[float], *, size: float, bold: bool) -> None:
    """Write a text on its halo: two artists, because one with a halo would become outlines."""
    from matplotlib.patheffects import Stroke

    x, y = plot.place(spot)
    sheet = plot.sheet
    halo = sheet.text(x, y, text, size=size, bold=bold, across="center", role="_halo")
    halo.set_path_effects([Stroke(linewidth=2.0 * HALO, foreground=LIGHT.surface)])
    name = sheet.text(x, y, text, size=size, bold=bold, across="center", role="name")
    halo.set_zorder(ABOVE_ALL)
    name.set_zorder(ABOVE_ALL + 0.1)


def draw_counts(plot: Plot, counts: Ints, places: Floats, colours: Bytes) -> None:
    """Write these numbers at these places, on cells of these colours; 0 is not written.

    Numbers shrink with their cells, then only the largest are written.
    """
    some = counts > 0
    counts, spots, light = counts[some], plot.spots(places[some]), are_light(colours[some])
    if plot.unit < LEAST_CELL:
        return
    size = min(max(SHARE * plot.unit, SMALLEST), plot.sheet.look.font_size)

    def size_of(text: str) -> tuple[float, float]:
        # Digits have no descenders: rows of cells may be closer than lines of text.
        return text_width(text, size=size) / MM_PER_POINT + 0.7, 0.73 * size + 1.2

    texts = [str(count) for count in counts.tolist()]
    fitted = placed(
        texts,
        spots,
        size_of,
        bounds=plot.room,
        priority=counts.astype(np.float64),
        spacing=0.0,
    )
    for number in fitted.kept.tolist():
        x, y = plot.place(spots[number].tolist())
        ink, text = INKS[int(light[number])], texts[number]
        made = plot.sheet.text(x, y, text, size=size, colour=ink, across="center", role="count")
        made.set_zorder(ABOVE_ALL)


def _within(plot: Plot, edges: Box) -> Box:
    """Return the visible part of the map's edges, in points of the plot."""
    corners = plot.spots(np.array([[edges.left, edges.top], [edges.right, edges.bottom]]))
    (left, top), (right, bottom) = np.sort(corners, axis=0).tolist()
    room = plot.room
    return Box(
        max(left, room.left), max(top, room.top), min(right, room.right), min(bottom, room.bottom)
    )


LEAST_PIE_CELL = 3.4
"""Narrowest cells with pies, in points: print is finer than screens."""
EDGE = 0.6
"""Width of the lines between slices, in points, on large cells."""


def draw_pies(plot: Plot, layout: Layout, shares: Floats, colours: Bytes, sizes: Floats) -> None:
    """Draw shares (M, K) in K colours, each pie's area by its size from 0 to 1.

    Slices start at twelve o'clock and run clockwise, as on the screen.
    """
    if plot.unit < LEAST_PIE_CELL:
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
