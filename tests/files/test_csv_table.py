"""Sheets as text: what is written reads back, by pandas and by our own reader."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.export.sheets import CHOSEN, TRAPS, awkward, full
from ximstudio.export.item_sheet import item_sheet
from ximstudio.export.sheet import Sheet
from ximstudio.export.wanted import TableOptions
from ximstudio.files.columns import feature_columns, numbers, texts
from ximstudio.files.csv_table import (
    COMMA,
    DIALECTS,
    EXCEL,
    EXCEL_COMMA,
    TAB,
    CsvDialect,
    dialect_named,
    tabbed,
    write_csv,
)
from ximstudio.load import Choices, read
from ximstudio.model import UserError


def rows_of(path: Path, dialect: CsvDialect) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.reader(file, delimiter=dialect.delimiter))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: each.key)
def test_that_all_cells_read_back_to_the_last_bit(tmp_path: Path, dialect: CsvDialect) -> None:
    path, sheet = tmp_path / "table", awkward()
    write_csv(path, sheet.columns, dialect=dialect)
    header, *rows = rows_of(path, dialect)
    guarded = {"=1+2", "+RNA", "-HLA", "@home"} if dialect.for_excel else set()
    assert [row[0] for row in rows] == [f"'{each}" if each in guarded else each for each in TRAPS]
    assert header[1:4] == ["value", "value (2)", "count"]
    assert header[4] == ("'=row" if dialect.for_excel else "=row")
    for number in (1, 2, 3, 5):
        cells = [row[number].replace(dialect.decimal, ".") for row in rows]
        found = [float(cell) if cell else np.nan for cell in cells]
        np.testing.assert_array_equal(found, np.asarray(sheet.columns[number].values))
    assert [row[3] for row in rows][:4] == ["0", "1", "", "3"]
    assert path.read_bytes().startswith(b"\xef\xbb\xbf") is dialect.for_excel
    assert b"\r" not in path.read_bytes()


@given(st.lists(st.floats(allow_nan=True, allow_infinity=False), min_size=1, max_size=20))
def test_that_any_number_reads_back_equal(
    tmp_path_factory: pytest.TempPathFactory, values: list[float]
) -> None:
    path = tmp_path_factory.mktemp("csv") / "table.csv"
    ids = [f"row {number}" for number in range(len(values))]
    sheet = Sheet(name="s", columns=(texts("id", ids), numbers("n", np.array(values))))
    write_csv(path, sheet.columns)
    found = [float(cell) if cell else np.nan for _, cell in rows_of(path, COMMA)[1:]]
    np.testing.assert_array_equal(found, np.array(values))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: each.key)
def test_that_our_own_reader_has_the_table_again(tmp_path: Path, dialect: CsvDialect) -> None:
    session = full()
    assert session.matrix is not None
    path = tmp_path / f"items{dialect.suffix}"
    sheet = item_sheet(session, TableOptions(with_values=True))
    write_csv(path, sheet.columns, dialect=dialect)
    table = read(str(path), Choices(id="id")).table
    matrix = session.matrix
    assert table.items.names == matrix.item_ids
    assert table.items.labels["kind"] == matrix.item_labels["kind"]
    places = [table.features.names.index(name) for name in matrix.feature_names]
    np.testing.assert_array_equal(table.dense[:, places], matrix.values)


def test_that_pandas_reads_names_and_blanks_as_they_were(tmp_path: Path) -> None:
    path, sheet = tmp_path / "table.csv", awkward()
    write_csv(path, sheet.columns)
    frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    assert tuple(frame.columns) == sheet.names
    assert tuple(frame["id"]) == TRAPS
    assert frame["value"][3] == ""


def test_that_rows_stand_in_the_order_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    write_csv(path, item_sheet(full(), TableOptions(only_selected=True, order=CHOSEN)).columns)
    assert [row[0] for row in rows_of(path, COMMA)[1:]] == list(CHOSEN)


def test_that_negative_numbers_and_labels_of_numbers_are_not_guarded(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    sheet = Sheet(
        name="s", columns=(texts("a", ["-1,5", "-1.5", "-x"]), numbers("b", np.array([-1.5] * 3)))
    )
    write_csv(path, sheet.columns, dialect=EXCEL_COMMA)
    assert rows_of(path, EXCEL_COMMA)[1:] == [["-1,5", "-1,5"], ["-1.5", "-1,5"], ["'-x", "-1,5"]]
    write_csv(path, sheet.columns, dialect=EXCEL)
    assert [row[0] for row in rows_of(path, EXCEL)[1:]] == ["'-1,5", "-1.5", "'-x"]


def test_that_cancelling_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("older")

    def stop(fraction: float) -> None:
        if fraction > 0.0:
            raise KeyboardInterrupt

    sheet = Sheet(name="s", columns=(numbers("n", np.zeros(2**17)),))
    with pytest.raises(KeyboardInterrupt):
        write_csv(path, sheet.columns, report=stop)
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


def test_that_progress_rises_to_the_end(tmp_path: Path) -> None:
    told: list[float] = []
    sheet = Sheet(name="s", columns=(numbers("n", np.zeros(2**17)),))
    write_csv(tmp_path / "table.csv", sheet.columns, report=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) == 3


def test_that_a_table_without_rows_has_its_header(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_csv(path, (texts("a", ()), numbers("b", np.empty(0))))
    assert path.read_bytes() == b"a,b\n"


def test_that_columns_keep_their_names_and_as_many_digits_as_wanted(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    values = np.array([[1 / 3, 2.0], [1e-20 / 3, -3e7]])
    columns = [texts("x", ["a", ""]), *feature_columns(("x", "y"), values, digits=3)]
    write_csv(path, columns)
    assert path.read_bytes() == b"x,x,y\na,0.333,2\n,3.33e-21,-3e+07\n"
    write_csv(path, columns, dialect=EXCEL_COMMA)
    assert rows_of(path, EXCEL_COMMA)[1:] == [["a", "0,333", "2"], ["", "3,33e-21", "-3e+07"]]


def test_that_the_clipboard_gets_what_a_file_with_tabs_has(tmp_path: Path) -> None:
    path, sheet = tmp_path / "table.tsv", awkward()
    write_csv(path, sheet.columns, dialect=TAB)
    assert tabbed(sheet.columns).encode() == path.read_bytes()


def test_that_an_unknown_dialect_is_refused() -> None:
    assert dialect_named("tsv").delimiter == "\t"
    with pytest.raises(UserError):
        dialect_named("tcv")
