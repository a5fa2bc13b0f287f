"""Find the rows of a text in its bytes, without splitting it into cells."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise, product
from typing import TypeAlias, overload

import numpy as np

from ximstudio.load.reading import Report, silent, slices
from ximstudio.model.arrays import Bools, Ints
from ximstudio.model.problem import UserError

Bytes: TypeAlias = np.typing.NDArray[np.uint8]

# A line split at the wrong delimiter is one long cell; Python refuses those above 128 KiB.
csv.field_size_limit(2**31 - 1)

PIECE = 1024 * 1024
"""Bytes examined between two reports: few enough for the cache."""

QUOTE = 34
TAB = 9
NEWLINE = 10
SPACE = 32

BETWEEN_REPORTS = 10_000
"""Rows that are split between two reports."""

NOTHING = b' \t"\n\xc2\xa0'
"""Bytes of blank cells; the last two are a no-break space."""

MOST_BLANK = 6
"""Maximum number of blank rows whose lines are kept."""

MOST_INDENTED = 200
"""Maximum number of spaces skipped before a mark."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """The non-blank rows of a text: offsets, line and number of cells of each.

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
        How many cells a row has.
    blank, n_blank
        Lines of the first rows of blank cells, which are passed over, and how many there are.
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
    blank: tuple[int, ...] = ()
    n_blank: int = 0
    spaced: bool = False

    def __len__(self) -> int:
        return len(self.starts)

    def raw(self, row: int) -> bytes:
        """Return the bytes of a row."""
        return self.data[self.starts[row] : self.ends[row]]

    def cut(self, row: int) -> list[str]:
        """Split a row into cells, without the quotation marks around them."""
        text = self.raw(row).decode("utf-8", errors="replace")
        if not self.quoted or '"' not in text:
            return text.split(chr(self.delimiter))
        return next(csv.reader(io.StringIO(text, newline=""), delimiter=chr(self.delimiter)))

    def filled(self) -> Rows:
        """Return the rows that hold anything but spaces and empty cells."""
        ended = self.data if self.data.endswith(b"\n") else self.data + b"\n"
        buffer = np.frombuffer(ended, np.uint8)
        is_filled = _filling(self.delimiter)
        edges = np.searchsorted(self.starts, np.arange(0, len(buffer), PIECE)).tolist()
        parts = []
        for first, last in pairwise([*edges, len(self)]):
            if first < last:
                begin, end = self.starts[first], self.ends[last - 1]
                places = self.starts[first:last] - begin, self.ends[first:last] - begin
                parts.append(_any_filled(buffer[begin : end + 1], *places, is_filled))
        filled = np.concatenate([np.zeros(0, np.bool_), *parts])
        blank = self.lines[~filled & (self.cells > 1)]
        return replace(
            self,
            starts=self.starts[filled],
            ends=self.ends[filled],
            lines=self.lines[filled],
            cells=self.cells[filled],
            blank=tuple(blank[:MOST_BLANK].tolist()),
            n_blank=len(blank),
        )

    def first_letters(self, report: Report = silent) -> Bytes:
        """Return the first byte of every row after spaces and quotation marks."""
        buffer = np.frombuffer(self.data, np.uint8)
        parts = [np.empty(0, np.uint8)]
        for part in slices(len(self), report, 0.0):
            rows = np.arange(part.start, min(part.stop, len(self)))
            parts.append(buffer[self._indented(buffer, rows)])
        return np.concatenate(parts)

    def starting_with(
        self, mark: bytes, letters: Bytes | None = None, report: Report = silent
    ) -> Bools:
        """Return which rows begin with this mark, after spaces and quotation marks.

        `letters` are the first ones, if they are known.
        """
        if not mark or not len(self):
            return np.zeros(len(self), dtype=np.bool_)
        first = self.first_letters(report) if letters is None else letters
        found: Bools = first == mark[0]
        rows = np.flatnonzero(found) if len(mark) > 1 else np.empty(0, np.int64)
        buffer = np.frombuffer(self.data, np.uint8)
        for part in slices(len(rows), report, 0.0):
            some = rows[part]
            places = self._indented(buffer, some)
            for place, letter in enumerate(mark):
                here = np.minimum(places + place, len(buffer) - 1)
                found[some] &= buffer[here] == letter
        return found

    def _indented(self, buffer: Bytes, rows: Ints) -> Ints:
        """Return where these rows begin after spaces and quotation marks."""
        places, ends = self.starts[rows], self.ends[rows]
        indented = np.arange(len(rows))
        for _ in range(MOST_INDENTED):
            letters = buffer[places[indented]]
            indented = indented[(letters == SPACE) | (letters == QUOTE)]
            indented = indented[places[indented] + 1 < ends[indented]]
            if not len(indented):
                break
            places[indented] += 1
        return places


