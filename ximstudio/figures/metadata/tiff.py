"""TIFF: the record in tag 700, which is reserved for XMP."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, BinaryIO

from ximstudio.figures.metadata.xmp import (
    MOST_TEXT,
    PROGRAM,
    FigureMetadata,
    UnsoundFileError,
    packet,
    record_in,
)

if TYPE_CHECKING:
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

ORDERS = {b"II*\0": "<", b"MM\0*": ">"}
DESCRIPTION, SOFTWARE, XMP = 270, 305, 700
BYTE, UNDEFINED = 1, 7


def tags(embedded: FigureMetadata) -> ImageFileDirectory_v2:
    """Return the tags with the metadata."""
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

    directory = ImageFileDirectory_v2()
    directory[SOFTWARE] = PROGRAM
    said = ". ".join(text.rstrip(".") for text in (embedded.title, embedded.sentence) if text)
    if said:
        # The description tag is ASCII only; XMP has all letters.
        directory[DESCRIPTION] = f"{said}.".encode("ascii", "replace").decode()
    directory.tagtype[XMP] = BYTE
    directory[XMP] = packet(embedded, "image/tiff")
    return directory


def recognises(opening: bytes) -> bool:
    """Return whether a file with this beginning is a TIFF."""
    return opening[:4] in ORDERS


def record_of(file: BinaryIO) -> str | None:
    """Return the record in a TIFF's first directory; None if it has none."""
    head = file.read(8)
    order = ORDERS[head[:4]]
    file.seek(*_unpacked(f"{order}I", head[4:]))
    (count,) = _unpacked(f"{order}H", file.read(2))
    entries = file.read(12 * count)
    if len(entries) < 12 * count:
        raise UnsoundFileError("it ends too early")
    for tag, kind, length, value in struct.iter_unpack(f"{order}HHI4s", entries):
        if tag != XMP or kind not in (BYTE, UNDEFINED) or not 4 < length <= 2 * MOST_TEXT:
            continue
        file.seek(*_unpacked(f"{order}I", value))
        content = file.read(length)
        if len(content) < length:
            raise UnsoundFileError("it ends too early")
        return record_in([content.rstrip(b"\0")])
    return None


def _unpacked(form: str, content: bytes) -> tuple[int, ...]:
    try:
        return struct.unpack(form, content)
    except struct.error:
        raise UnsoundFileError("it ends too early") from None
