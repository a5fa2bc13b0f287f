"""Track which file each session is saved to, and mark files of open sessions.

Each program that has a session open keeps a hidden file `.NAME.MACHINE-PID-BEGUN.open` beside it.
Markers of killed programs are recognised by their process and removed. Programs on other machines
that share the folder cannot be checked: their markers count for a day after the last change.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ximstudio.files.leftovers import is_alive, machine, this_process
from ximstudio.session import Session
from ximstudio.session.session import UndoHistory, same_work

if TYPE_CHECKING:
    from ximstudio.store.files import Stamp

SUFFIX = ".xims"
CHANGED_ELSEWHERE = "session.changed_elsewhere"
"""Key of the problem that another program has changed a file since it was read or saved here."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SaveLocation:
    """Save location of a session.

    Parameters
    ----------
    path
        The file; None if it has not been saved yet.
    embed
        Whether the file holds the table.
    saved
        The session as it was saved; None if it never was.
    begun
        The session when its table was opened; None without a table.
    stamp
        Version of the file that holds it; None if unknown.
    overtaken
        Whether another program has changed the file since.
    lacking
        Whether the file refers to a table that was not found: saving there without it would
        lose where the table is.
    """

    path: Path | None = None
    embed: bool = True
    saved: Session | None = None
    begun: Session | None = None
    stamp: Stamp | None = None
    overtaken: bool = False
    lacking: bool = False

    def lacks(self, session: Session) -> bool:
        """Return whether unsaved work would be lost.

        A table that was only opened is no work, nor are training settings.
        """
        if self.saved is None or self.overtaken:
            return bool(session.runs or session.sets)
        return not same_work(self.saved, session)

    def differs(self, session: Session) -> bool:
        """Return whether anything was done since the session was saved or, if never, opened."""
        if self.overtaken:
            return True
        before = self.begun if self.saved is None else self.saved
        return not same_work(Session() if before is None else before, session)


class SaveLocations:
    """Finds the save location of the present session: opening another table begins a new one.

    Undo may lead back to the session before, which has its own location. Sessions are distinguished
    by the table as read: it stays the same object through steps, undo and redo. A table that is
    read again with other options keeps its location.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        """Number of the location by table."""
        self._tables: dict[int, object] = {}
        """The tables themselves, held so that their ids stay unique."""
        self._homes: dict[int, SaveLocation] = {0: SaveLocation()}
        self._present = 0

    @property
    def number(self) -> int:
        """Number of the present session's location."""
        return self._present

    @property
    def present(self) -> SaveLocation:
        """Location of the present session."""
        return self._homes[self._present]

    @property
    def paths(self) -> frozenset[Path]:
        """Files of all sessions that undo and redo lead to."""
        return frozenset(home.path for home in self._homes.values() if home.path is not None)

    def overtake(self, path: Path, stamp: Stamp | None) -> bool:
        """Record the stamp of a file; return whether another program has newly changed it."""
        found = {
            number: replace(home, overtaken=True)
            for number, home in self._homes.items()
            if home.path == path
            and not home.overtaken
            and None not in (home.stamp, stamp)
            and home.stamp != stamp
        }
        self._homes |= found
        return bool(found)

    def change(self, number: int, home: SaveLocation) -> None:
        """Replace the location of sessions, unless undo and redo no longer lead to them."""
        if number in self._homes:
            self._homes[number] = home

    def begin(self) -> None:
        """Mark the next session as not saved yet."""
        self._present = max(self._homes) + 1
        self._homes[self._present] = SaveLocation()

    def begin_at(self, home: SaveLocation, history: UndoHistory) -> None:
        """Start over with this location alone; nothing leads back to earlier sessions."""
        self._numbers, self._tables, self._homes, self._present = {}, {}, {0: home}, 0
        self.follow(history)

    def follow(self, history: UndoHistory) -> None:
        """Find the location of the present session, and drop those that nothing leads to."""
        key = _key(history.present)
        self._present = self._numbers.setdefault(key, self._present)
        self._tables[key] = _table(history.present)
        if self.present.begun is None and key:
            self._homes[self._present] = replace(self.present, begun=history.present)
        states = (history.present, *(step.session for step in (*history.past, *history.future)))
        keys = set(map(_key, states))
        self._numbers = {each: number for each, number in self._numbers.items() if each in keys}
        self._tables = {each: table for each, table in self._tables.items() if each in keys}
        used = {*self._numbers.values(), self._present}
        self._homes = {number: home for number, home in self._homes.items() if number in used}


def _key(session: Session) -> int:
    """Id of the table as read; 0 for none."""
    table = _table(session)
    return 0 if table is None else id(table)


def _table(session: Session) -> object:
    return None if session.data is None else session.data.labelled


ENDING = "open"
STALE = 24 * 3600.0
"""Seconds after which a marker of another machine is ignored."""


class SessionClaim:
    """Marker of this program for an open session."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._sign = _sign(path, this_process())

    def make(self) -> None:
        """Create the marker; skipped in folders that cannot be written to."""
        with suppress(OSError):
            self._sign.touch()

    def release(self) -> None:
        """Remove the marker."""
        with suppress(OSError):
            self._sign.unlink(missing_ok=True)


def holders(path: Path, *, now: float | None = None) -> tuple[Path, ...]:
    """Find the markers of other programs that have this session open; remove those left over."""
    sign = re.compile(
        rf"\.{re.escape(path.name)}\.([0-9a-f]{{8}})-(\d{{1,9}})-(\d{{1,12}})\.{ENDING}"
    )
    found = []
    with suppress(OSError):
        for each in path.parent.iterdir():
            found_name = sign.fullmatch(each.name)
            if found_name is None or each == _sign(path, this_process()):
                continue
            if found_name[1] == machine():
                lives = is_alive(int(found_name[2]), int(found_name[3]))
            else:
                lives = (time.time() if now is None else now) - each.stat().st_mtime < STALE
            if lives:
                found.append(each)
            else:
                with suppress(OSError):
                    each.unlink()
    return tuple(found)


def _sign(path: Path, process: str) -> Path:
    return path.with_name(f".{path.name}.{process}.{ENDING}")
