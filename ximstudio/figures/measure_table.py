"""The table of measures on paper: real text, the best of a row in bold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from types import MappingProxyType

from ximstudio.figures.sheet import PaperSheet, text_width, wrapped
from ximstudio.model.words import counted
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.measure_table import MeasureTable, table_text, value_text

COLUMN_GAP, WIDEST_GAP = 3.0, 18.0
"""Gap between columns, in millimetres; wider where there is room."""
NAME_ROOMS = 24.0, 17.0, 11.0
"""Room for the name of a run, less where that brings all beside each other; longer ones take
several lines."""
TITLE_SHARES = 0.66, 0.5, 0.42, 0.34
"""Width of the column of titles at the most, of all: less where that makes the table lower, with
longer titles in several lines."""
ROW = 1.12
"""Height of a row, in lines of text."""
HEAD_LINE, THIN_LINE = 0.8, 0.4
"""Widths of the lines above and below the table, and between its parts, in points."""
BLOCK_GAP = 2.5
"""Gap between parts of a table that is too wide."""
NOTE_GAP = 0.6
"""Gap between a table and its note."""
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class _Laid:
    """Layout of the table: runs side by side, widths, and the lines of the head.

    `names` are the lines above every run, the letter of its panel first if there is one, and
    `lines` those of every title.
    """

    titles: float
    widths: tuple[float, ...]
    blocks: tuple[range, ...]
    gap: float
    names: tuple[tuple[str, ...], ...]
    lines: tuple[tuple[str, ...], ...]

    @property
    def n_lines(self) -> int:
        """Count the lines of the head."""
        return max((len(lines) for lines in self.names), default=1)


def draw_measure_table(
    sheet: PaperSheet,
    table: MeasureTable,
    top: float,
    *,
    letters: Mapping[str, str] = NOTHING,
    shown: str = "",
    lowest: float = inf,
) -> float:
    """Draw measures by row, runs by column, the best in bold; return where the table ends.

    Runs that do not fit beside each other follow in another part below, as long as that ends above
    `lowest`; a note says what is left out. `letters` stand above the runs with these keys, and the
    run with the key `shown` is tinted.
    """
    width = sheet.right - sheet.left
    laid = _laid_out(sheet, table, width, letters)
    height = _block_height(sheet, laid)
    drawn, bottom = 0, top
    for number, block in enumerate(laid.blocks):
        begin = bottom + (BLOCK_GAP if number else 0.0)
        if number and begin + height > lowest:
            break
        bottom = _draw_block(sheet, table, laid, block, begin, (letters, shown))
        drawn += len(block)
    note = _note(table, left_out=len(table.names) - drawn)
    return sheet.note(note, bottom, gap=NOTE_GAP, role="table note")


def measure_table_height(
    sheet: PaperSheet, table: MeasureTable, *, letters: Mapping[str, str] = NOTHING
) -> float:
    """Return the height of the whole table with its note."""
    width = sheet.right - sheet.left
    blocks = _blocks_height(sheet, _laid_out(sheet, table, width, letters))
    return blocks + NOTE_GAP + len(sheet.note_lines(_note(table))) * sheet.small_line


def _laid_out(
    sheet: PaperSheet, table: MeasureTable, width: float, letters: Mapping[str, str]
) -> _Laid:
    """Return the lowest table; of several, the one with the most room for titles and names."""
    arrow = _arrow_width(sheet)
    widest = max((text_width(row.title, size=sheet.small) for row in table.rows), default=0.0)
    limits = dict.fromkeys(min(widest + arrow + 0.5, share * width) for share in TITLE_SHARES)
    tried = [laid for titles in limits for laid in _tried(sheet, table, width, titles, letters)]
    return min(tried, key=lambda laid: _blocks_height(sheet, laid))


def _tried(
    sheet: PaperSheet, table: MeasureTable, width: float, titles: float, letters: Mapping[str, str]
) -> Iterator[_Laid]:
    """Lay out tables with titles of this width, for every width that names of runs may have."""
    arrow = _arrow_width(sheet)
    lines = tuple(
        tuple(wrapped(row.title, titles - arrow + 1e-6, size=sheet.small)) for row in table.rows
    )
    room = width - titles
    for most in NAME_ROOMS:
        widths = tuple(
            min(_column_width(sheet, table, column, most), room - COLUMN_GAP)
            for column in range(len(table.names))
        )
        blocks = _blocks(widths, room)
        # All parts have the same gaps.
        spare = min(
            (room - sum(widths[column] for column in block)) / max(len(block), 1)
            for block in blocks
        )
        names = tuple(
            (
                *([letters[key]] if key in letters else []),
                *wrapped(name, wide + 1e-6, size=sheet.small, bold=True),
            )
            for key, name, wide in zip(table.keys, table.names, widths, strict=True)
        )
        yield _Laid(
            titles=titles,
            widths=widths,
            blocks=blocks,
            gap=min(max(spare, COLUMN_GAP), WIDEST_GAP),
            names=names,
            lines=lines,
        )


def _blocks(widths: Sequence[float], room: float) -> tuple[range, ...]:
    """Split the columns into blocks of as many as fit side by side."""
    blocks: list[range] = []
    begin, used = 0, 0.0
    for column, wide in enumerate(widths):
        if column > begin and used + wide + COLUMN_GAP > room + 1e-6:
            blocks.append(range(begin, column))
            begin, used = column, 0.0
        used += wide + COLUMN_GAP
    return (*blocks, range(begin, len(widths)))


def _column_width(sheet: PaperSheet, table: MeasureTable, column: int, most: float) -> float:
    name = min(text_width(table.names[column], size=sheet.small, bold=True), most)
    values = [
        text_width(
            value_text(table, row, column), size=sheet.small, bold=bool(table.best[row, column])
        )
        for row in range(len(table.rows))
    ]
    return max(name, *values)


def _arrow_width(sheet: PaperSheet) -> float:
    return 1.1 * text_width("↑", size=sheet.small) + 0.5


def _row_heights(sheet: PaperSheet, laid: _Laid) -> list[float]:
    return [(len(lines) + ROW - 1.0) * sheet.small_line for lines in laid.lines]


def _head_height(sheet: PaperSheet, laid: _Laid) -> float:
    return laid.n_lines * sheet.small_line + 0.25 * sheet.small_line


def _block_height(sheet: PaperSheet, laid: _Laid) -> float:
    return _head_height(sheet, laid) + sum(_row_heights(sheet, laid)) + 0.1 * sheet.small_line


def _blocks_height(sheet: PaperSheet, laid: _Laid) -> float:
    return len(laid.blocks) * (_block_height(sheet, laid) + BLOCK_GAP) - BLOCK_GAP


def _note(table: MeasureTable, *, left_out: int = 0) -> str:
    said = table_text(table)
    if left_out:
        said += f"; {counted(left_out, 'more run')} left out for lack of space"
    return f"{said}."


def _draw_block(
    sheet: PaperSheet,
    table: MeasureTable,
    laid: _Laid,
    block: range,
    top: float,
    marked: tuple[Mapping[str, str], str],
) -> float:
    """Draw some of the runs, with the titles of all measures; return where it ends."""
    letters, shown = marked
    ends = [sheet.left + laid.titles]
    for column in block:
        ends.append(ends[-1] + laid.widths[column] + laid.gap)
    bottom = top + _block_height(sheet, laid)
    below_head = top + _head_height(sheet, laid)
    for column, end in zip(block, ends[1:], strict=True):
        key, lines = table.keys[column], laid.names[column]
        if key == shown and len(table.names) > 1:
            _tint(sheet, end - laid.widths[column] - 0.5 * COLUMN_GAP, end, (top, bottom))
        for number, text in enumerate(reversed(lines)):
            is_letter = key in letters and number == len(lines) - 1
            x, y = end - 0.25 * COLUMN_GAP, below_head - (number + 0.62) * sheet.small_line
            role = "table letter" if is_letter else "table name"
            sheet.small_text(x, y, text, bold=True, across="right", role=role)
    begin = below_head
    for row, high in enumerate(_row_heights(sheet, laid)):
        middle = begin + 0.55 * ROW * sheet.small_line
        _draw_row(sheet, table, laid, row, middle, tuple(zip(block, ends[1:], strict=True)))
        begin += high
    for y, thick in ((top, HEAD_LINE), (below_head, THIN_LINE), (bottom, HEAD_LINE)):
        sheet.paper.plot([sheet.left, ends[-1]], [y, y], "-", color=LIGHT.text, linewidth=thick)
    return bottom


def _draw_row(
    sheet: PaperSheet,
    table: MeasureTable,
    laid: _Laid,
    row: int,
    middle: float,
    columns: tuple[tuple[int, float], ...],
) -> None:
    """Draw a measure and its values for these runs, whose columns end there."""
    measure, arrow = table.rows[row], _arrow_width(sheet)
    sheet.small_text(sheet.left, middle, measure.arrow, role="table arrow")
    for number, line in enumerate(laid.lines[row]):
        below = middle + number * sheet.small_line
        sheet.small_text(sheet.left + arrow, below, line, role="table title")
    for column, end in columns:
        x, text, best = end - 0.25 * COLUMN_GAP, value_text(table, row, column), table.best
        bold = bool(best[row, column])
        sheet.small_text(x, middle, text, bold=bold, across="right", role="table value")


def _tint(sheet: PaperSheet, left: float, right: float, ends: tuple[float, float]) -> None:
    from matplotlib.patches import Rectangle

    shade = Rectangle((left, ends[0]), right - left, ends[1] - ends[0])
    shade.set(facecolor=LIGHT.accent_soft, edgecolor="none", zorder=0.5, label="shown run")
    sheet.paper.add_patch(shade)
