"""Read the user's work from a figure's record; refuse anything invalid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, nan
from pathlib import Path
from typing import Any

from ximstudio.export.figure_work import Clusters, FigureWork, MadeAgain, Placed, Repeated
from ximstudio.figures.metadata import damaged
from ximstudio.maps.clusters import NOISE, clustering_named
from ximstudio.measure.sweep import SweepAxis
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError


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
                Placed(
                    run=_whole(each["run"]),
                    name=_text(each["name"]),
                    fingerprint=_text(each["fingerprint"]),
                )
                for each in values.get("placed", ())
            ),
            again=tuple(
                MadeAgain(
                    run=_whole(each["run"]),
                    times=_whole(each["times"], low=1),
                    share=_share(each["share"]),
                )
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
    return Repeated(
        runs=tuple(_whole(each) for each in values["runs"]),
        times=_whole(values["times"], low=1),
        share=_share(values["share"]),
        seed=_whole(values["seed"]),
    )


def _axis(values: Mapping[str, Any], params: Params) -> SweepAxis:
    spec = params.specs()[values["name"]]
    return SweepAxis(values["name"], tuple(spec.normal(each) for each in values["values"]))


def _whole(value: Any, *, low: int = 0) -> int:
    if type(value) is not int or value < low:
        raise TypeError(value)
    return value


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