class WrittenRows(Sequence[list[str]]):
    """Rows of cells that are held as one text, and split on demand."""

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
    """Raised for quotation marks that neither open nor close a cell."""


def find_rows(
    data: bytes,
    *,
    delimiter: bytes,
    quotes: bool,
    name: str,
    keep_blank: bool = False,
    numbers: Ints | None = None,
    report: Report = silent,
) -> Rows:
    """Find the rows of a text; raise StrayQuotes if quotes cannot be followed without splitting.

    Rows without anything but spaces and empty cells are passed over, so that millions of them take
    no room. A quotation mark that is never closed is refused with its line. `numbers` are what rows
    are called, blank ones and all, if not by their lines.
    """
    quoted = quotes and b'"' in data
    mark = delimiter[0]
    buffer = np.frombuffer(data, np.uint8)
    is_filled = None if keep_blank else _filling(mark)
    found = _Found(is_filled=is_filled, numbers=numbers)
    open_before = False
    for begin in range(0, len(buffer), PIECE):
        piece = buffer[begin : begin + PIECE]
        is_end, is_mark = piece == NEWLINE, piece == mark
        lines = np.flatnonzero(is_end)
        ends = lines
        if quoted:
            inside, open_before = _inside(buffer, begin, begin + len(piece), mark, open_before)
            is_mark &= ~inside
            ends = lines[~inside[lines]]
        found.add(begin, ends, lines, is_mark, piece)
        report(min(1.0, (begin + len(piece)) / len(buffer)))
    if open_before:
        raise _unclosed(data, name)
    if data and not data.endswith(b"\n"):
        end, newline = np.zeros(1, np.int64), np.full(1, NEWLINE, np.uint8)
        found.add(len(data), end, end, np.zeros(1, np.bool_), newline)
    starts, ends, lines, cells = (
        _together(parts, report) for parts in (found.starts, found.ends, found.lines, found.cells)
    )
    return Rows(
        data=data,
        delimiter=mark,
        quoted=quoted,
        starts=starts,
        ends=ends,
        lines=lines,
        cells=cells,
        blank=tuple(found.blank),
        n_blank=found.n_blank,
    )


