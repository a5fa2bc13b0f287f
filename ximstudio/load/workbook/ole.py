"""Streams of a compound file, the container of Office documents before 2007."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator

from ximstudio.load.workbook.sheets import broken

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
HIGHEST_SECTOR = 0xFFFFFFFA
ENTRY = 128
MINI = 64
STREAM, ROOT = 2, 5
LISTED_IN_HEADER = 109


def ole_streams(data: bytes, name: str) -> dict[str, bytes]:
    """Return the streams of a compound file by name; refuse one that is damaged or cut off."""
    try:
        return dict(_streams(data))
    except (struct.error, IndexError, ValueError, OverflowError):
        raise broken("its container cannot be read", name) from None


def _streams(data: bytes) -> Iterator[tuple[str, bytes]]:
    size = 1 << struct.unpack_from("<H", data, 30)[0]
    directory, _, cut_off, mini_table, _, more = struct.unpack_from("<6I", data, 48)
    n_sectors = len(data) // size

    def chained(first: int, table: array[int], source: bytes, unit: int, skip: int) -> bytes:
        """Join the sectors from `first` on; a table that leads in circles ends the chain."""
        pieces: list[bytes] = []
        while first < HIGHEST_SECTOR and len(pieces) <= n_sectors * (size // unit):
            pieces.append(source[(first + skip) * unit : (first + skip + 1) * unit])
            first = table[first]
        return b"".join(pieces)

    listed = array("I", data[76 : 76 + 4 * LISTED_IN_HEADER])
    while more < HIGHEST_SECTOR and len(listed) <= n_sectors + LISTED_IN_HEADER:
        *further, more = array("I", data[(more + 1) * size : (more + 2) * size])
        listed.extend(further)
    tables = [number for number in listed if number < HIGHEST_SECTOR][: n_sectors + 1]
    table = array("I", b"".join(data[(n + 1) * size : (n + 2) * size] for n in tables))
    entries = chained(directory, table, data, size, 1)
    small_table = array("I", chained(mini_table, table, data, size, 1))
    small = b""
    for begin in range(0, len(entries) - ENTRY + 1, ENTRY):
        length, kind = struct.unpack_from("<HB", entries, begin + 64)
        first, n_bytes = struct.unpack_from("<II", entries, begin + 116)
        called = entries[begin : begin + max(0, min(length, 64) - 2)]
        if kind == ROOT:
            small = chained(first, table, data, size, 1)
            continue
        stream = b""
        if kind == STREAM and n_bytes < cut_off:
            stream = chained(first, small_table, small, MINI, 0)
        elif kind == STREAM:
            stream = chained(first, table, data, size, 1)
        if kind == STREAM and len(stream) < n_bytes:
            raise ValueError
        if kind:
            yield called.decode("utf-16-le", errors="replace"), stream[:n_bytes]
