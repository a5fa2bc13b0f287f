"""The table of measures on paper: real text, the best of a row in bold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from types import MappingProxyType

from ximstudio.figures.sheet import PaperSheet, text_width, wrapped
from ximstudio.maps.box import Box
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


@dataclass(frozen=True, kw_only=True, eq=False)
class _Laid:
    """A table laid out on a sheet: runs side by side in blocks, widths, and the lines of the head.

    `names` are the lines above every run, the letter of its panel first if there is one, and
    `lines` those of every title.
    """

    sheet: PaperSheet
    table: MeasureTable
    letters: Mapping[str, str]
    titles: float
    widths: tuple[float, ...]
    blocks: tuple[range, ...]
    gap: float
    names: tuple[tuple[str, ...], ...]
    lines: tuple[tuple[str, ...], ...]

    @property
    def head(self) -> float:
        """Return the height of the head."""
        n_lines = max((len(lines) for lines in self.names), default=1)
        return n_lines * self.sheet.small_line + 0.25 * self.sheet.small_line

    @property
    def rows(self) -> list[float]:
        """Return the heights of the rows."""
        return [(len(lines) + ROW - 1.0) * self.sheet.small_line for lines in self.lines]

    @property
    def block(self) -> float:
        """Return the height of a block."""
        return self.head + sum(self.rows) + 0.1 * self.sheet.small_line

    @property
    def height(self) -> float:
        """Return the height of all blocks."""
        return len(self.blocks) * (self.block + BLOCK_GAP) - BLOCK_GAP

    def draw_block(self, block: range, top: float, shown: str) -> float:
        """Draw some of the runs, with the titles of all measures; return where it ends."""
        sheet, table = self.sheet, self.table
        ends = [sheet.left + self.titles]
        for column in block:
            ends.append(ends[-1] + self.widths[column] + self.gap)
        columns = list(zip(block, ends[1:], strict=True))
        bottom, below_head = top + self.block, top + self.head
        for column, end in columns:
            key, lines = table.keys[column], self.names[column]
            if key == shown and len(table.names) > 1:
                left = end - self.widths[column] - 0.5 * COLUMN_GAP
                _tint(sheet, Box(left, top, end, bottom))
            for number, text in enumerate(reversed(lines)):
                is_letter = key in self.letters and number == len(lines) - 1
                x, y = end - 0.25 * COLUMN_GAP, below_head - (number + 0.62) * sheet.small_line
                role = "table letter" if is_letter else "table name"
                sheet.small_text(x, y, text, bold=True, across="right", role=role)
        begin = below_head
        for row, high in enumerate(self.rows):
            self._draw_row(row, begin + 0.55 * ROW * sheet.small_line, columns)
            begin += high
        for y, thick in ((top, HEAD_LINE), (below_head, THIN_LINE), (bottom, HEAD_LINE)):
            sheet.paper.plot([sheet.left, ends[-1]], [y, y], "-", color=LIGHT.text, linewidth=thick)
        return bottom

    def _draw_row(self, row: int, middle: float, columns: list[tuple[int, float]]) -> None:
        """Draw a measure and its values for these runs, whose columns end there."""
        sheet, table = self.sheet, self.table
        sheet.small_text(sheet.left, middle, table.rows[row].arrow, role="table arrow")
        for number, line in enumerate(self.lines[row]):
            x, below = sheet.left + _arrow_width(sheet), middle + number * sheet.small_line
            sheet.small_text(x, below, line, role="table title")
        for column, end in columns:
            x, text = end - 0.25 * COLUMN_GAP, value_text(table, row, column)
            bold = bool(table.best[row, column])
            sheet.small_text(x, middle, text, bold=bold, across="right", role="table value")


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
    laid = _laid_out(sheet, table, letters)
    drawn, bottom = 0, top
    for number, block in enumerate(laid.blocks):
        begin = bottom + (BLOCK_GAP if number else 0.0)
        if number and begin + laid.block > lowest:
            break
        bottom = laid.draw_block(block, begin, shown)
        drawn += len(block)
    note = _note(table, left_out=len(table.names) - drawn)
    return sheet.note(note, bottom, gap=NOTE_GAP, role="table note")


def measure_table_height(
    sheet: PaperSheet, table: MeasureTable, *, letters: Mapping[str, str] = NOTHING
) -> float:
    """Return the height of the whole table with its note."""
    n_lines = len(sheet.note_lines(_note(table)))
    return _laid_out(sheet, table, letters).height + NOTE_GAP + n_lines * sheet.small_line


def _laid_out(sheet: PaperSheet, table: MeasureTable, letters: Mapping[str, str]) -> _Laid:
    """Return the lowest table; of several, the one with the most room for titles and names."""
    width, arrow = sheet.right - sheet.left, _arrow_width(sheet)
    widest = max((text_width(row.title, size=sheet.small) for row in table.rows), default=0.0)
    limits = dict.fromkeys(min(widest + arrow + 0.5, share * width) for share in TITLE_SHARES)
    tried = [laid for titles in limits for laid in _tried(sheet, table, titles, letters)]
    return min(tried, key=lambda laid: laid.height)


def _tried(
    sheet: PaperSheet, table: MeasureTable, titles: float, letters: Mapping[str, str]
) -> Iterator[_Laid]:
    """Lay out tables with titles of this width, for every width that names of runs may have."""
    widest = titles - _arrow_width(sheet) + 1e-6
    lines = tuple(tuple(wrapped(row.title, widest, size=sheet.small)) for row in table.rows)
    room = sheet.right - sheet.left - titles
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
            sheet=sheet,
            table=table,
            letters=letters,
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


def _note(table: MeasureTable, *, left_out: int = 0) -> str:
    said = table_text(table)
    if left_out:
        said += f"; {counted(left_out, 'more run')} left out for lack of space"
    return f"{said}."


def _tint(sheet: PaperSheet, box: Box) -> None:
    from matplotlib.patches import Rectangle

    shade = Rectangle((box.left, box.top), box.right - box.left, box.bottom - box.top)
    shade.set(facecolor=LIGHT.accent_soft, edgecolor="none", zorder=0.5, label="shown run")
    sheet.paper.add_patch(shade)
