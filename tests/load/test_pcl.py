"""Tables of Cluster and TreeView, with and without weights, orders and trees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.load.known_structure import (
    DATA,
    Drawn,
    in_corpus,
    keys_of,
    noted,
    open_damaged,
    read_text,
    tables,
)
from ximstudio.load.reading import Choices, Reading, silent
from ximstudio.load.source import Source
from ximstudio.load.structured.pcl import FORMAT

nan = np.nan


def read(name: str, **choices: str) -> Reading:
    source = in_corpus(f"pcl/{name}")
    assert FORMAT.recognises(source)
    return FORMAT.read(source, Choices(**choices), silent)  # type: ignore[arg-type]


def test_that_weights_become_labels_and_are_told_not_to_be_used() -> None:
    reading = read("weights.pcl")
    table = reading.table
    assert table.items.names == ("YAL001C", "YAL002W")
    assert dict(table.items.labels) == {
        "NAME": ("TFC3 transcription", "VPS8 sorting"),
        "GWEIGHT": ("1", "2"),
    }
    assert table.features.names == ("heat 0", "heat 10")
    assert dict(table.features.labels) == {"EWEIGHT": ("1", "0.5")}
    np.testing.assert_array_equal(table.values, [[0.1, nan], [-0.25, 1.5]])
    assert [note.key for note in reading.notes] == ["load.weights_unused"] * 2


def test_that_weights_of_one_need_no_note() -> None:
    reading = read("plain.pcl")
    table = reading.table
    assert not reading.notes
    assert table.items.names == ("YAL001C", "YAL002W")
    assert table.items.labels["GORDER"] == ("1", "2")
    assert dict(table.features.labels) == {"EWEIGHT": ("1.000", "1"), "EORDER": ("1", "2")}
    np.testing.assert_array_equal(table.values, [[0.1, nan], [nan, 1.5]])


def test_that_gid_names_the_genes_where_nothing_else_does() -> None:
    table = read("gid_is_the_id.pcl").table
    assert table.items.names == ("YKL032C", "YMR027W")
    assert tuple(table.items.labels) == ("NAME", "GWEIGHT")
    np.testing.assert_array_equal(table.values, [[-0.02, 0.03], [-0.018, 0.013]])


def test_that_places_in_trees_become_labels() -> None:
    table = read("clustered.cdt").table
    assert table.items.names == ("YAL002W", "YAL001C")
    assert table.items.labels["GID"] == ("GENE1X", "GENE0X")
    assert dict(table.features.labels) == {
        "AID": ("ARRY2X", "ARRY0X", "ARRY1X"),
        "EWEIGHT": ("1", "1", "1"),
    }
    np.testing.assert_array_equal(table.values, [[1, 2, nan], [4, 5, 6]])


def test_that_the_row_of_tree_places_tells_where_values_begin() -> None:
    table = read("without_weights.cdt").table
    assert table.items.names == ("p2", "p1")
    assert table.items.labels["note"] == ("007", "008")
    assert table.features.names == ("a", "b")
    np.testing.assert_array_equal(table.values, [[1, 2], [3, 4]])


def test_that_a_table_with_nothing_but_tree_places_of_genes_is_read() -> None:
    table = read("genes_only.cdt").table
    assert table.items.names == ("p2", "p1")
    assert tuple(table.items.labels) == ("GID", "NAME")
    np.testing.assert_array_equal(table.values, [[1, 2], [3, 4]])


def test_that_names_and_items_can_be_chosen() -> None:
    assert read("clustered.cdt", id="NAME").table.items.names == ("VPS8", "TFC3")
    turned = read("clustered.cdt", items="columns").table
    assert turned.items.names == ("a", "b", "c")
    assert turned.items.labels["AID"] == ("ARRY2X", "ARRY0X", "ARRY1X")
    assert turned.features.names == ("YAL002W", "YAL001C")


def test_that_a_second_gid_is_the_id() -> None:
    text = "GID\tGID\tNAME\tGWEIGHT\ta\nGENE0X\tg1\tx\t1\t2\n"
    table = read_text(FORMAT, text).table
    assert table.items.names == ("g1",)
    assert table.items.labels["GID"] == ("GENE0X",)


def test_that_an_annotation_after_the_weights_is_a_label() -> None:
    text = "ID\tNAME\tGWEIGHT\tarm\ta\tb\nEWEIGHT\t\t\t\t1\t1\ng1\tx\t1\tleft\t2\t3\n"
    table = read_text(FORMAT, text).table
    assert table.items.labels["arm"] == ("left",)
    assert table.features.names == ("a", "b")


def test_that_texts_in_the_corner_are_told() -> None:
    text = "ID\tNAME\tGWEIGHT\ta\nEWEIGHT\tlost\t\t1\ng1\tx\t1\t2\n"
    assert noted(read_text(FORMAT, text)) == {"load.corner_texts"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("ID\tNAME\tGWEIGHT\ta\n", "load.truncated"),
        ("ID\tNAME\tGWEIGHT\ta\nEWEIGHT\t\t\t1\n", "load.no_values"),
        ("ID\tNAME\tGWEIGHT\ta\nEWEIGHT\t\t\t1\t1\ng\tx\t1\t2\n", "load.uneven_rows"),
        ("ID\tNAME\tGWEIGHT\ta\tb\ng\tx\t1\t2\n", "load.uneven_rows"),
        ("ID\tNAME\tGWEIGHT\ta\ng\tx\t1\t2\nh\tx\t1\thigh\ni\tx\t1\t4\n", "load.not_a_number"),
        ("ID\tNAME\tGWEIGHT\ta\ng\tx\t1\thigh\n", "load.no_values"),
        ("", "load.truncated"),
    ],
)
def test_that_what_is_wrong_is_refused_with_its_key(text: str, key: str) -> None:
    assert keys_of(FORMAT, text) == (key,)


def test_that_ordinary_tables_are_not_recognised() -> None:
    for text in (
        "ID\ta\tb\ng1\t1\t2\n",
        "GID\tname\ta\nG1\tx\t2\n",
        "gene\tNAME\ta\ng1\tx\t2\n",
        "YORF,NAME,GWEIGHT,a\ng,x,1,2\n",
        "EWEIGHT\n1\n",
        "",
    ):
        assert not FORMAT.recognises(Source.pasted(text))


@given(tables(), st.booleans(), st.booleans(), st.booleans())
def test_that_every_table_reads_back(
    drawn: Drawn, in_tree: bool, weighted: bool, arrays_in_tree: bool
) -> None:
    before = ["GID"] if in_tree else []
    header = [*before, "YORF", "NAME", "GWEIGHT"]
    lines = ["\t".join([*header, *drawn.features])]
    if arrays_in_tree:
        places = [f"ARRY{number}X" for number in range(len(drawn.features))]
        lines.append("\t".join(["AID", *[""] * (len(header) - 1), *places]))
    if weighted:
        lines.append(
            "\t".join(["EWEIGHT", *[""] * (len(header) - 1), *["1"] * len(drawn.features)])
        )
    for number, name in enumerate(drawn.items):
        place = f"GENE{number}X\t" if in_tree else ""
        lines.append(f"{place}{name}\t{drawn.labels[number]}\t1{drawn.lines()[number]}")
    text = "\n".join(lines)
    assert FORMAT.recognises(Source.pasted(text))
    table = read_text(FORMAT, text, encoding="utf-8").table
    assert table.items.names == tuple(drawn.items)
    assert table.items.labels["NAME"] == tuple(drawn.labels)
    assert table.features.names == tuple(drawn.features)
    assert ("AID" in table.features.labels) == arrays_in_tree
    np.testing.assert_array_equal(table.values, drawn.values)


@pytest.mark.parametrize("name", ["weights.pcl", "clustered.cdt"])
def test_that_damaged_files_are_read_or_refused(tmp_path: Path, name: str) -> None:
    read, refused = open_damaged(FORMAT, tmp_path, (DATA / "pcl" / name).read_bytes())
    assert read > 0
    assert refused > 0
