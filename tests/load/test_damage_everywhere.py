"""Damaged and hostile files of every format: a table, or a refusal with an address; nothing else.

    pytest -m slow tests/load/test_damage_everywhere.py

tries ten thousand; some of every format are tried always.
"""

from __future__ import annotations

import gzip
import os
import random
import shutil
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.load import workbooks
from tests.load.damage import damaged_inside, gzip_bomb, outcome
from tests.load.hdf5_files import sample
from tests.load.hdf5_fuzz import outcomes
from ximstudio.load import Choices, Source, read, read_source
from ximstudio.load.format import every_format, format_of
from ximstudio.model import UserError

DATA = Path(__file__).parents[1] / "data"
FEW, MANY = 30, 10_000

HDF5 = ("10x-h5", "biom", "gctx", "h5ad", "loom")
"""Read in a process apart, which is started once for many files."""

FOLDERS = {
    "arrow": ("parquet", "feather"),
    "cls": ("cls",),
    "excel": ("excel",),
    "gct": ("gct",),
    "geo": ("series-matrix", "soft"),
    "orange": ("orange",),
    "pcl": ("pcl",),
    "perseus": ("perseus",),
    "r": ("r",),
    "text": ("text",),
}
"""Where the sound files of the formats are."""

IN_FILES = sorted({key for keys in FOLDERS.values() for key in keys})


def sound(key: str) -> list[Path]:
    """Sound files of a format."""
    folders = [DATA / folder for folder, keys in FOLDERS.items() if key in keys]
    paths = [path for folder in folders for path in sorted(folder.iterdir())]
    found = [path for path in paths if format_of(Source.at(path), None).key == key]
    assert found
    return found


def tried(path: Path) -> str:
    """What comes of opening a file or folder."""
    try:
        return outcome(read_source(Source.at(path), Choices()))
    except UserError as error:
        return outcome(error)


def refusal(path: Path) -> str:
    """The key of the first reason why a file is refused."""
    with pytest.raises(UserError) as caught:
        read(str(path))
    assert outcome(caught.value) == "refused"
    return caught.value.keys[0]


def try_files(key: str, folder: Path, cases: range) -> Counter[str]:
    """How often damaged files gave what."""
    files = [path.read_bytes() for path in sound(key)]
    files += [gzip.compress(files[0])]
    found: Counter[str] = Counter()
    for case in cases:
        chance = random.Random(f"{key} {case}")
        path = folder / "damaged"
        path.write_bytes(damaged_inside(chance.choice(files), chance))
        came = tried(path)
        assert came in {"table", "refused"}, (key, case)
        found[came] += 1
    return found


def try_folders(folder: Path, cases: range) -> Counter[str]:
    """The same for folders with a matrix and names, of which one file is damaged."""
    found: Counter[str] = Counter()
    for case in cases:
        chance = random.Random(case)
        whole = folder / "whole"
        shutil.copytree(DATA / "tenx" / chance.choice(("v2", "v3")), whole)
        victim = chance.choice(sorted(whole.iterdir()))
        victim.write_bytes(damaged_inside(victim.read_bytes(), chance))
        came = tried(whole)
        assert came in {"table", "refused"}, case
        found[came] += 1
        shutil.rmtree(whole)
    return found


def shares(total: int) -> Iterator[tuple[str, range]]:
    """As many cases for every format."""
    each = -(-total // len(every_format()))
    for one in every_format():
        yield one.key, range(FEW, FEW + each)


def test_that_there_are_sound_files_of_every_format() -> None:
    assert {*IN_FILES, *HDF5, "10x-mtx"} == {one.key for one in every_format()}


@pytest.mark.parametrize("key", IN_FILES)
def test_that_damaged_files_are_read_or_refused(key: str, tmp_path: Path) -> None:
    found = try_files(key, tmp_path, range(FEW))
    assert found["refused"]


def test_that_damaged_folders_are_read_or_refused(tmp_path: Path) -> None:
    assert len(try_folders(tmp_path, range(FEW))) == 2


@pytest.mark.parametrize("key", HDF5)
def test_that_damaged_hdf5_files_are_read_or_refused(key: str, tmp_path: Path) -> None:
    assert set(outcomes(key, tmp_path, FEW)) <= {"table", "refused", "died"}
    path = sample(key, tmp_path / "sound")
    content = path.read_bytes()
    assert tried(path) == "table"
    for case in range(2):
        path.write_bytes(damaged_inside(content, random.Random(case)))
        assert tried(path) in {"table", "refused"}


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_that_ten_thousand_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    found: dict[str, Counter[str]] = {}
    for key, cases in shares(MANY):
        if key in HDF5:
            found[key] = outcomes(key, tmp_path, len(cases))
            # The process apart is there to die.
            assert set(found[key]) <= {"table", "refused", "died"}
        elif key == "10x-mtx":
            found[key] = try_folders(tmp_path, cases)
        else:
            found[key] = try_files(key, tmp_path, cases)
        print(key, dict(found[key]))
    assert sum(counts.total() for counts in found.values()) >= MANY


# Bombs


def test_that_gzip_bombs_are_refused_alone_and_nested(tmp_path: Path) -> None:
    path = tmp_path / "bomb.csv.gz"
    for content in (bytes(2**24), b"a,1\n" * 2**22, b" " * 2**24):
        path.write_bytes(gzip_bomb(content, 64))
        assert refusal(path) == "load.bomb"
    path.write_bytes(gzip.compress(gzip_bomb(bytes(2**24), 64)))
    assert refusal(path) == "load.not_text"


@pytest.mark.parametrize(
    "name", ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "_rels/.rels", "xl/sharedStrings.xml"]
)
def test_that_zip_bombs_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    path.write_bytes(workbooks.xlsx({"a": ""}, more={name: b"<a>" + b" " * 2**27 + b"</a>"}))
    assert path.stat().st_size < 2**20
    assert tried(path) == "refused"


