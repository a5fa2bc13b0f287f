"""Write the cells of a large worksheet as a text with tabs, straight from its XML.

Kernels go through the XML, a few megabytes at a time (`kernels.sheets`): what is plain is
written as the text that delimited files are read from, without an object per cell. The first
pass (`sheet_scan`) is made while the sheet is unpacked; a second one is needed only if its last
rows are otherwise than the first, or labels are chosen. What shared texts and styles mean is asked
of the library that reads all other sheets, so that both agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from ximstudio.kernels.parallel import n_cores
from ximstudio.load.reading import Choices, Report
from ximstudio.load.source import PIECE
from ximstudio.load.text.cells import Cells
from ximstudio.load.text.rows import WrittenRows, find_rows
from ximstudio.load.workbook.sheet_scan import Scan, SheetFrame, SheetPart, written

Piece = TypeVar("Piece")
Done = TypeVar("Done")

WRITTEN = 0.9
"""Part of the work that is done after the second pass."""


def write(found: Scan, choices: Choices, report: Report) -> tuple[Cells, bool]:
    """Write the cells of a sheet that was scanned, and tell whether any numbers are fractions."""
    from ximstudio.kernels import sheets

    frame = found.frame
    data = _text(found, frame, lambda done: report(WRITTEN * done))
    named = _named(choices)
    if named:
        columns = _columns_named(data, named)
        # What names no column may be a row, of which any number may become a text.
        rewritten = frame.rewritten.copy()
        rewritten[frame.left : frame.right + 1] |= True if columns is None else columns
        frame = frame._replace(rewritten=rewritten)
        data = _text(found, frame, lambda done: report(WRITTEN * done))
    numbers = range(frame.top, int(found.state[sheets.LAST_ROW]) + 1)
    rows = find_rows(
        data,
        delimiter=b"\t",
        quotes=True,
        name="",
        keep_blank=True,
        numbers=np.array(numbers, dtype=np.int64),
        report=lambda done: report(WRITTEN + (1 - WRITTEN) * done),
    )
    assert len(rows) == len(numbers)
    cells = Cells(rows=WrittenRows(rows), numbers=numbers, first_column=frame.left)
    return cells, bool(found.state[sheets.FRACTIONS])


def _text(found: Scan, frame: SheetFrame, report: Report) -> bytes:
    """Return the text of all cells; that of the first pass where its frame is the right one."""
    from ximstudio.kernels import sheets

    width = frame.right - frame.left + 1
    blank = b"\t" * (width - 1) + b"\n"
    is_done = frame.equals(found.first_frame)

    def write_part(part: SheetPart) -> bytes:
        if is_done and part.text is not None:
            return part.text
        n_rows = int(part.state[sheets.LAST_ROW] - part.state[sheets.BEGUN]) + 1
        room = int(part.state[sheets.BYTES]) + n_rows * width + 1
        text = written(
            part.padded, part.state, found.meanings, found.texts_in, sheets.WRITE, frame, room
        )
        assert text is not None
        return text

    pieces: list[bytes] = []
    row = frame.top
    texts = side_by_side(write_part, found.parts)
    for number, (part, text) in enumerate(zip(found.parts, texts, strict=True), 1):
        pieces += blank * (int(part.state[sheets.BEGUN]) - row), text
        row = int(part.state[sheets.LAST_ROW]) + 1
        report(number / len(found.parts))
    return b"".join(pieces)


def _named(choices: Choices) -> set[str]:
    """Return the names of columns or rows that the user wants as texts."""
    given = (choices.id, getattr(choices, "sample", None), *(choices.labels or ()))
    return {part.strip() for text in given if text for part in (text, *text.split(","))} - {""}


def _columns_named(data: bytes, names: set[str]) -> Any:
    """Return which columns have one of the names in their first rows; None if one is nowhere."""
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
    """Yield the results for the pieces in their order, made by one thread per core."""
    pool = ThreadPoolExecutor(n_cores())
    try:
        yield from pool.map(work, pieces)
    finally:
        # Also when whoever takes what was done takes no more.
        pool.shutdown(wait=True, cancel_futures=True)
