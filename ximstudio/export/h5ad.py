"""Write a map as an h5ad file for scanpy: values, labels and positions.

Written with h5py alone, as AnnData documents it ("On-disk format"), so that no further package is
needed (ADR 9); anndata opens it with `read_h5ad`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ximstudio.export.item_sheet import (
    cluster_columns,
    measure_columns,
    node_columns,
    set_columns,
    wander_columns,
)
from ximstudio.export.origin import origin_record
from ximstudio.export.sheet import unique
from ximstudio.export.wanted import ALL, TableOptions, rows_of, the_run
from ximstudio.files.atomic import appearing
from ximstudio.files.columns import Column, ColumnKind, sound, texts
from ximstudio.load import Report, silent
from ximstudio.model.arrays import Ints
from ximstudio.model.result import PrototypeMap
from ximstudio.session import Run, Session

if TYPE_CHECKING:
    import h5py

INDEX = "_index"
OURS = "xim_"
"""Prefix of our own columns, so that labels keep their names."""
USUAL = {"t-sne": "tsne"}
"""Names of other programs for a map of this method, where these differ from our key."""
AT_ONCE = 2**21
"""Values written in one step."""


def write_h5ad(
    path: Path, session: Session, *, wanted: TableOptions = ALL, report: Report = silent
) -> None:
    """Write the map on display and its table, atomically.

    X holds the prepared values, float64, NaN where missing. obs has the labels of the items and the
    map's columns about them; var the labels of the features. obsm has the positions as X_<method>,
    and those of all other maps of the same items. uns["ximstudio"] has the record that reproduces
    the map, as JSON, and its prototypes.
    """
    import h5py

    run, rows = the_run(session), rows_of(session, wanted)
    matrix = run.matrix
    ours = [
        *node_columns(run),
        *cluster_columns(run),
        *measure_columns(run),
        *wander_columns(session, run),
        *(set_columns(session, matrix) if wanted.with_sets else ()),
    ]
    labels = [texts(name, values) for name, values in matrix.item_labels.items()]
    obs = [*labels, *(replace(column, name=OURS + column.name) for column in ours)]
    var = [texts(name, values) for name, values in matrix.feature_labels.items()]
    with appearing(path) as unfinished, h5py.File(unfinished, "w") as file:
        _encoded(file, "anndata", "0.1.0")
        _write_values(file, run, rows, report)
        names = [matrix.item_ids[row] for row in rows.tolist()]
        _write_frame(file, "obs", names, [column.take(rows) for column in obs])
        _write_frame(file, "var", matrix.feature_names, var)
        _write_arrays(file, "obsm", dict(_embeddings(session, run, rows)))
        for empty in ("varm", "obsp", "varp", "layers"):
            _write_arrays(file, empty, {})
        _write_origin(file, run)
    report(1.0)


def embedding_key(method: str) -> str:
    """Name in scanpy for positions of this method."""
    return "X_" + USUAL.get(method, method).replace("-", "_")


def _embeddings(session: Session, run: Run, rows: Ints) -> Iterator[tuple[str, Any]]:
    """Yield positions of the map on display and of all others of the same items, by name."""
    same = [
        other
        for other in session.runs
        if other.key != run.key and other.result.item_ids == run.result.item_ids
    ]
    used: set[str] = set()
    for each in (run, *same):
        wanted = embedding_key(each.result.method)
        key, number = wanted, 2
        while key in used:
            key, number = f"{wanted}_{number}", number + 1
        used.add(key)
        yield key, each.result.positions[rows]


def _write_values(file: h5py.File, run: Run, rows: Ints, report: Report) -> None:
    values = run.matrix.values
    shape = (len(rows), values.shape[1])
    made = file.create_dataset("X", shape=shape, dtype="<f8")
    _encoded(made, "array", "0.2.0")
    step = max(1, AT_ONCE // max(1, shape[1]))
    for begin in range(0, len(rows), step):
        report(begin / len(rows))
        made[begin : begin + step] = values[rows[begin : begin + step]]


def _write_frame(file: h5py.File, name: str, index: Sequence[str], columns: list[Column]) -> None:
    frame = file.create_group(name)
    _encoded(frame, "dataframe", "0.2.0")
    frame.attrs[INDEX] = INDEX
    _write_texts(frame, INDEX, index)
    # A slash would be a group inside a group.
    wanted = [_storable(column.name).replace("/", "_") or "unnamed" for column in columns]
    names = unique(wanted, taken=[INDEX])
    for column, called in zip(columns, names, strict=True):
        _write_column(frame, called, column)
    # An empty list has no type of its own.
    frame.attrs["column-order"] = np.array(names, dtype=_text_type())


def _write_column(frame: h5py.Group, name: str, column: Column) -> None:
    if column.kind is not ColumnKind.TEXT:
        _write_array(frame, name, np.asarray(column.values))
        return
    listed = [_storable(str(text)) for text in column.values]
    groups = sorted(set(listed) - {""})
    if len(groups) < len(listed) or "" in listed:
        _write_categories(frame, name, listed, groups)
    else:
        _write_texts(frame, name, listed)


def _write_categories(
    frame: h5py.Group, name: str, listed: Sequence[str], groups: Sequence[str]
) -> None:
    """Write texts that repeat as categories; missing ones have the code −1."""
    codes = {text: code for code, text in enumerate(groups)}
    made = frame.create_group(name)
    _encoded(made, "categorical", "0.2.0")
    made.attrs["ordered"] = False
    kind = np.int8 if len(groups) < 2**7 else np.int16 if len(groups) < 2**15 else np.int32
    _write_array(made, "codes", np.array([codes.get(text, -1) for text in listed], dtype=kind))
    _write_texts(made, "categories", groups)


def _write_origin(file: h5py.File, run: Run) -> None:
    uns = file.create_group("uns")
    _encoded(uns, "dict", "0.1.0")
    ours = uns.create_group("ximstudio")
    _encoded(ours, "dict", "0.1.0")
    record = json.dumps(origin_record(run), ensure_ascii=False, indent=2)
    made = ours.create_dataset("record", data=_storable(record), dtype=_text_type())
    _encoded(made, "string", "0.2.0")
    model = run.result.model
    if isinstance(model, PrototypeMap):
        _write_array(ours, "nodes", model.grid.nodes)
        _write_array(ours, "prototypes", model.prototypes)


def _write_arrays(file: h5py.File, name: str, arrays: Mapping[str, Any]) -> None:
    group = file.create_group(name)
    _encoded(group, "dict", "0.1.0")
    for key, array in arrays.items():
        _write_array(group, key, array)


def _write_array(group: h5py.Group, name: str, array: Any) -> None:
    _encoded(group.create_dataset(name, data=array), "array", "0.2.0")


def _write_texts(group: h5py.Group, name: str, listed: Iterable[str]) -> None:
    data = np.array([_storable(text) for text in listed], dtype=object)
    _encoded(group.create_dataset(name, data=data, dtype=_text_type()), "string-array", "0.2.0")


def _text_type() -> Any:
    import h5py

    return h5py.string_dtype("utf-8")


def _encoded(part: Any, kind: str, version: str) -> None:
    part.attrs["encoding-type"] = kind
    part.attrs["encoding-version"] = version


def _storable(text: str) -> str:
    """Return the text as HDF5 can hold it: a NUL would end it."""
    return sound(text).replace("\0", "")
