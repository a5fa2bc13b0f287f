"""Sheets of a workbook: sizes, details that calamine leaves out, and refusals."""

from __future__ import annotations

from dataclasses import dataclass, field

from ximstudio.load.workbook.hidden import Hidden
from ximstudio.model.problem import UserError

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
