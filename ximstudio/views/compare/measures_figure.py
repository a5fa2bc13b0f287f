"""Measures of the Compare view on paper: T and C over k, repetitions, and the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ximstudio.figures.measure_table import measure_table_height
from ximstudio.figures.parts import nothing_to_draw
from ximstudio.figures.sheet import PAGE_MM, PaperSheet
from ximstudio.measure.comparison import Comparison
from ximstudio.model.words import counted
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.compare.picture import ComparePicture
from ximstudio.views.compare.repetitions_figure import dots_height, draw_dots
from ximstudio.views.quality.figure import (
    PLOT_GAP,
    TITLE_LINES,
    draw_others,
    draw_runs,
    draw_table_panel,
    draw_title,
    plot_height,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


DOTS_SHARE = 0.55
"""Largest share of a page that repetitions may take from the maps above them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Repetitions:
    """Results of repeated methods, and the names of the methods."""

    comparison: Comparison
    names: tuple[str, ...]


def repetitions(picture: ComparePicture) -> Repetitions:
    """Return the repetitions of the compared runs; refused if there are none."""
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
    return Repetitions(
        comparison=judged.comparison,
        names=tuple(names.get(number, one.name) for number, one in enumerate(methods)),
    )


def room_for_dots(sheet: PaperSheet, found: Repetitions, room: float, *, above: float) -> float:
    """Return the height of repetitions below maps of height `above`: full, or their share."""
    head = TITLE_LINES * sheet.line
    least = dots_height(sheet, found.comparison, found.names, n_rows=1)
    wanted = dots_height(sheet, found.comparison, found.names)
    return head + min(wanted, max(least, min(DOTS_SHARE * room, room - above) - head))


def draw_repetitions(
    sheet: PaperSheet, found: Repetitions, top: float, number: int, *, lowest: float
) -> float:
    """Draw every repetition as a dot, with the letter of that number; return where they end."""
    n_runs = found.comparison.n_runs
    title = f"Measures of {counted(n_runs, 'run')} on parts of the data"
    top = draw_title(sheet, number, sheet.left, top, title)
    return draw_dots(sheet, found.comparison, found.names, top, lowest=lowest)


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
