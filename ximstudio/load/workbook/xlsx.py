"""Sheets of an XLSX or XLSM workbook.

Large and plain sheets are read by kernels (`sheet_scan`); all others are packed into a workbook
with standard names for the library, which takes fewer spellings of parts than spreadsheets do.
"""

from __future__ import annotations

import re
from functools import cache, cached_property, partial
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from ximstudio.load.reading import Report
from ximstudio.load.workbook.archive import Archive, local, packed, relations, spelled, walk_xml
from ximstudio.load.workbook.library import CellGrid, LibraryBook
from ximstudio.load.workbook.sheet_scan import Meanings, Scan, scan
from ximstudio.load.workbook.sheet_xml import SheetXml
from ximstudio.load.workbook.sheets import (
    CHART,
    OTHER,
    WORKSHEET,
    Place,
    SheetDetails,
    WorkbookSheet,
    broken,
    column_number,
    hidden_in,
)

KINDS = {"worksheet": WORKSHEET, "chartsheet": CHART}

CELL = re.compile(rb"<(?:[\w.-]+:)?c(?=[\s/>])")
ROW = re.compile(rb"<(?:[\w.-]+:)?row(?=[\s/>])")
PLACE = re.compile(rb"""[^>]*?\sr\s*=\s*["']([A-Za-z]{1,3})(\d{1,7})""")
TYPE = re.compile(rb"""[^>]*?\st\s*=\s*["'](\w+)""")
VALUE = re.compile(rb"<(?:[\w.-]+:)?v(?:\s[^>]*)?>([^<]*)<")
FORMULA = re.compile(rb"<(?:[\w.-]+:)?f[\s/>]")
TO_LOOK_INTO = (b"<f", b":f", b'"e"', b"'e'")
"""One of these is in every row with a formula or an error. Plain searches are far faster than
patterns, and a sheet may have half a gigabyte."""

SHARED, STYLE = re.compile(rb"<si[\s/>]"), re.compile(rb"<xf[\s/>]")
"""At least as many as there are: a text or style that is not there has no meaning."""

NAMES = "http://schemas.openxmlformats.org"
HEAD = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


class _Listing(NamedTuple):
    """The workbook's main part and its relations."""

    sheets: tuple[WorkbookSheet, ...]
    members: tuple[str, ...]
    strings: str | None
    styles: str | None
    from_1904: bool


class XlsxWorkbook:
    """The sheets of a workbook whose main part is `main`.

    `fast` is False if kernels are not to read any of them.
    """

    def __init__(self, archive: Archive, main: str, report: Report, *, fast: bool) -> None:
        self._archive = archive
        self._listing = _listed(archive, main)
        self.sheets = self._listing.sheets
        self._scans: dict[str, Scan] = {}
        self._sheet_xml: dict[str, bytes] = {}
        self._read_sheets(report, fast=fast)

    def scan(self, number: int) -> Scan | None:
        """Return the rows of a sheet that is large and plain; else None."""
        return self._scans.get(self._listing.members[number])

    def grid(self, number: int) -> CellGrid:
        """Return the cells of any other sheet."""
        return self._library.grid([*self._sheet_xml].index(self._member(number)))

    def details(self, number: int) -> SheetDetails:
        """Return the details of a sheet that the library has read and left out."""
        data = self._sheet_xml[self._member(number)]
        n_columns = self.grid(number).size.n_columns
        errors, uncomputed = _errors_and_uncomputed(data)
        return SheetDetails(errors=errors, uncomputed=uncomputed, hidden=hidden_in(data, n_columns))

    def _member(self, number: int) -> str:
        member = self._listing.members[number]
        if member not in self._sheet_xml:
            where = f"{self._archive.name}, sheet '{self.sheets[number].name}'"
            raise broken(f"its part '{member}' is missing", where)
        return member

    @cached_property
    def _library(self) -> LibraryBook:
        data = _standard(self._archive, self._listing, list(self._sheet_xml.values()))
        return LibraryBook(data, self._archive.name)

    def _read_sheets(self, report: Report, *, fast: bool) -> None:
        meanings = cache(partial(_meanings, self._archive, self._listing))
        pairs = zip(self._listing.members, self.sheets, strict=True)
        members = dict.fromkeys(
            member for member, sheet in pairs if sheet.kind == WORKSHEET and member in self._archive
        )
        sizes = [self._archive.members[spelled(member)].file_size for member in members]
        total, done = max(sum(sizes), 1), 0
        for member, size in zip(members, sizes, strict=True):
            ends = done / total, (done + size / 2) / total, (done + size) / total
            done += size
            sheet = SheetXml(self._archive.pieces(member, partial(_within, report, *ends[:2])))
            found = scan(sheet, meanings, partial(_within, report, *ends[1:])) if fast else None
            if found is None:
                self._sheet_xml[member] = sheet.whole()
            else:
                self._scans[member] = found


def _within(report: Report, begin: float, end: float, done: float) -> None:
    report(min(1.0, begin + (end - begin) * done))


