"""Parse rows of bytes into numbers and texts, exact to the last bit.

Large tables are cut and read by a kernel; what it does not understand (spellings of missing values,
infinities, numbers of more than 19 digits), and all cells of small tables, for which nobody should
wait for a compiler, are read one by one by `Notation.value`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from ximstudio.load.text.notation import PERCENT, Notation
from ximstudio.load.text.rows import NEWLINE, QUOTE
from ximstudio.model.arrays import Floats, Ints

Bytes = np.typing.NDArray[np.uint8]

SHORT = 8
"""Length in bytes up to which cells are compared as integers."""

BETWEEN_REPORTS = 0.1
"""Seconds between reports while waiting for the kernel."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Piece:
    """The cells of some rows.

    Parameters
    ----------
    values
        Rows × columns of numbers; NaN where a cell is missing or a text.
    texts
        The texts of every text column, in the order of the columns.
    spelt
        Spellings of missing values, besides the empty cell → how often.
    firsts
        Each of those spellings → row and column of its first cell.
    odd
        Column → row and text of every cell that is neither a number nor missing.
    percents
        Column → how many of its numbers are followed by a percent sign.
    """

    values: Floats
    texts: list[list[str]]
    spelt: Counter[str] = field(default_factory=Counter)
    firsts: dict[str, tuple[int, int]] = field(default_factory=dict)
    odd: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    percents: Counter[int] = field(default_factory=Counter)


def read_piece(
    buffer: Bytes,
    is_text: np.typing.NDArray[np.bool_],
    *,
    delimiter: int,
    quoted: bool,
    notation: Notation,
    fast: bool,
    values: Floats,
) -> Piece:
    """Parse rows, each ended by a line feed; fill `values`, as long, with the numbers.

    `is_text` says of every column whether it is text; `values` has the other columns.
    """
    cut = _by_kernel if fast else _by_numpy
    texts, odd = cut(buffer, is_text, values, delimiter, quoted, notation)
    data = buffer.tobytes() if len(odd) or texts.size else b""
    piece = Piece(
        values=values,
        texts=[
            _repeated_texts(buffer, data, texts[:, column], quoted)
            if fast
            else _texts(data, texts[:, column], quoted)
            for column in range(texts.shape[1])
        ],
    )
    _settle(piece, data, buffer, odd, quoted, notation)
    for code, spelling in notation.codes.items() if fast else ():
        rows, columns = np.nonzero(values == code)
        if len(rows):
            values[rows, columns] = np.nan
            piece.spelt[spelling] += len(rows)
            piece.firsts[spelling] = int(rows[0]), int(columns[0])
    return piece


@cache
def load_ahead() -> Future[None]:
    """Start loading the kernel in the background, which takes a moment the first time."""
    pool = ThreadPoolExecutor(1)
    loading = pool.submit(_load)
    pool.shutdown(wait=False)
    return loading


def wait_for_kernel(waiting: Callable[[], None]) -> None:
    """Wait until the kernel is loaded or, on the first run, compiled; raise its errors here.

    `waiting` is called now and then; it may raise to wait no longer.
    """
    loading = load_ahead()
    while not wait([loading], timeout=BETWEEN_REPORTS).done:
        waiting()
    if loading.exception() is not None:
        # Another attempt may succeed.
        load_ahead.cache_clear()
    loading.result()


def _load() -> None:
    """Call the kernel with the usual types and no rows."""
    nothing = np.empty((0, 1))
    buffer = np.frombuffer(b"\n", np.uint8)
    texts, _ = _by_kernel(buffer, np.zeros(1, np.bool_), nothing, 0, False, Notation())
    _repeated_texts(buffer, b"", texts.reshape(0, 2), False)


@cache
def _tables() -> tuple[Any, Any]:
    from ximstudio.kernels.digits import EXACT_POWERS, powers_of_five

    return powers_of_five(), EXACT_POWERS


def _by_kernel(
    buffer: Bytes,
    is_text: np.typing.NDArray[np.bool_],
    values: Floats,
    delimiter: int,
    quoted: bool,
    notation: Notation,
) -> tuple[Ints, Ints]:
    """Fill in the numbers; return the places of texts and of cells that were not parsed."""
    from ximstudio.kernels.digits import read_cells

    texts = np.empty((len(values), int(is_text.sum()), 2), dtype=np.int64)
    odd = np.empty((values.size, 3), dtype=np.int64)
    # A delimiter of several bytes takes the slow path; no cell holds a zero byte.
    decimal, thousands = (
        mark[0] if len(mark) == 1 else 0
        for mark in (notation.decimal.encode(), notation.thousands.encode())
    )
    bits = values.view(np.uint64)
    n_odd = read_cells(
        buffer, delimiter, quoted, decimal, thousands, is_text, *_tables(), values, bits, texts, odd
    )
    return texts, odd[:n_odd]


