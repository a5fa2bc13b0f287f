"""Find and recover work that was not saved when the program ended."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.load.samples import called
from ximstudio.session import Session
from ximstudio.store.save_locations import SaveLocation
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.files.autosave import Autosaver
from ximstudio.ui.files.reopening import SessionOpener
from ximstudio.ui.files.saving import EMBED
from ximstudio.ui.runtime.job_queue import Job

if TYPE_CHECKING:
    from ximstudio.store.autosave import RecoverableSession
    from ximstudio.store.files import StoredSession


class Recovery(QObject):
    """Looks for unsaved work once after the start; without a `folder` there is none."""

    found = Signal(object)
    """Sessions that can be recovered: a tuple of Left."""

    def __init__(
        self,
        window: QObject,
        actions: Actions,
        reopening: SessionOpener,
        autosaving: Autosaver,
        *,
        folder: Path | None,
    ) -> None:
        super().__init__(window)
        self._actions = actions
        self._reopening = reopening
        self._autosaving = autosaving
        self._folder = folder
        self._left: tuple[RecoverableSession, ...] = ()

    def look(self) -> None:
        """Find the work of ended processes, not of running ones."""
        folder = self._folder
        if folder is None or not folder.is_dir():
            return

        def work(_: Task[float, tuple[RecoverableSession, ...]]) -> tuple[RecoverableSession, ...]:
            from ximstudio.store.autosave import recoverable

            return recoverable(folder)

        self._actions.jobs.start(
            Job(label="Looking for unsaved work", work=work, done=self._show, quiet=True, file=True)
        )

    def recover(self, left: RecoverableSession) -> None:
        """Replace the current session with recovered work."""
        name = called(left.name) or "a session"

        def work(task: Task[float, StoredSession]) -> StoredSession:
            from ximstudio.store.autosave import recover

            return recover(left, task.report)

        def done(stored: StoredSession) -> None:
            # Marked as unsaved, even if an earlier state was saved.
            home = SaveLocation(
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

        self._actions.jobs.start(Job(label=f"Recovering {name}", work=work, done=done, file=True))

    def discard(self, left: RecoverableSession) -> None:
        """Delete recovered work permanently."""

        def work(_: Task[float, None]) -> None:
            from ximstudio.store.autosave import discard

            discard(left)

        self._without(left)
        self._actions.jobs.start(Job(label="Discarding", work=work, quiet=True, file=True))

    def _show(self, left: tuple[RecoverableSession, ...]) -> None:
        self._left = left
        self.found.emit(left)

    def _without(self, left: RecoverableSession) -> None:
        self._show(tuple(each for each in self._left if each is not left))
