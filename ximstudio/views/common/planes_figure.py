"""Features and portraits on paper: one map per feature or sample, or one of them alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.explore.planes import names_with
from ximstudio.figures.images import draw_in_box, frame_box, pixels_of, unpacked
from ximstudio.figures.look import on_paper
from ximstudio.figures.parts import Bar, bar_width, draw_bar, nothing_to_draw
from ximstudio.figures.sheet import PAGE_MM, PaperSheet, text_width, wrapped
from ximstudio.figures.small_multiples import Multiples, cut_middle, multiples
from ximstudio.maps.box import Box
from ximstudio.maps.cells import tiles
from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.selection import Selection
from ximstudio.model.words import grouped
from ximstudio.pictures.colouring import colours_of
from ximstudio.pictures.colours import LIGHT, channels
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


@dataclass(frozen=True, kw_only=True, eq=False)
class _Marks:
    """Marks on every plane: selected items, or lines around their nodes."""

    items: Bools | None
    outline: Floats

    @classmethod
    def of(cls, picture: PlanesPicture, selection: Selection) -> _Marks:
        if picture.grid is None:
            items = picture.chosen(selection) if selection else None
            return cls(items=items, outline=np.empty((0, 2, 2)))
        return cls(items=None, outline=picture.tiles.outline(picture.chosen_nodes(selection)))


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
    marks = _Marks.of(picture, plan.selection)
    with on_paper(plan.look):
        sheet = PaperSheet(plan.look, title=plan.title)
        if alone:
            number = picture.names.index(state.enlarged)
            bottom = _draw_alone(sheet, picture, number, scaling_of(picture, state), marks)
        else:
            bottom = _draw_gallery(sheet, picture, found, scaling_of(picture, state), marks)
        return sheet.finish(bottom)


def scaling_of(picture: PlanesPicture, state: PlanesState) -> str:
    """Return whether all planes share their colours: the user's choice, or what suits them."""
    assert picture.scales is not None
    if len(state.scalings) == 1:
        return state.scalings[0]
    return state.scaling if state.scaling in state.scalings else picture.scales.first


def _draw_gallery(
    sheet: PaperSheet,
    picture: PlanesPicture,
    found: tuple[int, ...],
    scaling: str,
    marks: _Marks,
) -> float:
    assert picture.scales is not None
    bar = _common_bar(picture) if scaling == COMMON else None
    beside = BAR_GAP + bar_width(sheet, bar) if bar is not None else 0.0
    width = sheet.right - sheet.left
    own = OWN_BAR + 0.5 + sheet.small_line if scaling == OWN else 0.0
    said = _notes(sheet, picture, len(found), len(found))
    room = (width - beside, PAGE_MM - sheet.top - (said + 2.0) * sheet.small_line)
    below = own + (sheet.small_line if picture.captions else 0.0)
    tried = [
        _laid_out(sheet, picture, found, n_lines, (room, below))
        for n_lines in range(1, MOST_LINES + 1)
    ]
    # More lines keep names distinct that begin and end alike; but no plane is dropped for a name.
    laid, names = max(tried, key=lambda one: (one[0].n_drawn, len(set(one[1].values()))))
    for place, (number, lines) in enumerate(names.items()):
        _draw_plane(sheet, picture, number, laid.box(place), (scaling, marks, lines))
    bottom = laid.bottom
    if bar is not None:
        high = min(bottom - laid.box(0).top, 48.0)
        ended = draw_bar(sheet, bar, laid.right + BAR_GAP, laid.box(0).top, max(high, 18.0))
        bottom = max(bottom, ended)
    return _write_notes(sheet, picture, bottom, (laid.n_drawn, len(found)))


def _laid_out(
    sheet: PaperSheet,
    picture: PlanesPicture,
    found: tuple[int, ...],
    n_lines: int,
    space: tuple[tuple[float, float], float],
) -> tuple[Multiples, dict[int, tuple[str, ...]]]:
    """Lay out the planes with names of so many lines; also return the lines by number of plane."""
    room, below = space
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


def _shortened(name: str, widest: float, n_lines: int, size: float) -> tuple[str, ...]:
    """Break a name into at most so many lines, and shorten the last one in the middle."""
    if n_lines == 1:
        return (cut_middle(name, widest, size=size),)
    lines = wrapped(name, widest, size=size)
    first, rest = lines[: n_lines - 1], lines[n_lines - 1 :]
    return (*first, cut_middle(" ".join(rest), widest, size=size)) if rest else tuple(first)


