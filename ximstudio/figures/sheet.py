"""A sheet of paper: axes and texts in millimetres, and a height that follows from them."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ximstudio.figures.fonts import printable
from ximstudio.figures.look import DOUBLE_MM, MM_PER_INCH, Look
from ximstudio.maps.box import Box
from ximstudio.model.problem import UserError
from ximstudio.pictures.colours import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

MM_PER_POINT = MM_PER_INCH / 72.0
POINTS_PER_PIXEL = 0.75
"""Conversion of screen sizes, at 96 pixels per inch, to paper."""
PAGE_MM = 235.0
"""Height of a printed page: what would be higher becomes narrower, or is refused."""
TOO_HIGH = "figure.high"
MARGIN = 0.5
"""Margin on all sides, in millimetres: lines have a width."""
SMALLEST = 5.0
"""Smallest type that journals print, in points."""
LINE = 1.3
"""Distance between lines, in sizes of the type."""
CAPITAL = 0.73
"""Height of a capital letter, in sizes of the type."""
ELLIPSIS = "…"
BREAKS = re.compile("[^\\S\u00a0\u2007\u202f]+")
"""Spaces at which a line may break: not those within numbers, such as thin ones."""
ABOVE_PLOTS = 10.0
NARROWEST = 5.0
"""Least size of a plot beside its key, in millimetres."""


class PaperSheet:
    """A page whose width is given, and whose height is known when everything is on it.

    Everything is placed in millimetres from the upper left corner, y downwards. Texts and keys are
    drawn on `paper`, axes that cover the whole of it; plots have axes of their own.

    Parameters
    ----------
    look
        Size and type. The sheet has to be made and drawn on within `on_paper(look)`.
    title
        Printed above everything; '' for none.
    """

    def __init__(self, look: Look, *, title: str = "") -> None:
        from matplotlib.figure import Figure  # 0.6 s, only when a figure is drawn

        self.look = look
        self.width = look.width_mm
        self.left, self.right = MARGIN, look.width_mm - MARGIN
        self.figure: Figure = Figure(figsize=(look.width_mm / MM_PER_INCH,) * 2)
        self.paper: Axes = self.figure.add_axes((0.0, 0.0, 1.0, 1.0), label="paper")
        self.paper.set_axis_off()
        # Names stand above what they name.
        self.paper.set(zorder=ABOVE_PLOTS, xlim=(0.0, self.width), ylim=(self.width, 0.0))
        self._boxes: list[tuple[Axes, Box]] = []
        self.top = MARGIN
        """Top of the free space below the title."""
        size = look.font_size + 1.0
        for line in wrapped(title, self.width, size=size) if title else ():
            height = LINE * size * MM_PER_POINT
            middle = self.top + 0.5 * height
            self.text(self.width / 2.0, middle, line, size=size, across="center", role="title")
            self.top += height
        if title:
            self.top += 0.5 * self.line

    @property
    def small(self) -> float:
        """Return the size of numbers along axes and of counts, in points."""
        return max(self.look.font_size - 1.0, SMALLEST)

    @property
    def line(self) -> float:
        """Return the height of a line of text, in millimetres."""
        return LINE * self.look.font_size * MM_PER_POINT

    @property
    def small_line(self) -> float:
        """Return the height of a line of small text."""
        return LINE * self.small * MM_PER_POINT

    def axes(self, box: Box, *, label: str = "") -> Axes:
        """Add axes that fill a rectangle of the page, without ticks."""
        made = self.figure.add_axes((0.0, 0.0, 1.0, 1.0), label=label)
        made.set(xticks=[], yticks=[])
        self._boxes.append((made, box))
        return made

    def text(
        self,
        x: float,
        middle: float,
        text: str,
        *,
        size: float | None = None,
        bold: bool = False,
        colour: str = LIGHT.text,
        across: str = "left",
        rotation: float = 0.0,
        role: str = "text",
    ) -> Text:
        """Write one line, its capitals centred at a height; `role` becomes its label.

        Rotated text has its middle at (x, middle).
        """
        size = self.look.font_size if size is None else size
        style: dict[str, Any] = {"ha": across, "va": "baseline"}
        if rotation:
            style = {"ha": "center", "va": "center_baseline"}
            style |= {"rotation": rotation, "rotation_mode": "anchor"}
        else:
            middle += 0.5 * CAPITAL * size * MM_PER_POINT
        made = self.paper.text(
            x,
            middle,
            text,
            fontsize=size,
            fontweight="bold" if bold else "normal",
            color=colour,
            # Names are names: "$" is not the beginning of a formula.
            parse_math=False,
            **style,
        )
        made.set_label(role)
        return made

    def small_text(
        self,
        x: float,
        middle: float,
        text: str,
        *,
        role: str,
        muted: bool = False,
        bold: bool = False,
        across: str = "left",
    ) -> None:
        """Write one line in small type, in the colour of secondary text if it is `muted`."""
        colour = LIGHT.muted if muted else LIGHT.text
        self.text(
            x, middle, text, size=self.small, bold=bold, colour=colour, across=across, role=role
        )

    def note_lines(self, text: str) -> list[str]:
        """Return the lines of a note; none for no text."""
        return wrapped(text, self.right - self.left, size=self.small) if text else []

    def note(self, text: str, top: float, *, gap: float = 0.0, role: str = "note") -> float:
        """Write small text as wide as the page, if there is any; return where it ends."""
        lines = self.note_lines(text)
        bottom = top + gap if lines else top
        for line in lines:
            self.small_text(self.left, bottom + 0.5 * self.small_line, line, muted=True, role=role)
            bottom += self.small_line
        return bottom

    def finish(self, bottom: float) -> Figure:
        """Return the figure, cut off at this height; nothing can be added to it.

        A figure higher than a page is refused.
        """
        height = bottom + MARGIN
        # A figure wider than a page is a poster, which may be of any height.
        if self.width <= DOUBLE_MM and height > PAGE_MM + 2.0 * MARGIN:
            raise UserError(
                key=TOO_HIGH,
                what=f"The figure would be {height:.0f} mm high,"
                f" but a page has only {PAGE_MM:.0f} mm.",
                where=f"figure {self.width:g} mm wide",
                way_out="Choose a smaller type, or show less.",
            )
        self.figure.set_size_inches(self.width / MM_PER_INCH, height / MM_PER_INCH)
        self.paper.set_ylim(height, 0.0)
        for axes, box in self._boxes:
            width, high = box.right - box.left, box.bottom - box.top
            left, bottom = box.left / self.width, 1.0 - box.bottom / height
            axes.set_position((left, bottom, width / self.width, high / height))
        return self.figure


def refuse_narrow(width: float, least: float = NARROWEST) -> None:
    """Refuse a figure whose texts leave fewer millimetres than that for the drawing."""
    if width < least:
        raise UserError(
            key="figure.narrow",
            what="The type is too large for so narrow a figure: no space is left for the drawing.",
            where="font size and width of the figure",
            way_out="Choose a smaller type, or a wider figure.",
        )


def text_width(text: str, *, size: float, bold: bool = False) -> float:
    """Return the width of a text in millimetres."""
    from matplotlib import rcParams

    text = printable(text)
    return _width(text, bold, str(rcParams["font.family"]), str(rcParams["font.sans-serif"])) * size


@lru_cache(maxsize=65536)
def _width(text: str, bold: bool, *_faces: str) -> float:
    """Return the width of a text in millimetres per point of its size."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    face = FontProperties(size=100.0, weight="bold" if bold else "normal")
    with warnings.catch_warnings():
        # A letter that the font lacks is drawn as a box, which has a width, too.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        width, *_rest = text_to_path.get_text_width_height_descent(text, face, ismath=False)
    return float(width) * MM_PER_POINT / 100.0


