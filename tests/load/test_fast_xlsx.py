"""Large sheets are read by kernels: cell by cell as the library reads them, or by the library."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.load import workbooks
from tests.load.test_hostile import DATA
from ximstudio.load.reading import Choices, Reading, silent
from ximstudio.load.source import Source
from ximstudio.load.text.rows import WrittenRows
from ximstudio.load.workbook import archive, excel, fast_xlsx, sheet_scan, sheet_xml
from ximstudio.load.workbook.excel import SheetTexts, sheet_texts
from ximstudio.load.workbook.sheet_xml import SheetXml
from ximstudio.load.workbook.sheets import cell_name

NEVER = 1 << 60

NUMBERS = (
    *("0", "-0", "1", "-17", "1.0", "2.50", "0.1", "-0.25", "1E3", "1e-3", "1.5E+2", "12E-1"),
    *("0.10000000000000001", "0.30000000000000004", "123456789012345", "1234567890123456789"),
    *("0.0001", "0.00001", "-0.000010", "1.7976931348623157E308", "5E-324", "100000000000000000"),
    *("3.1415926535897931", "0.99999999999999989", "00", "1.", "-1.0E-2", "999999999999999.9"),
)
STRINGS = ("gene", "a b", 'quo"te', "tab\there", "line\nfeed", "", "é", "1E5", "0.50", " spaced ")


def strings_part() -> str:
    listed = "".join(
        f'<si><t xml:space="preserve">{text.replace(chr(34), "&quot;")}</t></si>'
        for text in STRINGS
    )
    rich = "<si><r><t>ri</t></r><r><rPr><b/></rPr><t>ch</t></r></si>"
    name = f"{workbooks.NAMES}/spreadsheetml/2006/main"
    return f'{workbooks.HEAD}<sst xmlns="{name}">{listed}{rich}</sst>'


STYLES = (
    f'{workbooks.HEAD}<styleSheet xmlns="{workbooks.NAMES}/spreadsheetml/2006/main">'
    '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="10"/><xf numFmtId="14"/></cellXfs>'
    "</styleSheet>"
)


def cell(chance: random.Random, place: tuple[int, int]) -> str:
    at = cell_name(place)
    kind = chance.randrange(12)
    if kind < 5:
        return f'<c r="{at}"><v>{chance.choice(NUMBERS)}</v></c>'
    return (
        f'<c r="{at}" s="1" t="n"><v>{chance.choice(NUMBERS)}</v></c>',
        f'<c r="{at}" t="s"><v>{chance.randrange(len(STRINGS) + 1)}</v></c>',
        f'<c r="{at}" t="b"><v>{chance.randrange(2)}</v></c>',
        f'<c r="{at}" t="e"><v>#N/A</v></c>',
        f'<c r="{at}" s="1"/>',
        f'<c r="{at}" t="str"><f>A1&amp;B1</f><v>plain text</v></c>',
        f'<c r="{at}"><f t="shared" si="0"/><v>2.5</v></c>',
    )[kind - 5]


def rows(chance: random.Random, n_rows: int = 30, n_columns: int = 6) -> str:
    """Rows of all sorts of cells; some rows and cells are left out."""
    first = chance.randrange(1, 4), chance.randrange(1, 30)
    written = ""
    for row in range(first[0], first[0] + n_rows):
        if chance.random() < 0.1:
            continue
        cells = "".join(
            cell(chance, (row, column))
            for column in range(first[1], first[1] + n_columns)
            if chance.random() < 0.9
        )
        written += f'<row r="{row}" spans="1:6">{cells}</row>\n' if chance.random() < 0.9 else ""
    return written


def book(data: str) -> bytes:
    relations = workbooks.relations(
        ("worksheet", "worksheets/sheet1.xml"),
        ("sharedStrings", "sharedStrings.xml"),
        ("styles", "styles.xml"),
    )
    more = {
        "xl/sharedStrings.xml": strings_part(),
        "xl/styles.xml": STYLES,
        "xl/_rels/workbook.xml.rels": relations,
    }
    return workbooks.xlsx({"table": data}, more=more)


def texts(path: Path, monkeypatch: pytest.MonkeyPatch, large: int, **choices: Any) -> SheetTexts:
    monkeypatch.setattr(sheet_xml, "LARGE", large)
    return sheet_texts(Source.at(path), Choices(**choices), silent)


def reading(path: Path, monkeypatch: pytest.MonkeyPatch, large: int, **choices: Any) -> Reading:
    monkeypatch.setattr(sheet_xml, "LARGE", large)
    return excel.read(Source.at(path), Choices(**choices), silent)


def is_fast(sheet: SheetTexts) -> bool:
    return isinstance(sheet.cells.rows, WrittenRows)


@pytest.mark.parametrize("piece", [200, 1 << 20])
def test_that_every_cell_is_as_the_library_has_it(
    piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "PIECE", piece)
    path = tmp_path / "book.xlsx"
    fast = 0
    for case in range(40):
        path.write_bytes(book(rows(random.Random(case))))
        ours = texts(path, monkeypatch, 0)
        theirs = texts(path, monkeypatch, NEVER)
        assert [[*row] for row in ours.cells.rows] == [
            [text.replace("\r\n", "\n") for text in row] for row in theirs.cells.rows
        ], case
        assert list(ours.cells.numbers) == list(theirs.cells.numbers)
        assert ours.cells.first_column == theirs.cells.first_column
        assert ours.has_fractions == theirs.has_fractions
        fast += is_fast(ours)
    assert fast > 30


UNUSUAL = {
    "date": '<row r="1"><c r="A1" s="2"><v>44000</v></c></row>',
    "prefix": '<x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c></x:row>',
    "no place": "<row><c><v>1</v></c></row>",
    "order": '<row r="2"><c r="A2"><v>1</v></c></row><row r="1"><c r="A1"><v>2</v></c></row>',
    "twice": '<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>',
    "entity": '<row r="1"><c r="A1" t="str"><v>a&amp;b</v></c></row>',
    "rich": '<row r="1"><c r="A1" t="inlineStr"><is><r><t>a</t></r></is></c></row>',
    "uncomputed": '<row r="1"><c r="A1"><f>1+1</f></c></row>',
    "comment": '<row r="1"><!-- <c r="A1"><v>7</v></c> --><c r="B1"><v>1</v></c></row>',
    "other quotes": "<row r='1'><c r='A1'><v>1</v></c></row>",
    "no such text": '<row r="1"><c r="A1" t="s"><v>99</v></c></row>',
    "no number": '<row r="1"><c r="A1"><v>abc</v></c></row>',
    "cut off": '<row r="1"><c r="A1"><v>1',
    "beyond": '<row r="1"><c r="AAAAAAA1"><v>1</v></c></row>',
    "nested": '<row r="1"><c r="A1"><c r="B1"><v>1</v></c></c></row>',
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_that_what_is_not_plain_is_left_to_the_library(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet_xml, "LARGE", 0)
    data = f"<sheetData>{UNUSUAL[name]}</sheetData>".encode()
    meanings = sheet_scan.Meanings(["a"], [False, False, True])
    assert sheet_scan.scan(SheetXml([data]), lambda: meanings, silent) is None


def test_that_damaged_rows_never_leave_the_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_xml, "LARGE", 0)
    meanings = sheet_scan.Meanings(["a"] * 11, [False, False, True])
    sound = rows(random.Random(1)).encode()
    for case in range(400):
        chance = random.Random(case)
        begin = chance.randrange(len(sound))
        data = bytearray(sound[: begin + chance.randrange(200)])
        for _ in range(chance.randrange(4)):
            data[chance.randrange(len(data))] = chance.choice(b'<>/"= rcvst019')
        sheet = SheetXml([b"<sheetData>" + bytes(data) + b"</sheetData>"])
        found = sheet_scan.scan(sheet, lambda: meanings, silent)
        if found is not None:
            cells, _ = fast_xlsx.write(found, Choices(), silent)
            assert len(cells.rows) == found.size.n_rows - cells.numbers[0] + 1


def long_table(n_rows: int = 300) -> str:
    """Names, a label of long numbers among texts, and values of as many digits."""
    chance = random.Random(0)
    head = "".join(
        f'<c r="{cell_name((1, column))}" t="inlineStr"><is><t>{text}</t></is></c>'
        for column, text in enumerate(("id", "value", "mixed", "other", "dose"), 1)
    )
    written = f'<row r="1">{head}</row>'
    for row in range(2, n_rows + 2):
        mixed = (
            f'<c r="C{row}" t="inlineStr"><is><t>text</t></is></c>'
            if row % 3
            else f'<c r="C{row}"><v>0.10000000000000001</v></c>'
        )
        written += (
            f'<row r="{row}"><c r="A{row}" t="inlineStr"><is><t>g{row}</t></is></c>'
            f'<c r="B{row}"><v>{chance.random():.17g}</v></c>{mixed}'
            f'<c r="D{row}"><v>{chance.random():.17g}</v></c>'
            f'<c r="E{row}"><v>0.30000000000000004</v></c></row>'
        )
    return written


@pytest.mark.parametrize("after", ["", '<rowBreaks count="1"><brk id="2"/></rowBreaks>'])
def test_that_what_is_hidden_is_counted_while_sheets_are_unpacked(
    after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "PIECE", 2000)
    table = long_table()
    for row, attribute in ((5, 'hidden="1"'), (90, 'ht="0" hidden="true"'), (91, 'hidden="0"')):
        table = table.replace(f'<row r="{row}">', f'<row r="{row}" {attribute}>')
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbooks.xlsx({"table": table}, after=after))
    ours, theirs = (texts(path, monkeypatch, large) for large in (0, NEVER))
    assert is_fast(ours)
    assert [note.key for note in ours.notes] == ["load.hidden_cells"]
    assert ours.notes == theirs.notes


LATE = {
    "none": "",
    "wider": '<c r="H{row}"><v>0.30000000000000004</v></c>',
    "text": '<c r="E{row}" t="inlineStr"><is><t>late</t></is></c>',
    "long text": '<c r="F{row}" t="s"><v>0</v></c>',
}
"""Cells of the last rows that the first ones give no reason to expect."""


@pytest.mark.parametrize("late", LATE)
def test_that_last_rows_may_be_otherwise_than_the_first(
    late: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "PIECE", 10_000)
    made: list[int] = []
    written = sheet_scan.written

    def counted(padded: bytes, *arguments: Any) -> bytes | None:
        made.append(len(padded))
        return written(padded, *arguments)

    monkeypatch.setattr(fast_xlsx, "written", counted)
    rows = "".join(
        f'<row r="{row}">' + "".join(f'<c r="{c}{row}"><v>0.3</v></c>' for c in "BCD") + "{}</row>"
        for row in range(3, 900)
    ).split("{}")
    last = [LATE[late].format(row=row) for row in range(802, 900)]
    sheet = "".join(part + more for part, more in zip(rows[-99:], [*last, ""], strict=True))
    path = tmp_path / "book.xlsx"
    name = f"{workbooks.NAMES}/spreadsheetml/2006/main"
    shared = f'{workbooks.HEAD}<sst xmlns="{name}"><si><t>{"long " * 400}</t></si></sst>'
    relations = workbooks.relations(
        ("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")
    )
    more = {"xl/sharedStrings.xml": shared, "xl/_rels/workbook.xml.rels": relations}
    path.write_bytes(workbooks.xlsx({"table": "".join(rows[:-99]) + sheet}, more=more))
    ours = texts(path, monkeypatch, 0)
    n_made = len(made)
    theirs = texts(path, monkeypatch, NEVER)
    assert is_fast(ours)
    assert [[*row] for row in ours.cells.rows] == [*theirs.cells.rows]
    # Only the first part is written by a second pass if nothing else comes.
    assert (n_made == 1) == (late == "none")


@pytest.mark.parametrize("choices", [{}, {"labels": ("dose",)}, {"labels": ("dose", "mixed")}])
def test_that_tables_and_labels_are_the_same(
    choices: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbooks.xlsx({"table": long_table()}))
    assert is_fast(texts(path, monkeypatch, 0, **choices))
    ours = reading(path, monkeypatch, 0, **choices)
    theirs = reading(path, monkeypatch, NEVER, **choices)
    np.testing.assert_array_equal(ours.table.dense, theirs.table.dense)
    assert dict(ours.table.items.labels) == dict(theirs.table.items.labels)
    assert ours.table.items.names == theirs.table.items.names
    assert ours.table.features.names == theirs.table.features.names
    assert ours.guesses == theirs.guesses
    assert ours.notes == theirs.notes


@pytest.mark.parametrize(
    "path", sorted((DATA / "excel").glob("*.xlsx")), ids=lambda path: path.name
)
def test_that_workbooks_of_programs_are_read_alike(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = (reading(path, monkeypatch, large) for large in (0, NEVER))
    np.testing.assert_array_equal(ours.table.dense, theirs.table.dense)
    assert ours.table.items.names == theirs.table.items.names
    assert ours.table.features.names == theirs.table.features.names


class Enough(Exception):
    pass


def test_that_progress_is_told_and_reading_can_be_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "PIECE", 2000)
    monkeypatch.setattr(sheet_xml, "LARGE", 0)
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbooks.xlsx({"table": long_table()}))
    heard: list[float] = []
    excel.read(Source.at(path), Choices(), heard.append)
    assert len(set(heard)) > 20
    assert heard == sorted(heard)
    # How many reports there are depends on threads, how far they go does not.
    for least in heard[::7]:

        def stop(done: float, least: float = least) -> None:
            if done >= least:
                raise Enough

        with pytest.raises(Enough):
            excel.read(Source.at(path), Choices(), stop)
