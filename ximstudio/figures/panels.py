"""Layout of panels side by side in rows, and of small pictures of one shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from ximstudio.figures.parts import letter, letter_width
from ximstudio.figures.sheet import (
    ELLIPSIS,
    PAGE_MM,
    PaperSheet,
    cut,
    one_line,
    refuse_narrow,
    text_width,
)
from ximstudio.maps.box import Box

BETWEEN = 4.0
"""Gap between two panels, in millimetres."""
LEAST_PANEL, MOST_PANEL = 30.0, 95.0
"""Least and largest width of panels, in millimetres."""
TALLEST = 1.3
"""Largest ratio of height to width of panels."""
LEAST_HIGH = 12.0
"""Least height of panels, in millimetres."""
MOST_LINES = 2
"""Lines of small text above a panel."""


@dataclass(frozen=True, kw_only=True)
class Heading:
    """Heading of a panel: a name, and below it parts of small text."""

    name: str
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PanelLayout:
    """Layout of panels.

    Parameters
    ----------
    heads, boxes
        Left and top of every heading, and the rectangle below it.
    right, bottom
        Where all of them end.
    """

    heads: tuple[tuple[float, float], ...]
    boxes: tuple[Box, ...]
    right: float
    bottom: float


def columns_for(n: int, width: float) -> int:
    """Return how many of n panels stand in a row of this width, in millimetres."""
    most = min(max(int((width + BETWEEN) / (LEAST_PANEL + BETWEEN)), 1), 4)
    # Fill the rows as evenly as possible.
    return ceil(n / ceil(n / most))


def arranged(
    sheet: PaperSheet,
    sights: Sequence[Box],
    width: float,
    headings: Sequence[Heading],
    *,
    after_first: float = 0.0,
    lowest: float = PAGE_MM,
) -> PanelLayout:
    """Arrange panels of equal width for drawings of these shapes, row by row, above `lowest`.

    Where the page is too low for so many rows, more panels stand in a row.
    `after_first` is room that is left free beside the first panel of every row.
    """
    tried = _tried(sheet, sights, width, headings, lowest - sheet.top)
    rows = max(tried, key=lambda one: (one.smallest, one.columns))
    top = sheet.top
    heads: list[tuple[float, float]] = []
    boxes: list[Box] = []
    for number in range(len(sights)):
        row, column = divmod(number, rows.columns)
        if row and not column:
            top += rows.head + rows.heights[row - 1] + BETWEEN
        left = sheet.left + column * (rows.wide + BETWEEN) + (after_first if column else 0.0)
        begin = top + rows.head
        heads.append((left, top))
        boxes.append(Box(left, begin, left + rows.wide, begin + rows.heights[row]))
    right = sheet.left + rows.columns * (rows.wide + BETWEEN) - BETWEEN
    return PanelLayout(heads=tuple(heads), boxes=tuple(boxes), right=right, bottom=boxes[-1].bottom)


@dataclass(frozen=True, kw_only=True)
class _Rows:
    """Panels with a number in a row: widths, heights of rows, and the text above them.

    `smallest` is the width of the smallest drawing.
    """

    columns: int
    wide: float
    head: float
    heights: tuple[float, ...]
    smallest: float


def _tried(
    sheet: PaperSheet, sights: Sequence[Box], width: float, headings: Sequence[Heading], room: float
) -> Iterator[_Rows]:
    """Try as many in a row as suit the width, and more, as long as names fit."""
    first = columns_for(len(sights), width)
    names = max(text_width(one.name, size=sheet.look.font_size) for one in headings)
    for columns in range(first, len(sights) + 1):
        wide = min((width - (columns - 1) * BETWEEN) / columns, MOST_PANEL)
        beside = wide - letter_width(sheet)
        if columns > first and beside < names:
            return
        lines = max(len(_lines(sheet, one, beside)) for one in headings)
        head = 1.1 * sheet.line + lines * sheet.small_line
        rows = ceil(len(sights) / columns)
        highest = max((room + BETWEEN) / rows - head - BETWEEN, LEAST_HIGH)
        shapes = [
            max(_shape(one) for one in sights[row * columns : (row + 1) * columns])
            for row in range(rows)
        ]
        heights = tuple(min(wide * min(shape, TALLEST), highest) for shape in shapes)
        sizes = (high / shape for high, shape in zip(heights, shapes, strict=True))
        smallest = min(wide, *sizes)
        yield _Rows(columns=columns, wide=wide, head=head, heights=heights, smallest=smallest)


def _shape(sight: Box) -> float:
    return (sight.bottom - sight.top) / (sight.right - sight.left)


def _lines(sheet: PaperSheet, heading: Heading, room: float) -> list[str]:
    """Wrap the text below the name into lines; "…" stands for the rest."""
    lines: list[str] = []
    for part in heading.parts:
        joined = f"{lines[-1]}, {part}" if lines else part
        full = len(lines) == MOST_LINES
        if lines and (full or text_width(joined, size=sheet.small) <= room):
            lines[-1] = joined
        else:
            lines.append(part)
    return [cut(line, room, size=sheet.small) for line in lines]


def draw_headings(sheet: PaperSheet, places: PanelLayout, headings: Sequence[Heading]) -> None:
    """Draw the letter of every panel, its name beside it, and its small text below."""
    beside = letter_width(sheet)
    for number, ((left, top), heading) in enumerate(zip(places.heads, headings, strict=True)):
        box = places.boxes[number]
        room = box.right - left - beside
        middle = top + 0.5 * sheet.line
        letter(sheet, number, left, middle)
        name = cut(heading.name, room, size=sheet.look.font_size)
        sheet.text(left + beside, middle, name, role="panel name")
        below = middle + 0.5 * (sheet.line + sheet.small_line)
        for place, text in enumerate(_lines(sheet, heading, room)):
            y = below + place * sheet.small_line
            sheet.small_text(left + beside, y, text, muted=True, role="panel line")


ACROSS, DOWN = 1.6, 2.0
"""Gaps between pictures side by side and one below the other, in millimetres."""
WIDEST, NARROWEST = 44.0, 9.0
"""Largest and least width of a picture, in millimetres."""


@dataclass(frozen=True, kw_only=True)
class Multiples:
    """Pictures in rows from left to right, each with text above and below.

    `n_drawn` is the number of pictures that fit.
    """

    corner: tuple[float, float]
    columns: int
    n_drawn: int
    width: float
    height: float
    above: float
    below: float

    def box(self, number: int) -> Box:
        """Return the box of a picture, without its texts."""
        row, column = divmod(number, self.columns)
        left = self.corner[0] + column * (self.width + ACROSS)
        top = self.corner[1] + row * self._step + self.above
        return Box(left, top, left + self.width, top + self.height)

    @property
    def right(self) -> float:
        """Return where the last column ends."""
        return self.corner[0] + self.columns * (self.width + ACROSS) - ACROSS

    @property
    def bottom(self) -> float:
        """Return where the last row ends."""
        return self.corner[1] + ceil(self.n_drawn / self.columns) * self._step - DOWN

    @property
    def _step(self) -> float:
        return self.above + self.height + self.below + DOWN


def multiples(
    n_pictures: int,
    corner: tuple[float, float],
    *,
    room: tuple[float, float],
    aspect: float,
    above: float = 0.0,
    below: float = 0.0,
    columns: int = 0,
    narrowest: float = NARROWEST,
) -> Multiples:
    """Lay out the largest pictures that all fit into a width and height; else as many as do.

    `aspect` is height divided by width of a picture; `columns` are wanted in a row, if they fit.
    """
    wide, high = room
    refuse_narrow(wide, narrowest)
    most = max(1, int((wide + ACROSS) / (narrowest + ACROSS)))
    fewest = min(ceil((wide + ACROSS) / (WIDEST + ACROSS)), most)

    def laid(number: int, widest: float = WIDEST) -> Multiples:
        width = min((wide + ACROSS) / number - ACROSS, widest)
        height = width * aspect
        rows = max(1, int((high + DOWN) / (above + height + below + DOWN) + 1e-9))
        return Multiples(
            corner=corner,
            columns=number,
            n_drawn=min(n_pictures, rows * number),
            width=width,
            height=height,
            above=above,
            below=below,
        )

    # Fewer columns if the rows stay as many: four and four, not six and two.
    evened = (ceil(n_pictures / ceil(n_pictures / n)) for n in range(fewest, most + 1))
    made = [laid(number) for number in evened]
    if 0 < columns <= most:
        # Smaller pictures are better than changed rows.
        row = (high + DOWN) / ceil(n_pictures / columns)
        width = (row - above - below - DOWN) / aspect - 1e-6
        if width >= narrowest:
            made.insert(0, laid(columns, min(width, WIDEST)))
    fitting = (one for one in made if one.n_drawn == n_pictures)
    return next(fitting, laid(most))


def cut_middle(text: str, widest: float, *, size: float) -> str:
    """Cut a text to a width in millimetres by leaving out its middle, as on the screen."""
    text = one_line(text)
    if text_width(text, size=size) <= widest:
        return text
    for n in range(len(text) - 1, 1, -1):
        head = ceil(n / 2)
        short = text[:head].rstrip() + ELLIPSIS + text[len(text) - (n - head) :].lstrip()
        if text_width(short, size=size) <= widest:
            return short
    return text[:1] + ELLIPSIS
