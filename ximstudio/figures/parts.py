"""Parts that figures share: letters of panels, legends of classes, and colour bars.

They are drawn on a `PaperSheet`, in millimetres.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import isfinite
from string import ascii_lowercase
from typing import TYPE_CHECKING, Self

import numpy as np

from ximstudio.figures.sheet import CAPITAL, MM_PER_POINT, PaperSheet, one_line, text_width, wrapped
from ximstudio.maps.box import Box
from ximstudio.maps.classes import Classes
from ximstudio.model.arrays import Bools
from ximstudio.model.problem import UserError
from ximstudio.model.words import grouped
from ximstudio.pictures.canvas import CanvasPicture
from ximstudio.pictures.colouring import class_colours
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.ticks import number_text, tick_texts, ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ximstudio.pictures.raster.frame import Bytes


GAP = 2.5
"""Gap between a plot and its key, in millimetres."""
THIN_LINE = 0.5
"""Width of frames and ticks, in points."""
BESIDE = 0.34
"""Largest share of a figure's width for a legend beside its plots."""
LONGEST = 200.0
"""Largest height of a legend beside plots, in millimetres; a longer one goes below."""
BAR, LONGEST_BAR, SHORTEST_BAR = 2.8, 48.0, 18.0
"""Width of a colour bar, and its largest and least height, in millimetres."""
NAME = 29.0
"""Least length for the name of a bar, however short the bar is."""
TICK = 0.8
NUMBERS_LEFT = BAR + TICK + 0.6
"""Distance from the left of a bar to its numbers."""
TICK_LINES = 1.9
"""Least distance of two ticks, in lines of text."""


def nothing_to_draw(what: str, *, where: str, way_out: str) -> UserError:
    """Return the error of a figure that would be empty."""
    return UserError(key="figure.nothing", what=what, where=where, way_out=way_out)


def letter_of(number: int) -> str:
    """Return the letter of a panel, from 0: a to z, and then aa, ab, …"""
    before, own = divmod(number, len(ascii_lowercase))
    return (letter_of(before - 1) if before else "") + ascii_lowercase[own]


def letter(sheet: PaperSheet, number: int, x: float, middle: float) -> None:
    """Draw the letter of a panel, from 0: bold and small, as journals want it."""
    size = sheet.look.font_size + 1.0
    sheet.text(x, middle, letter_of(number), size=size, bold=True, role="letter")


def letter_width(sheet: PaperSheet) -> float:
    """Return the width of a letter with the gap beside it."""
    return text_width("m", size=sheet.look.font_size + 1.0, bold=True) + 0.8


# Legends


@dataclass(frozen=True, kw_only=True)
class LegendLine:
    """A line of a legend; `marker` and `hollow` determine its mark."""

    name: str
    colour: str
    count: int | None = None
    marker: str = "o"
    hollow: bool = False


def class_entries(classes: Classes, hidden: Collection[str] = ()) -> list[LegendLine]:
    """Return the visible classes in the order of the screen."""
    rows = zip(classes.names, class_colours(classes, LIGHT), classes.counts.tolist(), strict=True)
    return [
        LegendLine(name=one_line(name) or "no label", colour=colour, count=count)
        for name, colour, count in rows
        if name not in hidden
    ]


