"""Write sheets as a workbook for Excel and LibreOffice, in which names stay names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import cache
from math import isinf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.export.sheet import Sheet
from ximstudio.files.atomic import appearing
from ximstudio.files.columns import Column, ColumnKind, sound, texts
from ximstudio.load import Report, silent
from ximstudio.model.problem import Problem, Severity, refuse
from ximstudio.model.words import grouped

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

MOST_ROWS, MOST_COLUMNS, MOST_LETTERS = 2**20, 2**14, 2**15 - 1
"""Limits of Excel: rows with the header, columns, and letters of a cell in UTF-16."""
LONGEST_NAME = 31
NARROWEST, WIDEST, ROOM = 6, 48, 4
"""Width of columns in letters; room is for the filter button."""
CREATED = datetime(1980, 1, 1)  # noqa: DTZ001  (Excel's have no zone)
"""In every file, so that equal tables give equal files."""
WRITING = 0.8
"""Share of the time for writing rows."""
ABOUT = "About"
CUT = "…"
_FORBIDDEN = re.compile(r"[\[\]:*?/\\\x00-\x1f]")


class _Exact(float):
    """A number that is written with all its digits, where xlsxwriter would write 16."""

    def __format__(self, _: str) -> str:
        return float.__repr__(self)


def write_xlsx(
    path: Path,
    sheets: Sequence[Sheet],
    *,
    about: Sequence[tuple[str, str]] = (),
    report: Report = silent,
) -> tuple[Problem, ...]:
    """Write a workbook with these sheets and one about them, atomically; return what was cut.

    `about` are names and texts on the origin of the tables. Texts are written as texts, so that no
    gene becomes a date or a formula, and numbers as numbers to the last bit. A cell holds 32 767
    letters: longer texts end with "…", and are listed in the result and in the last sheet. More
    rows or columns than Excel allows are refused.
    """
    refuse(_problems(path, sheets))
    sheets = [replace(sheet, name=name) for sheet, name in zip(sheets, _names(sheets), strict=True)]
    total = sum(sheet.n_rows for sheet in sheets) or 1
    done, cut = 0, []

    def report_row(row: int) -> None:
        # The rest of the time is for compressing.
        report(WRITING * (done + row) / total)

    with appearing(path) as unfinished, _workbook(unfinished) as book:
        header = book.add_format({"bold": True, "bottom": 1, "valign": "top"})
        look = cache(lambda wanted: book.add_format({"num_format": wanted}))
        for sheet in sheets:
            cut += _write(book, sheet, header, look, report_row)
            done += sheet.n_rows
        _write(book, _about(sheets, about, cut), header, look, lambda _: None)
        report(WRITING)
    report(1.0)
    return tuple(_cut_problem(path, place) for place in cut)


@contextmanager
def _workbook(path: Path) -> Iterator[Workbook]:
    """Open a workbook that keeps its rows in temporary files, and closes them in any case."""
    from xlsxwriter import Workbook  # only those who export wait for it
    from xlsxwriter.exceptions import FileCreateError

    with TemporaryDirectory(
        prefix=".", suffix=".part", dir=path.parent, ignore_cleanup_errors=True
    ) as folder:
        book = Workbook(str(path), {"constant_memory": True, "tmpdir": folder})
        book.use_zip64()
        book.set_properties({"created": CREATED, "author": "XIM Studio"})
        try:
            yield book
            book.close()
        except FileCreateError as error:
            raise error.args[0] from None
        finally:
            for sheet in book.worksheets():
                # As the workbook itself does; otherwise the files of a cancelled one would stay.
                sheet._opt_close()


def _write(
    book: Workbook,
    sheet: Sheet,
    header: Format,
    look: Callable[[str], Format],
    report_row: Callable[[int], None],
) -> list[tuple[str, int, str]]:
    """Write one sheet; return where texts were cut: sheet, row as in Excel, and column.

    `look` gives the format of cells by that of their numbers, created once per workbook.
    """
    from xlsxwriter.utility import xl_col_to_name

    page: Worksheet = book.add_worksheet(sheet.name)
    cut: list[tuple[str, int, str]] = []
    for number, column in enumerate(sheet.columns):
        page.set_column(number, number, _width(column), look(_number_format(column)))
    page.freeze_panes(1, 1)
    if sheet.columns:
        page.autofilter(0, 0, max(sheet.n_rows, 1), len(sheet.columns) - 1)
        # Names such as 2310009E13 and 1 are meant as texts.
        everything = f"A1:{xl_col_to_name(len(sheet.columns) - 1)}{sheet.n_rows + 1}"
        page.ignore_errors({"number_stored_as_text": everything})
    for number, name in enumerate(sheet.names):
        page.write_string(0, number, _fitting(name), header)
    write_string, write_number = page.write_string, page.write_number
    for begin, rows in sheet.pieces():
        report_row(begin)
        for row, cells in enumerate(rows, begin + 1):
            for number, cell in enumerate(cells):
                if cell is None:
                    continue
                if isinstance(cell, str):
                    text = _fitting(cell)
                    if len(text) < len(cell) and text.endswith(CUT):
                        cut.append((sheet.name, row + 1, sheet.names[number]))
                    write_string(row, number, text)
                elif isinf(cell):
                    write_string(row, number, str(cell))
                else:
                    write_number(row, number, _Exact(cell) if type(cell) is float else cell)
    return cut


def _fitting(text: str) -> str:
    """Cut a text to what a cell can hold."""
    text = sound(text)
    if text.startswith("<r>") and text.endswith("</r>"):
        # xlsxwriter takes such a text for its own tags.
        text += " "
    if len(text) <= MOST_LETTERS // 2 or _units(text) <= MOST_LETTERS:
        return text
    kept = text.encode("utf-16-le")[: 2 * (MOST_LETTERS - 1)]
    return kept.decode("utf-16-le", errors="ignore") + CUT


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _number_format(column: Column) -> str:
    """Number format for display; all digits are stored."""
    others = {ColumnKind.TEXT: "@", ColumnKind.WHOLE: "0", ColumnKind.CHANCE: "0.00E+00"}
    if column.kind in others:
        return others[column.kind]
    values = np.asarray(column.values)
    largest = np.abs(values[np.isfinite(values)]).max(initial=0.0)
    if largest == 0.0:
        return "0"
    if not 1e-3 <= largest < 1e6:
        return "0.000E+00"
    decimals = int(np.clip(4 - np.floor(np.log10(largest)), 1, 6))
    return "0." + "0" * decimals


def _width(column: Column) -> float:
    """Width for the name and the contents, up to a limit."""
    widest = 10
    if column.kind is ColumnKind.TEXT:
        widest = max((len(str(text)) for text in column.values), default=0)
    return min(max(NARROWEST, len(column.name) + ROOM, widest + 1), WIDEST)


def _names(sheets: Sequence[Sheet]) -> list[str]:
    """Names that Excel allows, unique without case; one is reserved for the last sheet."""
    # Excel reserves a name for itself.
    used, made = {ABOUT.casefold(), "history"}, []
    for sheet in sheets:
        wanted = _FORBIDDEN.sub(" ", sound(sheet.name)).strip(" '") or "Sheet"
        name, number = _shortened(wanted), 2
        while name.casefold() in used:
            name, number = _shortened(wanted, f" ({number})"), number + 1
        used.add(name.casefold())
        made.append(name)
    return made


def _shortened(name: str, end: str = "") -> str:
    while _units(name + end) > LONGEST_NAME:
        name = name[:-1]
    return name.rstrip(" '") + end


def _about(
    sheets: Sequence[Sheet], about: Sequence[tuple[str, str]], cut: Sequence[tuple[str, int, str]]
) -> Sheet:
    rows: list[tuple[str, str, str]] = [("", *pair) for pair in about]
    for sheet in sheets:
        rows.append((sheet.name, "", f"{grouped(sheet.n_rows)} rows"))
        if sheet.note:
            rows.append((sheet.name, "", sheet.note))
        rows += [(sheet.name, each.name, each.about) for each in sheet.columns if each.about]
    rows += [
        (name, column, f"Row {row} was cut to {MOST_LETTERS} letters, which a cell can hold.")
        for name, row, column in cut
    ]
    columns: list[tuple[str, ...]] = list(zip(*rows, strict=True)) or [(), (), ()]
    return Sheet(name=ABOUT, columns=tuple(map(texts, ("sheet", "what", "about"), columns)))


def _problems(path: Path, sheets: Sequence[Sheet]) -> Iterator[Problem]:
    for sheet in sheets:
        for n, most, what in (
            (sheet.n_rows + 1, MOST_ROWS, "rows"),
            (len(sheet.columns), MOST_COLUMNS, "columns"),
        ):
            if n > most:
                yield Problem(
                    key=f"export.too_many_{what}",
                    what=f"The table '{sheet.name}' has {grouped(n)} {what}, but a sheet of a"
                    f" workbook holds {grouped(most)}.",
                    where=str(path),
                    way_out="Export it as CSV, or select less of it.",
                )


def _cut_problem(path: Path, place: tuple[str, int, str]) -> Problem:
    name, row, column = place
    return Problem(
        severity=Severity.WARNING,
        key="export.cut",
        what=f"A text is too long for a cell and was cut to {MOST_LETTERS} letters.",
        where=f"{path}, sheet '{name}', row {row}, column '{column}'",
        way_out="Export the table as CSV to keep the whole text.",
    )
