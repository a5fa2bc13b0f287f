"""The compare view's measures on paper: T and C over k, and the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ximstudio.figures.look import on_paper
from ximstudio.figures.parts import nothing_to_draw
from ximstudio.figures.plan import FigurePlan
from ximstudio.figures.quality import (
    PLOT_GAP,
    draw_others,
    draw_runs,
    draw_table_panel,
    plot_height,
)
from ximstudio.figures.sheet import Sheet
from ximstudio.pictures.compare import ComparePicture

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_measures(picture: ComparePicture, plan: FigurePlan) -> Figure:
    """The curves of all compared runs, and their measures; of repetitions, if there are some."""
    quality = picture.quality
    table = picture.repeated if picture.repeated is not None else quality.table
    if table is None or not table.rows:
        raise nothing_to_draw(
            "There are no measures to draw yet.",
            where="view Compare, page Measures",
            way_out="Compare runs that are measured, or wait until these are.",
        )
    with on_paper(plan.look):
        sheet = Sheet(plan.look, title=plan.title)
        top, number = sheet.top, 0
        if quality.runs:
            high = plot_height(sheet, table, n_rows=1)
            top, number = draw_runs(sheet, quality.runs, top, high, shown="") + PLOT_GAP, 2
        bottom = draw_table_panel(sheet, table, top, number, quality.shown)
        return sheet.finish(draw_others(sheet, quality, bottom))
