"""Open saved sessions without training anything again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from ximstudio.jobs import Task
from ximstudio.load.samples import called
from ximstudio.model.problem import UserError
from ximstudio.session import Session
from ximstudio.store.save_locations import SaveLocation, holders
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.files.questions import MissingQuestion, SaveQuestion
from ximstudio.ui.files.saving import EMBED, VIEWS, Saving
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.settings import Settings

if TYPE_CHECKING:
    from ximstudio.store.files import StoredSession
    from ximstudio.store.references import Missing


class SessionOpener(QObject):
    """Opens sessions in a window; the current one stays until the new one is complete.

    `build` prepares the workspace for the stored state of the views, and `restore` applies it; both
    run in event-loop slices and then call back.
    """

    def __init__(
        self,
        window: QWidget,
        actions: Actions,
        settings: Settings,
        keeping: Saving,
        *,
        build: Callable[[object, Callable[[], None]], None],
        restore: Callable[[object, Callable[[], None]], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._actions = actions
        self._settings = settings
        self._keeping = keeping
        self._build = build
        self._restore = restore
        self.question: MissingQuestion | None = None

    def open(self, path: Path) -> None:
        """Read and open a session."""
        path = path.absolute()

        def work(task: Task[float, tuple[StoredSession, bool]]) -> tuple[StoredSession, bool]:
            # Imported late, in the background: it imports everything that a session may contain.
            from ximstudio.store.files import read_session

            return read_session(path, task.report), bool(holders(path))

        def done(found: tuple[StoredSession, bool]) -> None:
            stored, is_open_elsewhere = found
            if is_open_elsewhere:
                self._ask_open(stored)
            else:
                self._look(stored, home_of(stored))

        self._settings.change(folder=str(path.parent))
        self._actions.jobs.start(Job(label=f"Opening {path.name}", work=work, done=done, file=True))

    def _ask_open(self, stored: StoredSession) -> None:
        """Ask whether to open a session that is open in another window."""
        question = SaveQuestion(
            self._window,
            title=f"{stored.path.name} is open in another window",
            text="If both windows save it, you are asked before one replaces the other's changes. "
            "A copy starts as an unsaved session and avoids this.",
            yes="Open anyway",
            save="Open a copy",
        )
        home = home_of(stored)
        question.accepted.connect(lambda: self._look(stored, home))
        question.save_wanted.connect(lambda: self._look(stored, SaveLocation(embed=home.embed)))
        question.open()

    def _look(self, stored: StoredSession, home: SaveLocation) -> None:
        """Continue with the session, or ask for a missing table."""
        if stored.missing:
            self._ask(stored, home, {})
        else:
            self.offer(stored.session, stored.views, home)

    # Missing files

    def _ask(
        self,
        stored: StoredSession,
        home: SaveLocation,
        moved: Mapping[str, Path],
        wrong: UserError | None = None,
    ) -> None:
        missing = next(each for each in stored.missing if each.file.name not in moved)
        name = called(missing.file.name)
        title, text = _words(missing, name)
        first = None if wrong is None else wrong.problems[0]
        self.question = MissingQuestion(
            self._window,
            title=title,
            text=text,
            place=missing.file.name,
            without="Open without the table",
            wrong=None if first is None else (first.what, first.way_out),
        )
        self.question.found.connect(
            lambda path: self._find(stored, home, moved, {missing.file.name: path})
        )
        self.question.left_out.connect(lambda: self.offer(stored.session, stored.views, home))
        self.question.finished.connect(self._answered)
        self.question.open()

    def _answered(self) -> None:
        self.question = None

    def _find(
        self,
        stored: StoredSession,
        home: SaveLocation,
        before: Mapping[str, Path],
        chosen: Mapping[str, Path],
    ) -> None:
        """Read the table from the file that the user chose; ask again if it is a different one."""
        moved = {**before, **chosen}

        def work(task: Task[float, StoredSession | UserError]) -> StoredSession | UserError:
            from ximstudio.store.files import find_moved

            try:
                return find_moved(stored, moved, task.report)
            except UserError as error:
                return error

        def done(found: StoredSession | UserError) -> None:
            if isinstance(found, UserError):
                self._ask(stored, home, before, found)
            elif found.missing:
                self._ask(found, home, moved)
            else:
                # Marked as unsaved: the file refers to the old location.
                at = replace(home, lacking=False)
                self.offer(found.session, found.views, at)

        name = next(iter(chosen.values())).name
        self._actions.jobs.start(Job(label=f"Looking at {name}", work=work, done=done, file=True))

    # Replacing the current session

    def offer(
        self,
        session: Session,
        views: Mapping[str, Any],
        home: SaveLocation,
        *,
        what: str = "",
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """Replace the current session, after a question about unsaved work; `what` is the undo
        text.
        """
        name = home.path.name if home.path is not None else "session"

        def take() -> None:
            self._actions.use_session(session, what or f"Open {name}")
            self._keeping.settle(session, home)
            # In slices: each takes as long as the window may be blocked.
            self._restore(views.get(VIEWS), then)

        def interrupt() -> None:
            # What is computed meanwhile is about the present session.
            self._actions.jobs.interrupt("Opening", take)

        def ask() -> None:
            # Last: the user may have done something while the page was built.
            self._keeping.unless_lost(self._window, interrupt)

        self._build(views.get(VIEWS), ask)


def home_of(stored: StoredSession) -> SaveLocation:
    """Return the save location of a session."""
    embed = stored.views.get(EMBED) is not False
    return SaveLocation(
        path=stored.path,
        embed=embed,
        saved=stored.session,
        stamp=stored.stamp,
        lacking=stored.session.data is None,
    )


def _words(missing: Missing, name: str) -> tuple[str, str]:
    """Return title and text of the question about a file."""
    if missing.changed:
        return (
            f"{name} has changed",
            "The session reads its table from this file, and the file has changed since. "
            "Where is the original file? Without it you can explore the maps, but you cannot "
            "prepare the table or train new maps.",
        )
    return (
        f"Where is {name} now?",
        "The session reads its table from this file, which has been moved or deleted. "
        "Without it you can explore the maps, but you cannot prepare the table or train new "
        "maps.",
    )
