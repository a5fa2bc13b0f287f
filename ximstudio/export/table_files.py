"""Files that tables of a session go into: workbook, texts, AnnData or gene sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ximstudio.export.gmt import write_gmt
from ximstudio.export.h5ad import write_h5ad
from ximstudio.export.origin import origin_record, origin_rows
from ximstudio.export.sheet import Sheet
from ximstudio.export.sheet_xlsx import write_xlsx
from ximstudio.export.table_kinds import table_named
from ximstudio.export.wanted import ALL, Need, TableOptions, lacking
from ximstudio.files.csv_table import DIALECTS, dialect_named, write_csv
from ximstudio.load import Report, silent
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.registry import named
from ximstudio.session import Session
from ximstudio.train.record import write_record

XLSX, H5AD, GMT = "xlsx", "h5ad", "gmt"
RECORD = "tables.json"
MADE = 0.3
"""Progress once all tables are built."""


@dataclass(frozen=True, kw_only=True)
class TableFile:
    """A file format of tables: a key for programs, a name for display, and its purpose.

    If it is `alone`, every table has its own file. Without `tables`, it has one layout, and the
    user does not choose what goes into it.
    """

    key: str
    name: str
    about: str
    suffix: str
    alone: bool = False
    tables: bool = True
    needs: tuple[Need, ...] = ()

    def why_not(self, session: Session) -> str:
        """Reason why it is not available now; '' if it is."""
        need = lacking(self.needs, session)
        return "" if need is None else need.value[0]


_ABOUT = {
    "csv": "For R, Python and other programs; numbers to the last digit.",
    "tsv": "The same with tabs between cells.",
    "csv-excel": "Opens in Excel directly; no gene becomes a date.",
    "csv-excel-eu": "The same where Excel expects semicolons and decimal commas.",
}
FILES: tuple[TableFile, ...] = (
    TableFile(
        key=XLSX,
        name="Excel workbook (XLSX)",
        about="All tables in one file, a sheet each; names stay names, numbers stay numbers.",
        suffix=".xlsx",
    ),
    *(
        TableFile(
            key=dialect.key,
            name=dialect.name,
            about=_ABOUT[dialect.key],
            suffix=dialect.suffix,
            alone=True,
        )
        for dialect in DIALECTS
    ),
    TableFile(
        key=H5AD,
        name="AnnData (h5ad)",
        about="For scanpy: the values, and all maps of the items in obsm.",
        suffix=".h5ad",
        tables=False,
        needs=(Need.RUN,),
    ),
    TableFile(
        key=GMT,
        name="Gene sets (GMT)",
        about="The sets, for programs that test for enrichment.",
        suffix=".gmt",
        tables=False,
        needs=(Need.SETS,),
    ),
)
"""Formats in the order in which they are offered."""


def file_named(key: str) -> TableFile:
    """Return the format with this key; refuse unknown keys with a proposal."""
    return named("format", key, FILES)


@dataclass(frozen=True, kw_only=True)
class WrittenTables:
    """Files that were written, and what was cut in them."""

    paths: tuple[Path, ...]
    n_bytes: int
    notes: tuple[Problem, ...] = ()


def table_paths(path: Path, keys: Sequence[str], file: TableFile) -> tuple[Path, ...]:
    """Files of the tables: one, or one per table with its key appended."""
    if not file.alone or len(keys) < 2:
        return (path,)
    return tuple(path.with_name(f"{path.stem} {key}{path.suffix}") for key in keys)


def write_tables(
    path: Path,
    session: Session,
    keys: Sequence[str],
    *,
    file: TableFile,
    wanted: TableOptions = ALL,
    report: Report = silent,
) -> WrittenTables:
    """Write tables; each file atomically, and none before all tables are built."""
    notes: tuple[Problem, ...] = ()
    paths = table_paths(path, keys, file)
    if file.key == H5AD:
        write_h5ad(path, session, wanted=wanted, report=report)
    elif file.key == GMT:
        write_gmt(path, session.sets)
    else:
        sheets = _sheets(session, keys, wanted, report)
        if file.key == XLSX:
            about = origin_rows(session)
            notes = write_xlsx(path, sheets, about=about, report=_rest(report, 0, 1))
        else:
            _write_texts(paths, sheets, file, report)
    report(1.0)
    n_bytes = sum(each.stat().st_size for each in paths)
    return WrittenTables(paths=paths, n_bytes=n_bytes, notes=notes)


def write_folder(
    folder: Path,
    session: Session,
    keys: Sequence[str],
    *,
    file: TableFile,
    wanted: TableOptions = ALL,
    report: Report = silent,
) -> None:
    """Write a text file per table, named by its key, and tables.json with their origin."""
    sheets = _sheets(session, keys, wanted, report)
    _write_texts([folder / f"{key}{file.suffix}" for key in keys], sheets, file, report)
    origin = {} if session.run is None else origin_record(session.run)
    columns = {
        key: {"rows": sheet.n_rows, "columns": list(sheet.names), "note": sheet.note}
        for key, sheet in zip(keys, sheets, strict=True)
    }
    write_record(folder / RECORD, {**origin, "tables": columns})


def _sheets(
    session: Session, keys: Sequence[str], wanted: TableOptions, report: Report
) -> list[Sheet]:
    """Make tables; refuse if there are none."""
    if not keys:
        raise UserError(
            key="export.no_tables",
            what="No table is selected.",
            where="tables to export",
            way_out="Tick at least one table.",
        )
    sheets = []
    for number, key in enumerate(keys):
        report(MADE * number / len(keys))
        sheets.append(table_named(key).sheet(session, wanted))
    return sheets


def _write_texts(
    paths: Sequence[Path], sheets: Sequence[Sheet], file: TableFile, report: Report
) -> None:
    dialect = dialect_named(file.key)
    for number, (path, sheet) in enumerate(zip(paths, sheets, strict=True)):
        part = _rest(report, number, len(sheets))
        write_csv(path, sheet.columns, dialect=dialect, report=part)


def _rest(report: Report, number: int, of: int) -> Report:
    """Return a report of one of several files for that of all, after the tables are made."""
    return lambda part: report(MADE + (1.0 - MADE) * (number + part) / of)
