"""Open a workbook of any kind, and refuse what only looks like one."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from ximstudio.load.reading import Report
from ximstudio.load.workbook.archive import Archive, relations
from ximstudio.load.workbook.error_cells import ods_details, xls_details, xls_records, xlsb_details
from ximstudio.load.workbook.library import LibraryBook
from ximstudio.load.workbook.sheets import SheetDetails, broken, encrypted, not_a_workbook
from ximstudio.load.workbook.xlsx import XlsxWorkbook
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import UserError

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""Of a compound file, the container of Office documents before 2007."""

HIGHEST_SECTOR = 0xFFFFFFFA
ENTRY = 128
MINI = 64
STREAM, ROOT = 2, 5
LISTED_IN_HEADER = 109


def ole_streams(data: bytes, name: str) -> dict[str, bytes]:
    """Return the streams of a compound file by name; refuse one that is damaged or cut off."""
    try:
        return dict(_streams(data))
    except (struct.error, IndexError, ValueError, OverflowError):
        raise broken("its container cannot be read", name) from None


def _streams(data: bytes) -> Iterator[tuple[str, bytes]]:
    size = 1 << struct.unpack_from("<H", data, 30)[0]
    directory, _, cut_off, mini_table, _, more = struct.unpack_from("<6I", data, 48)
    n_sectors = len(data) // size

    def chained(first: int, table: array[int], source: bytes, unit: int, skip: int) -> bytes:
        """Join the sectors from `first` on; a table that leads in circles ends the chain."""
        pieces: list[bytes] = []
        while first < HIGHEST_SECTOR and len(pieces) <= n_sectors * (size // unit):
            pieces.append(source[(first + skip) * unit : (first + skip + 1) * unit])
            first = table[first]
        return b"".join(pieces)

    listed = array("I", data[76 : 76 + 4 * LISTED_IN_HEADER])
    while more < HIGHEST_SECTOR and len(listed) <= n_sectors + LISTED_IN_HEADER:
        *further, more = array("I", data[(more + 1) * size : (more + 2) * size])
        listed.extend(further)
    tables = [number for number in listed if number < HIGHEST_SECTOR][: n_sectors + 1]
    table = array("I", b"".join(data[(n + 1) * size : (n + 2) * size] for n in tables))
    entries = chained(directory, table, data, size, 1)
    small_table = array("I", chained(mini_table, table, data, size, 1))
    small = b""
    for begin in range(0, len(entries) - ENTRY + 1, ENTRY):
        length, kind = struct.unpack_from("<HB", entries, begin + 64)
        first, n_bytes = struct.unpack_from("<II", entries, begin + 116)
        called = entries[begin : begin + max(0, min(length, 64) - 2)]
        if kind == ROOT:
            small = chained(first, table, data, size, 1)
            continue
        stream = b""
        if kind == STREAM and n_bytes < cut_off:
            stream = chained(first, small_table, small, MINI, 0)
        elif kind == STREAM:
            stream = chained(first, table, data, size, 1)
        if kind == STREAM and len(stream) < n_bytes:
            raise ValueError
        if kind:
            yield called.decode("utf-16-le", errors="replace"), stream[:n_bytes]


ZIPS = (b"PK\x03\x04", b"PK\x05\x06")
XML_2003 = b"urn:schemas-microsoft-com:office:spreadsheet"
LOOKED_AT = 4096

XLS_STREAMS = ("Workbook", "Book", "WORKBOOK", "BOOK")
XLS_PASSWORD = 0x002F
OTHER_STREAMS = {
    "WordDocument": "a Word document",
    "PowerPoint Document": "a PowerPoint presentation",
    "VisioDocument": "a Visio drawing",
    "__properties_version1.0": "an e-mail message",
}
OTHER_ARCHIVES = (
    ("word/", "a Word document"),
    ("ppt/", "a PowerPoint presentation"),
    ("index/document.iwa", "an Apple Numbers, Pages or Keynote document"),
)
SPREADSHEET = b"application/vnd.oasis.opendocument.spreadsheet"
MANIFEST, CONTENT = "META-INF/manifest.xml", "content.xml"


class LibraryWorkbook(LibraryBook):
    """A workbook that only the library reads: XLS, XLSB or ODS; `find_details` parses the rest."""

    def __init__(self, data: bytes, name: str, find_details: Callable[[int], SheetDetails]) -> None:
        super().__init__(data, name)
        self._find_details = find_details

    def scan(self, number: int) -> None:
        """Return None: kernels read no sheet of it."""

    def details(self, number: int) -> SheetDetails:
        """Return the details of a sheet that the library leaves out."""
        try:
            return self._find_details(number)
        except (LookupError, ValueError, struct.error) as error:
            if isinstance(error, UserError):
                raise
            raise broken("its error cells cannot be found", self.name) from None


Workbook: TypeAlias = LibraryWorkbook | XlsxWorkbook
"""A workbook of any kind; sheets are called by number, from 0."""


def open_workbook(data: bytes, name: str, report: Report, *, fast: bool) -> Workbook:
    """Open the workbook in these bytes; `fast` is whether kernels may read its sheets."""
    if data.startswith(SIGNATURE):
        return _xls(data, name)
    if not data.startswith(ZIPS):
        kind = "an XML spreadsheet of Excel 2003" if XML_2003 in data[:LOOKED_AT] else "a web page"
        way_out = "Open it in Excel and save it as an Excel workbook (.xlsx) or as CSV."
        raise not_a_workbook(kind, name, way_out)
    archive = Archive.of(data, name)
    main = _main_part(archive)
    if main is not None and main.endswith(".xml"):
        return XlsxWorkbook(archive, main, report, fast=fast)
    if main is not None:
        return LibraryWorkbook(data, name, partial(xlsb_details, archive, main))
    if "mimetype" in archive and archive.read("mimetype").startswith(SPREADSHEET):
        return _ods(data, archive)
    raise _other_archive(archive)


def _xls(data: bytes, name: str) -> Workbook:
    streams = ole_streams(data, name)
    if "EncryptedPackage" in streams:
        raise encrypted(name)
    stream = next((streams[known] for known in XLS_STREAMS if known in streams), None)
    if stream is None:
        others = (kind for known, kind in OTHER_STREAMS.items() if known in streams)
        kind = next(others, "an Office document")
        raise not_a_workbook(kind, name, "Copy the table into a workbook, or save it as text.")
    if any(kind == XLS_PASSWORD for kind, _, _ in xls_records(stream, 0)):
        raise encrypted(name)
    return LibraryWorkbook(data, name, partial(xls_details, stream))


def _ods(data: bytes, archive: Archive) -> Workbook:
    if MANIFEST not in archive or CONTENT not in archive:
        raise broken("its table of contents or its content is missing", archive.name)
    if b"encryption-data" in archive.read(MANIFEST):
        raise encrypted(archive.name)
    where = f"{archive.name}, part '{CONTENT}'"
    return LibraryWorkbook(
        data, archive.name, lambda number: ods_details(archive.read(CONTENT), number, where)
    )


def _main_part(archive: Archive) -> str | None:
    """Return the part of an Excel workbook that lists its sheets."""
    usual = [member for member in ("xl/workbook.xml", "xl/workbook.bin") if member in archive]
    if usual or "_rels/.rels" not in archive:
        return usual[0] if usual else None
    documents = (
        target for kind, target in relations(archive, "").values() if kind == "officeDocument"
    )
    return next((each for each in documents if "workbook" in each and each in archive), None)


def _other_archive(archive: Archive) -> UserError:
    names = list(archive.members)
    for start, kind in OTHER_ARCHIVES:
        if any(name.startswith(start) for name in names):
            way_out = "Copy the table into a workbook, or save it as text, and open that."
            return not_a_workbook(kind, archive.name, way_out)
    if "mimetype" in archive and CONTENT in archive:
        return not_a_workbook("an OpenDocument file without sheets", archive.name)
    spelled = [repr(info.filename[:60]) for info in archive.members.values()]
    what = f"a zip archive ({some_of(spelled)})" if spelled else "an empty zip archive"
    return not_a_workbook(what, archive.name, "Unpack it and open the table in it.")
