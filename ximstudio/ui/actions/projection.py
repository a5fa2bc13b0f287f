"""Items of other files on the shown map: read and placed in the lane, kept on the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.load.samples import called
from ximstudio.model.words import plural
from ximstudio.session import Run
from ximstudio.session.brought import Brought
from ximstudio.ui.desk import Desk, Job
from ximstudio.ui.inspecting import Inspecting


class Bringing(QObject):
    """What a person can do with new items. Each is a step that can be taken back."""

    arrived = Signal(object)
    """New items were placed on the shown map: a Brought."""

    def __init__(self, desk: Desk, inspecting: Inspecting, draw: Callable[[], None]) -> None:
        super().__init__(desk)
        self._desk = desk
        self._inspecting = inspecting
        self._draw = draw

    @property
    def run(self) -> Run | None:
        """The map that is shown."""
        return self._desk.session.run

    @property
    def brought(self) -> tuple[Brought, ...]:
        """What was placed on it, file by file."""
        return () if self.run is None else self.run.brought

    def place(self, path: Path) -> None:
        """Place the items of a file on the shown map."""
        run = self.run
        if run is None:
            return
        name = called(path.name)

        def work(task: Task[float, Brought]) -> Brought:
            from ximstudio.session.bringing import bring

            return bring(run, path, task.report)

        def done(brought: Brought) -> None:
            session, n = self._desk.session, len(brought)
            present = session.present(run)
            before = () if present is None else present.brought
            what = f"Place {n} {plural(n, self._inspecting.words.item)} of {name}"
            kept = self._keep(run, (*before, brought), what)
            # Another map may be shown by now.
            if kept and self.run is not None and self.run.result is run.result:
                self.arrived.emit(brought)

        self._desk.start(Job(doing=f"Placing {name}", work=work, done=done))

    def remove(self, brought: Brought) -> None:
        """Take the items of a file off the map."""
        run = self.run
        if run is not None:
            left = tuple(each for each in run.brought if each is not brought)
            self._keep(run, left, f"Remove {brought.name} from the map")

    def _keep(self, run: Run, brought: tuple[Brought, ...], what: str) -> bool:
        session = self._desk.session
        present = session.present(run)
        if present is None:
            return False
        self._desk.commit(session.with_changed(replace(present, brought=brought)), what)
        self._draw()
        return True
