"""Save sessions, track unsaved changes, and ask before they are lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from ximstudio.jobs import Task
from ximstudio.load.samples import PREFIX
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.words import counted
from ximstudio.session import Data, Session
from ximstudio.session.words import name_of
from ximstudio.store.save_locations import (
    CHANGED_ELSEWHERE,
    SUFFIX,
    SaveLocation,
    SaveLocations,
    SessionClaim,
)
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.files.questions import SaveQuestion
from ximstudio.ui.runtime.job_queue import Job, ignore
from ximstudio.ui.runtime.settings import Recent, Settings
from ximstudio.ui.widgets.question import Question

if TYPE_CHECKING:
    from ximstudio.store.files import Stamp
    from ximstudio.ui.files.save_dialog import SaveDialog

VIEWS, EMBED = "views", "embed"
"""State of the window that is stored in a session file beside the session."""
PASTED = "This table was pasted and has no file, so it is stored in the session."
WITHOUT = " without table"
"""Suffix of the file name that is proposed for a session whose table was not found."""
LOST = (
    "The table is not available; the data that the maps were trained on are stored in the session."
)


class Saving(QObject):
    """Saves the session of a window in the background and tracks unsaved changes.

    `views` returns the state of the views as plain values.
    """

    changed = Signal()
    """The unsaved state or the save location has changed."""
    saved = Signal(object)
    """A session was saved; carries the Session as saved, which may have changed since."""
    announced = Signal(str)
    """A message for the user: that the session was saved."""

    def __init__(
        self,
        window: QWidget,
        actions: Actions,
        settings: Settings,
        *,
        views: Callable[[], dict[str, Any]],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._actions = actions
        self._settings = settings
        self._views = views
        self._homes = SaveLocations()
        self._n_saving = 0
        self._claims: dict[Path, SessionClaim] = {}
        """Path → marker that this window has the file open."""
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._file_changed)
        self._asked = 0
        """Number of questions asked so far; an older question is not continued."""
        actions.table_opening.connect(self._homes.begin)
        actions.store.changed.connect(self._follow)
        actions.phase_changed.connect(self.changed)

    # State

    @property
    def path(self) -> Path | None:
        """The file of the current session; None if it has none."""
        return self._homes.present.path

    @property
    def stamp(self) -> Stamp | None:
        """The version of the file that the current session comes from."""
        return self._homes.present.stamp

    @property
    def unsaved(self) -> bool:
        """True if the session has unsaved work."""
        trains = self._actions.phase is not Phase.IDLE
        return trains or self._homes.present.lacks(self._actions.session)

    @property
    def loses(self) -> bool:
        """True if replacing the table would lose unsaved or running work."""
        return self.unsaved or bool(self._actions.under_way)

    @property
    def differs(self) -> bool:
        """True if the session differs from its file in anything."""
        trains = self._actions.phase is not Phase.IDLE
        return trains or self._homes.present.differs(self._actions.session)

    @property
    def is_saving(self) -> bool:
        """True if a session is being written or waiting to be."""
        return self._n_saving > 0

    @property
    def can_save(self) -> bool:
        """True if there is anything to save."""
        session = self._actions.session
        return session.data is not None or bool(session.runs)

    @property
    def name(self) -> str:
        """Name of the session: that of its file, or of its table; '' for none."""
        data = self._actions.session.data
        if self.path is not None:
            return self.path.name
        return "" if data is None else name_of(data)

    def settle(self, session: Session, home: SaveLocation) -> None:
        """Set the save location of the current session."""
        assert session is self._actions.session
        self._homes.begin_at(home, self._actions.store.history)
        self._watch()
        self._remember(session)
        self.changed.emit()

    def _remember(self, session: Session) -> None:
        """Add the file of the session to the recent files."""
        if self.path is not None:
            n_maps = len(session.runs)
            size = counted(n_maps, "map") if n_maps else "no map yet"
            self._settings.remember_file(Recent(name=str(self.path), size=size, session=True))

    def _follow(self) -> None:
        self._homes.follow(self._actions.store.history)
        if self._claims.keys() != self._homes.paths:
            self._watch()
        self.changed.emit()

    # Saving

    def save(self, then: Callable[[], None] = ignore) -> None:
        """Save the session to its file, or ask for one; then call `then`."""
        home = self._homes.present
        if home.path is None or home.lacking:
            self.save_as(then)
        else:
            self._write(home.path, home.embed, then, home.stamp)

    def save_as(self, then: Callable[[], None] = ignore) -> SaveDialog | None:
        """Ask for a file and save the session."""
        from ximstudio.ui.files.save_dialog import SaveDialog

        session = self._actions.session
        if not self.can_save:
            return None
        data, home = session.data, self._homes.present
        dialog = SaveDialog(
            self._window,
            self._proposed(data),
            embed=home.embed,
            table="the table" if data is None else name_of(data),
            size="" if data is None else _size_words(data),
            bound=self._bound(data),
        )
        dialog.chosen.connect(lambda path, embed: self._write(path, embed, then))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def _proposed(self, data: Data | None) -> Path:
        """Return a path in the last folder, named after the table."""
        if self.path is not None:
            lacking = self._homes.present.lacking
            return self.path.with_stem(self.path.stem + WITHOUT) if lacking else self.path
        folder = Path(self._settings.now.folder or Path.home())
        name = "session" if data is None else Path(data.input.name).stem
        return folder / f"{name.removeprefix(PREFIX)}{SUFFIX}"

    def _bound(self, data: Data | None) -> str:
        """Return why the table must be included; '' if it need not be."""
        if data is None:
            return LOST
        pasted = self._settings.pasted
        return PASTED if pasted is not None and Path(data.input.name).parent == pasted else ""

    def _write(
        self, path: Path, embed: bool, then: Callable[[], None], expected: Stamp | None = None
    ) -> None:
        """Write the current session, including a running training in its current state.

        With `expected`, ask first if another program has changed the file.
        """
        session, number = self._actions.session, self._homes.number
        written, values = self._actions.trainer.kept_if_ended, self.values(embed=embed)

        def work(task: Task[float, Stamp | None]) -> Stamp | None:
            # Imported late, in the background: it imports everything that a session may contain.
            from ximstudio.store.files import write_session

            options: dict[str, Any] = {"views": values, "embed": embed, "report": task.report}
            return write_session(path, written, expected=expected, **options)

        def over() -> None:
            self._n_saving -= 1

        def refused(problems: tuple[Problem, ...]) -> None:
            if problems[0].key == CHANGED_ELSEWHERE:
                self._ask_replace(path, embed, then)
            else:
                self._actions.jobs.refused.emit(problems)

        def done(found: Stamp | None) -> None:
            over()
            home = SaveLocation(path=path, embed=embed, saved=session, begun=session, stamp=found)
            self._homes.change(number, home)
            self._watch()
            self._settings.change(folder=str(path.parent))
            if number == self._homes.number:
                self._remember(written)
            self.saved.emit(session)
            self.announced.emit(f"Saved {path.name}")
            self.changed.emit()
            then()

        self._n_saving += 1
        doing = f"Saving {path.name}"
        self._actions.jobs.start(
            Job(label=doing, work=work, done=done, refused=refused, failed=over, file=True)
        )

    # Other windows

    def _ask_replace(self, path: Path, embed: bool, then: Callable[[], None]) -> None:
        """Ask whether to replace a file that another window or program has changed."""
        question = SaveQuestion(
            self._window,
            title=f"{path.name} was changed by another program",
            text="Another window or program has saved this file since you opened or saved it "
            "here. If you replace it, those changes are lost.",
            yes="Replace",
            save="Save as…",
        )
        question.accepted.connect(lambda: self._write(path, embed, then))
        question.save_wanted.connect(lambda: ignore(self.save_as(then)))
        question.open()

    def _watch(self) -> None:
        """Watch the files of all sessions that undo and redo lead to."""
        wanted = self._homes.paths
        for path in self._claims.keys() - wanted:
            self._claims.pop(path).release()
        watched = {Path(name) for name in self._watcher.files()}
        gone = [str(path) for path in watched - wanted]
        new = [str(path) for path in wanted - watched if path.exists()]
        if gone:
            self._watcher.removePaths(gone)
        if new:
            self._watcher.addPaths(new)
        for path in wanted - self._claims.keys():
            self._claims[path] = claim = SessionClaim(path)
            claim.make()

    def _file_changed(self, name: str) -> None:
        from ximstudio.store.files import Stamp

        path = Path(name)
        # A replaced file has to be watched again.
        self._watch()
        if not self.is_saving and self._homes.overtake(path, Stamp.of(path)):
            self._actions.jobs.refused.emit((_overtaken(path),))
            self.changed.emit()

    def release(self) -> None:
        """Release all files: the window closes."""
        for claim in self._claims.values():
            claim.release()
        self._claims.clear()

    def values(self, *, embed: bool | None = None) -> dict[str, Any]:
        """Return the state of the window that is stored beside the session."""
        embed = self._homes.present.embed if embed is None else embed
        return {VIEWS: self._views(), EMBED: embed}

    # Questions

    def unless_lost(
        self, asking: QWidget, then: Callable[[], None], *, no: str = "Cancel"
    ) -> Question | None:
        """Call `then` at once or, if work would be lost, after a question; stop training first.

        Saving takes time. `then` is not called if the asking dialog was closed meanwhile, or if a
        newer question was asked.
        """
        self._asked += 1
        if not self.loses:
            then()
            return None
        number, closed = self._asked, False

        def withdraw() -> None:
            nonlocal closed
            closed = True

        def go_on() -> None:
            if not closed and number == self._asked:
                self._actions.stop()
                then()

        def once_saved() -> None:
            if closed or number != self._asked:
                return
            # The user may have made changes meanwhile.
            if self._homes.present.lacks(self._actions.session):
                self.unless_lost(asking, then, no=no)
            else:
                go_on()

        if isinstance(asking, QDialog):
            asking.finished.connect(withdraw)

        question = self._question(asking, once_saved, no=no)
        question.accepted.connect(go_on)
        question.open()
        return question

    def _question(self, asking: QWidget, once_saved: Callable[[], None], *, no: str) -> Question:
        if not self.unsaved:
            # There is nothing to save.
            return Question(asking, title="Stop running work?", text=self.lost, yes="Stop", no=no)
        asked = SaveQuestion(asking, title=self._title(), text=self.lost, no=no)
        asked.save_wanted.connect(lambda: self.save(once_saved))
        return asked

    def _title(self) -> str:
        if self.path is not None:
            return f"Save changes to {self.path.name}?"
        return f"Save your work on {self.name}?" if self.name else "Save your work?"

    @property
    def lost(self) -> str:
        """Description of what would be lost, in one or two sentences; '' for nothing."""
        if not self.unsaved:
            return _unfinished(self._actions.under_way)
        session, home = self._actions.session, self._homes.present
        n_maps, n_sets = len(session.runs), len(session.sets)
        said = []
        if home.overtaken:
            said = [
                "Another window or program has changed the file; it does not contain your work "
                "here."
            ]
        elif home.saved is not None:
            said = ["Your changes since the last save will be lost."]
        elif n_maps:
            said = [f"{counted(n_maps, 'map is', 'maps are')} not saved."]
        elif n_sets:
            said = [f"{counted(n_sets, 'set is', 'sets are')} not saved."]
        if self._actions.phase is not Phase.IDLE:
            said.append("Training is running and will be stopped; saving keeps its current map.")
        return " ".join(filter(None, (*said, _unfinished(self._actions.under_way))))


def _unfinished(under_way: tuple[str, ...]) -> str:
    """Return which running work would be stopped; '' for none."""
    if not under_way:
        return ""
    *others, last = under_way
    named = f"{', '.join(others)} and {last}" if others else last
    verb = "are" if others else "is"
    return f"{named[:1].upper()}{named[1:]} {verb} running and will be stopped."


def _overtaken(path: Path) -> Problem:
    return Problem(
        key="session.overtaken",
        what=f"{path.name} was changed by another window or program. It no longer contains your "
        "work in this window.",
        where=str(path),
        way_out="Save your work under another name, or save it to replace the file.",
        severity=Severity.WARNING,
    )


def _size_words(data: Data) -> str:
    """Return the maximum size of a table's values: "12 MB"."""
    tables = {id(table.stored): table.stored.nbytes for table in (data.labelled.table, data.table)}
    size = float(sum(tables.values()))
    for unit in ("kB", "MB"):
        size /= 1000
        if size < 1000:
            return f"up to {max(size, 1):.0f} {unit}"
    return f"up to {size / 1000:.1f} GB"
