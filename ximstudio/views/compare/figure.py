"""The Compare view on paper, page by page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ximstudio.figures.measure_table import draw_measure_table, measure_table_height
from ximstudio.figures.panels import Heading, arranged, draw_headings
from ximstudio.figures.parts import (
    GAP,
    Bar,
    ColourKey,
    class_entries,
    letter_of,
    nothing_to_draw,
    visible,
)
from ximstudio.figures.plot import Plot, draw_cells, not_flat, with_margin
from ximstudio.figures.points import PaperPoints, draw_points
from ximstudio.figures.sheet import PAGE_MM, PaperSheet
from ximstudio.maps.box import Box
from ximstudio.maps.layout import Layout, lay_out
from ximstudio.maps.orientation import UNTURNED
from ximstudio.measure.comparison import Comparison
from ximstudio.model.params import known
from ximstudio.model.words import counted
from ximstudio.pictures.colouring import node_shades
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.point_looks import HALO, PANEL_OPACITY, panel_size
from ximstudio.train import method_named
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.compare.picture import ComparePicture, PanelPicture, figures_text
from ximstudio.views.compare.repetitions_figure import dots_height, draw_dots
from ximstudio.views.compare.stability_figure import draw_stability
from ximstudio.views.compare.state import MAPS, MEASURES, STABILITY, CompareState
from ximstudio.views.positions.picture import bar_name, item_colours
from ximstudio.views.quality.figure import (
    PLOT_GAP,
    TITLE_LINES,
    draw_others,
    draw_runs,
    draw_table_panel,
    draw_title,
    others_height,
    plot_height,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ximstudio.pictures.measure_table import MeasureTable
    from ximstudio.session.run import Run

MARGIN = 0.03
"""Margin around the items of a map without nodes, as a share of their extent."""
ON_NODES = 0.012
"""Margin around nodes."""
FLATTEST = 0.4
DOTS_SHARE = 0.55
"""Largest share of a page that repetitions may take from the maps above them."""

Repetitions: TypeAlias = tuple[Comparison, tuple[str, ...]]
Page: TypeAlias = "Callable[[ComparePicture, FigurePlan], Figure]"


def draw_compare(picture: ComparePicture, plan: FigurePlan) -> Figure:
    """Draw the figure of a page of the Compare view."""
    assert isinstance(plan.state, CompareState)
    known("page", plan.state.page, PAGES)
    return PAGES[plan.state.page](picture, plan)


def draw_maps(picture: ComparePicture, plan: FigurePlan) -> Figure:
    """Draw all compared maps with one key and, if planned, their measures below.

    The measures may be repetitions, a table, or both.
    """
    state = plan.state
    assert isinstance(state, CompareState)
    _refuse_empty(picture)
    table = _wanted_table(picture) if plan.table else None
    found = repetitions(picture) if plan.dots else None
    sheet = PaperSheet(plan.look, title=plan.title)
    key = _key(picture, state)
    beside = key.width_beside(sheet)
    width = sheet.right - sheet.left
    headings = [_heading(one.run) for one in picture.panels]
    layouts = [_layout(one) for one in picture.panels]
    sights = [_sight(*pair) for pair in zip(picture.panels, layouts, strict=True)]
    room = PAGE_MM - sheet.top - key.height_below(sheet, width)
    room -= 0.0 if table is None else _table_height(sheet, picture, table)
    dots = 0.0
    if found is not None:
        least = arranged(sheet, sights, width - beside, headings, lowest=sheet.top).bottom
        dots = PLOT_GAP + room_for_dots(sheet, found, room, above=least - sheet.top + PLOT_GAP)
    lowest = sheet.top + room - dots
    places = arranged(sheet, sights, width - beside, headings, lowest=lowest)
    draw_headings(sheet, places, headings)
    for one, layout, sight, box in zip(picture.panels, layouts, sights, places.boxes, strict=True):
        _draw_panel(Plot.on(sheet, sight, box, label=one.run.name), one, layout, plan)
    end = key.draw(sheet, places.boxes[0]._replace(right=places.right, bottom=places.bottom))
    if found is not None:
        # Repetitions also get the room that maps left unused.
        lowest = end + dots + max(lowest - places.bottom, 0.0)
        number = len(picture.panels)
        end = draw_repetitions(sheet, found, end + PLOT_GAP, number, lowest=lowest)
    return sheet.finish(end if table is None else _draw_table(sheet, picture, table, end))


def _refuse_empty(picture: ComparePicture) -> None:
    where = "view Compare, page Maps"
    if not picture.panels:
        way_out = "Choose the runs to compare."
        raise nothing_to_draw("No runs are compared.", where=where, way_out=way_out)
    if any(one.items.waiting for one in picture.panels):
        raise nothing_to_draw(
            f"The colours by {picture.reference.items.by} have not been measured yet.",
            where=where,
            way_out="Wait until the map has been measured, or choose other colours.",
        )


def _wanted_table(picture: ComparePicture) -> MeasureTable:
    table = picture.repeated or picture.quality.table
    if table is None or bool(np.isnan(table.values).all()):
        raise nothing_to_draw(
            "The maps have not been measured yet, so there is no table of measures.",
            where="view Compare, page Maps",
            way_out="Wait until the maps have been measured, or leave out the table.",
        )
    return table


def _table_height(sheet: PaperSheet, picture: ComparePicture, table: MeasureTable) -> float:
    """Return the height of the table below maps, with the gap."""
    high = measure_table_height(sheet, table, letters=_letters(picture))
    others = others_height(sheet, picture.quality) if table is picture.quality.table else 0.0
    return 2.0 * GAP + high + others


def _draw_table(
    sheet: PaperSheet, picture: ComparePicture, table: MeasureTable, bottom: float
) -> float:
    """Draw the table below maps, with their letters; return where it ends."""
    end = draw_measure_table(sheet, table, bottom + 2.0 * GAP, letters=_letters(picture))
    return draw_others(sheet, picture.quality, end) if table is picture.quality.table else end


def _letters(picture: ComparePicture) -> dict[str, str]:
    """Return the letter of every run's panel, by the key of the run."""
    return {one.run.key: letter_of(number) for number, one in enumerate(picture.panels)}


