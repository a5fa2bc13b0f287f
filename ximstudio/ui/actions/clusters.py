"""Clusters of maps as the window has them: found in the lane, kept on the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ximstudio.jobs import Task
from ximstudio.model.params import Params
from ximstudio.model.selection import Combine, Selection
from ximstudio.model.words import counted
from ximstudio.session import Run
from ximstudio.ui.choosing import Choosing
from ximstudio.ui.desk import Desk, Job

if TYPE_CHECKING:
    from ximstudio.maps.clusters import Clustering, Way

DOING = "Finding clusters"


class Clusters:
    """What a person can do with clusters of the shown map. Each is a step to be taken back."""

    def __init__(self, desk: Desk, choosing: Choosing, draw: Callable[[], None]) -> None:
        self._desk = desk
        self._choosing = choosing
        self._draw = draw

    @property
    def run(self) -> Run | None:
        """The map that is shown."""
        return self._desk.session.run

    @property
    def clustering(self) -> Clustering | None:
        """Its clusters; None while nobody has asked for them."""
        return None if self.run is None else self.run.clustering

    @property
    def busy(self) -> bool:
        """Whether clusters are being found."""
        return any(job.doing == DOING for job in (*self._desk.jobs, *self._desk.waiting))

    def find(self, way: Way, params: Params, *, seed: int = 0) -> None:
        """Find the clusters of the shown map, in place of those it has."""
        run = self.run
        if run is None:
            return

        def work(task: Task[float, Clustering]) -> Clustering:
            from ximstudio.maps.clusters import find_clusters

            task.check()
            return find_clusters(run.result, run.matrix, way=way, params=params, seed=seed)

        def done(found: Clustering) -> None:
            self._keep(run, found, f"Find {counted(len(found), 'cluster')} ({way.name})")

        self._desk.forget(lambda job: job.doing == DOING)
        self._desk.start(Job(doing=DOING, work=work, done=done))

    def rename(self, cluster: int, name: str) -> None:
        """Call a cluster by another name; a name that another one has is refused."""
        clustering = self.clustering
        if self.run is not None and clustering is not None:
            before = clustering.names[cluster]
            self._keep(self.run, clustering.renamed(cluster, name), f"Rename {before} to {name}")

    def remove(self) -> None:
        """Take the clusters off the map."""
        if self.run is not None and self.clustering is not None:
            self._keep(self.run, None, "Remove clusters")

    def select(self, cluster: int, how: Combine = Combine.REPLACE) -> None:
        """Choose the members of a cluster, or change with them what is chosen."""
        run, clustering = self.run, self.clustering
        if run is None or clustering is None:
            return
        from ximstudio.maps.clusters import items_of

        members = items_of(clustering, run.result.winners) == cluster
        self._choosing.select(Selection.where(members, run.matrix.item_ids), how)

    def keep_as_sets(self) -> None:
        """Keep the members of every cluster as a set."""
        run, clustering = self.run, self.clustering
        if run is None or clustering is None:
            return
        from ximstudio.maps.clusters import as_sets

        made = as_sets(clustering, run.matrix.item_ids, run.result.winners)
        note = f"Cluster of {run.name}"
        self._choosing.add_sets(tuple(replace(each, note=note) for each in made))

    def _keep(self, run: Run, clustering: Clustering | None, what: str) -> None:
        """Put clusters on a run, which may have another name by now, or be deleted."""
        session = self._desk.session
        present = session.present(run)
        if present is not None:
            changed = replace(present, clustering=clustering)
            self._desk.commit(session.with_changed(changed), what)
            self._draw()
