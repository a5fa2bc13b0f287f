"""Orange's files: types and flags of columns decide what is a value and what a label."""

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
from ximstudio.load.structured.orange_tab import FORMAT

nan = np.nan


def read(name: str, **choices: str) -> Reading:
    source = in_corpus(f"orange/{name}")
    assert FORMAT.recognises(source)
    return FORMAT.read(source, Choices(**choices), silent)  # type: ignore[arg-type]


def test_that_types_and_flags_give_columns_their_roles() -> None:
    reading = read("three_lines.tab")
    table = reading.table
    assert table.items.names == ("YAL001C", "YAL002W", "YAL003W")
    assert dict(table.items.labels) == {
        "function": ("Ribo", "Prot", "Ribo"),
        "day": ("2001-02-03", "2001-02-04", "?"),
        "note": ("first", "", "third"),
        "w": ("1", "2", "1"),
    }
    assert table.features.names == ("heat", "cold")
    assert dict(table.features.labels) == {"unit": ("min", ""), "group": ("stress test", "none")}
    np.testing.assert_array_equal(table.values, [[1.5, nan], [nan, -2], [3, 40]])
    assert noted(reading) == {"load.ignored_columns", "load.weights_unused"}


def test_that_prefixes_give_columns_their_roles() -> None:
    reading = read("prefixes.tab")
    table = reading.table
    assert table.items.names == ("g1", "g2")
    assert dict(table.items.labels) == {
        "kind": ("x", "y"),
        "phase": ("a", "b"),
        "remark": ("t", "u"),
    }
    assert table.features.names == ("heat", "cold")
    np.testing.assert_array_equal(table.values, [[1, 1.5], [nan, 2.5]])
    told = {guess.key: guess.value for guess in reading.guesses}
    assert told["discrete"] == "phase"
    assert told["types"] == "cold,remark"


def test_that_repeated_names_are_a_label_unless_chosen() -> None:
    reading = read("repeated_names.tab")
    assert reading.table.items.names == ("row 1", "row 2")
    assert reading.table.items.labels["gene"] == ("a", "a")
    guess = next(guess for guess in reading.guesses if guess.key == "id")
    assert guess.value == ""
    assert not guess.sure
    assert read("repeated_names.tab", id="gene").table.items.names == ("a", "a")


def test_that_a_line_of_flags_may_be_blank() -> None:
    table = read("blank_flags.tab").table
    assert table.items.names == ("g1", "g2")
    assert dict(table.items.labels) == {"kind": ("x", "y")}
    np.testing.assert_array_equal(table.values, [[1], [2]])


def test_that_rows_are_numbered_where_no_column_names_them() -> None:
    table = read_text(FORMAT, "heat\tcold\nc\tc\n\t\n1\t2\n3\t4\n").table
    assert table.items.names == ("row 1", "row 2")
    np.testing.assert_array_equal(table.items.numbers, [4, 5])


def test_that_attributes_of_columns_without_values_are_told() -> None:
    text = "name\theat\nstring\tc\nmeta note=x\t\ng\t1\n"
    assert noted(read_text(FORMAT, text)) == {"load.unused_attributes"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("name\theat\ns\tc\nmeta\t\n", "load.truncated"),
        ("name\tkind\ns\td\nmeta\tclass\na\tx\n", "load.no_values"),
        ("name\theat\ns\tc\nmeta\t\na\t1\tx\n", "load.uneven_rows"),
        ("name\theat\ns\tc\nmeta\t\na\tx\n", "load.not_a_number"),
        ("gene\ta\ng\t1\n", "load.not_orange"),
        ("", "load.not_orange"),
    ],
)
def test_that_what_is_wrong_is_refused_with_its_key(text: str, key: str) -> None:
    assert keys_of(FORMAT, text) == (key,)


def test_that_ordinary_tables_are_not_recognised() -> None:
    for text in (
        "gene\ta\tb\ng1\t1\t2\ng2\t3\t4\n",
        "gene\tS#1\tS#2\ng1\t1\t2\n",
        "#gene\ta\ng1\t1\n",
        "gene\tclass\nx\tc\ny\td\n",
        "gene\ts1\ts2\nclass\tc\td\ng1\t1\t2\n",
        "",
    ):
        assert not FORMAT.recognises(Source.pasted(text))


@given(tables(), st.booleans())
def test_that_every_table_reads_back(drawn: Drawn, prefixed: bool) -> None:
    if prefixed:
        lines = ["\t".join(["mS#remark", "mS#gene", *(f"C#{name}" for name in drawn.features)])]
    else:
        wide = len(drawn.features)
        lines = ["\t".join(["remark", "gene", *drawn.features])]
        lines += ["\t".join(["s", "string", *["c"] * wide]), "meta\tm" + "\t" * wide]
    for label, name, cells in zip(drawn.labels, drawn.items, drawn.lines(), strict=True):
        lines.append(f"{label}\t{name}{cells}")
    text = "\n".join(lines)
    assert FORMAT.recognises(Source.pasted(text))
    table = read_text(FORMAT, text, encoding="utf-8", id="gene").table
    assert table.items.names == tuple(drawn.items)
    assert table.items.labels["remark"] == tuple(drawn.labels)
    assert table.features.names == tuple(drawn.features)
    np.testing.assert_array_equal(table.values, drawn.values)


@pytest.mark.parametrize("name", ["three_lines", "prefixes"])
def test_that_damaged_files_are_read_or_refused(tmp_path: Path, name: str) -> None:
    read, refused = open_damaged(FORMAT, tmp_path, (DATA / f"orange/{name}.tab").read_bytes())
    assert read > 0
    assert refused > 0
