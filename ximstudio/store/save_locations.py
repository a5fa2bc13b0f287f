"""Which file a session is saved in, for every session that steps lead back to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ximstudio.session import Session
from ximstudio.session.history import UndoHistory
from ximstudio.session.same_work import same_work

if TYPE_CHECKING:
    from ximstudio.store.files import Stamp


@dataclass(frozen=True, kw_only=True, eq=False)
class SaveLocation:
    """Where a session is saved.

    Parameters
    ----------
    path
        The file; None if nobody saved it yet.
    embed
        Whether its table is in the file.
    saved
        The session as it was saved; None if it never was.
    begun
        The session as it was when its table was opened; None if there is no table yet.
    stamp
        Which version of the file has it; None if that is not known.
    overtaken
        Whether another program has changed the file since.
    lacking
        Whether the file refers to a table that was not found: without it, saving there would lose
        where the table is.
    """

    path: Path | None = None
    embed: bool = True
    saved: Session | None = None
    begun: Session | None = None
    stamp: Stamp | None = None
    overtaken: bool = False
    lacking: bool = False

    def lacks(self, session: Session) -> bool:
        """Whether something of a session would be lost without saving it.

        A table that was only opened is no work, and how to train it is not worth a question.
        """
        if self.saved is None or self.overtaken:
            return bool(session.runs or session.sets)
        return not same_work(self.saved, session)

    def differs(self, session: Session) -> bool:
        """Whether anything was done at all since it was saved, or else since it was opened."""
        if self.overtaken:
            return True
        before = self.begun if self.saved is None else self.saved
        return not same_work(Session() if before is None else before, session)


class SaveLocations:
    """Finds the home of the present session: opening another table begins another one.

    A step back may lead to the session before, which has its own. They are told apart by the table
    as read: it stays while it is worked on, and comes back with a step. One that is read again in
    another way is at home where it was.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        """By table: number of its home."""
        self._tables: dict[int, object] = {}
        """The tables themselves: while they are held, no other can be taken for them."""
        self._homes: dict[int, SaveLocation] = {0: SaveLocation()}
        self._present = 0

    @property
    def number(self) -> int:
        """Which home the present session has."""
        return self._present

    @property
    def present(self) -> SaveLocation:
        """The home of the present session."""
        return self._homes[self._present]

    @property
    def paths(self) -> frozenset[Path]:
        """The files of all sessions that steps lead to."""
        return frozenset(home.path for home in self._homes.values() if home.path is not None)

    def overtake(self, path: Path, stamp: Stamp | None) -> bool:
        """Note that a file has this stamp now; whether that is news, and somebody else's doing."""
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
        """Give the sessions of a home another one, unless nothing leads back to them."""
        if number in self._homes:
            self._homes[number] = home

    def begin(self) -> None:
        """Have the next session that is followed be at home nowhere."""
        self._present = max(self._homes) + 1
        self._homes[self._present] = SaveLocation()

    def begin_at(self, home: SaveLocation, history: UndoHistory) -> None:
        """Be at home here alone: nothing leads back to what was before."""
        self._numbers, self._tables, self._homes, self._present = {}, {}, {0: home}, 0
        self.follow(history)

    def follow(self, history: UndoHistory) -> None:
        """Find the home of what is the session now, and forget those that nothing leads to."""
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
    """Of the table as read; 0 for none."""
    table = _table(session)
    return 0 if table is None else id(table)


def _table(session: Session) -> object:
    return None if session.data is None else session.data.labelled