def _draw_plane(
    sheet: PaperSheet,
    picture: PlanesPicture,
    number: int,
    box: Box,
    how: tuple[str, _Marks, tuple[str, ...]],
) -> None:
    """Draw one plane of many: an image, its name above, and its caption below."""
    scaling, marks, lines = how
    middle, width = 0.5 * (box.left + box.right), box.right - box.left
    for place, line in enumerate(reversed(lines)):
        above = box.top - 0.2 - (place + 0.5) * sheet.small_line
        sheet.text(middle, above, line, size=sheet.small, across="center", role="plane name")
    _paint(sheet, picture, number, box, scaling, marks)
    bottom = box.bottom
    if scaling == OWN:
        bottom = _draw_own_bar(sheet, picture, number, box)
    if picture.captions:
        sheet.text(
            middle,
            bottom + 0.55 * sheet.small_line,
            cut_middle(picture.captions[number], width + 0.8, size=sheet.small),
            size=sheet.small,
            colour=LIGHT.muted,
            across="center",
            role="plane caption",
        )


def _paint(
    sheet: PaperSheet,
    picture: PlanesPicture,
    number: int,
    box: Box,
    scaling: str,
    marks: _Marks,
) -> None:
    """Draw the map in the colours of a plane as an image, and lines around selected nodes."""
    height, width = pixels_of(sheet, box)
    pixels = picture.tiles.painted(
        np.ascontiguousarray(picture.values[number]),
        picture.inks(number, scaling),
        LIGHT,
        width=width,
        height=height,
        ratio=width / SCREEN_TILE,
        chosen=marks.items,
    )
    draw_in_box(sheet, box, unpacked(pixels), label="plane")
    if picture.grid is None:
        frame_box(sheet, box, colour=LIGHT.border_strong)
    _outline(sheet, picture, box, marks)


def _placed(sheet: PaperSheet, picture: PlanesPicture, box: Box, places: Floats) -> Floats:
    """Convert places on the map, (…, 2), to millimetres on the page."""
    height, width = pixels_of(sheet, box)
    left, top, right, bottom = picture.tiles.frame(width, height).place_bounds
    scale = np.array(
        [(box.right - box.left) / (right - left), (box.bottom - box.top) / (bottom - top)]
    )
    return np.asarray((places - [left, top]) * scale + [box.left, box.top])


def _outline(sheet: PaperSheet, picture: PlanesPicture, box: Box, marks: _Marks) -> None:
    """Draw lines around selected nodes, finer on small planes."""
    if not len(marks.outline):
        return
    lines = _placed(sheet, picture, box, marks.outline)
    # One path with gaps: a path for every line would make files of many planes large.
    gaps = np.full((len(lines), 1, 2), np.nan)
    x, y = np.concatenate([lines, gaps], axis=1).reshape(-1, 2).T
    fine = min(max((box.right - box.left) / 30.0, 0.45), 1.0)
    for colour, width, name in (
        (LIGHT.surface, HALO, "halo"),
        (LIGHT.text, OUTLINE, "chosen nodes"),
    ):
        (drawn,) = sheet.paper.plot(x, y, "-", color=colour, linewidth=width * fine, label=name)
        drawn.set_solid_capstyle("round")


def _draw_own_bar(sheet: PaperSheet, picture: PlanesPicture, number: int, box: Box) -> float:
    """Draw the colour bar of one plane from its least to its largest value; return its end."""
    inks = picture.inks(number, OWN)
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
        sheet.text(
            x,
            middle,
            text,
            size=sheet.small,
            colour=LIGHT.muted,
            across=across,
            role="own bar number",
        )
    return strip.bottom + sheet.small_line


