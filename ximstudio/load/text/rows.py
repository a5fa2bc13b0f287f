"""Where the rows of a text lie: found in its bytes, without cutting it into cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import overload

import numpy as np

from ximstudio.load.reading import Report, silent
from ximstudio.model.arrays import Bools, Ints
from ximstudio.model.problem import UserError

# A line cut at the wrong delimiter is one long cell; Python refuses those above 128 KiB.
csv.field_size_limit(2**31 - 1)

PIECE = 1024 * 1024
"""Bytes looked at between two reports: few enough to stay near the processor."""

QUOTE = 34
TAB = 9
NEWLINE = 10
SPACE = 32


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """The rows of a text, blank ones and all: place, line and number of cells of each.

    A row is a line, or several where a quoted cell holds line ends.

    Parameters
    ----------
    data
        UTF-8, with line feeds; cells are cut at the byte `delimiter`.
    starts, ends
        Places of the first byte of a row and of the line feed that ends it.
    lines
        The line a row begins on, counted from 1.
    cells
        How many cells a row has; a blank line has one.
    quoted
        Whether quotation marks enclose cells anywhere.
    spaced
        Whether cells were cut at any number of spaces, so that blank ones are not seen.
    """

    data: bytes
    delimiter: int
    quoted: bool
    starts: Ints
    ends: Ints
    lines: Ints
    cells: Ints
    spaced: bool = False

    def __len__(self) -> int:
        return len(self.starts)

    def raw(self, row: int) -> bytes:
        """The bytes of a row."""
        return self.data[self.starts[row] : self.ends[row]]

    def cut(self, row: int) -> list[str]:
        """The cells of a row as texts, without the quotation marks around them."""
        text = self.raw(row).decode("utf-8", errors="replace")
        if not self.quoted or '"' not in text:
            return text.split(chr(self.delimiter))
        return next(csv.reader(io.StringIO(text, newline=""), delimiter=chr(self.delimiter)))

    def blank(self) -> Bools:
        """Which rows hold nothing but spaces and empty cells."""
        found: Bools = self.starts == self.ends
        if not len(self):
            return found
        buffer = np.frombuffer(self.data, np.uint8)
        first = buffer[np.minimum(self.starts, len(buffer) - 1)]
        doubtful = (first == SPACE) | (first == 9) | (first == self.delimiter) | (first == QUOTE)
        nothing = b' \t"\xc2\xa0' + bytes([self.delimiter])
        for row in np.flatnonzero(doubtful & ~found):
            # Long rows are hardly ever blank: a look at their beginning settles most.
            start, end = int(self.starts[row]), int(self.ends[row])
            if not self.data[start : min(start + 200, end)].strip(nothing):
                found[row] = not self.data[start:end].strip(nothing)
        return found

    def starting_with(self, mark: bytes) -> Bools:
        """Which rows begin with this mark, after spaces."""
        found: Bools = np.zeros(len(self), dtype=np.bool_)
        if not mark or not len(self):
            return found
        buffer = np.frombuffer(self.data, np.uint8)
        first = buffer[np.minimum(self.starts, len(buffer) - 1)]
        for row in np.flatnonzero((first == mark[0]) | (first == SPACE) | (first == QUOTE)):
            start = int(self.starts[row])
            found[row] = self.data[start : start + 200].lstrip(b' "').startswith(mark)
        return found


class WrittenRows(Sequence[list[str]]):
    """Rows of cells that are held as one text, and cut when somebody asks for them."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> list[str]: ...

    @overload
    def __getitem__(self, place: slice) -> list[list[str]]: ...

    def __getitem__(self, place: int | slice) -> list[str] | list[list[str]]:
        if isinstance(place, slice):
            return [self.rows.cut(row) for row in range(*place.indices(len(self)))]
        return self.rows.cut(range(len(self))[place])


class StrayQuotes(ValueError):  # noqa: N818
    """Quotation marks stand where they neither open nor close a cell."""


