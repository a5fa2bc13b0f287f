"""The members of a zip archive, unpacked in memory and in pieces; nothing is written to disk."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from xml.parsers import expat

from ximstudio.load.reading import Report
from ximstudio.load.source import HARMLESS, MOST_GROWTH, PIECE, refuse_too_large
from ximstudio.load.workbook.survey import broken, encrypted, memory_to_give
from ximstudio.model.problem import UserError

MOST_MEMBERS = 20_000

UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    MemoryError,
    LookupError,
    RuntimeError,
    struct.error,
)
"""What the standard library raises on archives that are damaged, or packed as no workbook is."""


@dataclass(frozen=True, eq=False)
class Archive:
    """A zip archive whose headers are not believed.

    Member names are only ever compared, never used as paths: "../" in them does nothing.
    """

    name: str
    size: int
    zip: zipfile.ZipFile
    members: dict[str, zipfile.ZipInfo]
    """By name in lower case with forward slashes: some writers care for neither."""

    @classmethod
    def of(cls, data: bytes, name: str) -> Archive:
        """The archive in these bytes; what is none is refused."""
        try:
            archive = zipfile.ZipFile(io.BytesIO(data))
        except UNREADABLE as error:
            raise broken(f"its zip archive cannot be opened ({_told(error)})", name) from None
        if len(archive.infolist()) > MOST_MEMBERS:
            raise broken(f"it holds {len(archive.infolist())} parts", name)
        members = {spelled(info.filename): info for info in archive.infolist()}
        return cls(name, len(data), archive, members)

    def __contains__(self, member: str) -> bool:
        return spelled(member) in self.members

    def read(self, member: str, report: Report, *, part: tuple[float, float] = (0, 0)) -> bytes:
        """All bytes of a member, counted while they are unpacked.

        The report hears of them as the piece of the work from `part[0]` to `part[1]`.
        """
        return b"".join(self.pieces(member, report, part=part))

    def pieces(
        self, member: str, report: Report, *, part: tuple[float, float] = (0, 0)
    ) -> Iterator[bytes]:
        """Yield the bytes of a member, some megabytes at a time, as `read` unpacks them."""
        info = self.members[spelled(member)]
        where = f"{self.name}, part '{info.filename}'"
        if info.flag_bits & 1:
            raise encrypted(where)
        room = memory_to_give()
        taken = 0
        begin, end = part
        with _unpackable(where):
            stream = self.zip.open(info)
        with stream:
            while True:
                with _unpackable(where):
                    piece = stream.read(PIECE)
                if not piece:
                    return
                taken += len(piece)
                self._refuse_bomb(taken, where)
                refuse_too_large(taken, room, where)
                yield piece
                report(begin + (end - begin) * min(1.0, taken / max(info.file_size, 1)))

    def _refuse_bomb(self, taken: int, where: str) -> None:
        if taken > HARMLESS and taken > MOST_GROWTH * self.size:
            raise UserError(
                key="load.bomb",
                what=f"A part of the workbook unpacks to more than {MOST_GROWTH} times the size of"
                " the file: that is no table.",
                where=where,
                way_out="Open the workbook in Excel if you trust it, and save the sheet as CSV.",
            )


@contextmanager
def _unpackable(where: str) -> Iterator[None]:
    try:
        yield
    except UNREADABLE as error:
        raise broken(f"a part of it cannot be unpacked ({_told(error)})", where) from None


def spelled(member: str) -> str:
    """A member's name as it is compared."""
    return member.replace("\\", "/").lstrip("/").lower()


def packed(members: dict[str, bytes]) -> bytes:
    """An archive of these members alone, not compressed: it is only handed on in memory."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, data in members.items():
            # Without a time of its own the same members are the same bytes.
            archive.writestr(zipfile.ZipInfo(name), data)
    return file.getvalue()


def walk_xml(data: bytes, where: str, *, start: Any, end: Any = None, text: Any = None) -> None:
    """Call the handlers for all elements and texts; damaged XML and declared entities are refused.

    Entities can be declared to unfold into gigabytes, and no spreadsheet program declares any.
    """
    # Whatever coding is declared: the library that reads the cells knows no other either.
    parser = expat.ParserCreate("UTF-8")
    parser.buffer_text = True

    def refuse_doctype(*_: Any) -> None:
        raise broken("its XML declares a document type, which no workbook does", where)

    parser.StartDoctypeDeclHandler = refuse_doctype
    parser.StartElementHandler = start
    if end is not None:
        parser.EndElementHandler = end
    if text is not None:
        parser.CharacterDataHandler = text
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, str(error))
        raise broken(f"{reason}, line {error.lineno}", where) from None


def local(name: str) -> str:
    """The name of an element or attribute without its prefix."""
    return name.rpartition(":")[2]


def _told(error: BaseException) -> str:
    return str(error)[:120] or type(error).__name__
