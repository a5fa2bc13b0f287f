"""The figure of a comparison: one panel per measure, every run a dot."""

from __future__ import annotations

import textwrap
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.look import MM_PER_INCH, Look, on_paper
from ximstudio.figures.sheet import SMALLEST
from ximstudio.maps.palettes import OKABE_ITO
from ximstudio.measure.catalogue import Better
from ximstudio.measure.comparison import Comparison, Summary
from ximstudio.model.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS, PANEL_MM = 4, 42.0
"""Panels in a row at the most: the report's four measures are the first; and their width."""
METHOD_MM, LEAST_METHOD_MM, AROUND_MM, MARGINS_MM = 5.0, 3.0, 19.0, 16.0
"""Height of a method in a panel, of all else in a panel, and of title and legend."""
PAGE_MM = 235.0
"""Height of a printed page: methods move closer together to stay on it."""
TITLE_LETTERS, PANEL_LETTERS = 95, 24
BEST, PLAIN, FAINT = OKABE_ITO[0], "#666666", "#DCEBF5"
BETTER = {Better.HIGHER: "higher is better →", Better.LOWER: "← lower is better"}
GOLDEN = 0.6180339887
"""Multiples of it, without their whole part, never cluster."""


def comparison_figure(comparison: Comparison, *, title: str, look: Look | None = None) -> Figure:
    """All measures of all methods: runs as dots, mean, standard deviation, the best shaded."""
    from matplotlib.figure import Figure

    look = Look() if look is None else look
    summaries = comparison.summaries
    columns = min(COLUMNS, max(1, round(look.width_mm / PANEL_MM)), max(1, len(summaries)))
    rows = max(1, ceil(len(summaries) / columns))
    names = [method.name for method in comparison.methods]
    # Letters that fit across the page, of those at the usual width and size.
    share = look.width_mm / 174.0 * 8.0 / look.font_size
    room = ((PAGE_MM - MARGINS_MM) / rows - AROUND_MM) / len(names)
    method_mm = min(max(room, LEAST_METHOD_MM), METHOD_MM)
    height = rows * (AROUND_MM + method_mm * len(names)) + MARGINS_MM
    with on_paper(look):
        figure = Figure(
            figsize=(look.width_mm / MM_PER_INCH, height / MM_PER_INCH), layout="constrained"
        )
        # Names are names: "$" is not the beginning of a formula.
        title = "\n".join(textwrap.wrap(title, max(round(TITLE_LETTERS * share), 1)))
        figure.suptitle(title, fontsize=look.font_size + 1, parse_math=False)
        panels = figure.subplots(rows, columns, sharey=True, squeeze=False).ravel()
        for number, (axes, summary) in enumerate(zip(panels, summaries, strict=False)):
            several = number < len(comparison.measures) and comparison.n_runs > 1
            runs = comparison.values[:, :, number] if several else np.empty((len(names), 0))
            _draw(axes, summary, runs, small=max(look.font_size - 1.5, SMALLEST))
        for axes in panels[len(summaries) :]:
            axes.set_axis_off()
        panels[0].set_yticks(range(len(names)), names)
        panels[0].set_ylim(len(names) - 0.5, -0.5)
        _add_legend(figure, comparison.n_runs)
        return figure


def _draw(axes: Axes, summary: Summary, runs: Floats, *, small: float) -> None:
    """One measure: methods from top to bottom, values from left to right."""
    from matplotlib.ticker import MaxNLocator

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
    axes.set_title(
        "\n".join(textwrap.wrap(summary.definition.title, PANEL_LETTERS)), parse_math=False
    )
    axes.set_xlabel(BETTER.get(summary.definition.better, ""), fontsize=small)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=4, steps=[1, 2, 5, 10]))
    axes.ticklabel_format(axis="x", scilimits=(-2, 5), useOffset=False)
    axes.margins(x=0.08)
    low, high = axes.get_xlim()
    # What the table prints alike must not look different.
    missing = max(0.0, 4.0 * 10.0**-summary.decimals - (high - low)) / 2.0
    axes.set_xlim(low - missing, high + missing)
    axes.grid(axis="x", color="#EEEEEE", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.tick_params(length=2.0, width=0.5)
    axes.tick_params(axis="y", length=0.0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _add_legend(figure: Figure, n_runs: int) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    mean = Line2D([], [], color=PLAIN, marker="D", markersize=3.6, linewidth=0)
    run = Line2D([], [], color=PLAIN, marker="o", markersize=2.6, alpha=0.45, mew=0, linewidth=0)
    shades = {"best": Patch(facecolor=FAINT)}
    if n_runs > 1:
        handles = {"a run": run, "mean": mean, "± standard deviation": Line2D([], [], color=PLAIN)}
    else:
        handles = {"the only run": mean}
    entries = handles | shades
    figure.legend(
        entries.values(),
        entries.keys(),
        loc="outside lower center",
        ncols=len(entries),
        frameon=False,
    )