def _draw_alone(
    sheet: PaperSheet, picture: PlanesPicture, number: int, scaling: str, marks: _Marks
) -> float:
    """Draw one plane as wide as the page, with cells as shapes if they are few."""
    inks = picture.inks(number, scaling)
    values = np.ascontiguousarray(picture.values[number])
    bar = Bar(
        table=inks.table,
        low=inks.low,
        high=inks.high,
        name=picture.quantity,
        blank="blank" if bool(np.isnan(values).any()) else "",
        blank_colour=_blank(picture),
    )
    top = sheet.top + 1.3 * sheet.line
    aspect = picture.tiles.aspect
    width = min(
        sheet.right - sheet.left - BAR_GAP - bar_width(sheet, bar),
        LARGEST / max(aspect, 1.0),
        (PAGE_MM - top - 4.0 * sheet.line) / aspect,
    )
    box = Box(sheet.left, top, sheet.left + width, top + width * aspect)
    name = cut_middle(picture.names[number], width, size=sheet.look.font_size)
    sheet.text(
        0.5 * (box.left + box.right),
        sheet.top + 0.5 * sheet.line,
        name,
        across="center",
        role="plane name",
    )
    if picture.grid is not None and picture.grid.n_nodes <= MOST_CELLS:
        _draw_cells(sheet, picture, number, box, scaling)
        _outline(sheet, picture, box, marks)
    else:
        _paint(sheet, picture, number, box, scaling, marks)
    height = min(box.bottom - box.top, 48.0)
    ended = draw_bar(sheet, bar, box.right + BAR_GAP, box.top, max(height, 18.0))
    bottom = max(box.bottom, ended)
    if picture.captions:
        middle = box.bottom + 0.6 * sheet.line
        sheet.text(
            0.5 * (box.left + box.right),
            middle,
            picture.captions[number],
            size=sheet.small,
            colour=LIGHT.muted,
            across="center",
            role="plane caption",
        )
        bottom = max(bottom, box.bottom + 1.1 * sheet.line)
    return _write_notes(sheet, picture, bottom, (1, 1))


def _draw_cells(
    sheet: PaperSheet, picture: PlanesPicture, number: int, box: Box, scaling: str
) -> None:
    """Draw the cells of a plane as shapes."""
    from matplotlib.collections import PolyCollection

    assert picture.grid is not None
    inks = picture.inks(number, scaling)
    shades = colours_of(picture.values[number], inks.table, low=inks.low, high=inks.high)
    shades[shades[:, 3] == 0] = (*channels(LIGHT.empty), 255)
    shapes = [_placed(sheet, picture, box, cell) for cell in tiles(picture.grid).cells]
    # Neighbouring cells overlap by a hair, so that no viewer shows white lines between them.
    cells = PolyCollection(
        shapes, facecolors=shades / 255.0, edgecolors="face", linewidths=0.15, label="cells"
    )
    cells.set_zorder(0.5)
    sheet.paper.add_collection(cells, autolim=False)


def _common_bar(picture: PlanesPicture) -> Bar:
    assert picture.scales is not None
    inks = picture.inks(0, COMMON)
    return Bar(
        table=inks.table,
        low=inks.low,
        high=inks.high,
        name=picture.quantity,
        blank="blank" if picture.scales.ends.blank else "",
        blank_colour=_blank(picture),
    )


def _blank(picture: PlanesPicture) -> str:
    """Return the colour of nodes or items without a value."""
    return LIGHT.border_strong if picture.grid is None else LIGHT.empty


def _said(picture: PlanesPicture, n_drawn: int, n_found: int) -> list[str]:
    """Return the notes that a reader needs about the planes."""
    said = [f"{picture.note}."] if picture.note else []
    if n_drawn < n_found:
        said.append(
            f"{grouped(n_drawn)} of {grouped(n_found)} {picture.words.features}, as many as the"
            " page holds; a search chooses others."
        )
    return said


def _notes(sheet: PaperSheet, picture: PlanesPicture, n_drawn: int, n_found: int) -> int:
    """Count the lines that the notes take."""
    text = " ".join(_said(picture, n_drawn, n_found))
    return len(wrapped(text, sheet.right - sheet.left, size=sheet.small)) if text else 0


def _write_notes(
    sheet: PaperSheet, picture: PlanesPicture, bottom: float, numbers: tuple[int, int]
) -> float:
    text = " ".join(_said(picture, *numbers))
    if not text:
        return bottom
    bottom += 0.4 * sheet.small_line
    for line in wrapped(text, sheet.right - sheet.left, size=sheet.small):
        middle = bottom + 0.5 * sheet.small_line
        sheet.text(sheet.left, middle, line, size=sheet.small, colour=LIGHT.muted, role="note")
        bottom += sheet.small_line
    return bottom
