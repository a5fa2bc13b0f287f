"""BIOM tables, of JSON (1.0) or HDF5 (2.x): observations are rows, samples are columns.

Format: https://biom-format.org/documentation/format_versions/
"""

from __future__ import annotations

import json
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
from ximstudio.load.single_cell.genes import axis_of, stripped, turned
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
    head = source.head
    if is_hdf5(source):
        return b"observation" in head and b"sample" in head and b"indptr" in head
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and bool(JSON_MARKS.search(head))


def is_biom(root: Branch) -> bool:
    """Return whether an HDF5 file is laid out as BIOM does it."""
    return all(side in root and "ids" in _branch(root, side) for side in (OBSERVATION, SAMPLE))


def _branch(root: Branch, side: str) -> Branch | tuple[()]:
    try:
        return root.branch(side)
    except UserError:
        return ()


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
        values=values.toarray() if _is_full(values.nnz, shape) else values,
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
    return Reading(table=turned(table, choices), format=KEY, guesses=(guess,), notes=tuple(notes))


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
    axes = []
    for names, labels in sides:
        named = stripped(names, name)
        notes += named.notes
        axes.append(axis_of(named, labels))
    return Table(values=values, items=axes[0], features=axes[1], source=name), notes


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
        raise _not_numbers(name) from None
    places = cells[:, :2].astype(np.int64)
    if np.any(places != cells[:, :2]) or np.any(places < 0) or np.any(places >= shape):
        raise _damaged("a value is given for a row or column that is not there", name)
    rows = coo_array((cells[:, 2], (places[:, 0], places[:, 1])), shape=shape).tocsr()
    repeated = len(cells) - rows.nnz
    full = _is_full(rows.nnz, shape)
    return (rows.toarray() if full else rows), repeated_cells(repeated, name)


def _is_full(stored: int, shape: tuple[int, int]) -> bool:
    return stored >= DENSE_ENOUGH * shape[0] * shape[1]


def _not_numbers(name: str) -> UserError:
    return UserError(
        key="load.not_numbers",
        what="The values of the matrix are not numbers.",
        where=name,
        way_out="Write the table with numbers as values.",
    )


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
    layout=Hdf5Layout(title="a BIOM file", matches=is_biom, read=read_from),
    rows="taxa",
    columns="samples",
)
