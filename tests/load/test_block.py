"""Rows and cells found in bytes, numbers read to the last bit, and the kernel against its twin."""

from __future__ import annotations

import csv
import io
import struct
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.load.reading import silent
from ximstudio.load.text import block as block_module
from ximstudio.load.text import rows as rows_module
from ximstudio.load.text.block import Block, read_block
from ximstudio.load.text.encoding import encoding_of, plain
from ximstudio.load.text.notation import Notation
from ximstudio.load.text.rows import StrayQuotes, find_rows
from ximstudio.model import UserError


@pytest.fixture(params=["one by one", "kernel"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of reading cells, whatever the size of the table."""
    monkeypatch.setattr(block_module, "MANY", 0 if request.param == "kernel" else 10**12)
    return str(request.param)


def block(text: str, width: int, **options: object) -> Block:
    given_options = {"delimiter": ",", "text_columns": [0], "name": "t.csv", **options}
    return read_block(text.encode(), width=width, **given_options)  # type: ignore[arg-type]


@pytest.mark.usefixtures("way")
def test_that_a_block_holds_texts_numbers_and_lines() -> None:
    found = block(
        'gene,a,b,note\n# x\n\ng1,1,2,n\n"g,2",NA,"3","two\nlines"\n,,,\ng3,1e5,-.5,"a ""b"""',
        4,
        first_line=2,
        text_columns=[0, 3],
        comment="#",
    )
    assert dict(found.texts) == {0: ("g1", "g,2", "g3"), 3: ("n", "two\nlines", 'a "b"')}
    np.testing.assert_array_equal(found.values, [[1, 2], [np.nan, 3], [1e5, -0.5]])
    assert found.lines.tolist() == [4, 5, 8]
    assert found.columns == (1, 2)
    assert dict(found.spelt) == {"NA": 1}
    assert dict(found.firsts) == {"NA": (1, 1)}


@pytest.mark.usefixtures("way")
def test_that_texts_among_numbers_are_refused_column_by_column() -> None:
    with pytest.raises(UserError) as caught:
        block("g1,1,x\ng2,y,2\ng3,z,3\n", 3, names=("gene", "cold", "heat"))
    assert caught.value.keys == ("load.not_a_number", "load.not_a_number")
    assert "'cold', lines 2; 3 (first value: 'y')" in caught.value.problems[0].where
    assert "'heat', line 1 (first value: 'x')" in caught.value.problems[1].where


@pytest.mark.usefixtures("way")
def test_that_uneven_rows_are_refused_with_their_lines() -> None:
    with pytest.raises(UserError) as caught:
        block("g1,1,2\ng2,1\ng3,1,2,3\n", 3)
    assert caught.value.keys == ("load.uneven_rows",)
    assert "line 2 has 2; line 3 has 4" in caught.value.problems[0].where


@pytest.mark.parametrize("text", ["g1,1,2,\ng2,3,4\n", "g1,1,2,,\ng2,3,4,,\n"])
@pytest.mark.usefixtures("way")
def test_that_blank_cells_beyond_the_width_do_no_harm(text: str) -> None:
    np.testing.assert_array_equal(block(text, 3).values, [[1, 2], [3, 4]])


@pytest.mark.usefixtures("way")
def test_that_filled_cells_beyond_the_width_are_refused() -> None:
    with pytest.raises(UserError) as caught:
        block("g1,1,2,\ng2,3,4,5\n", 3)
    assert caught.value.keys == ("load.uneven_rows",)
    assert "line 2 has 4" in caught.value.problems[0].where


@pytest.mark.usefixtures("way")
def test_that_thousands_must_be_grouped_in_threes() -> None:
    values = block('g,"1,234.5","12,345,678"\n', 3, thousands=",").values
    np.testing.assert_array_equal(values, [[1234.5, 12345678]])
    with pytest.raises(UserError):
        block('g,"1,23","12,345"\n', 3, thousands=",")


@pytest.mark.usefixtures("way")
def test_that_some_rows_from_a_line_on_are_read() -> None:
    found = block("a,1\nb,2\nc,3\nd,4\n", 2, first_line=2, n_rows=2)
    assert found.texts[0] == ("b", "c")
    assert found.lines.tolist() == [2, 3]


def test_that_many_pieces_are_put_together_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_module, "PIECE", 64)
    monkeypatch.setattr(block_module, "MANY", 0)
    rows = [f"g{number},{number},{'NA' if number % 7 == 0 else -number}" for number in range(500)]
    heard: list[float] = []
    found = block("\n".join(["# c", *rows, "# d", *rows]), 3, comment="#", report=heard.append)
    assert found.texts[0] == tuple(f"g{number}" for number in [*range(500)] * 2)
    np.testing.assert_array_equal(found.values[:, 0], [*range(500)] * 2)
    assert dict(found.spelt) == {"NA": 144}
    assert heard == sorted(heard)
    assert len(heard) > 100


