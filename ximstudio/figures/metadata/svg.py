"""SVG: sizes in millimetres, common fonts, and the record in <metadata>."""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from typing import BinaryIO

from ximstudio.figures.metadata.xmp import NAMESPACE, SVG, FigureMetadata, metadata, record_in

ROOT = f"{SVG} svg"
FIRST_CHUNK = 2**16
MOST_BYTES = 2**29
BEGIN = re.compile(rb"\s*<")
MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
"""Byte order marks of Unicode texts."""
TRACES = tuple(NAMESPACE.encode(form) for form in ("utf-8", "utf-16-le", "utf-16-be"))
NO_METADATA = {"Date": None, "Format": None, "Type": None, "Creator": None}
"""Metadata that matplotlib leaves out: we write it, and a date would change every file."""


def with_metadata(
    content: bytes, embedded: FigureMetadata, *, size_mm: tuple[float, float]
) -> bytes:
    """Add the size in millimetres and the metadata to an SVG by matplotlib."""
    width, height = (f"{length:.4f}".rstrip("0").rstrip(".").encode() for length in size_mm)
    size = rb'\1width="%bmm" height="%bmm"' % (width, height)
    root = re.search(rb"<svg [^>]*>", content)
    assert root is not None, "no SVG without a root"
    opened = re.sub(rb'(<svg [^>]*?)width="[^"]*" height="[^"]*"', size, root[0], count=1)
    return content[: root.start()] + opened + b"\n" + metadata(embedded) + content[root.end() :]


def recognises(opening: bytes) -> bool:
    """Return whether a file with this beginning may be SVG; any XML may."""
    return opening.startswith(MARKS) or BEGIN.match(opening) is not None


def record_of(file: BinaryIO) -> str | None:
    """Return the record in an SVG; None if it has none, or is no SVG."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        # Most files have no record, and parsing a large one takes seconds.
        if all(content.find(trace) < 0 for trace in TRACES):
            return None
    return record_in(_chunks(file), root=ROOT)


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    """Yield a file from its beginning, in growing pieces.

    The record is in the first one or two. The parser restarts a long word with every piece, so
    that pieces of one size would take time quadratic in the word's length.
    """
    size = FIRST_CHUNK
    while file.tell() < MOST_BYTES and (chunk := file.read(size)):
        yield chunk
        size *= 2
