"""Write tables as text: with commas, tabs, or as a spreadsheet expects."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TextIO, TypeAlias

from ximstudio.files.atomic import appearing
from ximstudio.files.columns import Cell, Column, ColumnKind, chunks, sound
from ximstudio.model.params import known

Report: TypeAlias = Callable[[float], None]
"""Called with the share that is done."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a cell that a spreadsheet takes for a formula."""


@dataclass(frozen=True, kw_only=True)
class CsvDialect:
    """A text format of tables; always in UTF-8.

    Parameters
    ----------
    key, name, suffix
        For programs and display, and the suffix of its files.
    delimiter, decimal
        Separator of cells, and decimal mark.
    for_excel
        Whether the file is for spreadsheets: it begins with a byte-order mark, by which Excel
        recognises UTF-8, and has an apostrophe before texts that look like formulas. Otherwise it
        holds exactly the contents of the table.
    """

    key: str
    name: str
    suffix: str = ".csv"
    delimiter: str = ","
    decimal: str = "."
    for_excel: bool = False


COMMA = CsvDialect(key="csv", name="Comma-separated (CSV)")
TAB = CsvDialect(key="tsv", name="Tab-separated (TSV)", suffix=".tsv", delimiter="\t")
EXCEL = CsvDialect(key="csv-excel", name="CSV for Excel", for_excel=True)
EXCEL_COMMA = CsvDialect(
    key="csv-excel-eu",
    name="CSV for Excel with decimal comma",
    delimiter=";",
    decimal=",",
    for_excel=True,
)

DIALECTS: tuple[CsvDialect, ...] = (COMMA, TAB, EXCEL, EXCEL_COMMA)


def dialect_named(key: str) -> CsvDialect:
    """Return the dialect with this key; refuse unknown keys with a proposal."""
    by_key = {dialect.key: dialect for dialect in DIALECTS}
    known("format", key, by_key)
    return by_key[key]


def write_csv(
    path: Path,
    columns: Sequence[Column],
    *,
    dialect: CsvDialect = COMMA,
    report: Report = lambda _: None,
) -> None:
    """Write a header and one line per row; the file appears whole or not at all.

    Numbers are written so that they read back to the last bit, blanks as nothing. `report` gets
    the share that is done, and may raise to end it.
    """
    encoding = "utf-8-sig" if dialect.for_excel else "utf-8"
    with appearing(path) as unfinished, unfinished.open("w", newline="", encoding=encoding) as file:
        _write_lines(file, columns, dialect, report)
    report(1.0)


def tabbed(columns: Sequence[Column]) -> str:
    """Return a table as text with tabs, for the clipboard."""
    text = StringIO()
    _write_lines(text, columns, TAB, lambda _: None)
    return text.getvalue()


def _write_lines(
    file: TextIO, columns: Sequence[Column], dialect: CsvDialect, report: Report
) -> None:
    spelt = _speller(dialect)
    lines = csv.writer(file, delimiter=dialect.delimiter, lineterminator="\n")
    lines.writerow([spelt(column.name) for column in columns])
    for begin, end in chunks(columns):
        report(begin / len(columns[0]))
        cells = [_written(column, column.cells(begin, end), dialect, spelt) for column in columns]
        lines.writerows(zip(*cells, strict=True))


def _written(
    column: Column, cells: list[Cell], dialect: CsvDialect, spelt: Callable[[str], str]
) -> list[Cell]:
    """Convert cells to what csv writes, which is nothing for None."""
    if column.kind is ColumnKind.TEXT:
        return [None if cell is None else spelt(str(cell)) for cell in cells]
    if dialect.decimal == ".":
        # csv writes numbers as repr does: the shortest text that reads back equal.
        return cells
    return [None if cell is None else str(cell).replace(".", dialect.decimal) for cell in cells]


def _speller(dialect: CsvDialect) -> Callable[[str], str]:
    def guarded(text: str) -> str:
        text = sound(text)
        return f"'{text}" if text.startswith(FORMULA) and not _is_number(text, dialect) else text

    return guarded if dialect.for_excel else sound


def _is_number(text: str, dialect: CsvDialect) -> bool:
    try:
        float(text.replace(dialect.decimal, "."))
    except ValueError:
        return False
    return True
