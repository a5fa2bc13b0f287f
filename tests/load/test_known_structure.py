"""Formats with a known structure side by side: each knows its own files, and none freezes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.load.known_structure import DATA, keys_of, read_text
from ximstudio.load.format import Format
from ximstudio.load.geo import series_matrix, soft
from ximstudio.load.source import HEAD, Source
from ximstudio.load.structured import cls, gct, orange_tab, pcl

FORMATS = {
    "gct": gct.FORMAT,
    "cls": cls.FORMAT,
    "pcl": pcl.FORMAT,
    "orange": orange_tab.FORMAT,
    "series-matrix": series_matrix.FORMAT,
    "soft": soft.FORMAT,
}
CORPUS = sorted(
    path for folder in ("gct", "cls", "pcl", "orange", "geo") for path in (DATA / folder).iterdir()
)
WIDE = 40_000


def expected(path: Path) -> str:
    if path.suffix in {".gct", ".cls", ".soft"}:
        return path.suffix[1:]
    return {"pcl": "pcl", "orange": "orange", "geo": "series-matrix"}[path.parent.name]


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_that_every_file_is_recognised_by_its_own_format_only(path: Path) -> None:
    source = Source.at(path)
    found = [key for key, reader in FORMATS.items() if reader.recognises(source)]
    assert found == [expected(path)]


@pytest.mark.parametrize("reader", FORMATS.values(), ids=FORMATS)
def test_that_folders_binaries_and_nothing_are_not_recognised(
    tmp_path: Path, reader: Format
) -> None:
    binary = tmp_path / "binary"
    for data in (b"", b"\0\0\0\0", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", bytes(range(256)) * 9):
        binary.write_bytes(data)
        assert not reader.recognises(Source.at(binary))
    assert not reader.recognises(Source.at(tmp_path))


def names(count: int) -> str:
    return "\t".join(f"sample{number}" for number in range(count))


def cells(text: str, count: int) -> str:
    return "\t".join([text] * count)


def test_that_a_header_longer_than_the_head_is_recognised_and_read() -> None:
    half = WIDE // 2
    cases = {
        "pcl": f"ID\tNAME\tGWEIGHT\t{names(WIDE)}\ng\tx\t1\t{cells('1', WIDE)}\n",
        "orange": f"{names(half)}\n{cells('continuous', half)}\n\n{cells('1', half)}\n",
        "gct": f"#1.2\n1\t{WIDE}\nName\tDescription\t{names(WIDE)}\ng\tx\t{cells('1', WIDE)}\n",
    }
    for key, text in cases.items():
        assert len(text) > HEAD
        assert FORMATS[key].recognises(Source.pasted(text))
        assert read_text(FORMATS[key], text).table.n_features in {WIDE, half}


def test_that_few_bytes_cannot_declare_a_huge_table() -> None:
    n = 20_000
    huge = "9" * 15
    short_labels = f"#1.3\n1\t{n}\t1\t{n}\nid\tx\t{names(n)}\n" + "a\n" * n
    assert keys_of(gct.FORMAT, short_labels) == ("load.uneven_rows",)
    dims = f"#1.2\n{huge}\t{huge}\nNAME\tDescription\ta\ng\td\t1\n"
    assert keys_of(gct.FORMAT, dims) == ("load.truncated",)
    platform = f"^PLATFORM = P\n!platform_table_begin\nID\t{names(n)}\n" + "".join(
        f"p{number}\t1\n" for number in range(n)
    )
    sample = "^SAMPLE = S\n!sample_table_begin\nID_REF\tVALUE\n" + "".join(
        f"p{number}\t1\n" for number in range(n)
    )
    text = f"{platform}!platform_table_end\n{sample}!sample_table_end\n"
    reading = read_text(soft.FORMAT, text)
    assert reading.table.values.shape == (n, 1)
    assert "load.unused_columns" in {note.key for note in reading.notes}


def test_that_a_key_of_its_own_for_every_sample_makes_no_label_each() -> None:
    n = 5_000
    samples = "\t".join(f"GSM{number}" for number in range(n))
    told = "\t".join(f"key {number}: x" for number in range(n))
    text = (
        f"!Sample_geo_accession\t{samples}\n!Sample_characteristics_ch1\t{told}\n"
        f"!series_matrix_table_begin\nID_REF\t{samples}\np\t{cells('1', n)}\n"
        "!series_matrix_table_end\n"
    )
    labels = read_text(series_matrix.FORMAT, text).table.features.labels
    assert len(labels) < 300
    assert labels["characteristics"][n - 1] == f"key {n - 1}: x"
