"""GEO's SOFT files: data sets, families put together by id, and files without values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

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
from ximstudio.load.geo.soft import FORMAT
from ximstudio.load.reading import Choices, Reading, silent
from ximstudio.load.source import Source
from ximstudio.model import UserError

nan = np.nan


def read(name: str, **choices: str) -> Reading:
    source = in_corpus(f"geo/{name}.soft")
    assert FORMAT.recognises(source)
    return FORMAT.read(source, Choices(**choices), silent)  # type: ignore[arg-type]


def family(*samples: str, header: str = "ID_REF\tVALUE") -> str:
    return "".join(
        f"^SAMPLE = GSM{number}\n!sample_table_begin\n{header}\n{rows}!sample_table_end\n"
        for number, rows in enumerate(samples, 1)
    )


def test_that_a_data_set_is_read_with_its_subsets() -> None:
    table = read("dataset").table
    assert table.items.names == ("p1", "p2", "p3")
    assert dict(table.items.labels) == {
        "IDENTIFIER": ("TFC3", "VPS8", "VPS8"),
        "Gene title": ("factor", "", "sorting"),
    }
    assert table.features.names == ("GSM1", "GSM2", "GSM3")
    assert dict(table.features.labels) == {
        "title": ("heat, rep 1", "control", "heat, rep 2"),
        "source": ("liver", "liver", "brain"),
        "stress": ("heat", "control", "heat"),
        "age": ("young", "young", ""),
    }
    np.testing.assert_array_equal(table.values, [[1.5, nan, 3], [4, 5, 6], [7, 8, -9]])
    assert table.items.address(0) == "'p1' (line 27)"


def test_that_genes_can_be_named_by_symbol_and_samples_by_title() -> None:
    assert read("dataset", id="IDENTIFIER").table.items.names == ("TFC3", "VPS8", "VPS8")
    titled = read("dataset", id="title", items="columns").table
    assert titled.items.names == ("heat, rep 1", "control", "heat, rep 2")
    assert titled.items.labels["geo_accession"] == ("GSM1", "GSM2", "GSM3")


def test_that_a_family_is_put_together_by_id() -> None:
    reading = read("family")
    table = reading.table
    assert table.items.names == ("p1", "p2", "p3", "p4")
    assert dict(table.items.labels) == {
        "Gene Symbol": ("TFC3", "VPS8", "", ""),
        "SPOT_ID": ("", "", "control", ""),
    }
    assert table.features.names == ("GSM1", "GSM2")
    assert dict(table.features.labels) == {
        "title": ("heat", "cold"),
        "age": ("8 weeks", ""),
        "sex": ("f", "m"),
    }
    np.testing.assert_array_equal(table.values, [[1.5, 2.5], [nan, -2], [3, nan], [nan, 4]])
    assert noted(reading) == {
        "load.ids_differ",
        "load.ids_not_on_platform",
        "load.samples_without_values",
        "load.unused_lines",
    }


def test_that_another_column_of_a_family_can_be_chosen() -> None:
    values = read("family", part="DETECTION").table.values
    np.testing.assert_array_equal(values, [[0.01, 0.02], [0.5, 0.01], [nan, nan], [nan, 0.03]])


def test_that_a_family_can_be_named_by_what_its_platform_says() -> None:
    table = read("family", id="Gene Symbol").table
    assert table.items.names == ("TFC3", "VPS8", "", "")
    assert table.items.labels["ID_REF"] == ("p1", "p2", "p3", "p4")
    assert read("family", id="title").table.features.names == ("heat", "cold")
    assert read("family", id="").table.items.names == ("row 1", "row 2", "row 3", "row 4")


def test_that_samples_of_different_platforms_are_not_mixed() -> None:
    reading = read("two_platforms")
    assert reading.table.features.names == ("GSM1", "GSM3")
    np.testing.assert_array_equal(reading.table.values, [[10, 11], [20, 21]])
    assert "load.other_platforms" in noted(reading)
    guess = next(guess for guess in reading.guesses if guess.key == "part")
    assert guess.value == "GPL1"
    assert not guess.sure
    other = read("two_platforms", part="GPL2").table
    np.testing.assert_array_equal(other.values, [[-1], [-2]])


def test_that_ids_may_repeat_if_all_samples_have_the_same() -> None:
    table = read_text(FORMAT, family("a\t1\na\t2\n", "a\t3\na\t4\n")).table
    assert table.items.names == ("a", "a")
    np.testing.assert_array_equal(table.values, [[1, 3], [2, 4]])


def test_that_absent_or_blank_cells_at_the_end_of_a_row_do_no_harm() -> None:
    text = family("a\t1\nb\t2\tP\t\t\n\n", header="ID_REF\tVALUE\tABS_CALL")
    np.testing.assert_array_equal(read_text(FORMAT, text).table.values, [[1], [2]])


def test_that_a_platform_alone_is_refused() -> None:
    assert keys_of(FORMAT, in_corpus("geo/platform.soft")) == ("load.no_values",)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (family("a\t1\n")[:-20], "load.truncated"),
        (family("a\t1\na\t2\n", "a\t3\nb\t4\n"), "load.repeated_ids"),
        (family("a\t1\nb\n"), "load.uneven_rows"),
        (family("a\t1\t2\n"), "load.uneven_rows"),
        (family("a\t1\nb\thigh\n"), "load.not_a_number"),
        (family("a\t1\n", header="ID_REF\tRATIO"), "load.no_values"),
        (family(""), "load.no_values"),
        ("^SERIES = GSE1\n!Series_title = x\n", "load.no_values"),
        ("gene\ta\ng\t1\n", "load.no_values"),
        ("", "load.no_values"),
    ],
)
def test_that_what_is_wrong_is_refused_with_its_key(text: str, key: str) -> None:
    assert keys_of(FORMAT, text) == (key,)


def test_that_texts_among_numbers_are_found_on_their_line() -> None:
    with pytest.raises(UserError) as caught:
        read_text(FORMAT, family("a\t1\n", "a\t1\n\nb\thigh\n"))
    assert "line 11 " in caught.value.problems[0].where


def test_that_unknown_choices_come_with_a_proposal() -> None:
    for choices, key in (
        ({"id": "Gene Symbl"}, "load.no_such_id"),
        ({"labels": ("Gene Symbl",)}, "load.no_such_label"),
        ({"part": "DETECTON"}, "load.no_such_part"),
    ):
        assert keys_of(FORMAT, in_corpus("geo/family.soft"), **choices) == (key,)


def test_that_other_files_are_not_recognised() -> None:
    for text in ('!Series_title\t"x"\n', "^something else\n", "gene\t^SAMPLE = x\n", ""):
        assert not FORMAT.recognises(Source.pasted(text))


@given(tables())
def test_that_every_family_reads_back(drawn: Drawn) -> None:
    # Each sample of a family has its ids on its own, so they must not repeat here.
    ids = [f"{number}{name}" for number, name in enumerate(drawn.items)]
    columns = zip(*drawn.rows, strict=True)
    text = family(
        *(
            "".join(
                f"{name}\t{'' if v is None else repr(v)}\n"
                for name, v in zip(ids, column, strict=True)
            )
            for column in columns
        )
    )
    table = read_text(FORMAT, text, encoding="utf-8").table
    assert table.items.names == tuple(ids)
    np.testing.assert_array_equal(table.values, drawn.values)


@pytest.mark.parametrize("name", ["dataset", "family"])
def test_that_damaged_files_are_read_or_refused(tmp_path: Path, name: str) -> None:
    read, refused = open_damaged(FORMAT, tmp_path, (DATA / f"geo/{name}.soft").read_bytes())
    assert read > 0
    assert refused > 0
