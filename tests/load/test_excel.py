"""Workbooks as users keep them, and malformed ones."""

from __future__ import annotations

import io
import os
import random
import struct
import zipfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

from tests.load import workbooks as made
from tests.load.damage import damaged, gives_table_or_address
from tests.load.workbooks import compound_of
from ximstudio.load import read_source
from ximstudio.load.reading import Choices, Guess, Reading, silent
from ximstudio.load.source import HARMLESS, Source
from ximstudio.load.workbook import excel
from ximstudio.load.workbook.opening import ole_streams
from ximstudio.load.workbook.sheets import cell_name, column_letters
from ximstudio.model import UserError

DATA = Path(__file__).parent.parent / "data" / "excel"

TABLE: list[list[made.Cell]] = [
    ["gene", "class", "cold", "heat"],
    ["a1", "x", 1.5, 2.0],
    ["a2", "x", -3.0, 0.04],
    ["a3", "y", 0.0, None],
]
FORMATS: dict[str, Callable[[], bytes]] = {
    "xlsx": lambda: made.xlsx({"S": made.sheet_data(TABLE)}),
    "xlsb": lambda: made.xlsb(TABLE),
    "xls": lambda: made.xls({"S": TABLE}),
    "ods": lambda: made.ods(made.ods_table("S", TABLE)),
}


def read(data: bytes | Path, folder: Path, **choices: Any) -> Reading:
    path = data if isinstance(data, Path) else folder / "book"
    if isinstance(data, bytes):
        path.write_bytes(data)
    return excel.FORMAT.read(Source.at(path), Choices(**choices), silent)


def refusal(data: bytes, folder: Path, **choices: Any) -> UserError:
    with pytest.raises(UserError) as caught:
        read(data, folder, **choices)
    return caught.value


def part(reading: Reading) -> Guess:
    return next(guess for guess in reading.guesses if guess.key == "part")


def keys(reading: Reading) -> set[str]:
    return {note.key for note in reading.notes}


@pytest.mark.parametrize("suffix", ["xlsx", "xlsb", "xls", "ods"])
def test_that_every_kind_of_workbook_gives_the_same_table(suffix: str, tmp_path: Path) -> None:
    path = DATA / f"table.{suffix}"
    assert excel.FORMAT.recognises(Source.at(path))
    reading = read(path, tmp_path)
    assert reading.format == "excel"
    table = reading.table
    assert table.items.names == ("a1", "a2", "a3")
    assert table.features.names == ("cold", "heat")
    assert dict(table.items.labels) == {"class": ("x", "x", "y")}
    np.testing.assert_array_equal(table.values, [[1.5, 2], [-3, 0.04], [0, np.nan]])
    np.testing.assert_array_equal(table.items.numbers, [2, 3, 4])
    np.testing.assert_array_equal(table.features.numbers, [3, 4])
    assert (table.items.word, table.features.word) == ("row", "column")
    assert part(reading).value == "S"
    assert part(reading).sure
    assert not reading.notes


@pytest.mark.parametrize("suffix", FORMATS)
def test_that_the_items_may_be_in_the_columns(suffix: str, tmp_path: Path) -> None:
    table = read(FORMATS[suffix](), tmp_path, items="columns").table
    assert table.items.names == ("cold", "heat")
    assert dict(table.features.labels) == {"class": ("x", "x", "y")}


def test_that_gene_names_that_became_dates_stay_dates_in_iso(tmp_path: Path) -> None:
    table = read(DATA / "date_names.xlsx", tmp_path).table
    assert table.items.names == ("2023-09-02", "2023-03-01", "TP53")
    np.testing.assert_array_equal(table.values, [[1, 2], [3, 4], [5, 6]])


