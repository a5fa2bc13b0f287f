"""Small files that Qt can read by path although they exist in memory only.

A style sheet names its pictures by path, and ours are tinted while the program runs. Written to a
temporary folder they could be cleaned away under a program that runs for weeks. So they are packed
in the format of Qt's own resource compiler (version 1, unchanged since Qt 4).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from PySide6.QtCore import QResource

_DIRECTORY = 2
_ANY_COUNTRY, _C_LANGUAGE = 0, 1

_kept: dict[str, bytes] = {}
"""Qt reads the bytes in place, so they must live as long as the program."""


def register(root: str, files: Mapping[str, bytes]) -> None:
    """Make `files` readable as ":/root/name"; the same root is registered once only."""
    if root in _kept:
        return
    _kept[root] = packed(files)
    if not QResource.registerResourceData(_kept[root], f"/{root}"):
        raise RuntimeError(f"Qt refused the pictures of {root!r}.")


def packed(files: Mapping[str, bytes]) -> bytes:
    """One folder of files as Qt's resource compiler would write it."""
    # Qt looks names up by bisection over their hashes.
    ordered = sorted(files, key=_hash)
    names, data = b"", b""
    tree = struct.pack(">IHII", 0, _DIRECTORY, len(ordered), 1)
    for name in ordered:
        tree += struct.pack(">IHHHI", len(names), 0, _ANY_COUNTRY, _C_LANGUAGE, len(data))
        names += struct.pack(">HI", len(name), _hash(name)) + name.encode("utf-16-be")
        data += struct.pack(">I", len(files[name])) + files[name]
    header = struct.calcsize(">4sIIII")
    offsets = (header, header + len(tree), header + len(tree) + len(data))
    return struct.pack(">4sIIII", b"qres", 1, *offsets) + tree + data + names


def _hash(name: str) -> int:
    value = 0
    for letter in name:
        value = (value << 4) + ord(letter)
        value ^= (value & 0xF0000000) >> 23
        value &= 0x0FFFFFFF
    return value
