"""Sheets as workbooks: names stay names, numbers stay numbers."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

from tests.export.sheets import TRAPS, awkward, full
from ximstudio.export.item_sheet import item_sheet
from ximstudio.export.origin import origin_rows
from ximstudio.export.sheet import Sheet
from ximstudio.export.sheet_xlsx import MOST_COLUMNS, MOST_LETTERS, MOST_ROWS, write_xlsx
from ximstudio.export.wanted import TableOptions
from ximstudio.files.columns import numbers, texts, wholes
from ximstudio.load import Choices, read
from ximstudio.model import UserError

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def cells_of(path: Path, sheet: str | int = 0) -> list[list[object]]:
    book = CalamineWorkbook.from_path(path)
    found = (
        book.get_sheet_by_index(sheet) if isinstance(sheet, int) else book.get_sheet_by_name(sheet)
    )
    return [list(row) for row in found.to_python(skip_empty_area=False)]


def xml_of(path: Path, name: str = "xl/worksheets/sheet1.xml") -> ElementTree.Element:
    with zipfile.ZipFile(path) as archive:
        return ElementTree.fromstring(archive.read(name))


def test_that_names_stay_names_and_numbers_stay_numbers(tmp_path: Path) -> None:
    path, sheet = tmp_path / "book.xlsx", awkward()
    assert write_xlsx(path, [sheet]) == ()
    header, *rows = cells_of(path)
    assert header == list(sheet.names)
    # A text that looks like a tag of the library's own has a space behind it.
    expected = [f"{each} " if each == "<r>x</r>" else each for each in TRAPS]
    assert [row[0] for row in rows] == expected
    for number in (1, 2, 3, 4, 5):
        found = [np.nan if row[number] == "" else row[number] for row in rows]
        assert not any(isinstance(each, str) for each in found)
        np.testing.assert_array_equal(found, np.asarray(sheet.columns[number].values))


def test_that_no_cell_is_a_formula_or_date_and_blanks_are_not_there(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    write_xlsx(path, [awkward()])
    root = xml_of(path)
    assert not root.findall(f".//{MAIN}f")
    cells = {cell.get("r"): cell for cell in root.iter(f"{MAIN}c")}
    kinds = {cells[f"A{row}"].get("t") for row in range(2, len(TRAPS) + 1)}
    assert kinds == {"inlineStr"}
    assert "B5" not in cells
    assert f"A{TRAPS.index('') + 2}" not in cells
    with zipfile.ZipFile(path) as archive:
        styles = archive.read("xl/styles.xml").decode()
    formats = set(re.findall(r'formatCode="([^"]*)"', styles))
    assert not any(letter in each for each in formats for letter in "ymdhs")


def test_that_the_header_is_bold_frozen_and_filtered(tmp_path: Path) -> None:
    path, sheet = tmp_path / "book.xlsx", awkward()
    write_xlsx(path, [sheet])
    root = xml_of(path)
    pane = root.find(f".//{MAIN}pane")
    assert pane is not None
    assert (pane.get("ySplit"), pane.get("xSplit"), pane.get("state")) == ("1", "1", "frozen")
    filtered = root.find(f"{MAIN}autoFilter")
    assert filtered is not None
    assert filtered.get("ref") == f"A1:F{sheet.n_rows + 1}"
    ignored = root.find(f".//{MAIN}ignoredError")
    assert ignored is not None
    assert ignored.get("sqref") == f"A1:F{sheet.n_rows + 1}"
    styles = xml_of(path, "xl/styles.xml")
    fonts = styles.findall(f"{MAIN}fonts/{MAIN}font")
    formats = styles.findall(f"{MAIN}cellXfs/{MAIN}xf")
    first = next(root.iter(f"{MAIN}c"))
    font = fonts[int(formats[int(first.get("s", "0"))].get("fontId", "0"))]
    assert font.find(f"{MAIN}b") is not None


def test_that_columns_are_as_wide_as_what_is_in_them(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    sheet = Sheet(
        name="s",
        columns=(
            texts("a", ["x"]),
            texts("b", ["x" * 30]),
            texts("c", ["x" * 5000]),
            numbers("a rather long name", np.ones(1)),
        ),
    )
    write_xlsx(path, [sheet])
    widths = [float(each.get("width", "0")) for each in xml_of(path).iter(f"{MAIN}col")]
    assert len(widths) == 4
    assert widths[0] < 8
    assert 30 < widths[1] < 34
    assert widths[2] < 60
    assert widths[3] > len("a rather long name")


def test_that_several_sheets_have_names_that_excel_allows(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    names = ["a/b:c*[d]?\\", "x" * 40, "X" * 40, "History", "'quoted'", "", "about", "😀" * 20]
    write_xlsx(path, [Sheet(name=name, columns=(wholes("n", [1]),)) for name in names])
    found = CalamineWorkbook.from_path(path).sheet_names
    assert len(found) == len(names) + 1
    assert len({name.casefold() for name in found}) == len(found)
    for name in found:
        assert 0 < len(name.encode("utf-16-le")) // 2 <= 31
        assert not set(name) & set("[]:*?/\\")
        assert not name.startswith("'")
        assert not name.endswith("'")
        assert name.casefold() != "history"
    assert found[-1] == "About"


def test_that_the_last_sheet_says_where_the_tables_come_from(tmp_path: Path) -> None:
    path, session = tmp_path / "book.xlsx", full()
    assert session.run is not None
    write_xlsx(path, [item_sheet(session), awkward()], about=origin_rows(session))
    told = {str(row[1]): row[2] for row in cells_of(path, "About")}
    result = session.run.result
    assert told["data.fingerprint"] == session.run.matrix.fingerprint
    assert told["result_hash"] == result.hash
    assert told["method"] == "som"
    assert told["seed"] == "0"
    assert told["parameters.shape"] == "[6, 8]"
    assert "versions.numpy" in told
    notes = [row for row in cells_of(path, "About") if row[0] == "Awkward"]
    assert ["Awkward", "", "Nothing of this may change."] in notes


def test_that_equal_tables_are_equal_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_xlsx(tmp_path / name, [awkward()], about=origin_rows(full()))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("letter", ["x", "😀"])
def test_that_too_long_texts_are_cut_and_said_to_be(tmp_path: Path, letter: str) -> None:
    path = tmp_path / "book.xlsx"
    units = len(letter.encode("utf-16-le")) // 2
    fits, longer = letter * (MOST_LETTERS // units), letter * 40_000
    sheet = Sheet(name="s", columns=(texts("id", ["a", "b"]), texts("t", [fits, longer])))
    (cut,) = write_xlsx(path, [sheet])
    assert cut.key == "export.cut"
    first, second = (str(row[1]) for row in cells_of(path)[1:])
    assert first == fits
    assert second.endswith(f"{letter}…")
    assert MOST_LETTERS - 2 <= len(second.encode("utf-16-le")) // 2 <= MOST_LETTERS
    assert longer.startswith(second[:-1])
    assert [row[:2] for row in cells_of(path, "About")][-1] == ["s", "t"]


def test_that_more_than_a_sheet_holds_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    rows = Sheet(name="rows", columns=(wholes("n", np.zeros(MOST_ROWS, dtype=np.int64)),))
    wide = Sheet(name="wide", columns=(wholes("n", [1]),) * (MOST_COLUMNS + 1))
    with pytest.raises(UserError) as caught:
        write_xlsx(path, [rows, wide])
    assert caught.value.keys == ("export.too_many_rows", "export.too_many_columns")
    assert not list(tmp_path.iterdir())
    most = Sheet(name="most", columns=(wholes("n", [1]),) * MOST_COLUMNS)
    write_xlsx(path, [most])
    assert len(cells_of(path)[0]) == MOST_COLUMNS


@pytest.mark.parametrize("after", [0.0, 0.5, 0.8])
def test_that_cancelling_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: float
) -> None:
    monkeypatch.setattr("ximstudio.files.columns.AT_ONCE", 50)

    def stop(fraction: float) -> None:
        if fraction >= after:
            raise KeyboardInterrupt

    path = tmp_path / "book.xlsx"
    path.write_text("older")
    sheet = Sheet(name="s", columns=(numbers("n", np.zeros(200)),))
    with pytest.raises(KeyboardInterrupt):
        write_xlsx(path, [sheet], report=stop)
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


def test_that_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        write_xlsx(tmp_path / "none" / "book.xlsx", [awkward()])
    assert caught.value.keys == ("export.unwritable",)


@settings(max_examples=25)
@given(
    st.lists(st.text(max_size=20), min_size=1, max_size=30),
    st.lists(st.floats(allow_nan=False), min_size=1, max_size=30),
)
def test_that_any_texts_and_numbers_make_a_book_that_opens(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], values: list[float]
) -> None:
    path = tmp_path_factory.mktemp("xlsx") / "book.xlsx"
    n = min(len(names), len(values))
    columns = (wholes("n", range(n)), texts("t", names[:n]), numbers("v", np.array(values[:n])))
    write_xlsx(path, [Sheet(name=names[0], columns=columns)])
    _, *rows = cells_of(path)
    found = [float(str(row[2])) for row in rows]
    np.testing.assert_array_equal(found, values[:n])


def test_that_our_own_reader_has_the_table_again(tmp_path: Path) -> None:
    session = full()
    assert session.matrix is not None
    path = tmp_path / "items.xlsx"
    sheet = item_sheet(session, TableOptions(with_values=True))
    write_xlsx(path, [sheet], about=origin_rows(session))
    table = read(str(path), Choices(id="id", part="Items")).table
    matrix = session.matrix
    assert table.items.names == matrix.item_ids
    assert table.items.labels["kind"] == matrix.item_labels["kind"]
    places = [table.features.names.index(name) for name in matrix.feature_names]
    np.testing.assert_array_equal(table.dense[:, places], matrix.values)