def test_that_a_title_empty_margins_and_merged_headings_are_understood(tmp_path: Path) -> None:
    reading = read(DATA / "titled.xlsx", tmp_path)
    table = reading.table
    assert part(reading).value == "Table S1"
    assert table.items.names == ("a1", "a2", "a3", "a4")
    assert table.features.names == ("c1", "c2", "h1", "h2")
    assert list(table.features.labels.values()) == [("cold", "cold", "heat", "heat")]
    np.testing.assert_array_equal(
        table.values, [[1, 2, 3, 4], [5, 6, 7, 8.5], [9, 10, 11, 12], [13, 14, 15, 16]]
    )
    np.testing.assert_array_equal(table.items.numbers, [6, 7, 8, 9])
    np.testing.assert_array_equal(table.features.numbers, [3, 4, 5, 6])
    assert {"load.merged_cells", "load.other_sheets", "load.preamble"} <= keys(reading)


def test_that_sheets_left_out_are_told_and_can_be_chosen(tmp_path: Path) -> None:
    reading = read(DATA / "titled.xlsx", tmp_path)
    told = next(note for note in reading.notes if note.key == "load.other_sheets")
    assert [name for name in ("Legend", "raw", "plot", "blank") if name in told.where] == [
        "Legend",
        "raw",
        "plot",
    ]
    assert set(part(reading).options or ()) == {"Table S1", "Legend", "raw"}
    chosen = read(DATA / "titled.xlsx", tmp_path, part="1")
    assert part(chosen).value == "Table S1"


def test_that_a_sheet_that_is_not_there_comes_with_a_proposal(tmp_path: Path) -> None:
    data = (DATA / "titled.xlsx").read_bytes()
    error = refusal(data, tmp_path, part="table s1")
    assert error.keys == ("load.no_such_part",)
    assert "'Table S1'" in error.problems[0].way_out
    assert refusal(data, tmp_path, part="9").keys == ("load.no_such_part",)
    for empty in ("plot", "blank", "5"):
        assert refusal(data, tmp_path, part=empty).keys == ("load.empty",)


def test_that_formats_change_the_looks_and_not_the_number(tmp_path: Path) -> None:
    table = read(DATA / "formats.xlsx", tmp_path).table
    assert table.features.names == ("percent", "money", "exponent")
    np.testing.assert_array_equal(table.values, [[0.125, 1234.5, 1e-7], [0.25, 2469.0, 2e-7]])
    assert dict(table.items.labels) == {
        "on": ("TRUE", "FALSE"),
        "day": ("2024-03-01", "2024-03-02T06:00:00"),
    }


def test_that_errors_and_formulas_without_a_value_are_blank_and_told(tmp_path: Path) -> None:
    reading = read(DATA / "formulas.xlsx", tmp_path)
    np.testing.assert_array_equal(
        reading.table.values, [[2, np.nan, 1], [np.nan, 3, 1.5], [7, 8, np.nan]]
    )
    assert keys(reading) == {"load.uncomputed_formulas", "load.error_cells"}
    told = next(note for note in reading.notes if note.key == "load.uncomputed_formulas")
    assert "B3" in told.where


def test_that_a_formula_that_gives_the_empty_text_has_a_value(tmp_path: Path) -> None:
    rows = made.sheet_data(TABLE) + '<row r="5">' + made.cell((5, 1), "a4")
    rows += '<c r="B5" t="str"><f>""</f><v></v></c><c r="C5"><v>4</v></c></row>'
    reading = read(made.xlsx({"S": rows}), tmp_path)
    assert reading.table.items.labels["class"] == ("x", "x", "y", "")
    assert not reading.notes


