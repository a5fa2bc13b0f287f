"""What a figure shows of a person's work besides maps, as plain values in its record.

Clusters and sets are there themselves: nobody could find them again. Items that were placed later,
and maps that were made to judge others, are told by what they were made of, as the maps are.
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
from ximstudio.pictures.needs import PictureNeeds
from ximstudio.session.run import Run
from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.compare.sweep_picture import SweepPicture


@dataclass(frozen=True, kw_only=True)
class Clusters:
    """The clusters of a map.

    Parameters
    ----------
    run
        The number of the map in the figure.
    method, params, seed
        How they were found, as `Clustering` has it.
    names
        What they are called.
    lengths
        How many nodes or items after each other are of which cluster: (cluster, how many), ….
    """

    run: int
    method: str
    params: Params
    seed: int
    names: tuple[str, ...]
    lengths: tuple[tuple[int, int], ...]

    def on(self, run: Run) -> Clustering | None:
        """The clusters of this run's map; None if they are not of a map like it."""
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
    """Items of another table on a map: the number of the map, the file, and what it gave."""

    run: int
    name: str
    fingerprint: str


@dataclass(frozen=True, kw_only=True)
class MadeAgain:
    """A map that was made again so often, on this share of its items; its number in the figure."""

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
    """What a figure shows besides its maps; all of it may be missing.

    Parameters
    ----------
    shown
        The number of the map that was looked at.
    sets
        Those that colours tell of, each with the number of its colour.
    clusters, placed, again, repeated
        What was made of maps.
    seconds
        How long the training of every map took; NaN where nobody took the time.
    sweep
        What was swept; then only the first map has to be there.
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
"""Maps are all that is seen."""


def work_values(
    shown: Shown, plan: FigurePlan, runs: Sequence[Run], sweep: SweepPicture | None = None
) -> dict[str, Any]:
    """What a figure of these runs shows of a session besides them; only what it does show."""
    work = plan.state.work(shown, table=plan.table)
    told = {
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
        # Not a number is none in JSON.
        "seconds": [None if isnan(run.seconds) else run.seconds for run in runs]
        if work.seconds
        else [],
        "sweep": [
            {"name": axis.name, "values": list(axis.values)}
            for axis in (() if sweep is None else sweep.axes)
        ],
    }
    return {name: value for name, value in told.items() if value}


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
    """Maps that were made again, unless their repetitions tell what is seen of it."""
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
