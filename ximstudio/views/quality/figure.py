"""The Quality view on paper: T and C of all runs, Shepard diagram, co-ranking and measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.measure_table import draw_measure_table, measure_table_height
from ximstudio.figures.parts import bar_width, draw_legend, letter, letter_width, nothing_to_draw
from ximstudio.figures.plots import (
    PaperCounts,
    below_room,
    draw_counts,
    draw_curves,
    left_room,
    names_room,
    run_entries,
)
from ximstudio.figures.sheet import PAGE_MM, PaperSheet, text_width
from ximstudio.maps.box import Box
from ximstudio.pictures.curves import RunCurves, share_bounds
from ximstudio.pictures.measure_table import MeasureTable
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.quality.picture import QualityPicture, others_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLOT_GAP = 4.0
"""Gaps between plots side by side, and between rows of them, in millimetres."""
HIGH = 0.62
"""Ratio of the height of a plot to the width of its panel."""
TITLE_LINES = 1.45
"""Distance from the top of a panel to its plot, in lines of text."""
LEAST_HIGH, MOST_HIGH = 24.0, 52.0
TITLES = {"trust": "Trustworthiness T(k)", "continuity": "Continuity C(k)"}


def draw_quality(picture: QualityPicture, plan: FigurePlan) -> Figure:
    """Draw up to four plots with letters and, if planned, the table of measures below them."""
    if not picture.runs:
        raise nothing_to_draw(
            "There are no measures to draw yet.",
            where="view Quality" + (f", run {picture.name}" if picture.name else ""),
            way_out="Wait until the map has been trained and measured, then export the figure.",
        )
    sheet = PaperSheet(plan.look, title=plan.title)
    table = picture.table if plan.table else None
    counts = _counts_of(picture)
    beside = _fit_beside(sheet, counts)
    n_rows = 1 + (1 if beside and counts else len(counts))
    high = plot_height(sheet, table, n_rows=n_rows)
    bottom = draw_runs(sheet, picture.runs, sheet.top, high, shown=picture.shown)
    bottom = _draw_counts(sheet, counts, bottom, high, beside=beside)
    if table is not None and table.rows:
        top = bottom + PLOT_GAP
        bottom = draw_table_panel(sheet, table, top, 2 + len(counts), picture.shown)
    return sheet.finish(draw_others(sheet, picture, bottom))


def draw_table_panel(
    sheet: PaperSheet, table: MeasureTable, top: float, number: int, shown: str
) -> float:
    """Draw the table of measures with the letter of that number; return where it ends."""
    top = draw_title(sheet, number, sheet.left, top, "Measures") - 0.2 * sheet.line
    lowest = PAGE_MM - 2.0 * sheet.line
    return draw_measure_table(sheet, table, top, shown=shown, lowest=lowest)


def draw_others(sheet: PaperSheet, picture: QualityPicture, bottom: float) -> float:
    """Name the runs that cannot be compared with the others; return where the text ends."""
    said = others_text(picture) if picture.others else ""
    return sheet.note(said, bottom, gap=0.4 * sheet.line, role="others")


def others_height(sheet: PaperSheet, picture: QualityPicture) -> float:
    """Return the height of `draw_others`."""
    # Draw on a scratch sheet to count the lines.
    return draw_others(PaperSheet(sheet.look), picture, 0.0)


def panel_boxes(sheet: PaperSheet, n_panels: int = 2) -> list[tuple[float, float]]:
    """Return left and right of plots that share the width."""
    width = (sheet.right - sheet.left - (n_panels - 1) * PLOT_GAP) / n_panels
    lefts = [sheet.left + number * (width + PLOT_GAP) for number in range(n_panels)]
    return [(left, left + width) for left in lefts]


def draw_title(sheet: PaperSheet, number: int, left: float, top: float, title: str) -> float:
    """Draw the letter and title of a panel; return where the panel can begin."""
    middle = top + 0.5 * sheet.line
    letter(sheet, number, left, middle)
    sheet.text(left + letter_width(sheet), middle, title, role="panel title")
    return top + TITLE_LINES * sheet.line


def draw_runs(
    sheet: PaperSheet, runs: tuple[RunCurves, ...], top: float, high: float, *, shown: str
) -> float:
    """Draw T(k) and C(k) side by side, names at the curves' ends or in a legend; return the end."""
    columns = panel_boxes(sheet)
    width = columns[0][1] - columns[0][0]
    _, up = share_bounds(runs)
    numbers = left_room(sheet, up, high, named=False)
    named = names_room(sheet, runs, width, high)
    bottom = top
    panels = zip(columns, TITLES.items(), strict=True)
    for number, ((left, right), (part, title)) in enumerate(panels):
        begin = draw_title(sheet, number, left, top, title)
        box = Box(left + numbers, begin, right - named, begin + high)
        draw_curves(sheet, box, runs, part, shown=shown, named=bool(named))
        bottom = box.bottom + below_room(sheet)
    if named:
        return bottom
    entries = run_entries(runs, shown)
    left = sheet.left + numbers
    return draw_legend(sheet, entries, left, bottom + 1.0, sheet.right - left)