@pytest.mark.parametrize("suffix", ["xlsb", "xls", "ods"])
def test_that_errors_of_other_formats_are_told_too(suffix: str, tmp_path: Path) -> None:
    rows: list[list[made.Cell]] = [*TABLE, ["a4", "y", 1.0, "#N/A"]]
    if suffix == "xlsb":
        data = made.xlsb(rows)
    elif suffix == "xls":
        cells = b"".join(
            made.xls_cell(row, column, value)
            for row, line in enumerate(TABLE)
            for column, value in enumerate(line)
        )
        cells += made.xls_cell(4, 0, "a4") + made.xls_cell(4, 1, "y") + made.xls_cell(4, 2, 1.0)
        cells += made.record(0x0205, struct.pack("<HHHBB", 4, 3, 0, 0x2A, 1))
        data = compound_of("Workbook", made.xls_stream({"S": cells}))
    else:
        error = made.ods_cell("#N/A", 'office:string-value="" calcext:value-type="error"')
        data = made.ods(made.ods_table("S", rows).replace(made.ods_cell("#N/A"), error))
    reading = read(data, tmp_path)
    np.testing.assert_array_equal(reading.table.values[3], [1, np.nan])
    assert keys(reading) == {"load.error_cells"}


def test_that_a_date_among_numbers_is_refused_with_its_place(tmp_path: Path) -> None:
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file)
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["gene", "x"])
    for row in range(1, 8):
        sheet.write_row(row, 0, [f"a{row}", row + 0.5])
    sheet.write_number(4, 1, 45352, book.add_format({"num_format": "d-mmm"}))
    book.close()
    error = refusal(file.getvalue(), tmp_path)
    assert error.keys == ("load.not_a_number",)
    assert "'x'" in error.problems[0].where
    assert "5" in error.problems[0].where
    assert "2024-03-01" in error.problems[0].where


def test_that_places_are_those_of_the_sheet(tmp_path: Path) -> None:
    table = read(made.xlsx({"S": made.sheet_data(TABLE, first=(5, 3))}), tmp_path).table
    np.testing.assert_array_equal(table.items.numbers, [6, 7, 8])
    np.testing.assert_array_equal(table.features.numbers, [5, 6])


def test_that_the_size_a_sheet_declares_is_not_believed(tmp_path: Path) -> None:
    data = made.xlsx({"S": made.sheet_data(TABLE)})
    lie = b'<dimension ref="A1:XFD1048576"/><sheetData>'
    members = {name: member.replace(b"<sheetData>", lie) for name, member in unzipped(data).items()}
    assert read(made.zipped(members), tmp_path).table.values.shape == (3, 2)


def unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def far_cells() -> dict[str, bytes]:
    last = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    spaced = '<row r="1048576"><c  r = "XFD1048576"><v>1</v></c></row>'
    stray = '<row r="900000"><c r="E900000"><v>1</v></c></row>'
    repeated = 'table:number-rows-repeated="1048575"'
    far = f"<table:table-row {repeated}><table:table-cell/></table:table-row>"
    gap = made.ods_cell(None, 'table:number-columns-repeated="99999"')
    row = f"<table:table-row>{gap}"
    far += f"{row}{made.ods_cell(1.0)}</table:table-row></table:table>"
    corner = made.xls_cell(0, 0, 1.0) + made.xls_cell(65535, 255, 2.0)
    return {
        "xlsx": made.xlsx({"S": made.sheet_data(TABLE) + last}),
        "xlsx with spaces": made.xlsx({"S": made.sheet_data(TABLE) + spaced}),
        "xlsb": made.xlsb(TABLE, last=(1048575, 16383)),
        "ods": made.ods(made.ods_table("S", TABLE).replace("</table:table>", far)),
        "xls": compound_of("Workbook", made.xls_stream({"S": corner})),
        "xlsx far down": made.xlsx({"S": made.sheet_data(TABLE) + stray}),
    }


FAR_CELLS = {
    "xlsx": "load.too_large",
    "xlsx with spaces": "load.too_large",
    "xlsb": "load.too_large",
    "ods": "",
    "xls": "load.too_large",
    "xlsx far down": "load.scattered_cells",
}
"""What comes of each; the library leaves cells beyond the last column of ODS out."""


