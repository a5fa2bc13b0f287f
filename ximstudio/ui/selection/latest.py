"""Quiet work in the lane of which only the newest matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ximstudio.jobs import Task
from ximstudio.ui.desk import Desk, Job


class Latest:
    """Asks the desk for one thing after another, each in place of the one before."""

    def __init__(self, desk: Desk, doing: str) -> None:
        self._desk = desk
        self._doing = doing
        self._job: Job | None = None

    @property
    def busy(self) -> bool:
        """Whether something was asked for and is not there yet."""
        return self._job is not None

    def ask(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Have this done; what was asked for before is not wanted any more."""
        self.drop()

        def checked(task: Task[float, Any]) -> Any:
            task.check()
            return work()

        def finished(outcome: Any) -> None:
            if self._job is job:
                self._job = None
                done(outcome)

        def over() -> None:
            if self._job is job:
                self._job = None

        self._job = job = Job(
            doing=self._doing, work=checked, done=finished, failed=over, quiet=True
        )
        self._desk.start(job)

    def drop(self) -> None:
        """Want nothing any more."""
        job, self._job = self._job, None
        if job is not None:
            self._desk.drop(job)
