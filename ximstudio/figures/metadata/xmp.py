"""The XMP packet: RDF with title and sentence, and one element of our own for the record.

Programs that rewrite a file keep the packet, but may write it differently: with our element as an
attribute, with other prefixes, in another order. All of that is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from typing import Any
from xml.parsers import expat

from ximstudio import __version__

PROGRAM = f"XIM Studio {__version__}"
MOST_TEXT = 2**24
"""Most letters of a record: 16 MB hold the names of a million selected genes."""
UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot represent."""


@dataclass(frozen=True, kw_only=True)
class FigureMetadata:
    """Metadata of a figure.

    Parameters
    ----------
    title, sentence
        For readers: the name of the figure, and what it shows. Line breaks and characters that no
        file can hold become blanks.
    record
        For programs: printable ASCII, such as JSON; '' if there is none.
    """

    title: str = ""
    sentence: str = ""
    record: str = ""

    def __post_init__(self) -> None:
        for name in ("title", "sentence"):
            plain = " ".join(UNFIT.sub(" ", getattr(self, name)).split())
            object.__setattr__(self, name, plain)
        if not (self.record.isascii() and self.record.isprintable()):
            raise ValueError("a record is printable ASCII")


class UnsoundFileError(Exception):
    """A file that is broken at or before the record; its text says why."""


NAMESPACE = "urn:ximstudio:figure#"
NAME = f"{NAMESPACE} provenance"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
DC = "http://purl.org/dc/elements/1.1/"
CC = "http://creativecommons.org/ns#"
XMP = "http://ns.adobe.com/xap/1.0/"
SVG = "http://www.w3.org/2000/svg"


def packet(embedded: FigureMetadata, media_type: str) -> bytes:
    """Return the metadata as an XMP packet."""
    lines = [
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
        '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
        f'<rdf:RDF xmlns:rdf="{RDF}">',
        f'<rdf:Description rdf:about="" xmlns:dc="{DC}" xmlns:xmp="{XMP}"'
        f' xmlns:ximstudio="{NAMESPACE}">',
        f"<dc:format>{media_type}</dc:format>",
        *_in_one_language("dc:title", embedded.title),
        *_in_one_language("dc:description", embedded.sentence),
        *_element("xmp:CreatorTool", PROGRAM),
        *_record(embedded),
        "</rdf:Description>",
        "</rdf:RDF>",
        "</x:xmpmeta>",
        '<?xpacket end="w"?>',
    ]
    return "\n".join(lines).encode()


def metadata(embedded: FigureMetadata) -> bytes:
    """Return the metadata for an SVG, in the terms that drawing programs look for."""
    work = [
        "<dc:format>image/svg+xml</dc:format>",
        '<dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage"/>',
        *_element("dc:title", embedded.title),
        *_element("dc:description", embedded.sentence),
        "<dc:creator><cc:Agent>",
        *_element("dc:title", PROGRAM),
        "</cc:Agent></dc:creator>",
    ]
    lines = [
        *_element("title", embedded.title),
        *_element("desc", embedded.sentence),
        "<metadata>",
        f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:dc="{DC}" xmlns:cc="{CC}"'
        f' xmlns:ximstudio="{NAMESPACE}">',
        '<cc:Work rdf:about="">',
        *work,
        *_record(embedded),
        "</cc:Work>",
        "</rdf:RDF>",
        "</metadata>",
    ]
    return "\n".join(lines).encode()


def _element(name: str, text: str) -> list[str]:
    return [f"<{name}>{escape(text, quote=False)}</{name}>"] if text else []


def _in_one_language(name: str, text: str) -> list[str]:
    entry = f'<rdf:Alt><rdf:li xml:lang="x-default">{escape(text, quote=False)}</rdf:li></rdf:Alt>'
    return [f"<{name}>{entry}</{name}>"] if text else []


def _record(embedded: FigureMetadata) -> list[str]:
    return _element("ximstudio:provenance", embedded.record)


def record_in(chunks: Iterable[bytes], *, root: str | None = None) -> str | None:
    """Return the record in an XML text; None if there is none.

    No more chunks are taken once it is found. A text that is broken, or declares entities (a few
    of those can stand for gigabytes), raises UnsoundFileError; but if a `root` is given, a text
    that does not begin with it is a file of another kind, whatever is wrong with it.
    """
    search = _Search(root)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    handlers: dict[str, Callable[..., Any]] = {
        "StartElementHandler": search.begin,
        "EndElementHandler": search.end,
        "CharacterDataHandler": search.take,
        "StartDoctypeDeclHandler": search.declare,
        "EntityDeclHandler": search.refuse,
    }
    for name, handler in handlers.items():
        setattr(parser, name, handler)
    try:
        for chunk in chunks:
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except _Ended:
        return search.record
    # The text names encodings that Python does not know or cannot decode incrementally.
    except (expat.ExpatError, LookupError, ValueError) as error:
        if search.root is not None:
            return None
        raise UnsoundFileError(f"its XML is broken ({error})") from None
    return None


class _Ended(Exception):  # noqa: N818
    """Raised to end the search."""


class _Search:
    """Events of the parser, until our element has ended."""

    def __init__(self, root: str | None) -> None:
        self.root = root
        """Required name of the first element; None once it was seen."""
        self.record: str | None = None
        self._parts: list[str] = []
        self._length = 0
        self._inside = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if self.root is not None:
            if name != self.root:
                raise _Ended
            self.root = None
        if self._inside:
            raise UnsoundFileError("its record has parts")
        if name == NAME:
            self._inside = True
        elif NAME in attributes:
            self.take_whole(attributes[NAME])

    def take(self, text: str) -> None:
        if self._inside:
            self._length += len(text)
            if self._length > MOST_TEXT:
                raise UnsoundFileError("its record is too long")
            self._parts.append(text)

    def end(self, name: str) -> None:
        if name == NAME:
            self.take_whole("".join(self._parts))

    def take_whole(self, text: str) -> None:
        if len(text) > MOST_TEXT:
            raise UnsoundFileError("its record is too long")
        self.record = text
        raise _Ended

    def declare(self, name: str, *_: object) -> None:
        if self.root is not None and not self.root.endswith(f" {name}"):
            raise _Ended

    def refuse(self, *_: object) -> None:
        raise UnsoundFileError("it declares entities")
