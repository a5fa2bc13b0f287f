"""PNG: the record in an iTXt chunk, as XMP specifies."""

from __future__ import annotations

import zlib
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
    from PIL.PngImagePlugin import PngInfo

MAGIC = b"\x89PNG\r\n\x1a\n"
KEYWORD = b"XML:com.adobe.xmp"
MOST_CHUNKS = 2**20


def texts(embedded: FigureMetadata) -> PngInfo:
    """Return the text chunks with the metadata."""
    from PIL.PngImagePlugin import PngInfo

    chunks = PngInfo()
    chunks.add_text("Software", PROGRAM)
    if embedded.title:
        chunks.add_itxt("Title", embedded.title)
    if embedded.sentence:
        chunks.add_itxt("Description", embedded.sentence)
    chunks.add_itxt(KEYWORD.decode(), packet(embedded, "image/png").decode())
    return chunks


def recognises(opening: bytes) -> bool:
    """Return whether a file with this beginning is a PNG."""
    return opening.startswith(MAGIC)


def record_of(file: BinaryIO) -> str | None:
    """Return the record in a PNG; None if it has none."""
    file.seek(len(MAGIC))
    for _ in range(MOST_CHUNKS):
        head = file.read(8)
        if len(head) < 8:
            raise UnsoundFileError("it ends too early")
        length, kind = int.from_bytes(head[:4], "big"), head[4:]
        if kind == b"IEND":
            return None
        if kind != b"iTXt" or length > 2 * MOST_TEXT:
            file.seek(length + 4, 1)
            continue
        body, check = file.read(length), file.read(4)
        if zlib.crc32(kind + body) != int.from_bytes(check, "big") or len(check) < 4:
            raise UnsoundFileError("a text chunk is damaged")
        if body.startswith(KEYWORD + b"\0"):
            record = record_in([_text(body[len(KEYWORD) + 1 :])])
            if record is not None:
                return record
    raise UnsoundFileError("it has too many chunks")


def _text(body: bytes) -> bytes:
    """Return the text of an iTXt chunk: two flags, language, translated keyword, text."""
    flags, parts = body[:2], body[2:].split(b"\0", 2)
    if len(parts) < 3:
        raise UnsoundFileError("a text chunk is malformed")
    if flags[:1] == b"\0":
        return parts[2]
    try:
        return zlib.decompressobj().decompress(parts[2], 2 * MOST_TEXT)
    except zlib.error:
        raise UnsoundFileError("a text chunk cannot be decompressed") from None