def test_that_archives_inside_archives_are_not_unpacked(tmp_path: Path) -> None:
    inner = workbooks.zipped({"table.csv": b"a,1\n" * 2**22})
    for number, outer in enumerate(
        (
            workbooks.zipped({"inner.zip": inner}),
            gzip.compress(inner),
            gzip.compress(gzip.compress(inner)),
        )
    ):
        path = tmp_path / str(number)
        path.write_bytes(outer)
        assert tried(path) == "refused"


@pytest.mark.slow
def test_that_a_line_of_a_million_cells_is_read_by_every_text_format(tmp_path: Path) -> None:
    names = "\t".join(f"s{number}" for number in range(1_000_000))
    values = "\t".join(["1.5"] * 1_000_000)
    path = tmp_path / "wide"
    for text in (
        f"gene\t{names}\nHSP12\t{values}\n",
        f"#1.2\n1\t1000000\nNAME\tDescription\t{names}\nHSP12\tx\t{values}\n",
        f"UID\tNAME\tGWEIGHT\t{names}\nHSP12\tx\t1\t{values}\n",
    ):
        path.write_text(text)
        table = read(str(path)).table
        assert (table.n_items, table.n_features) == (1, 1_000_000)


# Tricks with paths


def tree(folder: Path) -> dict[Path, bytes | None]:
    return {
        path: path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))
    }


def test_that_names_in_archives_lead_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "one" / "two"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    (tmp_path / "secret.xml").write_text("<secret/>")
    rows = workbooks.sheet_data([["gene", "cold"], ["HSP12", 1.5]])
    names = ("../../evil", "/evil", "..\\..\\evil", "C:\\evil", "a/../../evil", "xl/../evil")
    evil: dict[str, str | bytes] = dict.fromkeys(names, b"evil")
    files = {
        "sound.xlsx": workbooks.xlsx({"a": rows}, more=evil),
        "only.zip": workbooks.zipped(evil),
    }
    for number, target in enumerate(("../../../secret.xml", "/secret.xml", "file:///etc/passwd")):
        files[f"{number}.xlsx"] = workbooks.xlsx(
            {"a": rows},
            more={"xl/_rels/workbook.xml.rels": workbooks.relations(("worksheet", target))},
        )
    for name, content in files.items():
        (here / name).write_bytes(content)
    before = tree(tmp_path)
    found = {name: tried(here / name) for name in files}
    assert found == {name: "table" if name == "sound.xlsx" else "refused" for name in files}
    assert tree(tmp_path) == before


@pytest.mark.timeout(60)
def test_that_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert refusal(tmp_path / "folder") == "load.folder"
    assert refusal(tmp_path / "no\0name") == "load.unreadable"
    assert refusal(tmp_path / ("long" * 200)) == "load.unreadable"
    assert refusal(tmp_path / "absent") == "load.unreadable"


@pytest.mark.timeout(60)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_that_pipes_devices_and_circles_of_links_are_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    loop = tmp_path / "loop"
    loop.symlink_to(tmp_path / "pool")
    (tmp_path / "pool").symlink_to(loop)
    to_pipe = tmp_path / "table.csv"
    to_pipe.symlink_to(pipe)
    # The names of sockets must be short.
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
    for path in (pipe, loop, to_pipe, tmp_path / "socket", *map(Path, ("/dev/zero", "/dev/null"))):
        assert refusal(path) == "load.unreadable"


@pytest.mark.timeout(60)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize("name", ["matrix.mtx", "genes.tsv", "barcodes.tsv"])
def test_that_a_pipe_in_a_folder_is_refused_at_once(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    shutil.copytree(DATA / "tenx" / "v2", folder)
    (folder / name).unlink()
    os.mkfifo(folder / name)
    assert tried(folder) == "refused"
    (folder / name).unlink()
    (folder / name).symlink_to("/dev/zero")
    assert tried(folder) == "refused"


@pytest.mark.timeout(60)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_that_a_pipe_beside_a_table_is_left_alone(tmp_path: Path) -> None:
    shutil.copy(DATA / "gct" / "beside.gct", tmp_path / "table.gct")
    os.mkfifo(tmp_path / "table.cls")
    assert tried(tmp_path / "table.gct") == "table"


def test_that_zero_bytes_are_found_in_every_text(tmp_path: Path) -> None:
    path = tmp_path / "table"
    for key in ("text", "gct", "pcl", "orange", "series-matrix", "soft", "cls"):
        for file in sound(key):
            data = file.read_bytes()
            if b"\0" not in data:
                path.write_bytes(data[: len(data) // 2] + b"\0" + data[len(data) // 2 :])
                assert tried(path) == "refused", file
