"""The table of measures on paper: real text, the best of a row in bold."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.figures.sheet import Sheet, cut, text_width, wrapped
from ximstudio.model.words import counted
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.measure_texts import table_text, value_text
from ximstudio.pictures.quality import MeasureTable

COLUMN_GAP, WIDEST_GAP = 3.0, 18.0
"""Between columns, in millimetres; wider where there is room."""
MOST_NAME = 32.0
"""Room for the name of a run; longer ones are cut."""
ROW = 1.12
"""Height of a row, in lines of text."""
HEAD_LINE, THIN_LINE = 0.8, 0.4
"""Widths of the lines above and below the table, and between its parts, in points."""
BLOCK_GAP = 2.5
"""Between parts of a table that is too wide."""


@dataclass(frozen=True, kw_only=True)
class _Laid:
    """Which runs stand beside each other, and how wide everything is."""

    titles: float
    widths: tuple[float, ...]
    blocks: tuple[range, ...]
    gap: float


def table_height(sheet: Sheet, table: MeasureTable, width: float) -> float:
    """How high the whole table is, its note included."""
    laid = _laid_out(sheet, table, width)
    note = len(_note(sheet, table, width, left_out=0)) * sheet.small_line + 0.6
    return len(laid.blocks) * (_block_height(sheet, table) + BLOCK_GAP) - BLOCK_GAP + note


def draw_table(
    sheet: Sheet,
    table: MeasureTable,
    left: float,
    top: float,
    width: float,
    *,
    shown: str = "",
    lowest: float = float("inf"),
) -> float:
    """Measures by row and runs by column; where it ends.

    Runs that do not fit beside each other follow in another part below, as long as that ends above
    `lowest`; what is left out then is said. The run with the key `shown` is tinted.
    """
    laid = _laid_out(sheet, table, width)
    height = _block_height(sheet, table)
    drawn, bottom = 0, top
    for number, block in enumerate(laid.blocks):
        begin = bottom + (BLOCK_GAP if number else 0.0)
        if number and begin + height > lowest:
            break
        bottom = _draw_block(sheet, table, laid, block, (left, begin), shown)
        drawn += len(block)
    bottom += 0.6
    for line in _note(sheet, table, width, left_out=len(table.names) - drawn):
        middle = bottom + 0.5 * sheet.small_line
        sheet.text(left, middle, line, size=sheet.small, colour=LIGHT.muted, role="table note")
        bottom += sheet.small_line
    return bottom


def _laid_out(sheet: Sheet, table: MeasureTable, width: float) -> _Laid:
    arrow = _arrow_width(sheet)
    titles = max(
        (text_width(row.title, size=sheet.small) + arrow for row in table.rows), default=arrow
    )
    titles = min(titles + 0.5, 0.6 * width)
    room = width - titles
    widths = tuple(
        min(_column_width(sheet, table, column), room - COLUMN_GAP)
        for column in range(len(table.names))
    )
    blocks: list[range] = []
    begin, used = 0, 0.0
    for column, wide in enumerate(widths):
        if column > begin and used + wide + COLUMN_GAP > room + 1e-6:
            blocks.append(range(begin, column))
            begin, used = column, 0.0
        used += wide + COLUMN_GAP
    blocks.append(range(begin, len(widths)))
    # Of several parts the gaps are the same.
    spare = min(
        (room - sum(widths[column] for column in block)) / max(len(block), 1) for block in blocks
    )
    gap = min(max(spare, COLUMN_GAP), WIDEST_GAP)
    return _Laid(titles=titles, widths=widths, blocks=tuple(blocks), gap=gap)


def _column_width(sheet: Sheet, table: MeasureTable, column: int) -> float:
    name = min(text_width(table.names[column], size=sheet.small, bold=True), MOST_NAME)
    values = (
        text_width(
            value_text(table, row, column),
            size=sheet.small,
            bold=bool(table.best[row, column]),
        )
        for row in range(len(table.rows))
    )
    return max(name, *values) if len(table.rows) else name


def _arrow_width(sheet: Sheet) -> float:
    return 1.1 * text_width("↑", size=sheet.small) + 0.5


def _row_height(sheet: Sheet) -> float:
    return ROW * sheet.small_line


def _block_height(sheet: Sheet, table: MeasureTable) -> float:
    return (len(table.rows) + 1.2) * _row_height(sheet)


def _note(sheet: Sheet, table: MeasureTable, width: float, *, left_out: int) -> list[str]:
    said = table_text(table)
    if left_out:
        said += f"; {counted(left_out, 'more run')} left out for want of room"
    return wrapped(f"{said}.", width, size=sheet.small)


def _draw_block(
    sheet: Sheet,
    table: MeasureTable,
    laid: _Laid,
    block: range,
    corner: tuple[float, float],
    shown: str,
) -> float:
    """Some of the runs, with the names of all measures; where it ends."""
    (left, top), high = corner, _row_height(sheet)
    edges = [left + laid.titles]
    for column in block:
        edges.append(edges[-1] + laid.widths[column] + laid.gap)
    bottom = top + _block_height(sheet, table)
    below_head = top + 1.1 * high
    for number, column in enumerate(block):
        if table.keys[column] == shown and len(table.names) > 1:
            begin = edges[number + 1] - laid.widths[column] - 0.5 * COLUMN_GAP
            _tint(sheet, begin, edges[number + 1], (top, bottom))
        name = cut(table.names[column], laid.widths[column], size=sheet.small, bold=True)
        sheet.text(
            edges[number + 1] - 0.25 * COLUMN_GAP,
            top + 0.55 * high,
            name,
            size=sheet.small,
            bold=True,
            across="right",
            role="table run",
        )
    for row, measure in enumerate(table.rows):
        middle = below_head + (row + 0.55) * high
        sheet.text(left, middle, measure.arrow, size=sheet.small, role="table arrow")
        begin = left + _arrow_width(sheet)
        title = cut(measure.title, laid.titles - _arrow_width(sheet) + 1e-6, size=sheet.small)
        sheet.text(begin, middle, title, size=sheet.small, role="table measure")
        for number, column in enumerate(block):
            sheet.text(
                edges[number + 1] - 0.25 * COLUMN_GAP,
                middle,
                value_text(table, row, column),
                size=sheet.small,
                bold=bool(table.best[row, column]),
                across="right",
                role="table value",
            )
    for y, thick in ((top, HEAD_LINE), (below_head, THIN_LINE), (bottom, HEAD_LINE)):
        sheet.paper.plot([left, edges[-1]], [y, y], "-", color=LIGHT.text, linewidth=thick)
    return bottom


def _tint(sheet: Sheet, left: float, right: float, ends: tuple[float, float]) -> None:
    from matplotlib.patches import Rectangle

    shade = Rectangle((left, ends[0]), right - left, ends[1] - ends[0])
    shade.set(facecolor=LIGHT.accent_soft, edgecolor="none", zorder=0.5, label="shown run")
    sheet.paper.add_patch(shade)
