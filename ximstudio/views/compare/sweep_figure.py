"""A sweep on paper: its maps as small pictures, their quality, and the Pareto front."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.images import draw_in_box, frame_box, pixels_of, unpacked
from ximstudio.figures.look import on_paper
from ximstudio.figures.panels import multiples
from ximstudio.figures.parts import LegendLine, draw_legend, legend_height, nothing_to_draw
from ximstudio.figures.sheet import PAGE_MM, PaperSheet, cut, one_line, text_width
from ximstudio.maps.box import Box
from ximstudio.maps.classes import classes_of
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.model.matrix import Matrix
from ximstudio.model.words import grouped
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.thumbnail import dot_colours, thumbnail
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.planes_picture import map_of
from ximstudio.views.compare.sweep_picture import SHOWN, SweepPicture, SweptMap

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NARROWEST = 17.0
"""Least width of a picture, in millimetres."""
SCREEN = 208.0
"""Height of a picture on the screen, in pixels; dots keep their size relative to it on paper."""
LEGEND_GAP = 2.5
"""Gap above the legend."""
FRAME = 1.1
"""Width of the frame around maps on the front, in points."""
SAMPLE = "0.000"


def sweep_figure(picture: SweepPicture, plan: FigurePlan) -> Figure:
    """Draw a picture of every trained map, with its settings, T, C and ρ."""
    if not picture.n_trained:
        raise nothing_to_draw(
            "The sweep has no trained maps yet.",
            where="view Compare, page Sweep",
            way_out="Start a sweep, and wait for the first maps.",
        )
    maps = picture.maps
    with on_paper(plan.look):
        sheet = PaperSheet(plan.look, title=plan.title)
        entries, label = _class_entries(picture.matrix)
        n_settings = max(len(one.settings) for one in maps)
        above = n_settings * sheet.small_line + 0.3
        width = sheet.right - sheet.left
        legend = legend_height(sheet, entries, width, title=label) + LEGEND_GAP if entries else 0.0
        lowest = PAGE_MM - legend - 4.0 * sheet.small_line
        room = (width, lowest - sheet.top)
        figures = "  ".join(f"{letter} {SAMPLE}" for letter in SHOWN.values())
        # All pictures have the shape of most maps.
        aspects = [map_of(one.result).aspect for one in maps if one.result is not None]
        for lines in (1, len(SHOWN)):
            # One line where pictures are wide enough.
            laid = multiples(
                len(maps),
                (sheet.left, sheet.top),
                room=room,
                aspect=float(np.median(aspects)),
                above=above,
                below=lines * sheet.small_line + 0.3,
                columns=picture.columns,
                narrowest=NARROWEST,
            )
            if text_width(figures, size=sheet.small) <= laid.width:
                break
        for number, one in enumerate(maps[: laid.n_drawn]):
            _draw_map(sheet, picture.matrix, one, laid.box(number), lines)
        bottom = laid.bottom
        if entries:
            bottom += LEGEND_GAP
            bottom = draw_legend(sheet, entries, sheet.left, bottom, width, title=label)
        return sheet.finish(_write_note(sheet, picture, bottom, laid.n_drawn))


def _draw_map(sheet: PaperSheet, matrix: Matrix, one: SweptMap, box: Box, lines: int) -> None:
    """Draw one map: settings above, the picture, and its quality below."""
    middle, wide = 0.5 * (box.left + box.right), box.right - box.left
    for number, setting in enumerate(reversed(one.settings)):
        above = box.top - 0.3 - (number + 0.5) * sheet.small_line
        text = cut(setting, wide + 0.5, size=sheet.small)
        sheet.small_text(box.left, above, text, role="setting")
    if one.result is None:
        frame_box(sheet, box, colour=LIGHT.border)
        why, y = "refused" if one.refused else "not trained yet", 0.5 * (box.top + box.bottom)
        sheet.small_text(middle, y, why, muted=True, across="center", role="missing")
        return
    height, width = pixels_of(sheet, box)
    ratio = height / SCREEN
    pixels = thumbnail(one.result, matrix, LIGHT, width=width, height=height, ratio=ratio)
    draw_in_box(sheet, box, unpacked(pixels), label="map")
    if one.front:
        frame_box(sheet, box, colour=LIGHT.accent, width=FRAME)
    else:
        frame_box(sheet, box, colour=LIGHT.border)
    colour = LIGHT.accent if one.front else LIGHT.muted
    texts = [f"{letter} {value:.3f}" for letter, value in one.figures]
    texts = texts if lines > 1 else ["  ".join(texts)]
    for number, text in enumerate(texts):
        below = box.bottom + 0.3 + (number + 0.55) * sheet.small_line
        sheet.text(box.left, below, text, size=sheet.small, colour=colour, role="figures")


def _class_entries(matrix: Matrix) -> tuple[list[LegendLine], str]:
    """Return the legend of the classes that dots are coloured by; empty without a label."""
    label = default_class_label(matrix)
    if label is None:
        return [], ""
    classes = classes_of(matrix.item_labels[label])
    rows = zip(classes.names, dot_colours(classes, LIGHT), classes.counts.tolist(), strict=True)
    return [
        LegendLine(name=one_line(name), colour=colour, count=count) for name, colour, count in rows
    ], label


def _write_note(sheet: PaperSheet, picture: SweepPicture, bottom: float, n_drawn: int) -> float:
    """Write the meaning of frames, and how many maps are missing."""
    said = []
    if any(one.front for one in picture.maps):
        *letters, last = SHOWN.values()
        said.append(
            f"Framed: no other map is at least as good in {', '.join(letters)} and {last}, and"
            " better in one of them."
        )
    n_maps = len(picture.maps)
    if n_drawn < n_maps:
        said.append(f"{grouped(n_drawn)} of {grouped(n_maps)} maps, as many as the page holds.")
    return sheet.note(" ".join(said), bottom, gap=0.5 * sheet.small_line)
