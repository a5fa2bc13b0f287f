"""Tables of a session as files: one workbook, a folder of texts, or an AnnData file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ximstudio.export.h5ad import write_h5ad
from ximstudio.export.origin import origin_record, origin_rows
from ximstudio.export.record import write_record
from ximstudio.export.sheet_csv import DIALECTS, CsvDialect, write_csv
from ximstudio.export.sheet_xlsx import write_xlsx
from ximstudio.export.table_kinds import table_named
from ximstudio.export.wanted import ALL, Wanted
from ximstudio.load import Report, silent
from ximstudio.model.problem import Problem
from ximstudio.session import Session

XLSX, H5AD = "xlsx", "h5ad"
FORMATS: dict[str, str] = {
    XLSX: "Excel workbook",
    **{dialect.key: dialect.name for dialect in DIALECTS},
    H5AD: "AnnData (h5ad)",
}
"""Key of every format → its name for people."""
RECORD = "tables.json"

__all__ = ["FORMATS", "H5AD", "RECORD", "XLSX", "write_folder", "write_h5ad", "write_workbook"]


def write_workbook(
    path: Path,
    session: Session,
    keys: Sequence[str],
    *,
    wanted: Wanted = ALL,
    report: Report = silent,
) -> tuple[Problem, ...]:
    """The tables with these keys in one workbook, with where they come from; what had to be cut."""
    sheets = [table_named(key).sheet(session, wanted) for key in keys]
    return write_xlsx(path, sheets, about=origin_rows(session), report=report)


def write_folder(
    folder: Path,
    session: Session,
    keys: Sequence[str],
    *,
    dialect: CsvDialect,
    wanted: Wanted = ALL,
    report: Report = silent,
) -> None:
    """A file for each table, named by its key, and tables.json with where they come from.

    The folder is there already: `NewFolder` makes one that appears whole or not at all.
    """
    sheets = [table_named(key).sheet(session, wanted) for key in keys]
    for number, (key, sheet) in enumerate(zip(keys, sheets, strict=True)):
        path = folder / f"{key}{dialect.suffix}"
        write_csv(path, sheet, dialect=dialect, report=_part(report, number, len(keys)))
    origin = {} if session.run is None else origin_record(session.run)
    columns = {
        key: {"rows": sheet.n_rows, "columns": list(sheet.names), "note": sheet.note}
        for key, sheet in zip(keys, sheets, strict=True)
    }
    write_record(folder / RECORD, {**origin, "tables": columns})


def _part(report: Report, number: int, n_parts: int) -> Report:
    """A report of one of several parts, for one of the whole."""
    return lambda fraction: report((number + fraction) / n_parts)
