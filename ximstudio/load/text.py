"""A text file as it lies on disk: decoded, with its delimiter and decimal mark found out."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

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
    rows = _complete_rows(text, delimiter, source)
    header = tuple(name.strip() for name in rows[0])
    return TextTable(
        source=source,
        text=text,
        delimiter=delimiter,
        decimal="," if _decimal_commas(rows[1:LOOKED_AT], delimiter) else ".",
        header=header,
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
        return raw.decode(encoding)
    except UnicodeDecodeError:
        # Every byte is a character of Latin-1, which older instruments and Excel write.
        return raw.decode("latin-1")


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


def _complete_rows(text: str, delimiter: str, source: str) -> list[list[str]]:
    """The first rows; every row of the file must have as many cells as the header.

    pandas fills short rows with blanks without a word.
    """
    head: list[list[str]] = []
    uneven: list[str] = []
    width = 0
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        for row in reader:
            if not row:
                continue
            if len(head) < LOOKED_AT:
                head.append(row)
            width = width or len(row)
            if len(row) != width:
                uneven.append(f"line {reader.line_num} has {len(row)}")
    except csv.Error as error:
        uneven.append(f"line {reader.line_num}: {error}")
    if uneven:
        more = f" and {len(uneven) - 5} more lines" if len(uneven) > 5 else ""
        raise UserError(
            key="load.uneven_rows",
            what=f"{len(uneven)} line(s) do not have {width} cells as the header has.",
            where=f"{source}: {', '.join(uneven[:5])}{more}",
            way_out="Complete these lines, or remove text before and after the table.",
        )
    return head


def _decimal_commas(rows: list[list[str]], delimiter: str) -> bool:
    if delimiter == ",":
        return False
    cells = [cell.strip() for row in rows for cell in row]
    commas = sum(bool(DECIMAL_COMMA.fullmatch(cell)) for cell in cells)
    points = sum("." in cell and cell.replace(".", "").lstrip("+-").isdigit() for cell in cells)
    return commas > points
