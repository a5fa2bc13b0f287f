"""Panels side by side: how many in a row, and where each of them lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from ximstudio.figures.parts import letter, letter_width
from ximstudio.figures.sheet import PAGE_MM, Sheet, cut
from ximstudio.maps.box import Box
from ximstudio.pictures.colours import LIGHT

BETWEEN = 4.0
"""Between two panels, in millimetres."""
LEAST_PANEL, MOST_PANEL = 30.0, 95.0
"""Width of panels, in millimetres: more in a row would be smaller, and one alone no larger."""
TALLEST = 1.3
"""Height of panels, of their width, at the most."""


@dataclass(frozen=True, kw_only=True)
class Heading:
    """What stands above a panel: a name, and a line of small text."""

    name: str
    line: str = ""


@dataclass(frozen=True, kw_only=True)
class Arranged:
    """Where panels lie.

    Parameters
    ----------
    heads, boxes
        Where the heading of each begins, left and top, and the rectangle below it.
    right, bottom
        Where all of them end.
    """

    heads: tuple[tuple[float, float], ...]
    boxes: tuple[Box, ...]
    right: float
    bottom: float


def columns_for(n: int, width: float) -> int:
    """How many panels of n stand in a row of so many millimetres."""
    most = min(max(int((width + BETWEEN) / (LEAST_PANEL + BETWEEN)), 1), 4)
    # As many in every row as far as may be.
    return ceil(n / ceil(n / most))


def arranged(
    sheet: Sheet,
    sights: Sequence[Box],
    width: float,
    headings: Sequence[Heading],
    *,
    after_first: float = 0.0,
) -> Arranged:
    """Panels of equal width for drawings of these shapes, row by row.

    `after_first` is room that is left free beside the first panel of every row.
    """
    columns = columns_for(len(sights), width)
    rows = ceil(len(sights) / columns)
    wide = min((width - (columns - 1) * BETWEEN) / columns, MOST_PANEL)
    head = 1.1 * sheet.line + (sheet.small_line if any(one.line for one in headings) else 0.0)
    highest = (PAGE_MM - sheet.top) / rows - head - BETWEEN
    top = sheet.top
    heads: list[tuple[float, float]] = []
    boxes: list[Box] = []
    for row in range(rows):
        own = sights[row * columns : (row + 1) * columns]
        shape = max((one.bottom - one.top) / (one.right - one.left) for one in own)
        high = min(wide * min(shape, TALLEST), highest)
        for column in range(len(own)):
            left = sheet.left + column * (wide + BETWEEN) + (after_first if column else 0.0)
            heads.append((left, top))
            boxes.append(Box(left, top + head, left + wide, top + head + high))
        top += head + high + BETWEEN
    right = sheet.left + columns * (wide + BETWEEN) - BETWEEN
    return Arranged(heads=tuple(heads), boxes=tuple(boxes), right=right, bottom=boxes[-1].bottom)


def draw_headings(sheet: Sheet, places: Arranged, headings: Sequence[Heading]) -> None:
    """The letter of every panel, its name beside it, and its line below."""
    beside = letter_width(sheet)
    for number, ((left, top), heading) in enumerate(zip(places.heads, headings, strict=True)):
        box = places.boxes[number]
        room = box.right - left - beside
        middle = top + 0.5 * sheet.line
        letter(sheet, number, left, middle)
        name = cut(heading.name, room, size=sheet.look.font_size)
        sheet.text(left + beside, middle, name, role="panel name")
        if heading.line:
            below = middle + 0.5 * (sheet.line + sheet.small_line)
            text = cut(heading.line, room, size=sheet.small)
            sheet.text(
                left + beside,
                below,
                text,
                size=sheet.small,
                colour=LIGHT.muted,
                role="panel line",
            )
