"""Save and open sessions (.xims): files are written atomically and read without trust."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, Self

from ximstudio.files.atomic import atomic_file
from ximstudio.load.reading import Report, silent
from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Input
from ximstudio.session.data import Data, open_data
from ximstudio.session.session import Session
from ximstudio.store.archive import free_memory, opened_archive, write_archive
from ximstudio.store.document import SessionReader, document_of
from ximstudio.store.parts import CollectedParts, Parts
from ximstudio.store.references import (
    Missing,
    files_of,
    found_again,
    moved_input,
    part_of,
    with_moved_inputs,
)
from ximstudio.store.save_locations import CHANGED_ELSEWHERE
from ximstudio.store.schema import Document, migrated

HASHING, READING = 0.2, 0.6
"""Shares of the progress: hashing the files referred to; reading the session itself."""


class Stamp(NamedTuple):
    """Version of a file: its time of change, size and inode."""

    modified: int
    size: int
    inode: int

    @classmethod
    def of(cls, path: Path) -> Self | None:
        """Return the stamp of a file as it is now; None if there is no file."""
        try:
            found = path.stat()
        except OSError:
            return None
        return cls(modified=found.st_mtime_ns, size=found.st_size, inode=found.st_ino)

    @classmethod
    def of_values(cls, values: Any) -> Self | None:
        """Read a stamp from stored values; None if they are not a stamp."""
        whole = isinstance(values, list) and all(type(value) is int for value in values)
        return cls(*values) if whole and len(values) == len(cls._fields) else None


@dataclass(frozen=True, kw_only=True, eq=False)
class StoredSession:
    """A session as read from its file.

    Parameters
    ----------
    session
        The session; without its data while files are `missing`.
    views
        Values that the window stored with it: plain values, lists instead of tuples.
    missing
        Files of the data that are no longer where they were.
    path
        The file that it was read from.
    stamp
        Version of that file.
    """

    session: Session
    views: Mapping[str, Any] = field(default_factory=dict)
    missing: tuple[Missing, ...] = ()
    path: Path
    stamp: Stamp | None = None
    opening: SessionReader | None = field(default=None, repr=False)
    """Needed to load the data once the missing files are found."""


def write_session(
    path: Path,
    session: Session,
    *,
    views: Mapping[str, Any] | None = None,
    embed: bool = True,
    report: Report = silent,
    expected: Stamp | None = None,
) -> Stamp | None:
    """Save a session, replacing the file; return the stamp of the new file.

    Parameters
    ----------
    views
        Plain JSON values that `read_session` returns again.
    embed
        Whether to store the table in the file. If not, the file has the location and the
        fingerprint of the table; the data that maps were trained on are stored in any case.
    report
        Called with the share done; it may raise to cancel, and then nothing has changed.
    expected
        Version of the file to replace: any other is refused with the key `CHANGED_ELSEWHERE` and
        stays. Without it, any file is replaced.
    """
    # Saving through a link replaces the file that it points to, not the link.
    target = Path(os.path.realpath(path))
    files = None
    if not embed and session.data is not None:
        files = files_of(session.data.input, target.parent, lambda done: report(HASHING * done))
    begun = 0.0 if files is None else HASHING
    _refuse_other(target, expected)
    parts = CollectedParts()
    document = document_of(session, parts, views=views or {}, files=files)
    try:
        with atomic_file(target, lasting=True) as file:
            write_archive(file, document, parts, part_of(report, begun, 1.0))
            _keep_mode(target, file.fileno())
            # Checked once more, as late as possible, because writing takes time.
            _refuse_other(target, expected)
    except OSError as error:
        raise UserError(
            key="session.unwritable",
            what=f"The session cannot be saved: {error.strerror or error}.",
            where=str(path),
            way_out="Free disk space, or save the session to a folder that you may write to."
            " The file saved before is unchanged.",
        ) from None
    return Stamp.of(target)


def read_session(
    path: Path, report: Report = silent, *, moved: Mapping[str, Path] | None = None
) -> StoredSession:
    """Read the session in a file; refuse any other kind of file.

    Nothing is trained. A table that it only refers to is read from its old place, from the same
    place relative to the session, or from where `moved` says (name of the file → path).
    """
    stamp = Stamp.of(path)
    with opened_archive(path, part_of(report, 0.0, READING)) as archive:
        document = migrated(archive.document(), str(path))
        stored = replace(stored_of(document, archive, path), stamp=stamp)
    if stored.opening is None:
        report(1.0)
        return stored
    return find_moved(stored, moved or {}, part_of(report, READING, 1.0))


def stored_of(document: Document, parts: Parts, path: Path) -> StoredSession:
    """Convert a document to a session, before looking for the files that it refers to."""
    opening = SessionReader(document, parts, where=str(path), room=free_memory())
    return StoredSession(
        session=opening.session,
        views=opening.views,
        missing=tuple(Missing(file=file) for file in opening.files),
        path=path,
        opening=opening if opening.files else None,
    )


def find_moved(
    stored: StoredSession, moved: Mapping[str, Path], report: Report = silent
) -> StoredSession:
    """Load the data of the session if all missing files are found.

    `moved` maps `Missing.file.name` to the present path. A file with other contents is refused, and
    nothing changes.
    """
    opening = stored.opening
    if opening is None or opening.input is None:
        return stored
    folder, files = Path(os.path.realpath(stored.path)).parent, opening.files
    found = [
        found_again(file, folder, moved, part_of(report, HASHING * number / len(files), HASHING))
        for number, file in enumerate(files)
    ]
    if missing := tuple(place for place in found if isinstance(place, Missing)):
        return replace(stored, missing=missing)
    # Old and new names of the files that have moved; samples keep their names.
    places = {
        file.name: str(place)
        for file, place in zip(files, found, strict=True)
        if not file.name.startswith("sample:") and Path(file.name) != place
    }
    data = _data(opening, moved_input(opening.input, places), part_of(report, HASHING, 1.0))
    session = replace(with_moved_inputs(stored.session, places), data=data)
    return replace(stored, session=session, missing=(), opening=None)


def _data(opening: SessionReader, wanted: Input, report: Report) -> Data:
    """Read and prepare the table; runs that show it keep sharing its matrix."""
    data = open_data(wanted, report)
    matrix, kept = data.matrix, opening.matrix
    if matrix is None or kept is None or matrix.fingerprint != kept.fingerprint:
        return data
    assert data.opened is not None
    opened = replace(data.opened)
    vars(opened)["matrix"] = kept
    again = replace(data, opened=opened)
    _ = again.overview, again.changes
    return again


def _refuse_other(path: Path, expected: Stamp | None) -> None:
    """Refuse to replace an unexpected version of the file; a deleted file is no version."""
    found = Stamp.of(path)
    if expected is not None and found is not None and found != expected:
        raise UserError(
            key=CHANGED_ELSEWHERE,
            what="Another window or program has changed the file since it was opened or saved"
            " here.",
            where=str(path),
            way_out="Save the session under another name, or replace the file.",
        )


def _keep_mode(path: Path, file: int) -> None:
    """Give the file the permissions of the one before, where the system has them."""
    if hasattr(os, "fchmod"):
        with suppress(OSError):
            os.fchmod(file, path.stat().st_mode & 0o7777)
