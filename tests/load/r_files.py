"""Small files as R saves them: XDR serialisation, version 2 (R Internals, section 1.8)."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

NIL = struct.pack(">i", 254)
NA = -(2**31)


@dataclass(frozen=True)
class R:
    """A value with attributes; a list of texts, floats, ints, bools or further values."""

    values: Sequence[Any]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    s4: bool = False


def rds(value: R) -> bytes:
    return gzip.compress(b"X\n" + struct.pack(">iii", 2, 0x40301, 0x20300) + _item(value))


def rda(values: Mapping[str, R]) -> bytes:
    head = b"RDX2\nX\n" + struct.pack(">iii", 2, 0x40301, 0x20300)
    return gzip.compress(head + _pairs(values))


def matrix(rows: Sequence[Sequence[float]], row_names: list[str], names: list[str]) -> R:
    by_column = [float(row[column]) for column in range(len(names)) for row in rows]
    dim = R([len(rows), len(names)])
    return R(by_column, {"dim": dim, "dimnames": R([R(row_names), R(names)])})


def frame(columns: Mapping[str, R], row_names: R | None = None) -> R:
    length = len(next(iter(columns.values())).values)
    return R(
        list(columns.values()),
        {
            "names": R(list(columns)),
            "class": R(["data.frame"]),
            # R writes numbered rows in short.
            "row.names": row_names or R([NA, -length]),
        },
    )


def factor(codes: list[int], levels: list[str]) -> R:
    return R(codes, {"levels": R(levels), "class": R(["factor"])})


def _pairs(values: Mapping[str, Any]) -> bytes:
    made = b""
    for name, value in values.items():
        made += struct.pack(">i", 2 | 1 << 10) + struct.pack(">i", 1) + _char(name) + _item(value)
    return made + NIL


def _char(text: str | None) -> bytes:
    if text is None:
        return struct.pack(">ii", 9, -1)
    raw = text.encode()
    return struct.pack(">ii", 9 | 8 << 12, len(raw)) + raw


def _item(value: R) -> bytes:
    first = value.values[0] if value.values else 0
    is_object = "class" in value.attributes
    flags = is_object << 8 | bool(value.attributes) << 9
    length = struct.pack(">i", len(value.values))
    after = _pairs(value.attributes) if value.attributes else b""
    if value.s4:
        return struct.pack(">i", 25 | flags | 16 << 12) + after
    if isinstance(first, str) or first is None:
        body = b"".join(map(_char, value.values))
        return struct.pack(">i", 16 | flags) + length + body + after
    if isinstance(first, R):
        body = b"".join(map(_item, value.values))
        return struct.pack(">i", 19 | flags) + length + body + after
    kind, letter = (14, "d") if isinstance(first, float) else (13, "i")
    kind = 10 if isinstance(first, bool) else kind
    body = struct.pack(f">{len(value.values)}{letter}", *value.values)
    return struct.pack(">i", kind | flags) + length + body + after
