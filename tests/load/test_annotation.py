"""Labels from a second file."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.load.annotation.join import Annotation, Joined, join, read_annotation
from ximstudio.load.reading import Choices
from ximstudio.load.source import Source
from ximstudio.model import UserError
from ximstudio.model.table import FEATURES, ITEMS, Axis, Table

FILE = "id,symbol,pathway\nYAL001C,TFC3,transcription\nYAL002W,VPS8,transport\nYAL003W,EFB1,\n"


def table(
    items: tuple[str, ...] = ("YAL001C", "YAL002W", "YAL003W"),
    features: tuple[str, ...] = ("cold", "heat"),
    **labels: tuple[str, ...],
) -> Table:
    return Table(
        values=np.arange(len(items) * len(features), dtype=np.float64).reshape(len(items), -1),
        items=Axis(names=items, labels=labels),
        features=Axis(names=features),
    )


def annotation(content: str, **choices: object) -> Annotation:
    return read_annotation(Source.pasted(content), Choices.from_values(choices))


def keys(joined: Joined) -> list[str]:
    return [note.key for note in joined.notes]


def test_that_columns_become_labels() -> None:
    joined = join(table(), annotation(FILE))
    assert (joined.axis, joined.on) == (ITEMS, "id")
    assert dict(joined.table.items.labels) == {
        "symbol": ("TFC3", "VPS8", "EFB1"),
        "pathway": ("transcription", "transport", ""),
    }
    assert joined.table.items.names == table().items.names
    np.testing.assert_array_equal(joined.table.dense, table().dense)
    assert joined.notes == ()
    assert {guess.key: guess.value for guess in joined.guesses} == {"on": "id", "axis": "items"}


def test_that_features_are_labelled_where_they_are_what_is_named() -> None:
    joined = join(table(), annotation("time\tcondition\n20 min\theat\n5 min\tcold\n"))
    assert (joined.axis, joined.on) == (FEATURES, "condition")
    assert dict(joined.table.features.labels) == {"time": ("5 min", "20 min")}


@pytest.mark.parametrize(
    "content",
    [
        FILE.replace(",", "\t"),
        FILE.replace(",", ";"),
        FILE.replace("\n", "\r\n"),
        "\ufeff" + FILE,
        FILE.replace("transport", '"transport"'),
        "\n" + FILE + "\n\n",
        FILE.replace("EFB1,", "EFB1"),
        FILE.replace("\n", ",,\n"),
    ],
    ids=["tab", "semicolon", "crlf", "bom", "quotes", "blank lines", "short row", "empty columns"],
)
def test_that_dialects_read_the_same(content: str) -> None:
    read, expected = annotation(content), annotation(FILE)
    assert (read.names, read.columns) == (expected.names, expected.columns)


def test_that_texts_are_kept_letter_by_letter() -> None:
    read = annotation("id,stage\na,01\nb,NA\nc,1e5\nd, x \n")
    assert [cell.strip() for cell in read.columns[1]] == ["01", "NA", "1e5", "x"]


def test_that_a_compressed_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "annotation.csv.gz"
    path.write_bytes(gzip.compress(FILE.encode()))
    assert read_annotation(Source.at(path)).columns == annotation(FILE).columns


def test_that_a_workbook_is_read_from_the_sheet_with_most_cells(tmp_path: Path) -> None:
    path = tmp_path / "annotation.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("about").write(0, 0, "made in May")
        sheet = book.add_worksheet("genes")
        for row, cells in enumerate([("id", "length"), ("YAL001C", 3483), ("YAL002W", 3825.5)]):
            sheet.write_row(row, 0, cells)
    read = read_annotation(Source.at(path))
    assert read.names == ("id", "length")
    assert read.columns == (("YAL001C", "YAL002W"), ("3483", "3825.5"))
    assert len(read.notes) == 1
    assert {guess.key: guess.value for guess in read.guesses} == {"part": "genes"}
    other = read_annotation(Source.at(path), Choices(part="about"))
    assert other.names == ("made in May",)


def test_that_a_header_without_a_name_over_the_row_names_is_understood() -> None:
    read = annotation("symbol,pathway\nYAL001C,TFC3,x\nYAL002W,VPS8,y\n")
    assert read.names == ("column 1", "symbol", "pathway")
    assert join(table(), read).on == "column 1"


def test_that_a_file_without_a_header_loses_no_row() -> None:
    joined = join(table(), annotation("YAL001C\tA\nYAL002W\tB\nYAL003W\tA\n"))
    assert joined.on == "column 1"
    assert dict(joined.table.items.labels) == {"column 2": ("A", "B", "A")}
    assert "header_rows" in {guess.key for guess in joined.guesses}
    chosen = join(table(), annotation("YAL001C\tA\nYAL002W\tB\n", header_rows=0))
    assert chosen.table.items.labels["column 2"] == ("A", "B", "")


def test_that_comments_before_the_table_are_left_out_and_told() -> None:
    read = annotation("# from the database\n# of May\n" + FILE)
    assert read.columns == annotation(FILE).columns
    assert [note.key for note in read.notes] == ["load.comments"]


def test_that_a_header_behind_a_comment_mark_is_one() -> None:
    assert annotation("#" + FILE).names == ("#id", "symbol", "pathway")


def test_that_columns_of_one_name_are_told_apart() -> None:
    read = annotation("id,name,name,name (2)\na,1,2,3\n")
    assert len(set(read.names)) == 4
    assert read.names[1] == "name"
    assert [note.key for note in read.notes] == ["load.columns_renamed"]


def test_that_looser_matches_are_counted_and_listed() -> None:
    names = ("TP53", "brca1", "ENSG00000141510.12", "KRAS")
    content = "gene,group\nTP53,a\nBRCA1,b\nENSG00000141510,c\nMYC,d\n"
    joined = join(table(names), annotation(content))
    assert joined.found == {
        "exact": (("TP53", "TP53"),),
        "white space": (),
        "case": (("brca1", "BRCA1"),),
        "version": (("ENSG00000141510.12", "ENSG00000141510"),),
        "punctuation": (),
    }
    assert joined.not_found == ("KRAS",)
    assert joined.unused == ("MYC",)
    assert joined.table.items.labels["group"] == ("a", "b", "c", "")
    assert keys(joined) == [
        "load.loose_match",
        "load.loose_match",
        "load.not_annotated",
        "load.unused_rows",
    ]


def test_that_rows_for_one_name_count_where_they_agree() -> None:
    content = "gene,group,length\na,x,1\na,x,2\nb,y,3\nc,z,4\n"
    joined = join(table(("a", "b", "c")), annotation(content))
    assert joined.unclear == ("a",)
    assert dict(joined.table.items.labels) == {"group": ("x", "y", "z"), "length": ("", "3", "4")}
    assert "load.unclear_match" in keys(joined)


def test_that_names_that_share_a_row_loosely_get_nothing() -> None:
    names = ("ENSG00000000001.1", "ENSG00000000001.2", "ENSG00000000003")
    content = "gene,group\nENSG00000000001,x\nENSG00000000003,y\n"
    joined = join(table(names), annotation(content))
    assert joined.unclear == names[:2]
    assert joined.table.items.labels["group"] == ("", "", "y")


def test_that_repeated_items_are_all_labelled() -> None:
    joined = join(table(("a", "a", "b")), annotation("gene,group\na,x\nb,y\n"))
    assert joined.table.items.labels["group"] == ("x", "x", "y")


def test_that_a_label_that_is_there_already_is_kept() -> None:
    before = table(symbol=("old", "old", "old"))
    joined = join(before, annotation(FILE))
    assert joined.labels == {"symbol": "symbol (2)", "pathway": "pathway"}
    assert joined.table.items.labels["symbol"] == ("old", "old", "old")
    assert joined.table.items.labels["symbol (2)"] == ("TFC3", "VPS8", "EFB1")
    assert keys(joined) == ["load.label_renamed"]


def test_that_choices_are_respected() -> None:
    swapped = "YAL001C,gene\nYAL003W,YAL001C\nYAL001C,YAL002W\n"
    joined = join(table(), annotation(swapped, header_rows=1), ITEMS, on="gene")
    assert joined.on == "gene"
    assert joined.guesses == ()
    assert joined.table.items.labels["YAL001C"] == ("YAL003W", "YAL001C", "")
    assert set(join(table(), annotation(FILE), take=["pathway"]).labels) == {"pathway"}
    assert not join(table(), annotation(FILE), take=[]).table.items.labels


def test_that_what_is_not_there_is_refused_with_a_proposal() -> None:
    with pytest.raises(UserError) as caught:
        join(table(), annotation(FILE), on="Symbol")
    assert caught.value.keys == ("load.no_such_column",)
    assert "symbol" in caught.value.problems[0].way_out
    with pytest.raises(UserError) as caught:
        join(table(), annotation(FILE), "rows")
    assert caught.value.keys == ("side.unknown",)


def test_that_a_file_about_something_else_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        join(table(), annotation("id,x\nAT1G01010,1\nAT1G01020,2\n"))
    assert caught.value.keys == ("load.no_overlap",)


def test_that_thin_overlap_is_not_sure() -> None:
    names = tuple(f"gene{number}" for number in range(10))
    joined = join(table(names), annotation("id,x\ngene3,1\nother,2\n"))
    assert not any(guess.sure for guess in joined.guesses)


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ("", "load.empty"),
        ("# nothing\n\n", None),
        ("a,b\n1,2,3\n1,2\n", "load.uneven_rows"),
        ('a,b\n"1,2\n', "load.not_a_table"),
    ],
)
def test_that_what_is_no_table_is_refused(content: str, key: str | None) -> None:
    if key is None:
        assert annotation(content).columns == ((),)
        return
    with pytest.raises(UserError) as caught:
        annotation(content)
    assert caught.value.keys == (key,)


@given(st.text(st.characters(codec="utf-8"), max_size=200))
def test_that_any_text_is_an_annotation_or_refused(content: str) -> None:
    try:
        read = annotation(content)
    except UserError:
        return
    assert len(set(read.names)) == len(read.names) == len(read.columns)
    assert len({len(column) for column in read.columns}) <= 1


CELLS = st.text(st.sampled_from("abcXYZ019 ,;'-"), max_size=5).map(str.strip)


@given(
    st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8),
    st.sampled_from(["\t", "|"]),
)
def test_that_any_labels_read_back_equal(rows: list[tuple[str, str]], delimiter: str) -> None:
    names = tuple(f"gene {number}" for number in range(len(rows)))
    lines = [("gene", "first", "second"), *((n, *row) for n, row in zip(names, rows, strict=True))]
    content = "".join(delimiter.join(line) + "\n" for line in lines)
    joined = join(table(names), annotation(content, delimiter=delimiter))
    assert joined.table.items.labels["first"] == tuple(row[0] for row in rows)
    assert joined.table.items.labels["second"] == tuple(row[1] for row in rows)


def test_that_names_changed_by_r_are_found_and_told() -> None:
    names = ("TCGA.A1.A0SB", "X1.week", "Köln.2", "plain")
    content = "sample,group\nTCGA-A1-A0SB,a\n1 week,b\nKöln 2,c\nplain,d\n"
    joined = join(table(names), annotation(content))
    assert joined.table.items.labels["group"] == ("a", "b", "c", "d")
    assert joined.found["punctuation"] == (
        ("TCGA.A1.A0SB", "TCGA-A1-A0SB"),
        ("X1.week", "1 week"),
        ("Köln.2", "Köln 2"),
    )
    assert keys(joined) == ["load.loose_match"]
    # The other way round, too: the table has the names as they were.
    back = join(
        table(("TCGA-A1-A0SB", "1 week")), annotation("s,group\nTCGA.A1.A0SB,a\nX1.week,b\n")
    )
    assert back.table.items.labels["group"] == ("a", "b")


def test_that_what_r_made_the_same_stays_unclear() -> None:
    joined = join(table(("CD4+", "CD4-", "B")), annotation("cell,group\nCD4.,a\nB,b\n"))
    assert joined.unclear == ("CD4+", "CD4-")
    assert joined.table.items.labels["group"] == ("", "", "b")
    # Without R in between they are simply two names.
    other = join(table(("CD4+", "B")), annotation("cell,group\nCD4-,a\nB,b\n"))
    assert other.not_found == ("CD4+",)
