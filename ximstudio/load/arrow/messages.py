"""What an Arrow file claims about its buffers, looked at before any of them is unpacked.

A message of such a file says how many rows it has and where its buffers lie; a packed buffer
begins with the size it unpacks to. The library makes room for all of that unasked.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

HEADER_KIND, HEADER = 1, 2
DICTIONARY_BATCH, RECORD_BATCH = 2, 3
ROWS, BUFFERS, COMPRESSION = 0, 2, 3
DATA_OF_DICTIONARY = 1
BUFFER = 16


@dataclass(frozen=True, kw_only=True)
class Claim:
    """How many rows a message has, and the bytes that its buffers unpack to."""

    n_rows: int
    n_bytes: int


def claim_of(metadata: bytes, body: bytes | memoryview) -> Claim | None:
    """What a message claims; None for one without rows. ValueError if it is damaged."""
    try:
        (root,) = struct.unpack_from("<I", metadata)
        kind_at, header = _field(metadata, root, HEADER_KIND), _table(metadata, root, HEADER)
        kind = 0 if kind_at is None else metadata[kind_at]
        if kind == DICTIONARY_BATCH and header is not None:
            header = _table(metadata, header, DATA_OF_DICTIONARY)
        if kind not in {DICTIONARY_BATCH, RECORD_BATCH} or header is None:
            return None
        rows_at = _field(metadata, header, ROWS)
        n_rows = 0 if rows_at is None else struct.unpack_from("<q", metadata, rows_at)[0]
        is_packed = _field(metadata, header, COMPRESSION) is not None
        n_bytes = _unpacked(metadata, header, body) if is_packed else len(body)
    except (struct.error, IndexError) as error:
        raise ValueError("a message is cut off") from error
    return Claim(n_rows=n_rows, n_bytes=n_bytes)


def _unpacked(metadata: bytes, batch: int, body: bytes | memoryview) -> int:
    buffers = _table(metadata, batch, BUFFERS)
    if buffers is None:
        return 0
    (count,) = struct.unpack_from("<I", metadata, buffers)
    total = 0
    for number in range(count):
        begin, length = struct.unpack_from("<qq", metadata, buffers + 4 + BUFFER * number)
        if length >= 8:
            (size,) = struct.unpack_from("<q", body, begin)
            # -1 says that the buffer is not packed after all.
            total += length if size == -1 else max(size, 0)
    return total


def _field(data: bytes, table: int, number: int) -> int | None:
    """Where a field of a table lies; None if it is left out."""
    (back,) = struct.unpack_from("<i", data, table)
    slots = table - back
    if not 0 <= slots < len(data):
        raise IndexError
    (size,) = struct.unpack_from("<H", data, slots)
    if 4 + 2 * number >= size:
        return None
    (offset,) = struct.unpack_from("<H", data, slots + 4 + 2 * number)
    return table + offset if offset else None


def _table(data: bytes, table: int, number: int) -> int | None:
    """Where the table or list that a field points to lies."""
    at = _field(data, table, number)
    return None if at is None else at + struct.unpack_from("<I", data, at)[0]
