"""What is known of a workbook before it is read: its sheets, their sizes, and what they hide.

The library that reads workbooks makes room for every cell between the first and the last of a
sheet, and ends the program where there is no such room; it gives error cells and formulas that
were never computed as blanks. So every sheet is surveyed first, and the library is only given
what was looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psutil

from ximstudio.load.reading import Choices, Report
from ximstudio.load.source import HARMLESS, refuse_too_large
from ximstudio.load.workbook.hidden import Hidden
from ximstudio.model.problem import UserError

if TYPE_CHECKING:
    from ximstudio.load.workbook.fast_xlsx import Written

BYTES_PER_CELL = 160
"""What a cell takes while it is turned from the library's form into texts and numbers."""

SPARSE, HARMLESS_PLACES = 20, 2_000_000
"""A large sheet with more than so many places for each of its cells has some that went astray."""

WORKSHEET, CHART, OTHER = "worksheet", "chart", "other"

ERRORS = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}
"""How the binary formats code errors."""

Place = tuple[int, int]
"""Row and column, counted from 1."""


@dataclass(frozen=True, kw_only=True)
class Survey:
    """The extent of a sheet and the cells that the library does not tell of.

    Parameters
    ----------
    n_rows, n_columns
        Number of the last row and column with a cell; never less than what will be read.
    n_cells, n_numbers
        Cells with anything in them, and how many of these hold numbers.
    errors
        Cells that hold an error, and which: "#N/A".
    uncomputed
        Formulas without a value.
    hidden
        Rows and columns that the spreadsheet hides, as far as the format tells.
    """

    n_rows: int = 0
    n_columns: int = 0
    n_cells: int = 0
    n_numbers: int = 0
    errors: dict[Place, str] = field(default_factory=dict)
    uncomputed: tuple[Place, ...] = ()
    hidden: Hidden = field(default_factory=Hidden)

    @property
    def shown(self) -> str:
        """The size in words."""
        if not self.n_cells:
            return "empty"
        return f"{self.n_rows} rows × {self.n_columns} columns, {self.n_numbers} numbers"


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """One sheet of a workbook, as it was surveyed."""

    name: str
    kind: str = WORKSHEET
    hidden: bool = False
    survey: Survey = field(default_factory=Survey)

    @property
    def shown(self) -> str:
        """What kind of sheet it is and how large, in words."""
        if self.kind != WORKSHEET:
            return f"{self.kind} sheet" if self.kind == CHART else "no table"
        return self.survey.shown + (", hidden" if self.hidden else "")


def _not_written(number: int, choices: Choices, report: Report) -> None:
    """No sheet is read without the library."""


@dataclass(frozen=True, kw_only=True)
class Workbook:
    """All sheets, and the file to be given to the library for one of them.

    `file(number)` returns bytes in which nothing is that was not looked at, and the number of the
    sheet in them. `written` returns the cells of a large and plain sheet without the library, else
    None.
    """

    sheets: tuple[Sheet, ...]
    file: Callable[[int], tuple[bytes, int]]
    written: Callable[[int, Choices, Report], Written | None] = _not_written


def memory_to_give() -> int:
    """Bytes that may be filled."""
    return max(psutil.virtual_memory().available // 2, HARMLESS)


def column_letters(number: int) -> str:
    """What a spreadsheet calls a column: 28 → "AB"."""
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def cell_name(place: Place) -> str:
    """What a spreadsheet calls a cell: "C5"."""
    return f"{column_letters(place[1])}{place[0]}"


def refuse_scattered(survey: Survey, where: str, *, taken: int = 0) -> int:
    """Refuse a sheet whose cells lie so far apart that there is mostly nothing between them.

    `taken` places are held by sheets before; returned is what it comes to with this one.
    """
    places = survey.n_rows * survey.n_columns
    room = memory_to_give() - taken * BYTES_PER_CELL
    if places > max(HARMLESS_PLACES, SPARSE * survey.n_cells):
        raise UserError(
            key="load.scattered_cells",
            what=f"The sheet has {survey.n_cells} cells, but they are spread over"
            f" {survey.n_rows} rows × {survey.n_columns} columns.",
            where=f"{where}, cells up to row {survey.n_rows} and column"
            f" {column_letters(survey.n_columns)}",
            way_out="Go to the last cell of the sheet (Ctrl+End), delete what lies apart from the"
            " table, and save; or copy the table into a new workbook.",
        )
    refuse_too_large(places * BYTES_PER_CELL, room, where)
    return taken + places


def broken(what: str, where: str) -> UserError:
    """The error of a workbook that is damaged."""
    return UserError(
        key="load.broken_workbook",
        what=f"The workbook is damaged: {what.rstrip('.')}.",
        where=where,
        way_out="Fetch it again, or open it in Excel, let it repair the file, and save a copy.",
    )


def encrypted(where: str) -> UserError:
    """The error of a workbook with a password."""
    return UserError(
        key="load.encrypted",
        what="The workbook is protected by a password.",
        where=where,
        way_out="Open it in Excel, save a copy without a password, and open that.",
    )


def not_a_workbook(kind: str, where: str, way_out: str = "Choose a workbook.") -> UserError:
    """The error of a file that is something else."""
    return UserError(
        key="load.not_a_workbook",
        what=f"This is {kind}, not a workbook.",
        where=where,
        way_out=way_out,
    )
