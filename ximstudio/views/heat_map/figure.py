"""The heat map on paper: values as an image, with trees, classes, names and marks around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.images import draw_in_box, pixels_of, unpacked
from ximstudio.figures.panels import cut_middle
from ximstudio.figures.parts import GAP as BESIDE_GAP
from ximstudio.figures.parts import (
    Bar,
    ColourKey,
    LegendLine,
    bar_height,
    bar_width,
    class_entries,
    draw_bar,
    draw_legend,
    legend_height,
    nothing_to_draw,
)
from ximstudio.figures.sheet import (
    MM_PER_POINT,
    PAGE_MM,
    PaperSheet,
    cut,
    refuse_narrow,
    text_width,
)
from ximstudio.maps.box import Box
from ximstudio.maps.classes import Classes
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.selection import Selection
from ximstudio.model.words import counted
from ximstudio.pictures.colouring import class_colours, colour_rows
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.heat_frame import HeatSheet, NamedSide
from ximstudio.pictures.raster.frame import Bytes, packed
from ximstudio.pictures.raster.heat_raster import PixelSpan
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.heat_map.paper_layout import GAP, HeatPaper
from ximstudio.views.heat_map.picture import HeatMapPicture, value_name
from ximstudio.views.heat_map.state import HeatMapState

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEY_GAP = 3.0
"""Gap between the names of rows and the colour bar, in millimetres."""
LEGEND_GAP = 2.0
"""Gap above a legend below the heat map."""
MOST_BESIDE = 0.6
"""Share of a page that legends beside the heat map may take."""
MANY_LINES = 20_000
"""Trees with more lines are drawn as an image inside the figure."""
FINEST = 0.08
"""Width of the lines of a tree with very many leaves, in points."""
LEAST_MARK = 0.25
"""Least height of a marked row, in millimetres."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HeatStrip:
    """The classes of rows or columns in their order, as colours."""

    name: str
    colours: Bytes
    entries: tuple[LegendLine, ...]


def draw_heat_map(picture: HeatMapPicture, plan: FigurePlan) -> Figure:
    """Draw rows × columns in colours, in the order and with the classes of the screen."""
    state = plan.state
    assert isinstance(state, HeatMapState)
    n_rows, n_columns = picture.table.shape
    if not n_rows or not n_columns:
        raise nothing_to_draw(
            "There are no values to draw.",
            where="view Heat map",
            way_out=f"Select some {picture.words.items}, or show all of them.",
        )
    rows, columns = row_strips(picture, state.hidden), column_strips(picture)
    marked = marked_rows(picture, plan.selection)
    sheet = PaperSheet(plan.look, title=plan.title)
    key = _HeatKey.of(sheet, picture, (*rows, *columns), marked)
    row_names = [picture.rows.names[row] for row in picture.row_order.order.tolist()]
    names = picture.matrix.feature_names
    column_names = [names[column] for column in picture.column_order.order.tolist()]
    below = _strip_names_room(sheet, rows)
    n_lines = len(sheet.note_lines(picture.printed_note))
    lowest = PAGE_MM - (n_lines + 1.0) * sheet.small_line - key.below
    where = HeatPaper(sheet).laid_out(
        NamedSide(
            n=n_rows,
            names=row_names,
            strips=len(rows),
            tree=bool(len(picture.row_order.tree)),
            marks=marked is not None,
            titles=_strip_names_room(sheet, columns),
        ),
        NamedSide(
            n=n_columns,
            names=column_names,
            strips=len(columns),
            tree=bool(len(picture.column_order.tree)),
        ),
        room=Box(sheet.left, sheet.top, sheet.right - key.beside, lowest),
    )
    refuse_narrow(where.body.right - where.body.left)
    _draw_body(sheet, picture, where)
    _draw_tree(sheet, picture.row_order.tree, where.row_tree, n_rows, upright=False)
    _draw_tree(sheet, picture.column_order.tree, where.column_tree, n_columns, upright=True)
    _draw_strips(sheet, where, rows, columns)
    if marked is not None:
        _draw_marks(sheet, where, marked)
    _draw_names(sheet, picture, where)
    bottom = max(where.bottom, where.body.bottom + below)
    bottom = key.draw(sheet, where, bottom)
    gap = 0.4 * sheet.small_line
    return sheet.finish(sheet.note(picture.printed_note, bottom, gap=gap))


def row_strips(picture: HeatMapPicture, hidden: Sequence[str] = ()) -> tuple[HeatStrip, ...]:
    """Return the classes of the rows, in order; hidden ones of the first label are blank."""
    items = np.flatnonzero(picture.rows.row_of >= 0)
    strips = []
    for number, (name, classes) in enumerate(picture.row_classes.items()):
        codes = np.empty(len(picture.rows.names), dtype=np.int64)
        codes[picture.rows.row_of[items]] = classes.codes[items]
        out = hidden if number == 0 else ()
        strips.append(_strip(name, classes, codes[picture.row_order.order], out))
    return tuple(strips)


