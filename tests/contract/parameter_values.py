"""Other values of declared parameters, and settings beside which they matter or do not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from ximstudio.model.method_params import MethodParams
from ximstudio.model.problem import UserError
from ximstudio.model.spec import Choice, Number, Pair, Spec, Switch

TEXTS: dict[str, Any] = {"anchors": ("0=item 3",), "node_file": "others.csv"}
NODES = {"node_file": "nodes.csv"}


def others(name: str, spec: Spec, now: Any) -> Iterator[Any]:
    """Values that a parameter could have as well."""
    if name in TEXTS:
        yield TEXTS[name]
    elif isinstance(spec, Choice):
        yield from (option for option in spec.options if option != now)
    elif isinstance(spec, Switch):
        yield not now
    elif isinstance(spec, Pair):
        start = next(others(name, spec.first, now[0]))
        end = next(others(name, spec.second, now[1]))
        yield from ((start, now[1]), (now[0], end))
    else:
        assert isinstance(spec, Number)
        middle = 1.0 if now is None else now
        wished = [middle * 0.5, middle * 1.5, middle + 1, spec.high, spec.low]
        rounded = [round(value) if spec.whole else value for value in wished]
        yield next(value for value in rounded if spec.allows(value) and value != now)


def needed_with(name: str, value: Any) -> dict[str, Any]:
    """What else has to be set for this value to be allowed."""
    return NODES if (name, value) == ("lattice", "table") else {}


def switched(params: MethodParams, without: tuple[str, ...] = ()) -> Iterator[MethodParams]:
    """The parameters, with one choice changed, and with two changed; zero counts as a choice."""
    changes = [
        {name: value} | needed_with(name, value)
        for name, spec in params.specs().items()
        if name not in without
        for value in _choices(name, spec, getattr(params, name))
    ]
    yield params
    for number in (1, 2):
        for several in combinations(changes, number):
            joined = {name: value for each in several for name, value in each.items()}
            try:
                yield params.replace(**joined)
            except UserError:
                continue


def _choices(name: str, spec: Spec, now: Any) -> Iterator[Any]:
    if isinstance(spec, Choice | Switch):
        # Prototypes that are given come with the start, which is no parameter.
        yield from (value for value in others(name, spec, now) if value != "given")
    elif isinstance(spec, Number) and spec.allows(0):
        yield spec.normal(0)


def mattering(params: MethodParams, name: str) -> MethodParams:
    """The parameters with as few choices changed as it takes for one of them to matter."""
    return next(each for each in switched(params, (name,)) if each.matters(name))
