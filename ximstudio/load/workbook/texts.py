"""Cells of a sheet as texts, with error cells and merged ranges filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ximstudio.load.account import note
from ximstudio.load.reading import Report
from ximstudio.load.workbook.library import CellGrid
from ximstudio.load.workbook.sheets import Place, cell_name, cell_text
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem
from ximstudio.model.words import counted

ROWS_PER_REPORT = 200


def texts_of(
    grid: CellGrid, errors: Mapping[Place, str], report: Report, *, decimal: str = "."
) -> list[list[str]]:
    """Return all cells as texts; numbers get the decimal mark that the texts have."""
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
    for written, row in zip(texts, grid.rows, strict=True) if decimal != "." else ():
        for place, cell in enumerate(row):
            if type(cell) is float:
                written[place] = written[place].replace(".", decimal)
    for (row_number, column), error in errors.items():
        line, cell = row_number - grid.first_row, column - grid.first_column
        if 0 <= line < len(texts) and 0 <= cell < len(texts[line]):
            texts[line][cell] = error
    return texts


def has_fractions(grid: CellGrid) -> bool:
    """Return whether any cell holds a number that is not whole."""
    return any(type(cell) is float and cell % 1 != 0 for row in grid.rows for cell in row)


def fill_merged(rows: list[list[str]], grid: CellGrid, where: str) -> Iterator[Problem]:
    """Give every cell of a merged range the text of its first; yield a note about it.

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
    if filled:
        yield note(
            "merged_cells",
            f"{counted(len(filled), 'merged range holds', 'merged ranges hold')} a text, which"
            " every cell in it was given.",
            f"{where}, cells {some_of(filled)}",
            "Unmerge the cells in the workbook if that is not what is meant.",
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
