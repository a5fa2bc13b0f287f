"""Workbooks written byte by byte, for what no library writes."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from ximstudio.load.workbook.opening import LISTED_IN_HEADER, ROOT, SIGNATURE, STREAM
from ximstudio.load.workbook.sheets import cell_name

NAMES = "http://schemas.openxmlformats.org"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
RELATIONS = f"{NAMES}/officeDocument/2006/relationships"

Cell = float | str | bool | None

END_OF_CHAIN, FREE, IS_TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
SECTOR_WRITTEN = 4096


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=zipfile.ZIP_DEFLATED)
    return file.getvalue()


def relations(*targets: tuple[str, str]) -> str:
    listed = "".join(
        f'<Relationship Id="r{number}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return (
        f'{HEAD}<Relationships xmlns="{NAMES}/package/2006/relationships">{listed}</Relationships>'
    )


def cell(place: tuple[int, int], value: Cell) -> str:
    at = cell_name(place)
    if isinstance(value, bool):
        return f'<c r="{at}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str):
        return f'<c r="{at}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    return "" if value is None else f'<c r="{at}"><v>{value!r}</v></c>'


def sheet_data(rows: Sequence[Sequence[Cell]], *, first: tuple[int, int] = (1, 1)) -> str:
    """Rows as XML, the first cell at a place."""
    written = ""
    for number, row in enumerate(rows, first[0]):
        cells = "".join(cell((number, column), value) for column, value in enumerate(row, first[1]))
        written += f'<row r="{number}">{cells}</row>'
    return written


def xlsx(
    sheets: Mapping[str, str], *, after: str = "", more: Mapping[str, str | bytes] | None = None
) -> bytes:
    """A workbook from the XML of the rows of its sheets."""
    listed = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{number}" r:id="r{number}"/>'
        for number, name in enumerate(sheets, 1)
    )
    members: dict[str, str | bytes] = {
        "_rels/.rels": relations(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'{HEAD}<workbook xmlns="{NAMES}/spreadsheetml/2006/main"'
        f' xmlns:r="{RELATIONS}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            *[
                ("worksheet", f"worksheets/sheet{number}.xml")
                for number in range(1, len(sheets) + 1)
            ]
        ),
    }
    for number, rows in enumerate(sheets.values(), 1):
        members[f"xl/worksheets/sheet{number}.xml"] = (
            f'{HEAD}<worksheet xmlns="{NAMES}/spreadsheetml/2006/main">'
            f"<sheetData>{rows}</sheetData>{after}</worksheet>"
        )
    return zipped(members | dict(more or {}))


def ods(content: str, *, manifest: str = "") -> bytes:
    """An OpenDocument workbook from the XML of its tables."""
    names = "urn:oasis:names:tc:opendocument:xmlns"
    spaces = " ".join(f'xmlns:{key}="{names}:{key}:1.0"' for key in ("office", "table", "text"))
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f"{HEAD}<manifest:manifest"
            f' xmlns:manifest="{names}:manifest:1.0">{manifest}</manifest:manifest>',
            "content.xml": f'{HEAD}<office:document-content {spaces} xmlns:calcext="urn:calcext">'
            f"<office:body><office:spreadsheet>{content}</office:spreadsheet></office:body>"
            "</office:document-content>",
        }
    )


def ods_cell(value: Cell, more: str = "") -> str:
    if value is None:
        return f"<table:table-cell {more}/>"
    if isinstance(value, str):
        kind = 'office:value-type="string"'
        return (
            f"<table:table-cell {kind} {more}><text:p>{escape(value)}</text:p></table:table-cell>"
        )
    kind = f'office:value-type="float" office:value="{value!r}"'
    return f"<table:table-cell {kind} {more}><text:p>shown</text:p></table:table-cell>"


def ods_table(name: str, rows: Sequence[Sequence[Cell]]) -> str:
    written = "".join(
        f"<table:table-row>{''.join(ods_cell(value) for value in row)}</table:table-row>"
        for row in rows
    )
    return f'<table:table table:name="{name}">{written}</table:table>'


def record(kind: int, data: bytes = b"") -> bytes:
    """A record of an XLS stream."""
    return struct.pack("<HH", kind, len(data)) + data


def xls_cell(row: int, column: int, value: Cell) -> bytes:
    at = struct.pack("<HHH", row, column, 0)
    if isinstance(value, bool):
        return record(0x0205, at + bytes([value, 0]))
    if isinstance(value, str):
        letters = value.encode("utf-16-le")
        return record(0x0204, at + struct.pack("<HB", len(value), 1) + letters)
    return b"" if value is None else record(0x0203, at + struct.pack("<d", value))


def xls_stream(sheets: Mapping[str, bytes], *, globals_: bytes = b"") -> bytes:
    """The stream of an XLS workbook from the records of its sheets' cells."""
    begin = record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 0))
    listed = {name: name.encode("utf-16-le") for name in sheets}
    size = len(begin) + len(globals_) + sum(12 + len(name) for name in listed.values()) + 4
    head, body = begin + globals_, b""
    for name, cells in sheets.items():
        place = size + len(body)
        letters = listed[name]
        head += record(0x0085, struct.pack("<IBBBB", place, 0, 0, len(name), 1) + letters)
        body += record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 0))
        body += cells + record(0x000A)
    return head + record(0x000A) + body


