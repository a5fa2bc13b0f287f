"""A session ⇄ one document of plain values with its parts beside it, wherever these are kept."""

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
    """The session as plain values; what is no plain value is among the `parts` then.

    With `files`, the table is not in it, but where it is read from.
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
    """Whether a run shows the table as it is prepared now."""
    return any(run.matrix is data.matrix for run in session.runs)


class SessionReader:
    """A document that is being read: the session in it, and what it refers to."""

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
            told = found["reference"].fields(["input", "files"])
            self.input = self._unpacking.unpack(told["input"], Input)
            self.files = self._unpacking.unpack(told["files"], tuple[File, ...])
            if self.session.data is not None or not self.files:
                raise found["reference"].refused("it refers to a table and has one")

    def _matrix(self) -> Matrix | None:
        """What training sees of the table, which the runs on it show as well."""
        plain = self._found["matrix"]
        matrix: Matrix | None = self._unpacking.unpack(plain, Matrix | None)
        data = self.session.data
        if data is None:
            return matrix
        if (matrix is None) != (data.opened is None or bool(data.problems)):
            raise plain.refused("a table and what training sees of it do not fit")
        if matrix is None or data.opened is None:
            return None
        if self._unpacking.matrix_of(data.opened.prepared.table) is not matrix:
            raise plain.refused("training sees another table than the prepared one")
        # Not made a second time: it is the one that runs show.
        vars(data.opened)["matrix"] = matrix
        # Made here, in the worker, and kept: the window must not wait for it.
        _ = data.overview, data.changes
        return matrix


def _bound(session: Session) -> Session:
    """The session with the recipe of its table bound to genes and samples, as it is from now on."""
    data = session.data
    if data is None:
        return session
    wanted = data.input.bound(data.labelled.table)
    return session if wanted == data.input else replace(session, data=replace(data, input=wanted))
