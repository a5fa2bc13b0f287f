"""Autosave and crash recovery."""

from __future__ import annotations

import json
import logging
import re
import secrets
import shutil
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ximstudio.files.atomic import atomic_file, json_bytes
from ximstudio.files.leftovers import is_alive, machine, this_process
from ximstudio.load.reading import Report, silent
from ximstudio.model.problem import UserError
from ximstudio.session.preferences_file import data_folder
from ximstudio.session.session import Session
from ximstudio.store.archive import DOCUMENT, unreadable
from ximstudio.store.document import document_of
from ximstudio.store.files import Stamp, StoredSession, stored_of
from ximstudio.store.parts import CollectedParts
from ximstudio.store.schema import migrated
from ximstudio.store.session_folder import SessionFolder, SessionFolderWriter

LOG = logging.getLogger(__name__)

EVERY = 15.0
"""Minimum seconds between two autosaves; one that takes as long to write loses at most 30 s."""

ABOUT = "about.json"
OWNER = re.compile(r"([0-9a-f]{8})-([0-9]{1,9})-([0-9]{1,12})-[0-9a-f]{8}")


def recovery_folder() -> Path:
    """Folder of autosaved sessions."""
    return data_folder() / "recovery"


class Autosave:
    """Autosaves the session of one window: poll `due`, run `write` in the background thread.

    Parameters
    ----------
    folder
        Folder of the autosaves of all windows; `recovery_folder()` by default.
    every
        Minimum seconds between two autosaves.
    clock
        Clock in seconds.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        every: float = EVERY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        name = f"{this_process()}-{secrets.token_hex(4)}"
        self.folder = (recovery_folder() if folder is None else folder) / name
        self._every = every
        self._clock = clock
        self._next = -float("inf")
        self._keeping = SessionFolderWriter(self.folder)
        # Weak, so that this does not keep a session in memory that the user has left.
        self._settled: Callable[[], Session | None] = lambda: None
        self._turn = threading.Lock()

    def due(self, session: Session) -> bool:
        """Return whether to write now: there are unsaved changes, and enough time has passed."""
        if session is self._settled() or is_blank(session):
            return False
        return self._clock() >= self._next

    def write(
        self,
        session: Session,
        *,
        views: Mapping[str, Any] | None = None,
        saved_as: Path | None = None,
        stamp: Stamp | None = None,
        report: Report = silent,
    ) -> None:
        """Replace the autosaved session by this one; only new parts are written.

        `saved_as` is the file that the user saved the session to, if any, and `stamp` the version
        of that file.
        """
        with self._turn:
            try:
                self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                parts = CollectedParts(self._keeping.parts)
                document = document_of(session, parts, views=views or {})
                self._keeping.write(document, parts, report)
                self._write_about(session, saved_as, stamp)
            except OSError as error:
                raise UserError(
                    key="session.not_kept",
                    what=f"The session cannot be autosaved: {error.strerror or error}.",
                    where=str(self.folder),
                    way_out="Free disk space, then save the session.",
                ) from None
            finally:
                # Also after an error: a full disk must not be tried again immediately.
                self._next = self._clock() + self._every
            self._settled = weakref.ref(session)

    def settle(self, session: Session) -> None:
        """Remove the autosave: the session has been saved, or the user has discarded it."""
        with self._turn:
            self._settled = weakref.ref(session)
            with suppress(OSError):
                self._keeping.withdraw()

    def close(self) -> None:
        """Remove the autosave folder, at a regular end of the program."""
        with self._turn:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _write_about(self, session: Session, saved_as: Path | None, stamp: Stamp | None) -> None:
        about = {
            "saved_as": None if saved_as is None else str(saved_as),
            "stamp": stamp,
            "at": time.time(),
            "name": "" if session.data is None else session.data.name,
            "runs": len(session.runs),
        }
        with atomic_file(self.folder / ABOUT) as file:
            file.write(json_bytes(json.dumps(about, ensure_ascii=False)))


def is_blank(session: Session) -> bool:
    """Return whether the session holds nothing that could be lost."""
    return session.data is None and not session.runs and not session.sets


@dataclass(frozen=True, kw_only=True)
class RecoverableSession:
    """An autosaved session of a program that ended without saving it.

    Parameters
    ----------
    folder
        Folder of the autosave.
    at
        Time of the autosave.
    name
        Name of its table; '' without one.
    n_runs
        Number of maps.
    saved_as
        The file that it was last saved to; None if it never was.
    stamp
        Version of that file that it came from; None if unknown.
    """

    folder: Path
    at: datetime
    name: str = ""
    n_runs: int = 0
    saved_as: Path | None = field(default=None)
    stamp: Stamp | None = None


def recoverable(folder: Path | None = None) -> tuple[RecoverableSession, ...]:
    """Find the autosaves of programs that have crashed, newest first.

    Autosaves of running programs and of other machines are left out. Folders without a session are
    removed; folders that cannot be read are logged and stay.
    """
    place = recovery_folder() if folder is None else folder
    try:
        entries = list(place.iterdir())
    except FileNotFoundError:
        return ()
    except OSError as error:
        LOG.warning("The recovery folder %s cannot be listed: %s", place, error)
        return ()
    found = []
    for each in entries:
        owner = OWNER.fullmatch(each.name)
        if owner is None or owner[1] != machine() or is_alive(int(owner[2]), int(owner[3])):
            continue
        try:
            if (each / DOCUMENT).is_file():
                found.append(_left(each))
            else:
                shutil.rmtree(each, ignore_errors=True)
        except OSError as error:
            LOG.warning("The autosave in %s cannot be read: %s", each, error)
    return tuple(sorted(found, key=lambda left: left.at, reverse=True))


def recover(left: RecoverableSession, report: Report = silent) -> StoredSession:
    """Read an autosaved session; it stays on disk until it is discarded."""
    try:
        kept = SessionFolder(left.folder, report)
        document = migrated(kept.document, str(left.folder))
        return stored_of(document, kept, left.folder)
    except OSError as error:
        raise unreadable(str(left.folder), error) from None


def discard(left: RecoverableSession) -> None:
    """Delete an autosaved session for good."""
    shutil.rmtree(left.folder, ignore_errors=True)


def _left(folder: Path) -> RecoverableSession:
    """Read the description of an autosave; if that is damaged, the session is still found."""
    at = (folder / DOCUMENT).stat().st_mtime
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        saved_as = about["saved_as"]
        return RecoverableSession(
            folder=folder,
            at=datetime.fromtimestamp(float(about["at"]), tz=UTC),
            name=str(about["name"]),
            n_runs=int(about["runs"]),
            saved_as=None if saved_as is None else Path(str(saved_as)),
            stamp=Stamp.of_values(about.get("stamp")),
        )
    except (OSError, ValueError, LookupError, TypeError, OverflowError, RecursionError):
        return RecoverableSession(folder=folder, at=datetime.fromtimestamp(at, tz=UTC))