def one_line(text: str) -> str:
    """Remove line breaks and doubled spaces; a non-breaking space stays."""
    return " ".join(filter(None, BREAKS.split(text)))


def cut(text: str, widest: float, *, size: float, bold: bool = False) -> str:
    """Cut a text to a width in millimetres; "…" stands for its end."""
    text = one_line(text)
    if text_width(text, size=size, bold=bold) <= widest:
        return text
    short, long = 0, len(text)
    while short < long - 1:
        middle = (short + long) // 2
        fits = text_width(text[:middle] + ELLIPSIS, size=size, bold=bold) <= widest
        short, long = (middle, long) if fits else (short, middle)
    return text[:short].rstrip() + ELLIPSIS


def wrapped(text: str, widest: float, *, size: float, bold: bool = False) -> list[str]:
    """Wrap a text into lines of a width in millimetres; longer words are broken."""
    lines: list[str] = []
    for word in one_line(text).split(" "):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(joined, size=size, bold=bold) <= widest:
            lines[-1] = joined
            continue
        lines += _broken(word, widest, size=size, bold=bold)
    return lines


def _broken(word: str, widest: float, *, size: float, bold: bool) -> list[str]:
    """Break a word into pieces that fit."""
    pieces = []
    while len(word) > 1 and text_width(word, size=size, bold=bold) > widest:
        n = len(word) - 1
        while n > 1 and text_width(word[:n], size=size, bold=bold) > widest:
            n -= 1
        pieces.append(word[:n])
        word = word[n:]
    return [*pieces, word]