@pytest.mark.parametrize("kind", FAR_CELLS)
def test_that_a_cell_far_away_does_not_fill_the_memory(kind: str, tmp_path: Path) -> None:
    (tmp_path / "book").write_bytes(far_cells()[kind])
    key = FAR_CELLS[kind]
    with pytest.raises(UserError) if key else nullcontext() as caught:
        read_source(Source.at(tmp_path / "book"), Choices())
    assert caught is None or caught.value.keys == (key,)


@pytest.mark.parametrize(
    "cell",
    [
        'table:number-columns-repeated="99999999999"',
        'table:number-columns-repeated="many"',
        'table:number-columns-repeated="-5"',
    ],
)
def test_that_a_cell_repeated_without_end_is_refused(cell: str, tmp_path: Path) -> None:
    data = made.ods(
        made.ods_table("S", TABLE).replace("<table:table-cell ", f"<table:table-cell {cell} ")
    )
    assert refusal(data, tmp_path).keys[0] in {"load.no_numbers", "load.broken_workbook"}


def test_that_a_part_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    blanks = " " * (HARMLESS + 2**22)
    data = made.xlsx({"S": made.sheet_data(TABLE) + blanks})
    assert len(data) * 200 < HARMLESS
    assert refusal(data, tmp_path).keys == ("load.bomb",)


def test_that_a_part_that_understates_its_size_is_refused(tmp_path: Path) -> None:
    data = bytearray(made.xlsx({"S": made.sheet_data(TABLE)}))
    name = b"xl/worksheets/sheet1.xml"
    for place in (data.find(name) - 8, data.rfind(name) - 46 + 24):
        struct.pack_into("<I", data, place, 10)
    assert refusal(bytes(data), tmp_path).keys == ("load.broken_workbook",)


def test_that_entities_are_not_unfolded(tmp_path: Path) -> None:
    members = unzipped(made.xlsx({"S": made.sheet_data(TABLE)}))
    book = members["xl/workbook.xml"]
    doctype = b'<!DOCTYPE workbook [<!ENTITY a "aaaaaaaa">]><workbook'
    members["xl/workbook.xml"] = book.replace(b"<workbook", doctype, 1)
    assert refusal(made.zipped(members), tmp_path).keys == ("load.broken_workbook",)


