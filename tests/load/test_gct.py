"""GCT files as they are written, as spreadsheets leave them, and as they break."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.load.known_structure import (
    Drawn,
    in_corpus,
    keys_of,
    noted,
    open_damaged,
    read_text,
    tables,
)
from ximstudio.load.reading import Choices, silent
from ximstudio.load.source import Source
from ximstudio.load.structured.gct import FORMAT

PLAIN = (
    "#1.2\n3\t2\nNAME\tDescription\theat\tcold\n"
    "YAL001C\tTFC3\t1.5\t-2\nYAL002W\tVPS8\t0.25\t1e-3\nYAL003W\tEFB1\t7\t8\n"
)
VALUES = [[1.5, -2.0], [0.25, 1e-3], [7.0, 8.0]]


def test_that_a_plain_file_is_read_to_its_table() -> None:
    reading = FORMAT.read(in_corpus("gct/plain.gct"), Choices(), silent)
    table = reading.table
    assert table.items.names == ("YAL001C", "YAL002W", "YAL003W")
    assert dict(table.items.labels) == {"Description": ("TFC3", "VPS8", "EFB1")}
    assert table.features.names == ("heat", "cold")
    assert table.items.address(1) == "'YAL002W' (line 5)"
    assert table.features.address(0) == "'heat' (column 3)"
    np.testing.assert_array_equal(table.values, VALUES)
    assert reading.format == "gct"
    assert not reading.notes
    assert {guess.key: guess.value for guess in reading.guesses} == {
        "encoding": "utf-8",
        "id": "NAME",
        "labels": "Description",
        "items": "rows",
    }


def test_that_what_a_spreadsheet_adds_does_no_harm() -> None:
    reading = FORMAT.read(in_corpus("gct/padded.gct"), Choices(), silent)
    table = reading.table
    assert table.items.names == ("YAL001C", "YAL002W", "YAL003W")
    assert table.items.labels["Description"] == ("TFC3, a factor", 'says "hello"', "EFB1")
    assert table.features.names == ("heat, 20 min", "cold")
    np.testing.assert_array_equal(table.values, VALUES)
    np.testing.assert_array_equal(table.items.numbers, [4, 5, 7])
    assert noted(reading) == {"load.empty_rows"}


def test_that_labels_of_rows_and_columns_stay_with_them() -> None:
    table = FORMAT.read(in_corpus("gct/labels.gct"), Choices(), silent).table
    assert table.items.names == ("g1", "g2")
    assert dict(table.items.labels) == {"symbol": ("TFC3", "VPS8"), "length": ("120", "NA")}
    assert table.features.names == ("s1", "s2", "s3")
    assert dict(table.features.labels) == {
        "tissue": ("liver", "brain", "liver"),
        "dose": ("0.10", "1", ""),
    }
    np.testing.assert_array_equal(table.values, [[1, 2, 3], [4, np.nan, 6]])


def test_that_blanks_lone_quotes_and_infinite_values_are_kept() -> None:
    reading = FORMAT.read(in_corpus("gct/blanks.gct"), Choices(), silent)
    assert reading.table.items.names == ("p1", "p2", "p3", "p4")
    assert reading.table.items.labels["Description"] == ('5" end of it', '"open quote', "na", "")
    nan = np.nan
    np.testing.assert_array_equal(
        reading.table.values, [[1, nan, 3], [nan, 5, nan], [-np.inf, nan, 9], [10, 11, 12]]
    )
    assert noted(reading) == {"load.stripped_names"}
    missing = next(guess for guess in reading.guesses if guess.key == "missing")
    assert set(missing.value.split(",")) == {"NA", "null", "NaN"}


def test_that_sizes_that_disagree_are_told() -> None:
    reading = FORMAT.read(in_corpus("gct/edited.gct"), Choices(), silent)
    np.testing.assert_array_equal(reading.table.values, [[1, 2], [3, 4], [5, 6]])
    assert [note.key for note in reading.notes] == ["load.sizes_disagree"] * 2


def test_that_a_class_file_beside_it_is_mentioned_and_not_read() -> None:
    reading = FORMAT.read(in_corpus("gct/beside.gct"), Choices(), silent)
    assert noted(reading) == {"load.cls_beside"}
    assert not reading.table.features.labels


def test_that_western_letters_are_read_and_the_guess_is_not_sure() -> None:
    reading = FORMAT.read(in_corpus("gct/latin.gct"), Choices(), silent)
    assert reading.table.features.names == ("37 °C",)
    assert reading.table.items.labels["Description"] == ("naïve",)
    assert not reading.guesses[0].sure


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_that_encodings_and_newlines_make_no_difference(
    tmp_path: Path, encoding: str, newline: str
) -> None:
    path = tmp_path / "table.gct.gz"
    path.write_bytes(gzip.compress(PLAIN.replace("\n", newline).encode(encoding)))
    source = Source.at(path)
    assert FORMAT.recognises(source)
    table = FORMAT.read(source, Choices(), silent).table
    assert table.items.names == ("YAL001C", "YAL002W", "YAL003W")
    np.testing.assert_array_equal(table.values, VALUES)


def test_that_names_labels_and_items_can_be_chosen() -> None:
    by_description = read_text(FORMAT, PLAIN, id="Description").table
    assert by_description.items.names == ("TFC3", "VPS8", "EFB1")
    assert by_description.items.labels["NAME"] == ("YAL001C", "YAL002W", "YAL003W")
    numbered = read_text(FORMAT, PLAIN, id="").table
    assert numbered.items.names == ("row 1", "row 2", "row 3")
    labelled = read_text(FORMAT, PLAIN, labels=("heat",)).table
    assert labelled.features.names == ("cold",)
    assert labelled.items.labels["heat"] == ("1.5", "0.25", "7")
    turned = read_text(FORMAT, PLAIN, items="columns", labels=("YAL002W",)).table
    assert turned.items.names == ("heat", "cold")
    assert turned.features.names == ("YAL001C", "YAL003W")
    assert turned.items.labels["YAL002W"] == ("0.25", "1e-3")
    assert turned.features.labels["Description"] == ("TFC3", "EFB1")
    np.testing.assert_array_equal(turned.values, [[1.5, 7], [-2, 8]])


def test_that_a_spelling_of_missing_can_be_chosen() -> None:
    text = PLAIN.replace("0.25", "-2")
    values = read_text(FORMAT, text, missing=("-2",)).table.values
    np.testing.assert_array_equal(values, [[1.5, np.nan], [np.nan, 1e-3], [7, 8]])


def test_that_texts_in_the_corner_are_told() -> None:
    text = "#1.3\n1\t1\t1\t1\nid\tsymbol\ts1\ntissue\tlost\tliver\ng1\tA\t1\n"
    assert noted(read_text(FORMAT, text)) == {"load.corner_texts"}
    assert not read_text(FORMAT, text.replace("lost", "-666")).notes


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("#1.2\n", "load.truncated"),
        ("#1.2\n3\t2\n", "load.truncated"),
        (PLAIN[: PLAIN.index("YAL003W")], "load.truncated"),
        (PLAIN.replace("\t8\n", ""), "load.uneven_rows"),
        (PLAIN.replace("3\t2\n", "3\n"), "load.bad_sizes"),
        (PLAIN.replace("3\t2\n", "three\t2\n"), "load.bad_sizes"),
        (PLAIN.replace("3\t2\n", f"3\t{'9' * 400}\n"), "load.bad_sizes"),
        (PLAIN.replace("Description\t", ""), "load.sizes_disagree"),
        (PLAIN.replace("0.25", "low"), "load.not_a_number"),
        ("#1.2\n0\t2\nNAME\tDescription\ta\tb\n", "load.no_values"),
        (
            "#1.3\n1\t1\t1\t1\nid\tsymbol\ts1\tx\ntissue\tna\tliver\ng1\tA\t1\n",
            "load.sizes_disagree",
        ),
        ("#1.3\n1\t1\t1\t2\nid\tsymbol\ts1\ntissue\tna\tliver\n", "load.truncated"),
        ("gene\ta\n", "load.not_gct"),
        ("", "load.not_gct"),
    ],
)
def test_that_what_is_wrong_is_refused_with_its_key(text: str, key: str) -> None:
    assert keys_of(FORMAT, text) == (key,)


def test_that_unknown_choices_come_with_a_proposal() -> None:
    assert keys_of(FORMAT, PLAIN, id="Descripton") == ("load.no_such_id",)
    assert keys_of(FORMAT, PLAIN, labels=("haet",)) == ("load.no_such_label",)
    twice = PLAIN.replace("cold", "heat")
    assert keys_of(FORMAT, twice, labels=("heat",)) == ("load.ambiguous_label",)
    by_number = read_text(FORMAT, twice, labels=("column 4",)).table
    assert by_number.features.names == ("heat",)


def test_that_only_the_mark_in_the_first_line_is_recognised() -> None:
    assert FORMAT.recognises(Source.pasted(PLAIN))
    for text in ("#1.20\n", "#1.2 of something\t2\n", "gene\t#1.2\n", "", "#1.1\n1\t1\n"):
        assert not FORMAT.recognises(Source.pasted(text))


def test_that_a_report_ends_the_reading_and_hears_the_whole_of_it() -> None:
    heard: list[float] = []
    FORMAT.read(Source.pasted(PLAIN), Choices(), heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0

    class Stop(Exception):
        pass

    def stop(fraction: float) -> None:
        if fraction > 0.4:
            raise Stop

    with pytest.raises(Stop):
        FORMAT.read(Source.pasted(PLAIN), Choices(), stop)


@given(tables(), st.sampled_from(["\n", "\r\n"]), st.integers(0, 2))
def test_that_every_table_reads_back(drawn: Drawn, newline: str, padding: int) -> None:
    lines = ["#1.2", f"{len(drawn.items)}\t{len(drawn.features)}"]
    lines.append("\t".join(["NAME", "Description", *drawn.features]))
    for name, label, cells in zip(drawn.items, drawn.labels, drawn.lines(), strict=True):
        lines.append(f"{name}\t{label}{cells}")
    text = newline.join(line + "\t" * padding for line in lines)
    table = read_text(FORMAT, text, encoding="utf-8").table
    assert table.items.names == tuple(drawn.items)
    assert table.items.labels["Description"] == tuple(drawn.labels)
    assert table.features.names == tuple(drawn.features)
    np.testing.assert_array_equal(table.values, drawn.values)


@pytest.mark.parametrize("name", ["padded", "labels"])
def test_that_damaged_files_are_read_or_refused(tmp_path: Path, name: str) -> None:
    data = (Path(__file__).parent.parent / f"data/gct/{name}.gct").read_bytes()
    read, refused = open_damaged(FORMAT, tmp_path, data)
    assert read > 0
    assert refused > 0