def plot_height(sheet: PaperSheet, table: MeasureTable | None, *, n_rows: int) -> float:
    """Return the height of plots in so many rows: less where the table would leave the page."""
    left, right = panel_boxes(sheet)[0]
    wanted = min(max(HIGH * (right - left), LEAST_HIGH), MOST_HIGH)
    if table is None or not table.rows:
        return wanted
    around = TITLE_LINES * sheet.line + below_room(sheet) + PLOT_GAP
    room = PAGE_MM - sheet.top - measure_table_height(sheet, table) - 4.0 * sheet.line
    return min(wanted, max(room / n_rows - around, LEAST_HIGH))


def _counts_of(picture: QualityPicture) -> list[PaperCounts]:
    """Return the Shepard diagram and the co-ranking matrix of the displayed run."""
    found = []
    if picture.shepard is not None:
        shepard = picture.shepard
        found.append(
            PaperCounts(
                label="shepard",
                title=f"Shepard diagram, {picture.name}",
                counts=shepard.shares,
                bounds=Box(0.0, 0.0, float(shepard.data_edges[-1]), float(shepard.map_edges[-1])),
                names=("distance in the data", "distance on the map"),
                quantity="log10 share of pairs",
                line=(shepard.fit_data, shepard.fit_map),
            )
        )
    if picture.co_ranking is not None:
        last = len(picture.co_ranking) + 0.5
        found.append(
            PaperCounts(
                label="co-ranking",
                title=f"Co-ranking, {picture.name}",
                counts=picture.co_ranking.astype(np.float64),
                bounds=Box(0.5, 0.5, last, last),
                names=("rank in the data", "rank on the map"),
                quantity="log10 pairs",
            )
        )
    return found


def _fit_beside(sheet: PaperSheet, counts: list[PaperCounts]) -> bool:
    """Return whether two plots of counts fit side by side with all their text."""
    left, right = panel_boxes(sheet)[0]
    for one in counts:
        title = letter_width(sheet) + text_width(one.title, size=sheet.look.font_size)
        axis = left_room(sheet, one.up, LEAST_HIGH, named=True)
        bar = bar_width(sheet, one.bar)
        name = text_width(one.names[0], size=sheet.look.font_size)
        if title > right - left or axis + bar + 0.75 * name > right - left:
            return False
    return True


def _draw_counts(
    sheet: PaperSheet, counts: list[PaperCounts], top: float, high: float, *, beside: bool
) -> float:
    """Draw plots of counts side by side or in a column; return where they end."""
    columns = panel_boxes(sheet, 2 if beside else 1)
    bottom = top
    for number, one in enumerate(counts):
        if not beside or number == 0:
            top = bottom + PLOT_GAP
        left, right = columns[number % len(columns)]
        begin = draw_title(sheet, 2 + number, left, top, one.title)
        room = left_room(sheet, one.up, high, named=True)
        box = Box(left + room, begin, right, begin + high)
        draw_counts(sheet, box, one)
        bottom = box.bottom + below_room(sheet)
    return bottom
