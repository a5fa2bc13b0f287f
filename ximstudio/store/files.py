"""Session ⇄ .xims: one file that is written whole or not at all, and read without trust."""

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
    File,
    Missing,
    files_of,
    found_again,
    moved_input,
    with_moved_inputs,
)
from ximstudio.store.schema import Document, migrated

SUFFIX = ".xims"

HASHING, READING = 0.2, 0.6
"""Shares of the time: to look at files that are referred to; to read the session itself."""


class Stamp(NamedTuple):
    """Which version of a file there is: another one has another stamp."""

    modified: int
    size: int
    inode: int

    @classmethod
    def of(cls, path: Path) -> Self | None:
        """The stamp of a file as it is now; None if it is not there."""
        try:
            found = path.stat()
        except OSError:
            return None
        return cls(modified=found.st_mtime_ns, size=found.st_size, inode=found.st_ino)

    @classmethod
    def of_values(cls, values: Any) -> Self | None:
        """A stamp that was written as plain values; None if these are none."""
        whole = isinstance(values, list) and all(type(value) is int for value in values)
        return cls(*values) if whole and len(values) == len(cls._fields) else None


class ChangedElsewhereError(UserError):
    """Another program changed the file since it was read or saved here."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StoredSession:
    """What was read from a session's file.

    Parameters
    ----------
    session
        All of it; without its data while something is `missing`.
    views
        What the window gave when it was saved: plain values, with lists where it gave tuples.
    missing
        Files that the data are read from, and that are not where they were.
    path
        The file it was read from.
    stamp
        Which version of the file that was.
    """

    session: Session
    views: Mapping[str, Any] = field(default_factory=dict)
    missing: tuple[Missing, ...] = ()
    path: Path
    stamp: Stamp | None = None
    opening: SessionReader | None = field(default=None, repr=False)
    """What is needed to have the data once the missing files are found."""


def write_session(
    path: Path,
    session: Session,
    *,
    views: Mapping[str, Any] | None = None,
    embed: bool = True,
    report: Report = silent,
    expected: Stamp | None = None,
) -> Stamp | None:
    """Save a session, in place of what was saved there before; the stamp of the new file.

    Parameters
    ----------
    views
        Plain values of JSON that are given back when it is opened.
    embed
        Whether the table is in the file. If not, the file tells where the table is and what its
        fingerprint was; what maps were trained on is in it all the same.
    report
        Told how much is done; it may raise to end it, and then nothing has changed.
    expected
        Which version of the file is to be replaced: any other raises `ChangedElsewhereError`, and
        stays. Without it, whatever is there is replaced.
    """
    # What is saved through a link takes the place of what the link leads to, not of the link.
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
            write_archive(file, document, parts, lambda done: report(begun + (1 - begun) * done))
            _keep_mode(target, file.fileno())
            # Once more, as late as can be: writing takes its time.
            _refuse_other(target, expected)
    except OSError as error:
        raise UserError(
            key="session.unwritable",
            what=f"The session cannot be saved: {error.strerror or error}.",
            where=str(path),
            way_out="Make room on the disk, or save it to a folder where you may write."
            " What was saved before is as it was.",
        ) from None
    return Stamp.of(target)


def read_session(
    path: Path, report: Report = silent, *, moved: Mapping[str, Path] | None = None
) -> StoredSession:
    """The session in a file; whatever else the file may be is refused.

    Nothing is trained. A table that it only refers to is read again if it is where it was, or as
    far from the session as it was, or where `moved` says: name of the file → where it is now.
    """
    stamp = Stamp.of(path)
    with opened_archive(path, _part(report, 0.0, READING)) as archive:
        document = migrated(archive.document(), str(path))
        stored = replace(stored_of(document, archive, path), stamp=stamp)
    if stored.opening is None:
        report(1.0)
        return stored
    return find_moved(stored, moved or {}, _part(report, READING, 1.0))


def stored_of(document: Document, parts: Parts, path: Path) -> StoredSession:
    """What a document holds, before files that it refers to are looked for."""
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
    """The session with its data, if all missing files are found.

    `moved` tells where files are now: `Missing.file.name` → path. One with other contents is
    refused, and everything is as before.
    """
    opening = stored.opening
    if opening is None or opening.input is None:
        return stored
    folder = Path(os.path.realpath(stored.path)).parent
    found: dict[str, Path] = {}
    missing = []
    for number, file in enumerate(opening.files):
        told = _part(report, HASHING * number / len(opening.files), HASHING)
        place = found_again(file, folder, moved, told)
        if isinstance(place, Missing):
            missing.append(place)
        else:
            found[file.name] = place
    if missing:
        return replace(stored, missing=tuple(missing))
    places = _changed_names(opening.files, found)
    data = _data(opening, moved_input(opening.input, places), _part(report, HASHING, 1.0))
    session = replace(with_moved_inputs(stored.session, places), data=data)
    return replace(stored, session=session, missing=(), opening=None)


def _changed_names(files: tuple[File, ...], found: Mapping[str, Path]) -> dict[str, str]:
    """Old name → new one, of the files that are elsewhere now; a sample keeps its name."""
    return {
        file.name: str(found[file.name])
        for file in files
        if not file.name.startswith("sample:") and Path(file.name) != found[file.name]
    }


def _data(opening: SessionReader, wanted: Input, report: Report) -> Data:
    """The table, read and prepared again; runs that show it go on showing the same values."""
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
    """Refuse to replace another version than the expected one; a file that is gone is none."""
    found = Stamp.of(path)
    if expected is not None and found is not None and found != expected:
        raise ChangedElsewhereError(
            key="session.changed_elsewhere",
            what="The file was changed by another window or program since it was opened or saved"
            " here.",
            where=str(path),
            way_out="Save the session under another name, or replace the file.",
        )


def _part(report: Report, begin: float, end: float) -> Report:
    return lambda fraction: report(begin + (end - begin) * fraction)


def _keep_mode(path: Path, file: int) -> None:
    """Who may read the file is as it was before, where systems know such a thing."""
    if hasattr(os, "fchmod"):
        with suppress(OSError):
            os.fchmod(file, path.stat().st_mode & 0o7777)
