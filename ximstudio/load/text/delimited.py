"""Text with a delimiter between cells: CSV, TSV and similar files."""

from __future__ import annotations

import re
from contextlib import suppress

import numpy as np

from ximstudio.load.account import CHOSEN, note
from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.source import HEAD, PIECE, Source
from ximstudio.load.text.account import found_guess
from ximstudio.load.text.block import MANY, rows_of
from ximstudio.load.text.cells import understood
from ximstudio.load.text.cutting import rows_at, rows_at_spaces, unwrapped
from ximstudio.load.text.dialect import COMMENTS, DELIMITERS, Found, delimiter_of
from ximstudio.load.text.digits import load_ahead
from ximstudio.load.text.encoding import Encoding, encoding_of, plain
from ximstudio.load.text.rows import Rows
from ximstudio.model.problem import UserError
from ximstudio.model.words import counted, grouped

KEY = "text"

MOST_LINES = 300
FEWEST_LINES = 4
"""Minimum number of lines from which the delimiter is guessed."""

FILLED = re.compile(rb"\S")
"""Matches a line that is not blank."""

LONGEST = 8 * 1024 * 1024
"""Maximum number of bytes of a line that are examined for it."""

DECLARED = re.compile(rb'"?sep=([\t,;|:])"?[\t,;|: ]*\n', re.I)
"""Line that declares the delimiter for Excel."""

LARGE = 10 * MANY
PACKED = 3
"""Bytes that probably hold enough cells for the kernel, and the usual compression ratio of gzip."""

MOST_COLUMNS = 2_000_000
"""Maximum cells of a row; the widest tables, of methylation and variants, have about a million."""

LONGEST_CELL = 4 * 1024 * 1024
"""Maximum bytes of a cell; spreadsheets allow 32 767 letters, lists of terms take 100 000s."""

