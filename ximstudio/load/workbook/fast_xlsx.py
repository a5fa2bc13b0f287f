"""Cells of a large worksheet as a text with tabs, straight from its XML.

Kernels go through the XML twice, a few megabytes at a time (`kernels.sheets`): what is plain is
written as the text that delimited files are read from, without an object per cell. The first
pass (`sheet_scan`) is made while the sheet is unpacked. What shared
texts and styles mean is asked of the library that reads all other sheets, so that both agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ximstudio.kernels.parallel import n_cores
from ximstudio.load.reading import Choices, Report
from ximstudio.load.source import PIECE
from ximstudio.load.text.rows import Rows, WrittenRows, find_rows
from ximstudio.load.workbook.sheet_scan import Part, Scan, read_part
from ximstudio.model.arrays import Ints

Piece = TypeVar("Piece")
Done = TypeVar("Done")

NAMES = 2
"""Columns at the left that may name the rows even if they hold numbers."""

WRITTEN = 0.9
"""Part of the work that is done after the second pass."""


class Written(NamedTuple):
    """The cells of a sheet, with the place of the first one."""

    rows: WrittenRows
    first_row: int
    first_column: int
    has_fractions: bool


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
        refused = read_part(
            part.padded, state, found.meanings, found.texts_in, True, rewritten, output, counts, odd
        )
        assert not refused
        end = b"\t" * int(state[sheets.LAST_COLUMN] - state[sheets.COLUMN]) + b"\n"
        return _rewritten(output[: counts[0]].data, odd[: counts[1]], end)

    pieces: list[bytes] = []
    row = int(whole[sheets.FIRST_ROW])
    texts = side_by_side(write_part, found.parts)
    for number, (part, text) in enumerate(zip(found.parts, texts, strict=True), 1):
        pieces += blank * (int(part.state[sheets.BEGUN]) - row), text
        row = int(part.state[sheets.LAST_ROW]) + 1
        report(number / len(found.parts))
    return b"".join(pieces)


def _rewritten(text: memoryview, odd: Ints, end: bytes) -> bytes:
    """The text with some numbers as Python writes them, and the end of its last row."""
    pieces: list[bytes | memoryview] = []
    last = 0
    for begin, stop in odd.tolist():
        pieces += text[last:begin], repr(float(bytes(text[begin:stop]))).removesuffix(".0").encode()
        last = stop
    return b"".join((*pieces, text[last:], end))


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


def side_by_side(work: Callable[[Piece], Done], pieces: Sequence[Piece]) -> Iterator[Done]:
    """What comes of the pieces, in their order, done by as many threads as there are cores."""
    pool = ThreadPoolExecutor(n_cores())
    try:
        yield from pool.map(work, pieces)
    finally:
        # Also when whoever takes what was done takes no more.
        pool.shutdown(wait=True, cancel_futures=True)
