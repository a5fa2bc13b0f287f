"""Positions on paper: items as points, coloured by a label, a feature or their trustworthiness."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ximstudio.figures.look import on_paper
from ximstudio.figures.panels import BETWEEN, Heading, arranged, draw_headings
from ximstudio.figures.parts import (
    GAP,
    TICK,
    Bar,
    ColourKey,
    LegendLine,
    class_entries,
    nothing_to_draw,
    thin_frame,
    thin_line,
    visible,
)
from ximstudio.figures.plot import Plot, draw_layers, not_flat, with_margin
from ximstudio.figures.points import PaperPoints, draw_density, draw_points
from ximstudio.figures.sheet import MM_PER_POINT, PAGE_MM, PaperSheet, cut, text_width
from ximstudio.maps.box import Box
from ximstudio.maps.cells import bounds, repeated
from ximstudio.maps.drawn import around_panels
from ximstudio.maps.palettes import PaletteScheme
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.point_looks import HALO, MOST_EDGES, default_size
from ximstudio.pictures.ticks import tick_texts, ticks
from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.map.figure import (
    draw_map_on,
    draw_overlaid,
    map_key,
    map_sight,
    moved,
    projection_entries,
    room_for,
    torus_of,
)
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.picture import LABEL, PLAIN, PositionsPicture, bar_name, item_colours
from ximstudio.views.positions.state import PositionsState

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ximstudio.model.arrays import Bools


MARGIN = 0.05
"""Margin around all points, as a share of their extent."""
FLATTEST = 0.4
"""Least ratio of the sides of a drawing."""
APART_MM = 14.0
"""Least distance of two ticks along an axis."""


def draw_positions(picture: PositionsPicture, plan: FigurePlan) -> Figure:
    """Draw the figure of a Positions view."""
    state = plan.state
    assert isinstance(state, PositionsState)
    refuse_waiting(picture)
    sheet = PaperSheet(plan.look, title=plan.title)
    key = positions_key(picture, state)
    sight, width = positions_sight(picture, state), sheet.right - sheet.left
    axes = axes_width(sheet, picture, sight)
    below = axes_height(sheet, picture) + key.height_below(sheet, width)
    box = room_for(sheet, sight, width - key.width_beside(sheet) - axes, below=below)
    box = Box(box.left + axes, box.top, box.right + axes, box.bottom)
    plot = draw_positions_on(sheet, box, picture, plan)
    return sheet.finish(key.draw(sheet, plot.box, axis=axes_height(sheet, picture)))


def refuse_waiting(picture: PositionsPicture) -> None:
    """Refuse a picture whose numbers are missing so far, or whose items have no positions."""
    if picture.waiting:
        raise nothing_to_draw(
            f"The colours by {picture.by} have not been measured yet.",
            where="view Positions",
            way_out="Wait until the map has been measured, or choose other colours.",
        )
    if picture.bounds is None:
        where = "view Positions"
        raise nothing_to_draw("No item has a position.", where=where, way_out="Retrain the map.")


def positions_sight(picture: PositionsPicture, state: PositionsState) -> Box:
    """Return the visible part: everything, or what the user has zoomed to."""
    if state.sight is not None:
        return Box(*state.sight)
    grid = picture.grid
    if grid is not None and grid.repeats:
        columns, rows = repeated(grid, moved(grid, state).get("beyond", 0))
        left, top, right, bottom = bounds(grid)
        down = rows * grid.row_height
        return Box(left - columns, top - down, right + columns, bottom + down)
    if picture.panels:
        return with_margin(around_panels(picture.panels), 0.005)
    assert picture.bounds is not None
    box = Box(*picture.bounds)
    # Items at one point or on a line need some extent, too.
    least = 1.0 if grid is not None else 1e-9
    longer = max(box.longer_side, least)
    middle = 0.5 * (box.left + box.right), 0.5 * (box.top + box.bottom)
    wide = max(box.right - box.left, FLATTEST * longer) / 2.0
    high = max(box.bottom - box.top, FLATTEST * longer) / 2.0
    around = Box(middle[0] - wide, middle[1] - high, middle[0] + wide, middle[1] + high)
    return not_flat(with_margin(around, MARGIN), FLATTEST)


def positions_key(picture: PositionsPicture, state: PositionsState) -> ColourKey:
    """Return the key to the colours of items; a density has only one."""
    if state.is_dense(picture.matrix.n_items):
        return ColourKey(entries=tuple(projection_entries(picture.overlaid)))
    entries: list[LegendLine] = []
    if picture.classes is not None:
        entries = class_entries(picture.classes, state.hidden)
    bar = Bar.of(picture, name=bar_name(picture), blank="blank", blank_colour=LIGHT.border_strong)
    title = picture.option if entries else ""
    return ColourKey(
        bar=bar, entries=(*entries, *projection_entries(picture.overlaid)), title=title
    )


def draw_positions_on(
    sheet: PaperSheet, box: Box, picture: PositionsPicture, plan: FigurePlan
) -> Plot:
    """Draw points, frames and axes in a rectangle of the page."""
    state = plan.state
    assert isinstance(state, PositionsState)
    projected = picture.explained is not None
    plot = Plot.on(
        sheet, positions_sight(picture, state), box, upright=projected, label="positions"
    )
    plot.axes.set_frame_on(not picture.panels)
    thin_frame(plot.axes, LIGHT.axis if projected else LIGHT.border_strong)
    draw_layers(plot, picture.panels)
    points = _points(plot, picture, state, plan.selection.mask(picture.matrix.item_ids))
    if state.is_dense(picture.matrix.n_items):
        chosen = points.chosen
        front = points.seen if chosen is None or not chosen.any() else points.seen & chosen
        draw_density(plot, points.wrapped, front)
    else:
        draw_points(plot, points)
    draw_overlaid(plot, picture.overlaid, state)
    if projected:
        _draw_axes(plot, picture)
    return plot


def _points(
    plot: Plot, picture: PositionsPicture, state: PositionsState, chosen: Bools
) -> PaperPoints:
    n_items = picture.matrix.n_items
    shown = None
    if picture.classes is not None:
        shown = visible(picture.classes, state.hidden)[picture.classes.codes]
    two_sided = picture.scale is not None and picture.scale.scheme is PaletteScheme.DIVERGING
    return PaperPoints(
        places=picture.positions,
        colours=item_colours(picture, LIGHT),
        size=max(state.size, 0.0) or plot.scale * default_size(n_items),
        opacity=min(max(state.opacity, 0.0), 1.0),
        shown=shown,
        chosen=chosen,
        torus=torus_of(picture.grid, state),
        ring=plot.scale * HALO,
        edged=two_sided and n_items <= MOST_EDGES,
    )


# Axes, which have a meaning on projections only


def axes_width(sheet: PaperSheet, picture: PositionsPicture, sight: Box) -> float:
    """Return the width of the vertical axis on the left."""
    if picture.explained is None:
        return 0.0
    texts = tick_texts(ticks(sight.top, sight.bottom, most=6))
    widest = max((text_width(text, size=sheet.small) for text in texts), default=0.0)
    return sheet.line + widest + 2.0 * TICK


def axes_height(sheet: PaperSheet, picture: PositionsPicture) -> float:
    """Return the height of the horizontal axis below."""
    return 0.0 if picture.explained is None else sheet.small_line + sheet.line + TICK


def axis_name(picture: PositionsPicture, number: int) -> str:
    """Return the name of an axis."""
    assert picture.explained is not None
    return f"component {number + 1} ({100.0 * picture.explained[number]:.0f} % of the variance)"


def _draw_axes(plot: Plot, picture: PositionsPicture) -> None:
    sheet, box, sight = plot.sheet, plot.box, plot.sight
    size = sheet.look.font_size
    high, wide = box.bottom - box.top, box.right - box.left
    values = ticks(sight.left, sight.right, most=max(2, int(wide / APART_MM)))
    for value, text in zip(values, tick_texts(values), strict=True):
        x = box.left + (value - sight.left) / (sight.right - sight.left) * wide
        thin_line(sheet, [x, x], [box.bottom, box.bottom + TICK])
        y = box.bottom + TICK + 0.55 * sheet.small_line
        sheet.small_text(x, y, text, across="center", role="x number")
    values = ticks(sight.top, sight.bottom, most=min(6, max(2, int(high / APART_MM))))
    for value, text in zip(values, tick_texts(values), strict=True):
        y = box.bottom - (value - sight.top) / (sight.bottom - sight.top) * high
        thin_line(sheet, [box.left - TICK, box.left], [y, y])
        x = box.left - 1.6 * TICK
        sheet.small_text(x, y, text, across="right", role="y number")
    below = box.bottom + TICK + sheet.small_line + 0.55 * sheet.line
    name = cut(axis_name(picture, 0), wide, size=size)
    sheet.text(0.5 * (box.left + box.right), below, name, across="center", role="x name")
    left = box.left - axes_width(sheet, picture, sight) + 0.5 * CAP * size * MM_PER_POINT
    name = cut(axis_name(picture, 1), high, size=size)
    sheet.text(left, 0.5 * (box.top + box.bottom), name, rotation=90.0, role="y name")


CAP = 1.0
"""Height of letters with their descenders, in sizes of the type."""


def map_figure(shown: Shown, plan: FigurePlan, *, label: str = "") -> Figure:
    """Draw the map as planned and the positions of its items side by side.

    Items are coloured by a label; by the main one if none is given.
    """
    nodes, label = plan.state, label or shown.class_label
    assert isinstance(nodes, MapState)
    places = PositionsState(by=LABEL if label else PLAIN, option=label, palettes=nodes.palettes)
    # Both panels have one key: the same items in the same colours.
    map_picture, items = nodes.picture(shown), places.picture(shown)
    map_picture = replace(map_picture, classes=items.classes, label=items.option)
    with on_paper(plan.look):
        sheet = PaperSheet(plan.look, title=plan.title)
        key = replace(map_key(map_picture, nodes), wide=True)
        bar = ColourKey(bar=key.bar)
        beside = bar.width_beside(sheet)
        sights = [map_sight(map_picture, nodes), positions_sight(items, places)]
        words = items.words.items
        headings = [Heading(name="U-matrix"), Heading(name=f"{shown.matrix.n_items} {words}")]
        width = sheet.right - sheet.left
        # The bar stands between the panels, beside the colours that it explains.
        lowest = PAGE_MM - key.height_below(sheet, width) - 0.2 * BETWEEN
        found = arranged(sheet, sights, width - beside, headings, after_first=beside, lowest=lowest)
        draw_headings(sheet, found, headings)
        plot = draw_map_on(sheet, found.boxes[0], map_picture, plan)
        high = plot.box.bottom - plot.box.top
        end = bar.draw_beside(sheet, found.boxes[0].right + GAP, plot.box.top, high)
        draw_positions_on(sheet, found.boxes[1], items, replace(plan, state=places))
        end = max(end, found.bottom)
        return sheet.finish(key.draw_below(sheet, sheet.left, end + 0.2 * BETWEEN, width))
