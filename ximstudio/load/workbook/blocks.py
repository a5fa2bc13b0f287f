"""Ranges of a sheet, and tables that lie side by side on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from ximstudio.load.text.cells import Cells
from ximstudio.load.workbook.sheets import column_letters, column_number
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import SettingsForm, UserError

LOOKED_AT = 200
"""Rows by which tables beside each other are noticed."""

FEWEST = 2
"""Rows with a name and a number that make a table."""

RANGE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{0,7}):\$?([A-Z]{1,3})\$?(\d{0,7})", re.I)


class CellRange(NamedTuple):
    """A rectangle of cells, counted from 1; a last row of 0 is the last one of the sheet."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int

    def __str__(self) -> str:
        letters = column_letters(self.first_column), column_letters(self.last_column)
        rows = ("", "") if not self.last_row else (str(self.first_row), str(self.last_row))
        return f"{letters[0]}{rows[0]}:{letters[1]}{rows[1]}"


def split_part(part: str) -> tuple[str, CellRange | None]:
    """Split a part into sheet and range: "Data!A1:D20", "Data!F:J", or "Data" alone."""
    sheet, mark, text = part.rpartition("!")
    found = RANGE.fullmatch(text.strip()) if mark else None
    if found is None:
        return part, None
    first, last = column_number(found[1]), column_number(found[3])
    whole = not (found[2] and found[4])
    rows = (1, 0) if whole else (max(int(found[2]), 1), int(found[4]))
    columns = min(first, last), max(first, last)
    return sheet.strip("'"), CellRange(rows[0], columns[0], rows[1], columns[1])


def cropped(cells: Cells, chosen: CellRange, where: str) -> Cells:
    """Return the cells within a range."""
    left = max(chosen.first_column - cells.first_column, 0)
    right = max(chosen.last_column - cells.first_column + 1, 0)
    kept = [
        (row[left:right], number)
        for row, number in zip(cells.rows, cells.numbers, strict=True)
        if number >= chosen.first_row and (not chosen.last_row or number <= chosen.last_row)
    ]
    if not any(cell.strip() for row, _ in kept for cell in row):
        raise UserError(
            key="load.empty",
            what=f"There is nothing in the range {chosen}.",
            where=where,
            way_out="Choose another range of the sheet.",
        )
    return replace(
        cells,
        rows=[row for row, _ in kept],
        numbers=[number for _, number in kept],
        first_column=cells.first_column + left,
    )


def refuse_side_by_side(cells: Cells, sheet: str, where: str) -> None:
    """Refuse a sheet with tables beside each other: their rows have nothing to do with each other.

    Tables are separated by a blank column between them, and by rows of their own: names that are
    not those of the first table, with numbers behind them. One table whose columns are only spaced
    out, or that repeats its names, is read as it is.
    """
    if len(_tables(cells.rows[:LOOKED_AT])) < 2:
        return
    rows = list(cells.rows)
    tables = _tables(rows)
    if len(tables) < 2:
        return
    ranges = []
    for left, right in tables:
        pairs = zip(rows, cells.numbers, strict=True)
        filled = [number for row, number in pairs if any(map(str.strip, row[left:right]))]
        columns = left + cells.first_column, right - 1 + cells.first_column
        ranges.append(CellRange(filled[0], columns[0], filled[-1], columns[1]))
    sizes = [_n_numbers(rows, left, right) for left, right in tables]
    best = ranges[sizes.index(max(sizes))]
    raise UserError(
        key="load.side_by_side",
        what=f"{len(tables)} tables lie side by side on the sheet, each with names of its own.",
        where=f"{where}: {some_of([str(each) for each in ranges])}",
        way_out=f"Choose one of them by its cells, for instance '{sheet}!{best}'.",
        fields=("part",),
        form=SettingsForm.READING,
        hint={"part": f"{sheet}!{best}"},
    )


def _tables(rows: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Return first column and end of every block that is a table; none if there is only one."""
    blocks = _blocks(rows)
    names: list[list[str]] = []
    tables: list[tuple[int, int]] = []
    for left, right in blocks:
        own = [_cell(row, left) if _is_data(row, left, right) else "" for row in rows]
        if sum(map(bool, own)) >= FEWEST and own not in names:
            names.append(own)
            tables.append((left, right))
        elif tables:
            # More columns of the table before.
            tables[-1] = (tables[-1][0], right)
    return tables if len(tables) > 1 and tables[0][0] == blocks[0][0] else []


def _blocks(rows: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Return the runs of columns that hold anything."""
    width = max((len(row) for row in rows), default=0)
    runs = groupby(range(width), key=lambda column: any(_cell(row, column) for row in rows))
    blocks = [list(run) for is_filled, run in runs if is_filled]
    return [(block[0], block[-1] + 1) for block in blocks]


def _is_data(row: Sequence[str], left: int, right: int) -> bool:
    """Return whether a row of a block is a name with a number behind it."""
    name = _cell(row, left)
    return bool(name) and not _is_number(name) and any(map(_is_number, row[left + 1 : right]))


def _n_numbers(rows: Sequence[Sequence[str]], left: int, right: int) -> int:
    return sum(_is_number(cell) for row in rows for cell in row[left:right])


def _cell(row: Sequence[str], column: int) -> str:
    return row[column].strip() if column < len(row) else ""


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", ".", 1))
    except ValueError:
        return False
    return True