def xls(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> bytes:
    """An XLS workbook of tables that begin at A1."""
    written = {
        name: b"".join(
            xls_cell(row, column, value)
            for row, cells in enumerate(rows)
            for column, value in enumerate(cells)
        )
        for name, rows in sheets.items()
    }
    return compound_of("Workbook", xls_stream(written))


def compound_of(name: str, stream: bytes) -> bytes:
    """A compound file with this one stream, which is filled with zeros to a whole sector."""
    size = SECTOR_WRITTEN
    stream += bytes(-len(stream) % size or (0 if stream else size))
    n_stream = len(stream) // size
    per_table = size // 4
    n_tables = 1
    while n_tables * per_table < n_tables + 2 + n_stream:
        n_tables += 1
    # In this order: tables, directory, room for small streams, stream. The room is not needed, but
    # some readers take a file without it for damaged.
    table = [IS_TABLE] * n_tables + [END_OF_CHAIN] * 2
    first = n_tables + 2
    table += [*range(first + 1, first + n_stream), END_OF_CHAIN]
    table += [FREE] * (n_tables * per_table - len(table))
    header = SIGNATURE + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 4, 0xFFFE, 12, 6)
    header += struct.pack(
        "<IIIIIIIII", 1, n_tables, n_tables, 0, 4096, END_OF_CHAIN, 0, END_OF_CHAIN, 0
    )
    listed = [*range(n_tables), *[FREE] * (LISTED_IN_HEADER - n_tables)]
    header += struct.pack(f"<{LISTED_IN_HEADER}I", *listed)
    directory = _entry("Root Entry", ROOT, n_tables + 1, size, child=1)
    directory += _entry(name, STREAM, first, len(stream))
    directory += bytes(size - len(directory))
    tables = struct.pack(f"<{len(table)}I", *table)
    return header + bytes(size - len(header)) + tables + directory + bytes(size) + stream


def _entry(name: str, kind: int, start: int, size: int, *, child: int = FREE) -> bytes:
    letters = name.encode("utf-16-le")
    head = letters + bytes(64 - len(letters)) + struct.pack("<HBB", len(letters) + 2, kind, 1)
    return head + struct.pack("<III36xIQ", FREE, FREE, child, start, size)


def record12(kind: int, data: bytes = b"") -> bytes:
    """A record of an XLSB part."""
    code = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size, length = len(data), b""
    while size > 0x7F:
        length += bytes([size & 0x7F | 0x80])
        size >>= 7
    return code + length + bytes([size]) + data


def wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def xlsb_cell(column: int, value: Cell) -> bytes:
    at = struct.pack("<II", column, 0)
    if isinstance(value, str):
        if value.startswith("#"):
            return record12(3, at + bytes([0x2A]))
        return record12(6, at + wide(value))
    return b"" if value is None else record12(5, at + struct.pack("<d", value))


def xlsb(rows: Sequence[Sequence[Cell]], *, last: tuple[int, int] | None = None) -> bytes:
    """An XLSB workbook of one sheet 'S'; texts that begin with # are written as errors."""
    book = record12(0x83) + record12(0x8F)
    book += record12(0x9C, struct.pack("<II", 0, 1) + wide("r1") + wide("S"))
    book += record12(0x90) + record12(0x84)
    sheet = record12(0x81) + record12(0x94, bytes(16)) + record12(0x91)
    for number, row in enumerate(rows):
        sheet += record12(0, struct.pack("<I", number) + bytes(13))
        sheet += b"".join(xlsb_cell(column, value) for column, value in enumerate(row))
    if last is not None:
        sheet += record12(0, struct.pack("<I", last[0]) + bytes(13)) + xlsb_cell(last[1], 1.0)
    sheet += record12(0x92) + record12(0x82)
    return zipped(
        {
            "_rels/.rels": relations(("officeDocument", "xl/workbook.bin")),
            "xl/workbook.bin": book,
            "xl/_rels/workbook.bin.rels": relations(("worksheet", "worksheets/sheet1.bin")),
            "xl/worksheets/sheet1.bin": sheet,
        }
    )
