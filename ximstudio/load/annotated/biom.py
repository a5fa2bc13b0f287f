"""BIOM tables, of JSON (1.0) or HDF5 (2.x): observations are rows, samples are columns.

Format: https://biom-format.org/documentation/format_versions/
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ximstudio.load.account import items_guess
from ximstudio.load.annotated.attributes import LEVELS, labels_of
from ximstudio.load.format import Format, Hdf5Layout
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.single_cell import hdf5_kinds
from ximstudio.load.single_cell.compressed import repeated_cells, sparse_rows
from ximstudio.load.single_cell.genes import axis_of, reading_of, stripped
from ximstudio.load.single_cell.hdf5 import Branch, is_hdf5
from ximstudio.load.source import Source, memory_to_give, refuse_too_large
from ximstudio.model.matrix import Labels
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import Table

KEY = "biom"
OBSERVATION, SAMPLE = "observation", "sample"
JSON_MARKS = re.compile(rb'"matrix_type"|"matrix_element_type"|biological observation matrix', re.I)
BYTES_PER_BYTE = 12
"""Memory that a byte of JSON may take once it is parsed."""

DENSE_ENOUGH = 0.5
"""Share of non-zero cells above which a table is stored as a dense array."""


def recognises(source: Source) -> bool:
    """Return whether a file begins as BIOM does, in JSON or in HDF5."""
    if is_hdf5(source):
        return is_hdf5(source, b"observation", b"sample", b"indptr")
    head = source.head
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and bool(JSON_MARKS.search(head))


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table of a BIOM file of either kind."""
    return (hdf5_kinds.read if is_hdf5(source) else read_json)(source, choices, report)


def read_from(root: Branch, choices: Choices, report: Report) -> Reading:
    """Read the table of an opened HDF5 file."""
    sides = {}
    notes: list[Problem] = []
    for side in (OBSERVATION, SAMPLE):
        branch = root.branch(side)
        named = stripped(branch.leaf("ids").strings(), f"{root.file}, {side} ids")
        labels: Labels = {}
        if "metadata" in branch:
            labels, more = labels_of(branch.branch("metadata"), len(named.names))
            notes += more
        sides[side] = axis_of(named, dict(labels))
        notes += named.notes
    shape = len(sides[OBSERVATION]), len(sides[SAMPLE])
    matrix = root.branch(f"{OBSERVATION}/matrix")
    values, changed = sparse_rows(matrix, shape, by_column=False, report=report)
    table = Table(
        values=_dense_if_full(values),
        items=sides[OBSERVATION],
        features=sides[SAMPLE],
        source=root.file,
    )
    return _reading(table, choices, (*notes, *changed))


def read_json(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table of a JSON file."""
    raw = source.read(report, part=0.3)
    refuse_too_large(BYTES_PER_BYTE * len(raw), memory_to_give(), source.name)
    try:
        document = json.loads(raw.decode("utf-8-sig"))
        report(0.6)
        table, notes = _table(document, source.name)
    except (ValueError, RecursionError, OverflowError) as error:
        if isinstance(error, UserError):
            raise
        raise _damaged(f"its JSON cannot be read ({str(error)[:120]})", source.name) from None
    report(1.0)
    return _reading(table, choices, notes)


def _reading(table: Table, choices: Choices, notes: Sequence[Problem]) -> Reading:
    guess = items_guess(
        choices,
        "The format fixes it: observations are rows, samples are columns.",
        rows="the observations",
        columns="the samples",
    )
    return reading_of(table, choices, KEY, (guess,), notes)


def _table(document: Any, name: str) -> tuple[Table, list[Problem]]:
    if not isinstance(document, Mapping):
        raise _damaged("it is no JSON object", name)
    sides = [_side(document, key, name) for key in ("rows", "columns")]
    shape = len(sides[0][0]), len(sides[1][0])
    declared = document.get("shape")
    if declared is not None and list(declared) != list(shape):
        raise _damaged(f"it declares {declared} and names {list(shape)} rows and columns", name)
    refuse_too_large(8.0 * shape[0] * shape[1], memory_to_give(), name)
    values, notes = _values(document, shape, name)
    named = [stripped(names, name) for names, _ in sides]
    items, features = (
        axis_of(each, labels) for each, (_, labels) in zip(named, sides, strict=True)
    )
    notes += [*named[0].notes, *named[1].notes]
    return Table(values=values, items=items, features=features, source=name), notes


def _side(document: Mapping[str, Any], key: str, name: str) -> tuple[list[str], dict[str, Any]]:
    """Return names and labels of the rows or the columns."""
    entries = document.get(key)
    if not isinstance(entries, list) or not all(
        isinstance(entry, Mapping) and "id" in entry for entry in entries
    ):
        raise _damaged(f"its {key} have no ids", name)
    metadata = [entry.get("metadata") for entry in entries]
    metadata = [each if isinstance(each, Mapping) else {} for each in metadata]
    known = dict.fromkeys(str(label) for each in metadata for label in each)
    labels = {label: tuple(_text(each.get(label)) for each in metadata) for label in known}
    return [str(entry["id"]) for entry in entries], labels


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return LEVELS.join(_text(part) for part in value if part not in (None, ""))
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)


def _values(
    document: Mapping[str, Any], shape: tuple[int, int], name: str
) -> tuple[Any, list[Problem]]:
    from scipy.sparse import coo_array

    data = document.get("data")
    kind = document.get("matrix_type")
    if not isinstance(data, list) or kind not in {"sparse", "dense"}:
        raise _damaged("its matrix is neither sparse nor dense", name)
    try:
        if kind == "dense":
            values = np.array(data, dtype=np.float64).reshape(shape if not data else (-1, shape[1]))
            if values.shape != shape:
                raise _damaged(f"its matrix is {values.shape}, not {shape}", name)
            return values, []
        cells = np.array(data, dtype=np.float64).reshape(-1, 3)
    except (TypeError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(
            key="load.not_numbers",
            what="The values of the matrix are not numbers.",
            where=name,
            way_out="Write the table with numbers as values.",
        ) from None
    places = cells[:, :2].astype(np.int64)
    if np.any(places != cells[:, :2]) or np.any(places < 0) or np.any(places >= shape):
        raise _damaged("a value is given for a row or column that is not there", name)
    rows = coo_array((cells[:, 2], (places[:, 0], places[:, 1])), shape=shape).tocsr()
    return _dense_if_full(rows), repeated_cells(len(cells) - rows.nnz, name)


def _dense_if_full(rows: Any) -> Any:
    return rows.toarray() if rows.nnz >= DENSE_ENOUGH * math.prod(rows.shape) else rows


def _damaged(what: str, where: str) -> UserError:
    return UserError(
        key="load.damaged",
        what=f"The BIOM file cannot be read: {what}.",
        where=where,
        way_out="The file is damaged or incomplete: fetch or write it again.",
    )


FORMAT = Format(
    key=KEY,
    name="BIOM (JSON or HDF5)",
    suffixes=(".biom",),
    recognises=recognises,
    read=read,
    isolated=True,
    layout=Hdf5Layout(
        title="a BIOM file",
        matches=lambda root: f"{OBSERVATION}/ids" in root and f"{SAMPLE}/ids" in root,
        read=read_from,
    ),
    rows="taxa",
    columns="samples",
)
