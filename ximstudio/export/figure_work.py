"""The user's work that a figure shows besides maps, as plain values in its record.

Clusters and sets are stored themselves, because nobody could find them again. Projected items, and
maps trained to judge others, are stored by how they were made, like the maps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan
from typing import Any

import numpy as np

from ximstudio.maps.clusters import ClusteredUnit, Clustering, clustering_named
from ximstudio.measure.sweep import SweepAxis
from ximstudio.model.arrays import frozen
from ximstudio.model.named_set import NamedSet
from ximstudio.model.params import Params
from ximstudio.model.result import PrototypeMap
from ximstudio.session.run import Run
from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import PictureNeeds
from ximstudio.views.compare.sweep_picture import SweepPicture


@dataclass(frozen=True, kw_only=True)
class Clusters:
    """The clusters of a map.

    Parameters
    ----------
    run
        Number of the map in the figure.
    method, params, seed
        How they were found, as in `Clustering`.
    names
        Their names.
    lengths
        Run lengths over nodes or items: (cluster, number in a row), ….
    """

    run: int
    method: str
    params: Params
    seed: int
    names: tuple[str, ...]
    lengths: tuple[tuple[int, int], ...]

    def on(self, run: Run) -> Clustering | None:
        """The clusters on this run's map; None if they do not fit it."""
        over, model = clustering_named(self.method).over, run.result.model
        n_nodes = model.grid.n_nodes if isinstance(model, PrototypeMap) else 0
        n_wanted = n_nodes if over is ClusteredUnit.NODES else run.matrix.n_items
        if sum(length for _, length in self.lengths) != n_wanted:
            return None
        pairs = np.array(self.lengths, dtype=np.int64).reshape(-1, 2)
        return Clustering(
            method=self.method,
            params=self.params,
            seed=self.seed,
            over=over,
            clusters=frozen(np.repeat(pairs[:, 0], pairs[:, 1])),
            names=self.names,
        )


@dataclass(frozen=True, kw_only=True)
class Placed:
    """Projected items: the number of the map, the file, and the fingerprint of its items."""

    run: int
    name: str
    fingerprint: str


@dataclass(frozen=True, kw_only=True)
class MadeAgain:
    """A retrained map: its number in the figure, number of repetitions, share of items."""

    run: int
    times: int
    share: float


@dataclass(frozen=True, kw_only=True)
class Repeated:
    """Maps that were repeated together, by their numbers in the figure."""

    runs: tuple[int, ...]
    times: int
    share: float
    seed: int


@dataclass(frozen=True, kw_only=True)
class FigureWork:
    """The contents of a figure besides its maps; all of it may be missing.

    Parameters
    ----------
    shown
        Number of the map on display.
    sets
        Sets used for colours, each with the number of its colour.
    clusters, placed, again, repeated
        What was computed for maps.
    seconds
        Duration of the training of every map; NaN if unknown.
    sweep
        The sweep; then only the first map needs a record.
    """

    shown: int = 0
    sets: tuple[NamedSet, ...] = ()
    clusters: tuple[Clusters, ...] = ()
    placed: tuple[Placed, ...] = ()
    again: tuple[MadeAgain, ...] = ()
    repeated: Repeated | None = None
    seconds: tuple[float, ...] = ()
    sweep: tuple[SweepAxis, ...] = ()


NOTHING_MORE = FigureWork()
"""Nothing but maps."""


def work_values(
    shown: Shown, plan: FigurePlan, runs: Sequence[Run], sweep: SweepPicture | None = None
) -> dict[str, Any]:
    """Describe what a figure of these runs shows of a session besides them."""
    work = plan.state.work(shown, table=plan.table)
    values = {
        "shown": next((n for n, run in enumerate(runs) if run is shown.run), 0),
        "sets": [_set_values(each) for each in work.sets],
        "clusters": [
            {"run": number, **_cluster_values(run.clustering)}
            for number, run in enumerate(runs)
            if work.clusters and run.clustering is not None
        ],
        "placed": [
            {"run": number, "name": each.name, "fingerprint": each.newcomers.matrix.fingerprint}
            for number, run in enumerate(runs)
            if work.brought
            for each in run.brought
        ],
        "again": list(_again_values(work, shown, runs)),
        "repeated": _repeated_values(work, shown, runs),
        # JSON has no NaN.
        "seconds": [None if isnan(run.seconds) else run.seconds for run in runs]
        if work.seconds
        else [],
        "sweep": [
            {"name": axis.name, "values": list(axis.values)}
            for axis in (() if sweep is None else sweep.axes)
        ],
    }
    return {name: value for name, value in values.items() if value}


def _set_values(one: NamedSet) -> dict[str, Any]:
    # Its note is for its owner, and no figure shows it.
    return {
        "name": one.name,
        "side": one.side.value,
        "colour": one.colour,
        "members": list(one.members),
    }


def _cluster_values(clustering: Clustering) -> dict[str, Any]:
    runs = groupby(clustering.clusters.tolist())
    return {
        "method": clustering.method,
        "parameters": clustering.params.as_values(),
        "seed": clustering.seed,
        "names": list(clustering.names),
        "lengths": [number for cluster, same in runs for number in (cluster, len(list(same)))],
    }


def _again_values(
    work: PictureNeeds, shown: Shown, runs: Sequence[Run]
) -> Iterator[dict[str, Any]]:
    """Yield retrained maps, unless their repetitions already describe them."""
    for number, run in enumerate(runs):
        found = run.steadiness
        if found is not None and (
            work.steadiness or (work.wander and _repeated_of(shown, run) is None)
        ):
            yield {"run": number, "times": found.runs, "share": found.share}


def _repeated_values(work: PictureNeeds, shown: Shown, runs: Sequence[Run]) -> dict[str, Any]:
    numbers = [n for n, run in enumerate(runs) if _repeated_of(shown, run) is not None]
    if shown.judged is None or not numbers or not (work.repeated or work.wander):
        return {}
    comparison = shown.judged.comparison
    return {
        "runs": numbers,
        "times": comparison.n_runs,
        "share": comparison.share,
        "seed": comparison.seed,
    }


def _repeated_of(shown: Shown, run: Run) -> int | None:
    return None if shown.judged is None else shown.judged.number_of(run)
