"""GEO's series matrices: the table, sample labels, and series without values."""

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
from ximstudio.load.geo.series_matrix import FORMAT
from ximstudio.load.reading import Choices, Reading, silent
from ximstudio.load.source import Source
from ximstudio.model import UserError

nan = np.nan
SMALL = (
    '!Series_title\t"x"\n!Sample_geo_accession\t"GSM1"\t"GSM2"\n!series_matrix_table_begin\n'
    '"ID_REF"\t"GSM1"\t"GSM2"\n"p1"\t1\t2\n"p2"\t3\t4\n!series_matrix_table_end\n'
)


def read(**choices: str) -> Reading:
    source = in_corpus("geo/series_matrix.txt")
    return FORMAT.read(source, Choices(**choices), silent)  # type: ignore[arg-type]


def test_that_probes_are_items_and_characteristics_are_labels_of_samples() -> None:
    assert FORMAT.recognises(in_corpus("geo/series_matrix.txt"))
    reading = read()
    table = reading.table
    assert table.items.names == ("1007_s_at", "1053_at", "117")
    assert not table.items.labels
    assert table.features.names == ("GSM1", "GSM2", "GSM3")
    assert dict(table.features.labels) == {
        "title": ("heat, rep 1", "cold, rep 1", "heat, rep 2"),
        "source_name": ("liver", "liver", "brain"),
        "organism": ("Mus musculus", "Mus musculus", "Mus musculus"),
        "age": ("8 weeks", "", "9 weeks"),
        "sex": ("f; tested twice", "m", ""),
        "age (channel 2)": ("", "pool: 3", ""),
        "characteristics": ("", "", "wild type"),
    }
    np.testing.assert_array_equal(table.values, [[5.5, -1, nan], [nan, 2000, 0.125], [7, 8, 9]])
    np.testing.assert_array_equal(table.items.numbers, [16, 17, 18])
    assert noted(reading) == {"load.unused_lines"}


def test_that_samples_can_be_items_named_by_their_title() -> None:
    table = read(items="columns", id="title").table
    assert table.items.names == ("heat, rep 1", "cold, rep 1", "heat, rep 2")
    assert table.items.labels["geo_accession"] == ("GSM1", "GSM2", "GSM3")
    assert table.features.names == ("1007_s_at", "1053_at", "117")


def test_that_a_series_without_values_names_its_supplementary_file() -> None:
    source = in_corpus("geo/sequencing_series_matrix.txt")
    with pytest.raises(UserError) as caught:
        FORMAT.read(source, Choices(), silent)
    assert caught.value.keys == ("load.no_values",)
    assert "GSE2_counts.txt.gz" in caught.value.problems[0].way_out


def test_that_samples_are_found_by_accession_not_by_order() -> None:
    text = SMALL.replace(
        '"GSM1"\t"GSM2"\n!series', '"GSM2"\t"GSM1"\n!Sample_title\t"two"\t"one"\n!series', 1
    )
    reading = read_text(FORMAT, text)
    assert reading.table.features.labels["title"] == ("one", "two")
    assert "load.samples_disagree" not in noted(reading)


def test_that_samples_that_are_not_described_are_told() -> None:
    reading = read_text(
        FORMAT, SMALL.replace('!Sample_geo_accession\t"GSM1"\t', "!Sample_geo_accession\t")
    )
    assert "load.samples_disagree" in noted(reading)


def test_that_lines_around_the_table_are_told() -> None:
    plain = read_text(FORMAT, SMALL)
    more = read_text(FORMAT, SMALL + "a remark\n")
    assert len(more.notes) == len(plain.notes) + 1


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (SMALL.replace("!series_matrix_table_end\n", ""), "load.truncated"),
        (SMALL[: SMALL.index("!series_matrix_table_begin")], "load.truncated"),
        (SMALL.replace("\t4\n", "\n"), "load.uneven_rows"),
        (SMALL.replace("\t4\n", "\tfour\n"), "load.not_a_number"),
        ("gene\ta\ng\t1\n", "load.not_series_matrix"),
        ("", "load.not_series_matrix"),
    ],
)
def test_that_what_is_wrong_is_refused_with_its_key(text: str, key: str) -> None:
    assert keys_of(FORMAT, text) == (key,)


def test_that_other_files_are_not_recognised() -> None:
    for text in ("^SERIES = GSE1\n!Series_title = x\n", "!comment\na\tb\n", ""):
        assert not FORMAT.recognises(Source.pasted(text))


@given(tables(), st.booleans())
def test_that_every_table_reads_back(drawn: Drawn, quoted: bool) -> None:
    def cell(text: str) -> str:
        return f'"{text}"' if quoted else text

    samples = [f"GSM{number}" for number in range(len(drawn.features))]
    lines = ['!Series_title\t"x"']
    for key, texts in (("title", drawn.features), ("geo_accession", samples)):
        lines.append("\t".join([f"!Sample_{key}", *map(cell, texts)]))
    lines += ["!series_matrix_table_begin", "\t".join(map(cell, ["ID_REF", *samples]))]
    for name, cells in zip(drawn.items, drawn.lines(), strict=True):
        lines.append(cell(name) + cells)
    lines.append("!series_matrix_table_end")
    table = read_text(FORMAT, "\n".join(lines), encoding="utf-8").table
    assert table.items.names == tuple(drawn.items)
    assert table.features.names == tuple(samples)
    assert table.features.labels["title"] == tuple(drawn.features)
    np.testing.assert_array_equal(table.values, drawn.values)


def test_that_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    data = (DATA / "geo/series_matrix.txt").read_bytes()
    read, refused = open_damaged(FORMAT, tmp_path, data)
    assert read > 0
    assert refused > 0