@dataclass(kw_only=True, eq=False)
class _Found:
    """The rows found so far, and the state of the unfinished one.

    `is_filled` says of every byte whether it fills a cell; None if blank rows are kept.
    """

    is_filled: Bools | None
    numbers: Ints | None
    start: int = 0
    line: int = 1
    n_rows: int = 0
    n_lines: int = 0
    marks: int = 0
    filled: bool = False
    n_blank: int = 0
    blank: list[int] = field(default_factory=list)
    starts: list[Ints] = field(default_factory=list)
    ends: list[Ints] = field(default_factory=list)
    lines: list[Ints] = field(default_factory=list)
    cells: list[Ints] = field(default_factory=list)

    def add(self, begin: int, ends: Ints, lines: Ints, is_mark: Bools, piece: Bytes) -> None:
        """Add a piece: ends of its rows and lines, and which of its bytes are marks."""
        marks, self.marks = _between(is_mark, ends, self.marks)
        filled = self._filled(piece, ends)
        n_lines, self.n_lines = self.n_lines, self.n_lines + len(lines)
        if not len(ends):
            return
        starts = np.concatenate(([self.start], ends[:-1] + (begin + 1)))
        last_lines = np.searchsorted(lines, ends) + (n_lines + 1)
        called = np.concatenate(([self.line], last_lines[:-1] + 1))
        if self.numbers is not None:
            called = self.numbers[self.n_rows : self.n_rows + len(ends)]
        kept = np.flatnonzero(filled)
        if len(kept) < len(ends):
            blank = np.flatnonzero(~filled & (marks > 0))
            self.n_blank += len(blank)
            self.blank += called[blank[: MOST_BLANK - len(self.blank)]].tolist()
        self.starts.append(starts[kept])
        self.ends.append(ends[kept] + begin)
        self.lines.append(called[kept])
        self.cells.append(marks[kept] + 1)
        self.start, self.line = int(ends[-1]) + begin + 1, int(last_lines[-1]) + 1
        self.n_rows += len(ends)

    def _filled(self, piece: Bytes, ends: Ints) -> Bools:
        """Return which of the rows that end in a piece are kept."""
        if self.is_filled is None:
            return np.ones(len(ends), np.bool_)
        begins = np.concatenate((np.zeros(1, np.int64), ends + 1))
        filled = _any_filled(piece, begins[:-1], ends, self.is_filled)
        if len(ends):
            filled[0] |= self.filled
            self.filled = False
        rest = piece[begins[-1] :]
        self.filled = self.filled or bool(_look_up(self.is_filled, rest).any())
        return filled


def _filling(mark: int) -> Bools:
    """Return for every byte whether it fills a cell of rows that are cut at `mark`."""
    is_filled = np.ones(256, np.bool_)
    is_filled[[*NOTHING, mark]] = False
    return is_filled


def _look_up(is_filled: Bools, piece: Bytes) -> Bools:
    # Several times as fast as an index.
    return np.frombuffer(piece.tobytes().translate(is_filled.tobytes()), np.bool_)


def _any_filled(piece: Bytes, begins: Ints, ends: Ints, is_filled: Bools) -> Bools:
    """Return which rows hold a byte that fills a cell; their places are those in `piece`.

    Nearly all rows show it by their first byte, or by the one after a quotation mark.
    """
    filled = is_filled[piece[begins]] & (ends > begins)
    rest = np.flatnonzero(~filled & (ends > begins))
    filled[rest] = is_filled[piece[begins[rest] + 1]]
    rest = rest[~filled[rest]]
    if len(rest):
        # Every second place begins what lies between two of these rows.
        edges = np.column_stack((begins[rest], ends[rest])).ravel()
        filled[rest] = np.logical_or.reduceat(_look_up(is_filled, piece), edges)[::2]
    return filled


def _together(parts: list[Ints], report: Report) -> Ints:
    """Concatenate the parts, and release them."""
    whole = np.concatenate([np.empty(0, np.int64), *parts])
    parts.clear()
    report(1.0)
    return whole


def _between(is_mark: Bools, ends: Ints, carried: int) -> tuple[Ints, int]:
    """Count the marks between consecutive ends, and after the last.

    `carried` are those that came before the first byte.
    """
    if not len(ends):
        return np.empty(0, np.int64), carried + int(np.count_nonzero(is_mark))
    begins = np.concatenate((np.zeros(1, np.int64), ends[:-1] + 1))
    last = int(ends[-1]) + 1
    # In the narrowest possible type: this takes most of the time.
    counts = np.add.reduceat(is_mark[:last].view(np.uint8), begins, dtype=np.uint32)
    counts = counts.astype(np.int64)
    counts[0] += carried
    return counts, int(np.count_nonzero(is_mark[last:]))


