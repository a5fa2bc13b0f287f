"""The first pass over the rows of a large worksheet, made while it is unpacked.

It finds the extent of the sheet and whether all of it is plain. Whether the first rows are as wide
as all others is not known then, but likely: cells are written at once as if they were, and once
more by a second pass (`fast_xlsx`) if they turn out not to be.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ximstudio.kernels.parallel import n_cores
from ximstudio.load.reading import Report
from ximstudio.load.workbook.sheet_xml import PADDING, SheetXml
from ximstudio.load.workbook.sheets import Hidden, SheetSize, count_hidden_rows, hidden_columns
from ximstudio.model.arrays import Bools, Ints

BETWEEN_REPORTS = 0.1
"""Seconds between reports while waiting for the kernel."""

NAMES = 2
"""Columns at the left that may name the rows even if they hold numbers."""


class Meanings(NamedTuple):
    """The shared texts of a workbook, and which of its styles show dates."""

    texts: list[str]
    is_date: list[bool]


class PackedMeanings(NamedTuple):
    """Meanings as kernels take them."""

    is_date: Any
    lengths: Ints
    starts: Ints
    shared: Any

    @classmethod
    def of(cls, meanings: Meanings) -> PackedMeanings:
        parts = [_quoted(text) for text in meanings.texts]
        lengths = np.array([len(part) for part in parts], dtype=np.int64)
        return cls(
            # A cell without a style has the first one, and there may be none.
            is_date=np.array(meanings.is_date or [False], dtype=np.bool_),
            lengths=lengths,
            starts=np.cumsum(lengths) - lengths,
            shared=np.frombuffer(b"".join(parts) or b" ", np.uint8),
        )


class SheetFrame(NamedTuple):
    """Properties of a sheet that are needed before its cells can be written.

    Parameters
    ----------
    top, left, right
        Its first row, and its first and last column.
    rewritten
        Per column, whether all its numbers are to be as Python writes them.
    """

    top: int
    left: int
    right: int
    rewritten: Bools

    @classmethod
    def of(cls, state: Ints, texts_in: Ints) -> SheetFrame:
        """Return the frame of a sheet of this state."""
        from ximstudio.kernels import sheets

        left = int(state[sheets.FIRST_COLUMN])
        rewritten = texts_in > 0
        rewritten[left : left + NAMES] = True
        return cls(int(state[sheets.FIRST_ROW]), left, int(state[sheets.LAST_COLUMN]), rewritten)

    def equals(self, other: SheetFrame) -> bool:
        """Return whether cells are written alike in both."""
        return self[:3] == other[:3] and np.array_equal(self.rewritten, other.rewritten)


class SheetPart(NamedTuple):
    """Some rows of a sheet, with `PADDING`, and what the first pass found in them.

    `text` are their cells as they are in the frame of the first part.
    """

    padded: bytes
    state: Ints
    texts_in: Ints
    n_hidden: int
    text: bytes | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Scan:
    """The outcome of the first pass over a sheet that is plain."""

    head: bytes
    parts: list[SheetPart]
    texts_in: Ints
    n_hidden: int
    meanings: PackedMeanings

    @property
    def frame(self) -> SheetFrame:
        """The frame of all parts."""
        return SheetFrame.of(self.state, self.texts_in)

    @cached_property
    def first_frame(self) -> SheetFrame:
        """The frame of the first part, in which the others are written."""
        return SheetFrame.of(self.parts[0].state, self.parts[0].texts_in)

    @cached_property
    def state(self) -> Ints:
        """Combined state of all parts of the sheet."""
        from ximstudio.kernels import sheets

        states = np.array([part.state for part in self.parts])
        state: Ints = states.sum(axis=0)
        state[sheets.LAST_ROW] = states[:, sheets.LAST_ROW].max()
        state[sheets.LAST_COLUMN] = states[:, sheets.LAST_COLUMN].max()
        for place in (sheets.FIRST_ROW, sheets.FIRST_COLUMN):
            state[place] = states[:, place].min()
        return state

    @property
    def size(self) -> SheetSize:
        """The extent of the sheet."""
        from ximstudio.kernels import sheets

        return SheetSize(
            n_rows=int(self.state[sheets.LAST_ROW]),
            n_columns=int(self.state[sheets.LAST_COLUMN]),
            n_cells=int(self.state[sheets.CELLS]),
            n_numbers=int(self.state[sheets.NUMBERS]),
        )

    @property
    def hidden(self) -> Hidden:
        """Rows and columns that are hidden."""
        columns = hidden_columns(self.head, self.size.n_columns)
        return Hidden(rows=self.n_hidden, columns=columns)


def scan(sheet: SheetXml, meanings: Callable[[], Meanings], report: Report) -> Scan | None:
    """Look through a sheet while it is unpacked; None if it is small or not plain."""
    # This thread unpacks.
    pool = ThreadPoolExecutor(max(1, n_cores() - 1))
    try:
        return _scan(sheet, meanings, pool, report)
    finally:
        # Also when the user cancels.
        pool.shutdown(wait=True, cancel_futures=True)


def _scan(
    sheet: SheetXml, meanings: Callable[[], Meanings], pool: ThreadPoolExecutor, report: Report
) -> Scan | None:
    packed: Future[PackedMeanings] | None = None
    first: Future[SheetPart | None] | None = None
    looking: deque[Future[SheetPart | None]] = deque()
    parts: list[SheetPart] = []
    for padded in sheet.groups():
        packed = packed or pool.submit(_prepare, meanings)
        looking.append(pool.submit(_look, padded, packed, first))
        first = first or looking[0]
        while looking and looking[0].done():
            if not _added(parts, looking.popleft().result()):
                return None
    # Merged ranges are filled in what the library gives.
    if sheet.head is None or sheet.tail is None or b"<mergeCell " in sheet.tail or packed is None:
        return None
    n_groups = len(parts) + len(looking)
    while looking:
        report(len(parts) / n_groups)
        # The kernel may have to be compiled first.
        wait([looking[0]], timeout=BETWEEN_REPORTS)
        while looking and looking[0].done():
            if not _added(parts, looking.popleft().result()):
                return None
    report(1.0)
    from ximstudio.kernels import sheets

    return Scan(
        head=sheet.head,
        parts=[part for part in parts if part.state[sheets.BEGUN]],
        texts_in=np.sum([part.texts_in for part in parts], axis=0),
        n_hidden=sum(part.n_hidden for part in parts),
        meanings=packed.result(),
    )


def _added(parts: list[SheetPart], part: SheetPart | None) -> bool:
    """Add a part to those before it; False if the sheet is not plain."""
    from ximstudio.kernels import sheets

    if part is None:
        return False
    begun = int(part.state[sheets.BEGUN])
    if begun and any(begun <= before.state[sheets.LAST_ROW] for before in parts):
        return False
    if not begun and (part.state[sheets.CELLS] or not parts):
        return False
    parts.append(part)
    return True


def _prepare(meanings: Callable[[], Meanings]) -> PackedMeanings:
    load_kernel()
    return PackedMeanings.of(meanings())


def _look(
    padded: bytes, packed: Future[PackedMeanings], first: Future[SheetPart | None] | None
) -> SheetPart | None:
    """Look through some rows; None if they are not plain.

    Which rows are headers is known when the first part was looked through.
    """
    from ximstudio.kernels import sheets

    before = None if first is None else first.result()
    meanings = packed.result()
    if before is not None:
        frame = SheetFrame.of(before.state, before.texts_in)
        state, texts_in = _unseen(frame.top)
        doing = sheets.LOOK | sheets.WRITE
        # Its cells are shorter than their XML, unless texts are shared that are longer.
        text = written(padded, state, meanings, texts_in, doing, frame, len(padded))
        if text is not None:
            return SheetPart(padded, state, texts_in, _n_hidden(padded, state), text)
    state, texts_in = _unseen(0 if before is None else int(before.state[sheets.FIRST_ROW]))
    if _read_part(padded, state, meanings, texts_in, sheets.LOOK):
        return None
    return SheetPart(padded, state, texts_in, _n_hidden(padded, state), None)


def _unseen(first_row: int) -> tuple[Ints, Ints]:
    """Return the state, and texts in columns, of a part that is not looked through yet."""
    from ximstudio.kernels import sheets

    state = np.zeros(sheets.STATE, dtype=np.int64)
    state[sheets.FIRST_ROW] = first_row
    return state, np.zeros(sheets.MOST_COLUMNS + 1, dtype=np.int64)


def _n_hidden(padded: bytes, state: Ints) -> int:
    from ximstudio.kernels.sheets import HIDDEN

    return count_hidden_rows(padded) if state[HIDDEN] else 0


def load_kernel() -> None:
    """Load the kernel, or compile it if this machine has never used it."""
    from ximstudio.kernels.sheets import LOOK

    state, texts_in = _unseen(0)
    packed = PackedMeanings.of(Meanings([], []))
    _read_part(PADDING, state, packed, texts_in, LOOK)


def written(
    padded: bytes,
    state: Ints,
    packed: PackedMeanings,
    texts_in: Ints,
    doing: int,
    frame: SheetFrame,
    room: int,
) -> bytes | None:
    """Write the cells of some rows in a frame; None if they are not plain, or have no room."""
    from ximstudio.kernels import sheets

    page = np.zeros(sheets.PAGE, dtype=np.int64)
    page[sheets.TOP], page[sheets.LEFT], page[sheets.RIGHT] = frame[:3]
    page[sheets.AT_COLUMN] = frame.left
    output = np.empty(room, dtype=np.uint8)
    odd = np.empty((len(padded) // sheets.SHORTEST_CELL + 1, 2), dtype=np.int64)
    if _read_part(padded, state, packed, texts_in, doing, (frame.rewritten, output, page, odd)):
        return None
    end = b"\t" * (frame.right - int(page[sheets.AT_COLUMN])) + b"\n"
    return _rewritten(output[: page[sheets.WRITTEN]].data, odd[: page[sheets.ODD]], end)


def _rewritten(text: memoryview, odd: Ints, end: bytes) -> bytes:
    """Return the text with some numbers as Python writes them, and the end of its last row."""
    pieces: list[bytes | memoryview] = []
    last = 0
    for begin, stop in odd.tolist():
        pieces += text[last:begin], repr(float(bytes(text[begin:stop]))).removesuffix(".0").encode()
        last = stop
    return b"".join((*pieces, text[last:], end))


def _read_part(
    padded: bytes,
    state: Ints,
    packed: PackedMeanings,
    texts_in: Ints,
    doing: int,
    output: tuple[Bools, Any, Ints, Ints] | None = None,
) -> int:
    """Call the kernel on some rows, with what is to be written, if anything; 0 if all went well."""
    from ximstudio.kernels import sheets

    if output is None:
        page, odd = np.zeros(sheets.PAGE, np.int64), np.zeros((1, 2), np.int64)
        output = np.zeros(1, np.bool_), np.zeros(1, np.uint8), page, odd
    xml, end = np.frombuffer(padded, np.uint8), len(padded) - len(PADDING)
    seen = xml, 0, end, state, packed.is_date, packed.lengths, texts_in, doing
    return int(sheets.read_rows(*seen, packed.starts, packed.shared, *output))


def _quoted(text: str) -> bytes:
    """Return a text as a cell of a text with tabs."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if '"' in text or "\t" in text or "\n" in text:
        text = '"' + text.replace('"', '""') + '"'
    return text.encode("utf-8", errors="replace")