def find_rows(
    data: bytes, *, delimiter: bytes, quotes: bool, name: str, report: Report = silent
) -> Rows:
    """The rows of a text; StrayQuotes if quotation marks cannot be followed without cutting it.

    A quotation mark that is never closed is refused with its line.
    """
    quoted = quotes and b'"' in data
    mark = delimiter[0]
    buffer = np.frombuffer(data, np.uint8)
    line_ends: list[Ints] = []
    row_ends: list[Ints] = []
    cells: list[Ints] = []
    open_before = False
    carried = 0
    for begin in range(0, len(buffer), PIECE):
        piece = buffer[begin : begin + PIECE]
        is_end, is_mark = piece == NEWLINE, piece == mark
        if quoted:
            line_ends.append(np.flatnonzero(is_end) + begin)
            inside, open_before = _inside(buffer, begin, begin + len(piece), mark, open_before)
            is_end &= ~inside
            is_mark &= ~inside
        ends = np.flatnonzero(is_end)
        counts, carried = _between(is_mark, ends, carried)
        row_ends.append(ends + begin)
        cells.append(counts + 1)
        report(min(1.0, (begin + len(piece)) / len(buffer)))
    if open_before:
        raise _unclosed(data, name)
    if data and not data.endswith(b"\n"):
        row_ends.append(np.array([len(data)]))
        cells.append(np.array([carried + 1]))
    ends = np.concatenate([np.empty(0, np.int64), *row_ends])
    starts = np.concatenate((np.zeros(min(len(ends), 1), np.int64), ends[:-1] + 1))
    lines = np.arange(1, len(ends) + 1, dtype=np.int64)
    if quoted:
        lines = 1 + np.searchsorted(np.concatenate(line_ends), starts)
    return Rows(
        data=data,
        delimiter=mark,
        quoted=quoted,
        starts=starts,
        ends=ends,
        lines=lines,
        cells=np.concatenate([np.empty(0, np.int64), *cells]),
    )


def _between(is_mark: Bools, ends: Ints, carried: int) -> tuple[Ints, int]:
    """How many marks come before each end since the one before, and how many after the last.

    `carried` are those that came before the first byte.
    """
    if not len(ends):
        return np.empty(0, np.int64), carried + int(np.count_nonzero(is_mark))
    begins = np.concatenate((np.zeros(1, np.int64), ends[:-1] + 1))
    last = int(ends[-1]) + 1
    # Into no wider a type than a piece needs: that is the most of the work.
    counts = np.add.reduceat(is_mark[:last].view(np.uint8), begins, dtype=np.uint32)
    counts = counts.astype(np.int64)
    counts[0] += carried
    return counts, int(np.count_nonzero(is_mark[last:]))


def _inside(
    buffer: np.typing.NDArray[np.uint8], begin: int, end: int, delimiter: int, open_before: bool
) -> tuple[Bools, bool]:
    """Which bytes of a piece lie inside quotation marks, and whether its last one does.

    Marks that open a cell must follow a delimiter or a line end, those that close one must come
    before them; doubled marks inside a cell close and open it again. Anything else is stray.
    """
    piece = buffer[begin:end]
    is_quote = piece == QUOTE
    places = np.flatnonzero(is_quote)
    if not len(places):
        return np.full(len(piece), open_before), open_before
    opens = (np.arange(len(places)) + open_before) % 2 == 0
    before = np.where(places + begin > 0, buffer[np.maximum(places + begin - 1, 0)], NEWLINE)
    after_places = places + begin + 1
    after = np.where(
        after_places < len(buffer), buffer[np.minimum(after_places, len(buffer) - 1)], NEWLINE
    )
    proper_before = (before == delimiter) | (before == NEWLINE) | (before == QUOTE)
    proper_after = (after == delimiter) | (after == NEWLINE) | (after == QUOTE)
    if not (np.where(opens, proper_before, proper_after)).all():
        raise StrayQuotes
    parity = (np.cumsum(is_quote, dtype=np.uint8) & 1).astype(bool) ^ open_before
    return parity, bool(parity[-1])


def cut_rows(data: bytes, *, delimiter: str, name: str) -> tuple[list[list[str]], list[int]]:
    """All rows cut into cells, and the line each begins on; slower, but follows any quoting."""
    text = io.StringIO(data.decode("utf-8", errors="replace"), newline="")
    reader = csv.reader(text, delimiter=delimiter, skipinitialspace=True, strict=True)
    rows, lines = [], []
    begin = 1
    try:
        for cells in reader:
            rows.append(cells)
            lines.append(begin)
            begin = reader.line_num + 1
    except csv.Error as error:
        raise UserError(
            key="load.not_a_table",
            what=f"The file cannot be cut into cells: {error}.",
            where=f"{name}, line {reader.line_num}",
            way_out="Look for a quotation mark that is not closed.",
        ) from None
    return rows, lines


def written(rows: list[list[str]], *, delimiter: str) -> bytes:
    """Cells as a text in which quotation marks can be followed."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", errors="replace")


def runs(rows: Rows, numbers: Ints) -> list[tuple[int, int]]:
    """First and last of every run of rows without a byte between them, as places in `numbers`."""
    if not len(numbers):
        return []
    breaks = np.flatnonzero(rows.starts[numbers[1:]] != rows.ends[numbers[:-1]] + 1) + 1
    edges = [0, *(int(place) for place in breaks), len(numbers)]
    return [(first, last - 1) for first, last in pairwise(edges)]


def _unclosed(data: bytes, name: str) -> UserError:
    last = data.rfind(b'"')
    return UserError(
        key="load.not_a_table",
        what="The file cannot be cut into cells: a quotation mark is not closed.",
        where=f"{name}, line {1 + data.count(10, 0, last)} or before",
        way_out="Look for a quotation mark without its partner.",
    )
