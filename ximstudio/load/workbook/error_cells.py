"""Find the error cells of XLS, XLSB and ODS sheets, which calamine returns as blanks."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from ximstudio.load.workbook.archive import Archive, relations, walk_xml
from ximstudio.load.workbook.sheets import Place, SheetDetails

ERRORS = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}
"""Codes of errors in the binary formats."""

XLS_END, XLS_SHEET, XLS_FORMULA, XLS_BOOL_OR_ERROR = 0x000A, 0x0085, 0x0006, 0x0205
XLSB_ROW, XLSB_END, XLSB_SHEET = 0x0000, 0x0092, 0x009C
XLSB_ERRORS = {3, 11}


def xls_details(stream: bytes, number: int) -> SheetDetails:
    """Return the error cells of the sheet with this number in the stream of an XLS workbook."""
    places = [
        struct.unpack_from("<I", stream, begin)[0]
        for kind, begin, end in xls_records(stream, 0)
        if kind == XLS_SHEET and end - begin >= 4
    ]
    errors: dict[Place, str] = {}
    for kind, begin, end in xls_records(stream, places[number]):
        cell = stream[begin:end]
        if kind == XLS_BOOL_OR_ERROR and cell[7:8] == b"\1":
            code = cell[6]
        elif kind == XLS_FORMULA and cell[6:7] == b"\2" and cell[12:14] == b"\xff\xff":
            code = cell[8]
        else:
            continue
        row, column = struct.unpack_from("<HH", cell)
        errors[row + 1, column + 1] = ERRORS.get(code, "#ERROR!")
    return SheetDetails(errors=errors)


def xls_records(stream: bytes, place: int) -> Iterator[tuple[int, int, int]]:
    """Yield kind, begin and end of the records from a place to the end of their part."""
    kind = -1
    while kind != XLS_END and place + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, place)
        yield kind, place + 4, min(place + 4 + length, len(stream))
        place += 4 + length


def xlsb_details(archive: Archive, main: str, number: int) -> SheetDetails:
    """Return the error cells of the sheet with this number that the part `main` lists."""
    book = archive.read(main)
    begins = [begin for code, begin in _xlsb_records(book) if code == XLSB_SHEET]
    member = relations(archive, main)[_xlsb_text(book, begins[number] + 8)].target
    data = archive.read(member)
    errors: dict[Place, str] = {}
    row = 0
    for code, begin in _xlsb_records(data):
        if code == XLSB_END:
            break
        if code == XLSB_ROW:
            row = int.from_bytes(data[begin : begin + 4], "little") + 1
        elif code in XLSB_ERRORS:
            column = int.from_bytes(data[begin : begin + 4], "little") + 1
            errors[row, column] = ERRORS.get(data[begin + 8], "#ERROR!")
    return SheetDetails(errors=errors)


def _xlsb_text(data: bytes, place: int) -> str:
    length = 2 * int.from_bytes(data[place : place + 4], "little")
    return data[place + 4 : place + 4 + length].decode("utf-16-le", errors="replace")


def _xlsb_records(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield kind and begin of every record that is whole."""
    place = 0
    while place + 6 <= len(data):
        code = data[place]
        place += 1
        if code & 0x80:
            code = (code & 0x7F) | (data[place] & 0x7F) << 7
            place += 1
        length = 0
        for shift in (0, 7, 14, 21):
            length |= (data[place] & 0x7F) << shift
            place += 1
            if data[place - 1] < 0x80:
                break
        if place + length > len(data):
            return
        yield code, place
        place += length


def ods_details(content: bytes, number: int, where: str) -> SheetDetails:
    """Return errors and formulas without a value of the sheet with this number."""
    finder = _OdsFinder(number)
    walk_xml(content, where, start=finder.start, end=finder.end, text=finder.text)
    return SheetDetails(errors=finder.errors, uncomputed=tuple(finder.uncomputed))


class _OdsFinder:
    """Handlers that follow the cells of one sheet in the XML of an OpenDocument workbook."""

    def __init__(self, number: int) -> None:
        self.errors: dict[Place, str] = {}
        self.uncomputed: list[Place] = []
        self._sheets_before = number
        self._row = self._column = 0
        self._next_row = self._next_column = 1
        self._in_error = False

    def start(self, element: str, attributes: dict[str, str]) -> None:
        if element == "table:table":
            self._sheets_before -= 1
        elif self._sheets_before != -1:
            return
        elif element == "table:table-row":
            self._row, self._next_column = self._next_row, 1
            self._next_row += int(attributes.get("table:number-rows-repeated", "1"))
        elif element in {"table:table-cell", "table:covered-table-cell"}:
            self._column = self._next_column
            self._next_column += int(attributes.get("table:number-columns-repeated", "1"))
            self._in_error = attributes.get("calcext:value-type") == "error"
            if self._in_error:
                self.errors[self._row, self._column] = ""
            elif "table:formula" in attributes and not attributes.get("office:value-type"):
                self.uncomputed.append((self._row, self._column))

    def text(self, text: str) -> None:
        if self._in_error:
            self.errors[self._row, self._column] += text

    def end(self, element: str) -> None:
        if self._in_error and element == "table:table-cell":
            place = self._row, self._column
            self.errors[place] = self.errors[place].strip() or "#ERROR!"
            self._in_error = False