def test_that_nothing_is_written_to_disk_whatever_the_parts_are_called(tmp_path: Path) -> None:
    more = {"../../escaped.txt": "x", "/etc/escaped": "x", "xl/../../../escaped": "x"}
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    reading = read(made.xlsx({"S": made.sheet_data(TABLE)}, more=more), folder)
    assert reading.table.n_items == 3
    files = [Path(base) / name for base, _, names in os.walk(tmp_path) for name in names]
    assert files == [folder / "book"]


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (made.zipped({"word/document.xml": "<w/>"}), "load.not_a_workbook"),
        (made.zipped({"table.csv": "a,b"}), "load.not_a_workbook"),
        (made.zipped({}), "load.not_a_workbook"),
        (compound_of("WordDocument", b"x"), "load.not_a_workbook"),
        (compound_of("EncryptedPackage", b"x"), "load.encrypted"),
        (
            compound_of("Workbook", made.xls_stream({}, globals_=made.record(0x2F, b"\1\0"))),
            "load.encrypted",
        ),
        (made.ods("", manifest="<manifest:encryption-data/>"), "load.encrypted"),
        (
            b'<?xml?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
            "load.not_a_workbook",
        ),
        (b"\n<html><table><tr><td>1</td></tr></table>", "load.not_a_workbook"),
        (made.xlsx({}), "load.empty"),
        (made.xlsx({"S": "", "T": ""}), "load.empty"),
        (made.xls({"S": []}), "load.empty"),
        (b"PK\x03\x04 and nothing more", "load.broken_workbook"),
        (bytes.fromhex("d0cf11e0a1b11ae1"), "load.broken_workbook"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_that_what_is_no_workbook_is_refused_with_its_key(
    data: bytes, key: str, tmp_path: Path
) -> None:
    (tmp_path / "book").write_bytes(data)
    assert excel.FORMAT.recognises(Source.at(tmp_path / "book"))
    assert refusal(data, tmp_path).keys == (key,)


@pytest.mark.parametrize("text", [b"gene,x\na,1\n", b"P,K\n", b"", b"<gene>\t1"])
def test_that_texts_are_not_taken_for_workbooks(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "book").write_bytes(text)
    assert not excel.FORMAT.recognises(Source.at(tmp_path / "book"))


def test_that_the_sheet_with_most_numbers_is_read(tmp_path: Path) -> None:
    few = made.sheet_data([["x", 1.0]])
    reading = read(made.xlsx({"few": few, "S": made.sheet_data(TABLE)}), tmp_path)
    assert part(reading).value == "S"
    assert part(reading).sure
    twin = read(made.xlsx({"A": made.sheet_data(TABLE), "B": made.sheet_data(TABLE)}), tmp_path)
    assert part(twin).value == "A"
    assert not part(twin).sure


def test_that_a_sheet_named_by_a_number_is_found_by_its_name(tmp_path: Path) -> None:
    other: list[list[made.Cell]] = [["gene", "x"], ["b1", 1.0], ["b2", 2.5]]
    data = made.xlsx({"2": made.sheet_data(other), "B": made.sheet_data(TABLE)})
    assert read(data, tmp_path, part="2").table.items.names == ("b1", "b2")
    assert read(data, tmp_path, part="1").table.items.names == ("b1", "b2")
    assert read(data, tmp_path, part="B").table.n_items == 3


def test_that_cells_without_a_place_follow_each_other(tmp_path: Path) -> None:
    rows = made.sheet_data(TABLE)
    for line in range(1, 5):
        rows = rows.replace(f' r="{line}"', "")
        for column in "ABCD":
            rows = rows.replace(f' r="{column}{line}"', "")
    assert " r=" not in rows
    table = read(made.xlsx({"S": rows}), tmp_path).table
    np.testing.assert_array_equal(table.values, [[1.5, 2], [-3, 0.04], [0, np.nan]])


def test_that_tags_with_a_prefix_are_read(tmp_path: Path) -> None:
    members = unzipped(made.xlsx({"S": made.sheet_data(TABLE)}))
    name = "xl/worksheets/sheet1.xml"
    for tag in (b"worksheet", b"sheetData", b"row", b"c", b"v", b"is", b"t"):
        for end in (b" ", b">"):
            members[name] = members[name].replace(b"<" + tag + end, b"<x:" + tag + end)
        members[name] = members[name].replace(b"</" + tag + b">", b"</x:" + tag + b">")
    members[name] = members[name].replace(b"xmlns=", b"xmlns:x=")
    table = read(made.zipped(members), tmp_path).table
    np.testing.assert_array_equal(table.values, [[1.5, 2], [-3, 0.04], [0, np.nan]])


@pytest.mark.parametrize("target", ["/xl/worksheets/sheet1.xml", r"worksheets\SHEET1.xml"])
def test_that_parts_are_found_however_they_are_spelled(target: str, tmp_path: Path) -> None:
    members = unzipped(FORMATS["xlsx"]())
    name = "xl/_rels/workbook.xml.rels"
    members[name] = members[name].replace(b"worksheets/sheet1.xml", target.encode())
    assert read(made.zipped(members), tmp_path).table.n_items == 3


def test_that_merged_numbers_are_not_repeated(tmp_path: Path) -> None:
    after = '<mergeCells count="2"><mergeCell ref="D3:D4"/><mergeCell ref="B2:B3"/></mergeCells>'
    rows: list[list[made.Cell]] = [row[:] for row in TABLE]
    rows[2][1] = None
    reading = read(made.xlsx({"S": made.sheet_data(rows)}, after=after), tmp_path)
    assert reading.table.items.labels["class"] == ("x", "x", "y")
    np.testing.assert_array_equal(reading.table.values[:, 1], [2, 0.04, np.nan])
    assert "load.merged_cells" in keys(reading)


def test_that_old_dates_count_from_1904_where_the_workbook_says_so(tmp_path: Path) -> None:
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"date_1904": True})
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["gene", "day", "x"])
    for row in range(1, 4):
        sheet.write_row(row, 0, [f"a{row}", "", row])
        sheet.write_number(row, 1, row, book.add_format({"num_format": "yyyy-mm-dd"}))
    book.close()
    labels = read(file.getvalue(), tmp_path).table.items.labels
    assert labels["day"] == ("1904-01-02", "1904-01-03", "1904-01-04")


