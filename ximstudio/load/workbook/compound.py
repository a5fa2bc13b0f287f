"""The streams of a compound file, the container of old Office documents, followed with distrust.

Sectors of a stream are chained by a table, and a damaged table may lead in circles.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from ximstudio.load.workbook.survey import broken

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

HIGHEST_SECTOR = 0xFFFFFFFA
END_OF_CHAIN, FREE = 0xFFFFFFFE, 0xFFFFFFFF
IS_TABLE = 0xFFFFFFFD
ENTRY = 128
MINI = 64
STREAM, ROOT = 2, 5
LISTED_IN_HEADER = 109

SECTOR_WRITTEN = 4096
"""With sectors this large the header has room to list the tables of 450 MB."""


@dataclass(frozen=True, kw_only=True)
class _Entry:
    kind: int
    start: int
    size: int


class Compound:
    """A compound file: the names of its streams, and their bytes."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data = data
        self._name = name
        if len(data) < 512:
            raise broken("it ends within its header", name)
        shift, mini_shift = struct.unpack_from("<HH", data, 30)
        if shift not in {9, 12} or mini_shift != 6:
            raise broken("its header is not that of an Office document", name)
        self._sector = 1 << shift
        self._n_sectors = max(0, -(-len(data) // self._sector) - 1)
        (directory,) = struct.unpack_from("<I", data, 48)
        self._cut_off, mini_table = struct.unpack_from("<II", data, 56)
        self._table = self._allocation()
        self._entries = self._directory(self._chain(directory))
        self._mini_table = _numbers(self._chain(mini_table))
        root = next((entry for entry in self._entries.values() if entry.kind == ROOT), None)
        self._mini = b"" if root is None else self._chain(root.start)[: root.size]

    @property
    def names(self) -> tuple[str, ...]:
        """Of all streams and folders."""
        return tuple(self._entries)

    def stream(self, name: str) -> bytes:
        """All bytes of a stream."""
        entry = self._entries[name]
        data = self._mini_chain(entry) if entry.size < self._cut_off else self._chain(entry.start)
        if len(data) < entry.size:
            raise broken(f"its stream '{name}' ends too early", self._name)
        return data[: entry.size]

    def _at(self, number: int) -> bytes:
        begin = (number + 1) * self._sector
        if number >= self._n_sectors:
            raise broken(f"sector {number} lies beyond its end", self._name)
        return self._data[begin : begin + self._sector]

    def _allocation(self) -> list[int]:
        """The table of sectors: for each the one that follows it."""
        listed = list(struct.unpack_from(f"<{LISTED_IN_HEADER}I", self._data, 76))
        (following,) = struct.unpack_from("<I", self._data, 68)
        seen = 0
        while following < HIGHEST_SECTOR:
            seen += 1
            if seen > self._n_sectors:
                raise broken("the list of its tables leads in circles", self._name)
            *more, following = _numbers(self._at(following))
            listed += more
        # A table for more sectors than the file has is a circle as well.
        most = self._n_sectors // (self._sector // 4) + 2
        tables = [number for number in listed if number < HIGHEST_SECTOR][:most]
        return _numbers(b"".join(self._at(number) for number in tables))

    def _chain(self, number: int) -> bytes:
        pieces: list[bytes] = []
        while number < HIGHEST_SECTOR:
            pieces.append(self._at(number))
            if len(pieces) > self._n_sectors or number >= len(self._table):
                raise broken("a chain of its sectors leads in circles or nowhere", self._name)
            number = self._table[number]
        return b"".join(pieces)

    def _mini_chain(self, entry: _Entry) -> bytes:
        pieces: list[bytes] = []
        number = entry.start
        while number < HIGHEST_SECTOR and len(pieces) * MINI < entry.size:
            pieces.append(self._mini[number * MINI : (number + 1) * MINI])
            if number >= len(self._mini_table):
                raise broken("a chain of its sectors leads nowhere", self._name)
            number = self._mini_table[number]
        return b"".join(pieces)

    def _directory(self, data: bytes) -> dict[str, _Entry]:
        entries: dict[str, _Entry] = {}
        for begin in range(0, len(data) - ENTRY + 1, ENTRY):
            entry = data[begin : begin + ENTRY]
            length, kind = struct.unpack_from("<HB", entry, 64)
            start, low, high = struct.unpack_from("<III", entry, 116)
            name = entry[: max(0, min(length, 64) - 2)].decode("utf-16-le", errors="replace")
            if kind:
                # Files with small sectors may leave anything in the upper half of a size.
                size = low if self._sector == 512 else low | high << 32
                entries.setdefault(name, _Entry(kind=kind, start=start, size=size))
        return entries


def _numbers(data: bytes) -> list[int]:
    return list(struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4]))


def compound_of(name: str, stream: bytes) -> bytes:
    """A compound file with this one stream, which is filled with zeros to a whole sector."""
    size = SECTOR_WRITTEN
    stream += bytes(-len(stream) % size or (0 if stream else size))
    n_stream = len(stream) // size
    per_table = size // 4
    n_tables = 1
    while n_tables * per_table < n_tables + 2 + n_stream:
        n_tables += 1
    # In this order: tables, directory, room for small streams, stream. The room is not needed, but
    # some readers take a file without it for damaged.
    table = [IS_TABLE] * n_tables + [END_OF_CHAIN] * 2
    first = n_tables + 2
    table += [*range(first + 1, first + n_stream), END_OF_CHAIN]
    table += [FREE] * (n_tables * per_table - len(table))
    header = SIGNATURE + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 4, 0xFFFE, 12, 6)
    header += struct.pack(
        "<IIIIIIIII", 1, n_tables, n_tables, 0, 4096, END_OF_CHAIN, 0, END_OF_CHAIN, 0
    )
    listed = [*range(n_tables), *[FREE] * (LISTED_IN_HEADER - n_tables)]
    header += struct.pack(f"<{LISTED_IN_HEADER}I", *listed)
    directory = _entry("Root Entry", ROOT, n_tables + 1, size, child=1)
    directory += _entry(name, STREAM, first, len(stream))
    directory += bytes(size - len(directory))
    tables = struct.pack(f"<{len(table)}I", *table)
    return header + bytes(size - len(header)) + tables + directory + bytes(size) + stream


def _entry(name: str, kind: int, start: int, size: int, *, child: int = FREE) -> bytes:
    letters = name.encode("utf-16-le")
    head = letters + bytes(64 - len(letters)) + struct.pack("<HBB", len(letters) + 2, kind, 1)
    return head + struct.pack("<III36xIQ", FREE, FREE, child, start, size)