ODD = ["1e", "--1", "1..2", "1e5e", "+", "-", ".", "e5", "0x10", "1_0", "1 2", "١", "nan", "inf"]
ODD += ["1e400", "-1e400", "1e-400", "5e-324", "2.2250738585072014e-308", "1.7976931348623157e308"]
ODD += ["9007199254740993", "9007199254740992.5", "0.1e1", "1" * 400, "0." + "0" * 400 + "1"]
ODD += ["", " ", " 1", "1 ", "\u00a01", "−1", "1,5", "NA", "#N/A", "1e+05", "1E-05", "00", "-0"]


@given(
    st.lists(
        st.one_of(
            st.sampled_from(ODD),
            st.floats().map(repr),
            st.integers(0, 2**64 - 1).map(
                lambda bits: repr(struct.unpack("d", bits.to_bytes(8))[0])
            ),
            st.from_regex(r"[-+]?[0-9]{0,22}\.?[0-9]{0,22}(e[-+]?[0-9]{1,3})?", fullmatch=True),
            st.from_regex(
                r"[-+]?[0-9]{1,4}([,.' ][0-9]{2,4}){1,3}([,.][0-9]{0,3})?", fullmatch=True
            ),
            st.text("0123456789.,-+eE NAinf'", max_size=8),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_that_the_kernel_reads_what_its_twin_reads(cells: list[str]) -> None:
    for decimal, thousands in (
        (".", ""),
        (",", ""),
        (".", ","),
        (",", "."),
        (".", " "),
        (",", "'"),
    ):
        notation = Notation.of(decimal=decimal, thousands=thousands)
        expected = [notation.value(cell) for cell in cells]
        line = "\t".join(cells)
        rows = find_rows(
            f"{line}\n".encode(), delimiter=b"\t", quotes=False, name="", keep_blank=True
        )
        many = block_module.MANY
        block_module.MANY = 0
        try:
            found = block_module.parse(
                rows, np.array([0]), width=len(cells), text_columns=(), notation=notation, name=""
            )
        finally:
            block_module.MANY = many
        texts = {column: odd.texts[0] for column, odd in found.odd.items()}
        assert texts == {place: cells[place] for place, v in enumerate(expected) if v is None}
        numbers = np.array([np.nan if value is None else value for value in expected])
        np.testing.assert_array_equal(found.values[0], numbers)
        known = ~np.isnan(numbers)
        assert (np.signbit(found.values[0]) == np.signbit(numbers))[known].all()


def test_that_numbers_half_way_between_two_are_rounded_as_python_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(block_module, "MANY", 0)
    rng = np.random.default_rng(5)
    cells = []
    with localcontext() as context:
        context.prec = 60
        for mantissa in rng.integers(2**52, 2**53, 4000).tolist():
            half = Decimal(2 * mantissa + 1) / Decimal(2) ** int(rng.integers(0, 12))
            cells += [f"{half}", f"{half:.18g}", f"{half:.17e}", f"{float(half):.16g}"]
        for digits in rng.integers(1, 10**18, 8000).tolist():
            cells.append(f"{digits}e{rng.integers(-330, 310)}")
    found = read_block(
        "\n".join(cells).encode(), delimiter="\t", width=1, name="", report=silent
    ).values
    np.testing.assert_array_equal(found[:, 0], [float(cell) for cell in cells])


@given(
    st.lists(
        st.lists(st.text('ab",\n ', max_size=4), min_size=1, max_size=4), min_size=1, max_size=6
    )
)
def test_that_rows_are_found_as_the_csv_module_cuts_them(cells: list[list[str]]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(cells)
    rows = find_rows(
        text.getvalue().encode(), delimiter=b",", quotes=True, name="", keep_blank=True
    )
    assert [rows.cut(row) for row in range(len(rows))] == cells
    assert rows.cells.tolist() == [len(row) for row in cells]
    before = np.cumsum([0, *(1 + "".join(row).count("\n") for row in cells)])
    assert rows.lines.tolist() == (1 + before[:-1]).tolist()


@given(st.text('ab,\n \t"\u00a0é', max_size=60), st.integers(1, 9))
def test_that_rows_without_anything_are_told_from_others(text: str, length: int) -> None:
    data = text.replace('"', '""').encode()
    piece, rows_module.PIECE = rows_module.PIECE, length
    try:
        kept = find_rows(data, delimiter=b",", quotes=False, name="", keep_blank=True)
        found, again = find_rows(data, delimiter=b",", quotes=False, name=""), kept.filled()
    finally:
        rows_module.PIECE = piece
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    filled = [place for place, line in enumerate(lines, 1) if line.strip(b' \t",\xc2\xa0')]
    blank = [n for n, line in enumerate(lines, 1) if b"," in line and n not in filled]
    assert kept.lines.tolist() == [*range(1, len(lines) + 1)]
    for rows in (found, again):
        assert rows.lines.tolist() == filled
        assert [rows.raw(row) for row in range(len(rows))] == [lines[n - 1] for n in filled]
        assert rows.cells.tolist() == [lines[n - 1].count(b",") + 1 for n in filled]
        assert rows.n_blank == len(blank)
        assert list(rows.blank) == blank[: rows_module.MOST_BLANK]


@given(st.text('ab", \n', max_size=40))
def test_that_any_quoting_is_followed_as_the_csv_module_does(text: str) -> None:
    reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True, strict=True)
    expected, lines = [], []
    try:
        before = 0
        for cells in reader:
            expected.append(cells)
            lines.append(before + 1)
            before = reader.line_num
    except csv.Error:
        with pytest.raises(UserError):
            rows_module.tidied(text.encode(), delimiter=",", name="")
        return
    tidy, found = rows_module.tidied(text.encode(), delimiter=",", name="")
    assert [*csv.reader(io.StringIO(tidy.decode(), newline=""), delimiter="\t")] == expected
    assert found.tolist() == lines
    if not rows_module.opens_cells(text.encode(), b","):
        assert [line.split(",") if line else [] for line in text.splitlines()] == expected


@pytest.mark.parametrize("text", ['a,b"c"\n', 'a,"b"c\n', 'a, "b"\n'])
def test_that_stray_quotes_are_left_to_slower_means(text: str) -> None:
    with pytest.raises(StrayQuotes):
        find_rows(text.encode(), delimiter=b",", quotes=True, name="")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le"])
def test_that_an_encoding_is_found_and_undone(encoding: str) -> None:
    text = "gene,cold\nHSP12,1.5\nHSP26,2.5\n"
    data = text.replace("\n", "\r\n").encode(encoding)
    assert plain(data, encoding_of(data, name="").name, name="").decode() == text


def test_that_letters_an_encoding_does_not_have_are_refused_with_their_line() -> None:
    for data, encoding, key in (
        (b"a,b\nc,\xff\n", "utf-8", "load.bad_letters"),
        (b"a,b\n", "klingon", "load.no_such_encoding"),
        (b"a,b\n", "base64", "load.no_such_encoding"),
        (b"a,b\nc", "utf-16", "load.bad_letters"),
    ):
        with pytest.raises(UserError) as caught:
            plain(data, encoding, name="t.csv")
        assert caught.value.keys == (key,)
    with pytest.raises(UserError) as caught:
        plain(b"a,b\nc,\xff\n", "utf-8", name="t.csv")
    assert "line 2" in caught.value.problems[0].where
