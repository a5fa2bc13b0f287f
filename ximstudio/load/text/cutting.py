"""Lines quoted as a whole ("a,b,c"), and rows split at spaces or at several bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from csv import writer as csv_writer
from dataclasses import replace

import numpy as np

from ximstudio.load.reading import Report
from ximstudio.load.text.dialect import spaced
from ximstudio.load.text.rows import BETWEEN_REPORTS, NEWLINE, PIECE, SPACE, TAB, Rows, find_rows

NO_BREAK = b"\xc2\xa0"
PADDING = re.compile(r"[ \u00a0]{2,}|\t+")
"""Separators of columns that are aligned by spaces."""

MOST_LINES = 300
LOOKED_AT = 64 * 1024
"""Number of lines, and of bytes, that decide whether columns are aligned."""

FREE = (b"\x1f", b"\x1e", b"\x1d", b"\x1c", b"\x01", b"\x02", b"\x03", b"\x04")
"""Bytes that can replace a delimiter if no cell holds them."""


def rows_at(data: bytes, mark: bytes, *, name: str, report: Report) -> Rows:
    """Return the rows of a text split at a delimiter of several bytes; quotes are literal."""
    free = next((byte for byte in FREE if byte not in data), FREE[0])
    data = data.replace(free, b" ").replace(mark, free)
    return find_rows(data, delimiter=free, quotes=False, name=name, report=report)


def rows_at_spaces(data: bytes, *, name: str, report: Report) -> Rows:
    """Return the rows of a text split at runs of white space; quotes hold cells together.

    Where columns are lined up by spaces, two of them cut, so that names may hold one.
    """
    padded = _is_padded(data[:LOOKED_AT].decode("utf-8", errors="replace").split("\n"))
    quoted = b'"' in data
    by_line = padded or quoted
    cut = _padded if padded else spaced
    tidy = _tidied_lines(data, cut, report) if by_line else _tabbed(data, report)
    # Each line was written as a row, whatever its cells hold.
    numbers = np.arange(1, data.count(b"\n") + 2) if by_line else None
    rows = find_rows(
        tidy, delimiter=b"\t", quotes=by_line, name=name, numbers=numbers, report=report
    )
    return replace(rows, spaced=not padded)


def _padded(line: str) -> list[str]:
    """Split a line at two or more spaces, so that names may hold one."""
    return PADDING.split(line.strip())


def _is_padded(lines: Sequence[str]) -> bool:
    """Return whether columns are aligned: two spaces split all lines evenly, one does not."""
    some = [line for line in lines[:MOST_LINES] if line.strip()]
    single = {len(spaced(line)) for line in some}
    double = {len(_padded(line)) for line in some}
    return len(single) > 1 and len(double) == 1 and double.pop() > 1


def _tabbed(data: bytes, report: Report) -> bytes:
    """Replace every run of spaces between cells by a tab; remove those at line ends."""
    data = data.replace(NO_BREAK, b"  ")
    out = io.BytesIO()
    begin = 0
    while begin < len(data):
        # Up to a line end, so that no run is split; a longer line is taken whole.
        end = data.rfind(b"\n", begin, begin + PIECE) + 1
        end = end or (data.find(b"\n", begin) + 1 or len(data))
        out.write(_tabbed_piece(np.frombuffer(data, np.uint8, end - begin, begin)))
        begin = end
        report(begin / len(data))
    return out.getvalue()


def _tabbed_piece(piece: np.typing.NDArray[np.uint8]) -> bytes:
    places = np.flatnonzero((piece != SPACE) & (piece != TAB))
    letters = piece[places]
    is_end = letters == NEWLINE
    cut = np.zeros(len(places), np.int64)
    cut[1:] = (np.diff(places) > 1) & ~is_end[1:] & ~is_end[:-1]
    tabbed = np.full(len(places) + int(cut.sum()), TAB, np.uint8)
    tabbed[np.arange(len(places)) + np.cumsum(cut)] = letters
    return tabbed.tobytes()


def _tidied_lines(data: bytes, cut: Callable[[str], list[str]], report: Report) -> bytes:
    """Return the text split line by line, with tabs between cells."""
    tidy = io.BytesIO()
    out = io.TextIOWrapper(tidy, "utf-8", errors="replace", newline="")
    writer = csv_writer(out, delimiter="\t", lineterminator="\n")
    lines = io.TextIOWrapper(io.BytesIO(data), "utf-8", errors="replace", newline="\n")
    for number, line in enumerate(lines):
        writer.writerow(cut(line.removesuffix("\n")))
        if number % BETWEEN_REPORTS == 0:
            report(min(1.0, tidy.tell() / len(data)))
    out.flush()
    return tidy.getvalue()


MOST_WHOLE = 60
HEAD = 1024 * 1024
"""Number of lines, and of bytes, examined for being quoted as a whole."""

SHARE = 0.5
"""Minimum share of lines quoted as a whole; plain lines may be left unquoted."""

INNER = rb'(?:[^"\n]|"")*'
QUOTED = re.compile(rb'^[ ]*"(' + INNER + rb')"[;,\t ]*$', re.M)
CUT = re.compile(rb"[,;\t|]")


def unwrapped(data: bytes) -> tuple[bytes, int]:
    """Return the text without quotation marks around whole lines, and the number of these.

    Nothing is changed unless most lines are a single quoted cell that holds delimiters: a column of
    quoted texts with a comma here and there stays as it is.
    """
    head = data[:HEAD]
    if b'"' not in head:
        return data, 0
    lines = [line for line in head.split(b"\n")[:MOST_WHOLE] if line.strip()]
    if len(head) < len(data) and len(lines) > 1 and len(lines) < MOST_WHOLE:
        # The last line may be cut off.
        del lines[-1]
    found = [match[1] for line in lines if (match := QUOTED.match(line))]
    if len(found) < max(2, SHARE * len(lines)):
        return data, 0
    if not all(CUT.search(inner) for inner in found) or not _alike(lines):
        return data, 0
    return QUOTED.subn(_inner, data)


def _alike(lines: list[bytes]) -> bool:
    """Return whether one delimiter splits all unwrapped lines into equally many cells."""
    plain = [re.sub(rb'"[^"]*"', b"", QUOTED.sub(_inner, line)) for line in lines]
    counts = ({line.count(mark) for line in plain} for mark in (b"\t", b",", b";", b"|"))
    return any(len(each) == 1 and each != {0} for each in counts)


def _inner(quoted: re.Match[bytes]) -> bytes:
    return quoted[1].replace(b'""', b'"')
