"""A text file as it lies on disk: decoded, with its delimiter and decimal mark found out."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ximstudio.model.matrix import some_of
from ximstudio.model.problem import UserError

# A line cut at the wrong delimiter is one long cell; Python refuses those above 128 KiB.
csv.field_size_limit(2**31 - 1)

DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "vertical bar"}
LOOKED_AT = 50
"""Lines that the guesses are made from."""
MARKS = {
    b"PK\x03\x04": "an Excel workbook or zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel file",
}
DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, kw_only=True)
class TextTable:
    """The text of a table, and how to cut it into cells."""

    source: str
    text: str
    delimiter: str
    decimal: str
    header: tuple[str, ...]
    lines: tuple[int, ...]
    """Line of the file on which every row after the header begins, counted from 1."""


class Row(NamedTuple):
    """The cells of a row and the line that it begins on."""

    line: int
    cells: list[str]


def read_text_table(path: Path, source: str) -> TextTable:
    """The text of a delimited file; what cannot be one is refused."""
    text = _decoded(_bytes(path, source), source)
    if not text.strip():
        raise UserError(
            key="load.empty",
            what="The file is empty.",
            where=source,
            way_out="Choose a file with a header line and one line per row.",
        )
    first = text.splitlines()[:LOOKED_AT]
    delimiter = _delimiter(first)
    if delimiter is None:
        raise UserError(
            key="load.one_column",
            what="The file has only one column.",
            where=f"{source}, line 1: {first[0][:60]!r}",
            way_out="Save it with tabs, commas or semicolons between the columns.",
        )
    tidy, lines = _plain(text, delimiter)
    if not lines:
        rows = _rows(text, delimiter, source)
        tidy = _tidied(rows)
        _refuse_uneven(tidy, source)
        if tidy != rows:
            text = _written(tidy, delimiter)
        lines = [row.line for row in tidy[1:]]
    return TextTable(
        source=source,
        text=text,
        delimiter=delimiter,
        decimal=","
        if _decimal_commas([row.cells for row in tidy[1:LOOKED_AT]], delimiter)
        else ".",
        header=tuple(name.strip() for name in tidy[0].cells),
        lines=tuple(lines),
    )


def _bytes(path: Path, source: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        way_out = "Check the spelling of the path, or give 'sample:yeast' to try the program."
        what = "There is no such file."
    except IsADirectoryError:
        what, way_out = "This is a folder, not a file.", "Give the path of a CSV or TSV file."
    except PermissionError:
        what, way_out = "The file may not be read.", "Change its permissions, or copy it."
    except OSError as error:
        what, way_out = f"The file cannot be read: {error.strerror}.", "Check the path."
    raise UserError(key="load.unreadable", what=what, where=source, way_out=way_out)


def _decoded(raw: bytes, source: str) -> str:
    for mark, kind in MARKS.items():
        if raw.startswith(mark):
            raise UserError(
                key="load.not_text",
                what=f"This is {kind}, not a text table.",
                where=source,
                way_out="Open it there and save it as CSV.",
            )
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in raw:
        raise UserError(
            key="load.not_text",
            what="This is not a text file: it holds NUL bytes.",
            where=f"{source}, byte {raw.index(0)}",
            way_out="Save the table as CSV or TSV.",
        )
    else:
        encoding = "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        # Every byte is a character of Latin-1, which older instruments and Excel write.
        text = raw.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _delimiter(lines: list[str]) -> str | None:
    """The delimiter that cuts most lines into the same number (> 1) of cells, most cells first."""
    best: tuple[int, int] = (0, 1)
    chosen = None
    for delimiter in DELIMITERS:
        counts = Counter(len(row) for row in csv.reader(lines, delimiter=delimiter) if row)
        cells, lines_so_cut = counts.most_common(1)[0]
        if cells > 1 and (lines_so_cut, cells) > best:
            best, chosen = (lines_so_cut, cells), delimiter
    return chosen


def _plain(text: str, delimiter: str) -> tuple[list[Row], list[int]]:
    """The first rows and the lines of all but the header, if every line plainly is a row.

    A quick look that spares large files from being cut into cells here: pandas does that faster.
    """
    if '"' in text:
        return [], []
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line]
    header = lines[0][1]
    width = header.count(delimiter)
    even = all(line.count(delimiter) == width for _, line in lines)
    filled = all(line.strip(delimiter + " ") for _, line in lines)
    if not (even and filled) or header.endswith(delimiter):
        return [], []
    head = [Row(number, line.split(delimiter)) for number, line in lines[:LOOKED_AT]]
    return head, [number for number, _ in lines[1:]]


def _rows(text: str, delimiter: str, source: str) -> list[Row]:
    """All rows with anything in them."""
    rows: list[Row] = []
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True, strict=True)
    begin = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append(Row(begin, cells))
            begin = reader.line_num + 1
    except csv.Error as error:
        raise UserError(
            key="load.not_a_table",
            what=f"The file cannot be cut into cells: {error}.",
            where=f"{source}, line {reader.line_num}",
            way_out="Look for a quotation mark that is not closed.",
        ) from None
    return rows


def _tidied(rows: list[Row]) -> list[Row]:
    """Rows without empty columns at their end, and with a header as long as they are.

    Spreadsheets leave empty columns behind; R writes no name over the names of the rows.
    """
    header, *body = rows
    if body and all(len(row.cells) == len(header.cells) + 1 for row in body):
        header = Row(header.line, ["", *header.cells])
    width = len(header.cells)
    while width > 1 and not any("".join(row.cells[width - 1 :]).strip() for row in (header, *body)):
        width -= 1
    return [
        # Only what is blank is cut off: a row that is too long is a problem to be told.
        row if "".join(row.cells[width:]).strip() else Row(row.line, row.cells[:width])
        for row in (header, *body)
    ]


def _refuse_uneven(rows: list[Row], source: str) -> None:
    """Every row must have as many cells as the header: pandas fills short ones without a word."""
    width = len(rows[0].cells)
    uneven = [row for row in rows if len(row.cells) != width]
    if uneven:
        raise UserError(
            key="load.uneven_rows",
            what=f"{len(uneven)} row(s) do not have {width} cells as the header has.",
            where=f"{source}: "
            + some_of([f"line {row.line} has {len(row.cells)}" for row in uneven]),
            way_out="Complete these rows, or remove text before and after the table.",
        )


def _written(rows: list[Row], delimiter: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(row.cells for row in rows)
    return text.getvalue()


def _decimal_commas(rows: list[list[str]], delimiter: str) -> bool:
    if delimiter == ",":
        return False
    cells = [cell.strip() for row in rows for cell in row]
    commas = sum(bool(DECIMAL_COMMA.fullmatch(cell)) for cell in cells)
    points = sum("." in cell and cell.replace(".", "").lstrip("+-").isdigit() for cell in cells)
    return commas > points