def visible(classes: Classes, hidden: Collection[str]) -> Bools:
    """Return which classes are not hidden, (K,)."""
    return np.array([name not in hidden for name in classes.names], dtype=np.bool_)


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A colour bar.

    Parameters
    ----------
    table, low, high
        Its colours (k, 3), and the numbers at its ends.
    name
        Name of the numbers.
    blank
        Text beside the swatch for missing numbers; '' for no swatch.
    blank_colour
        The colour of that swatch.
    """

    table: Bytes
    low: float
    high: float
    name: str = ""
    blank: str = ""
    blank_colour: str = LIGHT.empty

    @classmethod
    def of(
        cls, picture: CanvasPicture, *, name: str, blank: str, blank_colour: str = LIGHT.empty
    ) -> Self | None:
        """Return the bar of a picture whose colours are numbers, else None."""
        scale, palette, values = picture.scale, picture.palette, picture.values
        if scale is None or palette is None:
            return None
        blanks = values is not None and bool(np.isnan(values).any())
        return cls(
            table=palette.table,
            low=scale.low,
            high=scale.high,
            name=name,
            blank=blank if blanks else "",
            blank_colour=blank_colour,
        )


@dataclass(frozen=True, kw_only=True)
class ColourKey:
    """Key to the colours: a bar, a legend, both, or nothing.

    A `wide` one has its legend below the plots, whatever there is room for.
    """

    bar: Bar | None = None
    entries: tuple[LegendLine, ...] = ()
    title: str = ""
    wide: bool = False

    def width_beside(self, sheet: PaperSheet) -> float:
        """Return the width beside plots, with the gap; 0 if there is nothing beside them."""
        bar = 0.0 if self.bar is None else bar_width(sheet, self.bar)
        legend = self._column(sheet) if self.beside(sheet) else 0.0
        widest = max(bar, legend)
        return GAP + widest if widest else 0.0

    def beside(self, sheet: PaperSheet) -> bool:
        """Return whether the legend stands beside plots, not below them."""
        if self.wide or not self.entries:
            return False
        high = len(self.entries) * sheet.small_line
        return self._column(sheet) + GAP <= BESIDE * sheet.width and high <= LONGEST

    def draw(self, sheet: PaperSheet, box: Box, *, axis: float = 0.0) -> float:
        """Draw it around plots in a box, with an axis of that height below; return the end."""
        ended = self.draw_beside(sheet, box.right + GAP, box.top, box.bottom - box.top)
        end = max(ended if self.width_beside(sheet) else 0.0, box.bottom + axis)
        return self.draw_below(sheet, sheet.left, end, sheet.right - sheet.left)

    def draw_beside(self, sheet: PaperSheet, left: float, top: float, height: float) -> float:
        """Draw the part beside plots of this height, the bar below the legend; return its end."""
        bottom, end = top, top + height
        if self.beside(sheet):
            width = self._column(sheet)
            bottom = draw_legend(sheet, self.entries, left, top, width, title=self.title)
            top = bottom + 1.5 * GAP
        if self.bar is not None:
            bottom = draw_bar(sheet, self.bar, left, top, bar_height(end - top))
        return bottom

    def draw_below(self, sheet: PaperSheet, left: float, top: float, width: float) -> float:
        """Draw the legend if it belongs below plots; return where it ends."""
        if not self.entries or self.beside(sheet):
            return top
        return draw_legend(sheet, self.entries, left, top + GAP, width, title=self.title)

    def height_below(self, sheet: PaperSheet, width: float) -> float:
        """Return the height below plots, with the gap; 0 if there is nothing below them."""
        # Draw on a scratch sheet to count the lines of names.
        return self.draw_below(PaperSheet(sheet.look), 0.0, 0.0, width)

    def _column(self, sheet: PaperSheet) -> float:
        own = max((_entry_width(sheet, entry, self.entries) for entry in self.entries), default=0.0)
        return max(own, text_width(self.title, size=sheet.small, bold=True)) if own else 0.0


def draw_legend(
    sheet: PaperSheet,
    entries: Sequence[LegendLine],
    left: float,
    top: float,
    width: float,
    *,
    title: str = "",
) -> float:
    """List entries in as many columns as fit, each from top to bottom; return the end."""
    bottom = top
    if title:
        for line in wrapped(title, width, size=sheet.small, bold=True):
            middle = bottom + 0.5 * sheet.small_line
            sheet.small_text(left, middle, line, bold=True, role="legend title")
            bottom += sheet.small_line
        bottom += 0.15 * sheet.small_line
    if not entries:
        return bottom
    rows, widths = _arranged(sheet, entries, width)
    alone = len(widths) == 1
    x, lowest = left, bottom
    for column, wide in enumerate(widths):
        y = bottom
        for entry in entries[column * rows : (column + 1) * rows]:
            y = _draw_entry(sheet, entry, x, y, wide, counts=entries, aligned=alone)
        lowest = max(lowest, y)
        x += wide + _between(sheet)
    return lowest


def _arranged(
    sheet: PaperSheet, entries: Sequence[LegendLine], width: float
) -> tuple[int, list[float]]:
    """Return the number of rows, and the width of every column: as many as fit."""
    own = [_entry_width(sheet, entry, entries) for entry in entries]
    between = _between(sheet)
    for rows in range(1, len(own) + 1):
        widths = [max(own[first : first + rows]) for first in range(0, len(own), rows)]
        if sum(widths) + between * (len(widths) - 1) <= width + 1e-9:
            return rows, widths
    return len(own), [min(max(own), width)]


def _between(sheet: PaperSheet) -> float:
    return 1.1 * sheet.small_line


def _indent(sheet: PaperSheet) -> float:
    """Return the distance from the left of a mark to the name beside it."""
    return 0.95 * sheet.small_line


def _counts_width(sheet: PaperSheet, entries: Sequence[LegendLine]) -> float:
    texts = [grouped(entry.count) for entry in entries if entry.count is not None]
    widest = max((text_width(text, size=sheet.small) for text in texts), default=0.0)
    return widest + 0.5 * sheet.small_line if texts else 0.0


def _entry_width(sheet: PaperSheet, entry: LegendLine, entries: Sequence[LegendLine]) -> float:
    name = text_width(entry.name, size=sheet.small)
    return _indent(sheet) + name + _counts_width(sheet, entries)


def _draw_entry(
    sheet: PaperSheet,
    entry: LegendLine,
    left: float,
    top: float,
    width: float,
    *,
    counts: Sequence[LegendLine],
    aligned: bool,
) -> float:
    """Draw a mark, a name in its lines, and a number to the right or behind it."""
    middle = top + 0.5 * sheet.small_line
    draw_mark(sheet, entry, left + 0.4 * _indent(sheet), middle)
    room = width - _indent(sheet) - _counts_width(sheet, counts)
    lines = wrapped(entry.name, room + 1e-6, size=sheet.small)
    for number, line in enumerate(lines):
        below = middle + number * sheet.small_line
        sheet.small_text(left + _indent(sheet), below, line, role="legend name")
    if entry.count is not None:
        behind = text_width(lines[0], size=sheet.small) + 0.45 * sheet.small_line
        x = left + (width if aligned else _indent(sheet) + behind)
        across, count = "right" if aligned else "left", grouped(entry.count)
        sheet.small_text(x, middle, count, muted=True, across=across, role="legend count")
    return top + len(lines) * sheet.small_line


def draw_mark(sheet: PaperSheet, entry: LegendLine, x: float, y: float) -> None:
    """Draw the mark of an entry."""
    size = 0.72 * sheet.small
    (mark,) = sheet.paper.plot(
        [x],
        [y],
        entry.marker,
        markersize=size,
        markerfacecolor=LIGHT.surface if entry.hollow else entry.colour,
        markeredgecolor=entry.colour,
        markeredgewidth=0.9 if entry.hollow else 0.0,
        clip_on=False,
    )
    mark.set_label("legend mark")


# Colour bars


def bar_width(sheet: PaperSheet, bar: Bar) -> float:
    """Return the width of a bar with its numbers and name."""
    n_lines = len(_name_lines(sheet, bar, NAME))
    name = (n_lines + 0.15) * sheet.line if n_lines else 0.0
    return NUMBERS_LEFT + _numbers_width(sheet, bar) + name


def bar_height(room: float) -> float:
    """Return the height of a bar beside drawings of this height."""
    return min(max(room, SHORTEST_BAR), LONGEST_BAR)


def draw_bar(sheet: PaperSheet, bar: Bar, left: float, top: float, height: float) -> float:
    """Draw a vertical bar with round numbers and its name on the right; return its end."""
    swatch = 1.6 * sheet.small_line if bar.blank else 0.0
    above, below = _spare(sheet, bar, height - swatch)
    box = Box(left, top + above, left + BAR, top + height - swatch - below)
    axes = sheet.axes(box, label="colour bar")
    axes.imshow(
        np.asarray(bar.table, dtype=np.uint8)[:, None, :3],
        origin="lower",
        aspect="auto",
        extent=(0.0, 1.0, 0.0, 1.0),
        interpolation="nearest",
    )
    thin_frame(axes)
    long = box.bottom - box.top
    numbers = left + NUMBERS_LEFT
    for value, text in _bar_ticks(sheet, bar, long):
        share = (value - bar.low) / ((bar.high - bar.low) or 1.0)
        y = box.bottom - min(max(share, 0.0), 1.0) * long
        thin_line(sheet, [box.right, box.right + TICK], [y, y])
        sheet.small_text(numbers, y, text, role="bar number")
    if bar.blank:
        _draw_blank(sheet, bar, box)
    end = _draw_bar_name(sheet, bar, numbers + _numbers_width(sheet, bar), box)
    return max(top + height, end)


def _spare(sheet: PaperSheet, bar: Bar, height: float) -> tuple[float, float]:
    """Return the space above and below a bar for numbers at its ends."""
    half = 0.5 * CAPITAL * sheet.small * MM_PER_POINT
    span = (bar.high - bar.low) or 1.0
    shares = [(value - bar.low) / span for value, _ in _bar_ticks(sheet, bar, height)]
    first, last = min(shares, default=0.5), max(shares, default=0.5)
    at_end, at_start = (1.0 - last) * height < half, first * height < half
    # Figures have no descenders, but their line has.
    low = half + 0.25 * sheet.small * MM_PER_POINT
    return (half if at_end else 0.0), (low if at_start else 0.0)


def thin_line(sheet: PaperSheet, x: list[float], y: list[float]) -> None:
    """Draw a hairline on the page."""
    sheet.paper.plot(x, y, "-", color=LIGHT.axis, linewidth=THIN_LINE)


def thin_frame(axes: Axes, colour: str = LIGHT.axis) -> None:
    """Draw a hairline around axes."""
    for spine in axes.spines.values():
        spine.set(linewidth=THIN_LINE, edgecolor=colour)


def _draw_blank(sheet: PaperSheet, bar: Bar, box: Box) -> None:
    from matplotlib.patches import Rectangle

    high = min(BAR, 0.8 * sheet.small_line)
    top = box.bottom + 0.75 * sheet.small_line
    swatch = Rectangle((box.left, top), BAR, high)
    swatch.set(facecolor=bar.blank_colour, edgecolor=LIGHT.axis, linewidth=THIN_LINE)
    sheet.paper.add_patch(swatch)
    middle = top + 0.5 * high
    sheet.small_text(box.left + NUMBERS_LEFT, middle, bar.blank, role="bar blank")


def _draw_bar_name(sheet: PaperSheet, bar: Bar, left: float, box: Box) -> float:
    """Write the name along the bar, in as many lines as it needs; return where it ends."""
    lines = _name_lines(sheet, bar, box.bottom - box.top)
    longest = max((text_width(line, size=sheet.look.font_size) for line in lines), default=0.0)
    # A name longer than its bar continues below it.
    middle = box.top + 0.5 * max(box.bottom - box.top, longest)
    for number, line in enumerate(lines):
        x = left + (number + 0.6) * sheet.line
        sheet.text(x, middle, line, rotation=90.0, role="bar name")
    return box.top + longest


def _name_lines(sheet: PaperSheet, bar: Bar, height: float) -> list[str]:
    room = max(height, NAME)
    return wrapped(bar.name, room, size=sheet.look.font_size) if bar.name else []


def _numbers_width(sheet: PaperSheet, bar: Bar) -> float:
    # Names of a low bar may be longer.
    texts = [
        text for high in (SHORTEST_BAR, LONGEST_BAR) for _, text in _bar_ticks(sheet, bar, high)
    ]
    texts.append(bar.blank)
    return max(text_width(text, size=sheet.small) for text in texts)


def _bar_ticks(sheet: PaperSheet, bar: Bar, height: float) -> list[tuple[float, str]]:
    """Return the numbers of a bar as on the screen: round ones, or both ends if only one is."""
    if not (isfinite(bar.low) and isfinite(bar.high)):
        return []
    most = max(2, min(7, int(height / (TICK_LINES * sheet.small_line)) + 1))
    values = ticks(bar.low, bar.high, most=most)
    if len(values) < 2:
        return [(end, number_text(end, digits=2)) for end in (bar.low, bar.high)]
    return list(zip(values, tick_texts(values), strict=True))


def legend_height(
    sheet: PaperSheet, entries: Sequence[LegendLine], width: float, *, title: str = ""
) -> float:
    """Return the height that `draw_legend` needs for these entries at this width."""
    # Draw on a scratch sheet to count the lines of names.
    return draw_legend(PaperSheet(sheet.look), entries, 0.0, 0.0, width, title=title)