def _inside(
    buffer: Bytes, begin: int, end: int, delimiter: int, open_before: bool
) -> tuple[Bools, bool]:
    """Return which bytes of a piece are inside quotation marks, and whether its last one is.

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


def opens_cells(data: bytes, delimiter: bytes, report: Report = silent) -> bool:
    """Return whether any cell begins with a quotation mark, or with a space before one.

    If none does, quotation marks are letters like others.
    """
    if data.startswith((b'"', b" ")):
        return True
    for before, mark in product((delimiter, b"\n"), (b'"', b" ")):
        if before + mark in data:
            return True
        report(0.0)
    return False


def _ends_open(data: bytes, delimiter: bytes) -> bool:
    """Return whether the last quotation mark stands where it can only open a cell."""
    last = data.rfind(b'"')
    before, after = data[max(last - 1, 0) : last], data[last + 1 : last + 2]
    edges = {b"", b"\n", delimiter}
    return last >= 0 and before in edges and after not in edges


def tidied(
    data: bytes, *, delimiter: str, name: str, report: Report = silent
) -> tuple[bytes, Ints]:
    """Rewrite the rows with tabs and plain quoting, and return the line of each.

    Slower than finding rows, but follows any quoting; nothing but the text is held in memory.
    """
    if _ends_open(data, delimiter.encode()):
        raise _unclosed(data, name)
    source = io.TextIOWrapper(io.BytesIO(data), "utf-8", errors="replace", newline="")
    reader = csv.reader(source, delimiter=delimiter, skipinitialspace=True, strict=True)
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    tidy = io.BytesIO()
    lines = array("q")
    begin = 1
    most = 1
    try:
        while some := [*islice(reader, most)]:
            writer.writerows(some)
            if begin + len(some) == reader.line_num + 1:
                lines.extend(range(begin, reader.line_num + 1))
            else:
                for cells in some:
                    lines.append(begin)
                    begin += 1 + sum(cell.count("\n") for cell in cells)
            begin = reader.line_num + 1
            # About as many bytes at once as a piece has.
            most = int(min(2 * most, BETWEEN_REPORTS, 1 + most * PIECE / (16 * out.tell() + 1)))
            tidy.write(out.getvalue().encode("utf-8", errors="replace"))
            out.seek(0)
            out.truncate()
            report(min(1.0, tidy.tell() / len(data)))
    except csv.Error as error:
        raise UserError(
            key="load.not_a_table",
            what=f"The file cannot be split into cells: {error}.",
            where=f"{name}, line {reader.line_num}",
            way_out="Look for a quotation mark that is not closed.",
        ) from None
    tidy.write(out.getvalue().encode("utf-8", errors="replace"))
    return tidy.getvalue(), np.frombuffer(lines, np.int64)


def cut_rows(data: bytes, *, delimiter: str, name: str) -> tuple[list[list[str]], list[int]]:
    """Return all rows split into cells, and the line of each."""
    tidy, lines = tidied(data, delimiter=delimiter, name=name)
    text = io.StringIO(tidy.decode("utf-8"), newline="")
    return [*csv.reader(text, delimiter="\t")], lines.tolist()


def written(rows: list[list[str]], *, delimiter: str) -> bytes:
    """Write cells as a text with regular quotation marks."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", errors="replace")


def runs(rows: Rows, numbers: Ints) -> list[tuple[int, int]]:
    """Return first and last of every run of adjacent rows, as places in `numbers`."""
    if not len(numbers):
        return []
    breaks = np.flatnonzero(rows.starts[numbers[1:]] != rows.ends[numbers[:-1]] + 1) + 1
    edges = [0, *(int(place) for place in breaks), len(numbers)]
    return [(first, last - 1) for first, last in pairwise(edges)]


def _unclosed(data: bytes, name: str) -> UserError:
    last = data.rfind(b'"')
    return UserError(
        key="load.not_a_table",
        what="The file cannot be split into cells: a quotation mark is not closed.",
        where=f"{name}, line {1 + data.count(10, 0, last)} or before",
        way_out="Look for a quotation mark without its partner.",
    )
