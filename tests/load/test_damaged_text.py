"""Damaged, truncated and hostile texts: a table, or a refusal with an address; nothing else."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import pytest

from ximstudio.load import read
from ximstudio.load.reading import Choices, Reading, silent
from ximstudio.load.source import Source
from ximstudio.load.text.delimited import FORMAT
from ximstudio.model import UserError

FOLDER = Path(__file__).parent.parent / "data" / "text"
SCRAPS = [
    *(b'"', b",", b";", b"\t", b"\n", b"\r", b"\0", b"#", b"'", b" ", b"=", b"-", b"\xff", b"\n\n"),
    *(b",,,,", b"NA", b"1,5", b"\xc2\xa0", b'""', b"1e999", b"9" * 30, b"\xef\xbb\xbf", b"\x0b"),
]
CHOICES: list[dict[str, Any]] = [
    *({"skip": lines} for lines in range(4)),
    *({"header_rows": rows} for rows in range(4)),
    *({"delimiter": mark} for mark in (*",;\t|: x§", "ab", '"', "\n")),
    *({"decimal": mark} for mark in (*".,·", "ab")),
    *({"thousands": mark} for mark in ("", ",", ".", " ", "'", "ab")),
    *({"comment": mark} for mark in ("", "#", "//", "g")),
    *({"id": name} for name in ("", "gene", "column 1", "column 999", "x")),
    *({"labels": (name,)} for name in ("class", "cold", "HSP12", "column 3", "x,y")),
    *({"missing": spelt} for spelt in ((), ("NA", "1.5"), ("",))),
    *({"encoding": name} for name in ("utf-8", "utf-16", "latin-1", "zip", "no such")),
    {"items": "columns"},
]


def outcome(source: Source, choices: Choices) -> Reading | UserError:
    """What comes of reading; anything but these two fails the test."""
    try:
        return FORMAT.read(source, choices, silent)
    except UserError as error:
        return error


def damaged(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Some bytes with a few things done to them that happen to files."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 5)):
        place = rng.randint(0, len(found))
        end = min(len(found), place + rng.randint(0, 20))
        deed = rng.randrange(6)
        if deed == 0:
            del found[place:]
        elif deed == 1:
            found[place:place] = rng.choice(SCRAPS) * rng.randint(1, 3)
        elif deed == 2:
            del found[place:end]
        elif deed == 3:
            found[place:place] = found[place:end]
        elif deed == 4:
            found[place:end] = rng.randbytes(end - place)
        else:
            found[place:place] = rng.choice(others)[: rng.randint(0, 200)]
    return bytes(found)


def try_out(folder: Path, cases: range) -> None:
    files = [path.read_bytes() for path in sorted(FOLDER.iterdir())]
    path = folder / "table.csv"
    for case in cases:
        rng = random.Random(case)
        data = damaged(rng.choice(files), files, rng)
        path.write_bytes(gzip.compress(data)[: rng.choice((None, -9))] if case % 50 == 0 else data)
        choices: dict[str, Any] = {}
        for _ in range(rng.choice((0, 0, 1, 2))):
            choices |= rng.choice(CHOICES)
        found = outcome(Source.at(path), Choices(**choices))
        if isinstance(found, UserError):
            assert all(problem.where and problem.way_out for problem in found.problems), case
        else:
            assert found.table.n_items, case
            assert found.table.n_features, case


def test_that_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    try_out(tmp_path, range(400))


@pytest.mark.slow
def test_that_ten_thousand_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    try_out(tmp_path, range(400, 10_400))


def test_that_every_truncation_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    for name in ("quoted.csv", "utf16_bom.txt", "two_header_rows.tsv"):
        data = (FOLDER / name).read_bytes()
        for end in range(len(data)):
            path.write_bytes(data[:end])
            found = outcome(Source.at(path), Choices())
            assert isinstance(found, Reading) or found.problems[0].where


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "text",
    [
        '"' * 300_000,
        "," * 300_000,
        "\n" * 300_000,
        "a,1\n" + "#" * 300_000,
        "gene," + "1" * 300_000 + "\na,2\n",
        "gene,a\n" + "g,1\n,\n" * 30_000,
        "gene,a\n" + 'g,"1"\n"' * 20_000,
        "a b " * 100_000,
        "gene,a\ng," + " " * 300_000 + "1\n",
        "x_" * 150_000 + ",a\ng,1\n",
        "gene,a" + "," * 150_000 + "\ng,1" + "," * 150_000 + "\nh,2" + "," * 150_000,
        "gene,a" + "," * 30_000 + "\ng,1" + ",x" * 30_000 + "\nh,2" + ",y" * 30_000,
        "gene,a" + "," * 150_000 + "\ng,1" + ",2" * 150_000 + "\nh,2" + ",3" * 150_000,
        "gene,a" + ",b" * 30_000 + "\ng,1" + ",x" * 30_000 + "\nh,2" + ",y" * 30_000,
    ],
    ids=range(14),
)
def test_that_long_repetitions_take_no_more_than_their_length(text: str) -> None:
    found = outcome(Source.pasted(text), Choices())
    assert isinstance(found, Reading) or len(str(found)) < 3000


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_that_texts_in_a_hundred_thousand_columns_take_no_more_than_their_number() -> None:
    n_columns = 100_000
    lines = ["gene" + "".join(f",s{number}" for number in range(n_columns))]
    # Not in the rows that are looked at first.
    lines += [
        f"g{row}" + (",x" if row in {1, 3, 4, 6, 7} else ",2") * n_columns for row in range(9)
    ]
    found = outcome(Source.pasted("\n".join(lines)), Choices())
    assert isinstance(found, UserError)
    assert found.keys == ("load.no_numbers",)


def test_that_a_letter_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("hello this is a letter\nDear Sir,\nthe data follow.\n", encoding="utf-8")

    with pytest.raises(UserError) as caught:
        read(str(path), Choices())

    assert caught.value.keys == ("load.not_a_table",)
    assert "hello this is a letter" in caught.value.problems[0].where
