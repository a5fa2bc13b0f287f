"""Values of R as the package rdata parses them, and the tables among them.

Tables are matrices, data frames, and sparse matrices (package Matrix).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ximstudio.load.account import CHOSEN, no_such, note
from ximstudio.load.reading import Choices, Guess
from ximstudio.load.single_cell.genes import numbered
from ximstudio.load.source import memory_to_give, refuse_too_large
from ximstudio.load.text.roles import describes
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import Axis, Table

NA_INTEGER = -(2**31)
NUMBERS = {"INT", "REAL", "LGL"}


def kind_of(value: Any) -> str:
    """Return R's type of a value: "INT", "REAL", "STR", "VEC", "S4", …"""
    return str(value.info.type.name)


def pairs(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield names and values of a pairlist."""
    while value is not None and kind_of(value) == "LIST":
        tag = value.tag
        if tag is not None and kind_of(tag) == "REF":
            tag = tag.referenced_object
        first, value = value.value
        yield "" if tag is None else text_of(tag.value), first


def attributes(value: Any) -> dict[str, Any]:
    """Return the attributes of a value by name."""
    return dict(pairs(value.attributes))


def text_of(char: Any) -> str:
    """Return one text; "" for NA."""
    raw = char.value
    if raw is None:
        return ""
    if isinstance(raw, str):
        return raw
    try:
        return bytes(raw).decode("utf-8")
    except UnicodeDecodeError:
        return bytes(raw).decode("cp1252", errors="replace")


def texts_of(value: Any) -> tuple[str, ...]:
    """Return the texts of a vector of texts; empty for other values."""
    if value is None or kind_of(value) != "STR":
        return ()
    return tuple(text_of(char) for char in value.value)


def class_of(value: Any) -> tuple[str, ...]:
    """Return the classes of a value."""
    return texts_of(attributes(value).get("class"))


def is_numeric(value: Any) -> bool:
    """Return whether a value is a vector of numbers or truth values, and no factor."""
    return kind_of(value) in NUMBERS and "factor" not in class_of(value)


def floats_of(value: Any) -> Floats:
    """Return the numbers of a vector; NaN for NA."""
    plain = np.asarray(np.ma.getdata(value.value))
    found = plain.astype(np.float64)
    if plain.dtype.kind == "i":
        found[plain == NA_INTEGER] = np.nan
    found[np.ma.getmaskarray(value.value)] = np.nan
    return found


def labels_of(value: Any) -> tuple[str, ...]:
    """Return a column as texts: levels of a factor, numbers as they are shown."""
    levels = texts_of(attributes(value).get("levels"))
    if kind_of(value) == "STR":
        return texts_of(value)
    values = floats_of(value).tolist()
    if levels:
        return tuple(
            "" if np.isnan(code) or not 1 <= code <= len(levels) else levels[int(code) - 1]
            for code in values
        )
    if kind_of(value) == "LGL":
        return tuple("" if np.isnan(each) else "true" if each else "false" for each in values)
    return tuple("" if np.isnan(each) else f"{each:.15g}" for each in values)


MATRIX, FRAME, SPARSE = "matrix", "data frame", "sparse matrix"

WAYS = {
    "ExpressionSet": "write.csv(exprs({}), 'table.csv')",
    "SummarizedExperiment": "write.csv(assay({}), 'table.csv')",
    "RangedSummarizedExperiment": "write.csv(assay({}), 'table.csv')",
    "DESeqDataSet": "write.csv(counts({}), 'table.csv')",
    "SingleCellExperiment": "write.csv(as.matrix(counts({})), 'table.csv')",
    "Seurat": "write.csv(as.matrix(GetAssayData({})), 'table.csv')",
    "DGEList": "write.csv({}$counts, 'table.csv')",
    "EList": "write.csv({}$E, 'table.csv')",
    "dist": "write.csv(as.matrix({}), 'table.csv')",
    "dgTMatrix": "saveRDS(as({}, 'CsparseMatrix'), 'table.rds')",
    "dgRMatrix": "saveRDS(as({}, 'CsparseMatrix'), 'table.rds')",
}
"""R command that writes a table, by class."""


def kind_of_table(value: Any) -> str:
    """Return the kind of table that a value is; "" if it is none."""
    classes = class_of(value)
    if "data.frame" in classes and kind_of(value) == "VEC":
        return FRAME
    if "dgCMatrix" in classes:
        return SPARSE
    dim = attributes(value).get("dim")
    if dim is not None and is_numeric(value) and len(floats_of(dim)) == 2:
        return MATRIX
    return ""


def no_table(name: str, value: Any, where: str) -> UserError:
    """Return the refusal of a value that is no table, with the R command that helps."""
    classes = class_of(value)
    way = next((WAYS[each] for each in classes if each in WAYS), "write.csv({}, 'table.csv')")
    what = classes[0] if classes else {"VEC": "list", "CLO": "function"}.get(kind_of(value), "")
    return UserError(
        key="load.r_object",
        what=f"'{name}' is no table but {f'of class {what}' if what else 'another kind of value'}.",
        where=where,
        way_out=f"In R: {way.format(name)}; then open table.csv.",
    )


def table_of(value: Any, choices: Choices, source: str) -> tuple[Table, list[Guess], list[Problem]]:
    """Convert a value to a table."""
    kind = kind_of_table(value)
    if kind == FRAME:
        return _frame(value, choices, source)
    table = _sparse(value, source) if kind == SPARSE else _matrix(value, source)
    return table, [], []


def _matrix(value: Any, source: str) -> Table:
    found = attributes(value)
    n_rows, n_columns = (int(n) for n in floats_of(found["dim"]))
    numbers = floats_of(value)
    if n_rows * n_columns != len(numbers):
        raise damaged(f"a matrix of {n_rows} × {n_columns} has {len(numbers)} values", source)
    rows, columns = _dimnames(found.get("dimnames"), n_rows, n_columns)
    # Column by column, as R keeps it.
    values = numbers.reshape(n_columns, n_rows).T
    return Table(values=values, items=Axis(names=rows), features=Axis(names=columns), source=source)


def _sparse(value: Any, source: str) -> Table:
    from scipy.sparse import csc_array

    found = attributes(value)
    missing = {"i", "p", "x", "Dim"} - set(found)
    if missing:
        raise damaged(f"a sparse matrix lacks {', '.join(sorted(missing))}", source)
    n_rows, n_columns = (int(n) for n in floats_of(found["Dim"]))
    starts, places = (floats_of(found[name]).astype(np.int64) for name in ("p", "i"))
    values = floats_of(found["x"])
    sound = (
        len(starts) == n_columns + 1
        and len(places) == len(values) == int(starts[-1])
        and bool(np.all(np.diff(starts) >= 0))
        and (not len(places) or (places.min() >= 0 and places.max() < n_rows))
    )
    if not sound:
        raise damaged("the places of a sparse matrix do not fit its size", source)
    rows, columns = _dimnames(found.get("Dimnames"), n_rows, n_columns)
    matrix = csc_array((values, places, starts), shape=(n_rows, n_columns)).tocsr()
    return Table(values=matrix, items=Axis(names=rows), features=Axis(names=columns), source=source)


def _dimnames(value: Any, n_rows: int, n_columns: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    given: Sequence[Any] = () if value is None or kind_of(value) != "VEC" else value.value
    names = [texts_of(each) for each in given]
    rows = names[0] if len(names) == 2 and len(names[0]) == n_rows else ()
    columns = names[1] if len(names) == 2 and len(names[1]) == n_columns else ()
    return rows or numbered("row", n_rows), columns or numbered("column", n_columns)


def _frame(value: Any, choices: Choices, source: str) -> tuple[Table, list[Guess], list[Problem]]:
    found = attributes(value)
    names = texts_of(found.get("names"))
    columns = dict(zip(names, value.value, strict=False))
    usable = {name: each for name, each in columns.items() if kind_of(each) in {*NUMBERS, "STR"}}
    lengths = {len(each.value) for each in usable.values()}
    if len(lengths) != 1:
        raise damaged("the columns of a data frame are not of one length", source)
    n_rows = lengths.pop()
    row_names = texts_of(found.get("row.names"))
    texts = {name: labels_of(each) for name, each in usable.items() if not is_numeric(each)}
    chosen = choices.id
    if chosen is None and len(row_names) != n_rows:
        chosen = next((name for name, each in texts.items() if len(set(each)) == n_rows), "")
    if chosen and chosen not in usable:
        what = f"There is no column '{chosen}' to name the rows."
        raise no_such("id", chosen, usable, what, source)
    if chosen:
        items = labels_of(usable[chosen])
    elif len(row_names) == n_rows and choices.id is None:
        items = row_names
    else:
        items = numbered("row", n_rows)
    others = {*(choices.labels or ()), chosen}
    features = [name for name, each in usable.items() if is_numeric(each) and name not in others]
    if not features:
        raise UserError(
            key="load.no_numbers",
            what="No column of the data frame holds numbers.",
            where=source,
            way_out="Name fewer labels, or save a data frame with numbers.",
        )
    refuse_too_large(8.0 * n_rows * len(features), memory_to_give(), source)
    labels = {
        name: texts.get(name) or labels_of(usable[name])
        for name in usable
        if name not in features and name != chosen
    }
    table = Table(
        values=np.column_stack([floats_of(usable[name]) for name in features]),
        items=Axis(names=items, labels=labels),
        features=Axis(names=tuple(features)),
        source=source,
    )
    guess = Guess(
        # Names of rows are no column that could be chosen.
        key="id" if chosen else "names",
        label="Names in",
        value=chosen or "",
        shown=chosen or ("row names" if len(row_names) == n_rows else "row numbers"),
        reason=CHOSEN
        if choices.id is not None
        else "The data frame has names of rows."
        if not chosen
        else "Its texts differ from row to row, and rows have no names.",
        options={name: name for name in texts},
        sure=choices.id is not None or not chosen,
    )
    left_out = [name for name in columns if name not in usable]
    return table, [guess], list(_notes(left_out, features, source))


def _notes(left_out: Sequence[str], features: Sequence[str], source: str) -> Iterator[Problem]:
    """Yield notes about columns that are left out, and numbers whose names suggest codes."""
    if left_out:
        yield note(
            "nested_columns",
            "Columns of lists or other values are left out.",
            f"{source}: {', '.join(left_out[:10])}",
            "Write what is needed of them into columns of their own.",
        )
    coded = [name for name in features if describes(name)]
    if coded:
        yield note(
            "coded_columns",
            "Columns of numbers are named like labels.",
            f"{source}: {', '.join(coded[:10])}",
            "Take them as labels if they are no values.",
            hint={"labels": tuple(coded)},
        )


def damaged(what: str, where: str) -> UserError:
    """Return the refusal of a file that R did not write."""
    return UserError(
        key="load.damaged",
        what=f"The file cannot be read: {what}.",
        where=where,
        way_out="The file is damaged or incomplete: fetch it again, or save it again in R.",
    )
