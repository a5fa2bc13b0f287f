"""Helpers for formats with a known structure: open, damage and draw tables."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, Reading, silent
from ximstudio.load.source import Source
from ximstudio.model import UserError

DATA = Path(__file__).parent.parent / "data"
CASES = 200


def in_corpus(name: str) -> Source:
    return Source.at(DATA / name, name)


def read_text(reader: Format, text: str, **choices: object) -> Reading:
    return reader.read(Source.pasted(text), Choices(**choices), silent)  # type: ignore[arg-type]


def keys_of(reader: Format, source: Source | str, **choices: object) -> tuple[str, ...]:
    """The keys of the refusal of a source."""
    source = Source.pasted(source) if isinstance(source, str) else source
    with pytest.raises(UserError) as caught:
        reader.read(source, Choices(**choices), silent)  # type: ignore[arg-type]
    assert all(problem.where and problem.way_out for problem in caught.value.problems)
    return caught.value.keys


def noted(reading: Reading) -> set[str]:
    return {note.key for note in reading.notes}


def damaged(data: bytes, count: int = CASES) -> Iterator[bytes]:
    """The same bytes truncated, with bytes changed, pieces moved, doubled or lost."""
    draw = random.Random(2026)
    pieces = [b"\t", b"\n", b'"', b"\0", b"\r", b"#", b"!", b"^", b"-", b"9" * 20, b"\xff\xfe"]
    for case in range(count):
        begin, end = sorted((draw.randrange(len(data) + 1), draw.randrange(len(data) + 1)))
        piece = draw.choice(pieces)
        yield (
            data[:begin],
            data[:begin] + piece + data[begin:],
            data[:begin] + piece + data[begin + 1 :],
            data[:begin] + data[end:],
            data[:end] + data[begin:],
        )[case % 5]


def open_damaged(reader: Format, folder: Path, data: bytes, **choices: object) -> tuple[int, int]:
    """How many damaged files were read and how many refused; anything else is raised."""
    path = folder / "damaged"
    read = refused = 0
    cases = list(damaged(data))
    for case in cases:
        path.write_bytes(case)
        source = Source.at(path)
        reader.recognises(source)
        try:
            reading = reader.read(source, Choices(**choices), silent)  # type: ignore[arg-type]
        except UserError as error:
            refused += all(problem.key and problem.where for problem in error.problems)
        else:
            assert reading.table.n_items > 0
            assert reading.table.n_features > 0
            read += 1
    assert read + refused == len(cases)
    return read, refused


class Drawn(NamedTuple):
    """A table drawn by hypothesis; a blank is None."""

    items: list[str]
    features: list[str]
    labels: list[str]
    rows: list[list[float | None]]

    def lines(self) -> list[str]:
        """The cells of values, one text per row; each begins with a tab."""
        return ["".join(f"\t{'' if v is None else repr(v)}" for v in row) for row in self.rows]

    @property
    def values(self) -> list[list[float]]:
        return [[float("nan") if v is None else v for v in row] for row in self.rows]


_letters = st.characters(exclude_categories=("C", "Z"), exclude_characters='"')
names = st.text(_letters, min_size=1, max_size=8).map(lambda name: f"n{name}x")
texts = st.text(
    st.characters(exclude_categories=("C", "Zl", "Zp"), exclude_characters='"'), max_size=8
)
numbers = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def tables(draw: st.DrawFn) -> Drawn:
    n_items, n_features = draw(st.integers(1, 6)), draw(st.integers(1, 5))

    def several(what: st.SearchStrategy[str], count: int) -> list[str]:
        return draw(st.lists(what, min_size=count, max_size=count))

    cells = st.lists(st.none() | numbers, min_size=n_features, max_size=n_features)
    return Drawn(
        items=several(names, n_items),
        features=several(names, n_features),
        labels=several(texts, n_items),
        rows=draw(st.lists(cells, min_size=n_items, max_size=n_items)),
    )
