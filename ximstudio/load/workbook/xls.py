"""The sheets of an XLS workbook of Excel 5 to 2003, surveyed in its records."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from ximstudio.load.reading import Report
from ximstudio.load.source import refuse_too_large
from ximstudio.load.workbook.compound import LISTED_IN_HEADER, SECTOR_WRITTEN, Compound, compound_of
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
    encrypted,
    not_a_workbook,
    refuse_scattered,
)

OTHERS = {
    "WordDocument": "a Word document",
    "PowerPoint Document": "a PowerPoint presentation",
    "VisioDocument": "a Visio drawing",
    "__properties_version1.0": "an e-mail message",
}
STREAMS = ("Workbook", "Book", "WORKBOOK", "BOOK")

BEGIN, END, FILE_PASS, BOUND_SHEET, DIMENSIONS = 0x0809, 0x000A, 0x002F, 0x0085, 0x0200
TEXTS, CONTINUED = 0x00FC, 0x003C
FORMULA, NUMBER, LABEL, BOOL_OR_ERROR, RK = 0x0006, 0x0203, 0x0204, 0x0205, 0x027E
TEXT_OF_LIST, SEVERAL_RK, IGNORED = 0x00FD, 0x00BD, 0x0FFF
CELLS = {FORMULA, NUMBER, LABEL, BOOL_OR_ERROR, RK, TEXT_OF_LIST, SEVERAL_RK}
KINDS = {0: WORKSHEET, 2: CHART}
BIFF8 = 0x0600
MOST_COLUMNS = 256
RECORDS_PER_REPORT = 100_000


@dataclass(frozen=True, kw_only=True)
class _Entry:
    name: str
    place: int
    kind: str
    hidden: bool


def xls_workbook(data: bytes, name: str, report: Report) -> Workbook:
    """The surveyed workbook; the report hears of all the work."""
    compound = Compound(data, name)
    if "EncryptedPackage" in compound.names:
        raise encrypted(name)
    stream_name = next((known for known in STREAMS if known in compound.names), None)
    if stream_name is None:
        kind = next(
            (OTHERS[known] for known in OTHERS if known in compound.names), "an Office document"
        )
        raise not_a_workbook(kind, name, "Copy the table into a workbook, or save it as text.")
    stream = bytearray(compound.stream(stream_name))
    if len(stream) > LISTED_IN_HEADER * SECTOR_WRITTEN * (SECTOR_WRITTEN // 4 - 1):
        refuse_too_large(float("inf"), len(stream), name)
    entries = _listed(stream, name)
    sheets = []
    walked_to = taken = 0
    for entry in sorted(entries, key=lambda entry: entry.place):
        if entry.place < walked_to:
            raise broken("two of its sheets begin within each other", name)
        where = f"{name}, sheet '{entry.name}'"
        survey, walked_to = _survey(stream, entry.place, where, report)
        taken = refuse_scattered(survey, where, taken=taken)
        sheet = Sheet(name=entry.name, kind=entry.kind, hidden=entry.hidden, survey=survey)
        sheets.append((entries.index(entry), sheet))
        report(min(1.0, walked_to / len(stream)))
    in_order = tuple(sheet for _, sheet in sorted(sheets, key=lambda pair: pair[0]))
    file = compound_of("Workbook" if stream_name.title() == "Workbook" else "Book", bytes(stream))
    return Workbook(sheets=in_order, file=lambda number: (file, number))


def _records(stream: bytes | bytearray, place: int, where: str) -> Iterator[tuple[int, int, int]]:
    """Kind, begin and end of every record from a place on."""
    while place + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, place)
        if place + 4 + length > len(stream):
            raise broken(f"a record at byte {place} is cut off", where)
        yield kind, place + 4, place + 4 + length
        place += 4 + length


def _listed(stream: bytearray, name: str) -> list[_Entry]:
    """The sheets that the workbook lists."""
    entries: list[_Entry] = []
    is_biff8 = True
    if not any(True for _ in _records(stream, 0, name)):
        raise broken("it is empty", name)
    for kind, begin, end in _records(stream, 0, name):
        record = stream[begin:end]
        if kind == BEGIN and len(record) >= 2:
            is_biff8 = struct.unpack_from("<H", record)[0] == BIFF8
        elif kind == FILE_PASS:
            raise encrypted(name)
        elif kind == TEXTS and len(record) >= 8:
            _refuse_count(stream, begin, name)
        elif kind == BOUND_SHEET and len(record) > 7:
            place, hidden, sort, length = struct.unpack_from("<IBBB", record)
            letters = record[8:] if is_biff8 else record[7:]
            coding = "utf-16-le" if is_biff8 and record[7] & 1 else "cp1252"
            letters = letters[: length * (2 if coding == "utf-16-le" else 1)]
            entries.append(
                _Entry(
                    name=letters.decode(coding, errors="replace"),
                    place=place,
                    kind=KINDS.get(sort, OTHER),
                    hidden=bool(hidden & 3),
                )
            )
        elif kind == END:
            break
    return entries


def _refuse_count(stream: bytearray, begin: int, name: str) -> None:
    """Refuse a list of texts that claims more than the file could hold: room is made for all."""
    (count,) = struct.unpack_from("<i", stream, begin + 4)
    if not 0 <= count <= len(stream):
        raise broken(f"it claims to hold {count} texts", name)


def _survey(stream: bytearray, start: int, where: str, report: Report) -> tuple[Survey, int]:
    """The survey of the sheet that begins at a place, and where it ends.

    The size that a sheet declares is struck out on the way: room would be made for it unseen.
    """
    n_rows = n_columns = n_cells = n_numbers = 0
    errors: dict[Place, str] = {}
    end = start
    for number, (kind, begin, end) in enumerate(_records(stream, start, where)):
        if number % RECORDS_PER_REPORT == 0:
            report(min(1.0, begin / len(stream)))
        if kind == END:
            break
        if kind == DIMENSIONS:
            struct.pack_into("<H", stream, begin - 4, IGNORED)
        elif kind in CELLS:
            if end - begin < 8:
                raise broken(f"a cell at byte {begin} is cut off", where)
            row, column = struct.unpack_from("<HH", stream, begin)
            count = (end - begin - 6) // 6 if kind == SEVERAL_RK else 1
            n_rows, n_columns = max(n_rows, row + 1), max(n_columns, column + max(count, 1))
            if n_columns > MOST_COLUMNS:
                raise broken(f"a cell at byte {begin} is in column {n_columns}", where)
            n_cells += count
            if kind in {NUMBER, RK, SEVERAL_RK}:
                n_numbers += count
            error = _error(stream, kind, begin, end)
            if error is not None:
                errors[row + 1, column + 1] = error
            elif kind == FORMULA and stream[begin + 12 : begin + 14] != b"\xff\xff":
                n_numbers += 1
    survey = Survey(
        n_rows=n_rows, n_columns=n_columns, n_cells=n_cells, n_numbers=n_numbers, errors=errors
    )
    return survey, end


def _error(stream: bytearray, kind: int, begin: int, end: int) -> str | None:
    """The error that a cell holds, if any."""
    if kind == BOOL_OR_ERROR and stream[begin + 7] == 1:
        return ERRORS.get(stream[begin + 6], "#ERROR!")
    is_error = kind == FORMULA and end - begin >= 14 and stream[begin + 6] == 2
    if is_error and stream[begin + 12 : begin + 14] == b"\xff\xff":
        return ERRORS.get(stream[begin + 8], "#ERROR!")
    return None
