"""Keeps a window's session by itself, so that a crash or a power cut loses seconds, not hours."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from ximstudio.jobs import Task
from ximstudio.model.problem import UserError
from ximstudio.session import Session
from ximstudio.session.training import Live
from ximstudio.ui.desk import Job
from ximstudio.ui.keeping import Keeping
from ximstudio.ui.studio import Studio

if TYPE_CHECKING:
    from ximstudio.store.autosave import Autosave, Left

LOOK_MILLISECONDS = 2000
"""Between two looks whether something has changed."""
EVERY = 15.0
"""Seconds between two writings, at least: with the looks and the writing well below 30."""


class Autosaving(QObject):
    """Has the lane write what is saved nowhere, time and again, and removes it on a clean exit.

    Without a `folder` nothing is kept.
    """

    def __init__(
        self, window: QObject, studio: Studio, keeping: Keeping, *, folder: Path | None
    ) -> None:
        super().__init__(window)
        self._studio = studio
        self._keeping = keeping
        self._folder = folder
        self._autosave: Autosave | None = None
        self._job: Job | None = None
        self._written = False
        """Whether something is kept that is not yet withdrawn."""
        self._failed = False
        self._kept: tuple[Session, Live | None] | None = None
        """What was written last: a session, and a training as it stood."""
        self._instead: list[Left] = []
        """What was recovered, and is kept nowhere else until the session is."""
        self._stays = False
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MILLISECONDS)
        self._timer.timeout.connect(self.look)
        keeping.saved.connect(self._settle)
        if folder is not None:
            self._timer.start()

    def look(self) -> None:
        """Keep the session if something of it is new, and it is time."""
        if self._folder is None or self._job is not None:
            return
        if not self._keeping.differs:
            if self._written:
                # A step back led to what is saved: nobody misses what came after.
                self._settle(self._studio.session)
            return
        now = self._studio.session, self._studio.live
        if self._kept is not None and all(map(is_, now, self._kept)):
            return
        session = self._studio.trainer.kept_if_ended
        if self._autosave is None or self._autosave.due(session):
            self._kept = now
            self._write(session)

    def take_place_of(self, left: Left) -> None:
        """The session was recovered: what was left goes as soon as this one is kept."""
        self._instead.append(left)
        self.look()

    def stay(self) -> None:
        """Leave what is kept for the next start: nobody can be asked whether it is wanted."""
        self._stays = self._keeping.unsaved

    def end(self) -> None:
        """Remove what is kept, now that the lanes have ended: the window closes as it should."""
        self._timer.stop()
        if self._stays:
            return
        if self._autosave is not None:
            self._autosave.close()
        if self._instead:
            from ximstudio.store.autosave import discard

            for left in self._instead:
                discard(left)

    def _write(self, session: Session) -> None:
        values, path, stamp = self._keeping.values(), self._keeping.path, self._keeping.stamp

        def work(task: Task[float, None]) -> None:
            self._ready().write(
                session,
                views=values,
                saved_as=path,
                stamp=stamp,
                report=lambda _: task.check(),
            )
            self._discard()

        self._start(work, written=True)

    def _settle(self, session: Session) -> None:
        """Keep nothing of a session that is saved by now; what was done since is kept anew."""
        self._kept = None

        def work(_: Task[float, None]) -> None:
            self._ready().settle(session)
            self._discard()

        if self._folder is not None and (self._written or self._instead):
            self._start(work, written=False)

    def _start(self, work: Callable[[Task[float, None]], None], *, written: bool) -> None:
        def guarded(task: Task[float, None]) -> UserError | None:
            try:
                work(task)
            except UserError as error:
                return error
            return None

        def done(error: UserError | None) -> None:
            over()
            if error is None:
                self._failed, self._written = False, written
                return
            self._kept = None
            if not self._failed:
                # Told once: a full disk is tried again, and is still full.
                self._failed = True
                self._studio.desk.refused.emit(error.problems)

        def over() -> None:
            if self._job is job:
                self._job = None

        job = Job(doing="Keeping", work=guarded, done=done, failed=over, quiet=True, filing=True)
        self._job = job
        self._studio.desk.start(job)

    def _ready(self) -> Autosave:
        if self._autosave is None:
            # Late, and in the lane: it brings all that a session may hold.
            from ximstudio.store.autosave import Autosave

            self._autosave = Autosave(self._folder, every=EVERY)
        return self._autosave

    def _discard(self) -> None:
        instead, self._instead = self._instead, []
        if instead:
            from ximstudio.store.autosave import discard

            for left in instead:
                discard(left)
