"""The table of measures on paper, as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from ximstudio.figures.parts import THIN_LINE
from ximstudio.figures.sheet import Sheet, text_width, wrapped
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.measure_texts import table_text, value_text
from ximstudio.pictures.quality import MeasureTable

FIRST, MOST_FIRST = 0.3, 0.5
"""Width of the column of titles, of all: at the least where there are many, and at the most."""
APART = 2.2
"""Between two columns, in millimetres."""
NARROWEST, WIDEST = 9.0, 24.0
"""Of columns, in millimetres, as far as the name above asks for it."""


@dataclass(frozen=True, kw_only=True)
class _Column:
    number: int
    letter: str
    name: str
    width: float


def draw_measure_table(
    sheet: Sheet, table: MeasureTable, top: float, *, letters: Mapping[str, str]
) -> float:
    """Measures by row, runs by column, the best in bold; where the table ends.

    Where not all columns fit beside each other, the rest stand below with titles of their own.
    """
    columns = [_column(sheet, table, number, letters) for number in range(len(table.names))]
    width = sheet.right - sheet.left
    room = (1.0 - FIRST) * width
    widest = max(column.width for column in columns) + APART
    fitting = max(1, int(room / widest))
    n_blocks = ceil(len(columns) / fitting)
    fitting = ceil(len(columns) / n_blocks)
    for number in range(n_blocks):
        block = columns[number * fitting : (number + 1) * fitting]
        top = _draw_block(sheet, table, block, top, apart=widest) + sheet.small_line
    note = f"{table_text(table)}."
    for line in wrapped(note, width, size=sheet.small):
        middle = top - 0.4 * sheet.small_line
        sheet.text(
            sheet.left, middle, line, size=sheet.small, colour=LIGHT.muted, role="table note"
        )
        top += sheet.small_line
    return top


def _column(sheet: Sheet, table: MeasureTable, number: int, letters: Mapping[str, str]) -> _Column:
    texts = [value_text(table, row, number) for row in range(len(table.rows))]
    values = max((text_width(text, size=sheet.small, bold=True) for text in texts), default=0.0)
    name = text_width(table.names[number], size=sheet.small)
    return _Column(
        number=number,
        letter=letters.get(table.keys[number], ""),
        name=table.names[number],
        width=max(values, min(name, WIDEST), NARROWEST),
    )


def _draw_block(
    sheet: Sheet, table: MeasureTable, columns: list[_Column], top: float, *, apart: float
) -> float:
    """Some of the columns, under their letters and names."""
    line, small = sheet.small_line, sheet.small
    width = sheet.right - sheet.left
    titles = [f"{row.title} {row.arrow}".strip() for row in table.rows]
    longest = max(text_width(title, size=small) for title in titles) + APART
    first = min(width - len(columns) * apart, max(longest, FIRST * width), MOST_FIRST * width)
    first = max(first, FIRST * width)
    apart = min(apart, (width - first) / len(columns))
    end = sheet.left + first + len(columns) * apart
    ends = [sheet.left + first + (place + 1) * apart for place in range(len(columns))]
    names = [wrapped(column.name, apart - APART, size=small) for column in columns]
    _rule(sheet, top, end)
    top += 0.25 * line
    for column, right, lines in zip(columns, ends, names, strict=True):
        y = top + 0.5 * line
        sheet.text(
            right, y, column.letter, size=small, bold=True, across="right", role="table letter"
        )
        for number, text in enumerate(lines, start=1):
            below = y + number * line
            sheet.text(right, below, text, size=small, across="right", role="table name")
    top += (1 + max(len(lines) for lines in names)) * line + 0.25 * line
    _rule(sheet, top, end)
    top += 0.25 * line
    for row, title in enumerate(titles):
        lines = wrapped(title, first - APART, size=small)
        for number, text in enumerate(lines):
            sheet.text(
                sheet.left, top + (number + 0.5) * line, text, size=small, role="table title"
            )
        for column, right in zip(columns, ends, strict=True):
            sheet.text(
                right,
                top + 0.5 * line,
                value_text(table, row, column.number),
                size=small,
                bold=bool(table.best[row, column.number]),
                across="right",
                role="table value",
            )
        top += len(lines) * line
    top += 0.25 * line
    _rule(sheet, top, end)
    return top


def _rule(sheet: Sheet, y: float, right: float) -> None:
    sheet.paper.plot([sheet.left, right], [y, y], "-", color=LIGHT.axis, linewidth=THIN_LINE)
