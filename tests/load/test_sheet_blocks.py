"""Hidden rows and columns, ranges, and tables side by side on one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import xlsxwriter

from ximstudio.load import Choices, Reading, read
from ximstudio.load.workbook.blocks import split_part
from ximstudio.model import UserError

Block = Sequence[Sequence[object]]

LEFT: Block = [["gene", "a", "b"], ["TP53", 1.5, 2], ["MYC", 3, 4.5], ["EGFR", 5, 6]]
RIGHT: Block = [["sample", "age", "dose"], ["a", 61, 1], ["b", 54, 2]]


def book(path: Path, *blocks: Block, gap: int = 1, hide: str = "") -> Path:
    with xlsxwriter.Workbook(path) as made:
        sheet = made.add_worksheet("Data")
        column = 0
        for block in blocks:
            for number, row in enumerate(block):
                sheet.write_row(number, column, row)
            column += max(map(len, block)) + gap
        if "rows" in hide:
            sheet.set_row(2, None, None, {"hidden": True})
        if "columns" in hide:
            sheet.set_column(1, 1, None, None, {"hidden": True})
    return path


def keys(reading: Reading) -> list[str]:
    return [note.key for note in reading.notes]


@pytest.mark.parametrize("hide", ["rows", "columns", "rows and columns"])
def test_that_what_is_hidden_is_read_and_told(hide: str, tmp_path: Path) -> None:
    plain = read(str(book(tmp_path / "plain.xlsx", LEFT)))
    hidden = read(str(book(tmp_path / "hidden.xlsx", LEFT, hide=hide)))
    assert "load.hidden_cells" not in keys(plain)
    assert keys(hidden) == [*keys(plain), "load.hidden_cells"]
    assert hidden.table.dense.tolist() == plain.table.dense.tolist()


def test_that_tables_side_by_side_are_refused_and_each_can_be_had(tmp_path: Path) -> None:
    path = book(tmp_path / "two.xlsx", LEFT, RIGHT, gap=2)
    with pytest.raises(UserError) as caught:
        read(str(path))
    assert caught.value.keys == ("load.side_by_side",)
    assert caught.value.hint == {"part": "Data!A1:C4"}
    first = read(str(path), Choices(part="Data!A1:C4"))
    assert first.table.items.names == ("TP53", "MYC", "EGFR")
    assert first.table.features.names == ("a", "b")
    second = read(str(path), Choices(part="Data!F:H")).table
    assert second.items.names == ("a", "b")
    assert second.features.names == ("age", "dose")
    assert second.features.numbers is not None
    assert second.features.numbers.tolist() == [7, 8]


def test_that_one_table_with_gaps_is_one_table(tmp_path: Path) -> None:
    spaced = [["", *row[1:]] for row in LEFT]
    assert read(str(book(tmp_path / "gap.xlsx", LEFT, spaced))).table.n_features == 4
    # The same names in the same rows are the same genes.
    again = read(str(book(tmp_path / "again.xlsx", LEFT, LEFT))).table
    assert again.items.names == ("TP53", "MYC", "EGFR")
    remarks = [["remark"], ["good"], ["bad"], ["ugly"]]
    assert read(str(book(tmp_path / "remarks.xlsx", LEFT, remarks))).table.n_features == 2


def test_that_an_empty_range_is_refused(tmp_path: Path) -> None:
    path = book(tmp_path / "one.xlsx", LEFT)
    with pytest.raises(UserError) as caught:
        read(str(path), Choices(part="Data!X1:Z9"))
    assert caught.value.keys == ("load.empty",)


@pytest.mark.parametrize(
    ("part", "sheet", "cells"),
    [
        ("Data", "Data", None),
        ("Data!A1:D20", "Data", "A1:D20"),
        ("'My data'!$B$2:$AA$7", "My data", "B2:AA7"),
        ("Data!f:j", "Data", "F:J"),
        ("Wow! Data", "Wow! Data", None),
    ],
)
def test_that_ranges_are_read_as_spreadsheets_write_them(
    part: str, sheet: str, cells: str | None
) -> None:
    name, found = split_part(part)
    assert (name, None if found is None else str(found)) == (sheet, cells)
