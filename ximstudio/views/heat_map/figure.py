"""The heat map on paper: values as an image, with trees, classes, names and marks around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.images import draw_in_box, pixels_of, unpacked
from ximstudio.figures.legends import legend_height
from ximstudio.figures.look import on_paper
from ximstudio.figures.parts import GAP as BESIDE_GAP
from ximstudio.figures.parts import (
    Bar,
    ColourKey,
    LegendLine,
    bar_width,
    class_entries,
    draw_bar,
    draw_legend,
    nothing_to_draw,
)
from ximstudio.figures.sheet import (
    MM_PER_POINT,
    PAGE_MM,
    PaperSheet,
    cut,
    refuse_narrow,
    text_width,
    wrapped,
)
from ximstudio.figures.small_multiples import cut_middle
from ximstudio.maps.box import Box
from ximstudio.maps.classes import Classes
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.selection import Selection
from ximstudio.model.words import counted
from ximstudio.pictures.class_colours import class_colours, colour_rows
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
    with on_paper(plan.look):
        sheet = PaperSheet(plan.look, title=plan.title)
        key = _HeatKey.of(sheet, picture, (*rows, *columns), marked)
        row_names = [picture.rows.names[row] for row in picture.row_order.order.tolist()]
        names = picture.matrix.feature_names
        column_names = [names[column] for column in picture.column_order.order.tolist()]
        below = _strip_names_room(sheet, rows)
        note = wrapped(picture.printed_note, sheet.right - sheet.left, size=sheet.small)
        note = note if picture.printed_note else []
        lowest = PAGE_MM - (len(note) + 1.0) * sheet.small_line - key.below
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
        _draw_trees(sheet, picture, where)
        _draw_strips(sheet, where, rows, columns)
        if marked is not None:
            _draw_marks(sheet, where, marked)
        _draw_names(sheet, picture, where)
        bottom = max(where.bottom, where.body.bottom + below)
        bottom = key.draw(sheet, where, bottom)
        return sheet.finish(_write_note(sheet, note, bottom))


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
    legends: Mapping[str, tuple[LegendLine, ...]]
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
            said = f"selected {picture.words.items}"
            said = f"with {said}" if picture.rows.means else said
            legends[""] = (
                LegendLine(name=said, colour=LIGHT.accent, count=int(marked.sum()), marker="s"),
            )
        keys = [ColourKey(entries=entries, title=title) for title, entries in legends.items()]
        lines = sum(len(key.entries) + 2.0 for key in keys)
        beside = all(key.beside(sheet) for key in keys)
        beside = beside and lines * sheet.small_line <= MOST_BESIDE * PAGE_MM
        widths = [bar_width(sheet, bar)]
        below = 0.0
        if beside:
            widths += [key.width_beside(sheet) - BESIDE_GAP for key in keys]
        else:
            width = sheet.right - sheet.left
            below = sum(
                LEGEND_GAP + legend_height(sheet, entries, width, title=title)
                for title, entries in legends.items()
            )
        return cls(
            bar=bar,
            legends=legends,
            beside=KEY_GAP + max(widths),
            below=below,
            legends_beside=beside,
        )

    def draw(self, sheet: PaperSheet, where: HeatSheet, bottom: float) -> float:
        """Draw it beside a heat map, and below if necessary; return where all of it ends."""
        left, top = where.right + KEY_GAP, where.body.top
        high = where.body.bottom - where.body.top
        if self.legends_beside:
            for title, entries in self.legends.items():
                width = ColourKey(entries=entries, title=title).width_beside(sheet) - BESIDE_GAP
                end_of = draw_legend(sheet, entries, left, top, width + 1e-6, title=title)
                top = end_of + BESIDE_GAP
        if top == where.body.top:
            # Half of the topmost number rises above the bar.
            top += 0.5 * sheet.small_line
        room = high - (top - where.body.top)
        ended = draw_bar(sheet, self.bar, left, top, min(max(room, 18.0), 48.0))
        bottom = max(bottom, ended)
        if not self.legends_beside:
            for title, entries in self.legends.items():
                begin, width = bottom + LEGEND_GAP, sheet.right - sheet.left
                bottom = draw_legend(sheet, entries, sheet.left, begin, width, title=title)
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


def _draw_trees(sheet: PaperSheet, picture: HeatMapPicture, where: HeatSheet) -> None:
    n_rows, n_columns = picture.table.shape
    tree = picture.row_order.tree
    if len(tree):
        box = where.row_tree
        heights, places = tree[..., 0], tree[..., 1]
        x = box.right - heights * (box.right - box.left)
        y = box.top + places / n_rows * (box.bottom - box.top)
        widths = _line_widths(tree, (box.bottom - box.top) / n_rows)
        _draw_lines(sheet, np.stack([x, y], axis=-1), widths, label="row tree")
    tree = picture.column_order.tree
    if len(tree):
        box = where.column_tree
        heights, places = tree[..., 0], tree[..., 1]
        x = box.left + places / n_columns * (box.right - box.left)
        y = box.bottom - heights * (box.bottom - box.top)
        widths = _line_widths(tree, (box.right - box.left) / n_columns)
        _draw_lines(sheet, np.stack([x, y], axis=-1), widths, label="column tree")


def _line_widths(tree: Floats, step: float) -> Floats:
    """Return the widths of the lines of a tree whose leaves are `apart`: finer where dense.

    A line to a leaf has the space of one leaf, a line between branches that of all it spans.
    """
    heights, places = tree[..., 0], tree[..., 1]
    spans = np.abs(places[:, 1] - places[:, 0])
    inner = heights.min(axis=1) > 0.0
    room = np.where(spans > 0.0, spans, np.where(inner, 4.0, 1.0)) * step
    return np.asarray(np.clip(0.45 * room / MM_PER_POINT, FINEST, 0.5))


def _draw_lines(sheet: PaperSheet, lines: Floats, widths: Floats, *, label: str) -> None:
    from matplotlib.collections import LineCollection

    drawn = LineCollection(list(lines), colors=LIGHT.muted, linewidths=widths, label=label)
    drawn.set_capstyle("projecting")
    drawn.set_rasterized(len(lines) > MANY_LINES)
    sheet.paper.add_collection(drawn, autolim=False)


def _draw_strips(
    sheet: PaperSheet, where: HeatSheet, rows: Sequence[HeatStrip], columns: Sequence[HeatStrip]
) -> None:
    for strip, box in zip(rows, where.row_strips, strict=True):
        draw_in_box(sheet, box, _thinned(sheet, strip.colours, box)[:, None], label="row strip")
        wide = text_width(strip.name, size=sheet.small)
        sheet.text(
            0.5 * (box.left + box.right),
            box.bottom + GAP + 0.5 * wide,
            strip.name,
            size=sheet.small,
            rotation=90.0,
            role="strip name",
        )
    for strip, box in zip(columns, where.column_strips, strict=True):
        draw_in_box(sheet, box, strip.colours[None], label="column strip")
        middle = 0.5 * (box.top + box.bottom)
        sheet.text(box.right + GAP, middle, strip.name, size=sheet.small, role="strip name")


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
    if where.row_size:
        high = (body.bottom - body.top) / n_rows
        for number, name in enumerate(_short(where.rows.names, where.row_room, where.row_size)):
            sheet.text(
                body.right + GAP,
                body.top + (number + 0.5) * high,
                name,
                size=where.row_size,
                role="row name",
            )
    else:
        what = "node" if picture.rows.means else picture.words.item
        x, middle = body.right + GAP + 0.5 * sheet.small_line, 0.5 * (body.top + body.bottom)
        said = counted(n_rows, what)
        sheet.text(x, middle, said, size=sheet.small, rotation=90.0, role="row count")
    if where.column_size:
        wide = (body.right - body.left) / n_columns
        short = _short(where.columns.names, where.column_room, where.column_size)
        for number, shown in enumerate(short):
            drawn = sheet.text(
                body.left + (number + 0.5) * wide,
                body.bottom + GAP,
                shown,
                size=where.column_size,
                rotation=90.0,
                role="column name",
            )
            drawn.set_horizontalalignment("right")
    else:
        sheet.text(
            0.5 * (body.left + body.right),
            body.bottom + GAP + 0.5 * sheet.small_line,
            counted(n_columns, picture.words.feature),
            size=sheet.small,
            across="center",
            role="column count",
        )


def _short(names: Sequence[str], room: float, size: float) -> list[str]:
    """Shorten names to fit: at their ends or, where that makes them alike, in the middle."""
    widest = room - GAP + 1e-6
    ended = [cut(name, widest, size=size) for name in names]
    if len(set(ended)) == len(set(names)):
        return ended
    return [cut_middle(name, widest, size=size) for name in names]


def _write_note(sheet: PaperSheet, note: Sequence[str], bottom: float) -> float:
    if note:
        bottom += 0.4 * sheet.small_line
    for line in note:
        middle = bottom + 0.5 * sheet.small_line
        sheet.text(sheet.left, middle, line, size=sheet.small, colour=LIGHT.muted, role="note")
        bottom += sheet.small_line
    return bottom