def _by_numpy(
    buffer: Bytes,
    is_text: np.typing.NDArray[np.bool_],
    values: Floats,
    delimiter: int,
    quoted: bool,
    notation: Notation,  # noqa: ARG001  (the kernel needs it)
) -> tuple[Ints, Ints]:
    """Return the same without parsing any number."""
    is_end = (buffer == delimiter) | (buffer == NEWLINE)
    if quoted:
        is_end &= (np.cumsum(buffer == QUOTE, dtype=np.uint8) & 1) == 0
    ends = np.flatnonzero(is_end).astype(np.int64)
    starts = np.concatenate((np.zeros(1, np.int64), ends[:-1] + 1))
    if quoted:
        within = (buffer[starts] == QUOTE) & (ends > starts)
        starts, ends = starts + within, ends - within
    cells = np.stack((starts, ends), axis=1).reshape(len(values), len(is_text), 2)
    numbers = cells[:, ~is_text].reshape(-1, 2)
    values.fill(np.nan)
    filled = np.flatnonzero(numbers[:, 1] > numbers[:, 0])
    return cells[:, is_text], np.column_stack((filled, numbers[filled]))


def _texts(data: bytes, places: Ints, quoted: bool) -> list[str]:
    cells = [data[start:end].decode("utf-8", errors="replace") for start, end in places.tolist()]
    return [cell.replace('""', '"') for cell in cells] if quoted else cells


def _repeated_texts(buffer: Bytes, data: bytes, places: Ints, quoted: bool) -> list[str]:
    """Return the same, with one text for all cells of the same bytes."""
    from ximstudio.kernels.alike import number_alike

    places = np.ascontiguousarray(places)
    table = np.full(1 << (2 * len(places)).bit_length(), -1, dtype=np.int64)
    firsts, codes = np.empty((2, len(places)), dtype=np.int64)
    count = number_alike(buffer, places, table, firsts, codes)
    different = _texts(data, places[firsts[:count]], quoted)
    return [different[code] for code in codes.tolist()]


def _settle(
    piece: Piece, data: bytes, buffer: Bytes, odd: Ints, quoted: bool, notation: Notation
) -> None:
    """Parse the remaining cells, every spelling once."""
    if not len(odd):
        return
    flat = piece.values.reshape(-1)
    n_columns = piece.values.shape[1]
    for places, start, end in _alike(buffer, odd):
        text = data[start:end].decode("utf-8", errors="replace")
        text = text.replace('""', '"') if quoted else text
        value = notation.value(text)
        if value is not None:
            flat[places] = value
        if value is not None and notation.percents and text.rstrip().endswith(PERCENT):
            piece.percents.update((places % n_columns).tolist())
        if value is None:
            for place in places.tolist():
                row, column = divmod(place, n_columns)
                piece.odd.setdefault(column, []).append((row, text))
        elif np.isnan(value) and text.strip():
            spelling = text.strip()
            first = divmod(int(places[0]), n_columns)
            piece.spelt[spelling] += len(places)
            piece.firsts[spelling] = min(piece.firsts.get(spelling, first), first)
    for cells in piece.odd.values():
        cells.sort(key=lambda cell: cell[0])


def _alike(buffer: Bytes, odd: Ints) -> Iterator[tuple[Ints, int, int]]:
    """Yield groups of equal cells: their places, and start and end of one of them."""
    places, starts, ends = odd.T
    lengths = ends - starts
    short = np.flatnonzero(lengths <= SHORT)
    if len(short):
        offsets = np.arange(SHORT)
        reach = np.minimum(starts[short][:, None] + offsets, len(buffer) - 1)
        letters = np.where(offsets < lengths[short][:, None], buffer[reach], 0).astype(np.uint8)
        keys = letters.view(np.uint64).ravel()
        # By length, too: cells that end in zero bytes would look like shorter ones.
        order = np.lexsort((places[short], lengths[short], keys))
        changes = (np.diff(keys[order]) != 0) | (np.diff(lengths[short][order]) != 0)
        for group in np.split(short[order], np.flatnonzero(changes) + 1):
            yield places[group], int(starts[group[0]]), int(ends[group[0]])
    same: dict[bytes, list[int]] = {}
    for cell in np.flatnonzero(lengths > SHORT).tolist():
        same.setdefault(buffer[starts[cell] : ends[cell]].tobytes(), []).append(cell)
    for cells in same.values():
        yield places[cells], int(starts[cells[0]]), int(ends[cells[0]])
