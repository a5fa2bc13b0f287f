"""Repetitions on paper: one panel per measure, one dot per run of every method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, inf
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.parts import LegendLine, draw_legend, legend_height
from ximstudio.figures.plots import style_ticks, tick_room
from ximstudio.figures.sheet import PaperSheet, refuse_narrow, text_width, wrapped
from ximstudio.maps.box import Box
from ximstudio.maps.palettes import OKABE_ITO
from ximstudio.measure.catalogue import Better
from ximstudio.measure.comparison import Comparison, Summary
from ximstudio.model.arrays import Floats
from ximstudio.model.words import counted
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.ticks import tick_texts, ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS, PANEL_MM = 4, 42.0
"""Most panels in a row, one for each of the report's four measures; and their width."""
METHOD_MM, LEAST_METHOD = 5.0, 0.95
"""Distance between methods in a panel: at most millimetres, at least lines of small text."""
ACROSS, DOWN = 4.0, 2.0
"""Gaps between panels side by side and one below the other, in millimetres."""
MOST_TICKS = 4
BEST, PLAIN, FAINT = OKABE_ITO[0], "#666666", "#DCEBF5"
BETTER = {Better.HIGHER: "higher is better →", Better.LOWER: "← lower is better"}
GOLDEN = 0.6180339887
"""Multiples of it, without their integer part, never cluster."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Laid:
    """Layout of panels.

    Parameters
    ----------
    left, wide
        Left edge of the first panel of a row, right of the names, and the width of each.
    columns
        Number of panels in a row.
    titles
        The lines above every panel.
    names, pitch
        Names of methods, and the distance between them.
    """

    sheet: PaperSheet
    comparison: Comparison
    left: float
    wide: float
    columns: int
    titles: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    pitch: float

    @property
    def n_rows(self) -> int:
        return ceil(len(self.titles) / self.columns)

    def above(self, row: int) -> float:
        """Return the height of the titles of a row."""
        own = self.titles[row * self.columns : (row + 1) * self.columns]
        return (max(map(len, own)) + 0.3) * self.sheet.line

    def height(self, n_rows: int) -> float:
        """Return the height of the first rows, with everything written around panels."""
        around = tick_room(self.sheet) + self.sheet.small_line + DOWN
        above = sum(self.above(row) for row in range(n_rows))
        return above + n_rows * (self.pitch * len(self.names) + around)

    @property
    def below(self) -> float:
        """Return the height of the legend and of the note on what is left out."""
        sheet = self.sheet
        legend = legend_height(sheet, _entries(self.comparison), sheet.right - sheet.left)
        return legend + 2.0 * sheet.small_line


def dots_height(
    sheet: PaperSheet, comparison: Comparison, names: Sequence[str], *, n_rows: int | None = None
) -> float:
    """Return the least height of `draw_dots` for so many rows of panels; by default for all."""
    laid = _laid_out(sheet, comparison, names)
    n_rows = laid.n_rows if n_rows is None else min(n_rows, laid.n_rows)
    return laid.height(n_rows) + laid.below


def draw_dots(
    sheet: PaperSheet,
    comparison: Comparison,
    names: Sequence[str],
    top: float,
    *,
    lowest: float = inf,
) -> float:
    """Draw runs as dots with mean and deviation, the best method shaded; return the end.

    Measures that would end below `lowest` are left out, with a note; the first row never is.
    """
    laid = _laid_out(sheet, comparison, names)
    room = lowest - top - laid.below
    n_rows = max((n for n in range(1, laid.n_rows + 1) if laid.height(n) <= room), default=1)
    spare = (room - laid.height(n_rows)) / (n_rows * len(names))
    pitch = min(laid.pitch + max(spare, 0.0), max(METHOD_MM, laid.pitch))
    laid = replace(laid, pitch=pitch)
    for number, summary in enumerate(comparison.summaries[: n_rows * laid.columns]):
        row, column = divmod(number, laid.columns)
        begin = top + laid.height(row) + laid.above(row)
        left = laid.left + column * (laid.wide + ACROSS)
        box = Box(left, begin, left + laid.wide, begin + pitch * len(names))
        for method, name in enumerate(names if not column else ()):
            x, middle = laid.left - 1.5, begin + (method + 0.5) * pitch
            sheet.small_text(x, middle, name, across="right", role="method name")
        _draw_panel(sheet, box, comparison, number, laid.titles[number], summary)
    bottom = top + laid.height(n_rows)
    bottom = draw_legend(sheet, _entries(comparison), laid.left, bottom, sheet.right - laid.left)
    left_out = len(comparison.summaries) - n_rows * laid.columns
    said = f"{counted(left_out, 'more measure')} left out for lack of space."
    return sheet.note(said, bottom, role="left out") if left_out > 0 else bottom


def _laid_out(sheet: PaperSheet, comparison: Comparison, names: Sequence[str]) -> _Laid:
    """Lay out as many panels in a row as suit the width, with methods as close as possible."""
    summaries = comparison.summaries
    width = sheet.right - sheet.left
    columns = min(COLUMNS, max(1, round(width / PANEL_MM)), max(1, len(summaries)))
    beside = max(text_width(name, size=sheet.small) for name in names) + 1.5
    # Half a gap stays free on the right, for the last numbers.
    wide = (width - beside - (columns - 0.5) * ACROSS) / columns
    refuse_narrow(wide, 2.0 * sheet.line)
    titles = (
        tuple(wrapped(one.definition.title, wide + 0.5 * ACROSS, size=sheet.look.font_size))
        for one in summaries
    )
    return _Laid(
        sheet=sheet,
        comparison=comparison,
        left=sheet.left + beside,
        wide=wide,
        columns=columns,
        titles=tuple(titles),
        names=tuple(names),
        pitch=LEAST_METHOD * sheet.small_line,
    )


def _entries(comparison: Comparison) -> list[LegendLine]:
    """Return the legend of dots, marks and shades."""
    best = LegendLine(name="best", colour=FAINT, marker="s")
    if comparison.n_runs < 2:
        return [LegendLine(name="the only run", colour=PLAIN, marker="D"), best]
    return [
        LegendLine(name="a run", colour=PLAIN),
        LegendLine(name="mean", colour=PLAIN, marker="D"),
        LegendLine(name="± standard deviation", colour=PLAIN, marker="_", hollow=True),
        best,
    ]


def _draw_panel(
    sheet: PaperSheet,
    box: Box,
    comparison: Comparison,
    number: int,
    title: Sequence[str],
    summary: Summary,
) -> None:
    """Draw one measure: methods from top to bottom, values from left to right."""
    n_methods = len(summary.means)
    several = number < len(comparison.measures) and comparison.n_runs > 1
    runs = comparison.values[:, :, number] if several else np.empty((n_methods, 0))
    axes = sheet.axes(box, label=summary.definition.key)
    axes.set_ylim(n_methods - 0.5, -0.5)
    _draw_values(axes, summary, runs, small=sheet.small)
    _scale(sheet, axes, summary, box.right - box.left)
    middle = 0.5 * (box.left + box.right)
    for place, line in enumerate(reversed(title)):
        y = box.top - (place + 0.8) * sheet.line
        sheet.text(middle, y, line, across="center", role="measure")
    y = box.bottom + tick_room(sheet) + 0.5 * sheet.small_line
    better = BETTER.get(summary.definition.better, "")
    sheet.small_text(middle, y, better, across="center", role="better")


def _draw_values(axes: Axes, summary: Summary, runs: Floats, *, small: float) -> None:
    """Draw dots, mean and deviation of every method."""
    jitter = (np.arange(1, runs.shape[1] + 1) * GOLDEN % 1.0 - 0.5) * 0.5
    for number, best in enumerate(summary.best):
        color = BEST if best else PLAIN
        if best:
            axes.axhspan(number - 0.45, number + 0.45, color=FAINT, linewidth=0, zorder=0)
        if np.isnan(summary.means[number]):
            axes.annotate(
                "does not apply",
                (0.04, number),
                xycoords=axes.get_yaxis_transform(),
                va="center",
                fontsize=small,
                color="#999999",
            )
            continue
        axes.plot(
            runs[number], number + jitter, "o", color=color, markersize=2.6, alpha=0.45, mew=0
        )
        deviation = summary.deviations[number]
        axes.errorbar(
            summary.means[number],
            number,
            xerr=None if np.isnan(deviation) else deviation,
            fmt="D",
            color=color,
            markersize=3.6,
            markeredgecolor="white",
            markeredgewidth=0.5,
            elinewidth=1.3,
        )


def _scale(sheet: PaperSheet, axes: Axes, summary: Summary, width: float) -> None:
    """Draw round numbers below the panel, as many as fit, and thin lines above them."""
    axes.margins(x=0.08)
    low, high = axes.get_xlim()
    # Values that the table prints alike must not look different.
    missing = max(0.0, 4.0 * 10.0**-summary.decimals - (high - low)) / 2.0
    low, high = low - missing, high + missing
    axes.set_xlim(low, high)
    values = _numbers(sheet, (low, high), width)
    axes.set_xticks(values, tick_texts(values))
    axes.grid(axis="x", color=LIGHT.grid, linewidth=0.5)
    axes.set_axisbelow(True)
    style_ticks(sheet, axes)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set(linewidth=0.5, edgecolor=LIGHT.axis)


def _numbers(sheet: PaperSheet, ends: tuple[float, float], width: float) -> list[float]:
    """Return as many round numbers as fit side by side, hardly beyond the panel."""
    every = []
    for most in range(1, MOST_TICKS + 2):
        values = ticks(*ends, most=most)
        wide = max((text_width(text, size=sheet.small) for text in tick_texts(values)), default=0.0)
        # In units of the scale.
        widest, over = ((wide + spare) * (ends[1] - ends[0]) / width for spare in (1.5, -ACROSS))
        inside = [one for one in values if ends[0] + 0.5 * over <= one <= ends[1] - 0.5 * over]
        if all(after - before >= widest for before, after in pairwise(inside)):
            every.append(inside)
    return max(every, key=len)
