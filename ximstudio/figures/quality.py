"""The quality view on paper: T and C of all runs, Shepard diagram, co-ranking and measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.look import on_paper
from ximstudio.figures.measure_table import draw_measure_table
from ximstudio.figures.parts import (
    draw_legend,
    letter,
    letter_width,
    nothing_to_draw,
)
from ximstudio.figures.plan import FigurePlan
from ximstudio.figures.plots import (
    below_room,
    draw_counts,
    draw_curves,
    left_room,
    names_room,
    run_entries,
)
from ximstudio.figures.sheet import PAGE_MM, Sheet, wrapped
from ximstudio.maps.box import Box
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.curves import share_bounds
from ximstudio.pictures.measure_texts import others_text
from ximstudio.pictures.quality import MeasureTable, QualityPicture, RunCurves

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLOT_GAP = 4.0
"""Between plots beside each other, and between rows of them, in millimetres."""
HIGH = 0.62
"""Height of a plot with its axes, of its width."""
LEAST_HIGH, MOST_HIGH = 24.0, 52.0
TITLES = {"trust": "Trustworthiness T(k)", "continuity": "Continuity C(k)"}


def draw_quality(picture: QualityPicture, plan: FigurePlan) -> Figure:
    """Up to four plots with letters and, if it is planned, the table of measures below them."""
    if not picture.runs:
        raise nothing_to_draw(
            "There are no measures to draw yet.",
            where="view Quality" + (f", run {picture.name}" if picture.name else ""),
            way_out="Wait until the map is trained and measured, then export the figure.",
        )
    with on_paper(plan.look):
        sheet = Sheet(plan.look, title=plan.title)
        bottom = draw_runs(sheet, picture.runs, sheet.top, shown=picture.shown)
        if picture.shepard is not None or picture.co_ranking is not None:
            bottom = _draw_counts(sheet, picture, bottom + PLOT_GAP)
        if plan.table and picture.table is not None and picture.table.rows:
            number = 2 + (picture.shepard is not None) + (picture.co_ranking is not None)
            bottom = draw_table_panel(
                sheet, picture.table, bottom + PLOT_GAP, number, picture.shown
            )
        return sheet.finish(draw_others(sheet, picture, bottom))


def draw_table_panel(
    sheet: Sheet, table: MeasureTable, top: float, number: int, shown: str
) -> float:
    """The table of measures with the letter of that number; where it ends."""
    top = draw_title(sheet, number, sheet.left, top, "Measures") - 0.2 * sheet.line
    lowest = PAGE_MM - 2.0 * sheet.line
    return draw_measure_table(sheet, table, top, shown=shown, lowest=lowest)


def draw_others(sheet: Sheet, picture: QualityPicture, bottom: float) -> float:
    """Say which runs cannot be compared with the others; where that ends."""
    if not picture.others:
        return bottom
    bottom += 0.4 * sheet.line
    for line in wrapped(others_text(picture), sheet.right - sheet.left, size=sheet.small):
        middle = bottom + 0.5 * sheet.small_line
        sheet.text(sheet.left, middle, line, size=sheet.small, colour=LIGHT.muted, role="others")
        bottom += sheet.small_line
    return bottom


def panel_boxes(sheet: Sheet, n_panels: int = 2) -> list[tuple[float, float]]:
    """Left and right of plots that share the width."""
    width = (sheet.right - sheet.left - (n_panels - 1) * PLOT_GAP) / n_panels
    lefts = [sheet.left + number * (width + PLOT_GAP) for number in range(n_panels)]
    return [(left, left + width) for left in lefts]


def draw_title(sheet: Sheet, number: int, left: float, top: float, title: str) -> float:
    """The letter of a panel and its title beside it; where the panel can begin."""
    middle = top + 0.5 * sheet.line
    letter(sheet, number, left, middle)
    sheet.text(left + letter_width(sheet), middle, title, role="panel title")
    return top + 1.45 * sheet.line


def draw_runs(
    sheet: Sheet, runs: tuple[RunCurves, ...], top: float, *, shown: str, first: int = 0
) -> float:
    """T(k) and C(k) beside each other, with names at their ends or a legend below; the end.

    `first` is the number of the first letter.
    """
    columns = panel_boxes(sheet)
    width = columns[0][1] - columns[0][0]
    high = plot_height(width)
    _, up = share_bounds(runs)
    numbers = left_room(sheet, up, high, named=False)
    named = names_room(sheet, runs, width, high)
    bottom = top
    for number, ((left, right), (part, title)) in enumerate(
        zip(columns, TITLES.items(), strict=True)
    ):
        begin = draw_title(sheet, first + number, left, top, title)
        box = Box(left + numbers, begin, right - named, begin + high)
        draw_curves(sheet, box, runs, part, shown=shown, named=bool(named))
        bottom = box.bottom + below_room(sheet)
    if named or len(runs) < 2:
        return bottom
    entries = run_entries(runs, shown)
    left = sheet.left + numbers
    return draw_legend(sheet, entries, left, bottom + 1.0, sheet.right - left)


def plot_height(width: float) -> float:
    """How high a plot is whose panel is so wide."""
    return min(max(HIGH * width, LEAST_HIGH), MOST_HIGH)


def _draw_counts(sheet: Sheet, picture: QualityPicture, top: float) -> float:
    """The Shepard diagram and the co-ranking matrix of the run that is shown; where they end."""
    columns = panel_boxes(sheet)
    bottom, number = top, 2
    if picture.shepard is not None:
        (left, right), shepard = columns[0], picture.shepard
        across, up = float(shepard.data_edges[-1]), float(shepard.map_edges[-1])
        box = _counts_box(sheet, (left, right), top, (0.0, up))
        draw_title(sheet, number, left, top, f"Shepard diagram, {picture.name}")
        axes = draw_counts(
            sheet,
            box,
            shepard.shares,
            bounds=Box(0.0, 0.0, across, up),
            names=("distance in the data", "distance on the map"),
            quantity="log10 share of pairs",
            label="shepard",
        )
        axes.plot(shepard.fit_data, shepard.fit_map, color=LIGHT.series[1], linewidth=1.0)
        bottom, number = max(bottom, box.bottom + below_room(sheet)), number + 1
    if picture.co_ranking is not None:
        (left, right), ranks = columns[number - 2], picture.co_ranking.astype(np.float64)
        ends = 0.5, len(ranks) + 0.5
        box = _counts_box(sheet, (left, right), top, ends)
        draw_title(sheet, number, left, top, f"Co-ranking, {picture.name}")
        draw_counts(
            sheet,
            box,
            ranks,
            bounds=Box(ends[0], ends[0], ends[1], ends[1]),
            names=("rank in the data", "rank on the map"),
            quantity="log10 pairs",
            label="co-ranking",
        )
        bottom = max(bottom, box.bottom + below_room(sheet))
    return bottom


def _counts_box(
    sheet: Sheet, ends: tuple[float, float], top: float, up: tuple[float, float]
) -> Box:
    """Where an image and its colour bar are, below the title of a panel."""
    left, right = ends
    high = plot_height(right - left)
    begin = top + 1.45 * sheet.line
    room = left_room(sheet, up, high, named=True)
    return Box(left + room, begin, right, begin + high)
