"""Members of a zip archive, unpacked in memory and in pieces; nothing is written to disk."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple
from xml.parsers import expat

from ximstudio.load.packing.streams import UNREADABLE
from ximstudio.load.packing.zipped import MOST_MEMBERS
from ximstudio.load.reading import Report, silent
from ximstudio.load.source import HARMLESS, MOST_GROWTH, PIECE
from ximstudio.load.workbook.sheets import broken, encrypted
from ximstudio.model.problem import UserError

DAMAGED = (*UNREADABLE, OSError, MemoryError, RuntimeError)
"""Errors of the standard library on archives that are damaged or packed in a rare way."""


@dataclass(frozen=True, eq=False)
class Archive:
    """A zip archive; member names are only compared, never used as paths."""

    name: str
    size: int
    zip: zipfile.ZipFile
    members: dict[str, zipfile.ZipInfo]
    """By name in lower case with forward slashes, as writers differ."""

    @classmethod
    def of(cls, data: bytes, name: str) -> Archive:
        """Return the archive in these bytes; refuse what is none."""
        try:
            archive = zipfile.ZipFile(io.BytesIO(data))
        except DAMAGED as error:
            raise broken(f"its zip archive cannot be opened ({_error_text(error)})", name) from None
        if len(archive.infolist()) > MOST_MEMBERS:
            raise broken(f"it holds {len(archive.infolist())} parts", name)
        members = {spelled(info.filename): info for info in archive.infolist()}
        return cls(name, len(data), archive, members)

    def __contains__(self, member: str) -> bool:
        return spelled(member) in self.members

    def read(self, member: str, report: Report = silent) -> bytes:
        """Return all bytes of a member; the report goes from 0 to 1."""
        return b"".join(self.pieces(member, report))

    def pieces(self, member: str, report: Report) -> Iterator[bytes]:
        """Yield the bytes of a member, some megabytes at a time."""
        info = self.members[spelled(member)]
        where = f"{self.name}, part '{info.filename}'"
        if info.flag_bits & 1:
            raise encrypted(where)
        taken = 0
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
                yield piece
                report(min(1.0, taken / max(info.file_size, 1)))

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
    except DAMAGED as error:
        raise broken(f"a part of it cannot be unpacked ({_error_text(error)})", where) from None


def spelled(member: str) -> str:
    """Normalise a member's name for comparison."""
    return member.replace("\\", "/").lstrip("/").lower()


def packed(members: dict[str, bytes]) -> bytes:
    """Pack members into an uncompressed archive, for use in memory."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, data in members.items():
            # A fixed time gives the same bytes for the same members.
            archive.writestr(zipfile.ZipInfo(name), data)
    return file.getvalue()


def walk_xml(data: bytes, where: str, *, start: Any, end: Any = None, text: Any = None) -> None:
    """Call the handlers for all elements and texts; refuse damaged XML and declared entities.

    Entities can be declared to unfold into gigabytes, and no spreadsheet program declares any.
    """
    # Whatever encoding is declared: calamine supports no other either.
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


class Relation(NamedTuple):
    """A part that another one refers to, and its kind."""

    kind: str
    target: str


def relations(archive: Archive, main: str) -> dict[str, Relation]:
    """Return what a part refers to, by id."""
    folder, base = posixpath.split(main)
    member = posixpath.join(folder, "_rels", f"{base}.rels")
    found: dict[str, Relation] = {}

    def element(name: str, attributes: dict[str, str]) -> None:
        if local(name) == "Relationship":
            target = posixpath.normpath(posixpath.join("/", folder, attributes.get("Target", "")))
            kind = attributes.get("Type", "").rpartition("/")[2]
            found[attributes.get("Id", "")] = Relation(kind, target.lstrip("/"))

    if member in archive:
        walk_xml(archive.read(member), f"{archive.name}, part '{member}'", start=element)
    return found


def local(name: str) -> str:
    """Return the name of an element or attribute without its prefix."""
    return name.rpartition(":")[2]


def _error_text(error: BaseException) -> str:
    return str(error)[:120] or type(error).__name__
