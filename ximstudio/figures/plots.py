"""Curves over k and images of counts on paper, with axes in millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.images import draw_image, pixels_of, unpacked
from ximstudio.figures.parts import Bar, LegendLine, bar_width, draw_bar
from ximstudio.figures.sheet import MM_PER_POINT, PaperSheet, refuse_narrow, text_width
from ximstudio.maps.box import Box
from ximstudio.model.arrays import Floats
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.curves import RunCurves, run_colour, share_bounds, spread
from ximstudio.pictures.density import count_levels, density_table
from ximstudio.pictures.ticks import tick_texts, ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PADDING = 0.03
"""Margin beyond the ends of axes, relative to their length; as on the screen."""
TICK_POINTS, PAD_POINTS = 2.0, 1.6
"""Length of ticks, and distance to their numbers."""
CURVE = 1.0
"""Width of curves, in points."""
TICK_LINES = 2.2
"""Least distance of two ticks, in lines of their numbers; wider below a plot."""
NAMES_SHARE = 0.32
"""Largest share of a plot's width for the names of its curves."""
GAP = 1.0


def tick_room(sheet: PaperSheet) -> float:
    """Return the height of ticks and numbers below an axis."""
    return (TICK_POINTS + PAD_POINTS) * MM_PER_POINT + 0.8 * sheet.small_line


def left_room(sheet: PaperSheet, up: tuple[float, float], height: float, *, named: bool) -> float:
    """Return the width of the numbers and the name of an axis of this height, on its left."""
    texts = tick_texts(_ticks(sheet, up, height))
    widest = max((text_width(text, size=sheet.small) for text in texts), default=0.0)
    name = 1.05 * sheet.line if named else 0.0
    return widest + (TICK_POINTS + PAD_POINTS) * MM_PER_POINT + 0.3 + name


def below_room(sheet: PaperSheet) -> float:
    """Return the height of the numbers below a plot and the name of its axis."""
    return tick_room(sheet) + sheet.line


def draw_axes(
    sheet: PaperSheet,
    box: Box,
    *,
    across: tuple[float, float],
    up: tuple[float, float],
    names: tuple[str, str],
    label: str,
) -> Axes:
    """Draw axes with round numbers and names, over the given range."""
    refuse_narrow(box.right - box.left)
    axes = sheet.axes(box, label=label)
    axes.set(xlim=across, ylim=up)
    for values, places, set_ticks in (
        (_ticks(sheet, across, 0.7 * (box.right - box.left)), "bottom", axes.set_xticks),
        (_ticks(sheet, up, box.bottom - box.top), "left", axes.set_yticks),
    ):
        set_ticks(values, tick_texts(values))
        axes.spines[places].set(linewidth=0.5, edgecolor=LIGHT.axis)
    style_ticks(sheet, axes)
    axes.spines[["top", "right"]].set_visible(False)
    middle = box.bottom + tick_room(sheet) + 0.45 * sheet.line
    half = 0.5 * (box.left + box.right)
    sheet.text(half, middle, names[0], across="center", role="axis name")
    if names[1]:
        room = left_room(sheet, up, box.bottom - box.top, named=True)
        x = box.left - room + 0.5 * sheet.line
        # A name longer than its axis starts below it, rather than ending above.
        long = text_width(names[1], size=sheet.look.font_size)
        middle = max(0.5 * (box.top + box.bottom), box.top + 0.5 * long)
        sheet.text(x, middle, names[1], rotation=90.0, role="axis name")
    return axes


def style_ticks(sheet: PaperSheet, axes: Axes) -> None:
    """Give axes short ticks with small numbers."""
    axes.tick_params(
        length=TICK_POINTS,
        pad=PAD_POINTS,
        width=0.5,
        labelsize=sheet.small,
        color=LIGHT.axis,
        labelcolor=LIGHT.text,
    )


def run_entries(runs: Sequence[RunCurves], shown: str) -> tuple[LegendLine, ...]:
    """Return the legend of the runs; `shown` is the key of the emphasised run, '' for none."""
    return tuple(
        LegendLine(name=run.name, colour=curve_colour(number, run, shown), marker="s")
        for number, run in enumerate(runs)
    )


def curve_colour(number: int, run: RunCurves, shown: str) -> str:
    """Return the colour of a run's curves, as on the screen."""
    return run_colour(number, LIGHT, faint=bool(shown) and run.key != shown)


