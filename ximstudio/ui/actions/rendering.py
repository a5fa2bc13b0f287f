"""Make the pictures that the views show, in the background."""

from __future__ import annotations

from types import MappingProxyType

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.session import Session
from ximstudio.session.shown import Pictures, RenderRequests, Shown, pictures_of
from ximstudio.session.training import LiveTraining
from ximstudio.ui.actions.trainer import Phase, Trainer
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.runtime.session_store import SessionStore


def shown_run(session: Session) -> Shown | None:
    """Return what views can show of the chosen run, whatever is trained; None without a run."""
    return None if session.run is None else Shown.of(session.run, session)


class Rendering(QObject):
    """Makes pictures for the views; a training makes those of its own map between its steps."""

    drawn = Signal(object)
    """The pictures that the views requested, by pane."""
    drawing_failed = Signal()
    """The pictures that the views requested could not be made."""

    def __init__(self, store: SessionStore, jobs: JobQueue, trainer: Trainer) -> None:
        super().__init__(store)
        self._store = store
        self._trainer = trainer
        self._requests: RenderRequests = MappingProxyType({})
        self._due: set[str] = set()
        """The panes whose pictures are not ready."""
        # Requests may come faster than pictures, as while a slider is dragged.
        self._slot = JobSlot(jobs, self, delivers_replaced=True)
        self._sets = store.session.sets
        trainer.trained.connect(self._show_live)
        store.changed.connect(self._follow_sets)

    @property
    def shown(self) -> Shown | None:
        """The map that the views show; None without one."""
        session, trainer = self._store.session, self._trainer
        live, training = trainer.live, trainer.training
        if trainer.phase is not Phase.IDLE and live is not None and training is not None:
            return training.shown(live.result, live.curves)
        return shown_run(session)

    def requests(self) -> RenderRequests:
        """Return the requests of the views; called from the lane, too."""
        return self._requests

    def render(self, requests: RenderRequests, only: str | None = None) -> None:
        """Take new requests of the views; with `only`, those of the other panes are unchanged."""
        self._requests = MappingProxyType(dict(requests))
        self.draw(only)

    def draw(self, only: str | None = None) -> None:
        """Make the requested pictures, unless a training makes them.

        With `only`, make the picture of this pane, and those that are not ready.
        """
        shown = self.shown
        due = set(self._requests) if only is None else self._due | {only}
        requests = {key: request for key, request in self._requests.items() if key in due}
        self._due = set()
        if shown is None:
            self.drawn.emit({})
            return
        trains = self._trainer.phase is Phase.RUNNING and not self._trainer.waits
        if trains or not requests:
            return
        self._due = set(requests)

        def work(_: Task[float, Pictures]) -> Pictures:
            return pictures_of(shown, requests)

        def done(pictures: Pictures) -> None:
            # The views may show another map by now, or none.
            now = self.shown
            self._due -= set(pictures)
            if now is not None and now.result is shown.result:
                self.drawn.emit(pictures)

        def failed() -> None:
            # The next request must not repeat what went wrong.
            self._due.clear()
            self.drawing_failed.emit()

        self._slot.start(Job(label="Drawing", work=work, done=done, failed=failed, quiet=True))

    def _follow_sets(self) -> None:
        """Draw again if the sets changed: views list them and colour by them."""
        sets = self._store.session.sets
        if sets is not self._sets:
            self._sets = sets
            self.draw()

    def _show_live(self, live: LiveTraining) -> None:
        if live.pictures:
            self.drawn.emit(live.pictures)
        else:
            # A training that continues from an earlier map has drawn nothing yet.
            self.draw()
