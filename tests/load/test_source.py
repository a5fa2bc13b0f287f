"""Bytes from files, archives and the clipboard, with limits."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from ximstudio.load.reading import silent
from ximstudio.load.source import HEAD, Source
from ximstudio.model import UserError


class Enough(Exception):
    """Raised by a report to end the reading."""


def refusal(path: Path) -> UserError:
    with pytest.raises(UserError) as caught:
        Source.at(path).read(silent)
    return caught.value


def test_that_a_file_its_archive_and_a_text_give_the_same_bytes(tmp_path: Path) -> None:
    text = "gene\tcold\na\t1\n" * 100_000
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    plain.write_bytes(text.encode())
    packed.write_bytes(gzip.compress(text.encode()))
    for source in (Source.at(plain), Source.at(packed), Source.pasted(text)):
        assert source.read(silent) == text.encode()
        assert source.head == text.encode()[:HEAD]


def test_that_archives_of_several_parts_are_read_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "parts.gz"
    path.write_bytes(gzip.compress(b"gene,cold\n") + gzip.compress(b"a,1\n"))
    assert Source.at(path).read(silent) == b"gene,cold\na,1\n"


def test_that_reading_reports_and_can_be_ended(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * 20_000_000)
    heard: list[float] = []

    def report(fraction: float) -> None:
        heard.append(fraction)
        if fraction > 0.3:
            raise Enough

    with pytest.raises(Enough):
        Source.at(path).read(report, part=0.5)
    assert heard == sorted(heard)
    assert 0.3 < heard[-1] < 0.5


@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_that_damaged_archives_are_refused(tmp_path: Path, damage: str) -> None:
    packed = bytearray(gzip.compress(os.urandom(100_000)))
    if damage == "cut":
        packed = packed[:50_000]
    else:
        packed[60_000] ^= 255
    path = tmp_path / "damaged.gz"
    path.write_bytes(packed)
    assert refusal(path).keys == ("load.broken_archive",)


def test_that_the_head_of_a_cut_archive_can_be_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(b"gene,cold\n" + os.urandom(1000))[:500])
    assert Source.at(path).head.startswith(b"gene,cold\n")


def test_that_a_bomb_is_refused_before_it_goes_off(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(200_000_000)))
    assert refusal(path).keys == ("load.bomb",)


@pytest.mark.parametrize("name", ["absent", "nul\0", "x" * 5000])
def test_that_what_cannot_be_opened_is_refused(tmp_path: Path, name: str) -> None:
    assert refusal(tmp_path / name).keys == ("load.unreadable",)


def test_that_a_folder_is_known_as_one(tmp_path: Path) -> None:
    source = Source.at(tmp_path)
    assert source.is_folder
    assert source.head == b""
    with pytest.raises(UserError) as caught:
        source.read(silent)
    assert caught.value.keys == ("load.unreadable",)


def test_that_pasted_text_with_half_a_letter_is_read() -> None:
    assert Source.pasted("a\ud800").read(silent) == b"a?"


def test_that_a_name_that_no_file_could_tell_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "caf\udce9.csv"
    with pytest.raises(UserError) as caught:
        Source.at(path)
    assert caught.value.keys == ("load.name",)
    caught.value.problems[0].where.encode("utf-8")


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/table.csv",
        "http://example.org/a b.csv",
        "FTP://example.org/x.gz",
        "s3://bucket/key.h5ad",
        "file:///data/table.csv",
    ],
)
def test_that_addresses_are_refused_whichever_way_they_come(address: str) -> None:
    for attempt in (address, str(Path(address))):
        with pytest.raises(UserError) as caught:
            Source.at(Path(attempt))
        assert caught.value.keys == ("load.address",)
    if address.startswith("file:"):
        assert caught.value.problems[0].way_out.endswith(" /data/table.csv")


def test_that_a_file_may_be_called_like_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "http:"
    folder.mkdir()
    (folder / "table").write_bytes(b"a,1")
    assert Source.at(Path("http:/table")).read(silent) == b"a,1"