def names_room(sheet: PaperSheet, runs: Sequence[RunCurves], width: float, height: float) -> float:
    """Return the width of names at the ends of curves; 0 where they would take too much."""
    widest = max((text_width(run.name, size=sheet.small) for run in runs), default=0.0)
    fits = widest + GAP <= NAMES_SHARE * width and len(runs) * sheet.small_line <= height
    return widest + 2.0 * GAP if fits else 0.0


def draw_curves(
    sheet: PaperSheet, box: Box, runs: Sequence[RunCurves], part: str, *, shown: str, named: bool
) -> Axes:
    """Draw T(k) or C(k) of all runs in a box, with names at the ends of curves if wanted."""
    across, up = (
        (low - PADDING * (high - low), high + PADDING * (high - low))
        for low, high in share_bounds(runs)
    )
    axes = draw_axes(sheet, box, across=across, up=up, names=("neighbours k", ""), label=part)
    axes.grid(axis="y", color=LIGHT.grid, linewidth=0.5)
    axes.set_axisbelow(True)
    for number, run in enumerate(runs):
        values: Floats = getattr(run, part)
        k = np.arange(1, len(values) + 1)
        in_front = 3.0 if run.key == shown else 2.0
        (line,) = axes.plot(k, values, color=curve_colour(number, run, shown), linewidth=CURVE)
        line.set(label=run.name, zorder=in_front, solid_joinstyle="round")
        line.set_clip_on(False)
    if named:
        _write_names(sheet, box, runs, part, up, shown)
    return axes


def _write_names(
    sheet: PaperSheet,
    box: Box,
    runs: Sequence[RunCurves],
    part: str,
    up: tuple[float, float],
    shown: str,
) -> None:
    """Write the names of curves at their ends, moved apart where they would overlap."""
    height = box.bottom - box.top
    ends = np.array([getattr(run, part)[-1] for run in runs])
    wanted = height * (up[1] - ends) / (up[1] - up[0])
    placed = box.top + spread(wanted, 0.95 * sheet.small_line, height)
    for number, (run, y) in enumerate(zip(runs, placed.tolist(), strict=True)):
        x, ink = box.right + GAP, curve_colour(number, run, shown)
        sheet.text(x, y, run.name, size=sheet.small, colour=ink, role="curve name")


@dataclass(frozen=True, kw_only=True, eq=False)
class PaperCounts:
    """A plot of counts (x, y): the part of the plane, and the names of its axes and colours.

    `line` are places on a curve over the counts; None for no curve.
    """

    label: str
    title: str
    counts: Floats
    bounds: Box
    names: tuple[str, str]
    quantity: str
    line: tuple[Floats, Floats] | None = None

    @property
    def up(self) -> tuple[float, float]:
        """Return the range of the vertical axis."""
        return self.bounds.top, self.bounds.bottom

    @cached_property
    def bar(self) -> Bar:
        """Return the colour bar, which is logarithmic."""
        some = self.counts[self.counts > 0.0]
        low, high = (np.log10(some.min()), np.log10(some.max())) if some.size else (0.0, 1.0)
        table = unpacked(density_table(LIGHT))[1:, :3]
        return Bar(table=table, low=float(low), high=float(high), name=self.quantity)


def draw_counts(sheet: PaperSheet, box: Box, plot: PaperCounts) -> None:
    """Draw counts as an image, with a colour bar beside it."""
    bounds, right = plot.bounds, box.right - bar_width(sheet, plot.bar) - 2.0 * GAP
    inner = box._replace(right=right)
    across = (bounds.left, bounds.right)
    axes = draw_axes(sheet, inner, across=across, up=plot.up, names=plot.names, label=plot.label)
    draw_image(
        axes,
        unpacked(density_table(LIGHT))[count_levels(plot.counts)].transpose(1, 0, 2),
        extent=(*across, *plot.up),
        pixels=pixels_of(sheet, inner),
        upwards=True,
    )
    draw_bar(sheet, plot.bar, right + 2.0 * GAP, inner.top, inner.bottom - inner.top)
    if plot.line is not None:
        axes.plot(*plot.line, color=LIGHT.series[1], linewidth=1.0, label="fit")


def _ticks(sheet: PaperSheet, ends: tuple[float, float], length: float) -> list[float]:
    """Return round numbers, at least two: a single one is no scale."""
    most = max(2, min(6, int(length / (TICK_LINES * sheet.small_line))))
    found = (ticks(*ends, most=number) for number in range(most, most + 4))
    return next((values for values in found if len(values) > 1), list(ends))
