"""Opening a session that was saved: all of it comes back, and nothing is trained again."""

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
from ximstudio.ui.desk import Job
from ximstudio.ui.homes import Home
from ximstudio.ui.keeping import EMBED, VIEWS, Keeping
from ximstudio.ui.missing_question import MissingQuestion
from ximstudio.ui.save_question import SaveQuestion
from ximstudio.ui.settings import Settings
from ximstudio.ui.studio import Studio

if TYPE_CHECKING:
    from ximstudio.store.files import Stored
    from ximstudio.store.references import Missing

SUFFIX = ".xims"


class Reopening(QObject):
    """Reads sessions for a window; the present one stays until another is there as a whole.

    `build` makes the page ready for plain values of the views, and `restore` sets them by these;
    both take some turns of the event loop, and then go on with what they are given.
    """

    def __init__(
        self,
        window: QWidget,
        studio: Studio,
        settings: Settings,
        keeping: Keeping,
        *,
        build: Callable[[object, Callable[[], None]], None],
        restore: Callable[[object, Callable[[], None]], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._studio = studio
        self._settings = settings
        self._keeping = keeping
        self._build = build
        self._restore = restore
        self.question: MissingQuestion | None = None

    def open(self, path: Path) -> None:
        """Read a session, and go on with it."""
        path = path.absolute()

        def work(task: Task[float, tuple[Stored, bool]]) -> tuple[Stored, bool]:
            # Late, and in the lane: it brings all that a session may hold.
            from ximstudio.store.claims import holders
            from ximstudio.store.files import read_session

            return read_session(path, task.report), bool(holders(path))

        def done(found: tuple[Stored, bool]) -> None:
            stored, is_open_elsewhere = found
            if is_open_elsewhere:
                self._ask_open(stored)
            else:
                self._look(stored, home_of(stored))

        self._settings.change(folder=str(path.parent))
        self._studio.desk.start(
            Job(doing=f"Opening {path.name}", work=work, done=done, filing=True)
        )

    def _ask_open(self, stored: Stored) -> None:
        """Ask whether to open a session that another window has open, too."""
        question = SaveQuestion(
            self._window,
            title=f"{stored.path.name} is open in another window",
            text="If both windows save it, each is asked before it replaces what the other saved."
            " A copy has no file yet, and disturbs nobody.",
            yes="Open anyway",
            save="Open a copy",
        )
        home = home_of(stored)
        question.accepted.connect(lambda: self._look(stored, home))
        question.save_wanted.connect(lambda: self._look(stored, Home(embed=home.embed)))
        question.open()

    def _look(self, stored: Stored, home: Home) -> None:
        """Take what was read, or ask for what is missing."""
        if stored.missing:
            self._ask(stored, home, {})
        else:
            self.offer(stored.session, stored.views, home)

    # Files that are not where they were

    def _ask(
        self,
        stored: Stored,
        home: Home,
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
            without="Open without it",
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
        self, stored: Stored, home: Home, before: Mapping[str, Path], told: Mapping[str, Path]
    ) -> None:
        """Read the table where a person says it is; another file is refused, and asked for."""
        moved = {**before, **told}

        def work(task: Task[float, Stored | UserError]) -> Stored | UserError:
            from ximstudio.store.files import find_moved

            try:
                return find_moved(stored, moved, task.report)
            except UserError as error:
                return error

        def done(found: Stored | UserError) -> None:
            if isinstance(found, UserError):
                self._ask(stored, home, before, found)
            elif found.missing:
                self._ask(found, home, moved)
            else:
                # Not saved as it is: the file would lead to the old place, and to this question.
                at = replace(home, lacking=False)
                self.offer(found.session, found.views, at)

        name = next(iter(told.values())).name
        self._studio.desk.start(Job(doing=f"Looking at {name}", work=work, done=done, filing=True))

    # In place of the present session

    def offer(
        self,
        session: Session,
        views: Mapping[str, Any],
        home: Home,
        *,
        what: str = "",
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """Go on with a session, maybe after a question about the present one; `what` was done."""
        name = home.path.name if home.path is not None else "session"

        def take(_: None) -> None:
            self._studio.take_session(session, what or f"Open {name}")
            self._keeping.settle(session, home)
            # In turns: each takes as long as may go before something is seen to happen.
            self._restore(views.get(VIEWS), then)

        def take_in_turn() -> None:
            # What is computed meanwhile is about the present session, and ends first.
            self._studio.desk.stop()
            job = Job(doing="Opening", work=lambda _: None, done=take)
            self._studio.desk.start(job, first=True)

        def ask() -> None:
            # Last: a person may have done something while the page was built.
            self._keeping.unless_lost(self._window, take_in_turn)

        self._build(views.get(VIEWS), ask)


def home_of(stored: Stored) -> Home:
    """Where a session that was read is at home."""
    embed = stored.views.get(EMBED) is not False
    return Home(
        path=stored.path,
        embed=embed,
        saved=stored.session,
        stamp=stored.stamp,
        lacking=stored.session.data is None,
    )


def _words(missing: Missing, name: str) -> tuple[str, str]:
    """Title and text of the question about a file."""
    if missing.changed:
        return (
            f"{name} is not what it was",
            "The session reads its table from this file, and something in it has changed since."
            " Where is the file as it was? Without it you have the maps, but not the table to"
            " prepare and train anew.",
        )
    return (
        f"Where is {name} now?",
        "The session reads its table from this file, which is not where it was. Without it you"
        " have the maps, but not the table to prepare and train anew.",
    )
