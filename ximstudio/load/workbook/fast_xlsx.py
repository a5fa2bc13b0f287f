"""Cells of a large worksheet as a text with tabs, straight from its XML.

Kernels go through the XML twice, a few megabytes at a time (`kernels.sheets`): what is plain is
written as the text that delimited files are read from, without an object per cell. What shared
texts and styles mean is asked of the library that reads all other sheets, so that both agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ximstudio.kernels.parallel import n_cores
from ximstudio.load.reading import Choices, Report
from ximstudio.load.source import PIECE
from ximstudio.load.text.rows import Rows, WrittenRows, find_rows
from ximstudio.load.workbook.survey import Survey
from ximstudio.model.arrays import Ints

Piece = TypeVar("Piece")
Done = TypeVar("Done")

LARGE = 8 * 1024 * 1024
"""Bytes of XML from which on the kernels are worth their start."""

HEAD = 1024 * 1024
"""Bytes in which the rows of a sheet begin."""

BETWEEN_REPORTS = 0.1
"""Seconds of waiting for the kernel."""

BEGIN, END, ROW = b"<sheetData>", b"</sheetData>", b"<row"
PADDING = b'<">/' * 32
"""Has all that the kernels look for: they never run beyond the end, whatever is before it."""

NAMES = 2
"""Columns at the left that may name the rows even if they hold numbers."""

WRITTEN = 0.9
"""Part of the work that is done after the second pass."""


class Meanings(NamedTuple):
    """The shared texts of a workbook, and which of its styles show dates."""

    texts: list[str]
    is_date: list[bool]


class Part(NamedTuple):
    """Some rows of a sheet: where in the XML they are, and what the first pass found there."""

    begin: int
    stop: int
    state: Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class Scan:
    """The outcome of the first pass over a sheet that is plain."""

    data: bytes
    parts: list[Part]
    texts_in: Ints
    meanings: _Packed

    @cached_property
    def state(self) -> Ints:
        """What is known of the whole sheet."""
        from ximstudio.kernels import sheets

        states = np.array([part.state for part in self.parts])
        state: Ints = states.sum(axis=0)
        state[sheets.LAST_ROW] = states[:, sheets.LAST_ROW].max()
        state[sheets.LAST_COLUMN] = states[:, sheets.LAST_COLUMN].max()
        for place in (sheets.FIRST_ROW, sheets.FIRST_COLUMN):
            state[place] = states[:, place].min()
        return state

    @property
    def survey(self) -> Survey:
        """The extent of the sheet."""
        from ximstudio.kernels import sheets

        return Survey(
            n_rows=int(self.state[sheets.LAST_ROW]),
            n_columns=int(self.state[sheets.LAST_COLUMN]),
            n_cells=int(self.state[sheets.CELLS]),
            n_numbers=int(self.state[sheets.NUMBERS]),
        )


class Written(NamedTuple):
    """The cells of a sheet, with the place of the first one."""

    rows: WrittenRows
    first_row: int
    first_column: int
    has_fractions: bool


class _Packed(NamedTuple):
    """Meanings as kernels take them."""

    is_date: Any
    lengths: Ints
    starts: Ints
    shared: Any

    @classmethod
    def of(cls, meanings: Meanings) -> _Packed:
        parts = [_quoted(text) for text in meanings.texts]
        lengths = np.array([len(part) for part in parts], dtype=np.int64)
        return cls(
            # A cell without a style has the first one, and there may be none.
            is_date=np.array(meanings.is_date or [False], dtype=np.bool_),
            lengths=lengths,
            starts=np.cumsum(lengths) - lengths,
            shared=np.frombuffer(b"".join(parts) or b" ", np.uint8),
        )


def _may_be_plain(data: bytes) -> bool:
    end = data.rfind(END)
    large = len(data) >= LARGE and data.find(BEGIN, 0, HEAD) >= 0 and end >= 0
    # Merged ranges are filled in what the library gives.
    return large and b"<mergeCell " not in data[end:]


def load_kernel() -> None:
    """Load the kernel, or compile it if this machine has never used it."""
    from ximstudio.kernels import sheets

    packed = _Packed.of(Meanings([], []))
    state = np.zeros(sheets.STATE, dtype=np.int64)
    texts_in = np.zeros(sheets.MOST_COLUMNS + 1, dtype=np.int64)
    _read(_buffer(b"", (0, 0)), state, packed, texts_in, False, *_no_output())


def _wait_for_kernel(report: Report) -> None:
    pool = ThreadPoolExecutor(1)
    loading = pool.submit(load_kernel)
    pool.shutdown(wait=False)
    while not wait([loading], timeout=BETWEEN_REPORTS).done:
        report(0.0)
    loading.result()


def scan(data: bytes, meanings: Callable[[], Meanings], report: Report) -> Scan | None:
    """Look through a sheet; None if it is small or not plain."""
    if not _may_be_plain(data):
        return None
    from ximstudio.kernels import sheets

    _wait_for_kernel(report)
    packed = _Packed.of(meanings())
    texts_in = np.zeros(sheets.MOST_COLUMNS + 1, dtype=np.int64)
    first_row = 0

    def look(cut: tuple[int, int]) -> tuple[Part, Ints] | None:
        state = np.zeros(sheets.STATE, dtype=np.int64)
        state[sheets.FIRST_ROW] = first_row
        texts = np.zeros_like(texts_in)
        if _read(_buffer(data, cut), state, packed, texts, False, *_no_output()):
            return None
        return Part(*cut, state), texts

    # Which rows are headers is known when the first part was looked through.
    cuts = _cuts(data)
    parts: list[Part] = []
    last_row = 0
    for found in chain(map(look, cuts[:1]), side_by_side(look, cuts[1:])):
        if found is None:
            return None
        part, texts = found
        if part.state[sheets.BEGUN]:
            if part.state[sheets.BEGUN] <= last_row:
                return None
            first_row = first_row or int(part.state[sheets.FIRST_ROW])
            last_row = int(part.state[sheets.LAST_ROW])
            parts.append(part)
        elif part.state[sheets.CELLS]:
            return None
        texts_in += texts
        report(part.stop / len(data))
    if not parts or parts[0].begin != cuts[0][0]:
        return None
    return Scan(data=data, parts=parts, texts_in=texts_in, meanings=packed)


def write(found: Scan, choices: Choices, report: Report) -> Written:
    """The cells of a sheet that was looked through."""
    from ximstudio.kernels import sheets

    first_row, first_column, last_row, last_column = (
        int(found.state[place])
        for place in (
            sheets.FIRST_ROW,
            sheets.FIRST_COLUMN,
            sheets.LAST_ROW,
            sheets.LAST_COLUMN,
        )
    )
    rewritten = found.texts_in > 0
    rewritten[first_column : first_column + NAMES] = True
    width = last_column - first_column + 1
    data = _text(found, rewritten, lambda done: report(WRITTEN * done))
    named = _named(choices)
    if named:
        columns = _columns_named(data, named)
        # What names no column may be a row, of which any number may become a text.
        rewritten[first_column : first_column + width] |= True if columns is None else columns
        data = _text(found, rewritten, lambda done: report(WRITTEN * done))
    rows = find_rows(
        data,
        delimiter=b"\t",
        quotes=True,
        name="",
        keep_blank=True,
        report=lambda done: report(WRITTEN + (1 - WRITTEN) * done),
    )
    assert len(rows) == last_row - first_row + 1
    numbered = Rows(
        data=rows.data,
        delimiter=rows.delimiter,
        quoted=rows.quoted,
        starts=rows.starts,
        ends=rows.ends,
        lines=np.arange(first_row, last_row + 1, dtype=np.int64),
        cells=rows.cells,
    )
    return Written(
        rows=WrittenRows(numbered),
        first_row=first_row,
        first_column=first_column,
        has_fractions=bool(found.state[sheets.FRACTIONS]),
    )


def _text(found: Scan, rewritten: Any, report: Report) -> bytes:
    """The text of all cells; numbers in rewritten columns are as Python writes them."""
    from ximstudio.kernels import sheets

    whole = found.state
    width = int(whole[sheets.LAST_COLUMN] - whole[sheets.FIRST_COLUMN]) + 1
    blank = b"\t" * (width - 1) + b"\n"
    n_rewritten = int(rewritten.sum())

    def write_part(part: Part) -> bytes:
        state = part.state.copy()
        n_rows = int(state[sheets.LAST_ROW] - state[sheets.BEGUN]) + 1
        state[sheets.FIRST_ROW] = whole[sheets.FIRST_ROW]
        state[sheets.FIRST_COLUMN] = state[sheets.COLUMN] = whole[sheets.FIRST_COLUMN]
        state[sheets.LAST_COLUMN] = whole[sheets.LAST_COLUMN]
        state[sheets.ROW] = state[sheets.BEGUN]
        output = np.empty(int(state[sheets.BYTES]) + n_rows * width + 1, dtype=np.uint8)
        counts = np.zeros(2, dtype=np.int64)
        odd = np.empty((n_rewritten * n_rows + sheets.HEADERS * width, 2), dtype=np.int64)
        piece = _buffer(found.data, (part.begin, part.stop))
        refused = _read(
            piece, state, found.meanings, found.texts_in, True, rewritten, output, counts, odd
        )
        assert not refused
        text = output[: counts[0]].tobytes()
        text += b"\t" * int(state[sheets.LAST_COLUMN] - state[sheets.COLUMN]) + b"\n"
        return _rewritten(text, odd[: counts[1]])

    pieces: list[bytes] = []
    row = int(whole[sheets.FIRST_ROW])
    for part, text in zip(found.parts, side_by_side(write_part, found.parts), strict=True):
        pieces += blank * (int(part.state[sheets.BEGUN]) - row), text
        row = int(part.state[sheets.LAST_ROW]) + 1
        report(part.stop / len(found.data))
    return b"".join(pieces)


def _rewritten(data: bytes, odd: Ints) -> bytes:
    """The text with some numbers as Python writes them."""
    if not len(odd):
        return data
    pieces: list[bytes] = []
    last = 0
    for begin, end in odd.tolist():
        pieces += data[last:begin], repr(float(data[begin:end])).removesuffix(".0").encode()
        last = end
    return b"".join((*pieces, data[last:]))


def _named(choices: Choices) -> set[str]:
    """What the user calls columns or rows that are to be texts."""
    given = (choices.id, getattr(choices, "sample", None), *(choices.labels or ()))
    return {part.strip() for text in given if text for part in (text, *text.split(","))} - {""}


def _columns_named(data: bytes, names: set[str]) -> Any:
    """Which columns have one of the names in their first rows; None if a name is nowhere."""
    from ximstudio.kernels.sheets import HEADERS

    head = find_rows(data[: 16 * PIECE], delimiter=b"\t", quotes=True, name="")
    rows = [head.cut(row) for row in range(min(HEADERS, len(head)))]
    found = np.zeros(len(rows[0]), dtype=np.bool_)
    missing = set(names)
    for row in rows:
        for place, cell in enumerate(row[: len(found)]):
            if cell.strip() in names:
                found[place] = True
                missing.discard(cell.strip())
    return None if missing else found


def _read(
    piece: Any,
    state: Ints,
    packed: _Packed,
    texts_in: Ints,
    writing: bool,
    rewritten: Any,
    output: Any,
    counts: Ints,
    odd: Ints,
) -> int:
    from ximstudio.kernels.sheets import read_rows

    return int(
        read_rows(
            piece,
            0,
            len(piece) - len(PADDING),
            state,
            packed.is_date,
            packed.lengths,
            texts_in,
            writing,
            packed.starts,
            packed.shared,
            rewritten,
            output,
            counts,
            odd,
        )
    )


def _no_output() -> tuple[Any, Any, Ints, Ints]:
    return (
        np.zeros(1, dtype=np.bool_),
        np.zeros(1, dtype=np.uint8),
        np.zeros(2, dtype=np.int64),
        np.zeros((1, 2), dtype=np.int64),
    )


def _cuts(data: bytes) -> list[tuple[int, int]]:
    """Where whole rows begin and end that are some megabytes together."""
    # If there is another end before this one, that is not plain.
    begin, end = data.index(BEGIN) + len(BEGIN), data.rindex(END)
    cuts = []
    while begin < end:
        stop = end
        if begin + PIECE < end:
            cut = data.rfind(ROW, begin + 1, begin + PIECE)
            cut = data.find(ROW, begin + PIECE, end) if cut < 0 else cut
            stop = cut if cut > 0 else end
        cuts.append((begin, stop))
        begin = stop
    return cuts


def _buffer(data: bytes, cut: tuple[int, int]) -> Any:
    return np.frombuffer(data[cut[0] : cut[1]] + PADDING, np.uint8)


def side_by_side(work: Callable[[Piece], Done], pieces: Sequence[Piece]) -> Iterator[Done]:
    """What comes of the pieces, in their order, done by as many threads as there are cores."""
    pool = ThreadPoolExecutor(n_cores())
    try:
        yield from pool.map(work, pieces)
    finally:
        # Also when whoever takes what was done takes no more.
        pool.shutdown(wait=True, cancel_futures=True)


def _quoted(text: str) -> bytes:
    """A text as a cell of a text with tabs."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if '"' in text or "\t" in text or "\n" in text:
        text = '"' + text.replace('"', '""') + '"'
    return text.encode("utf-8", errors="replace")