def _heading(run: Run) -> Heading:
    """Return the run's name and, in a second line, its method and quality."""
    method = method_named(run.result.method).name
    parts = ("" if method in run.name else method, *figures_text(run).split("  "))
    return Heading(name=run.name, parts=tuple(filter(None, parts)))


def _key(picture: ComparePicture, state: CompareState) -> ColourKey:
    """Return the key to the colours of all panels."""
    items = picture.reference.items
    entries = () if items.classes is None else class_entries(items.classes, state.hidden)
    name, colour = bar_name(items), LIGHT.border_strong
    bars = (
        Bar.of(one.items, name=name, blank="blank", blank_colour=colour) for one in picture.panels
    )
    # Equal numbers have equal colours on all maps, but not on all of them are numbers missing.
    bar = max(filter(None, bars), key=lambda one: bool(one.blank), default=None)
    title = items.option if entries else ""
    return ColourKey(bar=bar, entries=tuple(entries), title=title, wide=True)


def _layout(one: PanelPicture) -> Layout | None:
    """Return the nodes below the items, turned like the map; None without nodes and in space."""
    if one.grid is None or one.spacing is None or one.items.panels:
        return None
    return lay_out(one.grid, turn=one.turn or UNTURNED)


def _sight(one: PanelPicture, layout: Layout | None) -> Box:
    """Return the extent of all nodes, or of all items where there are none."""
    if layout is not None:
        return with_margin(layout.bounds, ON_NODES)
    places = one.places[np.isfinite(one.places).all(axis=1)]
    if not len(places):
        return Box(0.0, 0.0, 1.0, 1.0)
    box = Box.around(places)
    if not box.longer_side:
        box = Box(box.left - 0.5, box.top - 0.5, box.right + 0.5, box.bottom + 0.5)
    return not_flat(with_margin(box, MARGIN), FLATTEST)


