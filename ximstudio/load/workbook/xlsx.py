"""The sheets of an XLSX or XLSM workbook, surveyed in their XML."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from xml.sax.saxutils import quoteattr

import numpy as np

from ximstudio.load.reading import Choices, Report, silent
from ximstudio.load.source import PIECE
from ximstudio.load.workbook.archive import Archive, local, packed, spelled, walk_xml
from ximstudio.load.workbook.cells import parsed
from ximstudio.load.workbook.fast_xlsx import Written, write
from ximstudio.load.workbook.hidden import hidden_in
from ximstudio.load.workbook.sheet_scan import Meanings, Scan, scan
from ximstudio.load.workbook.sheet_xml import SheetXml
from ximstudio.load.workbook.survey import (
    CHART,
    OTHER,
    WORKSHEET,
    Place,
    Sheet,
    Survey,
    Workbook,
    broken,
    refuse_scattered,
)

KINDS = {"worksheet": WORKSHEET, "chartsheet": CHART}

LONGEST_PLACE = 18
"""Bytes looked at for the name of a cell: "XFD1048576" has ten."""

CELL = re.compile(rb"<(?:[\w.-]+:)?c(?=[\s/>])")
ROW = re.compile(rb"<(?:[\w.-]+:)?row(?=[\s/>])")
PLACE = re.compile(rb"""[^>]*?\sr\s*=\s*["']([A-Za-z]+)(\d+)""")
ANY_PLACE = re.compile(rb"""\sr\s*=\s*["']([A-Za-z]*)(\d*)""")
TYPE = re.compile(rb"""[^>]*?\st\s*=\s*["'](\w+)""")
VALUE = re.compile(rb"<(?:[\w.-]+:)?v(?:\s[^>]*)?>([^<]*)<")
FORMULA = re.compile(rb"<(?:[\w.-]+:)?f[\s/>]")
TO_LOOK_INTO = (b"<f", b":f", b'"e"', b"'e'")
"""One of these is in every piece with a formula or an error. Plain searches are far faster than
patterns, and a sheet may have half a gigabyte."""
NO_NUMBERS = (b't="s"', b't="str"')
"""Types of cells with a value that is no number; the others are too rare to matter."""

SHARED, STYLE = re.compile(rb"<si[\s/>]"), re.compile(rb"<xf[\s/>]")
"""At least as many as there are: a text or style that is not there has no meaning."""

NAMES = "http://schemas.openxmlformats.org"
HEAD = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


@dataclass(frozen=True, kw_only=True)
class _Entry:
    """A sheet as the workbook lists it."""

    name: str
    member: str
    kind: str
    hidden: bool


@dataclass(frozen=True, kw_only=True)
class _Listing:
    """What the workbook's own part and its relations say."""

    sheets: tuple[_Entry, ...]
    strings: str | None
    styles: str | None
    from_1904: bool


def xlsx_workbook(archive: Archive, main: str, report: Report) -> Workbook:
    """The surveyed workbook whose main part is `main`; the report hears of all the work."""
    listing = _listed(archive, main)
    present = [entry for entry in listing.sheets if entry.member in archive]
    sizes = [archive.members[spelled(entry.member)].file_size for entry in present]
    total = max(sum(sizes), 1)
    members: dict[str, Callable[[], bytes]] = {}
    surveys: dict[str, Survey] = {}
    scans: dict[str, Scan] = {}
    meanings = cache(partial(_meanings, archive, listing))
    done = 0
    for entry, size in zip(present, sizes, strict=True):
        begin, end = done / total, (done + size) / total
        done += size
        if entry.kind != WORKSHEET or entry.member in members:
            continue
        middle = (begin + end) / 2
        sheet = SheetXml(archive.pieces(entry.member, report, part=(begin, middle)))
        plain = scan(sheet, meanings, partial(_within, report, (middle, min(1.0, end))))
        if plain is None:
            data = sheet.whole()
            where = f"{archive.name}, sheet '{entry.name}'"
            survey = survey_xml(data, where, report, part=(middle, min(1.0, end)))
            surveys[entry.member] = replace(survey, hidden=hidden_in(data, survey.n_columns))
            members[entry.member] = partial(bytes, data)
        else:
            scans[entry.member], surveys[entry.member] = plain, plain.survey
            members[entry.member] = sheet.whole
    sheets = tuple(
        Sheet(
            name=entry.name,
            kind=entry.kind,
            hidden=entry.hidden,
            survey=surveys.get(entry.member, Survey()),
        )
        for entry in listing.sheets
    )

    def file(number: int) -> tuple[bytes, int]:
        entry = listing.sheets[number]
        where = f"{archive.name}, sheet '{entry.name}'"
        if entry.member not in members:
            raise broken(f"its part '{entry.member}' is missing", where)
        refuse_scattered(surveys[entry.member], where)
        data = members[entry.member]()
        members.clear()
        scans.clear()
        return _alone(archive, listing, data), 0

    def written(number: int, choices: Choices, report: Report) -> Written | None:
        entry = listing.sheets[number]
        if entry.member not in scans or choices.decimal not in {None, "."}:
            return None
        refuse_scattered(surveys[entry.member], f"{archive.name}, sheet '{entry.name}'")
        return write(scans[entry.member], choices, report)

    return Workbook(sheets=sheets, file=file, written=written)