def column_strips(picture: HeatMapPicture) -> tuple[HeatStrip, ...]:
    """Return the classes of the columns, in order."""
    order = picture.column_order.order
    return tuple(
        _strip(name, classes, classes.codes[order])
        for name, classes in picture.column_classes.items()
    )


def _strip(name: str, classes: Classes, codes: Ints, hidden: Sequence[str] = ()) -> HeatStrip:
    table = colour_rows(class_colours(classes, LIGHT))
    out = [name in hidden for name in classes.names]
    table[out] = colour_rows((LIGHT.empty,))[0]
    return HeatStrip(name=name, colours=table[codes], entries=tuple(class_entries(classes, hidden)))


def marked_rows(picture: HeatMapPicture, selection: Selection) -> Bools | None:
    """Return which rows have selected items, in order; None if all of them have, or none."""
    chosen, places = selection.mask(picture.matrix.item_ids), picture.place_of
    marked = np.zeros(len(picture.rows.names), dtype=np.bool_)
    marked[places[chosen & (places >= 0)]] = True
    return None if marked.all() or not marked.any() else marked


@dataclass(frozen=True, kw_only=True)
class _HeatKey:
    """Key to the colours: the bar beside the heat map, and legends beside or below it.

    `beside` and `below` are the space reserved for it.
    """

    bar: Bar
    keys: tuple[ColourKey, ...]
    beside: float
    below: float
    legends_beside: bool

    @classmethod
    def of(
        cls,
        sheet: PaperSheet,
        picture: HeatMapPicture,
        strips: Sequence[HeatStrip],
        marked: Bools | None,
    ) -> _HeatKey:
        bar = Bar(
            table=picture.palette.table,
            low=picture.scale.low,
            high=picture.scale.high,
            name=value_name(picture),
            blank="blank" if picture.table.has_blanks else "",
        )
        legends = {strip.name: strip.entries for strip in strips if strip.entries}
        if marked is not None:
            said = f"{'with ' if picture.rows.means else ''}selected {picture.words.items}"
            count = int(marked.sum())
            entry = LegendLine(name=said, colour=LIGHT.accent, count=count, marker="s")
            legends[""] = (entry,)
        keys = tuple(ColourKey(entries=entries, title=title) for title, entries in legends.items())
        lines = sum(len(key.entries) + 2.0 for key in keys)
        beside = lines * sheet.small_line <= MOST_BESIDE * PAGE_MM
        beside = beside and all(key.beside(sheet) for key in keys)
        widths = [key.width_beside(sheet) - BESIDE_GAP for key in keys if beside]
        width = sheet.right - sheet.left
        heights = (
            LEGEND_GAP + legend_height(sheet, key.entries, width, title=key.title) for key in keys
        )
        return cls(
            bar=bar,
            keys=keys,
            beside=KEY_GAP + max([bar_width(sheet, bar), *widths]),
            below=0.0 if beside else sum(heights),
            legends_beside=beside,
        )

    def draw(self, sheet: PaperSheet, where: HeatSheet, bottom: float) -> float:
        """Draw it beside a heat map, and below if necessary; return where all of it ends."""
        left, top = where.right + KEY_GAP, where.body.top
        for key in self.keys if self.legends_beside else ():
            width = key.width_beside(sheet) - BESIDE_GAP + 1e-6
            end = draw_legend(sheet, key.entries, left, top, width, title=key.title)
            top = end + BESIDE_GAP
        if top == where.body.top:
            # Half of the topmost number rises above the bar.
            top += 0.5 * sheet.small_line
        room = where.body.bottom - where.body.top - (top - where.body.top)
        bottom = max(bottom, draw_bar(sheet, self.bar, left, top, bar_height(room)))
        for key in () if self.legends_beside else self.keys:
            begin, width = bottom + LEGEND_GAP, sheet.right - sheet.left
            bottom = draw_legend(sheet, key.entries, sheet.left, begin, width, title=key.title)
        return bottom


def _draw_body(sheet: PaperSheet, picture: HeatMapPicture, where: HeatSheet) -> None:
    """Draw every value as a rectangle or, where they are finer than the paper, means of several."""
    colours = packed(np.concatenate([colour_rows((LIGHT.empty,)), picture.palette.table]))
    spans = (
        PixelSpan(0.0, float(n), min(n, pixels))
        for n, pixels in zip(picture.table.shape, pixels_of(sheet, where.body), strict=True)
    )
    pixels = picture.table.pixels(colours, *spans)
    draw_in_box(sheet, where.body, unpacked(pixels)[..., :3], label="values")


