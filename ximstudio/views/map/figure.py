"""The map on paper: a layer over its nodes, marks and names above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.map_marks import draw_counts, draw_names, draw_pies, draw_pins
from ximstudio.figures.parts import (
    Bar,
    ColourKey,
    LegendLine,
    class_entries,
    nothing_to_draw,
    visible,
)
from ximstudio.figures.plot import BORDER, Plot, draw_cells, draw_lines, draw_outline, with_margin
from ximstudio.figures.points import PaperPoints, draw_points, draw_projected
from ximstudio.figures.sheet import PAGE_MM, POINTS_PER_PIXEL, PaperSheet
from ximstudio.maps import LayerKind
from ximstudio.maps.box import Box
from ximstudio.maps.cells import tiles
from ximstudio.maps.drawn import drawn
from ximstudio.maps.layout import Layout, LayoutShift, lay_out, spread_in_nodes
from ximstudio.maps.sides import drawn_borders
from ximstudio.model.arrays import Bools, Floats
from ximstudio.pictures.canvas import Overlaid
from ximstudio.pictures.colouring import class_colours, colour_rows
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.point_looks import HALO, pie_sizes, tinted
from ximstudio.pictures.torus import Torus, cells_beyond
from ximstudio.train import method_named
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import CanvasState
from ximstudio.views.map.picture import (
    HITS,
    MOST_DOTS,
    NODES,
    POINTS,
    MapPicture,
    bar_name,
    first_marks,
    point_colours,
    point_size,
)
from ximstudio.views.map.state import MapState

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ximstudio.model.grid import Grid
    from ximstudio.pictures.raster.frame import Bytes

MARGIN = 0.012
"""Margin around the map, as a share of its longer side: outlines and points have a width."""
LEAST_HIGH = 10.0
"""Least height of a map, in millimetres, whatever comes below it."""
RING, FIGURES = 4.0, 9.0
"""Distance from the edge of an item, or the middle of a number, to its name; pixels."""


def draw_map(picture: MapPicture, plan: FigurePlan) -> Figure:
    """Draw the figure of a Map view."""
    state = plan.state
    assert isinstance(state, MapState)
    refuse_unmeasured(picture)
    sheet = PaperSheet(plan.look, title=plan.title)
    key = map_key(picture, state)
    width = sheet.right - sheet.left
    room = width - key.width_beside(sheet)
    sight, below = map_sight(picture, state), key.height_below(sheet, width)
    box = room_for(sheet, sight, room, below=below)
    plot = draw_map_on(sheet, box, picture, plan)
    return sheet.finish(key.draw(sheet, plot.box))


def refuse_unmeasured(picture: MapPicture) -> None:
    """Refuse a picture with nothing to draw."""
    where = f"view Map, {method_named(picture.shown.result.method).name}"
    if picture.grid is None or picture.layer is None:
        raise nothing_to_draw(
            "This map has no nodes, so there is nothing to colour.",
            where=where,
            way_out="Export the Positions view instead.",
        )
    if picture.values is None:
        raise nothing_to_draw(
            f"The layer {picture.layer.name} has not been measured yet.",
            where=where,
            way_out="Wait until the map has been measured, or choose another layer.",
        )


def room_for(sheet: PaperSheet, sight: Box, width: float, *, below: float = 0.0) -> Box:
    """Return the box for a drawing of this shape: as wide as possible, no higher than a page.

    `below` is reserved on the page for what comes below it.
    """
    high = width * (sight.bottom - sight.top) / (sight.right - sight.left)
    highest = max(PAGE_MM - sheet.top - below, LEAST_HIGH)
    return Box(sheet.left, sheet.top, sheet.left + width, sheet.top + min(high, highest))


def moved(grid: Grid, state: CanvasState) -> LayoutShift:
    """Return how a map with seams is moved and repeated; nothing for one with borders."""
    if not grid.repeats:
        return {}
    sideways, upright = grid.joined
    return {
        "rows": state.rows % grid.rows if upright else 0,
        "columns": state.columns % grid.columns if sideways else 0,
        "beyond": cells_beyond(grid, repeated=state.repeated),
    }


def torus_of(grid: Grid | None, state: CanvasState) -> Torus | None:
    """Return the seams of a map as it is moved; None if it has none."""
    if grid is None or not grid.repeats:
        return None
    return Torus.of(grid, **moved(grid, state))


def map_sight(picture: MapPicture, state: MapState) -> Box:
    """Return the visible part of a map."""
    if state.sight is not None:
        return Box(*state.sight)
    assert picture.grid is not None
    return with_margin(lay_out(picture.grid, **moved(picture.grid, state)).bounds, MARGIN)


def marks_of(picture: MapPicture, state: MapState) -> str:
    """Return the marks that are drawn."""
    return state.marks or first_marks(picture)


def map_key(picture: MapPicture, state: MapState) -> ColourKey:
    """Return the key to the colours of a map."""
    assert picture.layer is not None
    entries: list[LegendLine] = []
    marked = marks_of(picture, state) in (POINTS, NODES)
    if picture.classes is not None and (picture.layer.kind is LayerKind.SHARES or marked):
        entries = class_entries(picture.classes, state.hidden)
    bar = Bar.of(picture, name=bar_name(picture), blank="none")
    title = picture.label if entries else ""
    more = projection_entries(picture.overlaid)
    n_pins = len(picture.shown.result.params.anchored)
    if n_pins:
        more.append(LegendLine(name="pinned", colour=LIGHT.accent, count=n_pins, marker="v"))
    return ColourKey(bar=bar, entries=(*entries, *more), title=title)


def projection_entries(overlaid: Overlaid) -> list[LegendLine]:
    """Explain the diamonds of items placed later, if there are any."""
    strange = int(overlaid.strange.sum())
    near = len(overlaid.ids) - strange
    name, colour = "unlike the map's items", LIGHT.warning
    entries = (
        LegendLine(name="placed later", colour=LIGHT.accent, count=near, marker="D"),
        LegendLine(name=name, colour=colour, count=strange, marker="D", hollow=True),
    )
    return [entry for entry in entries if entry.count]


def draw_map_on(sheet: PaperSheet, box: Box, picture: MapPicture, plan: FigurePlan) -> Plot:
    """Draw cells, marks, lines and names of a map in a rectangle of the page."""
    state, grid = plan.state, picture.grid
    assert isinstance(state, MapState)
    assert grid is not None
    layout = lay_out(grid, **moved(grid, state))
    marks = marks_of(picture, state)
    plot = Plot.on(sheet, map_sight(picture, state), box, label="map")
    colours = _draw_layer(plot, layout, picture, state)
    chosen = plan.selection.mask(picture.matrix.item_ids)
    scale = plot.scale
    size = 0.0
    if marks in (POINTS, NODES):
        points = _points(plot, picture, state, chosen, marks)
        size = points.size
        draw_points(plot, points)
    assert picture.layer is not None
    if marks == HITS and picture.layer.kind is LayerKind.NUMBERS:
        own = ~layout.repeated
        nodes = layout.nodes[own]
        draw_counts(plot, picture.hits[nodes], layout.places[own], colours[nodes])
    nodes_chosen = np.zeros(grid.n_nodes, dtype=np.bool_)
    nodes_chosen[picture.winners[chosen]] = True
    draw_outline(plot, layout, nodes_chosen)
    draw_overlaid(plot, picture.overlaid, state)
    draw_pins(plot, layout, picture.shown.result.params.anchored)
    gaps = {POINTS: size / 2.0 + RING * scale, HITS: FIGURES * scale}
    gap = gaps.get(POINTS if marks == NODES else marks, 0.0) * POINTS_PER_PIXEL
    draw_names(plot, picture.texts, _anchors(picture, state, marks), gap=gap, edges=layout.bounds)
    return plot


def draw_overlaid(plot: Plot, overlaid: Overlaid, state: CanvasState) -> None:
    """Draw borders of clusters, and items that were placed later."""
    grid = overlaid.grid
    lines = overlaid.borders
    if grid is not None and grid.repeats and overlaid.clusters is not None:
        lines = drawn_borders(tiles(grid, **moved(grid, state)), overlaid.clusters)
    draw_lines(plot, [(BORDER, lines)], label="borders")
    draw_projected(plot, overlaid, torus_of(grid, state), scale=plot.scale)


def _draw_layer(plot: Plot, layout: Layout, picture: MapPicture, state: MapState) -> Bytes:
    """Draw the cells, and pies on them; return the colours of the nodes, (M, 3)."""
    assert picture.layer is not None
    assert picture.values is not None
    empty = colour_rows((LIGHT.empty,))
    if picture.layer.kind is LayerKind.SHARES and picture.classes is not None:
        table = colour_rows(class_colours(picture.classes, LIGHT))
        shares = np.nan_to_num(picture.values) * visible(picture.classes, state.hidden)
        colours = tinted(shares, table, colour_rows((LIGHT.surface,))[0])
        draw_cells(plot, layout, colours)
        draw_pies(plot, layout, shares, table, pie_sizes(picture.hits))
    else:
        assert picture.colours is not None
        colours = picture.colours
        draw_cells(plot, layout, colours)
    return np.where(colours[:, 3:] > 0, colours[:, :3], empty)


def _points(
    plot: Plot, picture: MapPicture, state: MapState, chosen: Bools, marks: str
) -> PaperPoints:
    """Return the items on a map."""
    assert picture.grid is not None
    n_items, scale = picture.matrix.n_items, plot.scale
    spread = marks == NODES
    places = spread_in_nodes(picture.winners, picture.grid) if spread else picture.positions
    shown = table = None
    if picture.classes is not None:
        table = colour_rows(class_colours(picture.classes, LIGHT))
        shown = visible(picture.classes, state.hidden)[picture.classes.codes]
    text, empty = colour_rows((LIGHT.text,)), colour_rows((LIGHT.empty,))
    few = n_items <= MOST_DOTS
    # Rings separate points from the cells below, unless they mark the selection.
    ringed = np.ones(n_items, dtype=np.bool_) if few and not chosen.any() else chosen
    return PaperPoints(
        places=places,
        colours=point_colours(picture, table, text, empty),
        size=point_size(n_items, scale),
        opacity=0.85,
        shown=shown,
        chosen=ringed,
        torus=torus_of(picture.grid, state),
        ring=scale * HALO,
    )


def _anchors(picture: MapPicture, state: MapState, marks: str) -> Floats:
    """Return where names belong on the map as it lies."""
    grid, texts = picture.grid, picture.texts
    assert grid is not None
    # Names go to the nodes, except for points at exact positions.
    at_nodes = texts.nodes is not None and marks != POINTS
    anchors = drawn(grid, grid.nodes)[texts.nodes] if at_nodes else texts.anchors
    torus = torus_of(grid, state)
    return anchors if torus is None else torus.wrapped(anchors)
