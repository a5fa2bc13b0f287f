"""Formats are imported only for files that can be of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ximstudio.load.format import FORMATS, every_format, format_named, format_of
from ximstudio.load.source import Source

DATA = Path(__file__).parents[1] / "data"
FILES = [path for path in sorted(DATA.rglob("*")) if path.is_file()]


def test_that_entries_are_under_the_keys_of_their_formats() -> None:
    assert [entry.key for entry in FORMATS] == [one.key for one in every_format()]
    assert len({entry.key for entry in FORMATS}) == len(FORMATS)
    assert format_named("no-such-format") is None


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_that_every_file_of_a_format_has_its_mark(path: Path) -> None:
    source = Source.at(path)
    recognised = [entry for entry in FORMATS if entry.load().recognises(source)]
    for entry in recognised:
        assert re.search(entry.mark, source.head.replace(b"\0", b"")), entry.key
    if recognised:
        assert format_of(source, None).key == recognised[0].key
