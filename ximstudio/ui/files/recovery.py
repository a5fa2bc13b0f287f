"""Finds what was not saved when the program ended, and brings it back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.load.samples import called
from ximstudio.session import Session
from ximstudio.ui.autosaving import Autosaving
from ximstudio.ui.desk import Job
from ximstudio.ui.homes import Home
from ximstudio.ui.keeping import EMBED
from ximstudio.ui.reopening import Reopening
from ximstudio.ui.studio import Studio

if TYPE_CHECKING:
    from ximstudio.store.autosave import Left
    from ximstudio.store.files import Stored


class Recovering(QObject):
    """Looks once, after the start; without a `folder` there is nothing to find."""

    found = Signal(object)
    """What can be recovered now: a tuple of Left."""

    def __init__(
        self,
        window: QObject,
        studio: Studio,
        reopening: Reopening,
        autosaving: Autosaving,
        *,
        folder: Path | None,
    ) -> None:
        super().__init__(window)
        self._studio = studio
        self._reopening = reopening
        self._autosaving = autosaving
        self._folder = folder
        self._left: tuple[Left, ...] = ()

    def look(self) -> None:
        """Find what programs left that were ended; those that still run are not among them."""
        folder = self._folder
        if folder is None or not folder.is_dir():
            return

        def work(_: Task[float, tuple[Left, ...]]) -> tuple[Left, ...]:
            from ximstudio.store.autosave import recoverable

            return recoverable(folder)

        self._studio.desk.start(
            Job(doing="Looking", work=work, done=self._show, quiet=True, filing=True)
        )

    def recover(self, left: Left) -> None:
        """Go on with what was left, in place of the present session."""
        name = called(left.name) or "a session"

        def work(task: Task[float, Stored]) -> Stored:
            from ximstudio.store.autosave import recover

            return recover(left, task.report)

        def done(stored: Stored) -> None:
            # Not saved as it is, wherever it was saved before.
            home = Home(
                path=left.saved_as,
                embed=stored.views.get(EMBED) is not False,
                saved=Session(),
                stamp=left.stamp,
                lacking=stored.session.data is None,
            )
            self._reopening.offer(
                stored.session, stored.views, home, what=f"Recover {name}", then=taken
            )

        def taken() -> None:
            self._without(left)
            self._autosaving.take_place_of(left)

        self._studio.desk.start(Job(doing=f"Recovering {name}", work=work, done=done, filing=True))

    def discard(self, left: Left) -> None:
        """Remove what was left, for ever."""

        def work(_: Task[float, None]) -> None:
            from ximstudio.store.autosave import discard

            discard(left)

        self._without(left)
        self._studio.desk.start(Job(doing="Discarding", work=work, quiet=True, filing=True))

    def _show(self, left: tuple[Left, ...]) -> None:
        self._left = left
        self.found.emit(left)

    def _without(self, left: Left) -> None:
        self._show(tuple(each for each in self._left if each is not left))
