"""Autosave the session of a window, so that a crash or a power cut loses only seconds of work."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from ximstudio.jobs import Task
from ximstudio.model.problem import Problem
from ximstudio.session import Session
from ximstudio.session.training import LiveTraining
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.files.saving import Saving
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.job_slot import JobSlot

if TYPE_CHECKING:
    from ximstudio.store.autosave import Autosave, RecoverableSession

LOOK_MILLISECONDS = 2000
"""Milliseconds between two checks for changes."""
EVERY = 15.0
"""Minimum number of seconds between two autosaves: at most 30 seconds of work can be lost."""


class Autosaver(QObject):
    """Writes unsaved work in the background at intervals, and removes it on a clean exit.

    Without a `folder` nothing is written.
    """

    def __init__(
        self, window: QObject, actions: Actions, keeping: Saving, *, folder: Path | None
    ) -> None:
        super().__init__(window)
        self._actions = actions
        self._keeping = keeping
        self._folder = folder
        self._autosave: Autosave | None = None
        self._writing = JobSlot(actions.jobs, self)
        self._written = False
        """True if an autosave file exists that is not withdrawn yet."""
        self._failed = False
        self._kept: tuple[Session, LiveTraining | None] | None = None
        """The session and the training state that were written last."""
        self._instead: list[RecoverableSession] = []
        """Recovered work, which stays on disk until the session is autosaved."""
        self._stays = False
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MILLISECONDS)
        self._timer.timeout.connect(self.look)
        keeping.saved.connect(self._settle)
        if folder is not None:
            self._timer.start()

    def look(self) -> None:
        """Autosave the session if it has changed and the interval has passed."""
        if self._folder is None or self._writing.busy:
            return
        if not self._keeping.differs:
            if self._written:
                # Undo led back to the saved state: nothing is unsaved.
                self._settle(self._actions.session)
            return
        now = self._actions.session, self._actions.live
        if self._kept is not None and all(map(is_, now, self._kept)):
            return
        session = self._actions.trainer.kept_if_ended
        if self._autosave is None or self._autosave.due(session):
            self._kept = now
            self._write(session)

    def take_place_of(self, left: RecoverableSession) -> None:
        """Remove the recovered files as soon as the session is autosaved again."""
        self._instead.append(left)
        self.look()

    def stay(self) -> None:
        """Keep the autosaved work for the next start, because the user cannot be asked."""
        self._stays = self._keeping.unsaved

    def end(self) -> None:
        """Remove the autosaved work; the window closes normally."""
        self._timer.stop()
        if self._stays:
            return
        if self._autosave is not None:
            self._autosave.close()
        self._discard()

    def _write(self, session: Session) -> None:
        values, path, stamp = self._keeping.values(), self._keeping.path, self._keeping.stamp

        def work(task: Task[float, None]) -> None:
            self._ready().write(
                session, views=values, saved_as=path, stamp=stamp, report=lambda _: task.check()
            )
            self._discard()

        self._start(work, written=True)

    def _settle(self, session: Session) -> None:
        """Remove the autosaved copy of a saved session; later changes are autosaved again."""
        self._kept = None

        def work(_: Task[float, None]) -> None:
            self._ready().settle(session)
            self._discard()

        if self._folder is not None and (self._written or self._instead):
            self._start(work, written=False)

    def _start(self, work: Callable[[Task[float, None]], None], *, written: bool) -> None:
        def done(_: None) -> None:
            self._failed, self._written = False, written

        def refused(problems: tuple[Problem, ...]) -> None:
            self._kept = None
            if not self._failed:
                # Shown once: writing is tried again, and the disk may still be full.
                self._failed = True
                self._actions.jobs.refused.emit(problems)

        label = "Autosaving"
        self._writing.start(
            Job(label=label, work=work, done=done, refused=refused, quiet=True, file=True)
        )

    def _ready(self) -> Autosave:
        if self._autosave is None:
            # Imported late, in the background: it imports everything that a session may contain.
            from ximstudio.store.autosave import Autosave

            self._autosave = Autosave(self._folder, every=EVERY)
        return self._autosave

    def _discard(self) -> None:
        instead, self._instead = self._instead, []
        if instead:
            from ximstudio.store.autosave import discard

            for left in instead:
                discard(left)
