"""The sheets of an XLSB workbook, surveyed in their records."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ximstudio.load.reading import Report, silent
from ximstudio.load.workbook.archive import Archive, local, packed, walk_xml
from ximstudio.load.workbook.survey import (
    CHART,
    ERRORS,
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

ROW, END_OF_SHEET, BUNDLED_SHEET = 0x0000, 0x0092, 0x009C
NUMBERS = {2, 5, 9}
ERROR_CELLS = {3, 11}
CELLS = range(2, 12)

RECORDS_PER_REPORT = 100_000


def xlsb_workbook(archive: Archive, main: str, report: Report) -> Workbook:
    """The surveyed workbook whose main part is `main`; the report hears of all the work."""
    folder, base = posixpath.split(main)
    beside = posixpath.join(folder, "_rels", f"{base}.rels")
    if beside not in archive:
        raise broken(f"its part '{beside}' is missing", archive.name)
    relations: dict[str, tuple[str, str]] = {}

    def relation(name: str, attributes: dict[str, str]) -> None:
        if local(name) == "Relationship":
            path = posixpath.join(folder, attributes.get("Target", ""))
            kind = attributes.get("Type", "").rpartition("/")[2]
            relations[attributes.get("Id", "")] = (kind, posixpath.normpath(path).lstrip("/"))

    walk_xml(archive.read(beside, silent), f"{archive.name}, part '{beside}'", start=relation)
    book = archive.read(main, silent)
    sheets: list[Sheet] = []
    places: list[str] = []
    members: dict[str, bytes] = {}
    for code, begin, end in _records(book, f"{archive.name}, part '{main}'"):
        if code == BUNDLED_SHEET:
            hidden, id_, name = _bundled(book[begin:end], archive.name)
            kind, member = relations.get(id_, ("worksheet", ""))
            sheet = Sheet(name=name, kind=KINDS.get(kind, OTHER), hidden=hidden)
            if sheet.kind == WORKSHEET and member in archive:
                where = f"{archive.name}, sheet '{name}'"
                members[member] = archive.read(member, report)
                survey = survey_records(members[member], where, report)
                sheet = Sheet(name=name, hidden=hidden, survey=survey)
            sheets.append(sheet)
            places.append(member)

    def file(number: int) -> tuple[bytes, int]:
        where = f"{archive.name}, sheet '{sheets[number].name}'"
        if places[number] not in members:
            raise broken(f"its part '{places[number]}' is missing", where)
        refuse_scattered(sheets[number].survey, where)
        parts = {main: book, beside: archive.read(beside, silent)}
        if "_rels/.rels" in archive:
            parts["_rels/.rels"] = archive.read("_rels/.rels", silent)
        parts[places[number]] = members[places[number]]
        for kind, member in relations.values():
            if kind in {"sharedStrings", "styles"} and member in archive:
                parts[member] = archive.read(member, silent)
        return packed(parts), number

    return Workbook(sheets=tuple(sheets), file=file)


def _records(data: bytes, where: str) -> Iterator[tuple[int, int, int]]:
    """Kind, begin and end of every record; one that reaches beyond the end is refused."""
    place, size = 0, len(data)
    try:
        while place < size:
            code = data[place]
            place += 1
            if code & 0x80:
                code = (code & 0x7F) | (data[place] & 0x7F) << 7
                place += 1
            length = shift = 0
            while True:
                byte = data[place]
                place += 1
                length |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 or shift == 28:
                    break
            if place + length > size:
                raise IndexError
            yield code, place, place + length
            place += length
    except IndexError:
        raise broken(f"a record at byte {place} is cut off", where) from None


def _bundled(record: bytes, where: str) -> tuple[bool, str, str]:
    """Whether a sheet is hidden, its relation and its name."""
    texts = []
    place = 8
    for _ in range(2):
        length = 2 * int.from_bytes(record[place : place + 4], "little")
        place += 4
        if place + length > len(record):
            raise broken("the list of its sheets is cut off", where)
        texts.append(record[place : place + length].decode("utf-16-le", errors="replace"))
        place += length
    return record[:4] != bytes(4), texts[0], texts[1]


def survey_records(data: bytes, where: str, report: Report) -> Survey:
    """The survey of a worksheet's records."""
    row = n_rows = n_columns = n_cells = n_numbers = 0
    errors: dict[Place, str] = {}
    for number, (code, begin, end) in enumerate(_records(data, where)):
        if number % RECORDS_PER_REPORT == 0:
            report(0.0)
        if code == ROW:
            row = int.from_bytes(data[begin : begin + 4], "little") + 1
        elif code in CELLS:
            if end - begin < 9:
                raise broken(f"a cell at byte {begin} is cut off", where)
            column = int.from_bytes(data[begin : begin + 4], "little") + 1
            n_rows, n_columns = max(n_rows, row), max(n_columns, column)
            n_cells += 1
            n_numbers += code in NUMBERS
            if code in ERROR_CELLS:
                errors[row, column] = ERRORS.get(data[begin + 8], "#ERROR!")
        elif code == END_OF_SHEET:
            break
    return Survey(
        n_rows=n_rows, n_columns=n_columns, n_cells=n_cells, n_numbers=n_numbers, errors=errors
    )
