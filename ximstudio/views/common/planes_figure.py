"""Features and portraits on paper: one map per feature or sample, or one of them alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.explore.planes import names_with
from ximstudio.figures.images import draw_in_box, frame_box, pixels_of, unpacked
from ximstudio.figures.panels import Multiples, cut_middle, multiples
from ximstudio.figures.parts import Bar, bar_height, bar_width, draw_bar, nothing_to_draw
from ximstudio.figures.sheet import PAGE_MM, PaperSheet, text_width, wrapped
from ximstudio.maps.box import Box
from ximstudio.maps.cells import tiles
from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.selection import Selection
from ximstudio.model.words import grouped
from ximstudio.pictures.colouring import colours_of
from ximstudio.pictures.colours import LIGHT, channels
from ximstudio.pictures.raster.tiles import Inks
from ximstudio.pictures.ticks import number_text
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.planes_picture import PlanesPicture
from ximstudio.views.common.state import COMMON, OWN, PlanesState

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCREEN_TILE = 150.0
"""Width of a plane on the screen, in pixels; points keep their size relative to it on paper."""
BAR_GAP = 3.0
"""Gap between planes and the colour bar, in millimetres."""
OWN_BAR = 1.1
"""Height of the colour bar below a plane with a scale of its own."""
MOST_CELLS = 2500
"""A single plane with more nodes than this is drawn as an image."""
HALO, OUTLINE = 1.3, 0.6
"""Widths of the lines around selected nodes, in points; finer on small planes."""
MOST_LINES = 3
"""Most lines that the name of a plane may take."""
LARGEST = 110.0
"""Longer side of a single plane, in millimetres."""


def draw_planes(picture: PlanesPicture, plan: FigurePlan) -> Figure:
    """Draw all planes that match the search, as many as a page holds; or the enlarged one."""
    state = plan.state
    assert isinstance(state, PlanesState)
    if picture.refused is not None:
        title, why = picture.refused
        raise nothing_to_draw(f"{title}.", where=f"view {state.view}", way_out=why)
    found = names_with(picture.names, state.search)
    alone = state.enlarged in picture.names
    if not found and not alone:
        raise nothing_to_draw(
            f"No {picture.words.feature} is called '{state.search}'.",
            where=f"search of the view {state.view}",
            way_out="Search for something else, or empty the field to see all.",
        )
    page = _PlanesPage(
        sheet=PaperSheet(plan.look, title=plan.title),
        picture=picture,
        scaling=scaling_of(picture, state),
        selection=plan.selection,
    )
    number = picture.names.index(state.enlarged) if alone else -1
    return page.sheet.finish(page.draw_alone(number) if alone else page.draw_gallery(found))


def scaling_of(picture: PlanesPicture, state: PlanesState) -> str:
    """Return whether all planes share their colours: the user's choice, or what suits them."""
    assert picture.scales is not None
    if len(state.scalings) == 1:
        return state.scalings[0]
    return state.scaling if state.scaling in state.scalings else picture.scales.first


