"""Layout of small pictures of one shape on a page."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from ximstudio.figures.sheet import ELLIPSIS, one_line, refuse_narrow, text_width
from ximstudio.maps.box import Box

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

    made = [laid(_evened(n_pictures, number)) for number in range(fewest, most + 1)]
    if 0 < columns <= most:
        # Smaller pictures are better than changed rows.
        row = (high + DOWN) / ceil(n_pictures / columns)
        width = (row - above - below - DOWN) / aspect - 1e-6
        if width >= narrowest:
            made.insert(0, laid(columns, min(width, WIDEST)))
    fitting = (one for one in made if one.n_drawn == n_pictures)
    return next(fitting, laid(most))


def _evened(n_pictures: int, columns: int) -> int:
    """Return fewer columns if the rows stay as many: four and four, not six and two."""
    rows = ceil(n_pictures / columns)
    return ceil(n_pictures / rows)


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
