"""Keeping a session: saving it, knowing what is not saved, and asking before that is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
from ximstudio.ui.desk import Job, ignore
from ximstudio.ui.homes import Home, Homes
from ximstudio.ui.question import Question
from ximstudio.ui.save_question import SaveQuestion
from ximstudio.ui.settings import Recent, Settings
from ximstudio.ui.studio import Studio
from ximstudio.ui.training import Phase

if TYPE_CHECKING:
    from ximstudio.store.claims import Claim
    from ximstudio.store.files import Stamp
    from ximstudio.ui.save_dialog import SaveDialog

VIEWS, EMBED = "views", "embed"
"""What the window keeps in a session's file beside the session."""
PASTED = "This table was pasted and has no file of its own, so it is kept here."
WITHOUT = " without table"
"""What follows the name of a session in that of one whose table was not found."""
LOST = "The table is not at hand: what the maps were trained on is in the file."


@dataclass(frozen=True)
class Overtaken:
    """The file is not the one that was opened or saved here last."""


class Keeping(QObject):
    """Has the lane write the session of a window, and knows whether that is due.

    `views` tells how the views are set, as plain values.
    """

    changed = Signal()
    """Something is unsaved now, or no more, or is at home elsewhere."""
    saved = Signal(object)
    """A session was saved: the Session as it was then, which may have been changed since."""
    told = Signal(str)
    """What a person is to know that changed nothing: that it was saved."""

    def __init__(
        self,
        window: QWidget,
        studio: Studio,
        settings: Settings,
        *,
        views: Callable[[], dict[str, Any]],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._studio = studio
        self._settings = settings
        self._views = views
        self._homes = Homes()
        self._n_saving = 0
        self._claims: dict[Path, Claim] = {}
        """By file: the signs that this window has it open."""
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._file_changed)
        self._asked = 0
        """How often something asked whether it may go on."""
        studio.began.connect(self._homes.begin)
        studio.desk.changed.connect(self._follow)
        studio.phase_changed.connect(self.changed)

    # What is saved

    @property
    def path(self) -> Path | None:
        """The file of the present session; None if it has none."""
        return self._homes.present.path

    @property
    def stamp(self) -> Stamp | None:
        """Which version of its file the present session comes from."""
        return self._homes.present.stamp

    @property
    def unsaved(self) -> bool:
        """Whether something would be lost if the session went without being saved."""
        if self._studio.phase is not Phase.IDLE:
            return True
        return self._homes.present.lacks(self._studio.session)

    @property
    def loses(self) -> bool:
        """Whether something would be lost if the table went: unsaved, or still computed."""
        return self.unsaved or bool(self._studio.under_way)

    @property
    def differs(self) -> bool:
        """Whether anything was done that no file has, worth a question or not."""
        if self._studio.phase is not Phase.IDLE:
            return True
        return self._homes.present.differs(self._studio.session)

    @property
    def is_saving(self) -> bool:
        """Whether a session is being written, or waits for it."""
        return self._n_saving > 0

    @property
    def can_save(self) -> bool:
        """Whether there is anything to save."""
        session = self._studio.session
        return session.data is not None or bool(session.runs)

    @property
    def name(self) -> str:
        """What the session is called: by its file, or else by its table; '' for nothing."""
        data = self._studio.session.data
        if self.path is not None:
            return self.path.name
        return "" if data is None else name_of(data)

    def settle(self, session: Session, home: Home) -> None:
        """Have a session that was opened be at home here; it is the present one."""
        assert session is self._studio.session
        self._homes.begin_at(home, self._studio.desk.history)
        self._watch()
        self._remember(session)
        self.changed.emit()

    def _remember(self, session: Session) -> None:
        """Put the file of the session on top of the recent ones, with what is in it."""
        if self.path is not None:
            n_maps = len(session.runs)
            size = counted(n_maps, "map") if n_maps else "no map yet"
            self._settings.remember_file(Recent(name=str(self.path), size=size, session=True))

    def _follow(self) -> None:
        self._homes.follow(self._studio.desk.history)
        if self._claims.keys() != self._homes.paths:
            self._watch()
        self.changed.emit()

    # Saving

    def save(self, then: Callable[[], None] = ignore) -> None:
        """Save the session in its file, or ask where; `then` is done once it is saved."""
        home = self._homes.present
        if home.path is None or home.lacking:
            self.save_as(then)
        else:
            self._write(home.path, home.embed, then, home.stamp)

    def save_as(self, then: Callable[[], None] = ignore) -> SaveDialog | None:
        """Ask where the session is to be saved, and save it."""
        from ximstudio.ui.save_dialog import SaveDialog

        session = self._studio.session
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
        """A file in the folder of the last one, called like the table."""
        if self.path is not None:
            lacking = self._homes.present.lacking
            return self.path.with_stem(self.path.stem + WITHOUT) if lacking else self.path
        folder = Path(self._settings.now.folder or Path.home())
        name = "session" if data is None else Path(data.input.name).stem
        return folder / f"{name.removeprefix(PREFIX)}.xims"

    def _bound(self, data: Data | None) -> str:
        """Why the table has to be in the file; '' if it need not be."""
        if data is None:
            return LOST
        pasted = self._settings.pasted
        return PASTED if pasted is not None and Path(data.input.name).parent == pasted else ""

    def _write(
        self,
        path: Path,
        embed: bool,
        then: Callable[[], None],
        expected: Stamp | None = None,
    ) -> None:
        """Write the session as it is now; a training that is under way, as it stands, too.

        With `expected`, a file that another program has changed since is asked about first.
        """
        session, number = self._studio.session, self._homes.number
        written, values = self._studio.trainer.kept_if_ended, self.values(embed=embed)

        def work(task: Task[float, Stamp | Overtaken | None]) -> Stamp | Overtaken | None:
            # Late, and in the lane: it brings all that a session may hold.
            from ximstudio.store.files import ChangedElsewhereError, write_session

            options: dict[str, Any] = {"views": values, "embed": embed, "report": task.report}
            try:
                return write_session(path, written, expected=expected, **options)
            except ChangedElsewhereError:
                return Overtaken()

        def over() -> None:
            self._n_saving -= 1

        def done(found: Stamp | Overtaken | None) -> None:
            over()
            if isinstance(found, Overtaken):
                self._ask_replace(path, embed, then)
                return
            home = Home(path=path, embed=embed, saved=session, begun=session, stamp=found)
            self._homes.change(number, home)
            self._watch()
            self._settings.change(folder=str(path.parent))
            if number == self._homes.number:
                self._remember(written)
            self.saved.emit(session)
            self.told.emit(f"Saved {path.name}")
            self.changed.emit()
            then()

        job = Job(doing=f"Saving {path.name}", work=work, done=done, failed=over, filing=True)
        self._n_saving += 1
        self._studio.desk.start(job)

    # Other windows

    def _ask_replace(self, path: Path, embed: bool, then: Callable[[], None]) -> None:
        """Ask what becomes of a file that another window or program has changed."""
        question = SaveQuestion(
            self._window,
            title=f"{path.name} was changed elsewhere",
            text="Another window or program has saved it since it was opened or saved here. If you"
            " replace it, what was saved there is gone.",
            yes="Replace",
            save="Save as…",
        )
        question.accepted.connect(lambda: self._write(path, embed, then))
        question.save_wanted.connect(lambda: ignore(self.save_as(then)))
        question.open()

    def _watch(self) -> None:
        """Look after the files of all sessions that steps lead to, and after no others."""
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
            # Late: it needs what tells processes apart.
            from ximstudio.store.claims import Claim

            self._claims[path] = claim = Claim(path)
            claim.make()

    def _file_changed(self, name: str) -> None:
        from ximstudio.store.files import Stamp

        path = Path(name)
        # A file that was replaced is another one, and is no longer looked after.
        self._watch()
        if not self.is_saving and self._homes.overtake(path, Stamp.of(path)):
            self._studio.desk.refused.emit((_overtaken(path),))
            self.changed.emit()

    def release(self) -> None:
        """Have no session open any more: the window closes."""
        for claim in self._claims.values():
            claim.release()
        self._claims.clear()

    def values(self, *, embed: bool | None = None) -> dict[str, Any]:
        """What the window keeps beside the session."""
        embed = self._homes.present.embed if embed is None else embed
        return {VIEWS: self._views(), EMBED: embed}

    # Before something is lost

    def unless_lost(
        self, asking: QWidget, then: Callable[[], None], *, no: str = "Cancel"
    ) -> Question | None:
        """Do it at once, or if that would lose something, after a question; training ends first.

        Saving takes its time. It is not done any more if the dialog that asks was closed
        meanwhile, or if something else was begun that asks the same.
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
                self._studio.stop()
                then()

        def once_saved() -> None:
            if closed or number != self._asked:
                return
            # The user may have gone on meanwhile.
            if self._homes.present.lacks(self._studio.session):
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
            # Saving would keep nothing more.
            return Question(
                asking, title="End what is under way?", text=self.lost, yes="End", no=no
            )
        asked = SaveQuestion(asking, title=self._title(), text=self.lost, no=no)
        asked.save_wanted.connect(lambda: self.save(once_saved))
        return asked

    def _title(self) -> str:
        if self.path is not None:
            return f"Save changes to {self.path.name}?"
        return f"Save your work on {self.name}?" if self.name else "Save your work?"

    @property
    def lost(self) -> str:
        """What would be gone, as a sentence or two; empty if that is nothing."""
        if not self.unsaved:
            return _unfinished(self._studio.under_way)
        session, home = self._studio.session, self._homes.present
        n_maps, n_sets = len(session.runs), len(session.sets)
        said = []
        if home.overtaken:
            said = ["The file was changed by another window or program, and lacks your work here."]
        elif home.saved is not None:
            said = ["What you did since it was saved would be gone."]
        elif n_maps:
            said = [f"{counted(n_maps, 'map is', 'maps are')} not saved anywhere."]
        elif n_sets:
            said = [f"{counted(n_sets, 'set is', 'sets are')} not saved anywhere."]
        if self._studio.phase is not Phase.IDLE:
            said.append("Training is under way, and ends; saving keeps its map as it stands.")
        return " ".join(filter(None, (*said, _unfinished(self._studio.under_way))))


def _unfinished(under_way: tuple[str, ...]) -> str:
    """What is still computed, and would end; '' if nothing is."""
    if not under_way:
        return ""
    *others, last = under_way
    named = f"{', '.join(others)} and {last}" if others else last
    verbs = ("are", "end") if others else ("is", "ends")
    return f"{named[:1].upper()}{named[1:]} {verbs[0]} under way, and {verbs[1]} unfinished."


def _overtaken(path: Path) -> Problem:
    return Problem(
        key="session.overtaken",
        what=f"{path.name} was changed by another window or program. Your work in this window is"
        " no longer in it.",
        where=str(path),
        way_out="Save your work under another name, or save it to replace the file.",
        severity=Severity.WARNING,
    )


def _size_words(data: Data) -> str:
    """How much the values of a table take, at the most: "12 MB"."""
    tables = {id(table.stored): table.stored.nbytes for table in (data.labelled.table, data.table)}
    size = float(sum(tables.values()))
    for unit in ("kB", "MB"):
        size /= 1000
        if size < 1000:
            return f"up to {max(size, 1):.0f} {unit}"
    return f"up to {size / 1000:.1f} GB"
