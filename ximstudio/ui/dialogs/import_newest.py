"""Work in the lane of which only the newest matters: earlier ones are stopped or never begun."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from ximstudio.jobs import Task
from ximstudio.load import Report
from ximstudio.ui.desk import Desk, Job

DELAY_MILLISECONDS = 250
"""How long nothing must be changed before work begins."""


class Newest(QObject):
    """Asks the desk for one thing after another, each in place of the one before."""

    changed = Signal()
    """It begins, comes forward, or has ended: see `busy` and `fraction`."""

    def __init__(self, desk: Desk, doing: str, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._doing = doing
        self._job: Job | None = None
        self._next: tuple[Callable[[Report], Any], Callable[[Any], None]] | None = None
        self.fraction = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._begin)
        desk.began.connect(self._heard)
        desk.progressed.connect(self._progressed)

    @property
    def busy(self) -> bool:
        """Whether something was asked for and is not there yet."""
        return self._next is not None or self._job is not None

    def ask(
        self, work: Callable[[Report], Any], done: Callable[[Any], None], *, at_once: bool = False
    ) -> None:
        """Have this done; what was asked for before is not wanted any more."""
        self._drop()
        self._next = (work, done)
        self._timer.start(0 if at_once else DELAY_MILLISECONDS)
        self.changed.emit()

    def stop(self) -> None:
        """Want nothing any more."""
        self._timer.stop()
        self._next = None
        self._drop()
        self.changed.emit()

    def _drop(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            self._desk.drop(job)

    def _begin(self) -> None:
        if self._next is None:
            return
        (work, done), self._next = self._next, None
        self.fraction = 0.0

        def worked(task: Task[float, Any]) -> Any:
            return work(task.report)

        def finished(outcome: Any) -> None:
            if self._job is job:
                self._job = None
                done(outcome)
                self.changed.emit()

        def failed() -> None:
            if self._job is job:
                self._job = None
                self.changed.emit()

        job = Job(doing=self._doing, work=worked, done=finished, failed=failed, quiet=True)
        self._job = job
        self._desk.start(job)
        self.changed.emit()

    def _heard(self, _: Job) -> None:
        if self._job is not None:
            self.changed.emit()

    def _progressed(self, job: Job, fraction: float) -> None:
        if job is self._job:
            self.fraction = fraction
            self.changed.emit()
