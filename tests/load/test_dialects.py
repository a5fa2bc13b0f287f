"""Any finite table, written in any dialect, reads back equal, or the doubt is reported."""

from __future__ import annotations

import csv
import io
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, composite

from ximstudio.load.reading import Choices, Reading, silent
from ximstudio.load.source import Source
from ximstudio.load.text.delimited import FORMAT
from ximstudio.load.text.dialect import marks_of
from ximstudio.model import UserError
from ximstudio.model.arrays import Floats

LETTERS = st.text("abcdefghijKLMNOPQRSTµß", min_size=1, max_size=6)


@dataclass(frozen=True, kw_only=True)
class Written:
    """A table, how it is written, and what it is."""

    data: bytes
    choices: Choices
    values: Floats
    names: tuple[str, ...]
    features: tuple[str, ...]
    labels: tuple[str, ...]


@composite
def tables(draw: DrawFn) -> Written:
    """A table of finite numbers with blanks, in some dialect."""
    n_rows, n_columns = draw(st.integers(1, 6)), draw(st.integers(2, 5))
    finite = st.floats(allow_nan=False, allow_infinity=False, width=64)
    everyday = st.decimals(-999_999, 999_999, places=2).map(float)
    cells = st.one_of(finite, everyday, st.integers(-2000, 2000).map(float), st.just(np.nan))
    values = np.array(
        draw(st.lists(cells, min_size=n_rows * n_columns, max_size=n_rows * n_columns))
    )
    values = values.reshape(n_rows, n_columns)
    # A column, or row, of blanks says nothing about itself.
    values[0, np.isnan(values).all(axis=0)] = 1.5
    values[np.isnan(values).all(axis=1), 0] = -2.5
    names = tuple(f"{draw(LETTERS)} g{number}" for number in range(n_rows))
    features = tuple(f"{draw(LETTERS)} s{number}" for number in range(n_columns))
    labels = tuple(f"class {draw(LETTERS)}" for _ in range(n_rows))
    delimiter = draw(st.sampled_from("\t,;|"))
    decimal = draw(st.sampled_from(".," if delimiter != "," else "."))
    thousands = draw(st.sampled_from(["", {".": ",", ",": "."}[decimal], " ", "'"]))
    quote_all = draw(st.booleans())
    blank = draw(st.sampled_from(["", "NA", "n.d."]))

    def spelt(value: float) -> str:
        if np.isnan(value):
            return blank
        whole, point, rest = repr(float(value)).partition(".")
        if thousands and "e" not in whole:
            grouped = f"{int(whole):,}".replace(",", thousands)
            whole = f"-{grouped}" if whole.startswith("-0") else grouped
        return whole + (decimal if point else "") + rest

    rows = [
        [name, label, *(spelt(value) for value in row)]
        for name, label, row in zip(names, labels, values, strict=True)
    ]
    header = ["gene", "class", *features]
    if draw(st.booleans()):
        header, rows = [*header, ""], [[*row, ""] for row in rows]
    text = io.StringIO()
    if quote_all:
        every = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
        every.writerows([header, *rows])
    else:
        csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows([header, *rows])
    lines = text.getvalue()
    if draw(st.booleans()):
        lines = "# written by a test\n# in two lines\n" + lines
    if draw(st.booleans()):
        lines = "Some genes and what they did\n\n" + lines
    lines = lines.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"]))
    return Written(
        data=lines.encode(encoding),
        choices=Choices(
            encoding=encoding,
            delimiter=delimiter,
            decimal=decimal,
            thousands=thousands,
            id="gene",
        ),
        values=values,
        names=names,
        features=features,
        labels=labels,
    )


def reading_of(data: bytes, choices: Choices) -> Reading:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.txt"
        path.write_bytes(data)
        return FORMAT.read(Source.at(path), choices, silent)


def same(written: Written, reading: Reading) -> bool:
    table = reading.table
    return (
        table.items.names == written.names
        and table.features.names == written.features
        and table.items.labels.get("class") == written.labels
        and np.array_equal(table.dense.view(np.uint64), written.values.view(np.uint64))
    )


@given(tables())
def test_that_a_table_reads_back_to_the_last_bit_when_its_dialect_is_given(
    written: Written,
) -> None:
    assert same(written, reading_of(written.data, written.choices))


@given(tables())
def test_that_a_dialect_is_found_out_or_the_doubt_is_told(written: Written) -> None:
    try:
        reading = reading_of(written.data, Choices())
    except UserError:
        return
    told = {guess.key for guess in reading.guesses if not guess.sure}
    doubtful = {"encoding", "delimiter", "decimal", "thousands", "header_rows"}
    assert same(written, reading) or told & doubtful


@pytest.mark.parametrize(
    ("cells", "sure"),
    [
        (("127.470", "6.431", "89.270"), False),
        (("847", "1.234", "12.470"), False),
        (("8.123", "12.470", "5.001"), True),
        (("127.470", "0.431", "89.270"), True),
        (("127.470", "1234", "89.270"), True),
    ],
)
def test_that_points_which_may_group_thousands_are_to_be_looked_at(
    cells: tuple[str, ...], sure: bool
) -> None:
    marks = marks_of(cells)
    assert marks.values == (".", "")
    assert (marks.decimal.sure, marks.thousands.sure) == (sure, sure)