def _within(report: Report, part: tuple[float, float], done: float) -> None:
    report(part[0] + (part[1] - part[0]) * done)


def _meanings(archive: Archive, listing: _Listing) -> Meanings:
    """What shared texts and styles mean, as the library has it.

    It is given a sheet with a row for each: a number, the text, and a number in the style.
    """
    strings, styles = (
        b"" if member is None else archive.read(member, silent)
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
    sheet = (
        HEAD
        + f'<worksheet xmlns="{NAMES}/spreadsheetml/2006/main"><sheetData>'.encode()
        + rows.encode()
        + b"</sheetData></worksheet>"
    )
    grid = parsed(_alone(archive, listing, sheet), 0, archive.name)
    cells = [[*row, "", ""][1:3] for row in grid.rows]
    return Meanings(
        texts=[str(text) for text, _ in cells[:n_texts]],
        is_date=[type(value) is not float for _, value in cells[:n_styles]],
    )


def _listed(archive: Archive, main: str) -> _Listing:
    folder, base = posixpath.split(main)
    relations: dict[str, tuple[str, str]] = {}

    def relation(name: str, attributes: dict[str, str]) -> None:
        if local(name) == "Relationship":
            target = attributes.get("Target", "")
            path = target if target.startswith("/") else posixpath.join(folder, target)
            kind = attributes.get("Type", "").rpartition("/")[2]
            relations[attributes.get("Id", "")] = (kind, posixpath.normpath(path).lstrip("/"))

    beside = posixpath.join(folder, "_rels", f"{base}.rels")
    if beside in archive:
        walk_xml(archive.read(beside, silent), f"{archive.name}, part '{beside}'", start=relation)
    sheets: list[_Entry] = []
    from_1904 = False

    def element(name: str, attributes: dict[str, str]) -> None:
        nonlocal from_1904
        if local(name) == "workbookPr":
            from_1904 = attributes.get("date1904", "0") in {"1", "true", "on"}
        elif local(name) == "sheet":
            id_ = next((value for key, value in attributes.items() if local(key) == "id"), "")
            kind, member = relations.get(id_, ("worksheet", ""))
            sheets.append(
                _Entry(
                    name=attributes.get("name", f"sheet {len(sheets) + 1}"),
                    member=member,
                    kind=KINDS.get(kind, OTHER),
                    hidden=attributes.get("state", "visible") != "visible",
                )
            )

    walk_xml(archive.read(main, silent), f"{archive.name}, part '{main}'", start=element)
    by_kind = {kind: member for kind, member in relations.values() if member in archive}
    return _Listing(
        sheets=tuple(sheets),
        strings=by_kind.get("sharedStrings"),
        styles=by_kind.get("styles"),
        from_1904=from_1904,
    )


def _alone(archive: Archive, listing: _Listing, sheet: bytes) -> bytes:
    """A workbook of one sheet, with the texts and formats it needs, under names of our own."""
    parts = {"worksheet": ("worksheets/sheet1.xml", sheet)}
    for kind, member, path in (
        ("sharedStrings", listing.strings, "sharedStrings.xml"),
        ("styles", listing.styles, "styles.xml"),
    ):
        if member is not None:
            parts[kind] = (path, archive.read(member, silent))
    relations = "".join(
        f"<Relationship Id={quoteattr(kind)} Target={quoteattr(path)}"
        f' Type="{NAMES}/officeDocument/2006/relationships/{kind}"/>'
        for kind, (path, _) in parts.items()
    )
    book = (
        f'<workbook xmlns="{NAMES}/spreadsheetml/2006/main"'
        f' xmlns:r="{NAMES}/officeDocument/2006/relationships">'
        f'<workbookPr date1904="{int(listing.from_1904)}"/>'
        '<sheets><sheet name="table" sheetId="1" r:id="worksheet"/></sheets></workbook>'
    )
    rels = f'<Relationships xmlns="{NAMES}/package/2006/relationships">'
    root = (
        f'<Relationship Id="book" Target="xl/workbook.xml"'
        f' Type="{NAMES}/officeDocument/2006/relationships/officeDocument"/>'
    )
    members = {
        "_rels/.rels": HEAD + f"{rels}{root}</Relationships>".encode(),
        "xl/workbook.xml": HEAD + book.encode(),
        "xl/_rels/workbook.xml.rels": HEAD + f"{rels}{relations}</Relationships>".encode(),
    }
    return packed(members | {f"xl/{path}": data for path, data in parts.values()})


def survey_xml(
    data: bytes, where: str, report: Report, *, part: tuple[float, float] = (0, 1)
) -> Survey:
    """The survey of a worksheet's XML, a few megabytes at a time."""
    if b"\0" in data[:1024]:
        raise broken("a sheet is not written in UTF-8", where)
    n_rows = n_columns = n_cells = n_texts = n_values = placeless_rows = widest = 0
    errors: dict[Place, str] = {}
    uncomputed: list[Place] = []
    for begin, stop in _pieces(data):
        piece = data[begin:stop]
        last_row, last_column, n_placed = _extent(piece)
        n_rows, n_columns = max(n_rows, last_row), max(n_columns, last_column)
        cells = _count_cells(piece)
        if cells > n_placed:
            # Cells without a place follow the one before: the row that has most is the widest.
            rows = ROW.split(piece)
            placeless_rows += len(rows)
            widest = max(widest, *(len(CELL.findall(row)) for row in rows))
        n_cells += cells
        n_values += piece.count(b"<v>") or len(VALUE.findall(piece))
        n_texts += sum(piece.count(mark) for mark in NO_NUMBERS)
        if any(mark in piece for mark in TO_LOOK_INTO):
            _look_into(piece, errors, uncomputed)
        report(part[0] + (part[1] - part[0]) * stop / max(len(data), 1))
    return Survey(
        n_rows=n_rows + placeless_rows,
        n_columns=n_columns + widest,
        n_cells=n_cells,
        n_numbers=max(0, n_values - n_texts),
        errors=errors,
        uncomputed=tuple(uncomputed),
    )


def _pieces(data: bytes) -> Iterator[tuple[int, int]]:
    """Where to cut: between rows, else between cells, else before a tag, else nowhere."""
    begin = 0
    while begin < len(data):
        stop = begin + PIECE
        if stop < len(data):
            cuts = [data.rfind(mark, begin + 1, stop) for mark in (b"<row", b"<c ", b"<")]
            cuts += [data.find(b"<", stop), len(data)]
            stop = next(cut for cut in cuts if cut > 0)
        yield begin, min(stop, len(data))
        begin = stop


def _extent(piece: bytes) -> tuple[int, int, int]:
    """The last row and column that any cell of a piece names, and how many cells name one.

    Every attribute "r" counts, whatever it stands in: the extent may be too large, never too small.
    """
    raw = np.frombuffer(piece + b" " * (LONGEST_PLACE + 4), dtype=np.uint8)
    begins = np.flatnonzero(
        (raw[1:-LONGEST_PLACE] == ord("r")) & (raw[: -LONGEST_PLACE - 1] <= ord(" "))
    )
    sign, quote = raw[begins + 2], raw[begins + 3]
    is_plain = (sign == ord("=")) & ((quote == ord('"')) | (quote == ord("'")))
    if ((sign <= ord(" ")) | ((sign == ord("=")) & ~is_plain)).any():
        return _extent_by_pattern(piece)
    places = begins[is_plain] + 4
    row = np.zeros(len(places))
    column = np.zeros(len(places))
    spells = letters_only = np.ones(len(places), dtype=bool)
    for offset in range(LONGEST_PLACE):
        byte = raw[places + offset]
        # Upper and lower case differ by one bit; what is less than "A" or "0" wraps to above 200.
        letter, digit = (byte & 0xDF) - ord("A"), byte - ord("0")
        letters_only = letters_only & (letter < 26)
        is_digit = spells & (digit < 10)
        spells = letters_only | is_digit
        if not spells.any():
            break
        column = np.where(letters_only, column * 26 + letter + 1, column)
        row = np.where(is_digit, row * 10 + digit, row)
    n_placed = int((column > 0).sum())
    return int(row.max(initial=0)), int(column.max(initial=0)), n_placed


def _extent_by_pattern(piece: bytes) -> tuple[int, int, int]:
    """The same where white space may stand around the equals sign; slower."""
    found = ANY_PLACE.findall(piece)
    letters = [name for name, _ in found if name]
    columns = [_column_number(name) for name in set(letters)]
    rows = [int(row[:LONGEST_PLACE]) for row in {row for _, row in found} if row]
    return max(rows, default=0), max(columns, default=0), len(letters)


def _count_cells(piece: bytes) -> int:
    """How many cells begin in a piece, placed or not."""
    raw = np.frombuffer(piece + b"   ", dtype=np.uint8)
    before, after = raw[:-2], raw[2:]
    begins = (raw[1:-1] == ord("c")) & ((before == ord("<")) | (before == ord(":")))
    begins &= (after <= ord(" ")) | (after == ord("/")) | (after == ord(">"))
    return int(np.count_nonzero(begins))


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper()[:LONGEST_PLACE]:
        number = number * 26 + letter - ord("A") + 1
    return number


def _look_into(piece: bytes, errors: dict[Place, str], uncomputed: list[Place]) -> None:
    """Add the error cells and the formulas without a value of a piece."""
    for cell in CELL.split(piece)[1:]:
        place = PLACE.match(cell)
        if place is None:
            continue
        kind = TYPE.match(cell)
        value = VALUE.search(cell)
        text = value[1].strip() if value else b""
        at = int(place[2][:LONGEST_PLACE]), _column_number(place[1])
        if kind and kind[1] == b"e":
            errors[at] = text.decode("utf-8", errors="replace")
        # The value of a formula that gives a text may be the empty one.
        elif not text and FORMULA.search(cell) and not (kind and kind[1] == b"str" and value):
            uncomputed.append(at)
