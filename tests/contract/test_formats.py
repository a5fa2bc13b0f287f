"""Contract of every entry of FORMATS."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ximstudio.load import Choices, Source, read_source
from ximstudio.load.format import FORMATS, FormatEntry, format_of
from ximstudio.model import UserError

every_format = pytest.mark.parametrize("entry", FORMATS, ids=lambda entry: entry.key)

NO_TABLES = (b"", b"\n", b"\0" * 300, b"\x89HDF\r\n\x1a\n", b"PK\x03\x04", b"{", b"#", b"!", b"%%")


@every_format
def test_that_a_format_says_all_about_itself(entry: FormatEntry) -> None:
    form = entry.load()
    assert form.key == entry.key
    assert form.name.strip() == form.name != ""
    assert form.suffixes
    assert all(suffix.startswith(".") for suffix in form.suffixes)
    assert (form.rows is None) == (form.columns is None)
    assert sum(other.load().name == form.name for other in FORMATS) == 1


@every_format
def test_that_a_format_can_be_named(entry: FormatEntry, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"anything")
    assert format_of(Source.at(path), entry.key).key == entry.key


@every_format
def test_that_looking_at_a_file_never_fails(entry: FormatEntry, tmp_path: Path) -> None:
    chance = random.Random(entry.key)
    path = tmp_path / "file"
    for content in (*NO_TABLES, *(chance.randbytes(200) for _ in range(20))):
        path.write_bytes(content)
        assert entry.load().recognises(Source.at(path)) in (True, False)
    assert entry.load().recognises(Source.at(tmp_path)) in (True, False)


@every_format
def test_that_what_is_no_such_file_is_read_or_refused(entry: FormatEntry, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"no table of any kind")
    try:
        found = read_source(Source.at(path), Choices(format=entry.key)).format
    except UserError as error:
        found = error.keys[0].split(".")[0]
    assert found in {entry.key, "load"}
