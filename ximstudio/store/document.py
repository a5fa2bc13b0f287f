"""Convert a session to a document of plain values with separate parts, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ximstudio import __version__
from ximstudio.doctor.finding import Addresses
from ximstudio.measure.catalogue import Measure
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.table import Table
from ximstudio.prepare.input import Input
from ximstudio.prepare.planned import Planned
from ximstudio.session.data import Data
from ximstudio.session.session import Session
from ximstudio.store.json_values import JsonValue, plain_number
from ximstudio.store.parts import FEWEST_TEXTS, CollectedParts, Parts, Texts
from ximstudio.store.references import File
from ximstudio.store.schema import FORMAT, NAMES, SCHEMA, SHARED, Document, fields_of
from ximstudio.store.unpacking import Unpacking
from ximstudio.train import Method

FIELDS = ("format", "schema", "program", "objects", "session", "matrix", "reference", "views")


def document_of(
    session: Session,
    parts: CollectedParts,
    *,
    views: Mapping[str, Any],
    files: tuple[File, ...] | None = None,
) -> Document:
    """Convert the session to plain values; arrays and long lists of texts go to `parts`.

    With `files`, the document refers to the table's files instead of holding the table.
    """
    data = session.data
    kept = session if files is None else replace(session, data=None)
    packing = SessionPacker(parts, kept.data)
    packed = packing.pack(kept)
    reference = None
    if files is not None and data is not None:
        reference = {"input": packing.pack(data.input), "files": packing.pack(files)}
    matrix = None
    if data is not None and data.matrix is not None and (files is None or _is_used(data, session)):
        matrix = packing.pack(data.matrix)
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "program": __version__,
        "session": packed,
        "matrix": matrix,
        "reference": reference,
        "views": dict(views),
        "objects": packing.objects,
    }


def _is_used(data: Data, session: Session) -> bool:
    """Return whether a run shows the table as it is prepared now."""
    return any(run.matrix is data.matrix for run in session.runs)


class SessionReader:
    """Reads a document: the session in it, and the files that it refers to."""

    def __init__(self, document: Document, parts: Parts, *, where: str, room: float) -> None:
        found = JsonValue(document, f"{where}: ").fields(FIELDS)
        older = found["schema"].whole(low=1) < SCHEMA
        self._unpacking = Unpacking(found["objects"], parts, room=room, older=older)
        self._found = found
        found["program"].text()
        self.views: dict[str, Any] = {name: each.value for name, each in found["views"].named()}
        self.session: Session = _bound(self._unpacking.unpack(found["session"], Session))
        self.matrix = self._matrix()
        self.input: Input | None = None
        self.files: tuple[File, ...] = ()
        if found["reference"].value is not None:
            reference = found["reference"].fields(["input", "files"])
            self.input = self._unpacking.unpack(reference["input"], Input)
            self.files = self._unpacking.unpack(reference["files"], tuple[File, ...])
            if self.session.data is not None or not self.files:
                raise found["reference"].refused("it refers to a table and also holds one")

    def _matrix(self) -> Matrix | None:
        """Restore the matrix of the table, which the runs trained on it share."""
        plain = self._found["matrix"]
        matrix: Matrix | None = self._unpacking.unpack(plain, Matrix | None)
        data = self.session.data
        if data is None:
            return matrix
        if (matrix is None) != (data.opened is None or bool(data.problems)):
            raise plain.refused("a table and its matrix do not fit")
        if matrix is None or data.opened is None:
            return None
        if self._unpacking.matrix_of(data.opened.prepared.table) is not matrix:
            raise plain.refused("the matrix does not belong to the prepared table")
        # Set, not computed a second time: the runs share this one.
        vars(data.opened)["matrix"] = matrix
        # Computed here, in the worker, and cached: the window must not wait for it.
        _ = data.overview, data.changes
        return matrix


def _bound(session: Session) -> Session:
    """Return the session with the recipe of its table bound to genes and samples."""
    data = session.data
    if data is None:
        return session
    wanted = data.input.bound(data.labelled.table)
    return session if wanted == data.input else replace(session, data=replace(data, input=wanted))


class SessionPacker:
    """Converts the values of a session; `objects` holds the shared ones, parts before wholes.

    A matrix that derives from the table of `data` is stored as a reference to that table.
    """

    def __init__(self, parts: CollectedParts, data: Data | None) -> None:
        self.objects: list[dict[str, Any]] = []
        self._parts = parts
        self._places: dict[int, int] = {}
        self._data = data

    def pack(self, value: Any) -> Any:  # noqa: PLR0911  (one for each kind)
        """Convert a value to plain values; `Unpacking.unpack` reverses it."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return str(value)
        if isinstance(value, int | np.integer):
            return int(value)
        if isinstance(value, float | np.floating):
            return plain_number(float(value))
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, Mapping):
            return {str(name): self.pack(each) for name, each in value.items()}
        if isinstance(value, Addresses):
            return {"items": self.pack(value.items), "features": self.pack(value.features)}
        if isinstance(value, frozenset):
            return self._texts(value)
        if isinstance(value, tuple | list):
            if len(value) >= FEWEST_TEXTS and all(isinstance(each, str) for each in value):
                return self._texts(tuple(value))
            return [self.pack(each) for each in value]
        return self._object(value)

    def _texts(self, texts: Texts) -> Any:
        if len(texts) < FEWEST_TEXTS:
            return sorted(texts)
        return {"part": self._parts.add_texts(texts)}

    def _array(self, array: NDArray[Any]) -> Any:
        if array.dtype.kind != "U":
            return self._parts.add_array(array)
        texts = tuple(str(text) for text in array)
        return {"texts": self.pack(texts), "width": max(array.dtype.itemsize // 4, 1)}

    def _object(self, value: Any) -> Any:
        if isinstance(value, Params):
            return value.as_values()
        if isinstance(value, Method | Measure):
            return value.key
        if isinstance(value, Planned):
            parameters = value.params.as_values()
            return {"step": value.step.key, "parameters": parameters, "on": value.on}
        kind = type(value)
        if kind not in SHARED:
            named = {"is": NAMES[kind]} if kind in NAMES else {}
            return {**named, **self._fields(value)}
        if id(value) not in self._places:
            # What it holds comes before it, so that nothing can hold itself.
            packed = {"is": NAMES[kind], **self._fields(value)}
            self.objects.append(packed)
            self._places[id(value)] = len(self.objects) - 1
        return self._places[id(value)]

    def _fields(self, value: Any) -> dict[str, Any]:
        if isinstance(value, Matrix):
            return self._matrix(value)
        if isinstance(value, Table):
            return {**self._plain_fields(value, without="values"), **self._values(value)}
        return self._plain_fields(value)

    def _plain_fields(self, value: Any, *, without: str = "") -> dict[str, Any]:
        assert dataclasses.is_dataclass(value), f"{type(value)} is not stored"
        return {
            name: self.pack(getattr(value, name))
            for name in fields_of(type(value))
            if name != without
        }

    def _matrix(self, matrix: Matrix) -> dict[str, Any]:
        # Only if it is known already: computing it takes a second or more, and nobody asked for it.
        fingerprint = {"fingerprint": vars(matrix).get("fingerprint")}
        data = self._data
        if data is not None and data.opened is not None and matrix is data.matrix:
            return {"of": self.pack(data.opened.prepared.table), **fingerprint}
        return {**self._plain_fields(matrix), **fingerprint}

    def _values(self, table: Table) -> dict[str, Any]:
        values = table.values
        if isinstance(values, np.ndarray):
            return {"values": self.pack(values)}
        parts = {"data": values.data, "indices": values.indices, "indptr": values.indptr}
        return {"values": {name: self.pack(part) for name, part in parts.items()}}
