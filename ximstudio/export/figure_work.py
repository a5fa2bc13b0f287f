"""The user's work that a figure shows besides maps, as plain values in its record.

Clusters and sets are stored themselves, because nobody could find them again. Projected items, and
maps trained to judge others, are stored by how they were made, like the maps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from math import isfinite, isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from ximstudio.figures.metadata import damaged
from ximstudio.maps.clusters import NOISE, ClusteredUnit, Clustering, clustering_named
from ximstudio.measure.sweep import SweepAxis
from ximstudio.model.arrays import frozen
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
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
            {"run": number, "name": each.name, "fingerprint": each.items.matrix.fingerprint}
            for number, run in enumerate(runs)
            if work.projected
            for each in run.projected
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
        found = run.stability
        if found is not None and (
            work.stability or (work.wander and _repeated_of(shown, run) is None)
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


def read_work(values: Mapping[str, Any], path: Path, *, runs: Sequence[Params]) -> FigureWork:
    """Read the values in a figure's file; `runs` are the parameters of its maps.

    Raises UserError if they are invalid.
    """
    try:
        work = FigureWork(
            shown=_whole(values.get("shown", 0)),
            sets=tuple(_set(each) for each in values.get("sets", ())),
            clusters=tuple(_clusters(each) for each in values.get("clusters", ())),
            placed=tuple(
                Placed(**_read(each, run=_whole, name=_text, fingerprint=_text))
                for each in values.get("placed", ())
            ),
            again=tuple(
                MadeAgain(**_read(each, run=_whole, times=_times, share=_share))
                for each in values.get("again", ())
            ),
            repeated=_repeated(values["repeated"]) if "repeated" in values else None,
            seconds=tuple(
                nan if each is None else _number(each) for each in values.get("seconds", ())
            ),
            sweep=tuple(_axis(each, runs[0]) for each in values.get("sweep", ())),
        )
        if max(_numbers(work)) >= max(len(runs), 1) or len(work.seconds) not in (0, len(runs)):
            raise ValueError("runs")
    except UserError as error:
        raise damaged(path, error) from None
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError, OverflowError):
        raise damaged(path, "an entry is missing or of another kind") from None
    return work


def _numbers(work: FigureWork) -> Iterator[int]:
    """Yield all numbers of maps."""
    yield work.shown
    yield from (each.run for each in work.clusters)
    yield from (each.run for each in work.placed)
    yield from (each.run for each in work.again)
    yield from () if work.repeated is None else work.repeated.runs


def _set(values: Mapping[str, Any]) -> NamedSet:
    return NamedSet(
        name=_text(values["name"]),
        members=tuple(dict.fromkeys(_text(each) for each in values["members"])),
        side=SetSide(values["side"]),
        colour=_whole(values["colour"]),
    )


def _clusters(values: Mapping[str, Any]) -> Clusters:
    way, names = clustering_named(values["method"]), tuple(map(_text, values["names"]))
    numbers = values["lengths"]
    lengths = tuple(
        (_whole(cluster, low=NOISE), _whole(length, low=1))
        for cluster, length in zip(numbers[::2], numbers[1::2], strict=True)
    )
    if len(set(names)) < len(names) or any(cluster >= len(names) for cluster, _ in lengths):
        raise ValueError("names")
    return Clusters(
        run=_whole(values["run"]),
        method=way.key,
        params=way.params.from_values(values["parameters"]),
        seed=_whole(values["seed"]),
        names=names,
        lengths=lengths,
    )


def _repeated(values: Mapping[str, Any]) -> Repeated:
    runs = tuple(map(_whole, values["runs"]))
    return Repeated(runs=runs, **_read(values, times=_times, share=_share, seed=_whole))


def _axis(values: Mapping[str, Any], params: Params) -> SweepAxis:
    spec = params.specs()[values["name"]]
    return SweepAxis(values["name"], tuple(spec.normal(each) for each in values["values"]))


def _read(values: Mapping[str, Any], **readers: Callable[[Any], Any]) -> dict[str, Any]:
    return {name: reader(values[name]) for name, reader in readers.items()}


def _whole(value: Any, *, low: int = 0) -> int:
    if type(value) is not int or value < low:
        raise TypeError(value)
    return value


_times = partial(_whole, low=1)


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not isfinite(value):
        raise TypeError(value)
    return float(value)


def _share(value: Any) -> float:
    share = _number(value)
    if not 0.0 < share <= 1.0:
        raise ValueError(value)
    return share


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value
