"""The cells of one sheet as texts: what the library gives, what it keeps back, merged ranges."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ximstudio.load.reading import Report
from ximstudio.load.workbook.cell_text import cell_text
from ximstudio.load.workbook.survey import Place, broken, cell_name, encrypted
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.words import counted

ROWS_PER_REPORT = 200


@dataclass(frozen=True, kw_only=True)
class Grid:
    """The cells of a sheet as the library gives them; places are counted from 1."""

    rows: list[list[Any]]
    first_row: int
    first_column: int
    merged: list[tuple[Place, Place]]


def parsed(file: bytes, index: int, where: str) -> Grid:
    """The cells of one sheet."""
    from python_calamine import CalamineWorkbook

    with _refusing(where):
        sheet = CalamineWorkbook.from_filelike(io.BytesIO(file)).get_sheet_by_index(index)
        row, column = sheet.start or (0, 0)
        merged = sheet.merged_cell_ranges or []
        return Grid(
            rows=sheet.to_python(skip_empty_area=True),
            first_row=row + 1,
            first_column=column + 1,
            merged=[
                ((top + 1, left + 1), (bottom + 1, right + 1))
                for (top, left), (bottom, right) in merged
            ],
        )


@contextmanager
def _refusing(where: str) -> Iterator[None]:
    """What the library says about a damaged workbook, as a message."""
    from python_calamine import CalamineError, PasswordError

    try:
        yield
    except PasswordError:
        raise encrypted(where) from None
    except (CalamineError, OverflowError, ValueError, OSError) as error:
        raise broken(str(error)[:200] or type(error).__name__, where) from None
    except BaseException as error:
        # A panic of the library comes as this, which is no Exception and cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise broken(f"it cannot be read ({str(error)[:100]})", where) from None


def texts_of(
    grid: Grid, errors: Mapping[Place, str], report: Report, *, decimal: str = "."
) -> list[list[str]]:
    """All cells as texts; numbers are written with the decimal mark that the texts have."""
    texts = []
    total = max(len(grid.rows), 1)
    for number, row in enumerate(grid.rows):
        # Most cells are these two, and a call for each of millions takes its time.
        texts.append(
            [
                cell
                if type(cell) is str
                else repr(cell).removesuffix(".0")
                if type(cell) is float
                else cell_text(cell)
                for cell in row
            ]
        )
        if number % ROWS_PER_REPORT == 0:
            report(number / total)
    if decimal != ".":
        _write_decimals(texts, grid, decimal)
    for (row_number, column), error in errors.items():
        line, cell = row_number - grid.first_row, column - grid.first_column
        if 0 <= line < len(texts) and 0 <= cell < len(texts[line]):
            texts[line][cell] = error
    return texts


def _write_decimals(texts: list[list[str]], grid: Grid, decimal: str) -> None:
    for written, row in zip(texts, grid.rows, strict=True):
        for place, cell in enumerate(row):
            if type(cell) is float:
                written[place] = written[place].replace(".", decimal)


def has_fractions(grid: Grid) -> bool:
    """Whether any cell holds a number, as such, that is not whole."""
    return any(type(cell) is float and cell % 1 != 0 for row in grid.rows for cell in row)


def fill_merged(rows: list[list[str]], grid: Grid, where: str) -> list[Problem]:
    """Give every cell of a merged range the text of its first; tell that it was done.

    Numbers are not repeated: one measurement is not several. A range that is alone in its rows is
    a title over the table, and stays one.
    """
    width = max((len(row) for row in rows), default=0)
    room = len(rows) * width
    filled = []
    for first, last in grid.merged:
        top, bottom = first[0] - grid.first_row, last[0] - grid.first_row + 1
        left, right = first[1] - grid.first_column, last[1] - grid.first_column + 1
        if min(top, left) < 0 or top >= len(rows) or left >= width:
            continue
        lines = rows[top:bottom]
        room -= len(lines) * max(0, min(right, width) - left)
        text = lines[0][left] if lines else ""
        # Ranges that overlap are damage; filling them could take for ever.
        if room < 0 or not text.strip() or _is_number(text):
            continue
        if not any(any(row[:left]) or any(row[right:]) for row in lines):
            continue
        for row in lines:
            row[left:right] = [cell or text for cell in row[left:right]]
        filled.append(f"{cell_name(first)}:{cell_name(last)}")
    if not filled:
        return []
    note = Problem(
        severity=Severity.WARNING,
        key="load.merged_cells",
        what=f"{counted(len(filled), 'merged range holds', 'merged ranges hold')} a text, which"
        " every cell in it was given.",
        where=f"{where}, cells {some_of(filled)}",
        way_out="Unmerge the cells in the workbook if that is not what is meant.",
    )
    return [note]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
