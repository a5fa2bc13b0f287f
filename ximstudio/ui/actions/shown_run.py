"""Actions on the shown run: find its clusters, and project items of other files onto it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.load.samples import called
from ximstudio.model.params import Params
from ximstudio.model.selection import Combine, Selection
from ximstudio.model.words import counted, plural
from ximstudio.session import Run
from ximstudio.session.projection import ProjectedFile
from ximstudio.ui.actions.inspector import Inspector
from ximstudio.ui.actions.selection import Selecting
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.runtime.session_store import SessionStore

if TYPE_CHECKING:
    from ximstudio.maps.clusters import Clustering, ClusterMethod


class ClusterActions:
    """Actions on the clusters of the shown map; each is a step that can be undone."""

    def __init__(
        self, store: SessionStore, jobs: JobQueue, selecting: Selecting, draw: Callable[[], None]
    ) -> None:
        self._store = store
        self._slot = JobSlot(jobs, store)
        self._selecting = selecting
        self._draw = draw

    @property
    def run(self) -> Run | None:
        """The shown run."""
        return self._store.session.run

    @property
    def clustering(self) -> Clustering | None:
        """The clusters of the shown run; None before `find`."""
        return None if self.run is None else self.run.clustering

    @property
    def busy(self) -> bool:
        """True if a clustering runs or waits."""
        return self._slot.busy

    def find(self, way: ClusterMethod, params: Params, *, seed: int = 0) -> None:
        """Cluster the shown map; the result replaces its clusters."""
        run = self.run
        if run is None:
            return

        def work(_: Task[float, Clustering]) -> Clustering:
            from ximstudio.maps.clusters import find_clusters

            return find_clusters(run.result, run.matrix, way=way, params=params, seed=seed)

        def done(found: Clustering) -> None:
            self._keep(run, found, f"Find {counted(len(found), 'cluster')} ({way.name})")

        self._slot.start(Job(label="Finding clusters", work=work, done=done))

    def rename(self, cluster: int, name: str) -> None:
        """Rename a cluster; a name that another cluster has is refused."""
        clustering = self.clustering
        if self.run is not None and clustering is not None:
            before = clustering.names[cluster]
            self._keep(self.run, clustering.renamed(cluster, name), f"Rename {before} to {name}")

    def remove(self) -> None:
        """Remove the clusters from the map."""
        if self.run is not None and self.clustering is not None:
            self._keep(self.run, None, "Remove clusters")

    def select(self, cluster: int, how: Combine = Combine.REPLACE) -> None:
        """Select the members of a cluster, or combine them with the selection."""
        run, clustering = self.run, self.clustering
        if run is None or clustering is None:
            return
        from ximstudio.maps.clusters import items_of

        members = items_of(clustering, run.result.winners) == cluster
        self._selecting.select(Selection.where(members, run.matrix.item_ids), how)

    def keep_as_sets(self) -> None:
        """Save the members of every cluster as a set."""
        run, clustering = self.run, self.clustering
        if run is None or clustering is None:
            return
        from ximstudio.maps.clusters import as_sets

        made = as_sets(clustering, run.matrix.item_ids, run.result.winners)
        note = f"Cluster of {run.name}"
        self._selecting.add_sets(tuple(replace(each, note=note) for each in made))

    def _keep(self, run: Run, clustering: Clustering | None, what: str) -> None:
        if self._store.change_run(run, what, clustering=clustering):
            self._draw()


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
        return () if self.run is None else self.run.projected

    def place(self, path: Path) -> None:
        """Project the items of a file onto the shown map."""
        run = self.run
        if run is None:
            return
        name = called(path.name)

        def work(task: Task[float, ProjectedFile]) -> ProjectedFile:
            from ximstudio.session.projection import project_file

            return project_file(run, path, task.report)

        def done(projected: ProjectedFile) -> None:
            n, present = len(projected), self._store.session.present(run)
            before = () if present is None else present.projected
            what = f"Place {n} {plural(n, self._inspector.words.item)} of {name}"
            kept = self._keep(run, (*before, projected), what)
            # The views may show another map by now.
            if kept and self.run is not None and self.run.result is run.result:
                self.arrived.emit(projected)

        self._jobs.start(Job(label=f"Placing {name}", work=work, done=done))

    def remove(self, projected: ProjectedFile) -> None:
        """Remove the projected items of a file from the map."""
        run = self.run
        if run is not None:
            left = tuple(each for each in run.projected if each is not projected)
            self._keep(run, left, f"Remove {projected.name} from the map")

    def _keep(self, run: Run, projected: tuple[ProjectedFile, ...], what: str) -> bool:
        kept = self._store.change_run(run, what, projected=projected)
        if kept:
            self._draw()
        return kept
