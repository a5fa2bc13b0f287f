"""SVG: millimetres, fonts that others have, and the record in <metadata>."""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from typing import BinaryIO

from ximstudio.figures.metadata.contents import FigureMetadata
from ximstudio.figures.metadata.xmp import NAMESPACE, SVG, metadata, record_in

ROOT = f"{SVG} svg"
FIRST_CHUNK = 2**16
MOST_BYTES = 2**29
BEGIN = re.compile(rb"\s*<")
MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
"""How texts of Unicode begin."""
TRACES = tuple(NAMESPACE.encode(form) for form in ("utf-8", "utf-16-le", "utf-16-be"))
NO_METADATA = {"Date": None, "Format": None, "Type": None, "Creator": None}
"""What matplotlib is to leave out: it is said by us, and a date would make every file another."""


def with_metadata(
    content: bytes, colophon: FigureMetadata, *, size_mm: tuple[float, float]
) -> bytes:
    """An SVG of matplotlib's with its size in millimetres, and its colophon."""
    width, height = (f"{length:.4f}".rstrip("0").rstrip(".").encode() for length in size_mm)
    size = rb'\1width="%bmm" height="%bmm"' % (width, height)
    root = re.search(rb"<svg [^>]*>", content)
    assert root is not None, "no SVG without a root"
    opened = re.sub(rb'(<svg [^>]*?)width="[^"]*" height="[^"]*"', size, root[0], count=1)
    return content[: root.start()] + opened + b"\n" + metadata(colophon) + content[root.end() :]


def recognises(opening: bytes) -> bool:
    """Whether a file that begins like this may be SVG; any XML may."""
    return opening.startswith(MARKS) or BEGIN.match(opening) is not None


def record_of(file: BinaryIO) -> str | None:
    """The record in an SVG; None if it has none, or is no SVG."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        # Most files are of others, and it takes seconds to read a large one as what it is.
        if all(content.find(trace) < 0 for trace in TRACES):
            return None
    return record_in(_chunks(file), root=ROOT)


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    """A file from its beginning, in growing pieces.

    The record is in the first one or two. The parser begins a long word anew with every piece, so
    that pieces of one size would take a time that grows with the square of the word's length.
    """
    size = FIRST_CHUNK
    while file.tell() < MOST_BYTES and (chunk := file.read(size)):
        yield chunk
        size *= 2
