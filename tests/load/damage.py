"""Files that happened to fall into bad hands, and what may come of them."""

from __future__ import annotations

import gzip
import io
import random
import re
import zipfile
import zlib
from pathlib import Path

from ximstudio.isolated import CallLimits
from ximstudio.load.format import Format
from ximstudio.load.isolation import read_isolated
from ximstudio.load.reading import Choices, Reading, silent
from ximstudio.load.source import Source
from ximstudio.model import UserError

SCRAPS = (
    *(b"\0", b"\0" * 64, b"\xff" * 8, b"\n", b"\r", b"\t", b",", b'"', b"#", b"!", b"^", b"%"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"NA", b"1e999", b"-", b"9" * 30, b"<a>", b"]]>", b"&x;"),
)
SIZES = (0, 1, 2**7, 2**15, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**63, 2**64 - 1)
NUMBER = re.compile(rb"\d+")
LIMITS = CallLimits(memory=300 * 2**20, silence=15.0, work=60.0)


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The bytes with one to three things done to them that happen to files, or to enemies."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        data = _worse(data, chance)
    return data


def damaged_inside(data: bytes, chance: random.Random) -> bytes:
    """The same, but inside an archive as often as outside, where its checksums would tell."""
    if chance.random() < 0.7:
        if data.startswith(b"PK"):
            return _damaged_member(data, chance)
        if data.startswith(b"\x1f\x8b"):
            return gzip.compress(damaged(gzip.decompress(data), chance), compresslevel=1)
    return damaged(data, chance)


def _worse(data: bytes, chance: random.Random) -> bytes:
    found = bytearray(data)
    begin = chance.randrange(len(found) + 1)
    end = min(len(found), begin + chance.choice((1, 4, 16, 64, 512)))
    deed = chance.randrange(8)
    if deed == 0:
        del found[begin:]
    elif deed == 1:
        for _ in range(chance.choice((1, 3, 30)) if found else 0):
            found[chance.randrange(len(found))] ^= 1 << chance.randrange(8)
    elif deed == 2:
        found[begin:begin] = found[begin:end] * chance.choice((1, 2, 50))
    elif deed == 3:
        other = chance.randrange(len(found) + 1)
        first, second = sorted((begin, other))
        middle = (first + second) // 2
        found[first:second] = found[middle:second] + found[first:middle]
    elif deed == 4:
        del found[begin:end]
    elif deed == 5:
        found[begin:begin] = chance.choice((chance.choice(SCRAPS), chance.randbytes(8)))
    elif deed == 6:
        width = chance.choice((2, 4, 8))
        size = chance.choice(SIZES) % 256**width
        found[begin : begin + width] = size.to_bytes(width, chance.choice(("little", "big")))
    else:
        numbers = list(NUMBER.finditer(data, begin)) or list(NUMBER.finditer(data))
        if numbers:
            one = numbers[chance.randrange(min(len(numbers), 50))]
            found[one.start() : one.end()] = str(chance.choice(SIZES)).encode()
    return bytes(found)


def _damaged_member(data: bytes, chance: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    victim = chance.choice(sorted(members))
    members[victim] = damaged(members[victim], chance)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return file.getvalue()


def outcome(found: Reading | UserError) -> str:
    """What came of reading: a table, or a refusal that a person can act upon; nothing else."""
    if isinstance(found, Reading):
        return "table" if found.table.n_items and found.table.n_features else "nothing"
    told = all(problem.what and problem.where and problem.way_out for problem in found.problems)
    return "refused" if told and found.problems else "no address"


def gives_table_or_address(data: bytes, format_: Format, path: Path) -> bool:
    """Whether reading ends well; any error but one with an address passes through."""
    path.write_bytes(data)
    source = Source.at(path)
    if not format_.recognises(source):
        return True
    try:
        if format_.isolated:
            found = read_isolated(format_.read, source, Choices(), report=silent, limits=LIMITS)
        else:
            found = format_.read(source, Choices(), silent)
        return outcome(found) == "table"
    except UserError as error:
        return outcome(error) == "refused"


def gzip_bomb(content: bytes, times: int) -> bytes:
    """An archive of so many times the content, as short as one of them."""
    packer = zlib.compressobj(9, wbits=zlib.MAX_WBITS | 16)
    return (packer.compress(content) + packer.flush()) * times
