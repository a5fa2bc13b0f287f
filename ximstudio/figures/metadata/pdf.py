"""PDF: the record in the metadata of document and page, and people's fields in the Info dictionary.

Reading looks for streams of metadata from the file's first byte to its last, and knows nothing of
tables of contents: so it finds them in files that other programs have written anew, packed or
mended. A stream is never inside another one, wherever else objects may hide.
"""

from __future__ import annotations

import mmap
import re
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from ximstudio.figures.metadata.contents import MOST_TEXT, PROGRAM, FigureMetadata, UnsoundFileError
from ximstudio.figures.metadata.xmp import NAMESPACE, packet, record_in

MARK = re.compile(rb"/Subtype\s*/XML\b")
LENGTH = re.compile(rb"/Length\s+(\d{1,12})(?!\s+\d+\s+R)\b")
END = re.compile(rb"\s*endstream\s+endobj")
"""One of the two words alone may be in the text, if an item is called so."""
DICTIONARY = 4096
"""How far from the mark a dictionary begins and ends, at the most."""
ENTRY = 20
MOST_STREAMS = 10_000


def info(colophon: FigureMetadata) -> dict[str, str | None]:
    """The Info dictionary for matplotlib; a date would make every file another."""
    return {
        "Title": colophon.title or None,
        "Subject": colophon.sentence or None,
        "Creator": PROGRAM,
        "CreationDate": None,
    }


def with_metadata(content: bytes, colophon: FigureMetadata) -> bytes:
    """A PDF of matplotlib's with a stream of metadata, of the document and of its page.

    Of the page, too, for a figure that becomes part of another document leaves its own behind.
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
    text = packet(colophon, "application/pdf")
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
    """What precedes the entries of the table, the entries by number, and what follows them."""
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
    """An object with a reference to the metadata, if it is the document or its page."""
    return re.sub(
        rb"\A(\d+ 0 obj\n<< /Type /(?:Catalog|Page) )", lambda found: found[1] + reference, thing
    )


def recognises(opening: bytes) -> bool:
    """Whether a file that begins like this is a PDF; some have other things before it."""
    return b"%PDF-" in opening[:1024]


def record_of(file: BinaryIO) -> str | None:
    """The first record in a PDF; None if it has none."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for text in _streams(content):
            if NAMESPACE.encode() in text:
                record = record_in([text.strip(b"\0\r\n ")])
                if record is not None:
                    return record
    return None


def _streams(content: mmap.mmap) -> Iterator[bytes]:
    """All streams of metadata, unpacked; together no more than the limit."""
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
    """The dictionary of a stream with the mark in it, if it is one that can be read."""
    first = content.rfind(b"obj", max(0, mark - DICTIONARY), mark)
    if first < 0 or keyword < 0:
        return None
    words = content[first + 3 : keyword]
    if b"obj" in words or (b"/Filter" in words and b"/FlateDecode" not in words):
        return None
    return words


def _end(content: mmap.mmap, begin: int, words: bytes, left: int) -> int:
    """Where a stream ends: as its dictionary says, if that is true, or where the next words are."""
    said = LENGTH.search(words)
    if said is not None:
        end = begin + int(said[1])
        if end <= begin + left and b"endstream" in content[end : end + 16]:
            return end
    found = END.search(content, begin, begin + left)
    return begin + left if found is None else found.start()