def _meanings(archive: Archive, listing: _Listing) -> Meanings:
    """Ask the library what shared texts and styles mean.

    It is given a sheet with a row for each: a number, the text, and a number in the style.
    """
    strings, styles = (
        b"" if member is None else archive.read(member)
        for member in (listing.strings, listing.styles)
    )
    n_texts, n_styles = len(SHARED.findall(strings)), len(STYLE.findall(styles))
    rows = "".join(
        f'<row r="{row}"><c r="A{row}"><v>1</v></c>'
        + (f'<c r="B{row}" t="s"><v>{row - 1}</v></c>' if row <= n_texts else "")
        + (f'<c r="C{row}" s="{row - 1}"><v>1.5</v></c>' if row <= n_styles else "")
        + "</row>"
        for row in range(1, max(n_texts, n_styles, 1) + 1)
    )
    begin = f'<worksheet xmlns="{NAMES}/spreadsheetml/2006/main"><sheetData>'
    sheet = HEAD + f"{begin}{rows}</sheetData></worksheet>".encode()
    grid = LibraryBook(_standard(archive, listing, [sheet]), archive.name).grid(0)
    cells = [[*row, "", ""][1:3] for row in grid.rows]
    return Meanings(
        texts=[str(text) for text, _ in cells[:n_texts]],
        is_date=[type(value) is not float for _, value in cells[:n_styles]],
    )


def _listed(archive: Archive, main: str) -> _Listing:
    """Read the list of sheets."""
    known = relations(archive, main)
    sheets: list[WorkbookSheet] = []
    members: list[str] = []
    from_1904 = False

    def element(name: str, attributes: dict[str, str]) -> None:
        nonlocal from_1904
        if local(name) == "workbookPr":
            from_1904 = attributes.get("date1904", "0") in {"1", "true", "on"}
        elif local(name) == "sheet":
            id_ = next((value for key, value in attributes.items() if local(key) == "id"), "")
            kind, member = known.get(id_, ("worksheet", ""))
            members.append(member)
            sheets.append(
                WorkbookSheet(
                    name=attributes.get("name", f"sheet {len(sheets) + 1}"),
                    kind=KINDS.get(kind, OTHER),
                    hidden=attributes.get("state", "visible") != "visible",
                )
            )

    walk_xml(archive.read(main), f"{archive.name}, part '{main}'", start=element)
    by_kind = {kind: member for kind, member in known.values() if member in archive}
    return _Listing(
        sheets=tuple(sheets),
        members=tuple(members),
        strings=by_kind.get("sharedStrings"),
        styles=by_kind.get("styles"),
        from_1904=from_1904,
    )


def _standard(archive: Archive, listing: _Listing, sheets: list[bytes]) -> bytes:
    """Pack sheets with the texts and formats they need into a workbook of standard names."""
    parts = {
        f"s{number}": ("worksheet", f"worksheets/sheet{number}.xml", sheet)
        for number, sheet in enumerate(sheets, 1)
    }
    listed = "".join(
        f'<sheet name="{id_}" sheetId="{number}" r:id="{id_}"/>'
        for number, id_ in enumerate(parts, 1)
    )
    for kind, member in (("sharedStrings", listing.strings), ("styles", listing.styles)):
        if member is not None:
            parts[kind] = (kind, f"{kind}.xml", archive.read(member))
    related = "".join(
        f"<Relationship Id={quoteattr(id_)} Target={quoteattr(path)}"
        f' Type="{NAMES}/officeDocument/2006/relationships/{kind}"/>'
        for id_, (kind, path, _) in parts.items()
    )
    book = (
        f'<workbook xmlns="{NAMES}/spreadsheetml/2006/main"'
        f' xmlns:r="{NAMES}/officeDocument/2006/relationships">'
        f'<workbookPr date1904="{int(listing.from_1904)}"/><sheets>{listed}</sheets></workbook>'
    )
    rels = f'<Relationships xmlns="{NAMES}/package/2006/relationships">'
    root = (
        f'<Relationship Id="book" Target="xl/workbook.xml"'
        f' Type="{NAMES}/officeDocument/2006/relationships/officeDocument"/>'
    )
    members = {
        "_rels/.rels": HEAD + f"{rels}{root}</Relationships>".encode(),
        "xl/workbook.xml": HEAD + book.encode(),
        "xl/_rels/workbook.xml.rels": HEAD + f"{rels}{related}</Relationships>".encode(),
    }
    return packed(members | {f"xl/{path}": data for _, path, data in parts.values()})


def _errors_and_uncomputed(data: bytes) -> tuple[dict[Place, str], tuple[Place, ...]]:
    """Find the error cells and the formulas without a value in the XML of a sheet."""
    errors: dict[Place, str] = {}
    uncomputed: list[Place] = []
    rows = ROW.split(data) if any(mark in data for mark in TO_LOOK_INTO) else []
    telling = (row for row in rows if any(mark in row for mark in TO_LOOK_INTO))
    for cell in (cell for row in telling for cell in CELL.split(row)[1:]):
        place = PLACE.match(cell)
        if place is None:
            continue
        kind = TYPE.match(cell)
        value = VALUE.search(cell)
        text = value[1].strip() if value else b""
        at = int(place[2]), column_number(place[1].decode())
        if kind and kind[1] == b"e":
            errors[at] = text.decode("utf-8", errors="replace")
        # The value of a formula that gives a text may be the empty one.
        elif not text and FORMULA.search(cell) and not (kind and kind[1] == b"str" and value):
            uncomputed.append(at)
    return errors, tuple(uncomputed)
