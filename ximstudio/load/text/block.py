"""The block of numbers in a text, with the text columns beside it, read fast and exactly."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np
import psutil

from ximstudio.kernels.parallel import n_cores
from ximstudio.load.reading import Report, silent
from ximstudio.load.source import refuse_too_large
from ximstudio.load.text.digits import Piece, read_piece, wait_for_kernel
from ximstudio.load.text.encoding import plain
from ximstudio.load.text.notation import BLANKS, Notation, call_missing
from ximstudio.load.text.ragged import Evening
from ximstudio.load.text.rows import (
    Rows,
    StrayQuotes,
    find_rows,
    opens_cells,
    runs,
    tidied,
    written,
)
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem, SettingsForm, UserError
from ximstudio.model.words import counted, plural

PIECE = 2 * 1024 * 1024
"""Bytes that are split into cells between two reports."""

MANY = 200_000
"""Number of cells from which on the kernel is worth loading."""

MOST_COLUMNS = 10
"""Maximum number of columns with texts among their numbers that are reported one by one."""

MOST_TEXTS = 3
LONGEST = 60
"""Limits on number and length of texts that are offered as spellings of missing values."""

MOST_ODD = 1000
"""Maximum number of texts among numbers that are kept per column; all are counted."""


@dataclass(kw_only=True, eq=False)
class Odd:
    """Texts in a numeric column: the first of them with their rows, and their number."""

    count: int = 0
    rows: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def add(self, rows: Sequence[int], texts: Sequence[str]) -> None:
        """Add more of them."""
        self.count += len(rows)
        room = max(MOST_ODD - len(self.rows), 0)
        self.rows += rows[:room]
        self.texts += texts[:room]


@dataclass(frozen=True, kw_only=True, eq=False)
class Block:
    """Rows of a text, split into columns of numbers and columns of text.

    Parameters
    ----------
    texts
        Number of a text column, from 0 → its cells, letter by letter.
    values
        float64, rows × the other columns in their order; a missing cell is NaN.
    lines
        The line of every row, counted from 1.
    columns
        The numbers of the columns of `values`, from 0.
    spelt
        Spellings of missing values that occur, besides the empty cell → how often.
    firsts
        Each of those spellings → row and column, from 0, of its first cell.
    limits
        Limits such as '<0.05' that were read as missing → how often.
    odd
        Columns that hold texts among their numbers; always empty in what `read_block` returns.
    percents
        Number of a column, from 0 → how many of its numbers are followed by a percent sign.
    """

    texts: Mapping[int, tuple[str, ...]]
    values: Floats
    lines: Ints
    columns: tuple[int, ...]
    spelt: Mapping[str, int] = field(default_factory=dict)
    firsts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    odd: Mapping[int, Odd] = field(default_factory=dict)
    percents: Mapping[int, int] = field(default_factory=dict)


def read_block(
    data: bytes,
    *,
    encoding: str = "utf-8",
    delimiter: str = "\t",
    first_line: int = 1,
    n_rows: int | None = None,
    width: int,
    text_columns: Sequence[int] = (),
    decimal: str = ".",
    thousands: str = "",
    blanks: Sequence[str] = BLANKS,
    quotes: bool = True,
    comment: str = "",
    names: Sequence[str] = (),
    name: str,
    report: Report = silent,
) -> Block:
    """Parse the rows of a text from a line on; skip blank lines and comments.

    Parameters
    ----------
    data, encoding
        The whole text; line numbers count its lines.
    first_line, n_rows
        The line the block begins on, from 1, and how many rows it has; None for all that follow.
    width
        Cells of every row. Further cells that are blank do no harm; else uneven rows are refused.
    text_columns
        Numbers of the columns, from 0, that are texts; all others are numbers.
    comment
        What lines begin with that are no rows; "" if there are none.
    names
        What messages call the columns.
    name
        What messages call the file.
    """
    rows = rows_of(
        plain(data, encoding, name=name),
        delimiter=delimiter,
        quotes=quotes,
        name=name,
        report=lambda fraction: report(0.1 * fraction),
    )
    kept = ~rows.starting_with(comment.encode()) & (rows.lines >= first_line)
    chosen = np.flatnonzero(kept)[:n_rows]
    even = Evening(rows=rows, width=width, name=name, lenient=False).even(chosen)
    block = parse(
        even.rows,
        even.chosen,
        width=width,
        text_columns=text_columns,
        notation=Notation.of(decimal=decimal, thousands=thousands, blanks=blanks),
        name=name,
        report=lambda fraction: report(0.1 + 0.9 * fraction),
    )
    if block.odd:
        raise UserError.of(
            not_numbers(block.odd, block.lines, names=names, name=name, spelt=block.spelt)
        )
    return block


def rows_of(
    data: bytes, *, delimiter: str, quotes: bool, name: str, report: Report = silent
) -> Rows:
    """Find the rows of a text in UTF-8, however it is quoted."""
    mark = delimiter.encode()
    try:
        return find_rows(data, delimiter=mark, quotes=quotes, name=name, report=report)
    except StrayQuotes:
        if not opens_cells(data, mark, report):
            rows = find_rows(data, delimiter=mark, quotes=False, name=name, report=report)
            # Uneven quoting is rewritten, with marks around cells.
            if len(rows) and (rows.cells == rows.cells[0]).all():
                return rows
        tidy, lines = tidied(data, delimiter=delimiter, name=name, report=report)
        return find_rows(
            tidy, delimiter=b"\t", quotes=True, name=name, numbers=lines, report=report
        )


def rows_of_cells(cells: list[list[str]], numbers: Sequence[int], *, spaced: bool = False) -> Rows:
    """Return the rows of a table that is already split, with the numbers used in messages."""
    numbered = np.asarray(numbers, dtype=np.int64)
    data = written(cells, delimiter="\t")
    rows = find_rows(data, delimiter=b"\t", quotes=True, name="", numbers=numbered)
    return replace(rows, spaced=spaced)


def parse(
    rows: Rows,
    chosen: Ints,
    *,
    width: int,
    text_columns: Sequence[int],
    notation: Notation,
    name: str,
    report: Report = silent,
) -> Block:
    """Parse the chosen rows of equal width; texts among numbers are in `Block.odd`, and NaN."""
    raw_width = int(rows.cells[chosen[0]]) if len(chosen) else width
    is_text = np.zeros(raw_width, dtype=bool)
    is_text[sorted(text_columns)] = True
    columns = np.flatnonzero(~is_text)
    room = psutil.virtual_memory().available * 0.7
    refuse_too_large(8.0 * len(chosen) * len(columns), room, name)
    values = np.empty((len(chosen), len(columns)), dtype=np.float64)
    texts: dict[int, list[str]] = {column: [] for column in sorted(text_columns)}
    spelt: Counter[str] = Counter()
    firsts: dict[str, tuple[int, int]] = {}
    odd: dict[int, Odd] = {}
    percents: Counter[int] = Counter()
    fast = len(chosen) * raw_width >= MANY
    if fast:
        wait_for_kernel(lambda: report(0.0))
    batches = list(_batches(rows, chosen))
    report(0.0)

    def read(batch: tuple[int, int]) -> Piece:
        some = slice(*batch)
        return read_piece(
            _bytes(rows, chosen[some]),
            is_text,
            delimiter=rows.delimiter,
            quoted=rows.quoted,
            notation=notation,
            fast=fast,
            values=values[some],
        )

    for (first, last), piece in zip(batches, _side_by_side(read, batches), strict=True):
        spelt.update(piece.spelt)
        percents.update({int(columns[place]): n for place, n in piece.percents.items()})
        for spelling, (row, place) in piece.firsts.items():
            firsts.setdefault(spelling, (first + row, int(columns[place])))
        for place, cells in piece.odd.items():
            odd.setdefault(int(columns[place]), Odd()).add(
                [first + row for row, _ in cells], [text for _, text in cells]
            )
        for column, found in zip(texts, piece.texts, strict=True):
            texts[column] += found
        report(last / len(chosen))
    if (columns >= width).any():
        values = _without_padding(rows, chosen, values, columns, odd, width, name)
        columns = columns[columns < width]
    known = [text for text in spelt if text not in notation.blanks and notation.is_limit(text)]
    limits = {text: spelt.pop(text) for text in known}
    kept: dict[int, tuple[str, ...]] = {}
    while texts:
        column, found = texts.popitem()
        kept[column] = tuple(found)
        report(1.0)
    return Block(
        texts=dict(sorted(kept.items())),
        values=values,
        lines=rows.lines[chosen],
        columns=tuple(columns.tolist()),
        spelt=dict(spelt),
        firsts=firsts,
        limits=limits,
        odd=dict(sorted(odd.items())),
        percents=dict(sorted(percents.items())),
    )


BEGINS_AS_NUMBER = re.compile(r"[<>≤≥~±=]?\s*[-+]?[.,]?\d")
MOST_CODES = 6
"""Maximum number of distinct texts among numbers that may all mean a missing value."""


def not_numbers(
    odd: Mapping[int, Odd],
    lines: Ints,
    *,
    names: Sequence[str],
    name: str,
    word: str = "line",
    spelt: Iterable[str] = (),
) -> Iterator[Problem]:
    """Yield one problem for every column with texts among its numbers, at most ten.

    `spelt` are the spellings of missing values that occur besides. The hint is to call all texts
    missing, whichever column they are in; there is none if they are too many to be codes, or are
    numbers with something about them ("1.5*"), which would be lost.
    """
    every = dict.fromkeys(text.strip() for found in odd.values() for text in found.texts)
    codes = len(every) <= MOST_CODES and all(
        len(text) <= LONGEST and not BEGINS_AS_NUMBER.match(text) for text in every
    )
    hint = {"missing": (*every, *spelt)} if codes else {}
    for column, found in list(odd.items())[:MOST_COLUMNS]:
        more = len(odd) - MOST_COLUMNS
        often = Counter(text.strip() for text in found.texts).most_common(MOST_TEXTS)
        short = [text for text, _ in often if len(text) <= LONGEST]
        known = column < len(names)
        called = repr(names[column]) if known else str(column + 1)
        yield Problem(
            key="load.not_a_number",
            what=f"{counted(found.count, 'cell is not a number', 'cells are not numbers')}."
            + (f" So it is in {more} more columns than are listed." if more > 0 else ""),
            where=f"{name}, column {called}, {plural(found.count, word)} "
            + some_of([str(lines[row]) for row in found.rows[:10]], total=found.count)
            + f" (first value: {found.texts[0][:LONGEST]!r})",
            way_out=(f"{call_missing(short, spelt)}; else correct" if short else "Correct")
            + " the file, or add the column to the labels.",
            fields=("missing", "labels"),
            form=SettingsForm.READING,
            hint=hint,
        )


def _batches(rows: Rows, chosen: Ints) -> Iterator[tuple[int, int]]:
    """Yield ranges of `chosen` whose rows make about one piece."""
    sizes = rows.ends[chosen]
    sizes -= rows.starts[chosen] - 1
    np.cumsum(sizes, out=sizes)
    first = 0
    while first < len(chosen):
        taken = int(sizes[first - 1]) if first else 0
        last = max(int(np.searchsorted(sizes, taken + PIECE)), first + 1)
        yield first, min(last, len(chosen))
        first = last


def _side_by_side(
    read: Callable[[tuple[int, int]], Piece], batches: Sequence[tuple[int, int]]
) -> Iterator[Piece]:
    """Yield the pieces in order, read by one thread per core."""
    if len(batches) < 2:
        yield from map(read, batches)
        return
    pool = ThreadPoolExecutor(n_cores())
    try:
        yield from pool.map(read, batches)
    finally:
        # Also when the consumer stops early.
        pool.shutdown(wait=True, cancel_futures=True)


def _bytes(rows: Rows, chosen: Ints) -> np.typing.NDArray[np.uint8]:
    """Return the bytes of some rows, each with its line feed."""
    parts = [
        (int(rows.starts[chosen[first]]), int(rows.ends[chosen[last]]))
        for first, last in runs(rows, chosen)
    ]
    begin, end = parts[0]
    if len(parts) == 1 and end < len(rows.data):
        return np.frombuffer(rows.data, np.uint8, end + 1 - begin, begin)
    # The end of the file may lack a line feed.
    pieces = [rows.data[begin:end] for begin, end in parts]
    return np.frombuffer(b"\n".join((*pieces, b"")), np.uint8)


def _without_padding(
    rows: Rows,
    chosen: Ints,
    values: Floats,
    columns: Ints,
    odd: dict[int, Odd],
    width: int,
    name: str,
) -> Floats:
    """Return the values without cells that every row has beyond the width; these must be blank."""
    beyond = columns >= width
    filled = np.flatnonzero(~np.isnan(values[:, beyond]).all(axis=1))
    wrong = [*(odd[column].rows[0] for column in odd if column >= width), *filled[:1]]
    if wrong:
        row = int(chosen[min(wrong)])
        raise UserError(
            key="load.uneven_rows",
            what=f"Rows do not have {width} cells as the header has.",
            where=f"{name}: line {rows.lines[row]} has {rows.cells[row]}",
            way_out="Complete the header, or remove what is beyond it.",
        )
    return np.ascontiguousarray(values[:, ~beyond])


__all__ = ["BLANKS", "Block", "Odd", "not_numbers", "parse", "read_block", "rows_of"]