def test_that_a_date_no_calendar_has_is_refused(tmp_path: Path) -> None:
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file)
    sheet = book.add_worksheet()
    sheet.write_number(0, 0, 1e300, book.add_format({"num_format": "[h]:mm:ss"}))
    book.close()
    assert refusal(file.getvalue(), tmp_path).keys == ("load.broken_workbook",)


def test_that_a_panic_of_the_library_is_told_as_damage(tmp_path: Path) -> None:
    # Five merged ranges are claimed, and none is there.
    cells = made.xls_cell(0, 0, 1.0) + made.record(0x00E5, b"\5\0")
    data = compound_of("Workbook", made.xls_stream({"S": cells}))
    with pytest.raises(BaseException, match="range") as caught:
        CalamineWorkbook.from_filelike(io.BytesIO(data))
    assert not isinstance(caught.value, Exception)
    assert refusal(data, tmp_path).keys == ("load.broken_workbook",)


def test_that_numbers_of_three_decimals_are_not_thousands(tmp_path: Path) -> None:
    rows: list[list[made.Cell]] = [["gene", "x"], ["a", 1.234], ["b", 12.345], ["c", 123.456]]
    rows += [[f"d{number}", 1.125 + number] for number in range(9)]
    reading = read(made.xlsx({"S": made.sheet_data(rows)}), tmp_path)
    np.testing.assert_array_equal(reading.table.values[:3, 0], [1.234, 12.345, 123.456])


def test_that_texts_with_decimal_commas_are_read_beside_numbers(tmp_path: Path) -> None:
    rows: list[list[made.Cell]] = [["gene", "x", "y"]]
    rows += [[f"a{number}", number + 0.5, f"{number},25"] for number in range(6)]
    table = read(made.xlsx({"S": made.sheet_data(rows)}), tmp_path, decimal=",").table
    expected = [[number + 0.5, number + 0.25] for number in range(6)]
    np.testing.assert_array_equal(table.values, expected)
    texts: list[list[made.Cell]] = [[row[0], row[2]] for row in rows]
    table = read(made.xlsx({"S": made.sheet_data(texts)}), tmp_path).table
    np.testing.assert_array_equal(table.values, np.array(expected)[:, 1:])


def test_that_chains_of_sectors_in_circles_come_to_an_end(tmp_path: Path) -> None:
    data = bytearray(compound_of("Workbook", bytes(3 * 4096)))
    # The last sector of the stream is followed by the first.
    struct.pack_into("<I", data, 4096 + 4 * 5, 3)
    assert refusal(bytes(data), tmp_path).keys == ("load.empty",)


@given(st.integers(0, 300_000))
def test_that_a_compound_file_gives_back_its_stream(size: int) -> None:
    stream = bytes(number % 251 for number in range(size))
    found = ole_streams(compound_of("Book", stream), "x")["Book"]
    assert found[:size] == stream
    assert not any(found[size:])


def test_that_columns_are_called_as_in_a_spreadsheet() -> None:
    assert [column_letters(number) for number in (1, 26, 27, 702, 703, 16384)] == [
        *("A", "Z", "AA", "ZZ", "AAA", "XFD")
    ]
    assert cell_name((5, 3)) == "C5"