def _draw_tree(sheet: PaperSheet, tree: Floats, box: Box, n: int, *, upright: bool) -> None:
    """Draw the tree, if any, of `n` rows or columns, its leaves at the colours: finer where dense.

    A line to a leaf has the space of one leaf, a line between branches that of all it spans.
    """
    from matplotlib.collections import LineCollection

    if not len(tree):
        return
    heights, places = tree[..., 0], tree[..., 1]
    wide, high = box.right - box.left, box.bottom - box.top
    if upright:
        x, y, step = box.left + places / n * wide, box.bottom - heights * high, wide / n
    else:
        x, y, step = box.right - heights * wide, box.top + places / n * high, high / n
    spans = np.abs(places[:, 1] - places[:, 0])
    inner = heights.min(axis=1) > 0.0
    room = np.where(spans > 0.0, spans, np.where(inner, 4.0, 1.0)) * step
    drawn = LineCollection(
        list(np.stack([x, y], axis=-1)),
        colors=LIGHT.muted,
        linewidths=np.clip(0.45 * room / MM_PER_POINT, FINEST, 0.5),
        label="column tree" if upright else "row tree",
    )
    drawn.set_capstyle("projecting")
    drawn.set_rasterized(len(tree) > MANY_LINES)
    sheet.paper.add_collection(drawn, autolim=False)


def _draw_strips(
    sheet: PaperSheet, where: HeatSheet, rows: Sequence[HeatStrip], columns: Sequence[HeatStrip]
) -> None:
    for strip, box in zip(rows, where.row_strips, strict=True):
        draw_in_box(sheet, box, _thinned(sheet, strip.colours, box)[:, None], label="row strip")
        wide = text_width(strip.name, size=sheet.small)
        x, y = 0.5 * (box.left + box.right), box.bottom + GAP + 0.5 * wide
        sheet.text(x, y, strip.name, size=sheet.small, rotation=90.0, role="strip name")
    for strip, box in zip(columns, where.column_strips, strict=True):
        draw_in_box(sheet, box, strip.colours[None], label="column strip")
        middle = 0.5 * (box.top + box.bottom)
        sheet.small_text(box.right + GAP, middle, strip.name, role="strip name")


def _thinned(sheet: PaperSheet, colours: Bytes, box: Box) -> Bytes:
    """Reduce the colours to as many rows as the paper can show."""
    pixels, _ = pixels_of(sheet, box)
    if len(colours) <= pixels:
        return colours
    return colours[PixelSpan(0.0, float(len(colours)), pixels).middles(len(colours))]


def _strip_names_room(sheet: PaperSheet, strips: Sequence[HeatStrip]) -> float:
    """Return how far the names of strips extend beyond these."""
    widest = max((text_width(strip.name, size=sheet.small) for strip in strips), default=0.0)
    return widest + GAP if strips else 0.0


def _draw_marks(sheet: PaperSheet, where: HeatSheet, marked: Bools) -> None:
    """Draw a line beside the rows of selected items, high enough to be seen."""
    from matplotlib.collections import PolyCollection

    box = where.marks
    high = (box.bottom - box.top) / len(marked)
    changes = np.flatnonzero(np.diff(np.concatenate([[0], marked.astype(np.int8), [0]])))
    shapes = []
    for first, last in changes.reshape(-1, 2).tolist():
        top, bottom = box.top + first * high, box.top + last * high
        spare = max(LEAST_MARK - (bottom - top), 0.0) / 2.0
        top, bottom = top - spare, bottom + spare
        shapes.append([(box.left, top), (box.right, top), (box.right, bottom), (box.left, bottom)])
    marks = PolyCollection(shapes, facecolors=LIGHT.accent, edgecolors="none", label="marks")
    sheet.paper.add_collection(marks, autolim=False)


def _draw_names(sheet: PaperSheet, picture: HeatMapPicture, where: HeatSheet) -> None:
    """Write the name of every row and column, or their number."""
    body, (n_rows, n_columns) = where.body, picture.table.shape
    right, below = body.right + GAP, body.bottom + GAP
    if where.row_size:
        high = (body.bottom - body.top) / n_rows
        for number, name in enumerate(_short(where.rows.names, where.row_room, where.row_size)):
            middle = body.top + (number + 0.5) * high
            sheet.text(right, middle, name, size=where.row_size, role="row name")
    else:
        said = counted(n_rows, "node" if picture.rows.means else picture.words.item)
        x, middle = right + 0.5 * sheet.small_line, 0.5 * (body.top + body.bottom)
        sheet.text(x, middle, said, size=sheet.small, rotation=90.0, role="row count")
    if where.column_size:
        wide = (body.right - body.left) / n_columns
        names = _short(where.columns.names, where.column_room, where.column_size)
        for number, name in enumerate(names):
            x, size = body.left + (number + 0.5) * wide, where.column_size
            drawn = sheet.text(x, below, name, size=size, rotation=90.0, role="column name")
            drawn.set_horizontalalignment("right")
    else:
        said = counted(n_columns, picture.words.feature)
        x, middle = 0.5 * (body.left + body.right), below + 0.5 * sheet.small_line
        sheet.small_text(x, middle, said, across="center", role="column count")


def _short(names: Sequence[str], room: float, size: float) -> list[str]:
    """Shorten names to fit: at their ends or, where that makes them alike, in the middle."""
    widest = room - GAP + 1e-6
    ended = [cut(name, widest, size=size) for name in names]
    if len(set(ended)) == len(set(names)):
        return ended
    return [cut_middle(name, widest, size=size) for name in names]
