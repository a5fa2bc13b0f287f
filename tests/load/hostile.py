"""Small binary files that ask for far more than they hold, each of its own kind."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from tests.load import workbooks
from tests.load.workbooks import HEAD, NAMES, zipped

MEGABYTE = 1024 * 1024
SHEET = "xl/worksheets/sheet1.xml"
MOST = 4_294_967_295

TABLE = workbooks.sheet_data([["gene", "a", "b"], ["x", 1.0, 2.0], ["y", 3.0, 4.0]])


def _with_strings(rows: str, strings: str) -> bytes:
    """A workbook with a table of shared strings."""
    book = _members(workbooks.xlsx({"table": rows}))
    book["xl/sharedStrings.xml"] = strings.encode()
    book["xl/_rels/workbook.xml.rels"] = workbooks.relations(
        ("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")
    ).encode()
    return zipped(book)


def _members(data: bytes) -> dict[str, str | bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _strings(*texts: str, count: int | None = None) -> str:
    listed = "".join(f"<si><t>{text}</t></si>" for text in texts)
    number = len(texts) if count is None else count
    return (
        f'{HEAD}<sst xmlns="{NAMES}/spreadsheetml/2006/main" count="{number}"'
        f' uniqueCount="{number}">{listed}</sst>'
    )


def declared_strings() -> bytes:
    """A workbook that declares four billion shared strings, and has two."""
    rows = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>' + "".join(
        f'<row r="{row}"><c r="A{row}"><v>{row}</v></c><c r="B{row}"><v>1</v></c></row>'
        for row in range(2, 5)
    )
    return _with_strings(rows, _strings("a", "b", count=MOST))


def long_string(letters: int = 30 * MEGABYTE, cells: int = 2000) -> bytes:
    """A workbook whose one long string is named by many cells."""
    rows = "".join(
        f'<row r="{row}"><c r="A{row}" t="s"><v>0</v></c><c r="B{row}"><v>{row}</v></c></row>'
        for row in range(1, cells + 1)
    )
    return _with_strings(rows, _strings("a" * letters))


def declared_dimension() -> bytes:
    """A workbook whose sheet declares all places there are, and has nine cells."""
    book = _members(workbooks.xlsx({"table": TABLE}))
    sheet = book[SHEET]
    assert isinstance(sheet, bytes)
    book[SHEET] = sheet.replace(b"<sheetData>", b'<dimension ref="A1:XFD1048576"/><sheetData>')
    return zipped(book)


def far_cell() -> bytes:
    """A workbook with a cell in the last corner of its sheet."""
    rows = TABLE + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    return workbooks.xlsx({"table": rows})


def merged(count: int = 200_000) -> bytes:
    """A workbook in which the same cells are merged again and again."""
    ranges = '<mergeCell ref="A1:XFD1048576"/>' * count
    after = f'<mergeCells count="{count}">{ranges}</mergeCells>'
    return workbooks.xlsx({"table": TABLE}, after=after)


def deep_xml(depth: int = 1_000_000) -> bytes:
    """A workbook whose XML goes a million elements deep."""
    return workbooks.xlsx({"table": TABLE + "<a>" * depth + "</a>" * depth})


def many_sheets(count: int = 50_000) -> bytes:
    """A workbook that lists one sheet again and again."""
    book = _members(workbooks.xlsx({"table": TABLE}))
    main = book["xl/workbook.xml"]
    assert isinstance(main, bytes)
    one = b'<sheet name="table" sheetId="1" r:id="r1"/>'
    book["xl/workbook.xml"] = main.replace(one, one * count)
    return zipped(book)


def nested_archives(depth: int = 200) -> bytes:
    """An archive in an archive in an archive …"""
    data = zipped({"table.csv": "gene,a\nx,1\n"})
    for _ in range(depth):
        data = zipped({"inner.zip": data})
    return data


def _ods(rows: str) -> bytes:
    return workbooks.ods(f'<table:table table:name="table">{rows}</table:table>')


def declared_xlsb_strings() -> bytes:
    """An XLSB workbook that declares four billion shared strings, and has none."""
    book = _members(workbooks.xlsb([["gene", "a"], ["x", 1.0], ["y", 2.0]]))
    relations = book["xl/_rels/workbook.bin.rels"]
    assert isinstance(relations, bytes)
    book["xl/_rels/workbook.bin.rels"] = relations.replace(
        b"</Relationships>",
        f'<Relationship Id="strings" Type="{workbooks.RELATIONS}/sharedStrings"'
        ' Target="sharedStrings.bin"/></Relationships>'.encode(),
    )
    counts = (2**31 - 1).to_bytes(4, "little") * 2
    book["xl/sharedStrings.bin"] = workbooks.record12(0x9F, counts) + workbooks.record12(0xA0)
    return zipped(book)


def repeated_columns() -> bytes:
    """An OpenDocument sheet of one cell that is repeated a billion times."""
    cell = '<table:table-cell office:value-type="float" office:value="1"'
    return _ods(
        f'<table:table-row>{cell} table:number-columns-repeated="1000000000"/></table:table-row>'
    )


def repeated_rows() -> bytes:
    """One of a thousand cells in a row that is repeated a million times."""
    cell = '<table:table-cell office:value-type="float" office:value="1"'
    return _ods(
        '<table:table-row table:number-rows-repeated="1000000">'
        f'{cell} table:number-columns-repeated="1000"/></table:table-row>'
    )


def repeated_text(letters: int = 100_000, rows: int = 30_000) -> bytes:
    """One of a long text that is repeated in every row."""
    text = (
        f'<table:table-cell office:value-type="string"><text:p>{"a" * letters}</text:p>'
        "</table:table-cell>"
    )
    number = '<table:table-cell office:value-type="float" office:value="1"/>'
    return _ods(
        f'<table:table-row table:number-rows-repeated="{rows}">{text}{number}</table:table-row>'
    )


def _parquet(columns: dict[str, object], **options: object) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(pa.table(columns), file, **options)
    return file.getvalue()


def constant_columns(rows: int = 20_000_000) -> bytes:
    """A Parquet file of some columns that hold the same number all the way."""
    import pyarrow as pa

    whole = pa.array(np.zeros(rows, dtype=np.int8))
    return _parquet({f"c{number}": whole for number in range(16)}, compression="zstd")


def dictionary_of_long_texts(letters: int = MEGABYTE, texts: int = 500) -> bytes:
    """A Parquet file whose texts are long and alike, so that they pack into nothing."""
    import pyarrow as pa

    long = pa.array([f"{number:06}" + "a" * letters for number in range(texts)])
    return _parquet({"gene": long, "a": np.arange(float(texts))}, compression="zstd")


def repeated_dictionary(letters: int = MEGABYTE, rows: int = 100_000) -> bytes:
    """A Parquet file in which one long text stands in every row."""
    import pyarrow as pa

    codes = pa.array(np.zeros(rows, dtype=np.int32))
    long = pa.DictionaryArray.from_arrays(codes, pa.array(["a" * letters]))
    return _parquet({"gene": long, "a": np.arange(float(rows))}, compression="zstd")


def packed_feather(rows: int = 20_000_000) -> bytes:
    """A Feather file of zeros."""
    import pyarrow as pa
    from pyarrow import feather

    file = io.BytesIO()
    zeros = pa.array(np.zeros(rows))
    feather.write_feather(pa.table({"a": zeros, "b": zeros}), file, compression="zstd")
    return file.getvalue()


def chunks_of_zeros(rows: int = 100_000) -> bytes:
    """An h5ad file of zeros, packed a thousandfold."""
    import h5py

    file = io.BytesIO()
    with h5py.File(file, "w") as root:
        shape = (rows, 2000)
        root.create_dataset("X", shape, "f4", chunks=(1000, 2000), compression="gzip")
        for name, count in (("obs", rows), ("var", 2000)):
            group = root.create_group(name)
            group.create_dataset(
                "_index", data=np.char.mod("n%d", np.arange(count)).astype("S"), compression="gzip"
            )
            group.attrs["_index"] = "_index"
            group.attrs["encoding-type"] = "dataframe"
            group.attrs["column-order"] = np.array([], dtype="S1")
    return file.getvalue()


SHAPES: dict[str, Callable[[], bytes]] = {
    "xlsx declared strings": declared_strings,
    "xlsx long string": partial(long_string, 2 * MEGABYTE, 1000),
    "xlsx declared dimension": declared_dimension,
    "xlsx far cell": far_cell,
    "xlsx merged": merged,
    "xlsx deep": deep_xml,
    "xlsx many sheets": many_sheets,
    "zip nested": nested_archives,
    "ods repeated columns": repeated_columns,
    "ods repeated rows": repeated_rows,
    "ods repeated text": repeated_text,
    "xlsb declared strings": declared_xlsb_strings,
    "parquet constant": partial(constant_columns, 3_000_000),
    "parquet long texts": partial(dictionary_of_long_texts, texts=300),
    "parquet repeated text": repeated_dictionary,
    "feather zeros": packed_feather,
    "h5ad zeros": chunks_of_zeros,
}
"""Name → the file, of a size that a test can make."""


def written(name: str, folder: Path) -> Path:
    """The file of a shape."""
    path = folder / name.replace(" ", "_")
    path.write_bytes(SHAPES[name]())
    return path