READ, DECODED, FOUND = 0.2, 0.3, 0.4
"""Shares of the work done when the bytes are read, decoded, and their rows are found."""


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table in a delimited text."""
    name = source.name
    if source.size * (PACKED if source.is_packed else 1) >= LARGE:
        load_ahead()
    raw = source.read(report, part=READ)
    encoding = (
        encoding_of(raw, name=name)
        if choices.encoding is None
        else Encoding(name=choices.encoding, reason=CHOSEN)
    )
    report(READ)
    data = plain(raw, encoding.name, name=name, report=lambda _: report(READ))
    del raw
    if next_filled(data, 0, lambda _: report(READ)) is None:
        raise UserError(
            key="load.empty",
            what="The file is empty.",
            where=name,
            way_out="Choose a file with a header line and one line per row.",
        )
    report(DECODED)
    data, n_unwrapped = unwrapped(data)
    notes = []
    if n_unwrapped:
        what = (
            f"{counted(n_unwrapped, 'line is', 'lines are')} in quotation marks as a whole, which"
        )
        notes.append(note("lines_quoted", f"{what} were removed.", name))
    report(DECODED)
    delimiter = _delimiter(data, name, choices, lambda _: report(DECODED))
    report(DECODED)
    mark = delimiter.value
    encoded = Found(encoding.name, encoding.reason, sure=encoding.sure)
    guesses = (
        found_guess("encoding", "Encoding", encoded),
        found_guess(
            "delimiter", "Delimiter", delimiter, DELIMITERS.get(mark, mark), options=DELIMITERS
        ),
    )

    def understand(rows: Rows) -> Reading:
        return understood(
            rows,
            choices,
            name=name,
            format=KEY,
            guesses=guesses,
            notes=notes,
            report=lambda fraction: report(FOUND + (1 - FOUND) * fraction),
        )

    try:
        rows = _rows(
            data, mark, name, lambda fraction: report(DECODED + (FOUND - DECODED) * fraction)
        )
    except UserError as error:
        if error.keys != ("load.not_a_table",) or len(mark.encode()) > 1:
            raise
        kept = note(
            "quotes_kept",
            "Quotation marks do not enclose cells, and were kept as letters.",
            f"{name}: {error.problems[0].where}",
            "If they should enclose cells, close them all.",
        )
        notes.append(kept)
        with suppress(UserError):
            rows = rows_of(
                data, delimiter=mark, quotes=False, name=name, report=lambda _: report(DECODED)
            )
            refuse_endless(rows, name)
            if len(np.unique(rows.cells)) == 1:
                return understand(rows)
        raise
    return understand(rows)


def _delimiter(data: bytes, name: str, choices: Choices, report: Report) -> Found:
    if choices.delimiter:
        return Found(named(choices.delimiter), CHOSEN)
    if declared := DECLARED.match(data):
        mark = declared[1].decode()
        return Found(mark, f"The first line says so: 'sep={mark}'.")
    lines = _first_lines(data, report)
    found = delimiter_of(_without_comments(lines, choices.comment))
    if found is None:
        first = data.lstrip()[:200].split(b"\n")[0].decode("utf-8", errors="replace")
        raise UserError(
            key="load.one_column",
            what="The file has only one column.",
            where=f"{name}, line {1 + data[: len(data) - len(data.lstrip())].count(10)}:"
            f" {first[:60]!r}",
            way_out="Save it with tabs, commas or semicolons between the columns.",
        )
    return found


def named(delimiter: str) -> str:
    r"""Return the delimiter for a name: users also write "tab" and "\t"."""
    names = {name: mark for mark, name in DELIMITERS.items()} | {"\\t": "\t", "spaces": " "}
    return names.get(delimiter.lower(), delimiter)


def next_filled(data: bytes, begin: int, report: Report) -> int | None:
    """Return the offset of the next byte that is no white space; None if there is none."""
    for first in range(begin, len(data), PIECE):
        if found := FILLED.search(data, first, first + PIECE):
            return found.start()
        report(0.0)
    return None


def _first_lines(data: bytes, report: Report) -> list[str]:
    """Return the non-blank lines of the head: at least some, however long they are."""
    lines: list[str] = []
    begin = 0
    while len(lines) < MOST_LINES and (found := next_filled(data, begin, report)) is not None:
        begin = max(begin, data.rfind(b"\n", begin, found) + 1)
        if begin > HEAD and len(lines) >= FEWEST_LINES:
            break
        end = data.find(b"\n", found)
        end = len(data) if end < 0 else end
        line = data[begin : min(end, begin + LONGEST)]
        lines.append(line.decode("utf-8", errors="replace"))
        begin = end + 1
    return lines


def _without_comments(lines: list[str], comment: str | None) -> list[str]:
    """Return the lines without those that look like comments; all if none remain."""
    marks = COMMENTS if comment is None else (comment,) if comment else ()
    return [line for line in lines if not line.lstrip(' "').startswith(marks)] or lines


def _rows(data: bytes, delimiter: str, name: str, report: Report) -> Rows:
    mark = delimiter.encode()
    if not delimiter or delimiter in '\n"':
        raise UserError(
            key="load.no_such_delimiter",
            what=f"{delimiter!r} cannot separate cells.",
            where=name,
            way_out="Choose tab, comma, semicolon, another character, or leave it open.",
        )
    if delimiter == " ":
        rows = rows_at_spaces(data, name=name, report=report)
    elif len(mark) == 1:
        rows = rows_of(data, delimiter=delimiter, quotes=True, name=name, report=report)
    else:
        rows = rows_at(data, mark, name=name, report=report)
    refuse_endless(rows, name)
    return rows


def recognises(source: Source) -> bool:
    """Return whether the head of a file is text of any kind."""
    if source.is_folder or not source.head:
        return not source.is_folder
    try:
        encoding_of(source.head, name=source.name)
    except UserError:
        return False
    return True


def refuse_endless(rows: Rows, name: str) -> None:
    """Refuse rows with too many cells or with too long a cell, and quote their line."""
    if not len(rows):
        return
    widest = int(np.argmax(rows.cells))
    if rows.cells[widest] > MOST_COLUMNS:
        raise UserError(
            key="load.too_wide",
            what=f"A row has {grouped(int(rows.cells[widest]))} cells; at most"
            f" {grouped(MOST_COLUMNS)} can be read.",
            where=f"{name}, line {rows.lines[widest]}",
            way_out="Check the delimiter and the line ends; if the table is that wide, exchange its"
            " rows and columns, or take a part of it.",
        )
    for row in np.flatnonzero(rows.ends - rows.starts > LONGEST_CELL).tolist():
        length = _endless_cell(rows, row)
        if length:
            raise UserError(
                key="load.endless_cell",
                what=f"A cell has {grouped(length)} letters; at most {grouped(LONGEST_CELL)} can be"
                " read.",
                where=f"{name}, line {rows.lines[row]}",
                way_out="Look there for a quotation mark that is not closed, and for a lost"
                " delimiter or line end.",
            )


def _endless_cell(rows: Rows, row: int) -> int:
    """Return the length of the first cell of a row that is too long, 0 if none is.

    Of a row with quotation marks, what its longest cell has at least.
    """
    begin, end = int(rows.starts[row]), int(rows.ends[row])
    if rows.quoted and rows.data.find(b'"', begin, end) >= 0:
        length = (end - begin) // int(rows.cells[row])
        return length if length > LONGEST_CELL else 0
    mark = bytes([rows.delimiter])
    while begin + LONGEST_CELL < end:
        last = rows.data.rfind(mark, begin, begin + LONGEST_CELL + 1)
        if last < 0:
            after = rows.data.find(mark, begin, end)
            return (end if after < 0 else after) - begin
        begin = last + 1
    return 0


FORMAT = Format(
    key=KEY,
    name="Delimited text (CSV, TSV, …)",
    suffixes=(".csv", ".tsv", ".txt", ".tab", ".gz", ".bz2", ".xz", ".zst", ".zip"),
    recognises=recognises,
    read=read,
)