@pytest.mark.parametrize("suffix", FORMATS)
def test_that_reading_reports_and_can_be_ended(suffix: str, tmp_path: Path) -> None:
    (tmp_path / "book").write_bytes(FORMATS[suffix]())
    source = Source.at(tmp_path / "book")
    told: list[float] = []
    excel.FORMAT.read(source, Choices(), told.append)
    assert told[0] == 0.0
    assert told[-1] == 1.0
    assert all(0 <= fraction <= 1 for fraction in told)

    class Ended(BaseException):
        pass

    for stop in range(len(told)):
        left = iter(range(stop))

        def end(_: float, left: Any = left) -> None:
            if next(left, None) is None:
                raise Ended

        with pytest.raises(Ended):
            excel.FORMAT.read(source, Choices(), end)


numbers = st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=8)


@settings(max_examples=40)
@given(
    st.integers(1, 5).flatmap(
        lambda width: st.lists(st.lists(numbers, min_size=width, max_size=width), min_size=3)
    ),
    st.sampled_from(["xlsx", "xlsb", "xls", "ods", "xlsxwriter"]),
)
def test_that_every_finite_table_reads_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[float]], suffix: str
) -> None:
    names: list[made.Cell] = [f"s{number}" for number in range(len(rows[0]))]
    table: list[list[made.Cell]] = [["gene", *names]]
    table += [[f"g{number}", *row] for number, row in enumerate(rows)]
    expected = np.array(rows)
    if suffix == "xlsxwriter":
        file = io.BytesIO()
        book = xlsxwriter.Workbook(file, {"in_memory": True})
        sheet = book.add_worksheet()
        for number, row in enumerate(table):
            sheet.write_row(number, 0, row)
        book.close()
        data = file.getvalue()
        # It writes 16 digits, as Excel does.
        expected = np.array([[float(f"{value:.16G}") for value in row] for row in rows])
    else:
        data = {
            "xlsx": lambda: made.xlsx({"S": made.sheet_data(table)}),
            "xlsb": lambda: made.xlsb(table),
            "xls": lambda: made.xls({"S": table}),
            "ods": lambda: made.ods(made.ods_table("S", table)),
        }[suffix]()
    found = read(data, tmp_path_factory.mktemp("t")).table
    np.testing.assert_array_equal(found.values, expected)
    assert found.items.names == tuple(f"g{number}" for number in range(len(rows)))
    assert found.features.names == tuple(names)


@pytest.mark.parametrize("suffix", FORMATS)
def test_that_damaged_workbooks_give_a_table_or_an_address(suffix: str, tmp_path: Path) -> None:
    data = FORMATS[suffix]()
    chance = random.Random(f"damaged {suffix}")
    for _ in range(200):
        assert gives_table_or_address(damaged(data, chance), excel.FORMAT, tmp_path / "book")


@pytest.mark.parametrize("suffix", ["xlsx", "xlsb", "ods"])
def test_that_damage_within_the_parts_gives_a_table_or_an_address(
    suffix: str, tmp_path: Path
) -> None:
    members = unzipped(FORMATS[suffix]())
    chance = random.Random(f"within {suffix}")
    for _ in range(200):
        name = chance.choice(sorted(members))
        changed = members | {name: damaged(members[name], chance)}
        assert gives_table_or_address(made.zipped(changed), excel.FORMAT, tmp_path / "book")


def test_that_damage_within_the_stream_gives_a_table_or_an_address(tmp_path: Path) -> None:
    stream = ole_streams(FORMATS["xls"](), "x")["Workbook"].rstrip(b"\0") + bytes(4)
    chance = random.Random("within xls")
    for _ in range(300):
        data = compound_of("Workbook", damaged(stream, chance))
        assert gives_table_or_address(data, excel.FORMAT, tmp_path / "book")
