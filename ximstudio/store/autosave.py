"""What is kept by itself while a person works, and found again if the program was ended."""

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
from ximstudio.files.processes import is_alive, machine, this_process
from ximstudio.load.reading import Report, silent
from ximstudio.model.problem import UserError
from ximstudio.session.folders import data_folder
from ximstudio.session.session import Session
from ximstudio.store.archive import DOCUMENT, unreadable
from ximstudio.store.document import document_of
from ximstudio.store.files import Stamp, StoredSession, stored_of
from ximstudio.store.parts import CollectedParts
from ximstudio.store.schema import migrated
from ximstudio.store.session_folder import SessionFolder, SessionFolderWriter

LOG = logging.getLogger(__name__)

EVERY = 15.0
"""Seconds between two writings at least: what takes as long to write is lost for 30 s at most."""

ABOUT = "about.json"
OWNER = re.compile(r"([0-9a-f]{8})-([0-9]{1,9})-([0-9]{1,12})-[0-9a-f]{8}")


def recovery_folder() -> Path:
    """Where sessions are kept by themselves."""
    return data_folder() / "recovery"


class Autosave:
    """Keeps the session of one window; `due` is asked now and then, `write` is for the lane.

    Parameters
    ----------
    folder
        Where those of all windows are; `recovery_folder()` if left open.
    every
        Seconds between two writings at least.
    clock
        What tells the seconds.
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
        # Not held: what a person has left behind is not to stay in memory for this.
        self._settled: Callable[[], Session | None] = lambda: None
        self._turn = threading.Lock()

    def due(self, session: Session) -> bool:
        """Whether to write: something has changed that is kept nowhere, and it is time."""
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
        """Keep the session as it is, in place of the one before; only what is new is written.

        `saved_as` is the file that the user saved it as, if there is one, and `stamp` which
        version of that.
        """
        with self._turn:
            try:
                self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                parts = CollectedParts(self._keeping.parts)
                document = document_of(session, parts, views=views or {})
                self._keeping.write(document, parts, report)
                self._tell(session, saved_as, stamp)
            except OSError as error:
                raise UserError(
                    key="session.not_kept",
                    what=f"The session cannot be kept by itself: {error.strerror or error}.",
                    where=str(self.folder),
                    way_out="Save it, and make room on the disk.",
                ) from None
            finally:
                # Also if it went wrong: a full disk is not to be tried again at once.
                self._next = self._clock() + self._every
            self._settled = weakref.ref(session)

    def settle(self, session: Session) -> None:
        """The session is saved by now, or a person does not want it: it need not be kept."""
        with self._turn:
            self._settled = weakref.ref(session)
            with suppress(OSError):
                self._keeping.withdraw()

    def close(self) -> None:
        """Keep nothing: the program ends as it should."""
        with self._turn:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _tell(self, session: Session, saved_as: Path | None, stamp: Stamp | None) -> None:
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
    """Whether there is nothing to lose."""
    return session.data is None and not session.runs and not session.sets


@dataclass(frozen=True, kw_only=True)
class RecoverableSession:
    """A session that a program kept and did not come to save.

    Parameters
    ----------
    folder
        Where it is.
    at
        When it was kept.
    name
        What its table is called; '' if it has none.
    n_runs
        How many maps it has.
    saved_as
        The file that it was saved as before; None if it never was.
    stamp
        Which version of that file it came from; None if that is not known.
    """

    folder: Path
    at: datetime
    name: str = ""
    n_runs: int = 0
    saved_as: Path | None = field(default=None)
    stamp: Stamp | None = None


def recoverable(folder: Path | None = None) -> tuple[RecoverableSession, ...]:
    """What programs left that were ended without being asked, the newest first.

    Those of living programs are not among them, nor those of other machines. What is left without
    a session in it is removed; what cannot be looked at is logged, and stays.
    """
    place = recovery_folder() if folder is None else folder
    try:
        entries = list(place.iterdir())
    except FileNotFoundError:
        return ()
    except OSError as error:
        LOG.warning("Sessions that may have been left in %s cannot be listed: %s", place, error)
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
            LOG.warning("A session that was left in %s cannot be looked at: %s", each, error)
    return tuple(sorted(found, key=lambda left: left.at, reverse=True))


def recover(left: RecoverableSession, report: Report = silent) -> StoredSession:
    """The session that was left; it stays there until it is discarded."""
    try:
        kept = SessionFolder(left.folder, report)
        document = migrated(kept.document, str(left.folder))
        return stored_of(document, kept, left.folder)
    except OSError as error:
        raise unreadable(str(left.folder), error) from None


def discard(left: RecoverableSession) -> None:
    """Remove what was left, for ever."""
    shutil.rmtree(left.folder, ignore_errors=True)


def _left(folder: Path) -> RecoverableSession:
    """What is told about it; if that is lost, the session is not."""
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
