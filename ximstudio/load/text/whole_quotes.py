"""Lines that are quoted as a whole: "a,b,c" instead of a,b,c."""

from __future__ import annotations

import re

LOOKED_AT = 60
HEAD = 1024 * 1024
"""Number of lines, and of bytes, examined first."""

SHARE = 0.5
"""Minimum share of lines quoted as a whole; plain lines may be left unquoted."""

INNER = rb'(?:[^"\n]|"")*'
QUOTED = re.compile(rb'^[ ]*"(' + INNER + rb')"[;,\t ]*$', re.M)
CUT = re.compile(rb"[,;\t|]")


def unwrapped(data: bytes) -> tuple[bytes, int]:
    """Return the text without quotation marks around whole lines, and the number of these.

    Nothing is changed unless most lines are a single quoted cell that holds delimiters: a column of
    quoted texts with a comma here and there stays as it is.
    """
    head = data[:HEAD]
    if b'"' not in head:
        return data, 0
    lines = [line for line in head.split(b"\n")[:LOOKED_AT] if line.strip()]
    if len(head) < len(data) and len(lines) > 1 and len(lines) < LOOKED_AT:
        # The last line may be cut off.
        del lines[-1]
    found = [match[1] for line in lines if (match := QUOTED.match(line))]
    if len(found) < max(2, SHARE * len(lines)):
        return data, 0
    if not all(CUT.search(inner) for inner in found) or not _alike(lines):
        return data, 0
    return QUOTED.subn(lambda match: match[1].replace(b'""', b'"'), data)


def _alike(lines: list[bytes]) -> bool:
    """Return whether one delimiter splits all unwrapped lines into equally many cells."""
    plain = [QUOTED.sub(lambda match: match[1].replace(b'""', b'"'), line) for line in lines]
    for mark in (b"\t", b",", b";", b"|"):
        counts = {_without_quoted(line).count(mark) for line in plain}
        if len(counts) == 1 and counts.pop() > 0:
            return True
    return False


def _without_quoted(line: bytes) -> bytes:
    return re.sub(rb'"[^"]*"', b"", line)