@dataclass(frozen=True, kw_only=True, eq=False)
class _PlanesPage:
    """A sheet with planes, whether they share their colours, and the selection marked on them."""

    sheet: PaperSheet
    picture: PlanesPicture
    scaling: str
    selection: Selection

    @cached_property
    def chosen(self) -> Bools | None:
        """Return the selected items, where items are drawn."""
        drawn = self.picture.grid is None and self.selection
        return self.picture.chosen(self.selection) if drawn else None

    @cached_property
    def outline(self) -> Floats:
        """Return lines around the nodes of selected items."""
        if self.picture.grid is None:
            return np.empty((0, 2, 2))
        return self.picture.tiles.outline(self.picture.chosen_nodes(self.selection))

    def draw_gallery(self, found: tuple[int, ...]) -> float:
        """Draw as many of these planes as the page holds; return where they end."""
        sheet, picture = self.sheet, self.picture
        assert picture.scales is not None
        common = self.scaling == COMMON
        bar = self._bar(picture.inks(0, COMMON), blank=picture.scales.ends.blank)
        beside = BAR_GAP + bar_width(sheet, bar) if common else 0.0
        below = OWN_BAR + 0.5 + sheet.small_line if self.scaling == OWN else 0.0
        below += sheet.small_line if picture.captions else 0.0
        n_notes = len(sheet.note_lines(self._said(len(found), len(found))))
        high = PAGE_MM - sheet.top - (n_notes + 2.0) * sheet.small_line
        room = (sheet.right - sheet.left - beside, high)
        tried = [self._laid_out(found, n + 1, room, below) for n in range(MOST_LINES)]
        # More lines keep names distinct that begin and end alike; no plane is dropped for a name.
        laid, names = max(tried, key=lambda one: (one[0].n_drawn, len(set(one[1].values()))))
        for place, (number, lines) in enumerate(names.items()):
            self._draw_plane(number, laid.box(place), lines)
        bottom = laid.bottom
        if common:
            first = laid.box(0).top
            bottom = max(bottom, self._draw_bar(bar, laid.right, first, bottom - first))
        note = self._said(laid.n_drawn, len(found))
        return sheet.note(note, bottom, gap=0.4 * sheet.small_line)

    def draw_alone(self, number: int) -> float:
        """Draw one plane as wide as the page, with cells as shapes if they are few."""
        sheet, picture = self.sheet, self.picture
        blank = bool(np.isnan(picture.values[number]).any())
        bar = self._bar(picture.inks(number, self.scaling), blank=blank)
        top, aspect = sheet.top + 1.3 * sheet.line, picture.tiles.aspect
        width = min(
            sheet.right - sheet.left - BAR_GAP - bar_width(sheet, bar),
            LARGEST / max(aspect, 1.0),
            (PAGE_MM - top - 4.0 * sheet.line) / aspect,
        )
        box = Box(sheet.left, top, sheet.left + width, top + width * aspect)
        middle = 0.5 * (box.left + box.right)
        name = cut_middle(picture.names[number], width, size=sheet.look.font_size)
        y = sheet.top + 0.5 * sheet.line
        sheet.text(middle, y, name, across="center", role="plane name")
        if picture.grid is not None and picture.grid.n_nodes <= MOST_CELLS:
            self._draw_cells(number, box)
            self._draw_outline(box)
        else:
            self._paint(number, box)
        bottom = max(box.bottom, self._draw_bar(bar, box.right, box.top, box.bottom - box.top))
        if picture.captions:
            y, caption = box.bottom + 0.6 * sheet.line, picture.captions[number]
            sheet.small_text(middle, y, caption, muted=True, across="center", role="plane caption")
            bottom = max(bottom, box.bottom + 1.1 * sheet.line)
        return sheet.note(self._said(1, 1), bottom, gap=0.4 * sheet.small_line)

    def _laid_out(
        self, found: tuple[int, ...], n_lines: int, room: tuple[float, float], below: float
    ) -> tuple[Multiples, dict[int, tuple[str, ...]]]:
        """Lay out planes with names of so many lines; also return the lines by number of plane."""
        sheet, picture = self.sheet, self.picture
        laid = multiples(
            len(found),
            (sheet.left, sheet.top),
            room=room,
            aspect=picture.tiles.aspect,
            above=n_lines * sheet.small_line + 0.2,
            below=below,
        )
        return laid, {
            number: _shortened(picture.names[number], laid.width + 0.8, n_lines, sheet.small)
            for number in found[: laid.n_drawn]
        }

    def _draw_plane(self, number: int, box: Box, lines: tuple[str, ...]) -> None:
        """Draw one plane of many: an image, its name above, and its caption below."""
        sheet, captions = self.sheet, self.picture.captions
        middle, width = 0.5 * (box.left + box.right), box.right - box.left
        for place, line in enumerate(reversed(lines)):
            above = box.top - 0.2 - (place + 0.5) * sheet.small_line
            sheet.small_text(middle, above, line, across="center", role="plane name")
        self._paint(number, box)
        bottom = self._draw_own_bar(number, box) if self.scaling == OWN else box.bottom
        if captions:
            y = bottom + 0.55 * sheet.small_line
            caption = cut_middle(captions[number], width + 0.8, size=sheet.small)
            sheet.small_text(middle, y, caption, muted=True, across="center", role="plane caption")

    def _paint(self, number: int, box: Box) -> None:
        """Draw the map in the colours of a plane as an image, and lines around selected nodes."""
        sheet, picture = self.sheet, self.picture
        height, width = pixels_of(sheet, box)
        pixels = picture.tiles.painted(
            np.ascontiguousarray(picture.values[number]),
            picture.inks(number, self.scaling),
            LIGHT,
            width=width,
            height=height,
            ratio=width / SCREEN_TILE,
            chosen=self.chosen,
        )
        draw_in_box(sheet, box, unpacked(pixels), label="plane")
        if picture.grid is None:
            frame_box(sheet, box, colour=LIGHT.border_strong)
        self._draw_outline(box)

    def _draw_cells(self, number: int, box: Box) -> None:
        """Draw the cells of a plane as shapes."""
        from matplotlib.collections import PolyCollection

        picture = self.picture
        assert picture.grid is not None
        inks = picture.inks(number, self.scaling)
        shades = colours_of(picture.values[number], inks.table, low=inks.low, high=inks.high)
        shades[shades[:, 3] == 0] = (*channels(LIGHT.empty), 255)
        shapes = [self._placed(box, cell) for cell in tiles(picture.grid).cells]
        # Neighbouring cells overlap by a hair, so that no viewer shows white lines between them.
        cells = PolyCollection(
            shapes, facecolors=shades / 255.0, edgecolors="face", linewidths=0.15, label="cells"
        )
        cells.set_zorder(0.5)
        self.sheet.paper.add_collection(cells, autolim=False)

    def _placed(self, box: Box, places: Floats) -> Floats:
        """Convert places on the map, (…, 2), to millimetres on the page."""
        height, width = pixels_of(self.sheet, box)
        left, top, right, bottom = self.picture.tiles.frame(width, height).place_bounds
        scale = np.array(
            [(box.right - box.left) / (right - left), (box.bottom - box.top) / (bottom - top)]
        )
        return np.asarray((places - [left, top]) * scale + [box.left, box.top])

    def _draw_outline(self, box: Box) -> None:
        """Draw lines around selected nodes, finer on small planes."""
        if not len(self.outline):
            return
        lines = self._placed(box, self.outline)
        # One path with gaps: a path for every line would make files of many planes large.
        gaps = np.full((len(lines), 1, 2), np.nan)
        x, y = np.concatenate([lines, gaps], axis=1).reshape(-1, 2).T
        fine = min(max((box.right - box.left) / 30.0, 0.45), 1.0)
        styles = ((LIGHT.surface, HALO, "halo"), (LIGHT.text, OUTLINE, "chosen nodes"))
        for colour, width, name in styles:
            (drawn,) = self.sheet.paper.plot(
                x, y, "-", color=colour, linewidth=width * fine, label=name
            )
            drawn.set_solid_capstyle("round")

    def _draw_own_bar(self, number: int, box: Box) -> float:
        """Draw the colour bar of one plane from its least to its largest value; return its end."""
        sheet, inks = self.sheet, self.picture.inks(number, OWN)
        top = box.bottom + 0.5
        strip = Box(box.left, top, box.right, top + OWN_BAR)
        draw_in_box(sheet, strip, inks.table[None, :, :3], label="own bar")
        frame_box(sheet, strip, colour=LIGHT.border_strong, width=0.3)
        middle = strip.bottom + 0.6 * sheet.small_line
        texts = [number_text(end, digits=2) for end in (inks.low, inks.high)]
        room = box.right - box.left
        if sum(text_width(text, size=sheet.small) for text in texts) + 0.8 > room:
            texts = [number_text(end, digits=1) for end in (inks.low, inks.high)]
        for x, across, text in zip((box.left, box.right), ("left", "right"), texts, strict=True):
            sheet.small_text(x, middle, text, muted=True, across=across, role="own bar number")
        return strip.bottom + sheet.small_line

    def _bar(self, inks: Inks, *, blank: bool) -> Bar:
        """Return the colour bar of one plane or all, with a swatch for nodes or items if blank."""
        return Bar(
            table=inks.table,
            low=inks.low,
            high=inks.high,
            name=self.picture.quantity,
            blank="blank" if blank else "",
            blank_colour=LIGHT.border_strong if self.picture.grid is None else LIGHT.empty,
        )

    def _draw_bar(self, bar: Bar, right: float, top: float, height: float) -> float:
        """Draw a bar beside planes of this height; return its end."""
        return draw_bar(self.sheet, bar, right + BAR_GAP, top, bar_height(height))

    def _said(self, n_drawn: int, n_found: int) -> str:
        """Return the notes that a reader needs about the planes."""
        said = [f"{self.picture.note}."] if self.picture.note else []
        if n_drawn < n_found:
            said.append(
                f"{grouped(n_drawn)} of {grouped(n_found)} {self.picture.words.features}, as many"
                " as the page holds; a search chooses others."
            )
        return " ".join(said)


def _shortened(name: str, widest: float, n_lines: int, size: float) -> tuple[str, ...]:
    """Break a name into at most so many lines, and shorten the last one in the middle."""
    if n_lines == 1:
        return (cut_middle(name, widest, size=size),)
    lines = wrapped(name, widest, size=size)
    first, rest = lines[: n_lines - 1], lines[n_lines - 1 :]
    return (*first, cut_middle(" ".join(rest), widest, size=size)) if rest else tuple(first)
