"""Compressed tables and archives of one or more of them."""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import lzma
import os
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from ximstudio.load import Choices, read, silent
from ximstudio.load.packing import zipped
from ximstudio.load.packing.streams import PACKINGS
from ximstudio.load.source import HARMLESS, HEAD, Source
from ximstudio.model import UserError

TABLE = b"gene,cold 1,cold 2\nTP53,1,2\nMYC,3,4\n"

Pack = Callable[[bytes], bytes]


def _zstd(data: bytes) -> bytes:
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    module = importlib.import_module(name)
    # As the program zstd does; without it nobody can tell that bytes were changed.
    packed: bytes = module.compress(data, options={module.CompressionParameter.checksum_flag: 1})
    return packed


def _zip(data: bytes) -> bytes:
    return archive({"table.csv": data})


def archive(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return file.getvalue()


PACKS: dict[str, Pack] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": _zstd,
}


def source_of(path: Path) -> Source:
    return zipped.unzipped(Source.at(path), Choices())[0]


def refusal(path: Path, choices: Choices | None = None) -> UserError:
    with pytest.raises(UserError) as caught:
        read(str(path), choices)
    return caught.value


def test_that_every_packing_is_tried_here() -> None:
    assert [one.key for one in PACKINGS] == list(PACKS)


@pytest.fixture(params=[*PACKS, "zip"])
def pack(request: pytest.FixtureRequest) -> Pack:
    return PACKS.get(request.param, _zip)


def test_that_a_packed_table_is_the_table(pack: Pack, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(pack(TABLE))
    table = read(str(path)).table
    assert table.items.names == ("TP53", "MYC")
    assert table.dense.tolist() == [[1, 2], [3, 4]]


def test_that_a_large_file_is_read_whole_and_its_head_alike(pack: Pack, tmp_path: Path) -> None:
    path = tmp_path / "table"
    data = b"a,b\n" + b"".join(b"%d,%d\n" % (n, n * n * 7919 % 100_003) for n in range(200_000))
    path.write_bytes(pack(data))
    assert source_of(path).head == data[:HEAD]
    heard: list[float] = []
    assert source_of(path).read(heard.append) == data
    assert all(0 <= part <= 1 for part in heard)


@pytest.mark.parametrize("key", PACKS)
def test_that_streams_one_after_the_other_are_one_table(key: str, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(PACKS[key](TABLE[:20]) + PACKS[key](TABLE[20:]) + b"\0" * 512)
    assert Source.at(path).read(silent) == TABLE


@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_that_damaged_files_are_refused(pack: Pack, damage: str, tmp_path: Path) -> None:
    packed = bytearray(pack(os.urandom(50_000)))
    if damage == "cut":
        del packed[len(packed) // 2 :]
    else:
        packed[len(packed) // 2] ^= 0xFF
    path = tmp_path / "table"
    path.write_bytes(bytes(packed))
    source = source_of(path)
    if source.is_packed:
        with pytest.raises(UserError) as caught:
            source.read(silent)
        assert caught.value.keys == ("load.broken_archive",)
    else:
        # A zip archive without its list of members is none; the workbooks' reader says so.
        assert refusal(path).keys == ("load.broken_workbook",)


def test_that_what_unpacks_to_far_too_much_is_refused(pack: Pack, tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(pack(bytes(HARMLESS + 8 * 1024 * 1024)))
    with pytest.raises(UserError) as caught:
        source_of(path).read(silent)
    assert caught.value.keys == ("load.bomb",)


def test_that_xz_may_not_ask_for_any_memory_it_likes(tmp_path: Path) -> None:
    packed = bytearray(lzma.compress(TABLE))
    # The size of the dictionary is one byte of the block's header, whose checksum follows.
    place = packed.index(b"\x21\x01") + 2
    packed[place] = 40
    block = packed[12 : 12 + (packed[12] + 1) * 4]
    block[-4:] = zlib.crc32(bytes(block[:-4])).to_bytes(4, "little")
    packed[12 : 12 + len(block)] = block
    path = tmp_path / "table.xz"
    path.write_bytes(bytes(packed))
    with pytest.raises(UserError) as caught:
        Source.at(path).read(silent)
    assert caught.value.keys == ("load.broken_archive",)


def test_that_what_goes_along_with_a_table_is_no_second_one(tmp_path: Path) -> None:
    path = tmp_path / "table.zip"
    beside = {
        "__MACOSX/._t.csv": b"x",
        "README.txt": b"hello",
        "data/.DS_Store": b"y",
        "p.pdf": b"z",
    }
    path.write_bytes(archive({"data/t.csv": TABLE, **beside}))
    assert read(str(path)).table.items.names == ("TP53", "MYC")


def test_that_one_of_several_tables_is_chosen_by_the_hint_or_by_name(tmp_path: Path) -> None:
    path = tmp_path / "tables.zip"
    path.write_bytes(archive({"small.csv": b"gene,a\nTP53,9\n", "large.csv": TABLE}))
    error = refusal(path)
    assert error.keys == ("load.several_tables",)
    assert error.hint == {"part": "large.csv"}
    assert read(str(path), Choices(part="large.csv")).table.n_items == 2
    reading = read(str(path), Choices(part="small.csv"))
    assert reading.table.dense.tolist() == [[9]]
    (part,) = (guess for guess in reading.guesses if guess.key == "part")
    assert set(part.options or ()) == {"small.csv", "large.csv"}
    assert refusal(path, Choices(part="other.csv")).keys == ("load.no_such_part",)


def test_that_a_chosen_format_is_that_of_the_table_in_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "one.zip"
    path.write_bytes(archive({"table.csv": TABLE}))
    assert read(str(path), Choices(format="text")).table.items.names == ("TP53", "MYC")


def test_that_a_name_with_the_mark_of_sheets_is_found(tmp_path: Path) -> None:
    path = tmp_path / "two.zip"
    path.write_bytes(archive({"run #1.csv": TABLE, "run #2.csv": TABLE.replace(b"MYC", b"JUN")}))
    table = read(str(path), Choices(part="run #2.csv")).table
    assert table.items.names == ("TP53", "JUN")


def test_that_an_archive_that_needs_a_password_says_so(tmp_path: Path) -> None:
    packed = bytearray(archive({"table.csv": TABLE}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        packed[packed.index(mark) + place] |= 1
    path = tmp_path / "table.zip"
    path.write_bytes(bytes(packed))
    assert refusal(path).keys == ("load.encrypted",)


def test_that_a_missing_zstd_names_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.csv.zst"
    path.write_bytes(_zstd(TABLE))
    for name in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    assert refusal(path).keys == ("load.no_zstd",)
