"""Project new items of other files onto the shown map, in the background."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.load.samples import called
from ximstudio.model.words import plural
from ximstudio.session import Run
from ximstudio.session.projection import ProjectedFile
from ximstudio.ui.actions.inspector import Inspector
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.session_store import SessionStore


class Projection(QObject):
    """Actions on projected items; each is a step that can be undone."""

    arrived = Signal(object)
    """New items were projected onto the shown map: a ProjectedFile."""

    def __init__(
        self, store: SessionStore, jobs: JobQueue, inspector: Inspector, draw: Callable[[], None]
    ) -> None:
        super().__init__(store)
        self._store = store
        self._jobs = jobs
        self._inspector = inspector
        self._draw = draw

    @property
    def run(self) -> Run | None:
        """The shown run."""
        return self._store.session.run

    @property
    def projected(self) -> tuple[ProjectedFile, ...]:
        """The items projected onto the shown run, by file."""
        return () if self.run is None else self.run.brought

    def place(self, path: Path) -> None:
        """Project the items of a file onto the shown map."""
        run = self.run
        if run is None:
            return
        name = called(path.name)

        def work(task: Task[float, ProjectedFile]) -> ProjectedFile:
            from ximstudio.session.projection import project_file

            return project_file(run, path, task.report)

        def done(brought: ProjectedFile) -> None:
            session, n = self._store.session, len(brought)
            present = session.present(run)
            before = () if present is None else present.brought
            what = f"Place {n} {plural(n, self._inspector.words.item)} of {name}"
            kept = self._keep(run, (*before, brought), what)
            # The views may show another map by now.
            if kept and self.run is not None and self.run.result is run.result:
                self.arrived.emit(brought)

        self._jobs.start(Job(label=f"Placing {name}", work=work, done=done))

    def remove(self, brought: ProjectedFile) -> None:
        """Remove the projected items of a file from the map."""
        run = self.run
        if run is not None:
            left = tuple(each for each in run.brought if each is not brought)
            self._keep(run, left, f"Remove {brought.name} from the map")

    def _keep(self, run: Run, brought: tuple[ProjectedFile, ...], what: str) -> bool:
        session = self._store.session
        present = session.present(run)
        if present is None:
            return False
        self._store.commit(session.with_changed(replace(present, brought=brought)), what)
        self._draw()
        return True
