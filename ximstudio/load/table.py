"""A text table → Matrix: which columns are numbers, which name the rows, which are labels."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ximstudio.load.text import TextTable
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix, repeated, some_of
from ximstudio.model.params import closest
from ximstudio.model.problem import Problem, UserError

# From pandas 3.1 on numbers are always read to the last bit, and saying so is deprecated.
EXACT = {"float_precision": "round_trip"} if pd.__version__ < "3.1" else {}

MOST_COLUMNS = 10
"""Columns with texts among their numbers that are reported one by one."""

BLANKS = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None", "?", "-", ".")
"""Spellings of a missing value in a column of numbers."""

ID_NAMES = frozenset(
    {"", "id", "ids", "name", "gene", "genes", "gene_id", "geneid", "orf", "yorf", "symbol"}
    | {"probe", "probe_id", "probeset", "sample", "sample_id", "cell", "unnamed: 0"}
)
"""Headers, in lower case, under which a first column names the rows even if it holds numbers."""


@dataclass(frozen=True, kw_only=True)
class Roles:
    """What a person says about a table; the rest is found out.

    Parameters
    ----------
    id
        Column that names the rows; None to find it, "" to number the rows.
    labels
        Columns (or, with items in columns, rows) that describe items but are not features.
    items
        "rows" or "columns": where the items are.
    """

    id: str | None = None
    labels: tuple[str, ...] = ()
    items: str = "rows"


def matrix_from(table: TextTable, roles: Roles) -> Matrix:
    """The matrix of a table. Every column is used: as id, as label, or as numbers."""
    header = table.header
    _refuse_repeated(table)
    id_column = _id_column(table, roles)
    names = _row_names(table, id_column)
    label_rows: list[int] = []
    label_columns: list[str] = []
    for label in _separated(roles.labels, {*header, *names}):
        if roles.items == "columns" and label in names:
            label_rows.append(names.index(label))
        elif label in header and label != id_column:
            label_columns.append(label)
        else:
            known = names if roles.items == "columns" else header
            raise UserError(
                key="load.no_such_label",
                what=f"There is no column '{label}'.",
                where=f"{table.source}, header",
                way_out=closest(label, [name for name in known if name != id_column]),
            )
    frame = _numbers(table, label_rows)
    # Not bool: a column of TRUE and FALSE is a label.
    numeric = set(frame.select_dtypes("number").columns)
    feature_columns: list[str] = []
    found: dict[str, list[int]] = {}
    for column in header:
        if column == id_column or column in label_columns:
            continue
        if column in numeric:
            feature_columns.append(column)
            continue
        wrong = _not_numbers(frame[column], table.decimal)
        if not wrong:
            # Whole numbers beyond 64 bits, which pandas keeps as objects.
            frame[column] = pd.to_numeric(frame[column]).astype(np.float64)
            feature_columns.append(column)
            continue
        filled = int(frame[column].notna().sum())
        if len(wrong) * 2 > filled:
            label_columns.append(column)
        else:
            found[column] = wrong
    if found:
        raise UserError.of(_texts_among_numbers(table, frame, found, names, label_rows))
    chosen = set(label_columns)
    label_columns = [column for column in header if column in chosen]
    label_rows_text = _texts(table, [*header], label_rows) if label_rows else None
    labels = _texts(table, label_columns, None) if label_columns else None
    apart = set(label_rows)
    kept = [number for number in range(len(names)) if number not in apart]
    values: Floats = frame[feature_columns].to_numpy(dtype=np.float64)
    matrix = Matrix(
        values=values,
        item_ids=tuple(names[number] for number in kept),
        feature_names=tuple(feature_columns),
        item_labels={}
        if labels is None
        else {name: tuple(labels[name].iloc[kept]) for name in label_columns},
        feature_labels={}
        if label_rows_text is None
        else {
            names[row]: tuple(label_rows_text[feature_columns].iloc[place])
            for place, row in enumerate(label_rows)
        },
        source=table.source,
    )
    return matrix.transposed if roles.items == "columns" else matrix


def _refuse_repeated(table: TextTable) -> None:
    twice = repeated(table.header)
    if twice:
        raise UserError(
            key="load.duplicate_column",
            what=f"{len(twice)} column name(s) occur more than once.",
            where=f"{table.source}, header: {some_of([repr(name) for name in twice])}",
            way_out="Give every column a name of its own.",
        )


def _read(table: TextTable, **options: Any) -> pd.DataFrame:
    frame: pd.DataFrame = pd.read_csv(
        io.StringIO(table.text),
        sep=table.delimiter,
        decimal=table.decimal,
        header=0,
        names=list(table.header),
        skipinitialspace=True,
        index_col=False,
        low_memory=False,
        **options,
    )
    return frame


def _numbers(table: TextTable, label_rows: list[int]) -> pd.DataFrame:
    """All columns, those of numbers as numbers; label rows left out."""
    if not label_rows:
        return _read(table, na_values=list(BLANKS), keep_default_na=False, **EXACT)
    texts = _texts(table, [*table.header], None)
    texts = texts.drop(index=texts.index[label_rows]).reset_index(drop=True)
    columns = {}
    for name in table.header:
        cells = texts[name].str.strip()
        cells = cells.where(~cells.isin(BLANKS))
        numbers = _as_numbers(cells, table.decimal)
        columns[name] = numbers if numbers.notna().equals(cells.notna()) else cells
    return pd.DataFrame(columns)


def _as_numbers(texts: pd.Series[Any], decimal: str) -> pd.Series[Any]:
    """Texts as numbers, NaN where they are none."""
    if decimal == ",":
        texts = texts.str.replace(",", ".", regex=False)
    return pd.to_numeric(texts, errors="coerce").astype(np.float64)


def _separated(labels: Iterable[str], known: Container[str]) -> Iterator[str]:
    """Names one by one; commas separate them unless they are part of a known name."""
    for label in labels:
        yield from [label] if label in known else [part for part in label.split(",") if part]


def _texts(table: TextTable, columns: list[str], rows: list[int] | None) -> pd.DataFrame:
    """Some columns, and some rows or all, letter by letter as they are in the file."""
    frame = _read(table, usecols=columns, dtype=str, keep_default_na=False, na_filter=False)
    return frame if rows is None else frame.iloc[rows]


def _id_column(table: TextTable, roles: Roles) -> str | None:
    if roles.id == "":
        return None
    if roles.id is not None:
        if roles.id not in table.header:
            raise UserError(
                key="load.no_such_id",
                what=f"There is no column '{roles.id}' to name the rows.",
                where=f"{table.source}, header",
                way_out=closest(roles.id, table.header),
            )
        return roles.id
    first = table.header[0]
    if first in roles.labels:
        return None
    if first.lower() in ID_NAMES:
        return first
    texts = _texts(table, [first], None)[first]
    numbers = pd.to_numeric(texts.str.replace(",", ".", regex=False), errors="coerce")
    return first if numbers.notna().mean() < 0.5 else None


def _row_names(table: TextTable, id_column: str | None) -> list[str]:
    if id_column is None:
        n_rows = len(_texts(table, [table.header[0]], None))
        return [f"row {number}" for number in range(1, n_rows + 1)]
    names = [str(name).strip() for name in _texts(table, [id_column], None)[id_column]]
    blank = [number for number, name in enumerate(names) if not name]
    if blank:
        raise UserError(
            key="load.blank_id",
            what=f"{len(blank)} row(s) have no name.",
            where=f"{table.source}, column '{id_column}', line(s) "
            + some_of([str(table.lines[number]) for number in blank]),
            way_out="Fill in the names, choose another column with --id, or number the rows with"
            " --id ''.",
        )
    return names


def _not_numbers(column: pd.Series[Any], decimal: str) -> list[int]:
    """Rows of a column that hold neither a number nor a blank."""
    texts = column.dropna().astype(str).str.strip()
    wrong = _as_numbers(texts, decimal).isna() & ~texts.isin(BLANKS)
    return [int(row) for row in texts.index[wrong]]


def _texts_among_numbers(
    table: TextTable,
    frame: pd.DataFrame,
    found: dict[str, list[int]],
    names: list[str],
    label_rows: list[int],
) -> Iterator[Problem]:
    """Problems with texts among numbers: one per column, or one per row that is text throughout."""
    apart = set(label_rows)
    kept = [row for row in range(len(names)) if row not in apart]
    often = Counter(row for rows in found.values() for row in rows)
    throughout = [row for row, count in often.items() if count > 2 and count * 2 > len(found)]
    for row in throughout:
        yield Problem(
            key="load.text_row",
            what=f"The row '{names[kept[row]]}' holds texts, not numbers.",
            where=f"{table.source}, line {table.lines[kept[row]]}",
            way_out="If it labels the columns, and the columns are the items: --items columns"
            f" --labels '{names[kept[row]]}'; else remove it.",
        )
    rest = {
        column: [row for row in rows if row not in throughout] for column, rows in found.items()
    }
    rest = {column: rows for column, rows in rest.items() if rows}
    for column, rows in list(rest.items())[:MOST_COLUMNS]:
        more = len(rest) - MOST_COLUMNS
        yield Problem(
            key="load.not_a_number",
            what=f"{len(rows)} cell(s) are not numbers."
            + (f" So it is in {more} more columns than are listed." if more > 0 else ""),
            where=f"{table.source}, column '{column}', line(s) "
            + some_of([str(table.lines[kept[row]]) for row in rows])
            + f" (first value: {str(frame[column].iloc[rows[0]])!r})",
            way_out="Correct the file, leave such cells blank, or keep the column as a label with"
            f" --labels '{column}'.",
        )
