"""Stability on paper: ridges that persist, a null map for comparison, and how far items wander."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ximstudio.figures.panels import Heading, arranged, columns_for, draw_headings
from ximstudio.figures.parts import GAP, Bar, bar_height, bar_width, draw_bar, nothing_to_draw
from ximstudio.figures.plot import Plot, draw_cells, draw_lines, line_scale, not_flat, with_margin
from ximstudio.figures.points import PaperPoints, draw_points
from ximstudio.figures.sheet import POINTS_PER_PIXEL, PaperSheet, text_width, wrapped
from ximstudio.maps.box import Box
from ximstudio.maps.layout import lay_out
from ximstudio.pictures.colouring import colours_of, node_shades
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.point_looks import default_size
from ximstudio.pictures.quantity import value_words
from ximstudio.session.words import share_text
from ximstudio.views.compare.stability_picture import STEPS, StabilityPicture, by_width
from ximstudio.views.positions.picture import item_colours

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ximstudio.views.common.figure_plan import FigurePlan
    from ximstudio.views.compare.picture import ComparePicture

MARGIN = 0.012


def draw_stability(picture: ComparePicture, plan: FigurePlan) -> Figure:
    """Draw the run's own ridges, a null map in the same colours, and how far its items wander."""
    found = picture.stability
    if found is None:
        raise nothing_to_draw(
            "The stability of this run has not been tested yet.",
            where="view Compare, page Stability",
            way_out="Retrain it with other seeds, or on subsamples of the data.",
        )
    sheet = PaperSheet(plan.look, title=plan.title)
    lands = [land for land in (found.own, found.null) if land is not None]
    names = ["Ridges", "Null map"][: len(lands)] if found.own is not None else []
    bars = _bars(found)
    widths = [GAP + bar_width(sheet, bar) for bar in bars]
    headings = [Heading(name=name) for name in (*names, "Wander")]
    sights = [with_margin(lay_out(land.grid).bounds, MARGIN) for land in lands]
    sights.append(sights[0] if found.own is not None else _around_items(found))
    width = sheet.right - sheet.left
    # Bars stand side by side where all panels are in a row, else each beside its row.
    in_a_row = columns_for(len(sights), width - sum(widths)) == len(sights)
    beside = sum(widths) if in_a_row else max(widths, default=0.0)
    places = arranged(sheet, sights, width - beside, headings)
    draw_headings(sheet, places, headings)
    for land, name, sight, box in zip(lands, names, sights, places.boxes, strict=False):
        plot = Plot.on(sheet, sight, box, label=name)
        colours = colours_of(land.heights, found.palette.table, low=found.low, high=found.high)
        draw_cells(plot, lay_out(land.grid), colours)
        draw_lines(plot, by_width(land.lines, land.shares), label="ridges")
    last = Plot.on(sheet, sights[-1], places.boxes[-1], label="Wander")
    _draw_wander(last, found)
    end, left, below = places.bottom, places.right, 0.0
    rows = sorted({(box.top, box.bottom) for box in places.boxes})
    for number, (bar, wide) in enumerate(zip(bars, widths, strict=True)):
        top, bottom = rows[0] if in_a_row else rows[min(number, len(rows) - 1)]
        # A bar beside flat maps is taller than they are.
        ended = draw_bar(sheet, bar, left + GAP, max(top, below), bar_height(bottom - top))
        end = max(end, ended)
        if in_a_row:
            left += wide
        else:
            below = ended + GAP
    if found.own is not None and len(found.own.lines):
        end = _draw_widths(sheet, end + GAP, scale=line_scale(last.side))
    return sheet.finish(end)


def _bars(found: StabilityPicture) -> list[Bar]:
    """Return the colour bars of nodes and of items."""
    nodes = None
    if found.own is not None:
        name = f"distance to neighbouring nodes, {value_words(found.items.shown)}"
        nodes = Bar(table=found.palette.table, low=found.low, high=found.high, name=name)
    items = Bar.of(found.items, name="wander", blank="")
    return [bar for bar in (nodes, items) if bar is not None]


def _around_items(found: StabilityPicture) -> Box:
    bounds, where = found.items.bounds, "view Compare, page Stability"
    if bounds is None:
        raise nothing_to_draw("No item has a position.", where=where, way_out="Retrain the map.")
    return not_flat(with_margin(Box(*bounds), 0.05), 0.4)


def _draw_wander(plot: Plot, found: StabilityPicture) -> None:
    """Draw items coloured by how far they wander, above shaded nodes."""
    items = found.items
    if found.own is not None:
        draw_cells(plot, lay_out(found.own.grid), node_shades(found.own.heights, LIGHT))
    size, colours = plot.scale * default_size(items.matrix.n_items), item_colours(items, LIGHT)
    draw_points(plot, PaperPoints(places=items.positions, colours=colours, size=size, opacity=0.85))


def _draw_widths(sheet: PaperSheet, top: float, *, scale: float) -> float:
    """Draw the legend of the widths of ridges, with lines as broad as on the map."""
    name = "ridge in at least this share of the runs"
    x, middle = sheet.left, top + 0.5 * sheet.small_line
    for line in wrapped(name, sheet.right - sheet.left, size=sheet.small, bold=True):
        sheet.small_text(x, middle, line, bold=True, role="legend title")
        middle += sheet.small_line
    for least, width in STEPS:
        sheet.paper.plot(
            [x + 0.5, x + 5.5],
            [middle, middle],
            "-",
            color=LIGHT.text,
            linewidth=width * POINTS_PER_PIXEL * scale,
            solid_capstyle="round",
        )
        text = share_text(least)
        sheet.small_text(x + 7.0, middle, text, role="legend name")
        x += 7.0 + text_width(text, size=sheet.small) + 4.0
    return middle + 0.5 * sheet.small_line
