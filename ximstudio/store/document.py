"""Convert a session to a document of plain values with separate parts, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ximstudio import __version__
from ximstudio.model.matrix import Matrix
from ximstudio.prepare.input import Input
from ximstudio.session.data import Data
from ximstudio.session.session import Session
from ximstudio.store.json_values import JsonValue
from ximstudio.store.packing import SessionPacker
from ximstudio.store.parts import CollectedParts, Parts
from ximstudio.store.references import File
from ximstudio.store.schema import FORMAT, SCHEMA, Document
from ximstudio.store.unpacking import Unpacking

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
