"""Sheets of a workbook: sizes, details that calamine leaves out, cells as texts, and refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from ximstudio.load.account import note
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.words import counted

TRUE = rb"""["'](?:1|true)["']"""
ROW = re.compile(rb"<(?:[\w.-]+:)?row\s[^>]*?\bhidden\s*=\s*" + TRUE)
COLUMN = re.compile(rb"<(?:[\w.-]+:)?col\s([^>]*?\bhidden\s*=\s*" + TRUE + rb"[^>]*)>")
ENDS = re.compile(rb"""\b(min|max)\s*=\s*["'](\d{1,7})["']""")
ROWS_BEGIN = b"sheetData"


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """Number of hidden rows with cells, and ranges (first, last) of hidden columns."""

    rows: int = 0
    columns: tuple[tuple[int, int], ...] = ()


def hidden_in(data: bytes, n_columns: int) -> Hidden:
    """Return the hidden rows and columns in the XML of a sheet, within so many columns."""
    if b"hidden" not in data:
        return Hidden()
    begin = max(data.find(ROWS_BEGIN), 0)
    return Hidden(
        rows=count_hidden_rows(data[begin:]), columns=hidden_columns(data[:begin], n_columns)
    )


def count_hidden_rows(data: bytes) -> int:
    """Count the hidden rows in a piece of XML."""
    return sum(1 for _ in ROW.finditer(data)) if b"hidden" in data else 0


def hidden_columns(head: bytes, n_columns: int) -> tuple[tuple[int, int], ...]:
    """Return first and last of the columns that are hidden, from the XML before the rows."""
    columns = []
    for found in COLUMN.finditer(head):
        ends = {name: int(number) for name, number in ENDS.findall(found[1])}
        first, last = ends.get(b"min", 0), min(ends.get(b"max", 0), n_columns)
        if 1 <= first <= last:
            columns.append((first, last))
    return tuple(columns)


def hidden_note(hidden: Hidden, where: str) -> Iterator[Problem]:
    """Yield the note that hidden cells are in the table, if any are hidden."""
    n_columns = sum(last - first + 1 for first, last in hidden.columns)
    counts = ((hidden.rows, "hidden row"), (n_columns, "hidden column"))
    parts = [counted(count, word) for count, word in counts if count]
    if parts:
        yield note(
            "hidden_cells",
            f"The sheet has {' and '.join(parts)}, and they are read like all others.",
            where,
            "If they were hidden or filtered to leave them out, copy the visible cells to a"
            " new sheet, and open that.",
        )


SPARSE, HARMLESS_PLACES = 20, 2_000_000
"""Ratio of places to cells, and number of places, above which a large sheet has stray cells."""

WORKSHEET, CHART, OTHER = "worksheet", "chart", "other"

Place = tuple[int, int]
"""Row and column, counted from 1."""


@dataclass(frozen=True, kw_only=True)
class SheetSize:
    """The extent of a sheet.

    Parameters
    ----------
    n_rows, n_columns
        Number of the last row and column with a cell.
    n_cells, n_numbers
        Cells with anything in them, and how many of these hold numbers.
    """

    n_rows: int = 0
    n_columns: int = 0
    n_cells: int = 0
    n_numbers: int = 0

    def __str__(self) -> str:
        if not self.n_cells:
            return "empty"
        return f"{self.n_rows} rows × {self.n_columns} columns, {self.n_numbers} numbers"


@dataclass(frozen=True, kw_only=True)
class SheetDetails:
    """Details of a sheet that calamine leaves out.

    Parameters
    ----------
    errors
        Cells that hold an error, and which: "#N/A". The library returns blanks.
    uncomputed
        Formulas without a value.
    hidden
        Rows and columns that the spreadsheet hides, as far as the format tells.
    """

    errors: dict[Place, str] = field(default_factory=dict)
    uncomputed: tuple[Place, ...] = ()
    hidden: Hidden = field(default_factory=Hidden)


@dataclass(frozen=True, kw_only=True)
class WorkbookSheet:
    """One sheet of a workbook."""

    name: str
    kind: str = WORKSHEET
    hidden: bool = False
    size: SheetSize = field(default_factory=SheetSize)

    @property
    def shown(self) -> str:
        """The kind and the size of the sheet in words."""
        if self.kind != WORKSHEET:
            return f"{self.kind} sheet" if self.kind == CHART else "no table"
        return f"{self.size}{', hidden' if self.hidden else ''}"


def column_letters(number: int) -> str:
    """Return the letters of a column: 28 → "AB"."""
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """Return the number of a column: "AB" → 28."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def cell_name(place: Place) -> str:
    """Return the name of a cell: "C5"."""
    return f"{column_letters(place[1])}{place[0]}"


def refuse_scattered(size: SheetSize, n_places: int, where: str) -> None:
    """Refuse a sheet whose cells are far apart."""
    if n_places <= max(HARMLESS_PLACES, SPARSE * size.n_cells):
        return
    raise UserError(
        key="load.scattered_cells",
        what=f"The sheet has {size.n_cells} cells, but they are spread over"
        f" {size.n_rows} rows × {size.n_columns} columns.",
        where=f"{where}, cells up to row {size.n_rows} and column {column_letters(size.n_columns)}",
        way_out="Go to the last cell of the sheet (Ctrl+End), delete what lies apart from the"
        " table, and save; or copy the table into a new workbook.",
    )


def broken(what: str, where: str) -> UserError:
    """Return the error for a damaged workbook."""
    return UserError(
        key="load.broken_workbook",
        what=f"The workbook is damaged: {what.rstrip('.')}.",
        where=where,
        way_out="Fetch it again, or open it in Excel, let it repair the file, and save a copy.",
    )


def encrypted(where: str) -> UserError:
    """Return the error for a workbook with a password."""
    return UserError(
        key="load.encrypted",
        what="The workbook is protected by a password.",
        where=where,
        way_out="Open it in Excel, save a copy without a password, and open that.",
    )


def not_a_workbook(kind: str, where: str, way_out: str = "Choose a workbook.") -> UserError:
    """Return the error for a file of another kind."""
    return UserError(
        key="load.not_a_workbook",
        what=f"This is {kind}, not a workbook.",
        where=where,
        way_out=way_out,
    )


def cell_text(value: Any) -> str:
    """Return a cell as text; a number in as few digits as give it back exactly."""
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return _duration(value)
    return str(value)


def _duration(value: timedelta) -> str:
    """Return hours, minutes and seconds, as spreadsheets show a span of time."""
    sign = "-" if value < timedelta() else ""
    seconds, rest = divmod(abs(value), timedelta(seconds=1))
    fraction = f".{rest.microseconds:06}".rstrip("0") if rest else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"
