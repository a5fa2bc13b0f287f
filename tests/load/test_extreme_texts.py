"""Texts that are too large in one direction: read or refused in work and memory that is bounded.

They are small here, and so are the limits; `benchmarks.extreme_texts` reads them at full size.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.extreme_texts import PLAIN, SHAPES, Shape
from ximstudio.load import Choices, read, reading, source
from ximstudio.load.text import delimited, rows
from ximstudio.model import UserError

SIZE = 40_000
"""Bytes of a text."""

CALLS_OF_TABLES, CALLS_OF_OTHERS = 8.0, 0.5
"""Calls of functions for every further byte of a text: of one that is a table, and of others."""

MOST_MEMORY, FIRST_MEMORY = 64, 2_000_000
"""Bytes of memory per byte of a text, and those that every reading takes."""

MANY_ROWS = ("short rows", "rows of digits", "spaced rows", "stray quotes", "comments")
MOST_CALLS = 100_000
"""Calls of functions between two reports: judging names takes half of them, for any table."""

PACKED = frozenset(
    f"{name}, gzip" for name in ("cell of letters", "short rows", "blank lines", "columns")
)

ENDLESS, WIDE, EMPTY = "load.endless_cell", "load.too_wide", "load.empty"
OUTCOMES: dict[str, str | tuple[int, int]] = {
    "cell of letters": ENDLESS,
    "cell of digits": ENDLESS,
    "quoted cell": ENDLESS,
    "cell of quotes": ENDLESS,
    "unclosed quote above": (4001, 2),
    "unclosed quote below": (4003, 2),
    "stray quotes": (3333, 2),
    "stray and unclosed": (3334, 2),
    "short lines": "load.one_column",
    "short rows": (10000, 1),
    "rows of digits": (10000, 2),
    "comments": (2, 2),
    "spaced rows": (10000, 1),
    "blank lines": EMPTY,
    "carriage returns": EMPTY,
    "blank lines in a table": (3, 2),
    "lines of a space": (3, 2),
    "columns": WIDE,
    "growing rows": "load.uneven_rows",
    "one line of numbers": WIDE,
    "one line of letters": "load.one_column",
    "zero bytes": "load.not_text",
    "zero byte at the end": "load.not_text",
    "commas": EMPTY,
    "lines of commas": EMPTY,
    "commas below a table": (2, 2),
    "spaces": EMPTY,
    "tabs": EMPTY,
}

some_packed = pytest.mark.parametrize(
    "shape",
    [*PLAIN, *(shape for shape in SHAPES if shape.name in PACKED)],
    ids=lambda shape: shape.name,
)


plain_shapes = pytest.mark.parametrize("shape", PLAIN, ids=lambda shape: shape.name)


class Ended(Exception):
    """Raised by a report to end a reading."""


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "MOST_COLUMNS", 1000)
    monkeypatch.setattr(delimited, "LONGEST_CELL", 10_000)
    monkeypatch.setattr(rows, "PIECE", 4 * 1024)
    monkeypatch.setattr(source, "PIECE", 4 * 1024)
    monkeypatch.setattr(source, "HEAD", 4 * 1024)
    monkeypatch.setattr(reading, "SLICE", 500)


def write(shape: Shape, folder: Path, size: int = SIZE) -> str:
    path = folder / ("text.csv.gz" if shape.packed else "text.csv")
    path.write_bytes(shape.content(size))
    return str(path)


def outcome(path: str, report: Any) -> str | tuple[int, ...]:
    try:
        return read(path, Choices(), report).table.values.shape
    except UserError as error:
        return error.keys[0]


def counted(path: str) -> tuple[str | tuple[int, ...], int]:
    """What became of a file, and how many functions were called for that."""
    calls: Counter[str] = Counter()

    def count(_: Any, event: str, __: Any) -> None:
        calls[event] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        found = outcome(path, lambda _: None)
    finally:
        sys.setprofile(before)
    return found, calls["call"] + calls["c_call"]


@some_packed
def test_that_an_extreme_text_is_read_or_refused_in_bounded_work(
    shape: Shape, tmp_path: Path
) -> None:
    path = write(shape, tmp_path)
    outcome(path, lambda _: None)
    found, calls = counted(path)
    _, more = counted(write(shape, tmp_path, 2 * SIZE))
    assert found == OUTCOMES[shape.name.removesuffix(", gzip")]
    is_table = isinstance(found, tuple) and found[0] > 1000
    assert more - calls <= (CALLS_OF_TABLES if is_table else CALLS_OF_OTHERS) * SIZE


def longest_silence(path: str) -> int:
    """Return the most functions that are called between two reports."""
    calls, most = 0, 0

    def count(_: Any, event: str, __: Any) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    def report(_: float) -> None:
        nonlocal calls, most
        calls, most = 0, max(most, calls)

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        outcome(path, report)
    finally:
        sys.setprofile(before)
    return max(most, calls)


@pytest.mark.parametrize("name", MANY_ROWS)
def test_that_silences_do_not_grow_with_the_rows(name: str, tmp_path: Path) -> None:
    shape = next(shape for shape in PLAIN if shape.name == name)
    path = write(shape, tmp_path, 20 * SIZE)
    outcome(path, lambda _: None)
    assert longest_silence(path) <= MOST_CALLS


@plain_shapes
def test_that_an_extreme_text_takes_memory_in_proportion(shape: Shape, tmp_path: Path) -> None:
    path = write(shape, tmp_path)
    outcome(path, lambda _: None)
    tracemalloc.start()
    try:
        outcome(path, lambda _: None)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most <= MOST_MEMORY * SIZE + FIRST_MEMORY


@plain_shapes
def test_that_reading_an_extreme_text_can_be_ended(shape: Shape, tmp_path: Path) -> None:
    path = write(shape, tmp_path)
    told: list[float] = []
    outcome(path, told.append)
    assert told
    wanted = len(told) // 2
    heard = 0

    def report(_: float) -> None:
        nonlocal heard
        heard += 1
        if heard > wanted:
            raise Ended

    with pytest.raises(Ended):
        read(path, Choices(), report)
    assert heard == wanted + 1


@given(st.text("aaa,", min_size=1, max_size=40))
def test_that_the_first_cell_that_is_too_long_is_found(text: str) -> None:
    found = rows.find_rows(text.encode(), delimiter=b",", quotes=False, name="")
    longest, delimited.LONGEST_CELL = delimited.LONGEST_CELL, 4
    try:
        for row in range(len(found)):
            lengths = [len(cell) for cell in text.split(",") if len(cell) > 4]
            assert delimited._endless_cell(found, row) == (lengths or [0])[0]
    finally:
        delimited.LONGEST_CELL = longest