def _draw_panel(plot: Plot, one: PanelPicture, layout: Layout | None, plan: FigurePlan) -> None:
    """Draw a run's items above its shaded nodes."""
    assert isinstance(plan.state, CompareState)
    if layout is not None and one.spacing is not None:
        draw_cells(plot, layout, node_shades(one.spacing, LIGHT))
    classes = one.items.classes
    shown = None if classes is None else visible(classes, plan.state.hidden)[classes.codes]
    draw_points(
        plot,
        PaperPoints(
            places=one.places,
            colours=item_colours(one.items, LIGHT),
            size=panel_size(one.matrix.n_items, plot.side, plot.scale),
            opacity=PANEL_OPACITY,
            shown=shown,
            chosen=plan.selection.mask(one.matrix.item_ids),
            ring=plot.scale * HALO,
        ),
    )


def repetitions(picture: ComparePicture) -> Repetitions:
    """Return results of the repeated methods and their names; refused if there are none."""
    judged = picture.shown.judged
    if judged is None:
        raise nothing_to_draw(
            "The compared runs have not been repeated yet.",
            where="view Compare",
            way_out="Repeat them, or leave out the repetitions.",
        )
    # Use the names of the runs: one method may occur twice with different settings.
    names = {judged.number_of(run): run.name for run in reversed(picture.shown.compared)}
    methods = judged.comparison.methods
    return judged.comparison, tuple(
        names.get(number, one.name) for number, one in enumerate(methods)
    )


def room_for_dots(sheet: PaperSheet, found: Repetitions, room: float, *, above: float) -> float:
    """Return the height of repetitions below maps of height `above`: full, or their share."""
    head = TITLE_LINES * sheet.line
    least, wanted = dots_height(sheet, *found, n_rows=1), dots_height(sheet, *found)
    return head + min(wanted, max(least, min(DOTS_SHARE * room, room - above) - head))


def draw_repetitions(
    sheet: PaperSheet, found: Repetitions, top: float, number: int, *, lowest: float
) -> float:
    """Draw every repetition as a dot, with the letter of that number; return where they end."""
    title = f"Measures of {counted(found[0].n_runs, 'run')} on parts of the data"
    top = draw_title(sheet, number, sheet.left, top, title)
    return draw_dots(sheet, *found, top, lowest=lowest)


def draw_measures(picture: ComparePicture, plan: FigurePlan) -> Figure:
    """Draw the curves of all compared runs and their measures, from repetitions if present.

    With `plan.dots`, repetitions are dots, and the table follows only with `plan.table`.
    """
    quality = picture.quality
    table = picture.repeated if picture.repeated is not None else quality.table
    if table is None or not table.rows:
        raise nothing_to_draw(
            "There are no measures to draw yet.",
            where="view Compare, page Measures",
            way_out="Compare runs that are measured, or wait until these are.",
        )
    found = repetitions(picture) if plan.dots else None
    sheet = PaperSheet(plan.look, title=plan.title)
    bottom, number = sheet.top, 0
    if quality.runs:
        high = plot_height(sheet, table, n_rows=1)
        bottom, number = draw_runs(sheet, quality.runs, bottom, high, shown=""), 2
    if found is not None:
        below = PLOT_GAP + measure_table_height(sheet, table) if plan.table else 0.0
        lowest = PAGE_MM - below - 2.0 * sheet.line
        top = bottom + (PLOT_GAP if number else 0.0)
        bottom = draw_repetitions(sheet, found, top, number, lowest=lowest)
        number += 1
    if found is None or plan.table:
        top = bottom + (PLOT_GAP if number else 0.0)
        bottom = draw_table_panel(sheet, table, top, number, quality.shown)
    return sheet.finish(draw_others(sheet, quality, bottom))


PAGES: Mapping[str, Page] = {
    MAPS: draw_maps,
    MEASURES: draw_measures,
    STABILITY: draw_stability,
}
"""Functions that draw, by the key of a page."""
