"""PDF: the record in the metadata of document and page, and title and sentence in Info.

Reading scans the whole file for streams of metadata and ignores its cross-reference tables: so it
finds them in files that other programs have rewritten, compressed or repaired. Streams are never
nested, wherever else objects may be.
"""

from __future__ import annotations

import mmap
import re
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from ximstudio.figures.metadata.xmp import (
    MOST_TEXT,
    NAMESPACE,
    PROGRAM,
    FigureMetadata,
    UnsoundFileError,
    packet,
    record_in,
)

MARK = re.compile(rb"/Subtype\s*/XML\b")
LENGTH = re.compile(rb"/Length\s+(\d{1,12})(?!\s+\d+\s+R)\b")
END = re.compile(rb"\s*endstream\s+endobj")
"""Both words are required: one alone may occur in the text, as the name of an item."""
DICTIONARY = 4096
"""Largest distance from the mark to the ends of its dictionary."""
ENTRY = 20
MOST_STREAMS = 10_000


def info(embedded: FigureMetadata) -> dict[str, str | None]:
    """Return the Info dictionary for matplotlib, without a date, which would change every file."""
    return {
        "Title": embedded.title or None,
        "Subject": embedded.sentence or None,
        "Creator": PROGRAM,
        "CreationDate": None,
    }


def with_metadata(content: bytes, embedded: FigureMetadata) -> bytes:
    """Add a stream of metadata to a PDF by matplotlib, for the document and its page.

    The page has it, too, because a figure that is placed in another document loses the document's.
    """
    start = int(content.rsplit(b"startxref", 1)[1].split()[0])
    head, entries, trailer = _table(content[start:])
    offsets = {number: int(entry[:10]) for number, entry in entries if entry[17:18] == b"n"}
    order = sorted(offsets, key=offsets.__getitem__)
    ends = [*(offsets[number] for number in order[1:]), start]
    new = len(entries)
    reference = b"/Metadata %d 0 R " % new
    body = bytearray(content[: offsets[order[0]]])
    places = {0: 0}
    for number, end in zip(order, ends, strict=True):
        places[number] = len(body)
        body += _referring(content[offsets[number] : end], reference)
    text = packet(embedded, "application/pdf")
    places[new] = len(body)
    body += b"%d 0 obj\n<< /Type /Metadata /Subtype /XML /Length %d >>\n" % (new, len(text))
    body += b"stream\n%b\nendstream\nendobj\n" % text
    table = [*entries, (new, b"0000000000 00000 n \n")]
    lines = [
        b"%010d%b" % (places[number], entry[10:]) if number in places else entry
        for number, entry in table
    ]
    trailer = trailer.replace(b"/Size %d" % new, b"/Size %d" % (new + 1), 1)
    trailer = trailer.replace(b"startxref\n%d" % start, b"startxref\n%d" % len(body))
    return bytes(body) + head.replace(b" %d" % new, b" %d" % (new + 1)) + b"".join(lines) + trailer


def _table(content: bytes) -> tuple[bytes, list[tuple[int, bytes]], bytes]:
    """Return what precedes the entries of the table, the entries by number, and what follows."""
    head = re.match(rb"xref\n0 (\d+)\n", content)
    assert head is not None, "a table of one part"
    begin, count = head.end(), int(head[1])
    end = begin + ENTRY * count
    entries = [
        (number, content[begin + ENTRY * number : begin + ENTRY * (number + 1)])
        for number in range(count)
    ]
    return head[0], entries, content[end:]


def _referring(thing: bytes, reference: bytes) -> bytes:
    """Add a reference to the metadata to an object, if it is the document or its page."""
    return re.sub(
        rb"\A(\d+ 0 obj\n<< /Type /(?:Catalog|Page) )", lambda found: found[1] + reference, thing
    )


def recognises(opening: bytes) -> bool:
    """Return whether a file with this beginning is a PDF; some have other bytes before it."""
    return b"%PDF-" in opening[:1024]


def record_of(file: BinaryIO) -> str | None:
    """Return the first record in a PDF; None if it has none."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for text in _streams(content):
            if NAMESPACE.encode() in text:
                record = record_in([text.strip(b"\0\r\n ")])
                if record is not None:
                    return record
    return None


def _streams(content: mmap.mmap) -> Iterator[bytes]:
    """Yield all streams of metadata, decompressed; together no more than the limit."""
    left, last = 4 * MOST_TEXT, -1
    for number, mark in enumerate(MARK.finditer(content)):
        if number == MOST_STREAMS or left <= 0:
            raise UnsoundFileError("it has too much metadata")
        keyword = content.find(b"stream", mark.end(), mark.end() + DICTIONARY)
        words = _dictionary(content, mark.start(), keyword)
        if keyword <= last or words is None:
            continue
        last = keyword
        begin = keyword + len(b"stream")
        begin += 2 if content[begin : begin + 2] == b"\r\n" else 1
        text = content[begin : _end(content, begin, words, left)]
        left -= len(text)
        if b"/Filter" in words:
            try:
                text = zlib.decompressobj().decompress(text, max(left, 1))
            except zlib.error:
                continue
            left -= len(text)
        yield text


def _dictionary(content: mmap.mmap, mark: int, keyword: int) -> bytes | None:
    """Return the dictionary of a stream with the mark in it, if it can be read."""
    first = content.rfind(b"obj", max(0, mark - DICTIONARY), mark)
    if first < 0 or keyword < 0:
        return None
    words = content[first + 3 : keyword]
    if b"obj" in words or (b"/Filter" in words and b"/FlateDecode" not in words):
        return None
    return words


def _end(content: mmap.mmap, begin: int, words: bytes, left: int) -> int:
    """Return the end of a stream: from its dictionary, if correct, or at the next keyword."""
    said = LENGTH.search(words)
    if said is not None:
        end = begin + int(said[1])
        if end <= begin + left and b"endstream" in content[end : end + 16]:
            return end
    found = END.search(content, begin, begin + left)
    return begin + left if found is None else found.start()
